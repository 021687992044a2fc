// SPDX-License-Identifier: Apache-2.0
//
// Nodes of a graph between which there is no path may run at the same time, also if they happen to run one after the
// other. fork: a capture forks into two streams, and what one stream writes, the other reads. Right: an event orders
// the two. nodes: the same in a graph that is made node by node. Right: with a dependency. chain: a captured launch is
// a dependent one and does not wait for its prerequisite. chain_of_three: a dependent launch between the two does not
// wait, so that a third that is dependent, too, does not know of the first. Right: the third is an ordinary launch.
// memset: a fill between two kernels, to which a path leads and from which a path leads, orders them. Wrong: the second
// kernel does not come after the fill.
#include "program.hpp"
#include "ptx.hpp"

namespace {

constexpr int threads = 64, launches = 2;

__global__ void write(int* data) {
  ptx::launch_dependents();
  data[threadIdx.x] = int(threadIdx.x) + 1; // first
}
template <bool waits>
__global__ void read(int const* data, int* copy) {
  if constexpr (waits) ptx::wait_for_prerequisites();
  copy[threadIdx.x] = data[threadIdx.x]; // second
}

__global__ void pass() { ptx::launch_dependents(); }

/// It comes after the fills of device_memory, which are in the legacy default stream.
struct stream {
  cudaStream_t handle = nullptr;
  stream() { CHECK_MUST(cudaStreamCreate(&handle)); }
  ~stream() { cudaStreamDestroy(handle); }
};
/// `from` continues after what `to` has now.
void order(stream const& from, stream const& to) {
  cudaEvent_t event = nullptr;
  CHECK_MUST(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  CHECK_MUST(cudaEventRecord(event, to.handle));
  CHECK_MUST(cudaStreamWaitEvent(from.handle, event));
  CHECK_MUST(cudaEventDestroy(event));
}

/// Launches the graph several times, and destroys it.
void run(cudaGraph_t graph) {
  cudaGraphExec_t made = nullptr;
  stream s;
  CHECK_MUST(cudaGraphInstantiate(&made, graph, 0));
  for (int i = 0; i < launches; ++i) CHECK_MUST(cudaGraphLaunch(made, s.handle));
  CHECK_MUST(cudaStreamSynchronize(s.handle));
  CHECK_MUST(cudaGraphExecDestroy(made));
  CHECK_MUST(cudaGraphDestroy(graph));
}

bool is_copied(check::device_memory<int> const& copy) {
  for (int i = 0; i < threads; ++i)
    if (copy[i] != i + 1) return false;
  return true;
}

bool run_fork(bool right) {
  check::device_memory<int> data(threads), copy(threads);
  stream one, other;
  cudaGraph_t graph = nullptr;
  CHECK_MUST(cudaStreamBeginCapture(one.handle, cudaStreamCaptureModeThreadLocal));
  order(other, one);
  check::enqueue({.threads = threads, .stream = one.handle}, write, data.data());
  if (right) order(other, one);
  check::enqueue({.threads = threads, .stream = other.handle}, read<false>, data.data(), copy.data());
  order(one, other);
  CHECK_MUST(cudaStreamEndCapture(one.handle, &graph));
  run(graph);
  return is_copied(copy);
}

bool run_chain(bool right) {
  check::device_memory<int> data(threads), copy(threads);
  stream s;
  cudaGraph_t graph = nullptr;
  CHECK_MUST(cudaStreamBeginCapture(s.handle, cudaStreamCaptureModeThreadLocal));
  check::enqueue({.threads = threads, .stream = s.handle}, write, data.data());
  check::enqueue({.threads = threads, .is_dependent = true, .stream = s.handle}, right ? read<true> : read<false>,
                 data.data(), copy.data());
  CHECK_MUST(cudaStreamEndCapture(s.handle, &graph));
  run(graph);
  return is_copied(copy);
}

bool run_chain_of_three(bool right) {
  check::device_memory<int> data(threads), copy(threads);
  stream s;
  cudaGraph_t graph = nullptr;
  CHECK_MUST(cudaStreamBeginCapture(s.handle, cudaStreamCaptureModeThreadLocal));
  check::enqueue({.threads = threads, .stream = s.handle}, write, data.data());
  check::enqueue({.is_dependent = true, .stream = s.handle}, pass);
  check::enqueue({.threads = threads, .is_dependent = !right, .stream = s.handle}, read<true>, data.data(),
                 copy.data());
  CHECK_MUST(cudaStreamEndCapture(s.handle, &graph));
  run(graph);
  return is_copied(copy);
}

template <class... Arguments>
cudaGraphNode_t add(cudaGraph_t graph, void (*kernel)(Arguments...), std::initializer_list<cudaGraphNode_t> after,
                    Arguments... arguments) {
  void* pointers[] = {&arguments...};
  cudaKernelNodeParams p{};
  p.func = reinterpret_cast<void*>(kernel);
  p.gridDim = dim3(1);
  p.blockDim = dim3(threads);
  p.kernelParams = pointers;
  cudaGraphNode_t node = nullptr;
  CHECK_MUST(cudaGraphAddKernelNode(&node, graph, after.begin(), after.size(), &p));
  return node;
}

bool run_nodes(bool right) {
  check::device_memory<int> data(threads), copy(threads);
  cudaGraph_t graph = nullptr;
  CHECK_MUST(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t const writes = add(graph, write, {}, data.data());
  cudaGraphNode_t const reads = add(graph, read<false>, {}, static_cast<int const*>(data.data()), copy.data());
  if (right) CHECK_MUST(cudaGraphAddDependencies(graph, &writes, &reads, nullptr, 1));
  run(graph);
  return is_copied(copy);
}

bool run_memset(bool right) {
  check::device_memory<int> data(threads), copy(threads), other;
  cudaGraph_t graph = nullptr;
  CHECK_MUST(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t const writes = add(graph, write, {}, data.data());
  cudaMemsetParams const fill{other.data(), 0, 7, sizeof(int), 1, 1};
  cudaGraphNode_t fills = nullptr;
  CHECK_MUST(cudaGraphAddMemsetNode(&fills, graph, &writes, 1, &fill));
  auto const* const from = static_cast<int const*>(data.data());
  if (right) add(graph, read<false>, {fills}, from, copy.data());
  else add(graph, read<false>, {}, from, copy.data());
  run(graph);
  return is_copied(copy) && other[0] == 7;
}

check::program const programs[] = {
    {"graph_fork_without_event", "race", run_fork},
    {"graph_chain_without_wait", "race", run_chain},
    {"graph_chain_without_wait_between", "race", run_chain_of_three},
    {"graph_nodes_without_dependency", "race", run_nodes},
    {"graph_kernel_beside_fill", "race", run_memset},
};

} // namespace
