// SPDX-License-Identifier: Apache-2.0
//
// registers: the number of registers of a warp, which only SMs with a letter can change. For others a call does not
// link (consumer.sh).
import cudax.sync;
#include "../../arch/abi.hpp"
#include "kernel.hpp"

// ptxas ignores setmaxnreg in a kernel without a bound.
#define BOUND_KERNEL(name) extern "C" __global__ void __launch_bounds__(384, 1) KERNEL_NAME(name, CASE)

BOUND_KERNEL(increase_registers)() { cudax_increase_registers(240); }
// CHECK-LABEL: .entry increase_registers(
// CHECK: setmaxnreg.inc.sync.aligned.u32 240;
// CHECK: ret;

BOUND_KERNEL(decrease_registers)() { cudax_decrease_registers(24); }
// CHECK-LABEL: .entry decrease_registers(
// CHECK: setmaxnreg.dec.sync.aligned.u32 24;
// CHECK: ret;

BOUND_KERNEL(roles)(u32* out) {
  if (threadIdx.x < 128) return this_warpgroup.decrease_registers<32>();
  this_warpgroup.increase_registers<232>();
  out[threadIdx.x] = 1;
}
// CHECK-LABEL: .entry roles(
// CHECK: setmaxnreg.dec.sync.aligned.u32 32;
// CHECK: setmaxnreg.inc.sync.aligned.u32 232;
// CHECK: st.global.b32
// CHECK: ret;
