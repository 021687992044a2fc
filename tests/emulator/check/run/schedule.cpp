// SPDX-License-Identifier: Apache-2.0
//
// schedule: what determines a checked run: its seed, virtual time, and the time that the host has had.
#include "../../../../tools/emulator/check/run/host_time.hpp"
#include "checked_run.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <sched.h>
#include <thread>
#include <utility>

using namespace emulator_test;

namespace {

/// What counts of half a second, and how long it really was.
std::pair<std::chrono::nanoseconds, std::chrono::nanoseconds> host_time_of_half_a_second() {
  emulator::check::host_time host;
  auto const begin = std::chrono::steady_clock::now();
  host.begin();
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  return {host.passed(), std::chrono::steady_clock::now() - begin};
}

} // namespace

BOOST_AUTO_TEST_SUITE(check_run)

BOOST_AUTO_TEST_CASE(the_seed_determines_the_schedule) {
  std::string const text = kernel("mov.u32 %r4, 0;\nloop: atom.global.add.u32 %r5, [%rd1], 1; add.u32 %r4, %r4, 1;\n"
                                  "setp.lt.u32 %p1, %r4, 5; @%p1 bra loop;\nbar.sync 0;");
  std::vector<std::uint64_t> traces;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    std::vector<std::uint32_t> memory(4), again(4);
    auto const a = run(text, seed, {{3}, {64}}, memory), b = run(text, seed, {{3}, {64}}, again);
    BOOST_TEST(a.fault.error == 0, a.text());
    BOOST_TEST(a.findings.empty(), a.text());
    BOOST_TEST(memory[0] == 3 * 64 * 5);
    BOOST_TEST(a.trace == b.trace);
    for (auto const other : traces) BOOST_TEST(other != a.trace);
    traces.push_back(a.trace);
  }
}

BOOST_AUTO_TEST_CASE(with_some_seeds_a_thread_gets_no_turn_for_long_between_two_operations) {
  // Threads 1 and 2 hand over to each other 200 times. Each time takes at least a turn of each. Thread 0 looks how
  // often they do between two of its operations.
  std::string const text = kernel(
      "mov.u32 %r4, 0; mov.u32 %r10, 0; setp.ne.u32 %p1, %r2, 0; @%p1 bra turn;\n"
      "look: add.u32 %r4, %r4, 1; ld.relaxed.gpu.global.u32 %r5, [%rd1+4]; st.relaxed.gpu.global.u32 [%rd1], %r4;\n"
      "ld.relaxed.gpu.global.u32 %r6, [%rd1+4]; sub.u32 %r6, %r6, %r5; max.u32 %r10, %r10, %r6;\n"
      "setp.lt.u32 %p1, %r4, 20; @%p1 bra look; st.global.u32 [%rd1+8], %r10; ret;\n"
      "turn: ld.relaxed.gpu.global.u32 %r5, [%rd1+4]; and.b32 %r6, %r5, 1; setp.eq.u32 %p1, %r6, 0;\n"
      "setp.eq.u32 %p2, %r2, 1; xor.pred %p1, %p1, %p2; @%p1 bra turn;\n"
      "add.u32 %r5, %r5, 1; st.relaxed.gpu.global.u32 [%rd1+4], %r5;\n"
      "add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 100; @%p1 bra turn;");
  std::uint32_t most = 0;
  int late = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    std::vector<std::uint32_t> memory(4);
    auto const r = run(text, seed, {{1}, {3}}, memory);
    BOOST_REQUIRE_MESSAGE(r.findings.empty() && r.fault.error == 0, r.text());
    most = std::max(most, memory[2]);
    late += memory[2] >= 50;
  }
  BOOST_TEST(most >= 100u);
  BOOST_TEST(late < 25); // others have no such thread
}

BOOST_AUTO_TEST_CASE(time_is_virtual) {
  std::vector<std::uint32_t> memory(4);
  // Ten seconds, one millisecond at a time, pass as soon as no other thread runs.
  std::string const text =
      kernel("mov.u64 %rd3, %globaltimer; add.u64 %rd3, %rd3, 10000000000;\nloop: nanosleep.u32 1000000;\n"
             "mov.u64 %rd4, %globaltimer; setp.lt.u64 %p1, %rd4, %rd3; @%p1 bra loop;");
  auto const r = run(text, 3, {{1}, {2}}, memory);
  BOOST_TEST(r.fault.error == 0, r.text());
  BOOST_TEST(r.time >= 10'000'000'000u);
  BOOST_TEST(r.time < 30'000'000'000u);
}

BOOST_AUTO_TEST_CASE(a_host_thread_that_gets_no_processor_keeps_its_time) {
  if (!std::filesystem::exists("/proc/self/schedstat")) return;
  emulator::check::host_time alone;
  alone.begin();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  BOOST_TEST(alone.passed().count() > 1'000'000);
  // Two threads that compute on one processor: each waits for half of the time.
  std::atomic<bool> stop{false};
  auto const compute = [&] {
    cpu_set_t first;
    CPU_ZERO(&first);
    CPU_SET(sched_getcpu(), &first);
    sched_setaffinity(0, sizeof first, &first);
    std::thread other([&] {
      while (!stop) {}
    });
    while (!stop) {}
    other.join();
  };
  std::thread both(compute);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  auto const [passed, real] = host_time_of_half_a_second();
  stop = true;
  both.join();
  BOOST_TEST(passed.count() < real.count() * 4 / 5);
}

BOOST_AUTO_TEST_CASE(a_host_thread_that_computes_keeps_its_time) {
  if (!std::filesystem::exists("/proc/self/schedstat")) return;
  std::atomic<bool> stop{false};
  std::thread computes([&] {
    while (!stop) {}
  });
  auto const [passed, real] = host_time_of_half_a_second();
  stop = true;
  computes.join();
  BOOST_TEST(passed.count() < real.count() / 5);
  // A tenth counts: the thread may be in a loop that never ends.
  BOOST_TEST(passed.count() >= real.count() / 20);
}

BOOST_AUTO_TEST_SUITE_END()
