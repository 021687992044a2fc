// SPDX-License-Identifier: Apache-2.0
//
// cluster_address: addresses in the shared memory of any block of the cluster.  PTX ISA, "mapa", "isspacep"
// A program that passes an address in other memory does not link if the compiler knows the memory (arch/README.md, "The
// state space of all else").
#pragma once

#include "../ptx.hpp"

#pragma clang force_cuda_host_device begin

extern "C" void cudax_sync_error_this_object_must_be_in_shared_memory_not_in_global_or_local_memory();

namespace cudax::arch {

/// Refers to an undefined symbol, whose name is the linker's message, if the compiler knows that `pointer` is in other
/// memory than a block's shared memory. PTX leaves the behavior undefined for such an address ("mapa",
/// "mbarrier.arrive", "st.async", ...), and LLVM folds its conversion to no value at all: without the error, the
/// instruction would use a register that was never assigned. Only the device link can tell, after it has inlined the
/// entry into the kernel. A call that a query of the space guards is gone by then: the query folds to false by the same
/// knowledge. One query, since it counts in the size of a loop that the compiler may unroll.
inline void refuse_other_than_shared(void const* pointer) {
  // isspacep.shared::cluster p, a;                       PTX ISA 7.8, sm_90
  bool const shared = __nvvm_isspacep_shared_cluster(pointer);
  if (__builtin_constant_p(shared) && !shared)
    cudax_sync_error_this_object_must_be_in_shared_memory_not_in_global_or_local_memory();
}

/// The address operand of an instruction for the shared memory of any block of the cluster, from a generic pointer.
inline u64 cluster_address(void const* pointer) {
  refuse_other_than_shared(pointer);
  return (u64)(void const __attribute__((address_space(7)))*)pointer;
}

} // namespace cudax::arch

namespace cudax::arch::sm_90 {

// mapa.u64 d, a, b;                                      PTX ISA 7.8, sm_90
inline void* mapa(void* a, u32 b) {
  refuse_other_than_shared(a);
  return __nvvm_mapa(a, int(b));
}

} // namespace cudax::arch::sm_90

#pragma clang force_cuda_host_device end
