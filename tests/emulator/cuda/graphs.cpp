// SPDX-License-Identifier: Apache-2.0
//
// Graphs: made node by node and by captures, launched; the errors of captures. Each code is that of an H100 with the
// driver 580, unless the comment says otherwise.
#include "runtime.hpp"

#include <algorithm>
#include <functional>
#include <vector>

using namespace cudax_test;

BOOST_AUTO_TEST_SUITE(graphs)

namespace {

struct graph {
  cudaGraph_t handle = nullptr;
  graph() { SUCCEEDS(cudaGraphCreate(&handle, 0)); }
  explicit graph(cudaGraph_t made) : handle(made) {}
  graph(graph const&) = delete;
  ~graph() { cudaGraphDestroy(handle); }

  template <class... Arguments>
  cudaGraphNode_t add(void const* kernel, std::vector<cudaGraphNode_t> const& after, Arguments... arguments) {
    void* pointers[] = {&arguments..., nullptr};
    cudaKernelNodeParams const p{const_cast<void*>(kernel), dim3(1), dim3(1), 0, pointers, nullptr};
    cudaGraphNode_t node = nullptr;
    SUCCEEDS(cudaGraphAddKernelNode(&node, handle, after.data(), after.size(), &p));
    return node;
  }
  std::vector<cudaGraphNode_t> nodes() const {
    std::size_t count = 0;
    SUCCEEDS(cudaGraphGetNodes(handle, nullptr, &count));
    std::vector<cudaGraphNode_t> all(count);
    SUCCEEDS(cudaGraphGetNodes(handle, all.data(), &count));
    return all;
  }
  /// "from>to" by the numbers of nodes, "from=>to" where the edge is programmatic, in the order in which CUDA gives
  /// them
  std::string edges() const {
    auto const all = nodes();
    auto const number = [&](cudaGraphNode_t n) { return std::to_string(std::ranges::find(all, n) - all.begin()); };
    std::size_t count = 0;
    SUCCEEDS(cudaGraphGetEdges(handle, nullptr, nullptr, nullptr, &count));
    std::vector<cudaGraphNode_t> from(count), to(count);
    std::vector<cudaGraphEdgeData> data(count);
    if (count) SUCCEEDS(cudaGraphGetEdges(handle, from.data(), to.data(), data.data(), &count));
    std::string text;
    for (std::size_t i = 0; i < count; ++i)
      text += (i ? " " : "") + number(from[i]) + (data[i].type ? "=>" : ">") + number(to[i]);
    return text;
  }
};

struct executable {
  cudaGraphExec_t handle = nullptr;
  explicit executable(graph const& g) { SUCCEEDS(cudaGraphInstantiate(&handle, g.handle, 0)); }
  executable(executable const&) = delete;
  ~executable() { cudaGraphExecDestroy(handle); }
};

void begin(stream const& s, cudaStreamCaptureMode mode = cudaStreamCaptureModeThreadLocal) {
  SUCCEEDS(cudaStreamBeginCapture(s.handle, mode));
}
cudaGraph_t end(stream const& s) {
  cudaGraph_t made = nullptr;
  SUCCEEDS(cudaStreamEndCapture(s.handle, &made));
  BOOST_REQUIRE(made);
  return made;
}
void ends_with(cudaError_t error, stream const& s) {
  auto made = reinterpret_cast<cudaGraph_t>(&error);
  RETURNS(error, cudaStreamEndCapture(s.handle, &made));
  BOOST_CHECK(made == nullptr);
}
cudaStreamCaptureStatus status(stream const& s) {
  auto status = cudaStreamCaptureStatusNone;
  SUCCEEDS(cudaStreamIsCapturing(s.handle, &status));
  return status;
}

cudaError_t launch_early(stream const& s, unsigned* where, unsigned value) {
  void* pointers[] = {&where, &value};
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = config.blockDim = dim3(1);
  config.stream = s.handle;
  config.attrs = &attribute;
  config.numAttrs = 1;
  return cudaLaunchKernelExC(&config, kernels::add, pointers);
}

} // namespace

