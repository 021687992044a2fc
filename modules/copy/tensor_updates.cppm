// SPDX-License-Identifier: Apache-2.0
//
// tensor_updates: a kernel makes the map of another tensor from a template.  PTX ISA, "tensormap.replace",
// "tensormap.cp_fenceproxy"
//
// What is known at run time only, the address, the extents and the strides, can be replaced in a map of tiles. The
// rest, of which the tile depends, is in the type and stays. The way that the hardware makes fast:
//
//   1. One thread assigns a template, a kernel's parameter, to a variable in shared memory, and replaces fields there.
//   2. Its warp publishes the variable: it copies the map to global memory, where copies can use it.
//   3. A thread that has synchronized with a thread of the warp calls fence_tensor_map_acquire, and copies.
//
// Proxies. Replacements are weak writes of the whole map by the generic proxy, as an assignment is, and the publication
// reads and writes by the generic proxy, too. So between 1 and 2 there is no proxy fence, only a synchronization of the
// warp's lanes. Copies read the map by the tensormap proxy: the publication is the release of that proxy and
// fence_tensor_map_acquire its acquire. A map in global memory may also be changed in place; then
// fence_tensor_map_release is the release.
//
// Alignment. PTX ISA names none for these instructions. Their type is .b1024, and its examples align maps to 128 bytes;
// an H100 accepts 64, which is what copies need. The functions require 128.
module;
#include "../base/macros.hpp"
export module cudax.sync:tensor_updates;
import :bits;
import :device_barrier;
import :device_copy;
import :device_group;
import :machine;
import :scope;
import :tensor_map;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::copy_detail {
using namespace machine;

template <class Map>
concept any_tensor_map = __is_same(typename Map::tile::tensor_map_type, Map);

/// 16 bytes of a map.
typedef u64 __attribute__((vector_size(16), may_alias)) map_part;

/// What the address of a tensor and its strides are multiples of.
template <class Map>
inline constexpr unsigned unit_of_addresses =
    Map::box::is_interleaved && Map::box::extents[0] * sizeof(typename Map::value_type) == 32 ? 32 : 16;

inline void ensure_map_on_device() noexcept {
  if constexpr (!traits::has_grid)
    stop("cudax.sync: replace_tensor_map_..., publish_tensor_map: the host makes maps by make_tensor_map; call these "
         "from a device\n",
         0);
}

/// tensormap.replace has no form for mode im2col.
template <class Map>
void ensure_replaceable([[maybe_unused]] Map& map) noexcept {
  static_assert(!Map::box::is_im2col, "cudax.sync: replace_tensor_map_...: this is the map of an im2col_box, whose "
                                      "fields cannot be replaced; make all maps on the host");
  ensure_map_on_device();
  CUDAX_ENSURE(
      !gpu::is_local(&map),
      "replace_tensor_map_...: the map is in local memory, at %llx; copy it to a variable in shared memory, and "
      "change that one",
      (long long)checked_address(&map));
  CUDAX_ENSURE(checked_address(&map) % 128 == 0,
               "replace_tensor_map_...: the map is at %llx, which is no multiple of 128; declare it alignas(128)",
               (long long)checked_address(&map));
}

/// An H100 makes no copies by maps of larger extents, the driver's included: 2^32 - 1 ended the kernel with an illegal
/// instruction.
template <class Map>
void replace_extent(Map& map, unsigned dimension, long long extent) noexcept {
  CUDAX_ENSURE(extent >= 1 && extent <= 1ll << 31,
               "replace_tensor_map_extent: an extent is %lld, not 1 to 2^31; begin no copy of an empty tensor", extent);
  gpu::tensor_copy::replace_extent(&map, dimension, u32(extent));
}

template <class Map>
void replace_stride(Map& map, unsigned dimension, long long stride) noexcept {
  CUDAX_ENSURE(
      stride > 0 && stride < 1ll << 40 && stride % unit_of_addresses<Map> == 0,
      "replace_tensor_map_stride: a stride is %lld bytes, which is no multiple of 16 from 16 to below 2^40, or "
      "of 32 with slices of 32 bytes; also without padding the stride must be given",
      stride);
  gpu::tensor_copy::replace_stride(&map, dimension, u64(stride));
}

} // namespace cudax::copy_detail

