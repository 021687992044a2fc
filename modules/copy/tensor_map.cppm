// SPDX-License-Identifier: Apache-2.0
//
// tensor_map: describes a tensor in global memory and the tile that a copy moves (tensor_copies.cppm).  PTX ISA,
// "Tensors", "Tensor-map"; CUDA driver API, cuTensorMapEncodeTiled
//
// The map itself is 128 opaque bytes, which the driver encodes (make_tensor_map in cudax.sync.host). What a kernel has
// to know while it is compiled is in the type: the element, the tile (Box) and the swizzle. So the size and the
// alignment of a tile are constants, the limits of the hardware are checked by the compiler, and a kernel and its host
// code cannot disagree about them. The extents of the tensor are known at run time only.
//
// Where an element of a tile is. The hardware writes the tile row after row, the innermost dimension first. Without a
// swizzle the rows are contiguous. With a swizzle each row takes all of the swizzle's 32, 64 or 128 bytes, also if the
// box has fewer: then chunks are left out, in shared memory only, and the copy completes the bytes of the box. And
// chunks of 16 bytes are exchanged, so that threads that access a column use different banks. Bits of the address in
// shared memory choose the chunk:
//
//   bytes_32    bit 4         of the address is changed by bit 7
//   bytes_64    bits 4 and 5                            by bits 7 and 8
//   bytes_128   bits 4 to 6                             by bits 7 to 9
//
// (by exclusive or). A tile that is aligned to the period of this pattern, 256, 512 or 1,024 bytes, begins with zeros
// in these bits, so the place of an element in the tile depends on its indices only: that is `alignment`, and offset()
// computes the place. An H100 does exactly this, tiles at other multiples of 128 included
// (tests/std/copy/tensor_swizzles.run.cpp); PTX ISA has pictures of it ("Swizzling modes").
//
// Interleaved tensors (interleaved_box). PTX ISA ("Interleave layout") names the layouts only, NC/8HWC8 and so on; what
// follows was seen on an H100 (tests/emulator/device/tensor.cu). Extents, boxes and coordinates of dimension 0 count
// slices of 16 or 32 bytes, whatever the type of the elements; before the last dimension is that of the slices of a
// pixel. The hardware copies one slice of each pixel and ignores the extent of the box there. In shared memory, slices
// follow each other without gaps also with a swizzle, which exchanges chunks by the address as above. So in the last
// 32, 64 or 128 bytes, if the slices do not fill them, chunks are moved past the end of the slices: a tile's memory
// always has all of these bytes.
//
// GPUs from sm_100 on can also exchange larger atoms within 128 bytes:
//
//   bytes_128_atoms_32         bits 5 and 6 are changed by bits 7 and 8
//   bytes_128_atoms_32_flip_8  the same, and bit 3 by bit 7: the halves of each 16 bytes change places in every other
//                              line of 128 bytes
//   bytes_128_atoms_64         bit 6 is changed by bit 7
//
// The first and the last are tables of PTX ISA ("Swizzling modes", 128-byte swizzle with 32-byte and 64-byte
// atomicity), the flip is its sentence; a simulator whose authors compared it with an sm_100 GPU (mlc-ai/TIRx-harness)
// has the same bits. This library has not been run on such a GPU, only on the emulator as sm_100.
module;
#include "../base/macros.hpp"
export module cudax.sync:tensor_map;
import :bits;

CUDAX_EVERYWHERE_BEGIN