BOOST_AUTO_TEST_CASE(nodes_run_in_the_order_of_the_edges_at_each_launch) {
  mapped_word word, copy, filled;
  unsigned calls = 0;
  graph g;
  auto const set = g.add(kernels::set, {}, word.at, 5u);
  auto const add = g.add(kernels::add, {set}, word.at, 2u);
  cudaGraphNode_t copies = nullptr, fills = nullptr, joins = nullptr, host = nullptr;
  SUCCEEDS(cudaGraphAddMemcpyNode1D(&copies, g.handle, &add, 1, copy.at, word.at, 4, cudaMemcpyDefault));
  cudaMemsetParams const fill{filled.at, 0, 0x1234, 2, 1, 1};
  SUCCEEDS(cudaGraphAddMemsetNode(&fills, g.handle, nullptr, 0, &fill));
  cudaGraphNode_t const both[] = {copies, fills};
  SUCCEEDS(cudaGraphAddEmptyNode(&joins, g.handle, both, 2));
  cudaHostNodeParams const call{[](void* p) { ++*static_cast<unsigned*>(p); }, &calls};
  SUCCEEDS(cudaGraphAddHostNode(&host, g.handle, &joins, 1, &call));
  BOOST_CHECK_EQUAL(g.edges(), "0>1 1>2 2>4 3>4 4>5");
  executable x(g);
  stream s;
  for (unsigned launches = 1; launches <= 3; ++launches) {
    copy.store(0);
    SUCCEEDS(cudaGraphLaunch(x.handle, s.handle));
    SUCCEEDS(cudaStreamSynchronize(s.handle));
    BOOST_CHECK_EQUAL(copy.load(), 7u);
    BOOST_CHECK_EQUAL(filled.load(), 0x1234u);
    BOOST_CHECK_EQUAL(calls, launches);
  }
}

BOOST_AUTO_TEST_CASE(branches_run_at_the_same_time_and_a_launch_is_one_piece_of_its_stream) {
  mapped_word gate, flag, joined, done;
  graph g;
  auto const quick = g.add(kernels::set, {}, joined.at, 2u);
  auto const first = g.add(kernels::wait_for, {}, flag.at, 1u), waits = g.add(kernels::wait_for, {}, gate.at, 1u);
  g.add(kernels::set, {waits}, flag.at, 1u); // ends the first
  g.add(kernels::set, {quick, first}, joined.at, 3u);
  executable x(g);
  stream s;
  SUCCEEDS(cudaGraphLaunch(x.handle, s.handle));
  SUCCEEDS(launch(kernels::set, 1, 1, s.handle, done.at, 1u));
  let_others_run();
  BOOST_CHECK_EQUAL(done.load(), 0u);
  BOOST_CHECK_EQUAL(joined.load(), 2u);
  RETURNS(cudaErrorNotReady, cudaStreamQuery(s.handle));
  gate.store(1);
  SUCCEEDS(cudaStreamSynchronize(s.handle));
  BOOST_CHECK_EQUAL(done.load(), 1u);
  BOOST_CHECK_EQUAL(joined.load(), 3u);
}

BOOST_AUTO_TEST_CASE(launches_of_an_executable_follow_each_other_and_outlive_it) {
  mapped_word gate, sum;
  stream one, other;
  {
    graph g;
    auto const waits = g.add(kernels::wait_for, {}, gate.at, 1u);
    g.add(kernels::add, {}, sum.at, 1u);
    g.add(kernels::add, {waits}, sum.at, 10u);
    executable x(g);
    SUCCEEDS(cudaGraphLaunch(x.handle, one.handle));
    SUCCEEDS(cudaGraphLaunch(x.handle, other.handle));
  }
  let_others_run();
  BOOST_CHECK_EQUAL(sum.load(), 1u);
  gate.store(1);
  SUCCEEDS(cudaDeviceSynchronize());
  BOOST_CHECK_EQUAL(sum.load(), 22u);
}

