// SPDX-License-Identifier: Apache-2.0
//
// program: a program written for libcu++'s <cuda/atomic>, in the style of its documentation and examples: the names of
// namespace cuda, scopes as template arguments, orders by their constants. One line makes it a program for this
// library. With LIBCUXX it is compiled with libcu++, which checks that the program is valid there.
#if defined(LIBCUXX)
#include <cuda/atomic>
#else
import cudax.sync;
namespace cuda = cudax;
#endif

#include <cstdio>
#include <new>
#include <thread>
#include <vector>

#if !defined(__CUDACC__)
#define __host__
#define __device__
#endif

// A counter for each scope.
struct counters {
  cuda::atomic<int> system{0};
  cuda::atomic<unsigned, cuda::thread_scope_device> device{0};
  cuda::atomic<unsigned long long, cuda::thread_scope_block> block{0};
  cuda::atomic<bool, cuda::thread_scope_system> ready{false};
  cuda::atomic<float, cuda::thread_scope_device> sum{0.0f};
};

template <cuda::thread_scope Scope>
__host__ __device__ void spin_lock(cuda::atomic<int, Scope>& lock) {
  int expected = 0;
  while (!lock.compare_exchange_weak(expected, 1, cuda::memory_order_acquire, cuda::memory_order_relaxed)) expected = 0;
}
template <cuda::thread_scope Scope>
__host__ __device__ void spin_unlock(cuda::atomic<int, Scope>& lock) {
  lock.store(0, cuda::memory_order_release);
}

// Plain memory that is accessed atomically for some time.
__host__ __device__ inline void histogram(unsigned const* data, int size, unsigned* bins) {
  for (int i = 0; i < size; ++i) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> bin(bins[data[i] % 16]);
    bin.fetch_add(1, cuda::memory_order_relaxed);
  }
}

// Message passing.
__host__ __device__ inline void produce(counters& c, int* payload) {
  *payload = 42;
  c.ready.store(true, cuda::memory_order_release);
  c.ready.notify_all();
}
__host__ __device__ inline int consume(counters& c, int const* payload) {
  c.ready.wait(false, cuda::memory_order_acquire);
  return *payload;
}

// Message passing with a fence.
__host__ __device__ inline void publish(int* payload, cuda::atomic<int, cuda::thread_scope_device>& flag) {
  *payload = 43;
  cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
  flag.store(1, cuda::memory_order_relaxed);
}

// A maximum of floating-point numbers by a loop, as in programs without fetch_max.
__host__ __device__ inline void raise(cuda::atomic_ref<double, cuda::thread_scope_system> highest, double candidate) {
  double seen = highest.load(cuda::memory_order_relaxed);
  while (seen < candidate && !highest.compare_exchange_strong(seen, candidate, cuda::memory_order_acq_rel)) {}
}

// A list whose head is an atomic pointer.
struct node {
  int value;
  node* next;
};
__host__ __device__ inline void push(cuda::atomic<node*, cuda::thread_scope_device>& head, node* n) {
  n->next = head.load(cuda::memory_order_relaxed);
  while (!head.compare_exchange_weak(n->next, n, cuda::memory_order_release, cuda::memory_order_relaxed)) {}
}

// Every integer operation and operator.
__host__ __device__ inline int operations(cuda::atomic<int>& a) {
  a = 5;
  a.fetch_add(3);
  a.fetch_sub(1);
  a.fetch_or(8, cuda::memory_order_relaxed);
  a.fetch_and(~1);
  a.fetch_xor(3);
  a.fetch_max(20);
  a.fetch_min(100);
  ++a, a++, --a;
  a += 10, a -= 4, a |= 64, a &= 127, a ^= 1;
  int const before = a.exchange(a);
  return before == a.load() && a.is_lock_free() && cuda::atomic<int>::is_always_lock_free ? int(a) : -1;
}

#if defined(__CUDACC__)
struct device_state {
  counters c;
  cuda::atomic<int, cuda::thread_scope_device> lock{0};
  cuda::atomic<node*, cuda::thread_scope_device> head{nullptr};
  unsigned data[100], bins[16];
  double highest = -1;
  int payload = 0, guarded = 0, wrong = 0;
  node nodes[64];
};

