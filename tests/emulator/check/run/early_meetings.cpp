// SPDX-License-Identifier: Apache-2.0
//
// early_meetings: lanes that hang if ptxas lets them meet early.
#include "../../../../tools/emulator/check/run/statistics.hpp"
#include "checked_run.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <utility>

using namespace emulator_test;

namespace {

/// 32 lanes count under one lock, whose address is that of the memory, and meet.
std::string locked_count(std::string const& unlock, std::string const& after = "bar.sync 0;") {
  return kernel("take: atom.acquire.gpu.global.exch.b32 %r5, [%rd1], 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra take;\n"
                "ld.global.u32 %r6, [%rd1+8]; add.u32 %r6, %r6, 1; st.global.u32 [%rd1+8], %r6;\n" +
                unlock + "\n" + after);
}

/// Lane n waits for flag n and raises the next one; the test raises the first.
std::string chain(std::string const& raise, std::string const& after = "bar.sync 0;") {
  return kernel("mul.wide.u32 %rd4, %r2, 4; add.u64 %rd5, %rd1, %rd4;\n"
                "await: ld.volatile.global.u32 %r5, [%rd5+16]; setp.eq.u32 %p1, %r5, 0; @%p1 bra await;\n" +
                raise + "\n" + after);
}

constexpr int early_seeds = 6;

result run_early(std::string const& text, std::uint64_t seed, machine::shape const& shape,
                 std::vector<std::uint32_t>& memory) {
  return run(text, seed, shape, memory, nullptr, "k", true);
}

} // namespace

BOOST_AUTO_TEST_SUITE(check_run)

BOOST_AUTO_TEST_CASE(lanes_that_wait_for_a_lane_that_meets_its_warp_early_are_reported) {
  std::pair<std::string, std::string> const texts[] = {
      {locked_count("st.release.gpu.global.u32 [%rd1], 0;"), "atom.acquire.gpu.global.exch.b32 %r5, [%rd1], 1"},
      {locked_count("membar.gl; st.volatile.global.u32 [%rd1], 0;"), "atom.acquire.gpu.global.exch.b32 %r5, [%rd1], 1"},
      {locked_count("st.release.gpu.global.u32 [%rd1], 0;", "shfl.sync.idx.b32 %r7, %r6, 0, 31, -1;"),
       "atom.acquire.gpu.global.exch.b32 %r5, [%rd1], 1"},
      {chain("st.volatile.global.u32 [%rd5+20], 1;"), "ld.volatile.global.u32 %r5, [%rd5+16]"}};
  for (auto const& [text, waiter] : texts) {
    for (std::uint64_t seed = 0; seed < early_seeds; ++seed) {
      std::vector<std::uint32_t> memory(64);
      memory[4] = 1;
      auto const r = run_early(text, seed, {{1}, {32}}, memory);
      BOOST_REQUIRE_MESSAGE(r.fault.error == 0, r.text());
      BOOST_REQUIRE_MESSAGE(r.has("possible hang"), r.text());
      auto const& f = *std::ranges::find(r.findings, "possible hang", &emulator::check::finding::kind);
      BOOST_REQUIRE(f.parties.size() == 5u);
      BOOST_TEST(f.parties[0].instruction.starts_with("st."), f.text);
      BOOST_TEST((f.parties[1].instruction == "bar.sync 0" || f.parties[1].instruction.starts_with("shfl")), f.text);
      BOOST_TEST(f.parties[3].instruction == waiter, f.text);
      BOOST_TEST(f.parties[4].instruction.starts_with("@%p1 bra"), f.text);
      // The run goes on, and once is enough.
      BOOST_TEST(std::ranges::count(r.findings, "possible hang", &emulator::check::finding::kind) == 1);
      if (memory[2]) BOOST_TEST(memory[2] == 32u);
      else BOOST_TEST(memory[36] == 1u);

      std::vector<std::uint32_t> again(64);
      again[4] = 1;
      BOOST_TEST(run(text, seed, {{1}, {32}}, again).text() == "", text); // late
    }
  }
}