BOOST_AUTO_TEST_CASE(the_kinds_of_work_of_a_stream_become_nodes) {
  mapped_word word;
  unsigned from = 3, to = 0, calls = 0;
  stream s;
  begin(s);
  SUCCEEDS(cudaMemcpyAsync(word.at, &from, 4, cudaMemcpyDefault, s.handle));
  SUCCEEDS(launch(kernels::add, 1, 1, s.handle, word.at, 1u));
  SUCCEEDS(cudaMemcpyAsync(&to, word.at, 4, cudaMemcpyDefault, s.handle));
  SUCCEEDS(cudaMemcpyAsync(&to, word.at, 0, cudaMemcpyDefault, s.handle)); // no node
  SUCCEEDS(cudaMemsetAsync(word.at, 0, 4, s.handle));
  SUCCEEDS(cudaLaunchHostFunc(s.handle, [](void* p) { ++*static_cast<unsigned*>(p); }, &calls));
  graph g(end(s));
  BOOST_CHECK_EQUAL(g.edges(), "0>1 1>2 2>3 3>4");
  std::vector<int> types;
  for (auto const node : g.nodes()) {
    cudaGraphNodeType type{};
    SUCCEEDS(cudaGraphNodeGetType(node, &type));
    types.push_back(type);
  }
  BOOST_TEST(types == (std::vector<int>{cudaGraphNodeTypeMemcpy, cudaGraphNodeTypeKernel, cudaGraphNodeTypeMemcpy,
                                        cudaGraphNodeTypeMemset, cudaGraphNodeTypeHost}),
             boost::test_tools::per_element());
  from = 10; // ordinary memory is read when the graph runs
  executable x(g);
  SUCCEEDS(cudaGraphLaunch(x.handle, s.handle));
  SUCCEEDS(cudaStreamSynchronize(s.handle));
  BOOST_CHECK_EQUAL(to, 11u);
  BOOST_CHECK_EQUAL(calls, 1u);
}

BOOST_AUTO_TEST_CASE(dependent_launches_have_programmatic_edges_after_kernels) {
  mapped_word sum;
  stream s;
  begin(s);
  for (int i = 0; i < 2; ++i) SUCCEEDS(launch_early(s, sum.at, 1));
  SUCCEEDS(launch(kernels::add, 1, 1, s.handle, sum.at, 1u));
  SUCCEEDS(launch_early(s, sum.at, 1));
  SUCCEEDS(cudaMemsetAsync(sum.at, 0, 4, s.handle));
  SUCCEEDS(launch_early(s, sum.at, 1));
  stream t;
  event forks, joins; // the last launch follows a fill and a kernel
  SUCCEEDS(cudaEventRecord(forks.handle, s.handle));
  SUCCEEDS(cudaStreamWaitEvent(t.handle, forks.handle, 0));
  SUCCEEDS(cudaMemsetAsync(sum.at, 0, 4, t.handle));
  SUCCEEDS(cudaEventRecord(joins.handle, t.handle));
  SUCCEEDS(cudaStreamWaitEvent(s.handle, joins.handle, 0));
  SUCCEEDS(launch_early(s, sum.at, 1));
  graph g(end(s));
  BOOST_CHECK_EQUAL(g.edges(), "0=>1 1>2 2=>3 3>4 4>5 5>6 5=>7 6>7");
  std::size_t room = 9;
  cudaGraphNode_t from[9], to[9];
  RETURNS(cudaErrorLossyQuery, cudaGraphGetEdges(g.handle, from, to, nullptr, &room));
  executable x(g);
  SUCCEEDS(cudaGraphLaunch(x.handle, s.handle));
  SUCCEEDS(cudaStreamSynchronize(s.handle));
  BOOST_CHECK_EQUAL(sum.load(), 1u);
}

BOOST_AUTO_TEST_CASE(streams_join_a_capture_by_events_and_are_joined) {
  mapped_word sum;
  stream s, t;
  event forks, joins;
  begin(s);
  SUCCEEDS(launch(kernels::add, 1, 1, s.handle, sum.at, 1u));
  SUCCEEDS(cudaEventRecord(forks.handle, s.handle));
  SUCCEEDS(cudaStreamWaitEvent(t.handle, forks.handle, 0));
  BOOST_CHECK_EQUAL(status(t), cudaStreamCaptureStatusActive);
  SUCCEEDS(launch_early(t, sum.at, 1));
  SUCCEEDS(launch_early(s, sum.at, 1));
  SUCCEEDS(cudaEventRecord(joins.handle, t.handle));
  for (int i = 0; i < 2; ++i) SUCCEEDS(cudaStreamWaitEvent(s.handle, joins.handle, 0));
  auto info = cudaStreamCaptureStatusNone;
  unsigned long long id = 0;
  cudaGraph_t made = nullptr;
  cudaGraphNode_t const* last = nullptr;
  std::size_t count = 0;
  SUCCEEDS(cudaStreamGetCaptureInfo(s.handle, &info, &id, &made, &last, nullptr, &count));
  BOOST_CHECK_EQUAL(info, cudaStreamCaptureStatusActive);
  BOOST_CHECK(id != 0 && made && last);
  BOOST_CHECK_EQUAL(count, 2u);
  SUCCEEDS(launch_early(s, sum.at, 1));
  graph g(end(s));
  BOOST_CHECK_EQUAL(g.handle, made);
  BOOST_CHECK_EQUAL(g.edges(), "0=>1 0=>2 1=>3 2=>3");
  BOOST_CHECK_EQUAL(status(t), cudaStreamCaptureStatusNone);
  executable x(g);
  SUCCEEDS(cudaGraphLaunch(x.handle, t.handle));
  SUCCEEDS(cudaStreamSynchronize(t.handle));
  BOOST_CHECK_EQUAL(sum.load(), 4u);
}

