// SPDX-License-Identifier: Apache-2.0
//
// consumer: a program that the compiler's plain commands build, and what becomes of its kernel.
import cudax.sync;

__global__ void count(unsigned* counter, unsigned* result) {
  using namespace cudax;
  *result = atomic_ref<unsigned, thread_scope_device>(*counter).fetch_add(1, memory_order_acq_rel);
}
// CHECK-NOT:   .func
// CHECK-LABEL: .entry _Z5countPjS_(
// CHECK:       atom.acq_rel.gpu.global.add.u32
// CHECK-NOT:   .func
// CHECK-NOT:   .entry

int main() {
  unsigned* counter = nullptr;
  if (cudaMalloc(&counter, 2 * sizeof(unsigned))) return 77; // no device
  count<<<1, 1>>>(counter, counter + 1);
  return cudaDeviceSynchronize();
}
