// SPDX-License-Identifier: Apache-2.0
//
// tensor_maps: makes the maps by which kernels copy tiles of a tensor (cudax.sync:tensor_map).
module;
#include "../../runtime/interface/execution_boundary.hpp"
export module cudax.sync.host:tensor_maps;
import cudax.sync;
import :error;

export namespace cudax {

// For programs that import this module alone.
using cudax::im2col_box;
using cudax::interleaved_box;
using cudax::tensor_box;
using cudax::tensor_extents;
using cudax::tensor_map;
using cudax::tensor_strides;
using cudax::tensor_swizzle;
using cudax::tensor_tf32;
using cudax::tensor_type;

/// What a copy to shared memory puts in the elements of a tile that are outside of the tensor: zeros, or NaN, which
/// only floating-point elements can be. The NaN is a certain one: 0x7ff7 in each 16 bits.
using cudax::tensor_fill;

/// A hint: how much the L2 cache reads from memory where a copy reads less.
using cudax::tensor_promotion;

/// The arguments of make_tensor_map that are not always needed.
/// Source:   cuTensorMapEncodeTiled
/// Units:    strides in bytes
/// Example:
///     using tiles = cudax::tensor_map<float, cudax::tensor_box<64, 16>>;
///     inline tiles describe(float* part, int width, int height, long pitch) { // of a larger matrix
///       return cudax::make_tensor_map<tiles>(part, {width, height}, {.strides = {pitch}, .fill =
///       cudax::tensor_fill::nan});
///     }
template <unsigned Rank>
struct tensor_options {
  tensor_strides<Rank> strides = {};     ///< of all dimensions but the innermost; 0: no padding
  tensor_fill fill = tensor_fill::zeros; ///< of elements outside of the tensor
  tensor_promotion promotion = tensor_promotion::none;
  bool may_overlap = false; ///< the strides may let several coordinates name one element, which only reads allow
};

/// The box of pixels that copies of an im2col_box visit, in each dimension of pixels, the innermost first: from
/// `lower`, counted from the tensor's first pixel, to `upper`, counted from its last, in steps. For a convolution with
/// a filter of N pixels and P pixels of padding, `lower` is -P and `upper` is P - (N - 1); the steps are its strides.
/// Source:   cuTensorMapEncodeIm2col
/// Units:    pixels
/// Requires: of both corners, for tensors of 3, 4 and 5 dimensions: -2^15 to 2^15 - 1, -2^7 to 2^7 - 1, -2^4 to 2^4 - 1;
///           the box has a pixel. Steps: 1 to 8, where 0 is 1. Where copies write the tensor, `lower` is not negative
///           and `upper` not positive; otherwise the kernel ends with an error
/// Example:
///     using columns = cudax::tensor_map<float, cudax::im2col_box<4, 32, 64>>;
///     inline columns describe(float* images, int x, int y, int count) { // for filters of 3 x 3, without padding
///       return cudax::make_tensor_map<columns>(images, {32, x, y, count}, {.lower = {0, 0}, .upper = {-2, -2}});
///     }
template <unsigned Rank>
struct im2col_pixels {
  im2col_offsets<Rank> lower = {};
  im2col_offsets<Rank> upper = {};
  im2col_offsets<Rank> steps = {};
};

} // namespace cudax

namespace cudax {

template <class Map>
void fill_tensor_map(Map& map, void const* tensor, tensor_extents<Map::rank> const& extents,
                     tensor_options<Map::rank> const& options, runtime::failure& why,
                     im2col_pixels<Map::rank> const* pixels = nullptr) noexcept {
  runtime::tensor_request r{.rank = Map::rank,
                            .type = int(Map::type),
                            .swizzle = int(Map::swizzle),
                            .element_size = sizeof(typename Map::value_type),
                            .box = {},
                            .address = tensor,
                            .extents = {},
                            .strides = {},
                            .fill = options.fill,
                            .promotion = options.promotion,
                            .may_overlap = options.may_overlap};
  if constexpr (Map::box::is_interleaved) {
    constexpr unsigned rank = Map::rank;
    r.interleave = Map::box::extents[0] * sizeof(typename Map::value_type) == 16 ? 1 : 2;
    for (unsigned i = 0; i < rank; ++i) r.box[i] = i + 2 < rank ? Map::box::extents[i + 1] : 1; // one slice
    r.box[rank - 1] = Map::box::extents[rank - 1];
  } else {
    for (unsigned i = 0; i < sizeof(Map::box::extents) / sizeof(unsigned); ++i) r.box[i] = Map::box::extents[i];
  }
  for (unsigned i = 0; i < Map::rank; ++i) {
    r.extents[i] = extents.at[i];
    if (i + 1 < Map::rank) r.strides[i] = options.strides.at[i];
  }
  r.is_im2col = pixels != nullptr;
  for (unsigned i = 0; pixels && i + 2 < Map::rank; ++i) {
    r.lower[i] = pixels->lower.at[i];
    r.upper[i] = pixels->upper.at[i];
    r.steps[i] = pixels->steps.at[i];
  }
  static_assert(sizeof(Map) == 128);
  runtime::make_tensor_map(&map, r, why);
}

} // namespace cudax