BOOST_AUTO_TEST_CASE(a_capture_ends_in_its_origin_with_all_work_joined) {
  mapped_word sum;
  stream s, t;
  event moment;
  auto const fork = [&] {
    begin(s);
    SUCCEEDS(cudaEventRecord(moment.handle, s.handle));
    SUCCEEDS(cudaStreamWaitEvent(t.handle, moment.handle, 0));
  };
  fork();
  SUCCEEDS(launch(kernels::add, 1, 1, t.handle, sum.at, 1u));
  ends_with(cudaErrorStreamCaptureUnjoined, s);
  fork();
  ends_with(cudaErrorStreamCaptureUnmatched, t);
  BOOST_CHECK_EQUAL(status(t), cudaStreamCaptureStatusInvalidated);
  ends_with(cudaErrorStreamCaptureInvalidated, s);
  ends_with(cudaErrorIllegalState, t);
  fork(); // without work there is nothing to join
  SUCCEEDS(cudaGraphDestroy(end(s)));
  fork();
  std::thread([&] { ends_with(cudaErrorStreamCaptureWrongThread, s); }).join();
  ends_with(cudaErrorIllegalState, s);
  RETURNS(cudaErrorIllegalState, cudaStreamEndCapture(s.handle, nullptr));
  begin(s);
  RETURNS(cudaErrorIllegalState, cudaStreamBeginCapture(s.handle, cudaStreamCaptureModeGlobal));
  SUCCEEDS(cudaGraphDestroy(end(s)));
  RETURNS(cudaErrorStreamCaptureUnsupported, cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal));
}

BOOST_AUTO_TEST_CASE(captures_neither_merge_nor_depend_on_what_is_outside) {
  stream s, t;
  event moment, never, before;
  SUCCEEDS(cudaEventRecord(before.handle, s.handle));
  begin(s);
  begin(t);
  SUCCEEDS(cudaEventRecord(moment.handle, s.handle));
  RETURNS(cudaErrorStreamCaptureMerge, cudaStreamWaitEvent(t.handle, moment.handle, 0));
  ends_with(cudaErrorStreamCaptureInvalidated, t);
  ends_with(cudaErrorStreamCaptureInvalidated, s);
  begin(s);
  SUCCEEDS(cudaStreamWaitEvent(s.handle, never.handle, 0));
  RETURNS(cudaErrorStreamCaptureIsolation, cudaStreamWaitEvent(s.handle, before.handle, 0));
  ends_with(cudaErrorStreamCaptureInvalidated, s);
  begin(s, cudaStreamCaptureModeRelaxed);
  SUCCEEDS(cudaEventRecord(moment.handle, s.handle));
  RETURNS(cudaErrorCapturedEvent, cudaEventQuery(moment.handle));
  ends_with(cudaErrorStreamCaptureInvalidated, s);
  begin(s);
  SUCCEEDS(cudaEventRecord(moment.handle, s.handle));
  RETURNS(cudaErrorStreamCaptureImplicit, cudaStreamWaitEvent(nullptr, moment.handle, 0));
  RETURNS(cudaErrorInvalidValue, cudaStreamWaitEvent(t.handle, moment.handle, 0)); // the capture is broken
  RETURNS(cudaErrorInvalidValue, cudaEventQuery(moment.handle));
  ends_with(cudaErrorStreamCaptureInvalidated, s);
  RETURNS(cudaErrorInvalidValue, cudaEventSynchronize(moment.handle));
  RETURNS(cudaErrorInvalidValue, cudaStreamWaitEvent(t.handle, moment.handle, 0));
  SUCCEEDS(cudaEventRecord(moment.handle, t.handle)); // it is an ordinary one again
  SUCCEEDS(cudaEventSynchronize(moment.handle));
}

