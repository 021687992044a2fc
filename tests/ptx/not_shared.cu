// SPDX-License-Identifier: Apache-2.0
//
// not_shared: each kernel that is called wrong_... passes an object in global or local memory where PTX takes the
// shared memory of a block of the cluster. The device link sees that from sm_90 on, and rejects each of them. The
// others are right, and link.
import cudax.sync;
using namespace cudax;

struct alignas(16) wide {
  unsigned long long low, high;
};
using block_barrier = barrier<thread_scope_block>;
constexpr aligned_size_t<16> size(16);
__device__ wide in_global[4];
__shared__ wide in_shared[4];
__shared__ block_barrier shared_barrier;

__device__ block_barrier& global_barrier() { return *reinterpret_cast<block_barrier*>(in_global); }
template <class T> __device__ T& there(T& object) { return *this_cluster.map_shared_rank(&object, 1); }

extern "C" __global__ void wrong_arrival(block_barrier* b) { device::barrier_arrive_remote(*b); }
extern "C" __global__ void wrong_arrival_in_local() {
  block_barrier local(1);
  device::barrier_arrive_remote(local);
}
extern "C" __global__ void wrong_bytes() { device::barrier_expect_tx_remote(global_barrier(), 16); }
extern "C" __global__ void wrong_arrival_with_bytes() { device::barrier_arrive_tx_remote(global_barrier(), 1, 16); }
extern "C" __global__ void wrong_copy(wide* to) {
  device::memcpy_async_tx_remote(to, in_shared, size, there(shared_barrier));
}
extern "C" __global__ void wrong_multicast() {
  device::memcpy_async_tx_multicast(in_shared, in_global, size, global_barrier(), 1);
}
extern "C" __global__ void wrong_store(wide* to) {
  device::store_async_tx_remote(to, wide{1, 2}, there(shared_barrier));
}
extern "C" __global__ void wrong_reduction() {
  device::reduce_async_tx_remote<device::reduction::add>(&there(in_shared[0]).low, 1ull, global_barrier());
}
extern "C" __global__ void wrong_bulk_reduction() {
  using enum device::reduction;
  device::reduce_async_bulk_tx_remote<add>(&in_global->low, &in_shared->low, size, there(shared_barrier));
}
extern "C" __global__ void wrong_address(wide* object) { there(*object) = wide{1, 2}; }

// Right: the compiler does not know the memory, or a query guards the call.
extern "C" __global__ void right(wide* const* unknown, block_barrier* const* barrier) {
  device::barrier_arrive_remote(there(shared_barrier));
  device::barrier_arrive_remote(**barrier);
  device::store_async_tx_remote(*unknown, wide{1, 2}, **barrier);
  device::memcpy_async_tx_multicast(in_shared, in_global, size, shared_barrier, 1);
}
__device__ [[gnu::noinline]] void arrive_there(block_barrier& b) { device::barrier_arrive_remote(b); }
extern "C" __global__ void in_a_function(block_barrier* const* barrier) {
  arrive_there(there(shared_barrier));
  arrive_there(**barrier);
}
__shared__ block_barrier* kept;
extern "C" __global__ void kept_in_shared() {
  kept = &there(shared_barrier);
  this_block.sync();
  device::barrier_arrive_remote(*kept);
}
// One of two memories. Global memory is never used as another block's, which the compiler does not know.
extern "C" __global__ void chosen(wide* global, int blocks, int count, bool remote) { // `remote` implies blocks > 1
  wide* const to = blocks > 1 ? &there(in_shared[0]) : global;
  for (int i = 0; i < count; ++i)
    if (remote) device::store_async_tx_remote(to + i, wide{1, 2}, there(shared_barrier));
    else to[i] = wide{1, 2};
}
// Whether the barrier is an mbarrier is asked: it is not.
extern "C" __global__ void asked() {
  (void)global_barrier().arrive();
  memcpy_async(in_global, in_global + 2, size, global_barrier());
}
extern "C" __global__ void asked_of_a_parameter(block_barrier* b, wide* to, wide const* from, int count) {
  b->wait(b->arrive());
  for (int i = 0; i < count; ++i) memcpy_async(to + i, from + i, size, *b);
}
__device__ int memory_of(void const* object) {
  if (__nvvm_isspacep_shared(object)) return 3;
  return __nvvm_isspacep_global(object) ? 1 : 7; // 7: neither, and so of another block
}
extern "C" __global__ void asked_by_the_program(block_barrier* global, int count) {
  block_barrier* const one_of_two = count > 1 ? &there(shared_barrier) : global;
  if (memory_of(one_of_two) != 1) device::barrier_arrive_remote(*one_of_two);
  switch (memory_of(global)) {
  case 3:
  case 7: device::barrier_arrive_remote(*global); break;
  default: (void)global->arrive();
  }
  if (count > 3 && __nvvm_isspacep_shared(global)) device::barrier_arrive_remote(*global);
}

int main() {}