export namespace cudax {

/// Makes the map of a tensor in memory that the device can access. Map is a tensor_map. A kernel takes the map as a
/// parameter `Map const __grid_constant__ map`. The map is valid as long as the tensor's memory is, on every device
/// that can access the memory. No context becomes current, and no capture and no last error is affected.
/// Source:   cuTensorMapEncodeTiled
/// Units:    `extents`: elements, the innermost dimension first; for an interleaved_box pixels, slices, images; strides:
///           bytes
/// Requires: `tensor` is a multiple of 16, or of 32 with slices of 32 bytes, as each stride is; each extent is 1 to 2^31;
///           each stride is less than 2^40, and steps over the dimensions of smaller strides, unless
///           options.may_overlap. The stride of a dimension of one element is never used, and may be any that is not
///           negative: one row may have any length
/// Errors:   cuda_error: std::errc::invalid_argument if the requirements are not met, and for tensor_fill::nan of
///           integers; std::errc::not_supported, and any error that CUDA reports. The twin try_make_tensor_map stores
///           the code and returns a map of zeros
/// Example:
///     using tiles = cudax::tensor_map<float, cudax::tensor_box<64, 16>>;
///     __global__ void relax(tiles const __grid_constant__ grid) { (void)grid; } // copies tiles of it
///     inline void start(float* grid, int width, int height, int pitch) { // `pitch`: bytes from row to row
///       relax<<<1, 128>>>(cudax::make_tensor_map<tiles>(grid, {width, height}, {.strides = {pitch}}));
///     }
template <class Map>
  requires(!Map::box::is_im2col)
Map make_tensor_map(typename Map::value_type const* tensor, tensor_extents<Map::rank> extents,
                    tensor_options<Map::rank> options = {}) {
  Map map{};
  runtime::failure why;
  fill_tensor_map(map, tensor, extents, options, why);
  runtime::raise(why);
  return map;
}
template <class Map>
  requires(!Map::box::is_im2col)
Map try_make_tensor_map(error_code& error, typename Map::value_type const* tensor, tensor_extents<Map::rank> extents,
                        tensor_options<Map::rank> options = {}) noexcept {
  Map map{};
  runtime::failure why;
  fill_tensor_map(map, tensor, extents, options, why);
  store(why, error);
  return map;
}

/// As above, for maps whose tile is an im2col_box: `pixels` is the box of pixels that copies visit.
/// Source:   cuTensorMapEncodeIm2col
/// Units:    `extents`: channels, pixels in 1 to 3 dimensions, images
/// Requires: as above, and of `pixels` what im2col_pixels says
/// Errors:   as above
template <class Map>
  requires(Map::box::is_im2col)
Map make_tensor_map(typename Map::value_type const* tensor, tensor_extents<Map::rank> extents,
                    im2col_pixels<Map::rank> pixels, tensor_options<Map::rank> options = {}) {
  Map map{};
  runtime::failure why;
  fill_tensor_map(map, tensor, extents, options, why, &pixels);
  runtime::raise(why);
  return map;
}
template <class Map>
  requires(Map::box::is_im2col)
Map try_make_tensor_map(error_code& error, typename Map::value_type const* tensor, tensor_extents<Map::rank> extents,
                        im2col_pixels<Map::rank> pixels, tensor_options<Map::rank> options = {}) noexcept {
  Map map{};
  runtime::failure why;
  fill_tensor_map(map, tensor, extents, options, why, &pixels);
  store(why, error);
  return map;
}

} // namespace cudax
