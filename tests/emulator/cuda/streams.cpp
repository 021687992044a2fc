// SPDX-License-Identifier: Apache-2.0
//
// Order of execution: streams, the default stream, events, host functions.
#include "runtime.hpp"

#include <chrono>
#include <vector>

using namespace cudax_test;

BOOST_AUTO_TEST_SUITE(streams)

BOOST_AUTO_TEST_CASE(a_kernel_and_the_host_run_at_the_same_time) {
  mapped_word gate, done;
  SUCCEEDS(launch(kernels::wait_for, 1, 1, nullptr, gate.at, 1u));
  SUCCEEDS(launch(kernels::set, 1, 1, nullptr, done.at, 7u));
  let_others_run();
  BOOST_CHECK_EQUAL(done.load(), 0u); // the stream keeps its order
  RETURNS(cudaErrorNotReady, cudaStreamQuery(nullptr));
  gate.store(1);
  SUCCEEDS(cudaDeviceSynchronize());
  BOOST_CHECK_EQUAL(done.load(), 7u);
  SUCCEEDS(cudaStreamQuery(nullptr));
}

BOOST_AUTO_TEST_CASE(kernels_of_two_streams_run_at_the_same_time) {
  stream one, other;
  mapped_word flag;
  SUCCEEDS(launch(kernels::wait_for, 1, 1, one.handle, flag.at, 3u));
  SUCCEEDS(launch(kernels::set, 1, 1, other.handle, flag.at, 3u)); // ends the first kernel
  SUCCEEDS(cudaDeviceSynchronize());
}

BOOST_AUTO_TEST_CASE(the_default_stream_and_blocking_streams_wait_for_each_other) {
  stream blocking, other;
  mapped_word gate, in_default, after;
  SUCCEEDS(launch(kernels::wait_for, 1, 1, blocking.handle, gate.at, 1u));
  SUCCEEDS(launch(kernels::set, 1, 1, nullptr, in_default.at, 1u));
  SUCCEEDS(launch(kernels::set, 1, 1, other.handle, after.at, 1u));
  let_others_run();
  BOOST_CHECK_EQUAL(in_default.load(), 0u);
  BOOST_CHECK_EQUAL(after.load(), 0u);
  gate.store(1);
  SUCCEEDS(cudaStreamSynchronize(other.handle));
  BOOST_CHECK_EQUAL(in_default.load(), 1u);
  BOOST_CHECK_EQUAL(after.load(), 1u);
}

BOOST_AUTO_TEST_CASE(a_nonblocking_stream_does_not_wait_for_the_default_stream) {
  stream free(cudaStreamNonBlocking);
  mapped_word gate;
  SUCCEEDS(launch(kernels::wait_for, 1, 1, nullptr, gate.at, 1u));
  SUCCEEDS(launch(kernels::set, 1, 1, free.handle, gate.at, 1u)); // ends the first kernel
  SUCCEEDS(cudaDeviceSynchronize());
}

BOOST_AUTO_TEST_CASE(a_destroyed_stream_finishes_its_work) {
  mapped_word gate, done;
  cudaStream_t handle = nullptr;
  SUCCEEDS(cudaStreamCreate(&handle));
  SUCCEEDS(launch(kernels::wait_for, 1, 1, handle, gate.at, 1u));
  SUCCEEDS(launch(kernels::set, 1, 1, handle, done.at, 1u));
  SUCCEEDS(cudaStreamDestroy(handle));
  RETURNS(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(handle));
  gate.store(1);
  SUCCEEDS(cudaDeviceSynchronize());
  BOOST_CHECK_EQUAL(done.load(), 1u);
}

