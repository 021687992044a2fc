// SPDX-License-Identifier: Apache-2.0
//
// aligned_size: a number of bytes that promises an alignment, and one of which a source has only the first.
module;
#include "../base/macros.hpp"
export module cudax.sync:aligned_size;
import :bits;
import :machine;

CUDAX_EVERYWHERE_BEGIN

export namespace cudax {

/// A size in bytes, and the promise that the size and both addresses of the copy are multiples of Alignment.
/// Source:   libcu++, aligned_size_t
/// Requires: Alignment is a power of two; the size is a multiple of Alignment
/// Example:
///     __global__ void load(float* to, float const* from, cudax::barrier<cudax::thread_scope_device>* ready) {
///       cudax::aligned_size_t<16> const size(1024); // both addresses are multiples of 16, too
///       if (threadIdx.x == 0) cudax::memcpy_async(to, from, size, *ready);
///       ready->arrive_and_wait();
///     }
template <size_t Alignment>
struct aligned_size_t {
  static_assert(Alignment != 0 && (Alignment & (Alignment - 1)) == 0,
                "cudax.sync: aligned_size_t<Alignment>: the alignment is no power of two");

  static constexpr size_t align = Alignment;
  size_t value;

  constexpr explicit aligned_size_t(size_t size) noexcept
      CUDAX_REFUSE(size % Alignment != 0, "aligned_size_t: the size is no multiple of the alignment")
    : value(size) {
    if (!__builtin_is_constant_evaluated())
      CUDAX_ENSURE(size % Alignment == 0, "aligned_size_t: the size %lld is no multiple of the alignment", size);
  }
  constexpr operator size_t() const noexcept { return value; }
};

/// A size of which the source has the first `valid` bytes: memcpy_async copies them and writes zeros to the others, as
/// tiles at the edge of a matrix need. Promises the same as aligned_size_t<Alignment>. To shared memory all of it is
/// asynchronous, zeros included (cp.async); the copy is never a bulk copy.
/// Source:   extension; CUDA, __pipeline_memcpy_async with zfill; PTX ISA, cp.async, src-size
/// Requires: Alignment is a power of two, 4 or more; `size` is a multiple of Alignment; `valid` is not more than `size`,
///           and need not be a multiple. No byte of the source after the first `valid` is read, so these may be in no
///           object
/// Errors:   a constant `size` that is no multiple, or less than `valid`, is rejected; checked builds stop at others
/// Example:
///     __device__ void load(float* tile, float const* row, int valid, cudax::pipeline<cudax::thread_scope_thread>& p) {
///       cudax::zero_filled_size_t<16> const size(16, valid * sizeof(float)); // 0 to 4 floats are in the matrix
///       cudax::memcpy_async(tile, row, size, p);
///     }
template <size_t Alignment>
struct zero_filled_size_t { // no aligned_size_t, as which bulk copies would take it
  static_assert(Alignment >= 4, "cudax.sync: zero_filled_size_t<Alignment>: the alignment is 4 or more");

  static constexpr size_t align = Alignment;
  size_t value;
  size_t valid;

  constexpr zero_filled_size_t(size_t size, size_t of_source) noexcept
      CUDAX_REFUSE(size % Alignment != 0, "zero_filled_size_t: the size is no multiple of the alignment")
          CUDAX_REFUSE(of_source > size, "zero_filled_size_t: more bytes are valid than are copied")
    : value(aligned_size_t<Alignment>(size)), valid(of_source) {
    if (!__builtin_is_constant_evaluated())
      CUDAX_ENSURE(of_source <= size, "zero_filled_size_t: %lld bytes are valid, more than are copied", of_source);
  }
  constexpr operator size_t() const noexcept { return value; }
};

} // namespace cudax

namespace cudax::copy_detail {
using namespace machine;

/// The alignment in bytes that a size of type Size promises.
template <class Size>
inline constexpr size_t promised_alignment = 1;
template <size_t Alignment>
inline constexpr size_t promised_alignment<aligned_size_t<Alignment>> = Alignment;
template <size_t Alignment>
inline constexpr size_t promised_alignment<zero_filled_size_t<Alignment>> = Alignment;

/// The types that memcpy_async takes as a size.
template <class Size>
concept copy_size = __is_integral(Size) || promised_alignment<Size> != 1 || same_as<Size, aligned_size_t<1>>;

} // namespace cudax::copy_detail

CUDAX_EVERYWHERE_END