BOOST_AUTO_TEST_CASE(what_a_capture_cannot_record_invalidates_it) {
  stream s;
  mapped_word word;
  void* memory = nullptr;
  begin(s, cudaStreamCaptureModeRelaxed);
  RETURNS(cudaErrorStreamCaptureUnsupported, cudaDeviceSynchronize());
  ends_with(cudaErrorStreamCaptureInvalidated, s);
  begin(s);
  RETURNS(cudaErrorStreamCaptureUnsupported,
          cudaStreamAddCallback(s.handle, [](cudaStream_t, cudaError_t, void*) {}, nullptr, 0));
  ends_with(cudaErrorStreamCaptureInvalidated, s);
  begin(s);
  RETURNS(cudaErrorInvalidValue, launch(kernels::add, 1, 2000, s.handle, word.at, 1u));
  ends_with(cudaErrorStreamCaptureInvalidated, s);
  graph const empty;
  executable const x(empty);
  begin(s);
  RETURNS(cudaErrorStreamCaptureUnsupported, cudaGraphLaunch(x.handle, s.handle));
  ends_with(cudaErrorStreamCaptureInvalidated, s);
  begin(s);
  RETURNS(cudaErrorInvalidValue, cudaMemcpyAsync(nullptr, word.at, 4, cudaMemcpyDefault, s.handle));
  SUCCEEDS(cudaGraphDestroy(end(s))); // such a copy does not invalidate it
  begin(s);
  RETURNS(cudaErrorNotSupported, cudaMallocAsync(&memory, 16, s.handle)); // on a GPU, a node that allocates
  ends_with(cudaErrorStreamCaptureInvalidated, s);
}

BOOST_AUTO_TEST_CASE(the_graph_of_a_capture_is_the_program_s_to_extend_and_not_to_destroy) {
  mapped_word sum;
  stream s;
  begin(s, cudaStreamCaptureModeRelaxed);
  SUCCEEDS(launch(kernels::add, 1, 1, s.handle, sum.at, 1u));
  auto info = cudaStreamCaptureStatusNone;
  cudaGraph_t made = nullptr;
  cudaGraphNode_t const* last = nullptr;
  std::size_t count = 0;
  SUCCEEDS(cudaStreamGetCaptureInfo(s.handle, &info, nullptr, &made, &last, nullptr, &count));
  cudaGraphNode_t const first = *last;
  RETURNS(cudaErrorIllegalState, cudaGraphDestroyNode(first));
  RETURNS(cudaErrorIllegalState, cudaGraphDestroy(made));
  cudaGraphNode_t extra = nullptr; // nothing has to come after it
  SUCCEEDS(cudaGraphAddEmptyNode(&extra, made, &first, 1));
  SUCCEEDS(launch(kernels::add, 1, 1, s.handle, sum.at, 1u));
  graph g(end(s));
  BOOST_CHECK_EQUAL(g.edges(), "0>1 0>2");
  SUCCEEDS(cudaGraphDestroyNode(extra));
  executable x(g);
  SUCCEEDS(cudaGraphLaunch(x.handle, s.handle));
  SUCCEEDS(cudaStreamSynchronize(s.handle));
  BOOST_CHECK_EQUAL(sum.load(), 2u);
}

BOOST_AUTO_TEST_CASE(making_and_destroying_executables_disturbs_captures) {
  stream s;
  graph const empty;
  executable const made(empty);
  cudaGraphExec_t x = nullptr;
  auto const forbidden = [&] {
    RETURNS(cudaErrorStreamCaptureUnsupported, cudaGraphInstantiate(&x, empty.handle, 0));
    RETURNS(cudaErrorStreamCaptureUnsupported, cudaGraphExecDestroy(made.handle));
    RETURNS(cudaErrorStreamCaptureUnsupported, cudaFree(nullptr));
  };
  begin(s);
  forbidden();
  ends_with(cudaErrorStreamCaptureInvalidated, s);
  begin(s, cudaStreamCaptureModeGlobal);
  std::thread(forbidden).join();
  ends_with(cudaErrorStreamCaptureInvalidated, s);
  begin(s, cudaStreamCaptureModeRelaxed);
  SUCCEEDS(cudaGraphInstantiate(&x, empty.handle, 0));
  SUCCEEDS(cudaGraphExecDestroy(x));
  SUCCEEDS(cudaGraphDestroy(end(s)));
}

