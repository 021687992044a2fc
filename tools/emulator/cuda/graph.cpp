// SPDX-License-Identifier: Apache-2.0
//
// graph: their nodes and edges, and the calls that make, change and read them. One lock protects all graphs.
#include "graph.hpp"
#include "commands.hpp"
#include "graph_launch.hpp"

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

namespace emulator::cuda {
namespace {

struct graphs {
  std::mutex lock;
  std::unordered_map<CUgraph_st*, std::unique_ptr<CUgraph_st>> all;
  std::unordered_set<CUgraphNode_st*> nodes;
};

graphs& the_graphs() {
  static graphs& only = *new graphs;
  return only;
}

// The functions from here on are called under the lock.

CUgraph_st& graph_of(cudaGraph_t handle) {
  require(handle && the_graphs().all.contains(handle));
  return *handle;
}

CUgraphNode_st& node_of(cudaGraphNode_t handle) {
  require(handle && the_graphs().nodes.contains(handle));
  return *handle;
}

bool is_kernel(CUgraphNode_st const& n) { return n.what.type == cudaGraphNodeTypeKernel; }

bool has_edge(CUgraphNode_st const& to, CUgraphNode_st const* from) {
  return std::ranges::find(to.after, from, &graph_edge::from) != to.after.end();
}

/// A capture goes on to use the graph and its nodes.
void require_not_captured(CUgraph_st const& graph) { require(!graph.is_captured, cudaErrorIllegalState); }

CUgraphNode_st* add(CUgraph_st& graph, command c, std::vector<graph_edge> after) {
  auto& made = graph.nodes.emplace_back(new CUgraphNode_st{&graph, std::move(c), std::move(after)});
  the_graphs().nodes.insert(made.get());
  return made.get();
}

/// The edge that the data describe, to a node of the same graph.
graph_edge edge_of(CUgraphNode_st& from, command const& to, cudaGraphEdgeData const* data) {
  if (!data || (data->type == cudaGraphDependencyTypeDefault && data->from_port == cudaGraphKernelNodePortDefault))
    return {&from};
  require(data->type == cudaGraphDependencyTypeProgrammatic && data->to_port == 0);
  if (data->from_port == cudaGraphKernelNodePortLaunchCompletion)
    reject(cudaErrorNotSupported, "an edge of a graph from the port cudaGraphKernelNodePortLaunchCompletion; the "
                                  "emulator knows cudaGraphKernelNodePortProgrammatic");
  require(data->from_port == cudaGraphKernelNodePortProgrammatic && is_kernel(from) &&
          to.type == cudaGraphNodeTypeKernel);
  return {&from, true};
}

cudaGraphEdgeData data_of(graph_edge const& e) {
  cudaGraphEdgeData data{};
  if (!e.is_programmatic) return data;
  data.type = cudaGraphDependencyTypeProgrammatic;
  data.from_port = cudaGraphKernelNodePortProgrammatic;
  return data;
}

CUgraph_st* make_graph(bool is_captured) {
  auto& g = the_graphs();
  std::lock_guard guard(g.lock);
  auto made = std::make_unique<CUgraph_st>();
  made->is_captured = is_captured;
  CUgraph_st* const handle = made.get();
  g.all[handle] = std::move(made);
  return handle;
}

/// For the calls that add a node.
cudaError_t add_by_call(cudaGraphNode_t* made, cudaGraph_t graph, cudaGraphNode_t const* after,
                        cudaGraphEdgeData const* data, size_t count, auto make_command) {
  return call([&] {
    require(made && (after || count == 0));
    command what = make_command();
    std::lock_guard guard(the_graphs().lock);
    CUgraph_st& to = graph_of(graph);
    std::vector<graph_edge> edges;
    for (size_t i = 0; i < count; ++i) {
      CUgraphNode_st& from = node_of(after[i]);
      require(from.graph == &to && std::ranges::find(edges, &from, &graph_edge::from) == edges.end());
      edges.push_back(edge_of(from, what, data ? data + i : nullptr));
    }
    *made = add(to, std::move(what), std::move(edges));
  });
}

/// Gives a list to the program: its size, or as many of its elements as there is room for.
void give(std::vector<cudaGraphNode_t> const& all, cudaGraphNode_t* to, size_t& count) {
  if (!to) return void(count = all.size());
  for (size_t i = 0; i < count; ++i) to[i] = i < all.size() ? all[i] : nullptr;
  count = std::min(count, all.size());
}

/// Edges; those that are not ordinary need room for their data.
struct edge_list {
  std::vector<cudaGraphNode_t> from{}, to{};
  std::vector<cudaGraphEdgeData> data{};

