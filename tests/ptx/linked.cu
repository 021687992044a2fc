// SPDX-License-Identifier: Apache-2.0
//
// linked: parts of a program that are compiled one by one, to be linked in several ways (consumer.sh).
import cudax.sync;
using namespace cudax;

#if defined(REDUCES)
/// Is called by two kernels, and not inlined.
extern "C" __device__ __attribute__((noinline)) void reduce(int* to, unsigned size) {
  extern __shared__ __align__(16) int shared[];
  device::reduce_async_bulk<device::reduction::min>(to, static_cast<int const*>(shared), aligned_size_t<16>(size));
}
extern "C" __global__ void first(int* to, unsigned size) { reduce(to, size), reduce(to + 64, size); }
extern "C" __global__ void second(int* to, unsigned size) { reduce(to, size), reduce(to + 64, size); }
int main() {}
#elif defined(OTHER)
/// Is called by the kernel of CALLS, and may be compiled without device LTO.
extern "C" __device__ void other(unsigned* counter) {
  atomic_ref<unsigned, thread_scope_block>(*counter).fetch_add(1, memory_order_relaxed);
}
#else
#if defined(CALLS)
extern "C" __device__ void other(unsigned* counter);
#endif

extern "C" __global__ void release(unsigned* counter) {
#if defined(CALLS)
  other(counter);
#elif defined(REJECTED)
  asm volatile("no_such_instruction;");
#endif
  atomic_ref<unsigned, thread_scope_device>(*counter).store(1, memory_order_release);
}

#if defined(LAUNCHES)
__global__ void launch(unsigned* counter) { release<<<1, 1>>>(counter); }
#endif

int main() {}
#endif