export namespace cudax {

/// The type of a tensor's elements, as the hardware distinguishes it. Copies by maps of types of one size move the same
/// bytes, except with tf32: such elements are floats in global memory, and a copy to shared memory rounds them to the
/// 10 bits of mantissa that tensor cores use, to the nearest, ties to even. Reductions and tensor_fill::nan depend on
/// the type. The values are those of CUtensorMapDataType.
enum class tensor_type { u8, u16, u32, s32, u64, s64, f16, f32, f64, bf16, tf32 = 11 };

/// How chunks of 16 bytes are exchanged in shared memory, within 32, 64 or 128 bytes. The last three exchange atoms of
/// 32 or 64 bytes, and require sm_100: make_tensor_map fails for older devices. PTX ISA excludes copies to shared
/// memory with them on sm_120. The values are those of CUtensorMapSwizzle.
enum class tensor_swizzle {
  none,
  bytes_32,
  bytes_64,
  bytes_128,
  bytes_128_atoms_32,
  bytes_128_atoms_32_flip_8, ///< and the halves of 16 bytes in every other 128; only for copies to shared memory
  bytes_128_atoms_64         ///< copies to shared memory may fail on a GPU (TIRx-harness says so, PTX ISA does not)
};

/// The first argument of tensor_map for elements of tensor_type::tf32.
/// Source:   extension; CU_TENSOR_MAP_DATA_TYPE_TFLOAT32
/// Example:
///     using tiles = cudax::tensor_map<cudax::tensor_tf32, cudax::tensor_box<32, 8>, cudax::tensor_swizzle::bytes_128>;
///     __device__ float first(tiles::tile const& t) { // floats, rounded when the tile was copied
///       return t(0, 0);
///     }
struct tensor_tf32 {
  using value_type = float;
};

} // namespace cudax

namespace cudax::copy_detail {

template <class T>
constexpr tensor_type find_tensor_type() noexcept {
  if constexpr (same_as<T, tensor_tf32>) return tensor_type::tf32;
  else if constexpr (same_as<T, float>) return tensor_type::f32;
  else if constexpr (same_as<T, double>) return tensor_type::f64;
  else if constexpr (half<T>) return tensor_type::f16;
  else if constexpr (bfloat16<T>) return tensor_type::bf16;
  else if constexpr (__is_integral(T) && sizeof(T) == 1) return tensor_type::u8;
  else if constexpr (__is_integral(T) && sizeof(T) == 2) return tensor_type::u16;
  else if constexpr (__is_integral(T) && sizeof(T) == 4) return T(-1) < T(0) ? tensor_type::s32 : tensor_type::u32;
  else if constexpr (__is_integral(T) && sizeof(T) == 8) return T(-1) < T(0) ? tensor_type::s64 : tensor_type::u64;
  else {
    static_assert(!sizeof(T*), "cudax.sync: tensor_map: this type is no element of a tensor; use an integer, a "
                               "floating-point number or tensor_tf32, without const, or say which has its format: "
                               "template <> inline constexpr auto cudax::tensor_type_of<T> = cudax::tensor_type::u32;");
    return tensor_type::u8;
  }
}

template <class T>
struct tensor_value {
  using type = T;
};
template <>
struct tensor_value<tensor_tf32> {
  using type = float;
};

/// The bytes within which a swizzle exchanges chunks: the pitch of its rows.
constexpr size_t swizzle_span(tensor_swizzle s) noexcept {
  return s > tensor_swizzle::bytes_128 ? 128 : size_t(16) << unsigned(s);
}

/// The bytes of a tile's memory, from those of its rows: a swizzle exchanges chunks within the whole of its span.
constexpr size_t swizzled_size(tensor_swizzle s, size_t bytes) noexcept {
  size_t const span = s == tensor_swizzle::none ? 1 : swizzle_span(s);
  return (bytes + span - 1) / span * span;
}

/// Where the swizzle puts a byte of a tile, from its place without swizzle. Only groups of 8 bytes are moved.
constexpr u32 swizzled_place(tensor_swizzle s, u32 byte) noexcept {
  using enum tensor_swizzle;
  u32 const atom = s == bytes_128_atoms_64 ? 64 : s > bytes_128 ? 32 : 16;
  u32 const flip = s == bytes_128_atoms_32_flip_8 ? byte >> 4 & 8 : 0;
  return byte ^ (byte >> 7 & (u32(swizzle_span(s)) / atom - 1)) * atom ^ flip;
}

constexpr size_t size_of_tensor_type(tensor_type type) noexcept {
  switch (type) {
  case tensor_type::u8: return 1;
  case tensor_type::u16:
  case tensor_type::f16:
  case tensor_type::bf16: return 2;
  case tensor_type::u64:
  case tensor_type::s64:
  case tensor_type::f64: return 8;
  default: return 4;
  }
}

/// Numbers, one for each dimension, as parameters: `{x, y}` converts. The numbers may have any integer type; their
/// count is checked while compiling.
template <class Number, size_t Count>
struct numbers {
  Number at[Count ? Count : 1] = {};