BOOST_AUTO_TEST_CASE(errors_of_a_broken_capture_and_of_the_legacy_stream_come_first) {
  stream s, t;
  event never, moment;
  graph const empty;
  executable const x(empty);
  begin(s);
  RETURNS(cudaErrorStreamCaptureUnsupported, cudaStreamQuery(s.handle));
  RETURNS(cudaErrorStreamCaptureInvalidated, cudaStreamWaitEvent(s.handle, never.handle, 0));
  RETURNS(cudaErrorStreamCaptureUnsupported, cudaGraphLaunch(x.handle, s.handle));
  RETURNS(cudaErrorStreamCaptureUnsupported, cudaGraphUpload(x.handle, s.handle));
  std::thread([&] { ends_with(cudaErrorStreamCaptureInvalidated, s); }).join();

  begin(s, cudaStreamCaptureModeRelaxed); // of a captured stream, a query breaks that capture alone
  begin(t);
  RETURNS(cudaErrorStreamCaptureUnsupported, cudaStreamQuery(s.handle));
  BOOST_CHECK_EQUAL(status(t), cudaStreamCaptureStatusActive);
  ends_with(cudaErrorStreamCaptureInvalidated, s);
  begin(s, cudaStreamCaptureModeRelaxed);
  SUCCEEDS(cudaEventRecord(moment.handle, s.handle));
  RETURNS(cudaErrorStreamCaptureUnsupported, cudaStreamQuery(s.handle));
  RETURNS(cudaErrorInvalidValue, cudaStreamWaitEvent(t.handle, moment.handle, 0)); // no merge
  ends_with(cudaErrorStreamCaptureInvalidated, s);
  ends_with(cudaErrorStreamCaptureInvalidated, t);

  cudaGraph_t made = nullptr;
  for (auto const& of_legacy : std::vector<std::function<cudaError_t()>>{
           [&] { return cudaStreamQuery(nullptr); }, [&] { return cudaStreamSynchronize(nullptr); },
           [&] { return cudaStreamWaitEvent(nullptr, never.handle, 0); },
           [&] { return cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal); },
           [&] { return cudaStreamEndCapture(nullptr, &made); }}) {
    begin(s);
    RETURNS(cudaErrorStreamCaptureImplicit, of_legacy());
    ends_with(cudaErrorStreamCaptureInvalidated, s);
  }
}

BOOST_AUTO_TEST_CASE(the_end_of_a_thread_ends_the_capture_of_its_own_stream) {
  mapped_word word;
  std::thread([&] {
    SUCCEEDS(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeRelaxed));
    SUCCEEDS(cudaMemsetAsync(word.at, 0, 4, cudaStreamPerThread));
  }).join();
  SUCCEEDS(launch(kernels::set, 1, 1, nullptr, word.at, 1u));
  SUCCEEDS(cudaDeviceSynchronize());
  BOOST_CHECK_EQUAL(word.load(), 1u);
}

