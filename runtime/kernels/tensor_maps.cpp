// SPDX-License-Identifier: Apache-2.0
//
// tensor_maps: what a tensor must be so that copies can move its tiles, as sentences. The driver checks most of it,
// too, and answers "invalid argument". The limits of the tile are in the type of the map: the compiler checks those.
#include "../cuda/execution_calls.hpp"

#include <algorithm>
#include <cstdint>

namespace cudax::runtime {
namespace {

using wide = __int128; // of products

/// The driver takes 2^32, but an H100 ends a kernel that copies by a map with an extent of 2^32 - 1 or 2^32.
constexpr long long most_extent = 1ll << 31;
constexpr long long stride_limit = 1ll << 40;

constexpr int swizzle_128 = 3;                       // of CUtensorMapSwizzle
constexpr int f16 = 6, f32 = 7, bf16 = 9, tf32 = 11; // of CUtensorMapDataType

/// Bytes of what dimension 0 counts: an element, or a slice of an interleaved tensor.
size_t unit_of(tensor_request const& r) noexcept { return r.interleave ? size_t(8) << r.interleave : r.element_size; }
/// Of the address and of strides, in bytes.
int alignment_of(tensor_request const& r) noexcept { return r.interleave == 2 ? 32 : 16; }

bool check_address(tensor_request const& r, failure& why) noexcept {
  if (!r.address)
    fail(why, cuda::invalid_value,
         "make_tensor_map: the address of the tensor is null; give the address of its first element in memory that the "
         "device can access");
  else if (reinterpret_cast<std::uintptr_t>(r.address) % unsigned(alignment_of(r)) != 0)
    fail(why, cuda::invalid_value,
         "make_tensor_map: the tensor begins at %p, which is no multiple of %d; give the beginning of an allocation, "
         "and "
         "the rest by coordinates",
         r.address, alignment_of(r));
  else return true;
  return false;
}

bool check_extents(tensor_request const& r, failure& why) noexcept {
  for (unsigned i = 0; i < r.rank; ++i) {
    if (r.extents[i] >= 1 && r.extents[i] <= most_extent) continue;
    fail(why, cuda::invalid_value,
         "make_tensor_map: dimension %u of the tensor has %lld elements; each dimension has 1 to 2^31", i,
         r.extents[i]);
    return false;
  }
  return true;
}

/// The stride of a dimension of one element takes no step: every other coordinate is outside of the tensor. But the
/// driver checks it like the others (seen on an H100: a multiple of 16, less than 2^40), so it is replaced by one that
/// the driver takes.
long long unused_stride(wide stride, int alignment) noexcept {
  wide const multiple = (stride + alignment - 1) / alignment * alignment;
  return static_cast<long long>(std::min<wide>(multiple, stride_limit - alignment));
}

/// Completes and checks the strides. Each becomes less than 2^40, so the products fit.
bool check_strides(tensor_request& r, failure& why) noexcept {
  wide packed = wide(r.extents[0]) * static_cast<wide>(unit_of(r));
  int const alignment = alignment_of(r);
  for (unsigned i = 0; i + 1 < r.rank; ++i) {
    bool const is_packed = r.strides[i] == 0, is_used = r.extents[i + 1] > 1;
    wide const stride = is_packed ? packed : r.strides[i];
    auto const bytes = static_cast<long long>(std::min<wide>(stride, INT64_MAX));
    if (stride < 0 || (is_used && stride >= stride_limit))
      fail(why, cuda::invalid_value,
           "make_tensor_map: the stride from an element of dimension %u to the next is %lld bytes%s; it must be less "
           "than 2^40, and not negative",
           i + 1, bytes, is_packed ? " without padding" : "");
    else if (is_used && stride % alignment != 0 && is_packed)
      fail(why, cuda::invalid_value,
           "make_tensor_map: the stride from an element of dimension %u to the next is %lld bytes without padding, "
           "which is no multiple of %d; pad the rows in memory, and give the strides",
           i + 1, bytes, alignment);
    else if (is_used && stride % alignment != 0)
      fail(
          why, cuda::invalid_value,
          "make_tensor_map: the stride from an element of dimension %u to the next is %lld bytes, which is no multiple "
          "of %d; pad the rows in memory",
          i + 1, bytes, alignment);
    if (why.code != cuda::success) return false;
    r.strides[i] = is_used ? bytes : unused_stride(stride, alignment);
    packed = stride * r.extents[i + 1]; // of the memory: what follows an unused stride begins where it does
  }
  return true;
}

/// Rejects strides by which several coordinates could name one byte. In the order of their strides, each dimension must
/// step over all of those before it. Dimensions of one element take no step.
bool check_overlap(tensor_request const& r, failure& why) noexcept {
  if (r.may_overlap) return true;
  unsigned order[4];
  unsigned count = 0;
  for (unsigned i = 0; i + 1 < r.rank; ++i)
    if (r.extents[i + 1] > 1) order[count++] = i;
  std::sort(order, order + count, [&](unsigned a, unsigned b) { return r.strides[a] < r.strides[b]; });
  wide covered = wide(r.extents[0]) * static_cast<wide>(unit_of(r));
  for (unsigned k = 0; k < count; ++k) {
    unsigned const i = order[k];
    if (r.strides[i] < covered) {
      fail(why, cuda::invalid_value,
           "make_tensor_map: the stride from an element of dimension %u to the next is %lld bytes, but the dimensions "
           "of smaller strides cover %lld, so elements overlap; give a larger stride, or may_overlap if that is meant",
           i + 1, r.strides[i], static_cast<long long>(covered));
      return false;
    }
    covered = wide(r.strides[i]) * (r.extents[i + 1] - 1) + covered;
  }
  return true;
}

bool check_fill(tensor_request const& r, failure& why) noexcept {
  if (r.fill != tensor_fill::nan || (r.type >= f16 && r.type <= bf16) || r.type == tf32) return true;
  fail(why, cuda::invalid_value,
       "make_tensor_map: tensor_fill::nan with elements that are integers (of %zu bytes); use tensor_fill::zeros",
       r.element_size);
  return false;
}

bool check_pixels(tensor_request const& r, failure& why) noexcept {
  int const most = r.rank == 3 ? 1 << 15 : r.rank == 4 ? 1 << 7 : 1 << 4;
  for (unsigned i = 0; r.is_im2col && i + 2 < r.rank; ++i) {
    long long const pixels = r.extents[i + 1] + r.upper[i] - r.lower[i];
    for (int const corner : {r.lower[i], r.upper[i]})
      if (corner < -most || corner >= most)
        fail(why, cuda::invalid_value,
             "make_tensor_map: a corner of the box of pixels is %d in dimension %u; with %u dimensions it is %d to %d",
             corner, i + 1, r.rank, -most, most - 1);
    if (why.code == cuda::success && pixels < 1)
      fail(why, cuda::invalid_value,
           "make_tensor_map: the box of pixels from %d to %d beyond %lld elements has %lld pixels in dimension %u; it "
           "must have one at least",
           r.lower[i], r.upper[i], r.extents[i + 1], pixels, i + 1);
    if (why.code == cuda::success && (r.steps[i] < 0 || r.steps[i] > 8))
      fail(why, cuda::invalid_value,
           "make_tensor_map: the step from pixel to pixel is %d in dimension %u; it is 1 to 8", r.steps[i], i + 1);
    if (why.code != cuda::success) return false;
  }
  return true;
}

} // namespace

void make_tensor_map(void* map, tensor_request const& request, failure& why) noexcept {
  tensor_request r = request;
  if (!check_address(r, why) || !check_extents(r, why) || !check_strides(r, why) || !check_overlap(r, why) ||
      !check_fill(r, why) || !check_pixels(r, why))
    return;
  bool const has_atoms = r.swizzle > swizzle_128;
  int const code = execution().encode_tensor_map(map, &r);
  if (code == cuda::success) return;
  if (code == cuda::invalid_value || code == cuda::not_supported)
    fail(why, code,
         "make_tensor_map: the driver makes no such map of %u dimensions of elements of %zu bytes (%s); a device of "
         "compute capability %s or later is required%s",
         r.rank, r.element_size, calls().error_name(code), has_atoms ? "10.0" : "9.0",
         has_atoms ? " for a swizzle with atoms of 32 or 64 bytes" : "");
  else if (code == cuda::no_context)
    fail(why, code,
         "make_tensor_map: CUDA is not in use yet, so the tensor at %p is not in memory of a device; allocate it by "
         "CUDA",
         r.address);
  else
    fail_in_cuda(why, code, "make_tensor_map: the driver made no map of %u dimensions of elements of %zu bytes", r.rank,
                 r.element_size);
}

} // namespace cudax::runtime
