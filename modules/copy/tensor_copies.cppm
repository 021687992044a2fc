// SPDX-License-Identifier: Apache-2.0
//
// tensor_copies: bulk copies of tiles of a tensor, which one thread begins.  PTX ISA, "cp.async.bulk.tensor",
// "cp.reduce.async.bulk.tensor", "cp.async.bulk.prefetch.tensor", "fence.proxy.tensormap"
//
//   copy_tensor_async_tx            global to own shared memory           -> bytes at the own barrier
//   copy_tensor_async_tx_multicast  global to the shared memory of blocks -> bytes at the barrier of each of them
//   copy_tensor_async_bulk          own shared to global memory           -> the thread's bulk groups
//   reduce_tensor_async_bulk        own shared into global memory         -> the thread's bulk groups
//   prefetch_tensor_bulk            global memory into L2                 -> nothing to wait for
//
// They are counterparts of the copies of bulk_copies.cppm, whose bulk_commit and bulk_wait they share. A tile that
// reaches beyond the tensor still completes all its bytes: elements outside are filled in shared memory, and left out
// in global memory, except in the 16 bytes in which a row ends.
//
// In mode im2col (im2col_box) the functions have the same names, and those that read also take offsets. Copies of
// interleaved tensors (interleaved_box) are the same instructions.
//
// Proxies. The copies access the tensor and the tile through the asynchronous proxy, and their barrier through the
// generic proxy, as bulk copies do (bulk_copies.cppm). So each call executes the same fences, unless the caller
// promises proxy_fenced:
//
//   copy_tensor_async_tx            .global for the tensor, .shared::cta for the tile
//   copy_tensor_async_tx_multicast  .global for the tensor, .shared::cluster for the tiles: not all are in this block
//   copy_tensor_async_bulk, reduce_tensor_async_bulk
//                                   .shared::cta for the tile, .global for the tensor; a reduction also reads there
//   prefetch_tensor_bulk            none: it neither gives a value nor changes one
//
// The map is read through a third proxy, tensormap. A kernel's parameters and constant memory are not written while the
// kernel runs, and the start of a kernel orders what the host and earlier kernels wrote, so only a map in global memory
// that a thread of the same kernel has written needs fences: see fence_tensor_map_acquire.
module;
#include "../base/macros.hpp"
export module cudax.sync:tensor_copies;
import :async_stores;
import :barrier;
import :barrier_native;
import :bits;
import :bulk_copies;
import :cache_policy;
import :copy_ways;
import :device_barrier;
import :device_copy;
import :machine;
import :proxy_fence;
import :scope;
import :tensor_map;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::copy_detail {
using namespace machine;

/// The tile at the coordinates. Those beyond the rank are zero, and fold away. No loop: -O1 does not unroll one before
/// the device link asks for the rank, which a store to a variable element may change. The switch by rank would then
/// remain.
template <class Map>
gpu::tile tile_of(Map const& map, tensor_coordinates<Map::rank> const& at) noexcept {
  gpu::tile tile;
  tile.map = &map;
  tile.rank = Map::rank;
  tile.at[0] = at.at[0];
  if constexpr (Map::rank > 1) tile.at[1] = at.at[1];
  if constexpr (Map::rank > 2) tile.at[2] = at.at[2];
  if constexpr (Map::rank > 3) tile.at[3] = at.at[3];
  if constexpr (Map::rank > 4) tile.at[4] = at.at[4];
  return tile;
}

/// Whether the hardware has the reduction for elements of the type: on an H100, every other combination ends the kernel
/// with an illegal instruction.
constexpr bool can_reduce(device::reduction how, tensor_type type) noexcept {
  using enum tensor_type;
  bool const modular = type == u32 || type == s32 || type == u64, sixteen = type == f16 || type == bf16;
  switch (how) {
  case device::reduction::add: return modular || sixteen || type == f32 || type == f64;
  case device::reduction::min:
  case device::reduction::max: return modular || sixteen || type == s64;
  case device::reduction::inc:
  case device::reduction::dec: return type == u32;
  default: return modular;
  }
}

/// Checks what the hardware requires of the map and of coordinates; otherwise it ends the kernel with an illegal
/// instruction. (PTX ISA does not say so of coordinates; measured on an H100. The CUDA Programming Guide says that no
/// index may be negative where a tile is written.) A parameter that is not __grid_constant__ is copied to local memory
/// when its address is taken.
template <class Map>
void ensure_map([[maybe_unused]] Map const& map, [[maybe_unused]] tensor_coordinates<Map::rank> const& at,
                [[maybe_unused]] bool writes) noexcept {
  ensure_on_device();
  CUDAX_ENSURE(
      Map::box::is_interleaved || (long long)at.at[0] * (long long)sizeof(typename Map::value_type) % 16 == 0,
      "copies of tensors: the innermost coordinate is %lld, which is no multiple of 16 bytes; begin at a lower "
      "one, and use a larger tile",
      (long long)at.at[0]);
  for (unsigned i = 0; i < Map::rank; ++i)
    CUDAX_ENSURE(!writes || at.at[i] >= 0,
                 "copies of tensors: a coordinate is %lld where the tensor is written; only tiles that are read may "
                 "begin before the tensor",
                 (long long)at.at[i]);
  CUDAX_ENSURE(!gpu::is_local(&map),
               "copies of tensors: the map is in local memory, at %llx; declare the kernel's parameter as const "
               "__grid_constant__, and pass it on by reference",
               (long long)checked_address(&map));
}

/// The options of a copy of a tile.
template <class Box, class... Option>
gpu::copy_options tile_options(Option... option) noexcept {
  gpu::copy_options options = options_of(option...);
  if constexpr (Box::is_im2col) options.which |= abi::copy_im2col;
  return options;
}

/// The same with the offsets of pixels. A GPU ignores their upper bits, so larger ones would name other pixels.
template <class Box, class... Option>
gpu::copy_options tile_options(im2col_offsets<Box::rank> const& given, Option... option) noexcept {
  constexpr int limit = 1 << (Box::rank == 3 ? 16 : Box::rank == 4 ? 8 : 5);
  gpu::copy_options options = tile_options<Box>(option...);
  for (unsigned i = 0; i + 2 < Box::rank; ++i)
    CUDAX_ENSURE(given.at[i] >= 0 && given.at[i] < limit,
                 "copies of tensors: an offset is %lld, which is negative or too large for this rank; begin at "
                 "another pixel",
                 (long long)given.at[i]);
  options.offsets[0] = u16(given.at[0]); // no loop, as in tile_of
  if constexpr (Box::rank > 3) options.offsets[1] = u16(given.at[1]);
  if constexpr (Box::rank > 4) options.offsets[2] = u16(given.at[2]);
  return options;
}

template <class Box>
constexpr void require_offsets() noexcept {
  static_assert(!Box::is_im2col,
                "cudax.sync: copies of tensors: a copy of an im2col_box needs the offsets of its pixels "
                "after the coordinates; {0, 0} for none");
}

template <tensor_swizzle Swizzle>
constexpr void require_writable() noexcept {
  static_assert(Swizzle != tensor_swizzle::bytes_128_atoms_32_flip_8,
                "cudax.sync: copies of tensors: the hardware has the swizzle bytes_128_atoms_32_flip_8 only where it "
                "reads the tensor; write it by another map, with the swizzle bytes_128_atoms_32 or none");
}

template <class Map>
void ensure_tile([[maybe_unused]] void const* tile) noexcept {
  ensure_on_device();
  CUDAX_ENSURE(gpu::is_shared(tile), "copies of tensors: the tile is not in this block's shared memory, but at %llx",
               (long long)checked_address(tile));
  CUDAX_ENSURE(checked_address(tile) % Map::alignment == 0,
               "copies of tensors: the tile is no multiple of %lld, the alignment of its tensor_map; use "
               "tensor_map::tile",
               (long long)Map::alignment);
}

} // namespace cudax::copy_detail

