// SPDX-License-Identifier: Apache-2.0
//
// linked: parts of a program that are compiled one by one, to be linked in several ways (consumer.sh).
import cudax.sync;
using namespace cudax;

#if defined(OTHER)
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
