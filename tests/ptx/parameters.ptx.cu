// SPDX-License-Identifier: Apache-2.0
//
// parameters: structures that are passed by value to kernels. A kernel that modifies its structure has one copy of it
// in local memory, and `ld.param` reads parameters only: where LLVM's pass nvptx-lower-args runs twice, the second copy
// is made by `ld.param` from the first one.
import cudax.sync;
#include "kernel.hpp"

struct KERNEL_NAME(numbers, CASE) {
  u32 value[10];
};

KERNEL(modified)(KERNEL_NAME(numbers, CASE) numbers, u32 index, u32* result) {
  numbers.value[2] = 7;
  *result = numbers.value[index];
}
// CHECK-LABEL: .entry modified(
// CHECK:     .local {{.*}}[40];
// CHECK-NOT: ld.param{{.*}}[%
// CHECK:     ld.param.b32 {{.*}}, [modified_param_0+4];
// CHECK-NOT: ld.param{{.*}}[%
// CHECK:     ret;

KERNEL(indexed)(KERNEL_NAME(numbers, CASE) numbers, u32 index, u32* result) { *result = numbers.value[index]; }
// CHECK-LABEL: .entry indexed(
// CHECK-NOT: cvta.param
// CHECK:     mov.b64 [[AT:%rd[0-9]+]], indexed_param_0;
// CHECK-NOT: cvta.param
// CHECK:     ld.param.b32 {{%r[0-9]+}}, [%rd
// CHECK:     ret;

// Pointers in a structure point to global memory. The device link does not know that, and the back end does. The case
// is relaxed and at the scope of the device, where the addition is an instruction of LLVM IR.
struct KERNEL_NAME(view, CASE) {
  u32* narrow;
  u64* wide;
};
KERNEL(added)(KERNEL_NAME(view, CASE) view, u32 index, u32* result) {
  *result = atomic_ref<u32, SCOPE>(view.narrow[index]).fetch_add(3, ORDER);
  (void)atomic_ref<u64, SCOPE>(view.wide[index]).fetch_add(5, ORDER);
  atomic_ref<u32, SCOPE>(view.narrow[index + 1]).store_add(7, ORDER);
}
// CHECK-LABEL: .entry added(
// CHECK: atom.relaxed.gpu.global.add.u32 {{.*}}, 3;
// CHECK: atom.relaxed.gpu.global.add.u64 {{.*}}, 5;
// CHECK: atom.relaxed.gpu.global.add.u32 {{.*}}, 7;