  constexpr numbers() noexcept = default;
  template <class... I>
    requires(sizeof...(I) > 0 && (__is_integral(I) && ...))
  constexpr numbers(I... i) noexcept {
    static_assert(sizeof...(I) == Count, "cudax.sync: tensor_map: there must be one number for each dimension of the "
                                         "tensor, the innermost first; strides: for each but the innermost");
    if constexpr (sizeof...(I) == Count) {
      size_t d = 0;
      ((at[d++] = Number(i)), ...);
    }
  }
};

/// The memory of a tile as a parameter: a pointer, an array, or the tile of a tensor_map. It converts from what
/// converts to a pointer to the element. What is known to be too small, or to have its elements in other places, is
/// rejected while compiling. Another map's tile fits if its rows have the same pitch and the same swizzle, and are
/// enough: then each row is at the same place, and the alignment, which the swizzle determines, is the same.
template <class Map, class Value>
struct tile_pointer {
  Value* at;

  template <class Memory>
    requires(__is_convertible(Memory &&, Value*))
  constexpr tile_pointer(Memory&& memory) noexcept : at(memory) {
    using given = __remove_cvref(Memory);
    if constexpr (__is_bounded_array(given)) {
      static_assert(__array_extent(given, 0) >= Map::tile_size,
                    "cudax.sync: copies of tensors: the array has fewer elements than tensor_map::tile_size; use "
                    "tensor_map::tile, or a pointer to a place in larger memory");
    } else if constexpr (requires { typename given::tensor_map_type; }) {
      using other = typename given::tensor_map_type;
      static_assert(other::swizzle == Map::swizzle && other::row_pitch == Map::row_pitch &&
                        other::tile_size >= Map::tile_size,
                    "cudax.sync: copies of tensors: this is the tile of another tensor_map, which is smaller or whose "
                    "rows have another pitch or swizzle; use the tile of this map, or a pointer to a place in larger "
                    "memory");
    }
  }
};

} // namespace cudax::copy_detail

