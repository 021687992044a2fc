// SPDX-License-Identifier: Apache-2.0
//
// graph: graphs of commands. A node is a command as a stream executes it (queue.hpp); an edge says which of two comes
// first. A capture makes the same nodes as the calls that add them.  [CUDA Programming Guide, "CUDA Graphs"]
#pragma once

#include "queue.hpp"

#include <memory>
#include <vector>

namespace emulator::cuda {

struct graph_edge {
  CUgraphNode_st* from;
  bool is_programmatic =
      false; ///< between kernels: griddepcontrol orders them (port: cudaGraphKernelNodePortProgrammatic)
};

} // namespace emulator::cuda

/// The type to which a cudaGraphNode_t points.
struct CUgraphNode_st {
  CUgraph_st* graph;
  emulator::cuda::command what;
  std::vector<emulator::cuda::graph_edge> after;
  bool is_recorded = false; ///< by a capture, which must join it
};

/// The type to which a cudaGraph_t points.
struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes; ///< in the order in which they were added
  bool is_captured = false; ///< by a capture that has not ended: neither the graph nor a node can be destroyed
};

namespace emulator::cuda {

/// For a capture.
CUgraph_st* make_captured_graph();
void give_graph(CUgraph_st*); ///< the capture has ended
/// Errors: failure cudaErrorInvalidValue if there is no such graph, cudaErrorIllegalState if it is captured
void destroy_graph(CUgraph_st*);
/// Adds a node after these, which a capture has recorded. If the command may start early, its edges from kernels are
/// programmatic.
CUgraphNode_st* add_node(CUgraph_st&, command, std::vector<CUgraphNode_st*> const& after);
/// Whether each recorded node of the graph is one of these or leads to one.
bool leads_to(CUgraph_st const&, std::vector<CUgraphNode_st*> const&);

void forget_graphs(); ///< cudaDeviceReset

} // namespace emulator::cuda
