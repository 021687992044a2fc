// SPDX-License-Identifier: Apache-2.0
//
// graph_launch: graphs that have been instantiated, and their launches.
#pragma once

#include "graph.hpp"

namespace emulator::cuda {

/// Of a graph that the program may go on to change. Errors: failure cudaErrorInvalidValue if there is no such graph
std::shared_ptr<CUgraph_st const> copy_of(cudaGraph_t);

void forget_executables(); ///< cudaDeviceReset

} // namespace emulator::cuda
