// SPDX-License-Identifier: Apache-2.0
//
// registers: the device entry points of abi.hpp for the number of registers of a thread. A unit of its own, because it
// refers to a symbol that is defined nowhere (sm_70/missing.hpp), except for SMs with a letter: only a program that
// calls it fails to link.
#if defined(__CUDA_ARCH__)
#include "select.hpp"

namespace arch = cudax::arch;
namespace target = cudax::arch::target;
using namespace cudax::abi;

CUDAX_ENTRY void cudax_increase_registers(u32 count) {
  arch::with_registers(count, []<u32 Count> { target::template setmaxnreg_inc<Count>(); });
}
CUDAX_ENTRY void cudax_decrease_registers(u32 count) {
  arch::with_registers(count, []<u32 Count> { target::template setmaxnreg_dec<Count>(); });
}
#endif
