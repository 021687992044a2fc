// SPDX-License-Identifier: Apache-2.0
//
// memcpy_async, pipeline, operations that require an mbarrier (libcu++), fence_proxy_async, proxy_fenced (extensions):
// every overload and member exists, has libcu++'s result type and is noexcept; shared states can be variables in shared
// memory.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
import cudax.sync;

using namespace cudax;

#define RETURNS(expression, ...)                                                                                       \
  static_assert(__is_same(decltype(expression), __VA_ARGS__) && noexcept(expression), #expression)

constexpr std::chrono::seconds five_seconds(5);
constexpr std::chrono::system_clock::time_point noon(std::chrono::hours(12));

/// A group of another library.
struct group {
  unsigned size() const;
  static int thread_rank();
  void sync() const;
};
struct element {
  int values[3];
};
struct completion {
  void operator()() noexcept;
};

static_assert(aligned_size_t<32>::align == 32 && aligned_size_t<32>(64).value == 64 && aligned_size_t<1>(5) == 5);
static_assert(std::is_nothrow_constructible_v<aligned_size_t<4>, std::size_t> &&
              !std::is_convertible_v<std::size_t, aligned_size_t<4>> &&
              std::is_nothrow_convertible_v<aligned_size_t<4>, std::size_t> &&
              !std::is_default_constructible_v<aligned_size_t<4>> && std::is_trivially_copyable_v<aligned_size_t<4>>);
static_assert(async_contract_fulfillment::none != async_contract_fulfillment::async);
static_assert(pipeline_role::producer != pipeline_role::consumer);

/// A barrier or a pipeline, for which a copy can be awaited.
template <class Waits>
constexpr bool copies(Waits& waits, element* to, element* from, element const* constant, void* bytes) {
  RETURNS(memcpy_async(to, constant, 12, waits), async_contract_fulfillment);
  RETURNS(memcpy_async(to, from, 12u, waits), async_contract_fulfillment);
  RETURNS(memcpy_async(to, constant, aligned_size_t<4>(12), waits), async_contract_fulfillment);
  RETURNS(memcpy_async(bytes, constant, 12L, waits), async_contract_fulfillment);
  RETURNS(memcpy_async(to, bytes, aligned_size_t<128>(128), waits), async_contract_fulfillment);
  RETURNS(memcpy_async(group(), to, constant, sizeof(*to), waits), async_contract_fulfillment);
  RETURNS(memcpy_async(this_block, to, from, aligned_size_t<4>(12), waits), async_contract_fulfillment);
  RETURNS(memcpy_async(this_warp, bytes, from, 12, waits), async_contract_fulfillment);
  RETURNS(memcpy_async(group(), to, bytes, aligned_size_t<4>(12), waits), async_contract_fulfillment);
  RETURNS(cudax::memcpy_async(this_cluster, to, bytes, 12, waits), async_contract_fulfillment);
  RETURNS(memcpy_async(to, from, 12, waits, proxy_fenced), async_contract_fulfillment);
  RETURNS(memcpy_async(bytes, from, 12, waits, proxy_fenced_t()), async_contract_fulfillment);
  RETURNS(memcpy_async(group(), to, from, aligned_size_t<4>(12), waits, proxy_fenced), async_contract_fulfillment);
  RETURNS(memcpy_async(this_block, bytes, from, 12, waits, proxy_fenced), async_contract_fulfillment);
  return true;
}

template <thread_scope S>
constexpr bool pipelines(pipeline<S>& p, pipeline_shared_state<S, 3>& state) {
  static_assert(!std::is_default_constructible_v<pipeline<S>> && !std::is_copy_constructible_v<pipeline<S>> &&
                !std::is_copy_assignable_v<pipeline<S>> && !std::is_move_assignable_v<pipeline<S>> &&
                std::is_nothrow_move_constructible_v<pipeline<S>> && std::is_nothrow_destructible_v<pipeline<S>>);
  using shared = pipeline_shared_state<S, 3>;
  static_assert(std::is_trivially_default_constructible_v<shared> && std::is_trivially_destructible_v<shared> &&
                std::is_standard_layout_v<shared> && !std::is_copy_constructible_v<shared> &&
                !std::is_copy_assignable_v<shared>);
  RETURNS(make_pipeline(group(), &state), pipeline<S>);
  RETURNS(make_pipeline(group(), &state, 1), pipeline<S>);
  RETURNS(make_pipeline(this_block, &state, std::size_t(1)), pipeline<S>);
  RETURNS(make_pipeline(this_block, &state, pipeline_role::consumer), pipeline<S>);
  if constexpr (S != thread_scope_thread) {
    auto p = make_pipeline(this_block, &state, pipeline_role::consumer, this_warp);
    static_assert(!std::is_same_v<decltype(p), pipeline<S>> && !std::is_copy_constructible_v<decltype(p)> &&
                  std::is_nothrow_move_constructible_v<decltype(p)>);
    RETURNS(make_pipeline(this_block, &state, pipeline_arrivals{1, 1}, this_warp), decltype(p));
    pipeline_position ahead = p.consumer_position();
    RETURNS(p.producer_position(), pipeline_position);
    RETURNS(++ahead, pipeline_position&);
    RETURNS(ahead += 3, pipeline_position&);
    RETURNS(ahead.index(), unsigned);
    RETURNS(ahead.phase(), bool);
    RETURNS(p.producer_acquire(ahead), void);
    RETURNS(p.producer_try_acquire(), bool);
    RETURNS(p.producer_try_acquire(ahead), bool);
    RETURNS(p.producer_tail(), void);
    RETURNS(p.producer_skip(2), void);
    RETURNS(p.consumer_wait(ahead), void);
    RETURNS(p.consumer_try_wait(), bool);
    RETURNS(p.consumer_try_wait(ahead), bool);
    RETURNS(p.consumer_skip(2), void);
    RETURNS(p.consumer_release_by([](barrier<S>&) {}), void);
  }
  RETURNS(p.producer_acquire(), void);
  RETURNS(p.producer_commit(), void);
  RETURNS(p.consumer_wait(), void);
  RETURNS(p.consumer_wait_for(five_seconds), bool);
  RETURNS(p.consumer_wait_for(nanoseconds(5)), bool);
  RETURNS(p.consumer_wait_until(noon), bool);
  RETURNS(p.consumer_wait_until(steady_clock::now()), bool);
  RETURNS(p.consumer_release(), void);
  RETURNS(p.quit(), bool);
  return true;
}

template <thread_scope S>
constexpr bool everything(pipeline<S>& p, pipeline_shared_state<S, 3>& state, barrier<S>& b,
                          barrier<S, completion>& with, pipeline<thread_scope_thread>& alone, void* bytes) {
  RETURNS(pipeline_producer_commit(alone, b), void);
  RETURNS(pipeline_producer_commit(alone, with), void);
  constexpr element* none = nullptr;
  return pipelines(p, state) && copies(p, none, none, none, bytes) && copies(b, none, none, none, bytes) &&
         copies(with, none, none, none, bytes);
}
#define AT_SCOPE(scope)                                                                                                \
  template bool everything<scope>(pipeline<scope>&, pipeline_shared_state<scope, 3>&, barrier<scope>&,                 \
                                  barrier<scope, completion>&, pipeline<thread_scope_thread>&, void*);
AT_SCOPE(thread_scope_system)
AT_SCOPE(thread_scope_device)
AT_SCOPE(thread_scope_cluster)
AT_SCOPE(thread_scope_block)
AT_SCOPE(thread_scope_thread)

RETURNS(fence_proxy_async(), void);
RETURNS(fence_proxy_async_global(), void);
RETURNS(fence_proxy_async_shared(), void);
static_assert(std::is_trivially_copyable_v<proxy_fenced_t> && !std::is_convertible_v<int, proxy_fenced_t>);

static_assert(std::is_trivially_copyable_v<pipeline_position> && sizeof(pipeline_position) == 12 &&
              !std::is_default_constructible_v<pipeline_position>);

RETURNS(make_pipeline(), pipeline<thread_scope_thread>);
RETURNS(pipeline_consumer_wait_prior<0>(std::declval<pipeline<thread_scope_thread>&>()), void);
RETURNS(pipeline_consumer_wait_prior<255>(std::declval<pipeline<thread_scope_thread>&>()), void);

constexpr bool natives(barrier<thread_scope_block>& b, element* to, element const* from, void* bytes,
                       barrier<thread_scope_block>::arrival_token& t) {
  using token = barrier<thread_scope_block>::arrival_token;
  RETURNS(device::barrier_native_handle(b), std::uint64_t*); // cuda::ptx accepts only std::uint64_t*
  RETURNS(device::barrier_expect_tx(b, 16), void);
  RETURNS(device::barrier_arrive_tx(b, 1, 16), token);
  RETURNS(device::memcpy_async_tx(to, from, aligned_size_t<16>(48), b), async_contract_fulfillment);
  RETURNS(device::memcpy_async_tx(bytes, static_cast<void const*>(from), aligned_size_t<64>(64), b),
          async_contract_fulfillment);
  RETURNS(device::memcpy_async_tx(to, from, aligned_size_t<16>(48), b, proxy_fenced), async_contract_fulfillment);
  RETURNS(device::tensor_core_commit(b), void);
  RETURNS(device::tensor_core_commit<2>(b), void);
  RETURNS(device::tensor_core_commit_multicast(b, 3), void);
  RETURNS(device::tensor_core_commit_multicast<2>(b, 3), void);
  RETURNS(device::tensor_core_fence_before_sync(), void);
  RETURNS(device::tensor_core_fence_after_sync(), void);
  RETURNS(device::barrier_arrive_remote(b), void);
  RETURNS(device::barrier_arrive_remote(b, 2), void);
  RETURNS(device::barrier_wait_cluster(b, std::move(t)), void);
  RETURNS(device::barrier_wait_parity_cluster(b, true), void);
  RETURNS(device::fence_release_shared(), void);
  RETURNS(device::fence_acquire_shared(), void);
  RETURNS(device::fence_proxy_async_release_shared(), void);
  RETURNS(device::fence_proxy_async_acquire_shared(), void);
  RETURNS(device::barrier_arrive_remote(b, 2, device::order_relaxed), void);
  RETURNS(device::barrier_try_wait_parity_cluster(b, true, device::order_relaxed), bool);
  using device::sync_restrict_shared;
  RETURNS(device::barrier_arrive_remote(b, 2, sync_restrict_shared), void);
  RETURNS(device::barrier_arrive_tx_remote(b, 1, 16, sync_restrict_shared), void);
  RETURNS(device::barrier_wait_cluster(b, std::move(t), sync_restrict_shared), void);
  RETURNS(device::barrier_wait_parity_cluster(b, true, sync_restrict_shared), void);
  RETURNS(device::barrier_try_wait_cluster(b, t, sync_restrict_shared), bool);
  RETURNS(device::barrier_try_wait_cluster_for(b, t, five_seconds, sync_restrict_shared), bool);
  RETURNS(device::barrier_try_wait_cluster_until(b, t, noon, sync_restrict_shared), bool);
  RETURNS(device::barrier_try_wait_parity_cluster(b, true, sync_restrict_shared), bool);
  RETURNS(device::barrier_try_wait_parity_cluster_for(b, true, five_seconds, sync_restrict_shared), bool);
  RETURNS(device::barrier_try_wait_parity_cluster_until(b, true, noon, sync_restrict_shared), bool);
  RETURNS(device::barrier_complete_tx(b, 16), void);
  RETURNS(device::fence_barrier_init(), void);
  RETURNS(device::barrier_expect_tx_remote(b, 16), void);
  RETURNS(device::barrier_complete_tx_remote(b, 16), void);
  RETURNS(device::barrier_arrive_tx_remote(b, 1, 16), void);
  RETURNS(device::barrier_try_wait_cluster(b, t), bool);
  RETURNS(device::barrier_try_wait_cluster_for(b, t, five_seconds), bool);
  RETURNS(device::barrier_try_wait_cluster_until(b, t, noon), bool);
  RETURNS(device::barrier_try_wait_parity_cluster(b, true), bool);
  RETURNS(device::barrier_try_wait_parity_cluster_for(b, true, nanoseconds(5)), bool);
  RETURNS(device::barrier_try_wait_parity_cluster_until(b, true, steady_clock::now()), bool);
  RETURNS(device::memcpy_async_tx_remote(to, from, aligned_size_t<16>(48), b), void);
  RETURNS(device::memcpy_async_tx_remote(to, from, aligned_size_t<16>(48), b, proxy_fenced), void);
  RETURNS(device::memcpy_async_tx_multicast(to, from, aligned_size_t<16>(48), b, 3), void);
  RETURNS(device::memcpy_async_tx_multicast(to, from, aligned_size_t<16>(48), b, 3, proxy_fenced), void);
  RETURNS(device::memcpy_async_bulk(to, from, aligned_size_t<16>(48)), void);
  RETURNS(device::memcpy_async_bulk(to, from, aligned_size_t<16>(48), proxy_fenced), void);
  RETURNS(device::bulk_commit(), void);
  RETURNS(device::bulk_wait<3>(), void);
  RETURNS(device::bulk_wait_read<0>(), void);
  RETURNS(device::prefetch_bulk(from, aligned_size_t<16>(48)), void);
  return true;
}

using tiles = tensor_map<float, tensor_box<32, 4, 2>, tensor_swizzle::bytes_128>;
static_assert(std::is_same_v<tiles::element_type, float> && std::is_same_v<tiles::value_type, float> &&
              std::is_same_v<tiles::box, tensor_box<32, 4, 2>> && tiles::rank == 3 && tiles::type == tensor_type::f32 &&
              tiles::swizzle == tensor_swizzle::bytes_128 && tiles::tile_bytes == 1024 && tiles::tile_size == 256 &&
              tiles::row_pitch == 32 && tiles::alignment == 1024);
static_assert(std::is_same_v<tensor_map<tensor_tf32, tensor_box<4>>::value_type, float>);
static_assert(std::is_trivially_copyable_v<tiles> && std::is_trivially_default_constructible_v<tiles::tile>);
static_assert(std::is_convertible_v<tiles::tile&, float*> && std::is_convertible_v<tiles::tile const&, float const*> &&
              !std::is_convertible_v<tiles::tile const&, float*>);
using slices = tensor_map<float, interleaved_box<4, 8, 3, 2>, tensor_swizzle::bytes_32>;
static_assert(slices::rank == 4 && slices::tile_bytes == 768 && slices::row_pitch == 4 && slices::alignment == 256 &&
              slices::box::is_interleaved && !slices::box::is_im2col && !tiles::box::is_interleaved);
constexpr bool interleaved(slices const& map, slices::tile& tile, barrier<thread_scope_block>& b, long x) {
  RETURNS(tile(3, 7, x, 0), float&);
  RETURNS(device::copy_tensor_async_tx(tile, map, {x, -1, 2, 0}, b), void);
  RETURNS(device::copy_tensor_async_tx_multicast(tile, map, {x, 0, 2, 0}, b, 3, proxy_fenced), void);
  RETURNS(device::copy_tensor_async_bulk(map, {x, 0, 2, 0}, tile), void);
  RETURNS(device::reduce_tensor_async_bulk<device::reduction::add>(map, {0, 0, 0, 0}, tile), void);
  RETURNS(device::prefetch_tensor_bulk(map, {0, 0, 0, 0}), void);
  return true;
}
static_assert(int(tensor_swizzle::bytes_128_atoms_32) == 4 && int(tensor_swizzle::bytes_128_atoms_32_flip_8) == 5 &&
              int(tensor_swizzle::bytes_128_atoms_64) == 6);
static_assert(tensor_box<32, 4, 2>::rank == 3 && tensor_box<32, 4, 2>::size == 256);
struct small_float {
  unsigned char bits;
};
template <>
inline constexpr tensor_type cudax::tensor_type_of<small_float> = tensor_type::u8;
static_assert(tensor_map<small_float, tensor_box<16, 3>>::tile_bytes == 48);

static_assert(std::is_trivially_copyable_v<device::l2_policy> && sizeof(device::l2_policy) == 8 &&
              !std::is_convertible_v<device::l2_eviction, device::l2_policy>);
bool policies(tiles const& map, tiles::tile& tile, barrier<thread_scope_block>& b, int* to, int const* from) {
  device::l2_policy const p(device::l2_eviction::evict_first);
  device::l2_policy const q(device::l2_eviction::evict_last, 0.5f, device::l2_eviction::evict_unchanged);
  aligned_size_t<16> const size(48);
  RETURNS(device::memcpy_async_tx(to, from, size, b, p), async_contract_fulfillment);
  RETURNS(device::memcpy_async_tx(to, from, size, b, proxy_fenced, q), async_contract_fulfillment);
  RETURNS(device::memcpy_async_tx_multicast(to, from, size, b, 3, p, proxy_fenced), void);
  RETURNS(device::memcpy_async_bulk(to, from, size, p), void);
  RETURNS(device::reduce_async_bulk<device::reduction::add>(to, from, size, p), void);
  RETURNS(device::prefetch_bulk(from, size, p), void);
  RETURNS(device::copy_tensor_async_tx(tile, map, {0, 0, 0}, b, p), void);
  RETURNS(device::copy_tensor_async_tx_multicast(tile, map, {0, 0, 0}, b, 3, proxy_fenced, p), void);
  RETURNS(device::copy_tensor_async_bulk(map, {0, 0, 0}, tile, p), void);
  RETURNS(device::reduce_tensor_async_bulk<device::reduction::add>(map, {0, 0, 0}, tile, p), void);
  RETURNS(device::prefetch_tensor_bulk(map, {0, 0, 0}, p), void);
  return true;
}

using columns = tensor_map<float, im2col_box<4, 32, 8>, tensor_swizzle::bytes_128>;
static_assert(columns::rank == 4 && columns::tile_bytes == 1024 && columns::row_pitch == 32 && columns::box::is_im2col);
constexpr bool im2col(columns const& map, columns::tile& tile, barrier<thread_scope_block>& b, long x) {
  RETURNS(columns::offset(1, 2u), std::size_t);
  RETURNS(tile(31, 7), float&);
  RETURNS(device::copy_tensor_async_tx(tile, map, {0, x, -1, 0}, {1, x}, b), void);
  RETURNS(device::copy_tensor_async_tx(tile, map, {0, x, -1, 0}, {}, b, proxy_fenced), void);
  RETURNS(device::copy_tensor_async_tx_multicast(tile, map, {0, 0, 0, 0}, {1, 0}, b, 3), void);
  RETURNS(device::copy_tensor_async_tx_multicast(tile, map, {0, 0, 0, 0}, {1, 0}, b, 3, proxy_fenced), void);
  RETURNS(device::copy_tensor_async_bulk(map, {0, x, 0, 0}, tile), void);
  RETURNS(device::reduce_tensor_async_bulk<device::reduction::add>(map, {0, 0, 0, 0}, tile, proxy_fenced), void);
  RETURNS(device::prefetch_tensor_bulk(map, {0, 0, 0, 0}, {1, 0}), void);
  return true;
}

constexpr bool tensors(tiles const& map, tiles::tile& tile, tiles::tile const& full, barrier<thread_scope_block>& b,
                       unsigned x, long y) {
  RETURNS(tiles::offset(1, 2u, 1), std::size_t);
  RETURNS(tile(1, 2, 1), float&);
  RETURNS(full(1, 2, 1), float const&);
  RETURNS(device::copy_tensor_async_tx(tile, map, {x, y, 0}, b), void);
  RETURNS(device::copy_tensor_async_tx(tile, map, {x, -1, 0}, b, proxy_fenced), void);
  RETURNS(device::copy_tensor_async_tx_multicast(tile, map, {0, 0, 0}, b, 3), void);
  RETURNS(device::copy_tensor_async_tx_multicast(tile, map, {0, 0, 0}, b, 3, proxy_fenced), void);
  RETURNS(device::copy_tensor_async_bulk(map, {x, y, 0}, full), void);
  RETURNS(device::copy_tensor_async_bulk(map, {}, tile, proxy_fenced), void);
  RETURNS(device::reduce_tensor_async_bulk<device::reduction::add>(map, {0, 0, 0}, full), void);
  RETURNS(device::reduce_tensor_async_bulk<device::reduction::add>(map, {0, 0, 0}, full, proxy_fenced), void);
  RETURNS(device::prefetch_tensor_bulk(map, {0, 0, 0}), void);
  RETURNS(device::prefetch_tensor_map(map), void);
  RETURNS(device::fence_tensor_map_release(), void);
  RETURNS(device::fence_tensor_map_release<thread_scope_system>(), void);
  RETURNS(device::fence_tensor_map_acquire(map), void);
  RETURNS(device::fence_tensor_map_acquire<thread_scope_cluster>(map), void);
  return true;
}

using vector = tensor_map<float, tensor_box<32>>;
constexpr bool updates(tiles& to, tiles& map, tiles const& like, float const* tensor, vector& row, columns& pixels,
                       columns const& made, unsigned x, long y) {
  RETURNS(device::assign_tensor_map(map, like), void);
  RETURNS(device::assign_tensor_map(pixels, made), void);
  RETURNS(device::replace_tensor_map_address(map, tensor), void);
  RETURNS(device::replace_tensor_map_extents(map, {x, y, 5}), void);
  RETURNS(device::replace_tensor_map_extents(row, {x}), void);
  RETURNS(device::replace_tensor_map_extent<2>(map, y), void);
  RETURNS(device::replace_tensor_map_strides(map, {x, y}), void);
  RETURNS(device::replace_tensor_map_stride<1>(map, y), void);
  RETURNS(device::publish_tensor_map(to, like), void);
  RETURNS(device::publish_tensor_map<thread_scope_block>(pixels, made), void);
  return true;
}

#if defined(__CUDA__)
#include <cuda_runtime.h>
__global__ void in_shared_memory(int const* from, int* to) {
  __shared__ pipeline_shared_state<thread_scope_block, 2> state;
  __shared__ int stages[2][256];
  auto p = make_pipeline(this_block, &state);
  p.producer_acquire();
  memcpy_async(this_block, stages[0], from, sizeof(stages[0]), p);
  p.producer_commit();
  p.consumer_wait();
  to[threadIdx.x] = stages[0][threadIdx.x];
  p.consumer_release();
}
#endif