export namespace cudax {

/// The tensor_type of the elements of T. For a type of its own a program writes, in the global namespace,
/// `template <> inline constexpr auto cudax::tensor_type_of<my_float> = cudax::tensor_type::u8;`
/// Source:   extension
/// Requires: of a specialization: the objects have the size of that tensor_type
template <class T>
inline constexpr tensor_type tensor_type_of = copy_detail::find_tensor_type<T>();

/// The extents of a tile, in elements, the innermost dimension first: 1 to 5 dimensions.
template <unsigned... Extent>
struct tensor_box {
  static_assert(sizeof...(Extent) >= 1 && sizeof...(Extent) <= 5,
                "cudax.sync: tensor_box: a tensor has 1 to 5 dimensions");
  static_assert(((Extent >= 1 && Extent <= 256) && ...), "cudax.sync: tensor_box: each extent of a tile is 1 to 256 "
                                                         "elements; use several copies");
  static constexpr bool is_im2col = false, is_interleaved = false;
  static constexpr unsigned rank = sizeof...(Extent);
  static constexpr unsigned extents[rank] = {Extent...};
  static constexpr size_t size = (size_t(Extent) * ...); ///< in elements
};

/// The tile of a tensor in mode im2col: some channels of some pixels, as a matrix for convolutions. The tensor has 3 to
/// 5 dimensions: channels, 1 to 3 dimensions of pixels, images. One copy moves `Channels` channels of `Pixels` pixels
/// that follow each other in a box of pixels, row after row and image after image, and reads each of them at an offset
/// from its place. The map has the box (im2col_pixels in cudax.sync.host), the copy the first pixel and the offset. The
/// tile has one row for each pixel: t(channel, pixel).
/// Source:   extension; PTX ISA, "im2col mode"
/// Example:
///     using columns = cudax::tensor_map<float, cudax::im2col_box<4, 32, 64>>;
///     __device__ float sum_of_pixel(columns::tile const& t, int pixel) { // in shared memory
///       float sum = 0;
///       for (int channel = 0; channel < 32; ++channel) sum += t(channel, pixel);
///       return sum;
///     }
template <unsigned Rank, unsigned Channels, unsigned Pixels>
struct im2col_box {
  static_assert(Rank >= 3 && Rank <= 5, "cudax.sync: im2col_box: the tensor has 3 to 5 dimensions: channels, 1 to 3 "
                                        "dimensions of pixels, images");
  static_assert(Channels >= 1 && Channels <= 256, "cudax.sync: im2col_box: a tile has 1 to 256 channels of each pixel; "
                                                  "use several copies");
  static_assert(Pixels >= 1 && Pixels <= 1024, "cudax.sync: im2col_box: a tile has 1 to 1,024 pixels; use several "
                                               "copies");
  static constexpr bool is_im2col = true, is_interleaved = false;
  static constexpr unsigned rank = Rank;                     ///< of the tensor
  static constexpr unsigned extents[2] = {Channels, Pixels}; ///< of the tile
  static constexpr size_t size = size_t(Channels) * Pixels;  ///< in elements
};

/// The tile of an interleaved tensor: the channels of a pixel are not together, but in slices of 16 or 32 bytes, as in
/// the layouts NC/8HWC8 and NC/16HWC16 of some networks. The tensor has 3 to 5 dimensions: pixels in 1 to 3 dimensions,
/// the slices of a pixel, images. A tile has `Channels` channels, which are one slice, of each of its pixels. `Extent`
/// are its extents in the dimensions of pixels, the innermost first, and of images: t(channel, x, y, image). Extents of
/// the tensor, and coordinates, have the slices before the images: {x, y, slice, image}.
/// Source:   extension; PTX ISA, "Interleave layout"; CUtensorMapInterleave
/// Requires: a slice has 16 bytes, or 32 with the swizzle bytes_32; the number of pixels in a row, times the size of an
///           element, is a multiple of 16 (the driver requires it)
/// Example:
///     using tiles = cudax::tensor_map<_Float16, cudax::interleaved_box<8, 16, 4, 1>>; // NC/8HWC8: 8 channels
///     __device__ float sum_of_channel(tiles::tile const& t, int channel) { // in shared memory
///       float sum = 0;
///       for (int y = 0; y < 4; ++y)
///         for (int x = 0; x < 16; ++x) sum += float(t(channel, x, y, 0));
///       return sum;
///     }
template <unsigned Channels, unsigned... Extent>
struct interleaved_box {
  static_assert(
      sizeof...(Extent) >= 2 && sizeof...(Extent) <= 4,
      "cudax.sync: interleaved_box: the tensor has 1 to 3 dimensions of pixels, and images: give the channels "
      "of a slice and 2 to 4 extents");
  static_assert(((Extent >= 1 && Extent <= 256) && ...), "cudax.sync: interleaved_box: each extent of a tile is 1 to "
                                                         "256 pixels or images; use several copies");
  static constexpr bool is_im2col = false, is_interleaved = true;
  static constexpr unsigned rank = sizeof...(Extent) + 1;           ///< of the tensor, slices included
  static constexpr unsigned extents[rank] = {Channels, Extent...};  ///< of the tile
  static constexpr size_t size = (size_t(Channels) * ... * Extent); ///< in elements
};

/// Describes a tensor of elements T in global memory, and the tile (Box) that one copy moves: a tensor_box, an
/// im2col_box or an interleaved_box. make_tensor_map of cudax.sync.host makes maps. A kernel takes a map as a parameter
/// `const __grid_constant__`, so that it has an address there; a map may also be in constant or global memory. The
/// object is opaque: copies are its only use.
/// Source:   extension; CUtensorMap
/// Units:    extents, coordinates, row_pitch, tile_size and offset() in elements, the innermost dimension first;
///           tile_bytes and alignment in bytes
/// Requires: the innermost extent of Box is a multiple of 16 bytes and, with a swizzle, at most the swizzle's 32, 64 or
///           128 bytes; a tile fits in shared memory; T as for tensor_type_of. For interleaved_box, what it says
///           instead
/// Example:
///     using tiles = cudax::tensor_map<float, cudax::tensor_box<32, 8>, cudax::tensor_swizzle::bytes_128>;
///     __device__ float sum_of_column(tiles::tile const& t, unsigned x) { // in shared memory
///       float sum = 0;
///       for (unsigned y = 0; y < 8; ++y) sum += t(x, y);
///       return sum;
///     }
template <class T, class Box, tensor_swizzle Swizzle = tensor_swizzle::none>
class alignas(64) tensor_map {
public:
  using element_type = T;
  using value_type = typename copy_detail::tensor_value<T>::type; ///< of an element in memory
  using box = Box;
  static constexpr unsigned rank = Box::rank;
  static constexpr tensor_type type = tensor_type_of<T>;
  static constexpr tensor_swizzle swizzle = Swizzle;
  /// What a copy completes at a barrier.
  static constexpr size_t tile_bytes = Box::size * sizeof(value_type);
  /// Of a tile in shared memory: 128 bytes, and with a swizzle the period of its pattern.
  static constexpr size_t alignment = Swizzle == tensor_swizzle::none ? 128 : 8 * copy_detail::swizzle_span(Swizzle);
  /// From one row of a tile to the next, in elements.
  static constexpr size_t row_pitch = Swizzle == tensor_swizzle::none || Box::is_interleaved
                                          ? Box::extents[0]
                                          : copy_detail::swizzle_span(Swizzle) / sizeof(value_type);
  /// Of a tile's memory, in elements. More than Box::size where a swizzle leaves out chunks or moves them to the end.
  static constexpr size_t tile_size =
      copy_detail::swizzled_size(Swizzle, Box::size / Box::extents[0] * row_pitch * sizeof(value_type)) /
      sizeof(value_type);