BOOST_AUTO_TEST_CASE(wrong_nodes_and_edges_are_rejected) {
  mapped_word word;
  graph g, other;
  auto const a = g.add(kernels::add, {}, word.at, 1u), b = g.add(kernels::add, {a}, word.at, 1u),
             elsewhere = other.add(kernels::add, {}, word.at, 1u);
  cudaGraphNode_t made = nullptr;
  auto const add = [&](std::vector<cudaGraphNode_t> const& after) {
    return cudaGraphAddEmptyNode(&made, g.handle, after.data(), after.size());
  };
  RETURNS(cudaErrorInvalidValue, add({a, a}));
  RETURNS(cudaErrorInvalidValue, add({nullptr}));
  RETURNS(cudaErrorInvalidValue, add({elsewhere}));
  RETURNS(cudaErrorInvalidValue, cudaGraphAddEmptyNode(&made, g.handle, nullptr, 1));
  RETURNS(cudaErrorInvalidValue,
          cudaGraphAddMemcpyNode1D(&made, g.handle, nullptr, 0, word.at, word.at, 0, cudaMemcpyDefault));
  cudaMemsetParams const fill{word.at, 0, 1, 3, 1, 1};
  RETURNS(cudaErrorInvalidValue, cudaGraphAddMemsetNode(&made, g.handle, nullptr, 0, &fill));
  cudaHostNodeParams const nothing{nullptr, nullptr};
  RETURNS(cudaErrorInvalidValue, cudaGraphAddHostNode(&made, g.handle, nullptr, 0, &nothing));
  RETURNS(cudaErrorInvalidValue, cudaGraphAddDependencies(g.handle, &a, &b, nullptr, 1));
  RETURNS(cudaErrorInvalidValue, cudaGraphAddDependencies(g.handle, &a, &a, nullptr, 1));
  SUCCEEDS(cudaGraphAddDependencies(g.handle, &b, &a, nullptr, 1));
  cudaGraphExec_t x = nullptr;
  RETURNS(cudaErrorInvalidValue, cudaGraphInstantiate(&x, g.handle, 0)); // a cycle
  SUCCEEDS(cudaGraphRemoveDependencies(g.handle, &b, &a, nullptr, 1));
  RETURNS(cudaErrorInvalidValue, cudaGraphRemoveDependencies(g.handle, &b, &a, nullptr, 1));
  SUCCEEDS(add({}));
  cudaGraphEdgeData early{};
  early.type = cudaGraphDependencyTypeProgrammatic;
  early.from_port = cudaGraphKernelNodePortProgrammatic;
  RETURNS(cudaErrorInvalidValue, cudaGraphAddDependencies(g.handle, &b, &made, &early, 1)); // to no kernel
  SUCCEEDS(cudaGraphDestroyNode(a));
  BOOST_CHECK_EQUAL(g.nodes().size(), 2u);
  BOOST_CHECK_EQUAL(g.edges(), "");
  RETURNS(cudaErrorInvalidValue, cudaGraphLaunch(nullptr, nullptr));
  RETURNS(cudaErrorInvalidValue, cudaGraphDestroy(nullptr));
}

BOOST_AUTO_TEST_CASE(graphs_contain_graphs_and_are_updated) {
  mapped_word word;
  graph child, g, longer;
  auto const set = child.add(kernels::set, {}, word.at, 5u);
  child.add(kernels::add, {set}, word.at, 1u);
  cudaGraphNode_t node = nullptr;
  SUCCEEDS(cudaGraphAddChildGraphNode(&node, g.handle, nullptr, 0, child.handle));
  g.add(kernels::add, {node}, word.at, 10u);
  executable x(g);
  stream s;
  SUCCEEDS(cudaGraphLaunch(x.handle, s.handle));
  SUCCEEDS(cudaStreamSynchronize(s.handle));
  BOOST_CHECK_EQUAL(word.load(), 16u);

  graph changed;
  SUCCEEDS(cudaGraphAddChildGraphNode(&node, changed.handle, nullptr, 0, child.handle));
  changed.add(kernels::add, {node}, word.at, 20u);
  cudaGraphExecUpdateResultInfo result{};
  SUCCEEDS(cudaGraphExecUpdate(x.handle, changed.handle, &result));
  SUCCEEDS(cudaGraphLaunch(x.handle, s.handle));
  SUCCEEDS(cudaStreamSynchronize(s.handle));
  BOOST_CHECK_EQUAL(word.load(), 26u);
  longer.add(kernels::add, {}, word.at, 1u);
  RETURNS(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(x.handle, longer.handle, &result));
  BOOST_CHECK_EQUAL(result.result, cudaGraphExecUpdateErrorTopologyChanged);
  graph other;
  SUCCEEDS(cudaGraphAddChildGraphNode(&node, other.handle, nullptr, 0, child.handle));
  SUCCEEDS(cudaGraphAddEmptyNode(&node, other.handle, &node, 1));
  RETURNS(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(x.handle, other.handle, &result));
  BOOST_CHECK_EQUAL(result.result, cudaGraphExecUpdateErrorNodeTypeChanged);
  SUCCEEDS(cudaGraphExecUpdate(x.handle, changed.handle, nullptr));
  auto const all = changed.nodes();
  SUCCEEDS(cudaGraphAddDependencies(changed.handle, &all[1], &all[0], nullptr, 1)); // a cycle
  RETURNS(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(x.handle, changed.handle, &result));
  BOOST_CHECK_EQUAL(result.result, cudaGraphExecUpdateErrorTopologyChanged);
}

BOOST_AUTO_TEST_SUITE_END()
