// SPDX-License-Identifier: Apache-2.0
//
// griddepcontrol: what a grid tells the grid that is launched after it as its dependent, and how the dependent waits.
// PTX ISA, "griddepcontrol"
#pragma once

#include "../ptx.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_90 {

// griddepcontrol.wait;                                   PTX ISA 7.8, sm_90
inline void griddepcontrol_wait() { asm volatile("griddepcontrol.wait;" : : : "memory"); }

// griddepcontrol.launch_dependents;                      PTX ISA 7.8, sm_90
inline void griddepcontrol_launch_dependents() { asm volatile("griddepcontrol.launch_dependents;" : : : "memory"); }

} // namespace cudax::arch::sm_90

#pragma clang force_cuda_host_device end