  static_assert(copy_detail::size_of_tensor_type(type) == sizeof(value_type),
                "cudax.sync: tensor_map: the objects of this type have not the size of its tensor_type_of");
  static_assert(__is_trivially_copyable(value_type),
                "cudax.sync: tensor_map: the elements are not trivially copyable; copy them one by one");
  static_assert(Box::extents[0] * sizeof(value_type) % 16 == 0,
                "cudax.sync: tensor_map: the innermost extent of the box is no multiple of 16 bytes; use a larger one");
  static_assert(
      Swizzle == tensor_swizzle::none || Box::extents[0] * sizeof(value_type) <= copy_detail::swizzle_span(Swizzle),
      "cudax.sync: tensor_map: the innermost extent of the box has more bytes than the swizzle; use a smaller "
      "extent and several copies, or a wider swizzle");
  static_assert(
      !Box::is_interleaved || Box::extents[0] * sizeof(value_type) == 16 || Box::extents[0] * sizeof(value_type) == 32,
      "cudax.sync: tensor_map: the channels of an interleaved_box are not 16 or 32 bytes, which is a slice; use "
      "as many channels as a slice has");
  static_assert(!Box::is_interleaved || Box::extents[0] * sizeof(value_type) != 32 ||
                    Swizzle == tensor_swizzle::bytes_32,
                "cudax.sync: tensor_map: the hardware copies slices of 32 bytes with the swizzle bytes_32; use that");
  static_assert(
      !Box::is_interleaved || Swizzle <= tensor_swizzle::bytes_128,
      "cudax.sync: tensor_map: interleaved tensors have no swizzle with larger atoms; use bytes_32, bytes_64, "
      "bytes_128 or none");
  static_assert(
      !Box::is_interleaved || Box::extents[1] * sizeof(value_type) % 16 == 0,
      "cudax.sync: tensor_map: the pixels in a row of an interleaved_box, times the size of an element, are no "
      "multiple of 16, which the driver requires; use more pixels");
  static_assert(tile_size * sizeof(value_type) <= 227 * 1024,
                "cudax.sync: tensor_map: the tile does not fit in shared memory, of which a "
                "block has at most 227 KiB; use smaller extents");

