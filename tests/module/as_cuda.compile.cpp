// SPDX-License-Identifier: Apache-2.0
//
// as_cuda: cudax/as_cuda.hpp gives this library libcu++'s names. Headers without synchronization may come before it;
// cooperative groups, Thrust, CUB and the headers that it replaces come after it. consumer/ports/copies.cu runs them.
#if defined(__CUDA__)
#include <cuda/ptx>
#include <cuda/std/complex>
#include <cuda/std/span>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <curand_kernel.h>
#endif

#include <cudax/as_cuda.hpp>

#if defined(__CUDA__)
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cub/cub.cuh>
#include <cuda/annotated_ptr>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/atomic>
#include <cuda/std/barrier>
#include <cuda/std/latch>
#include <cuda/std/semaphore>
#include <cuda/std/tuple>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#endif
#include <cudax/as_cuda.hpp> // again

template <class A, class B>
inline constexpr bool same = __is_same(A, B);

// The types are this library's. Namespace cuda::std has system scope.
static_assert(same<cuda::atomic<int, cuda::thread_scope_device>, cudax::atomic<int, cudax::thread_scope_device>>);
static_assert(same<cuda::std::atomic<int>, cudax::atomic<int>>);
static_assert(same<cuda::std::atomic_ref<int>, cudax::atomic_ref<int>>);
static_assert(same<cuda::std::atomic_int, cudax::atomic<int>>);
static_assert(same<cuda::std::atomic_flag, cudax::atomic_flag>);
static_assert(same<cuda::memory_order, cudax::memory_order> && same<cuda::std::memory_order, cudax::memory_order>);
static_assert(same<cuda::thread_scope, cudax::thread_scope> && same<cuda::std::thread_scope, cudax::thread_scope>);
static_assert(same<cuda::std::barrier<>, cudax::barrier<>> && same<cuda::std::latch, cudax::latch<>>);
static_assert(same<cuda::std::counting_semaphore<10>, cudax::counting_semaphore<cudax::thread_scope_system, 10>>);
static_assert(same<cuda::std::counting_semaphore<>, cudax::counting_semaphore<>>);
static_assert(same<cuda::std::binary_semaphore, cudax::binary_semaphore<>>);
static_assert(
    same<cuda::binary_semaphore<cuda::thread_scope_block>, cudax::counting_semaphore<cudax::thread_scope_block, 1>>);
static_assert(same<cuda::pipeline<cuda::thread_scope_block>, cudax::pipeline<cudax::thread_scope_block>>);

struct completion {
  void operator()() {}
};
static_assert(same<cuda::std::barrier<completion>, cudax::barrier<cudax::thread_scope_system, completion>>);

void deduced(int& i) {
  cuda::std::atomic a = 4;
  cuda::std::atomic_ref r(i);
  cuda::std::barrier b(1);
  cuda::std::barrier with_completion(1, completion());
  static_assert(same<decltype(a), cudax::atomic<int>> && same<decltype(r), cudax::atomic_ref<int>>);
  static_assert(same<decltype(b), cudax::barrier<>>);
  static_assert(same<decltype(with_completion), cudax::barrier<cudax::thread_scope_system, completion>>);
}

void used(cuda::atomic<int, cuda::thread_scope_device>& a, cuda::std::atomic_flag& flag) {
  a.store(1, cuda::memory_order_release);
  a.store(1, cuda::std::memory_order_relaxed);
  (void)a.wait_for(0, cuda::std::chrono::milliseconds(1), cuda::memory_order_acquire);
  (void)a.wait_until(0, cuda::std::chrono::high_resolution_clock::now() + cuda::std::chrono::microseconds(1));
  cuda::std::atomic_store_explicit(&a, 2, cuda::std::memory_order_release);
  cuda::std::atomic_init(&a, cuda::std::kill_dependency(3));
  cuda::std::atomic_flag_clear(&flag);
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_block);
  cuda::std::atomic_thread_fence(cuda::std::memory_order_seq_cst);
  cuda::std::atomic_signal_fence(cuda::std::memory_order_seq_cst);
  cuda::std::atomic<int> by_braces = LIBCUDACXX_ATOMIC_VAR_INIT(3);
  cuda::std::atomic_flag clear = LIBCUDACXX_ATOMIC_FLAG_INIT;
  by_braces++, clear.clear();
}

// The extensions are in namespace cudax only.
cudax::mutex<cuda::thread_scope_device>* mutex = nullptr;

#if defined(__CUDA__)
__global__ void kernel(cuda::access_property property, int* p, int const* q) {
  __shared__ cuda::barrier<cuda::thread_scope_block> b;
  if (threadIdx.x == 0) init(&b, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(p, q, cuda::aligned_size_t<4>(4), b);
  cuda::device::barrier_expect_tx(b, 0);
  (void)cuda::device::barrier_native_handle(b);
  b.arrive_and_wait();
  cuda::for_each_canceled_block<1>([=](dim3 index) { p[index.x] = 1; });
  cuda::apply_access_property(p, 4, cuda::access_property::persisting{});
  (void)property;
}
void thrust_and_cub(thrust::device_vector<int>& values) { thrust::sort(values.begin(), values.end()); }
#endif
