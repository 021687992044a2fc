// SPDX-License-Identifier: Apache-2.0
//
// commands: commands for nodes that a program adds to a graph, checked as those of streams are.
#pragma once

#include "queue.hpp"

namespace emulator::cuda {

/// Errors: those of a launch
command grid_of(cudaKernelNodeParams const&);
/// Errors: those of cudaMemcpy and cudaMemset; failure cudaErrorInvalidValue if nothing would be copied or filled
command copy_of(void* to, void const* from, size_t size, cudaMemcpyKind);
command fill_of(cudaMemsetParams const&);

} // namespace emulator::cuda
