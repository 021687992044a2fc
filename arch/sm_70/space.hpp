// SPDX-License-Identifier: Apache-2.0
//
// space: which state space a generic pointer points into.  PTX ISA, "isspacep"
// The builtins, not asm: the optimiser folds them where it knows the space.
#pragma once

#include "../ptx.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_70 {

// isspacep.global p, a;                                  PTX ISA 2.0, sm_20
inline bool isspacep_global(void const* a) { return __nvvm_isspacep_global(a); }

// isspacep.local p, a;                                   PTX ISA 2.0, sm_20
inline bool isspacep_local(void const* a) { return __nvvm_isspacep_local(a); }

// isspacep.shared p, a;   (the block's own window)       PTX ISA 2.0, sm_20
inline bool isspacep_shared(void const* a) { return __nvvm_isspacep_shared(a); }

} // namespace cudax::arch::sm_70

#pragma clang force_cuda_host_device end