  void add(CUgraphNode_st& node, graph_edge const& e) {
    from.push_back(e.from);
    to.push_back(&node);
    data.push_back(data_of(e));
  }
  void give_data(bool is_wanted, cudaGraphEdgeData* where, size_t count) const {
    if (!is_wanted) return;
    for (size_t i = 0; i < std::min(count, data.size()); ++i) {
      require(where || data[i].type == cudaGraphDependencyTypeDefault, cudaErrorLossyQuery);
      if (where) where[i] = data[i];
    }
  }
};

} // namespace

std::unique_ptr<CUgraph_st> copy_of(CUgraph_st const& graph) {
  auto made = std::make_unique<CUgraph_st>();
  std::unordered_map<CUgraphNode_st const*, CUgraphNode_st*> nodes;
  for (auto const& n : graph.nodes)
    nodes[n.get()] = made->nodes.emplace_back(new CUgraphNode_st{made.get(), n->what, n->after}).get();
  for (auto& n : made->nodes)
    for (graph_edge& e : n->after) e.from = nodes.at(e.from);
  return made;
}

std::shared_ptr<CUgraph_st const> copy_of(cudaGraph_t handle) {
  std::lock_guard guard(the_graphs().lock);
  return copy_of(graph_of(handle));
}

CUgraph_st* make_captured_graph() { return make_graph(true); }

void give_graph(CUgraph_st* graph) {
  std::lock_guard guard(the_graphs().lock);
  graph_of(graph).is_captured = false;
}

void destroy_graph(CUgraph_st* graph) {
  auto& g = the_graphs();
  std::lock_guard guard(g.lock);
  require_not_captured(graph_of(graph));
  for (auto const& n : graph->nodes) g.nodes.erase(n.get());
  g.all.erase(graph);
}

CUgraphNode_st* add_node(CUgraph_st& graph, command what, std::vector<CUgraphNode_st*> const& after) {
  std::lock_guard guard(the_graphs().lock);
  std::vector<graph_edge> edges;
  edges.reserve(after.size());
  for (CUgraphNode_st* const from : after) edges.push_back({from, what.may_start_early && is_kernel(*from)});
  CUgraphNode_st* const made = add(graph, std::move(what), std::move(edges));
  made->is_recorded = true;
  return made;
}

bool leads_to(CUgraph_st const& graph, std::vector<CUgraphNode_st*> const& ends) {
  std::lock_guard guard(the_graphs().lock);
  std::unordered_set<CUgraphNode_st const*> seen(ends.begin(), ends.end());
  std::vector<CUgraphNode_st const*> open(ends.begin(), ends.end());
  while (!open.empty()) {
    CUgraphNode_st const* const n = open.back();
    open.pop_back();
    for (graph_edge const& e : n->after)
      if (seen.insert(e.from).second) open.push_back(e.from);
  }
  return std::ranges::all_of(graph.nodes, [&](auto const& n) { return !n->is_recorded || seen.contains(n.get()); });
}

void forget_graphs() {
  forget_executables();
  auto& g = the_graphs();
  std::lock_guard guard(g.lock);
  g.nodes.clear();
  g.all.clear();
}

} // namespace emulator::cuda