  /// Returns where the element with these indices is in a tile, as an index of the tile's memory. The first index is
  /// that of the innermost dimension.
  /// Requires: each index is less than the extent of the box
  template <class... Index>
    requires((__is_integral(Index) && ...))
  static constexpr size_t offset(Index... index) noexcept {
    constexpr unsigned rank = sizeof(Box::extents) / sizeof(unsigned); // of the tile
    static_assert(sizeof...(Index) == rank, "cudax.sync: tensor_map::offset: there must be one index for each "
                                            "dimension, the innermost first");
    u32 const at[] = {u32(index)...};
    u32 row = 0;
    for (unsigned i = rank; i-- > 1;) row = row * Box::extents[i] + at[i];
    u32 const linear = row * u32(row_pitch) + at[0];
    if constexpr (Swizzle == tensor_swizzle::none) {
      return linear;
    } else {
      return copy_detail::swizzled_place(Swizzle, linear * u32(sizeof(value_type))) / u32(sizeof(value_type));
    }
  }

  /// The memory of a tile: a variable or an array in `__shared__` memory, or a place in dynamic shared memory that is
  /// a multiple of `alignment`. t(x, y) is the element with these indices. Copies take it, or a pointer to its
  /// elements. A copy by another map takes it only if this map's tile is at least as large, and its rows have the same
  /// pitch and swizzle.
  struct alignas(alignment) tile {
    using tensor_map_type = tensor_map;
    value_type elements[tile_size];

    template <class... Index>
    constexpr value_type& operator()(Index... index) noexcept {
      return elements[offset(index...)];
    }
    template <class... Index>
    constexpr value_type const& operator()(Index... index) const noexcept {
      return elements[offset(index...)];
    }
    constexpr operator value_type*() noexcept { return elements; }
    constexpr operator value_type const*() const noexcept { return elements; }
  };

  /// What copies take as the tile: a pointer, an array, or a tile.
  using tile_target = copy_detail::tile_pointer<tensor_map, value_type>;
  using tile_source = copy_detail::tile_pointer<tensor_map, value_type const>;

private:
  u64 opaque_[16];
};

/// The coordinates of a tile's first element in the tensor, the innermost dimension first; `{x, y}` converts. They may
/// be beyond the tensor and, where a tile is read, negative: the elements outside of the tensor are filled in shared
/// memory, and left alone in global memory. The innermost coordinate is a multiple of 16 bytes. In mode im2col, the
/// coordinates of the first pixel are in the map's box of pixels. Of an interleaved tensor they are {x, y, slice,
/// image}, with as many dimensions of pixels as it has, and the innermost one, which counts pixels, may be any.
template <unsigned Rank>
using tensor_coordinates = copy_detail::numbers<int, Rank>;

/// The offsets at which an im2col copy reads pixels, in pixels, one for each of the 1 to 3 dimensions of pixels, the
/// innermost first; `{i, j}` converts. For tensors of 3 dimensions 0 to 65,535, of 4 dimensions 0 to 255, of 5
/// dimensions 0 to 31.
template <unsigned Rank>
using im2col_offsets = copy_detail::numbers<int, (Rank > 3 ? Rank - 2 : 1)>;

/// The extents of a tensor in elements, the innermost dimension first, and the strides of all other dimensions in
/// bytes: stride i leads from an element to the next one of dimension i + 1.
template <unsigned Rank>
using tensor_extents = copy_detail::numbers<long long, Rank>;
template <unsigned Rank>
using tensor_strides = copy_detail::numbers<long long, Rank - 1>;

} // namespace cudax

CUDAX_EVERYWHERE_END