export namespace cudax::device {

/// Assigns a map to another one. The same as `to = from`, which clang 22 compiles to a loop that copies bytes: from a
/// parameter to shared memory that took 584 ns on an H100, and this function 89 ns.
/// Source:   extension
/// Order:    plain accesses, as of an assignment
/// Requires: `from` may be a kernel's parameter, `to` as for an assignment
/// Example:
///     using tiles = cudax::tensor_map<float, cudax::tensor_box<64, 16>>;
///     __global__ void begin(tiles const __grid_constant__ like) { // a template
///       __shared__ alignas(128) tiles map;
///       if (threadIdx.x == 0) cudax::device::assign_tensor_map(map, like);
///     }
template <copy_detail::any_tensor_map Map>
void assign_tensor_map(Map& to, Map const& from) noexcept {
  // No loop, since the compiler would make the loop of bytes of it.
  using part = copy_detail::map_part;
  static_assert(sizeof(Map) == 8 * sizeof(part) && alignof(Map) >= alignof(part));
  auto const* const f = reinterpret_cast<part const*>(&from);
  part const parts[] = {f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7]};
  auto* const t = reinterpret_cast<part*>(&to);
  t[0] = parts[0], t[1] = parts[1], t[2] = parts[2], t[3] = parts[3];
  t[4] = parts[4], t[5] = parts[5], t[6] = parts[6], t[7] = parts[7];
}

/// Replaces the address of the tensor in a map.
/// Source:   extension; PTX ISA, tensormap.replace; libcu++, cuda::ptx::tensormap_replace_global_address
/// Order:    as an assignment to the map, a plain write. Copies that use the map need a publication after it
///           (publish_tensor_map), or, of a map in global memory, fences (fence_tensor_map_release)
/// Requires: an SM with a letter, sm_90a or later; `map` is in shared memory, or in global memory, where it takes
///           longer, and a multiple of 128: a variable needs alignas(128). It has been assigned another map of its
///           type. `tensor` is a multiple of 16 in global memory, or of 32 with slices of 32 bytes. No other thread
///           accesses the map, and no copy that uses it is in progress. The mode is not im2col
/// Errors:   for an SM without a letter the program does not link: the name of the symbol that is missing says so.
///           Sources that are compiled for other SMs, too, call it under #if defined(__CUDA_ARCH_FEAT_SM90_ALL).
///           Checked builds stop at other addresses, and at a map in local memory. Nothing checks that the tensor is in
///           memory that the map's extents and strides stay in: a copy that leaves it ends the kernel, or copies other
///           data
/// Example:
///     using tiles = cudax::tensor_map<float, cudax::tensor_box<64, 16>>;
///     __device__ void describe(tiles& to, tiles const& like, float* part, int rows) { // the first warp, sm_90a
///       __shared__ alignas(128) tiles map;
///       if (threadIdx.x == 0) cudax::device::assign_tensor_map(map, like);
///       if (threadIdx.x == 0) cudax::device::replace_tensor_map_address(map, part);
///       if (threadIdx.x == 0) cudax::device::replace_tensor_map_extent<1>(map, rows);
///       cudax::device::publish_tensor_map(to, map);
///     } // a thread that has synchronized with the warp calls fence_tensor_map_acquire(to), and copies
template <copy_detail::any_tensor_map Map>
void replace_tensor_map_address(Map& map, typename Map::value_type const* tensor) noexcept {
  copy_detail::ensure_replaceable(map);
  CUDAX_ENSURE(u64(tensor) % copy_detail::unit_of_addresses<Map> == 0 && tensor,
               "replace_tensor_map_address: the address of the tensor is %llx, which is null or no multiple of 16, or "
               "of 32 with slices of 32 bytes",
               (long long)u64(tensor));
  machine::gpu::tensor_copy::replace_address(&map, tensor);
}

/// Replace the extents of the tensor in a map: all, or that of one dimension, where 0 is the innermost. Each extent is
/// one instruction.
/// Source:   extension; PTX ISA, tensormap.replace; libcu++, cuda::ptx::tensormap_replace_global_dim
/// Order:    as replace_tensor_map_address
/// Units:    elements, the innermost dimension first
/// Requires: as replace_tensor_map_address, of the map; each extent is 1 to 2^31. The strides do not change: other
///           extents need other strides where they leave less padding, or none was used because the extent was 1
/// Errors:   as replace_tensor_map_address, of the map. Checked builds stop at other extents. A dimension that the map
///           has not, and another number of extents, do not compile
template <copy_detail::any_tensor_map Map>
void replace_tensor_map_extents(Map& map, tensor_extents<Map::rank> extents) noexcept {
  copy_detail::ensure_replaceable(map);
  for (unsigned d = 0; d < Map::rank; ++d) copy_detail::replace_extent(map, d, extents.at[d]);
}
template <unsigned Dimension, copy_detail::any_tensor_map Map>
void replace_tensor_map_extent(Map& map, long long extent) noexcept {
  static_assert(Dimension < Map::rank, "cudax.sync: replace_tensor_map_extent<Dimension>: the map has not so many "
                                       "dimensions; 0 is the innermost one");
  copy_detail::ensure_replaceable(map);
  copy_detail::replace_extent(map, Dimension, extent);
}