using namespace emulator::cuda;

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
  return call([&] {
    require(graph && flags == 0);
    *graph = make_graph(false);
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return call([&] { destroy_graph(graph); });
}

cudaError_t cudaGraphClone(cudaGraph_t* made, cudaGraph_t graph) {
  return call([&] {
    require(made);
    auto& g = the_graphs();
    std::lock_guard guard(g.lock);
    auto copy = copy_of(graph_of(graph));
    for (auto const& n : copy->nodes) g.nodes.insert(n.get());
    *made = copy.get();
    g.all[*made] = std::move(copy);
  });
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* made, cudaGraph_t graph, cudaGraphNode_t const* after, size_t count,
                                   cudaKernelNodeParams const* p) {
  return add_by_call(made, graph, after, nullptr, count, [&] {
    require(p);
    return grid_of(*p);
  });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* made, cudaGraph_t graph, cudaGraphNode_t const* after,
                                     size_t count, void* to, void const* from, size_t size, cudaMemcpyKind kind) {
  return add_by_call(made, graph, after, nullptr, count, [&] { return copy_of(to, from, size, kind); });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* made, cudaGraph_t graph, cudaGraphNode_t const* after, size_t count,
                                   cudaMemsetParams const* p) {
  return add_by_call(made, graph, after, nullptr, count, [&] {
    require(p);
    return fill_of(*p);
  });
}

namespace {

command host_command(cudaHostFn_t function, void* data) {
  require(function);
  return {.type = cudaGraphNodeTypeHost, .run = [=] { function(data); }};
}

command graph_command(cudaGraph_t child) { return {.type = cudaGraphNodeTypeGraph, .child = copy_of(child)}; }

} // namespace

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* made, cudaGraph_t graph, cudaGraphNode_t const* after, size_t count,
                                 cudaHostNodeParams const* p) {
  return add_by_call(made, graph, after, nullptr, count, [&] {
    require(p);
    return host_command(p->fn, p->userData);
  });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* made, cudaGraph_t graph, cudaGraphNode_t const* after,
                                  size_t count) {
  return add_by_call(made, graph, after, nullptr, count, [] { return command{}; });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* made, cudaGraph_t graph, cudaGraphNode_t const* after,
                                       size_t count, cudaGraph_t child) {
  return add_by_call(made, graph, after, nullptr, count, [&] {
    require(child != graph);
    return graph_command(child);
  });
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t* made, cudaGraph_t graph, cudaGraphNode_t const* after,
                             cudaGraphEdgeData const* data, size_t count, cudaGraphNodeParams* p) {
  return add_by_call(made, graph, after, data, count, [&]() -> command {
    require(p);
    switch (p->type) {
    case cudaGraphNodeTypeKernel:
      return grid_of({p->kernel.func, p->kernel.gridDim, p->kernel.blockDim, p->kernel.sharedMemBytes,
                      p->kernel.kernelParams, p->kernel.extra});
    case cudaGraphNodeTypeMemset:
      return fill_of(
          {p->memset.dst, p->memset.pitch, p->memset.value, p->memset.elementSize, p->memset.width, p->memset.height});
    case cudaGraphNodeTypeHost: return host_command(p->host.fn, p->host.userData);
    case cudaGraphNodeTypeGraph: require(p->graph.graph != graph); return graph_command(p->graph.graph);
    case cudaGraphNodeTypeEmpty: return {};
    default:
      reject(cudaErrorNotSupported,
             "cudaGraphAddNode: the emulator's graphs have no nodes of type " + std::to_string(int(p->type)) +
                 "; they have kernels, fills, host functions, graphs, empty nodes, and copies by "
                 "cudaGraphAddMemcpyNode1D or by a capture");
    }
  });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, cudaGraphNode_t const* from, cudaGraphNode_t const* to,
                                     cudaGraphEdgeData const* data, size_t count) {
  return call([&] {
    require(count == 0 || (from && to));
    std::lock_guard guard(the_graphs().lock);
    CUgraph_st const& in = graph_of(graph);
    for (size_t i = 0; i < count; ++i) {
      CUgraphNode_st &first = node_of(from[i]), &second = node_of(to[i]);
      require(first.graph == &in && second.graph == &in && &first != &second && !has_edge(second, &first));
      second.after.push_back(edge_of(first, second.what, data ? data + i : nullptr));
    }
  });
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, cudaGraphNode_t const* from, cudaGraphNode_t const* to,
                                        cudaGraphEdgeData const*, size_t count) {
  return call([&] {
    require(count == 0 || (from && to));
    std::lock_guard guard(the_graphs().lock);
    CUgraph_st const& in = graph_of(graph);
    for (size_t i = 0; i < count; ++i) {
      CUgraphNode_st &first = node_of(from[i]), &second = node_of(to[i]);
      require(first.graph == &in && second.graph == &in && has_edge(second, &first));
      std::erase_if(second.after, [&](graph_edge const& e) { return e.from == &first; });
    }
  });
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  return call([&] {
    auto& g = the_graphs();
    std::lock_guard guard(g.lock);
    CUgraph_st& in = *node_of(node).graph;
    require_not_captured(in);
    for (auto const& n : in.nodes) std::erase_if(n->after, [&](graph_edge const& e) { return e.from == node; });
    g.nodes.erase(node);
    std::erase_if(in.nodes, [&](auto const& n) { return n.get() == node; });
  });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return call([&] {
    require(count);
    std::lock_guard guard(the_graphs().lock);
    std::vector<cudaGraphNode_t> all;
    for (auto const& n : graph_of(graph).nodes) all.push_back(n.get());
    give(all, nodes, *count);
  });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return call([&] {
    require(count);
    std::lock_guard guard(the_graphs().lock);
    std::vector<cudaGraphNode_t> all;
    for (auto const& n : graph_of(graph).nodes)
      if (n->after.empty()) all.push_back(n.get());
    give(all, nodes, *count);
  });
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* data,
                              size_t* count) {
  return call([&] {
    require(count && (from != nullptr) == (to != nullptr) && (from || !data));
    std::lock_guard guard(the_graphs().lock);
    edge_list all;
    for (auto const& from_node : graph_of(graph).nodes)
      for (auto const& n : graph->nodes)
        for (graph_edge const& e : n->after)
          if (e.from == from_node.get()) all.add(*n, e);
    all.give_data(from != nullptr, data, *count);
    size_t room = *count;
    give(all.from, from, room);
    give(all.to, to, *count);
  });
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes, cudaGraphEdgeData* data,
                                         size_t* count) {
  return call([&] {
    require(count && (nodes || !data));
    std::lock_guard guard(the_graphs().lock);
    edge_list all;
    for (graph_edge const& e : node_of(node).after) all.add(*node, e);
    all.give_data(nodes != nullptr, data, *count);
    give(all.from, nodes, *count);
  });
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes, cudaGraphEdgeData* data,
                                           size_t* count) {
  return call([&] {
    require(count && (nodes || !data));
    std::lock_guard guard(the_graphs().lock);
    edge_list all;
    for (auto const& n : node_of(node).graph->nodes)
      for (graph_edge const& e : n->after)
        if (e.from == node) all.add(*n, e);
    all.give_data(nodes != nullptr, data, *count);
    give(all.to, nodes, *count);
  });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  return call([&] {
    require(type);
    std::lock_guard guard(the_graphs().lock);
    *type = node_of(node).what.type;
  });
}
