// SPDX-License-Identifier: Apache-2.0
//
// launch_control: the device entry points of abi.hpp for cancelling launches.
#if defined(__CUDA_ARCH__)
#include "select.hpp"

namespace arch = cudax::arch;
namespace target = cudax::arch::target;
using namespace cudax::abi;

CUDAX_ENTRY bool cudax_has_launch_cancellation() { return target::has_cluster_launch_control; }
CUDAX_ENTRY void cudax_cancel_launch(void* answer, void* barrier) {
  target::clusterlaunchcontrol_try_cancel(answer, barrier);
}
CUDAX_ENTRY bool cudax_has_launch_cancellation_multicast() { return target::has_cluster_launch_control_multicast; }
CUDAX_ENTRY void cudax_cancel_launch_multicast(void* answer, void* barrier) {
  target::clusterlaunchcontrol_try_cancel_multicast(answer, barrier);
}
CUDAX_ENTRY bool cudax_launch_is_canceled(u64 low, u64 high) {
  return target::clusterlaunchcontrol_is_canceled(b128(high) << 64 | low);
}
CUDAX_ENTRY u32 cudax_canceled_block(u64 low, u64 high, int dimension) {
  b128 const answer = b128(high) << 64 | low;
  switch (dimension) {
  case 0: return target::clusterlaunchcontrol_first_ctaid_x(answer);
  case 1: return target::clusterlaunchcontrol_first_ctaid_y(answer);
  case 2: return target::clusterlaunchcontrol_first_ctaid_z(answer);
  default:
    arch::stop("cudax.sync: first_ctaid: dimension %lld does not exist; 0, 1, 2 are x, y, z\n", dimension);
    return 0;
  }
}
#endif