/// Replace the strides of the tensor in a map: all, or that of one dimension, 1 or more, to whose next element it
/// leads. Each stride is one instruction.
/// Source:   extension; PTX ISA, tensormap.replace; libcu++, cuda::ptx::tensormap_replace_global_stride
/// Order:    as replace_tensor_map_address
/// Units:    bytes; all strides in the order of make_tensor_map, from dimension 1 on
/// Requires: as replace_tensor_map_address, of the map; each stride is a multiple of 16, or of 32 with slices of 32
///           bytes, above 0 and below 2^40, and steps over the dimensions of smaller strides, unless the tensor is only
///           read. Unlike in make_tensor_map, 0 does not mean that there is no padding: the map does not know the
///           extents that a thread replaces later
/// Errors:   as replace_tensor_map_address, of the map. Checked builds stop at other strides. A dimension that has no
///           stride, and another number of strides, do not compile
/// Example:
///     using tiles = cudax::tensor_map<float, cudax::tensor_box<64, 16>>;
///     __device__ void resize(tiles& map, int columns, int rows) { // one thread, `map` in shared memory
///       cudax::device::replace_tensor_map_extents(map, {columns, rows});
///       cudax::device::replace_tensor_map_strides(map, {columns * 4}); // columns % 4 == 0
///     }
template <copy_detail::any_tensor_map Map>
void replace_tensor_map_strides(Map& map, tensor_strides<Map::rank> strides) noexcept {
  static_assert(Map::rank > 1, "cudax.sync: replace_tensor_map_strides: a tensor of one dimension has no stride");
  copy_detail::ensure_replaceable(map);
  for (unsigned d = 0; d + 1 < Map::rank; ++d) copy_detail::replace_stride(map, d, strides.at[d]);
}
template <unsigned Dimension, copy_detail::any_tensor_map Map>
void replace_tensor_map_stride(Map& map, long long stride) noexcept {
  static_assert(
      Dimension >= 1 && Dimension < Map::rank,
      "cudax.sync: replace_tensor_map_stride<Dimension>: the innermost dimension, 0, has no stride, and the map "
      "has not more dimensions than its rank");
  copy_detail::ensure_replaceable(map);
  copy_detail::replace_stride(map, Dimension - 1, stride); // PTX counts strides from 0
}

/// Copies a map from shared to global memory, and releases it for copies. All lanes of a warp call together.
/// Source:   extension; PTX ISA, tensormap.cp_fenceproxy; libcu++, cuda::ptx::tensormap_cp_fenceproxy
/// Order:    what the lanes did to `from` before the call is in the copy; after the call a lane may change `from` again.
///           The copy is ordered before the uses of `to` by copies of tensors that a thread begins after
///           fence_tensor_map_acquire(to), if it has synchronized with any lane of the warp after the call, or is one.
///           `Scope` includes both threads. As with fence_tensor_map_release, the call itself does not synchronize with
///           other warps
/// Requires: sm_90; all lanes of the warp that have not exited call with the same arguments; `from` is in the block's
///           shared memory, `to` in global memory, both are multiples of 128: a variable needs alignas(128), an array
///           from cudaMalloc has it. No copy that uses the old map in `to` is in progress
/// Errors:   checked builds stop at other places
/// Example:
///     using tiles = cudax::tensor_map<float, cudax::tensor_box<64, 16>>;
///     using flag = cudax::atomic<int, cudax::thread_scope_device>;
///     __device__ void hand_over(tiles& to, tiles const& map, flag& ready) { // a warp, `map` in shared memory
///       cudax::device::publish_tensor_map(to, map);
///       if (cudax::this_warp.elect()) ready.store(1, cudax::memory_order_release);
///     } // a thread that has loaded 1 with acquire calls fence_tensor_map_acquire(to), and copies
template <thread_scope Scope = thread_scope_device, copy_detail::any_tensor_map Map>
void publish_tensor_map(Map& to, Map const& from) noexcept {
  CUDAX_ENSURE_SCOPE(Scope, "publish_tensor_map<Scope>");
  copy_detail::ensure_map_on_device();
  CUDAX_ENSURE(machine::gpu::is_shared(&from) && machine::checked_address(&from) % 128 == 0,
               "publish_tensor_map: the map is at %llx, which is no multiple of 128 in this block's shared memory; "
               "declare a variable __shared__ alignas(128)",
               (long long)machine::checked_address(&from));
  CUDAX_ENSURE(
      machine::gpu::is_global(&to) && machine::checked_address(&to) % 128 == 0,
      "publish_tensor_map: the target is at %llx, which is no multiple of 128 in global memory; allocate it by "
      "CUDA, or declare it alignas(128)",
      (long long)machine::checked_address(&to));
  // The instruction waits for all lanes, but PTX does not say that it orders their accesses. The first meeting orders
  // the lane's writes of `from` before the copy, whichever lane performs it.
  machine::gpu::sync_warp(~0u); // does not wait for lanes that do not exist or have exited
  machine::gpu::tensor_copy::publish_map(&to, &from, int(Scope));
  // The second meeting orders the copy before the next change of `from`, and before what any lane does to synchronize
  // with the thread that acquires.
  machine::gpu::sync_warp(~0u);
}

} // namespace cudax::device

CUDAX_EVERYWHERE_END