BOOST_AUTO_TEST_CASE(lanes_that_need_not_wait_for_each_other_early_are_not_reported) {
  std::string const release = "st.release.gpu.global.u32 [%rd1], 0;";
  std::string const texts[] = {
      locked_count("atom.release.gpu.global.exch.b32 %r7, [%rd1], 0;"), locked_count(release + "fence.acq_rel.cta;"),
      locked_count(release + "{ .reg .b32 together; activemask.b32 together; bar.warp.sync together; }"),
      locked_count(release, ""), locked_count(release + "nanosleep.u32 0;"),
      // One loop that holds all.
      kernel("mov.u32 %r8, 0;\n"
             "again: atom.acquire.gpu.global.exch.b32 %r5, [%rd1], 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra next;\n"
             "ld.global.u32 %r6, [%rd1+8]; add.u32 %r6, %r6, 1; st.global.u32 [%rd1+8], %r6;\n" +
             release + "mov.u32 %r8, 1;\nnext: setp.eq.u32 %p2, %r8, 0; @%p2 bra again;\nbar.sync 0;"),
      // Of each warp, one lane.
      kernel("and.b32 %r9, %r2, 31; setp.ne.u32 %p3, %r9, 0; @%p3 ret;\n"
             "take: atom.acquire.gpu.global.exch.b32 %r5, [%rd1], 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra take;\n"
             "ld.global.u32 %r6, [%rd1+8]; add.u32 %r6, %r6, 1; st.global.u32 [%rd1+8], %r6;\n" +
             release + "bar.sync 0;"),
      chain("atom.release.gpu.global.exch.b32 %r7, [%rd5+20], 1;"),
      chain("st.volatile.global.u32 [%rd5+20], 1; membar.cta;"), chain("st.volatile.global.u32 [%rd5+20], 1;", "")};
  for (auto const& text : texts) {
    for (std::uint64_t seed = 0; seed < early_seeds; ++seed) {
      std::vector<std::uint32_t> memory(64);
      memory[4] = 1;
      auto const r = run_early(text, seed, {{1}, {32}}, memory);
      BOOST_REQUIRE_MESSAGE(r.fault.error == 0 && r.findings.empty(), text + r.text());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_wait_that_ends_on_its_own_is_no_hang) {
  // Lane 0 waits for a store of lane 1, but not for long: it counts, or it reads the time.
  std::string const begin = "setp.ne.u32 %p3, %r2, 0; @%p3 bra other;\n",
                    end = "\nother:\nst.volatile.global.u32 [%rd1+16], 1; bar.sync 0;";
  std::string const texts[] = {
      kernel(begin +
             "mov.u32 %r8, 0;\n"
             "await: ld.volatile.global.u32 %r5, [%rd1+16]; add.u32 %r8, %r8, 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra "
             "other;\n"
             "setp.lt.u32 %p2, %r8, 5000; @%p2 bra await;" +
             end),
      kernel(begin +
             "mov.u64 %rd6, %globaltimer; add.u64 %rd6, %rd6, 100000;\n"
             "await: ld.volatile.global.u32 %r5, [%rd1+16]; setp.ne.u32 %p1, %r5, 0; @%p1 bra other;\n"
             "mov.u64 %rd7, %globaltimer; setp.lt.u64 %p2, %rd7, %rd6; @%p2 bra await;" +
             end)};
  for (auto const& text : texts) {
    for (std::uint64_t seed = 0; seed < early_seeds; ++seed) {
      std::vector<std::uint32_t> memory(64);
      auto const r = run_early(text, seed, {{1}, {32}}, memory);
      BOOST_REQUIRE_MESSAGE(r.fault.error == 0 && r.findings.empty(), text + r.text());
    }
  }
}

BOOST_AUTO_TEST_CASE(lanes_are_let_go_only_once_from_a_meeting_that_no_finding_is_about) {
  // Ten rounds. In each, lane 0 waits for the second warp, and counts, and that warp for lane 1, which meets lane 0
  // before its store.
  std::string const text =
      kernel("mov.u32 %r10, 0; mov.u32 %r8, 0;\n"
             "round: add.u32 %r10, %r10, 1; setp.ge.u32 %p4, %r2, 32; @%p4 bra second;\n"
             "setp.ne.u32 %p3, %r2, 0; @%p3 bra other;\n"
             "await: ld.volatile.global.u32 %r5, [%rd1+8]; add.u32 %r8, %r8, 1; setp.lt.u32 %p1, %r5, %r10;\n"
             "@%p1 bra await;\n"
             "other: mul.wide.u32 %rd4, %r2, 4; add.u64 %rd5, %rd1, %rd4; st.volatile.global.u32 [%rd5+64], %r10;\n"
             "bar.sync 0; bra next;\n"
             "second: ld.volatile.global.u32 %r5, [%rd1+68]; setp.lt.u32 %p1, %r5, %r10; @%p1 bra second;\n"
             "st.volatile.global.u32 [%rd1+8], %r10; bar.sync 0;\n"
             "next: setp.lt.u32 %p2, %r10, 10; @%p2 bra round;");
  std::vector<std::uint32_t> memory(64);
  std::uint64_t const before = emulator::check::run_statistics.turns;
  auto const r = run(text, 1, {{1}, {33}}, memory, be_impatient, "k", true);
  BOOST_TEST((r.fault.error == 0 && r.findings.empty()), r.text());
  BOOST_TEST(memory[2] == 10u);
  BOOST_TEST(emulator::check::run_statistics.turns - before < 3u * 100'000);
}

BOOST_AUTO_TEST_CASE(a_wait_for_the_host_is_no_hang) {
  // Lane 0 waits for the host; the others store before the barrier what a second warp waits for.
  std::string const text =
      kernel("setp.ge.u32 %p4, %r2, 32; @%p4 bra second; setp.ne.u32 %p3, %r2, 0; @%p3 bra other;\n"
             "host: ld.volatile.global.u32 %r5, [%rd1+16]; setp.eq.u32 %p1, %r5, 0; @%p1 bra host;\n"
             "other: mul.wide.u32 %rd4, %r2, 4; add.u64 %rd5, %rd1, %rd4; st.volatile.global.u32 [%rd5+64], 1; "
             "bar.sync 0; ret;\n"
             "second: ld.volatile.global.u32 %r5, [%rd1+64+124]; setp.eq.u32 %p1, %r5, 0; @%p1 bra second;\n"
             "bar.sync 0;");
  for (std::uint64_t seed = 0; seed < 2; ++seed) {
    std::vector<std::uint32_t> memory(64);
    std::thread host([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      std::atomic_ref(memory[4]).store(1);
    });
    auto const r = run_early(text, seed, {{1}, {64}}, memory);
    host.join();
    BOOST_REQUIRE_MESSAGE(r.fault.error == 0 && r.findings.empty(), r.text());
  }
}

BOOST_AUTO_TEST_SUITE_END()