export namespace cudax::device {

/// Begins a copy of a tile from global to shared memory. The copy completes the bytes of the tile, Map::tile_bytes, at
/// the barrier's current phase. `at` has the coordinates of the tile's first element. Elements of the tile that are
/// outside of the tensor become zero, or NaN if the map was made so.
/// Source:   extension; PTX ISA, cp.async.bulk.tensor
/// Order:    the copy reads and writes as if the caller did so at the call: a proxy fence precedes the copy, unless the
///           last arguments include proxy_fenced. A thread that has waited for the phase sees the complete tile
/// Units:    coordinates in elements, the innermost dimension first
/// Requires: sm_90; `to` is in the block's shared memory, a multiple of Map::alignment; the innermost coordinate is a
///           multiple of 16 bytes, and may be negative, as the others; with proxy_fenced, what it promises; the phase
///           expects tile_bytes: barrier_expect_tx or barrier_arrive_tx is called before this function, or after it but
///           before the phase ends. A last argument may also be an l2_policy, for the tensor
/// Errors:   checked builds stop at other memory, misaligned tiles, other coordinates and a map in local memory, as a
///           parameter without __grid_constant__ is; in other builds the kernel ends with an error
/// Example:
///     using tiles = cudax::tensor_map<float, cudax::tensor_box<64, 16>>;
///     using block_barrier = cudax::barrier<cudax::thread_scope_block>;
///     __device__ void load(tiles::tile& t, tiles const& map, int x, int y, block_barrier& b) {
///       if (threadIdx.x != 0) return b.arrive_and_wait();
///       cudax::device::copy_tensor_async_tx(t, map, {x, y}, b);
///       b.wait(cudax::device::barrier_arrive_tx(b, 1, tiles::tile_bytes));
///     }
template <class T, class Box, tensor_swizzle Swizzle, class... Option>
  requires copy_detail::valid_copy_options<Option...>
void copy_tensor_async_tx(typename tensor_map<T, Box, Swizzle>::tile_target to, tensor_map<T, Box, Swizzle> const& map,
                          tensor_coordinates<Box::rank> at, barrier<thread_scope_block>& barrier,
                          Option... option) noexcept {
  copy_detail::require_offsets<Box>();
  copy_detail::ensure_tile<tensor_map<T, Box, Swizzle>>(to.at);
  copy_detail::ensure_map(map, at, false);
  void* const mbarrier = copy_detail::ensure_hardware(barrier);
  if constexpr (!(copy_detail::promises_fence<Option> || ...)) machine::gpu::bulk_copy::fence();
  machine::gpu::tensor_copy::to_shared(to.at, copy_detail::tile_of(map, at), mbarrier,
                                       copy_detail::tile_options<Box>(option...));
}

/// As above, in mode im2col (im2col_box): each pixel of the tile is read at the offsets from its place, as the filter
/// element of a convolution requires. Elements that are outside of the tensor are filled as above.
/// Source:   extension; PTX ISA, cp.async.bulk.tensor, .im2col
/// Requires: as above; the coordinates of pixels are in the box of pixels of the map, on which the pixels of the tile
///           go on; the offsets are not negative and, for tensors of 3, 4 and 5 dimensions, less than 2^16, 2^8 and 2^5
/// Errors:   checked builds stop as above, and at other offsets; a first pixel that is not in the box ends the kernel
///           with an error
/// Example:
///     using columns = cudax::tensor_map<float, cudax::im2col_box<4, 32, 64>>;
///     using block_barrier = cudax::barrier<cudax::thread_scope_block>;
///     __device__ void load(columns::tile& t, columns const& map, int x, int y, int dx, int dy, block_barrier& b) {
///       if (threadIdx.x != 0) return b.arrive_and_wait();
///       cudax::device::copy_tensor_async_tx(t, map, {0, x, y, 0}, {dx, dy}, b); // from channel 0 of image 0
///       b.wait(cudax::device::barrier_arrive_tx(b, 1, columns::tile_bytes));
///     }
template <class T, class Box, tensor_swizzle Swizzle, class... Option>
  requires(Box::is_im2col && copy_detail::valid_copy_options<Option...>)
void copy_tensor_async_tx(typename tensor_map<T, Box, Swizzle>::tile_target to, tensor_map<T, Box, Swizzle> const& map,
                          tensor_coordinates<Box::rank> at, im2col_offsets<Box::rank> offsets,
                          barrier<thread_scope_block>& barrier, Option... option) noexcept {
  copy_detail::ensure_tile<tensor_map<T, Box, Swizzle>>(to.at);
  copy_detail::ensure_map(map, at, false);
  void* const mbarrier = copy_detail::ensure_hardware(barrier);
  if constexpr (!(copy_detail::promises_fence<Option> || ...)) machine::gpu::bulk_copy::fence();
  machine::gpu::tensor_copy::to_shared(to.at, copy_detail::tile_of(map, at), mbarrier,
                                       copy_detail::tile_options<Box>(offsets, option...));
}

/// Begins one copy of a tile from global memory to the shared memory of several blocks of the cluster: bit i of
/// `blocks` stands for the block of rank i. In each of them, the tile goes to the place that `to` has in the caller's
/// block, and completes its bytes at the current phase of the barrier at the place of `barrier`. The caller's block
/// takes part if its bit is set.
/// Source:   extension; PTX ISA, cp.async.bulk.tensor, .multicast::cluster
/// Order:    as copy_tensor_async_tx, for threads of these blocks that have waited for the phase by
///           barrier_wait_cluster, or a function like it
/// Units:    as copy_tensor_async_tx
/// Requires: as copy_tensor_async_tx, in each of the blocks; the blocks of the mask exist, have not ended, and have
///           published their barriers (fence_barrier_init). PTX advises to compile for sm_90a, sm_100a and so on: on
///           other targets the instruction may be much slower
/// Errors:   checked builds stop at other memory, misaligned tiles, other coordinates, a map in local memory and
///           a mask without blocks
/// Example:
///     using tiles = cudax::tensor_map<float, cudax::tensor_box<64, 16>>;
///     __device__ void load(tiles::tile& t, tiles const& map, cudax::barrier<cudax::thread_scope_block>& b, int rank) {
///       auto token = cudax::device::barrier_arrive_tx(b, 1, tiles::tile_bytes); // a thread of each of two blocks
///       if (rank == 0) cudax::device::copy_tensor_async_tx_multicast(t, map, {0, 0}, b, 0b11);
///       cudax::device::barrier_wait_cluster(b, std::move(token));
///     }
template <class T, class Box, tensor_swizzle Swizzle, class... Option>
  requires copy_detail::valid_copy_options<Option...>
void copy_tensor_async_tx_multicast(typename tensor_map<T, Box, Swizzle>::tile_target to,
                                    tensor_map<T, Box, Swizzle> const& map, tensor_coordinates<Box::rank> at,
                                    barrier<thread_scope_block>& barrier, unsigned blocks, Option... option) noexcept
    CUDAX_REFUSE(blocks == 0 || blocks > 0xffff,
                 "copy_tensor_async_tx_multicast: the mask names no block, or one of rank 16 or more") {
  copy_detail::require_offsets<Box>();
  copy_detail::ensure_on_device();
  CUDAX_ENSURE(blocks != 0 && blocks <= 0xffff,
               "copy_tensor_async_tx_multicast: the mask %llx names no block, or one of rank 16 or more",
               (long long)blocks);
  copy_detail::ensure_tile<tensor_map<T, Box, Swizzle>>(to.at);
  copy_detail::ensure_map(map, at, false);
  void* const mbarrier = copy_detail::ensure_hardware(barrier);
  if constexpr (!(copy_detail::promises_fence<Option> || ...)) {
    machine::gpu::bulk_copy::fence_global();
    machine::gpu::bulk_copy::fence_cluster();
  }
  machine::gpu::tensor_copy::multicast(to.at, copy_detail::tile_of(map, at), mbarrier, blocks,
                                       copy_detail::tile_options<Box>(option...));
}

/// As above, in mode im2col: as copy_tensor_async_tx with offsets otherwise.
/// Source:   extension; PTX ISA, cp.async.bulk.tensor, .im2col, .multicast::cluster
template <class T, class Box, tensor_swizzle Swizzle, class... Option>
  requires(Box::is_im2col && copy_detail::valid_copy_options<Option...>)
void copy_tensor_async_tx_multicast(typename tensor_map<T, Box, Swizzle>::tile_target to,
                                    tensor_map<T, Box, Swizzle> const& map, tensor_coordinates<Box::rank> at,
                                    im2col_offsets<Box::rank> offsets, barrier<thread_scope_block>& barrier,
                                    unsigned blocks, Option... option) noexcept
    CUDAX_REFUSE(blocks == 0 || blocks > 0xffff,
                 "copy_tensor_async_tx_multicast: the mask names no block, or one of rank 16 or more") {
  copy_detail::ensure_on_device();
  CUDAX_ENSURE(blocks != 0 && blocks <= 0xffff,
               "copy_tensor_async_tx_multicast: the mask %llx names no block, or one of rank 16 or more",
               (long long)blocks);
  copy_detail::ensure_tile<tensor_map<T, Box, Swizzle>>(to.at);
  copy_detail::ensure_map(map, at, false);
  void* const mbarrier = copy_detail::ensure_hardware(barrier);
  if constexpr (!(copy_detail::promises_fence<Option> || ...)) {
    machine::gpu::bulk_copy::fence_global();
    machine::gpu::bulk_copy::fence_cluster();
  }
  machine::gpu::tensor_copy::multicast(to.at, copy_detail::tile_of(map, at), mbarrier, blocks,
                                       copy_detail::tile_options<Box>(offsets, option...));
}

/// Begins a copy of a tile from shared to global memory. It belongs to the caller's current bulk group (bulk_commit,
/// bulk_wait, bulk_wait_read). Elements of the tile that are outside of the tensor are not written, with one exception:
/// the hardware writes units of 16 bytes, so where a row of the tensor does not end at a multiple of 16 bytes, it
/// writes what the tile has there into the padding of the row, or after the last row (seen on an H100).
/// Source:   extension; PTX ISA, cp.async.bulk.tensor
/// Order:    the copy reads and writes as if the caller did so at the call: a proxy fence precedes the copy, unless the
///           last arguments include proxy_fenced. After bulk_wait the caller sees the complete copy; other threads see
///           it after they have synchronized with the caller
/// Units:    coordinates in elements, the innermost dimension first
/// Requires: sm_90; `from` is in the block's shared memory, a multiple of Map::alignment; the innermost coordinate is a
///           multiple of 16 bytes, and no coordinate is negative; with proxy_fenced, what it promises; no thread writes
///           the tile before bulk_wait_read returns, and none accesses the target before bulk_wait returns; a thread
///           calls bulk_wait_read before its block ends. A last argument may also be an l2_policy, for the tensor. In
///           mode im2col, the first pixel is in the map's box of pixels, and the box is within the tensor: its lower
///           corners are not negative, and its upper corners not positive (seen on an H100). The swizzle is not
///           bytes_128_atoms_32_flip_8
/// Errors:   checked builds stop at other memory, misaligned tiles, other coordinates and a map in local memory, as a
///           parameter without __grid_constant__ is; in other builds the kernel ends with an error
/// Example:
///     using tiles = cudax::tensor_map<float, cudax::tensor_box<64, 16>>;
///     __device__ void flush(tiles const& map, int x, int y, tiles::tile const& t) {
///       cudax::this_block.sync(); // all threads have written their part
///       if (threadIdx.x != 0) return;
///       cudax::device::copy_tensor_async_bulk(map, {x, y}, t);
///       cudax::device::bulk_commit();
///       cudax::device::bulk_wait_read<0>(); // the tile has been read, and may be written again
///     }
template <class T, class Box, tensor_swizzle Swizzle, class... Option>
  requires copy_detail::valid_copy_options<Option...>
void copy_tensor_async_bulk(tensor_map<T, Box, Swizzle> const& map, tensor_coordinates<Box::rank> at,
                            typename tensor_map<T, Box, Swizzle>::tile_source from, Option... option) noexcept {
  copy_detail::require_writable<Swizzle>();
  copy_detail::ensure_tile<tensor_map<T, Box, Swizzle>>(from.at);
  copy_detail::ensure_map(map, at, true);
  if constexpr (!(copy_detail::promises_fence<Option> || ...)) machine::gpu::bulk_copy::fence();
  machine::gpu::tensor_copy::to_global(copy_detail::tile_of(map, at), from.at,
                                       copy_detail::tile_options<Box>(option...));
}

/// Begins a reduction of a tile in shared memory into global memory: each element of the tensor becomes the result of
/// the operation on it and the tile's element. As copy_tensor_async_bulk otherwise.
/// Source:   extension; PTX ISA, cp.reduce.async.bulk.tensor
/// Order:    as copy_tensor_async_bulk. Each element is modified by one relaxed atomic operation of device scope, so
///           several blocks may reduce into the same elements
/// Units:    as copy_tensor_async_bulk
/// Requires: as copy_tensor_async_bulk. add: u32, s32, u64, f16, bf16, f32, f64; min and max: u32, s32, u64, s64, f16,
///           bf16; inc and dec: u32; bit_and, bit_or, bit_xor: u32, s32, u64
/// Errors:   checked builds stop at other memory, misaligned tiles, other coordinates and a map in local memory, as a
///           parameter without __grid_constant__ is; in other builds the kernel ends with an error
/// Example:
///     using tiles = cudax::tensor_map<float, cudax::tensor_box<64, 16>>;
///     __device__ void add(tiles const& map, int x, int y, tiles::tile const& part) { // one thread; `part` is complete
///       cudax::device::reduce_tensor_async_bulk<cudax::device::reduction::add>(map, {x, y}, part);
///       cudax::device::bulk_commit();
///       cudax::device::bulk_wait<0>();
///     }
template <reduction How, class T, class Box, tensor_swizzle Swizzle, class... Option>
  requires copy_detail::valid_copy_options<Option...>
void reduce_tensor_async_bulk(tensor_map<T, Box, Swizzle> const& map, tensor_coordinates<Box::rank> at,
                              typename tensor_map<T, Box, Swizzle>::tile_source from, Option... option) noexcept {
  static_assert(copy_detail::can_reduce(How, tensor_type_of<T>),
                "cudax.sync: reduce_tensor_async_bulk: there is no such reduction of elements of this type: add is for "
                "u32, s32, u64, f16, bf16, f32, f64; min and max for u32, s32, u64, s64, f16, bf16; inc and dec for "
                "u32; bit_and, bit_or, bit_xor for u32, s32, u64. For s64 use a tensor_map of u64: these results have "
                "the same bits");
  copy_detail::require_writable<Swizzle>();
  copy_detail::ensure_tile<tensor_map<T, Box, Swizzle>>(from.at);
  copy_detail::ensure_map(map, at, true);
  if constexpr (!(copy_detail::promises_fence<Option> || ...)) machine::gpu::bulk_copy::fence();
  machine::gpu::tensor_copy::reduce(u32(How), copy_detail::tile_of(map, at), from.at,
                                    copy_detail::tile_options<Box>(option...));
}

/// Hints that a tile will be read, so that it may be brought into the L2 cache.
/// Source:   extension; PTX ISA, cp.async.bulk.prefetch.tensor
/// Order:    none, and no fence is needed: it neither gives a value nor changes one
/// Units:    coordinates in elements, the innermost dimension first
/// Requires: sm_90; the innermost coordinate is a multiple of 16 bytes. The last argument may be an l2_policy
/// Errors:   checked builds stop at another coordinate
template <class T, class Box, tensor_swizzle Swizzle, class... Option>
  requires copy_detail::valid_prefetch_options<Option...>
void prefetch_tensor_bulk(tensor_map<T, Box, Swizzle> const& map, tensor_coordinates<Box::rank> at,
                          Option... option) noexcept {
  copy_detail::require_offsets<Box>();
  copy_detail::ensure_map(map, at, false);
  machine::gpu::tensor_copy::prefetch(copy_detail::tile_of(map, at), copy_detail::tile_options<Box>(option...));
}

template <class T, class Box, tensor_swizzle Swizzle, class... Option>
  requires(Box::is_im2col && copy_detail::valid_prefetch_options<Option...>)
void prefetch_tensor_bulk(tensor_map<T, Box, Swizzle> const& map, tensor_coordinates<Box::rank> at,
                          im2col_offsets<Box::rank> offsets, Option... option) noexcept {
  copy_detail::ensure_map(map, at, false);
  machine::gpu::tensor_copy::prefetch(copy_detail::tile_of(map, at),
                                      copy_detail::tile_options<Box>(offsets, option...));
}

/// Hints that copies will use the map, so that the first of them does not wait for it. One thread at the start of the
/// kernel is enough.
/// Source:   extension; PTX ISA, prefetch.tensormap
/// Order:    none
/// Requires: sm_90
template <class T, class Box, tensor_swizzle Swizzle>
void prefetch_tensor_map(tensor_map<T, Box, Swizzle> const& map) noexcept {
  copy_detail::ensure_on_device();
  machine::gpu::tensor_copy::prefetch_map(&map);
}

/// Order writes of a tensor map in global memory before copies that use the map. The thread that has written the map
/// calls fence_tensor_map_release, then synchronizes with the thread that begins the copies; that thread calls
/// fence_tensor_map_acquire, then begins copies. Needed only if the writer and the copies are in the same kernel. A map
/// is written as a whole, by assignment of another one, or its fields are replaced (replace_tensor_map_address).
/// publish_tensor_map includes the release.
/// Source:   extension; PTX ISA, fence.proxy.tensormap; libcu++, cuda::ptx::fence_proxy_tensormap_generic
/// Order:    writes of maps that happen before the release are ordered before the uses of `map` by copies that the
///           caller of the acquire begins after it. `Scope` includes both threads. The functions do not synchronize
///           threads
/// Requires: sm_90; `map` is in global memory
/// Errors:   undefined behavior without the fences: copies may use the old map, or parts of both
/// Example:
///     using tiles = cudax::tensor_map<float, cudax::tensor_box<64, 16>>;
///     using flag = cudax::atomic<int, cudax::thread_scope_device>;
///     __device__ void choose(tiles* current, tiles const* all, int i, flag& chosen) {
///       *current = all[i];
///       cudax::device::fence_tensor_map_release();
///       chosen.store(1, cudax::memory_order_release);
///     } // a thread that has loaded 1 with acquire calls fence_tensor_map_acquire(*current), and copies
template <thread_scope Scope = thread_scope_device>
void fence_tensor_map_release() noexcept {
  CUDAX_ENSURE_SCOPE(Scope, "fence_tensor_map_release<Scope>");
  copy_detail::ensure_on_device();
  machine::gpu::tensor_copy::release_maps(int(Scope));
}
template <thread_scope Scope = thread_scope_device, class T, class Box, tensor_swizzle Swizzle>
void fence_tensor_map_acquire(tensor_map<T, Box, Swizzle> const& map) noexcept {
  CUDAX_ENSURE_SCOPE(Scope, "fence_tensor_map_acquire<Scope>");
  copy_detail::ensure_on_device();
  machine::gpu::tensor_copy::acquire_map(&map, int(Scope));
}

} // namespace cudax::device

CUDAX_EVERYWHERE_END