BOOST_AUTO_TEST_CASE(an_event_refers_to_its_last_record_and_waiters_to_an_earlier_one) {
  stream one, other;
  event moment;
  mapped_word first, second, done;
  SUCCEEDS(cudaEventQuery(moment.handle)); // not recorded yet
  SUCCEEDS(launch(kernels::wait_for, 1, 1, one.handle, first.at, 1u));
  SUCCEEDS(cudaEventRecord(moment.handle, one.handle));
  SUCCEEDS(cudaStreamWaitEvent(other.handle, moment.handle, 0));
  SUCCEEDS(launch(kernels::set, 1, 1, other.handle, done.at, 1u));
  SUCCEEDS(launch(kernels::wait_for, 1, 1, one.handle, second.at, 1u));
  SUCCEEDS(cudaEventRecord(moment.handle, one.handle));
  let_others_run();
  BOOST_CHECK_EQUAL(done.load(), 0u);
  first.store(1);
  SUCCEEDS(cudaStreamSynchronize(other.handle));
  BOOST_CHECK_EQUAL(done.load(), 1u);
  RETURNS(cudaErrorNotReady, cudaEventQuery(moment.handle));
  second.store(1);
  SUCCEEDS(cudaEventSynchronize(moment.handle));
  SUCCEEDS(cudaEventQuery(moment.handle));
}

BOOST_AUTO_TEST_CASE(events_measure_time) {
  stream one;
  event start, end;
  float milliseconds = 0;
  RETURNS(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&milliseconds, start.handle, end.handle));
  mapped_word gate;
  auto const before = std::chrono::steady_clock::now();
  SUCCEEDS(cudaEventRecord(start.handle, one.handle));
  SUCCEEDS(launch(kernels::wait_for, 1, 1, one.handle, gate.at, 1u));
  SUCCEEDS(cudaEventRecord(end.handle, one.handle));
  RETURNS(cudaErrorNotReady, cudaEventElapsedTime(&milliseconds, start.handle, end.handle));
  SUCCEEDS(cudaEventSynchronize(start.handle));
  auto const started = std::chrono::steady_clock::now();
  let_others_run();
  auto const let_go = std::chrono::steady_clock::now();
  gate.store(1);
  SUCCEEDS(cudaEventSynchronize(end.handle));
  SUCCEEDS(cudaEventElapsedTime(&milliseconds, start.handle, end.handle));
  // The events' time lies outside one pair of host readings and inside another one, however slow the machine is.
  using interval = std::chrono::duration<float, std::milli>;
  BOOST_CHECK_GE(milliseconds, interval(let_go - started).count() - 0.1f);
  BOOST_CHECK_LE(milliseconds, interval(std::chrono::steady_clock::now() - before).count() + 0.1f);
}

BOOST_AUTO_TEST_CASE(host_functions_run_in_stream_order) {
  stream one;
  mapped_word gate, word;
  struct seen {
    mapped_word* word;
    unsigned value = 0;
    bool called_back = false;
  } result{&word};
  SUCCEEDS(launch(kernels::wait_for, 1, 1, one.handle, gate.at, 1u));
  SUCCEEDS(launch(kernels::set, 1, 1, one.handle, word.at, 8u));
  SUCCEEDS(cudaLaunchHostFunc(
      one.handle,
      [](void* data) {
        auto& s = *static_cast<seen*>(data);
        s.value = s.word->load();
      },
      &result));
  SUCCEEDS(cudaStreamAddCallback(
      one.handle,
      [](cudaStream_t, cudaError_t error, void* data) { static_cast<seen*>(data)->called_back = error == cudaSuccess; },
      &result, 0));
  SUCCEEDS(launch(kernels::set, 1, 1, one.handle, word.at, 9u));
  gate.store(1);
  SUCCEEDS(cudaStreamSynchronize(one.handle));
  BOOST_CHECK_EQUAL(result.value, 8u);
  BOOST_CHECK(result.called_back);
  BOOST_CHECK_EQUAL(word.load(), 9u);
}

BOOST_AUTO_TEST_CASE(many_threads_may_use_the_runtime_concurrently) {
  mapped_word sum;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&] {
        for (int i = 0; i < 50; ++i) {
          launch(kernels::add, 2, 32, cudaStreamPerThread, sum.at, 1u);
          void* pointer = nullptr;
          cudaMalloc(&pointer, 1000);
          cudaFree(pointer);
        }
        cudaStreamSynchronize(cudaStreamPerThread);
      });
  }
  SUCCEEDS(cudaDeviceSynchronize());
  BOOST_CHECK_EQUAL(sum.load(), 4u * 50 * 64);
}

BOOST_AUTO_TEST_SUITE_END()