__global__ void kernel(device_state* s) {
  int const rank = blockIdx.x * blockDim.x + threadIdx.x;
  if (rank == 0) produce(s->c, &s->payload);
  else if (consume(s->c, &s->payload) != 42) s->wrong = 1;
  histogram(s->data, 100, s->bins);
  spin_lock(s->lock);
  ++s->guarded;
  spin_unlock(s->lock);
  s->c.device.fetch_add(1, cuda::memory_order_relaxed);
  s->c.sum.fetch_add(0.5f);
  raise(cuda::atomic_ref<double, cuda::thread_scope_system>(s->highest), rank);
  s->nodes[rank].value = 1;
  push(s->head, &s->nodes[rank]);
  if (rank == 0 && operations(s->c.system) != 90) s->wrong = 1;
}

// Returns whether the device's results are right; prints a message and returns true if there is no device.
bool right_on_device() {
  int devices = 0;
  if (cudaError_t const error = cudaGetDeviceCount(&devices); error != cudaSuccess || devices == 0) {
    std::printf("skipped: the kernel: %s\n", cudaGetErrorString(error));
    return true;
  }
  void* memory = nullptr;
  if (cudaMallocManaged(&memory, sizeof(device_state)) != cudaSuccess) return false;
  auto* const s = new (memory) device_state;
  for (unsigned i = 0; i < 100; ++i) s->data[i] = i * 7;
  for (unsigned& bin : s->bins) bin = 0;
  kernel<<<2, 32>>>(s);
  if (cudaError_t const error = cudaDeviceSynchronize(); error != cudaSuccess) {
    std::printf("the kernel: %s\n", cudaGetErrorString(error));
    return false;
  }
  int length = 0;
  for (node* n = s->head; n; n = n->next) length += n->value;
  unsigned counted = 0;
  for (unsigned bin : s->bins) counted += bin;
  bool const right = !s->wrong && s->guarded == 64 && s->c.device == 64 && s->c.sum == 32.0f && s->highest == 63 &&
                     length == 64 && counted == 6400;
  cudaFree(memory);
  return right;
}
#else
bool right_on_device() { return true; }
#endif

int main() {
  counters c;
  cuda::atomic<int, cuda::thread_scope_device> lock{0}, flag{0};
  cuda::atomic<node*, cuda::thread_scope_device> head{nullptr};
  unsigned data[100], bins[16] = {};
  node nodes[4][100];
  double highest = -1;
  int payload = 0, guarded = 0, read[3] = {};
  for (unsigned i = 0; i < 100; ++i) data[i] = i * 7;

  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      if (t == 0) produce(c, &payload);
      else read[t - 1] = consume(c, &payload);
      histogram(data, 100, bins);
      for (int i = 0; i < 100; ++i) {
        spin_lock(lock);
        ++guarded;
        spin_unlock(lock);
        c.device.fetch_add(1, cuda::memory_order_relaxed);
        c.block++;
        c.sum.fetch_add(0.5f);
        raise(cuda::atomic_ref<double, cuda::thread_scope_system>(highest), t * 100 + i);
        nodes[t][i].value = 1;
        push(head, &nodes[t][i]);
      }
    });
  for (std::thread& each : threads) each.join();
  publish(&payload, flag);

  int length = 0;
  for (node* n = head; n; n = n->next) length += n->value;
  unsigned counted = 0;
  for (unsigned bin : bins) counted += bin;
  bool const right = guarded == 400 && c.device == 400 && c.block.load() == 400 && c.sum == 200.0f && highest == 399 &&
                     length == 400 && counted == 400 && read[0] == 42 && read[1] == 42 && read[2] == 42 && flag == 1 &&
                     payload == 43 && operations(c.system) == 90 && right_on_device();
  std::printf("the ported program is %s (%d)\n", right ? "right" : "wrong", c.system.load());
  return !right;
}
