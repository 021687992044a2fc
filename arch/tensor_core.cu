// SPDX-License-Identifier: Apache-2.0
//
// tensor_core: the device entry points of abi.hpp for operations of tensor cores that a program issues by hand. A unit
// of its own, for the same reason as registers.cu.
#if defined(__CUDA_ARCH__)
#include "select.hpp"

namespace target = cudax::arch::target;
using namespace cudax::abi;

// One entry for each group: ptxas accepts no function that has both.
CUDAX_ENTRY void cudax_tensor_core_commit(void* barrier) { target::template tcgen05_commit<1>(barrier); }
CUDAX_ENTRY void cudax_tensor_core_commit_pair(void* barrier) { target::template tcgen05_commit<2>(barrier); }
CUDAX_ENTRY void cudax_tensor_core_commit_multicast(void* barrier, u32 blocks) {
  target::template tcgen05_commit_multicast<1>(barrier, u16(blocks));
}
CUDAX_ENTRY void cudax_tensor_core_commit_multicast_pair(void* barrier, u32 blocks) {
  target::template tcgen05_commit_multicast<2>(barrier, u16(blocks));
}
CUDAX_ENTRY void cudax_tensor_core_fence_before() { target::tcgen05_fence_before_thread_sync(); }
CUDAX_ENTRY void cudax_tensor_core_fence_after() { target::tcgen05_fence_after_thread_sync(); }
#endif
