// SPDX-License-Identifier: Apache-2.0
//
// run: checked runs, from a module's text to the findings: schedules determined by a seed, correct and wrong
// message passing, waits that never end, virtual time.
#include "../../machine/machine.hpp"

#include "../../../../tools/emulator/check/run/findings.hpp"
#include "../../../../tools/emulator/check/run/host_time.hpp"
#include "../../../../tools/emulator/check/run/run.hpp"
#include "../../../../tools/emulator/check/run/statistics.hpp"
#include "../../../../tools/emulator/machine/mode.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <sched.h>
#include <thread>
#include <utility>

using namespace emulator_test;

namespace {

struct result {
  emulator::fault fault;
  std::vector<emulator::check::finding> findings;
  std::uint64_t trace = 0;
  std::uint64_t time = 0; ///< virtual time that passed

  bool has(std::string const& kind) const {
    for (auto const& f : findings)
      if (f.kind == kind) return true;
    return false;
  }
  std::string text() const {
    std::string all = fault.text;
    for (auto const& f : findings) all += "\n" + f.kind + ": " + f.text;
    return all;
  }
};

std::string kernel(std::string const& body) {
  return ".visible .entry k(.param .u64 p) {\n.reg .b32 %r<30>; .reg .b64 %rd<20>; .reg .pred %p<10>;\n"
         ".shared .align 16 .b8 s[256];\n"
         "ld.param.u64 %rd1, [p]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x;\n" +
         body + "\nret;\n}\n";
}

result run(std::string const& text, std::uint64_t seed, machine::shape const& shape, std::vector<std::uint32_t>& memory,
           void (*prepare)(emulator::check::run&) = nullptr, char const* name = "k", bool converges_early = false) {
  emulator::process_mode = {.is_checked = true, .seed = seed, .converges_early = converges_early};
  emulator::check::restart(seed);
  if (prepare) prepare(emulator::check::current_run());
  result r;
  emulator::check::set_report_sink([&](auto const& f) { r.findings.push_back(f); });
  {
    machine m(text);
    std::uint64_t const start = emulator::check::current_run().time;
    auto* const where = reinterpret_cast<std::byte*>(memory.data());
    emulator::check::current_run().post([&](auto& run) { run.model.allocated(where, memory.size() * 4, "memory"); });
    r.fault = m.run(name, shape, {address(memory)});
    r.trace = emulator::check::current_run().trace;
    r.time = emulator::check::current_run().time - start;
  }
  emulator::check::set_report_sink(nullptr);
  emulator::process_mode = {};
  return r;
}

/// Block 0 writes data and raises a flag; block 1 waits for the flag and reads the data.
std::string message_passing(std::string const& raise, std::string const& poll, std::string const& fence = "") {
  return kernel("setp.ne.u32 %p1, %r1, 0; @%p1 bra reader;\n"
                "st.global.u32 [%rd1], 42;\n" +
                raise +
                "\nret;\n"
                "reader:\n" +
                poll + "\nsetp.eq.u32 %p2, %r5, 0; @%p2 bra reader;\n" + fence +
                "\nld.global.u32 %r6, [%rd1]; st.global.u32 [%rd1+8], %r6;");
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

BOOST_AUTO_TEST_CASE(correct_message_passing_is_not_reported) {
  std::string const texts[] = {
      message_passing("st.release.gpu.global.u32 [%rd1+4], 1;", "ld.acquire.gpu.global.u32 %r5, [%rd1+4];"),
      message_passing("fence.acq_rel.gpu; st.relaxed.gpu.global.u32 [%rd1+4], 1;",
                      "ld.relaxed.gpu.global.u32 %r5, [%rd1+4];", "fence.acq_rel.gpu;"),
      message_passing("atom.release.gpu.global.add.u32 %r9, [%rd1+4], 1;",
                      "atom.acquire.gpu.global.add.u32 %r5, [%rd1+4], 0;")};
  for (auto const& text : texts) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      std::vector<std::uint32_t> memory(4);
      auto const r = run(text, seed, {{2}, {1}}, memory);
      BOOST_REQUIRE_MESSAGE(r.fault.error == 0 && r.findings.empty(), r.text());
      BOOST_REQUIRE(memory[2] == 42);
    }
  }
}

BOOST_AUTO_TEST_CASE(wrong_message_passing_is_reported) {
  std::string const texts[] = {
      message_passing("st.relaxed.gpu.global.u32 [%rd1+4], 1;", "ld.acquire.gpu.global.u32 %r5, [%rd1+4];"),
      message_passing("st.release.gpu.global.u32 [%rd1+4], 1;", "ld.relaxed.gpu.global.u32 %r5, [%rd1+4];"),
      message_passing("st.release.cta.global.u32 [%rd1+4], 1;", "ld.acquire.gpu.global.u32 %r5, [%rd1+4];"),
      message_passing("st.release.gpu.global.u32 [%rd1+4], 1;", "ld.acquire.cta.global.u32 %r5, [%rd1+4];"),
      message_passing("st.volatile.global.u32 [%rd1+4], 1;", "ld.volatile.global.u32 %r5, [%rd1+4];"),
      message_passing("st.relaxed.gpu.global.u32 [%rd1+4], 1;", "ld.relaxed.gpu.global.u32 %r5, [%rd1+4];",
                      "fence.acq_rel.gpu;")};
  for (auto const& text : texts) {
    bool found = false;
    for (std::uint64_t seed = 0; seed < 100 && !found; ++seed) {
      std::vector<std::uint32_t> memory(4);
      found = run(text, seed, {{2}, {1}}, memory).has("race");
    }
    BOOST_TEST(found, text);
  }
}

BOOST_AUTO_TEST_CASE(a_missing_block_barrier_is_reported_and_the_barrier_fixes_it) {
  auto const text = [](char const* barrier) {
    return kernel("cvta.shared.u64 %rd3, s; mul.wide.u32 %rd4, %r2, 4; mov.u64 %rd5, s; add.s64 %rd6, %rd5, %rd4;\n"
                  "st.shared.u32 [%rd6], %r2;\n" +
                  std::string(barrier) +
                  "\nxor.b32 %r7, %r2, 1; mul.wide.u32 %rd7, %r7, 4; add.s64 %rd8, %rd5, %rd7;\n"
                  "ld.shared.u32 %r8, [%rd8];");
  };
  bool found = false;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    std::vector<std::uint32_t> memory(4);
    found |= !run(text(""), seed, {{1}, {32}}, memory).findings.empty();
    for (char const* const barrier : {"bar.sync 0;", "bar.warp.sync -1;", "barrier.sync 1, 32;"}) {
      auto const r = run(text(barrier), seed, {{1}, {32}}, memory);
      BOOST_REQUIRE_MESSAGE(r.findings.empty() && r.fault.error == 0, r.text());
    }
  }
  BOOST_TEST(found);
}

BOOST_AUTO_TEST_CASE(a_shuffle_orders_no_memory) {
  std::string const text = kernel("setp.ne.u32 %p1, %r2, 0; @%p1 bra wait; st.global.u32 [%rd1], 7;\nwait:\n"
                                  "shfl.sync.idx.b32 %r5, %r2, 0, 31, -1; ld.global.u32 %r6, [%rd1];");
  bool found = false;
  for (std::uint64_t seed = 0; seed < 20 && !found; ++seed) {
    std::vector<std::uint32_t> memory(4);
    found = run(text, seed, {{1}, {32}}, memory).has("race");
  }
  BOOST_TEST(found);
}

BOOST_AUTO_TEST_CASE(a_deadlock_says_what_is_missing) {
  std::vector<std::uint32_t> memory(4);
  auto const r =
      run(kernel("setp.lt.u32 %p1, %r2, 32; @%p1 bar.sync 1, 64; @!%p1 bar.sync 2, 64;"), 1, {{1}, {64}}, memory);
  BOOST_TEST(r.fault.error == 702);
  BOOST_REQUIRE_MESSAGE(r.has("deadlock"), r.text());
  BOOST_TEST(r.findings[0].text == r.fault.text);
  BOOST_TEST(r.fault.text ==
             "a deadlock: every thread waits, and no thread is left that could let one of them continue:\n"
             "  kernel k, block (0, 0, 0): 32 threads, (0, 0, 0) first, wait at barrier 1, where 32 of 64 "
             "threads have arrived: @%p1 bar.sync 1, 64 (test.ptx:8)\n"
             "  kernel k, block (0, 0, 0): 32 threads, (32, 0, 0) first, wait at barrier 2, where 32 of 64 "
             "threads have arrived: @!%p1 bar.sync 2, 64 (test.ptx:8)");
  BOOST_TEST(r.findings[0].parties.size() == 2u);
  // The same place in three blocks, of which one has fewer threads there.
  auto const counts = run(kernel("setp.ge.u32 %p1, %r2, 2; setp.eq.u32 %p2, %r1, 0; and.pred %p1, %p1, %p2;\n"
                                 "@%p1 bar.sync 2, 64; bar.sync 1, 64;"),
                          1, {{3}, {4}}, memory);
  for (char const* const line :
       {"block (0, 0, 0): 2 threads, (0, 0, 0) first, wait at barrier 1, where 2 of 64 threads have arrived",
        "2 blocks, (1, 0, 0) first: 8 threads, (0, 0, 0) first, wait at barrier 1, where 32 of 64 threads have "
        "arrived"})
    BOOST_TEST(counts.fault.text.find(line) != std::string::npos, counts.text());
}

namespace {

/// Little time for the host, and few turns and polls for threads that only poll.
void be_impatient(emulator::check::run& r) {
  r.standstill.time_for_host = std::chrono::milliseconds(20);
  r.standstill.turns_of_polls = 100'000;
  r.standstill.polls_of_each = 10'000;
}

result run_impatiently(std::string const& body, machine::shape const& shape, std::size_t words = 16,
                       std::uint64_t seed = 1) {
  std::vector<std::uint32_t> memory(words);
  std::string const polls = ".func stopped(.param .b64 a) { .reg .b32 %r<1>; .reg .b64 %rd<1>;\n"
                            "ld.param.b64 %rd0, [a]; ld.relaxed.gpu.global.u32 %r0, [%rd0]; ret; }\n";
  return run(polls + kernel(body), seed, shape, memory, be_impatient);
}

} // namespace

BOOST_AUTO_TEST_CASE(threads_that_wait_in_loops_for_what_never_comes_are_a_livelock) {
  std::string const again = "setp.eq.u32 %p1, %r5, 0; @%p1 bra loop;";
  std::string const poll = "ld.relaxed.gpu.global.u32 %r5, [%rd1];\n";
  for (std::string const& body : std::initializer_list<std::string>{
           "loop: " + poll + again,
           "loop: atom.global.or.b32 %r5, [%rd1], 0;\n" + again,
           "loop: " + poll + "nanosleep.u32 100;\n" + again,
           "loop: bra loop;" + again,
           // A counter of polls, in a register and in local memory; a clock; both with barriers.
           "mov.u32 %r6, 0;\nloop: add.u32 %r6, %r6, 1;\n" + poll + again,
           "loop: mov.u64 %rd2, %globaltimer;\n" + poll + again,
           "mov.u32 %r6, 0;\nloop: add.u32 %r6, %r6, 1; bar.warp.sync 15;\n" + poll + again,
           "loop: bar.sync 0; bar.warp.sync 15;\n" + poll + again,
           // Ten polls, again and again: what is counted is the tries; and polls for a microsecond, again and again.
           "mov.u32 %r6, 0;\nloop: add.u32 %r6, %r6, 1; mov.u32 %r7, 0;\ntry: " + poll +
               "setp.ne.u32 %p1, %r5, 0; @%p1 ret; add.u32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, 10; @%p1 bra try;\n"
               "bra loop;",
           "loop: mov.u64 %rd2, %globaltimer; add.u64 %rd2, %rd2, 1000;\ntry: " + poll +
               "setp.ne.u32 %p1, %r5, 0; @%p1 ret; mov.u64 %rd3, %globaltimer; setp.lt.u64 %p1, %rd3, %rd2;\n"
               "@%p1 bra try; bra loop;",
           // Ten flags in turn, and the places of a table that is full.
           "mov.u32 %r6, 0;\nloop: add.u32 %r6, %r6, 4; setp.gt.u32 %p2, %r6, 40; @%p2 mov.u32 %r6, 0;\n"
           "cvt.u64.u32 %rd2, %r6; add.u64 %rd2, %rd2, %rd1; ld.relaxed.gpu.global.u32 %r5, [%rd2];\n" +
               again,
           "mov.u32 %r6, %r2;\nloop: add.u32 %r6, %r6, 1; and.b32 %r6, %r6, 1023; mul.wide.u32 %rd2, %r6, 4;\n"
           "add.u64 %rd2, %rd2, %rd1; ld.global.u32 %r5, [%rd2];\n" +
               again,
       }) {
    auto const r = run_impatiently(body, {{1}, {4}}, 1024);
    BOOST_TEST(r.fault.error == 702, body);
    BOOST_TEST(r.has("livelock"), body << r.text());
  }
}

BOOST_AUTO_TEST_CASE(a_livelock_says_what_is_missing) {
  // An mbarrier by its variable, memory by its variable or allocation, and blocks that have not begun.
  std::string const begin = "setp.ne.u32 %p1, %r2, 0; @%p1 bra wait;\n"
                            "mbarrier.init.shared.b64 [bars+8], 4; mbarrier.arrive.shared.b64 %rd2, [bars+8];\n"
                            "mbarrier.arrive.expect_tx.shared.b64 _, [bars+8], 512;\nwait: bar.sync 0;\n"
                            ".loc 1 17 3\n"
                            "loop: mbarrier.try_wait.parity.shared.b64 %p2, [bars+8], 0; @!%p2 bra loop;";
  std::string text = ".shared .align 8 .b64 bars[2];\n" + kernel(begin) + ".file 1 \"kernels.cu\"\n";
  text.replace(text.find("entry k("), 8, "entry _ZN3lib1kILN5cudaxW5cudaxW4sync5orderE2EEEvPi(");
  std::vector<std::uint32_t> memory(16);
  auto const prepare = [](emulator::check::run& r) { r.standstill.time_for_host = std::chrono::milliseconds(20); };
  auto const of_barrier = run(text, 1, {{1}, {64}}, memory, prepare, "_ZN3lib1kILN5cudaxW5cudaxW4sync5orderE2EEEvPi");
  BOOST_REQUIRE_MESSAGE(of_barrier.has("livelock"), of_barrier.text());
  BOOST_TEST(
      of_barrier.fault.text.find("\n  kernel lib::k<(cudax::order)2>, block (0, 0, 0): 64 threads, (0, 0, 0) first, "
                                 "wait for the mbarrier bars + 8, whose phase of parity 0 lacks 2 of 4 arrivals "
                                 "and 512 bytes: mbarrier.try_wait.parity.shared.b64 %p2, [bars+8], 0 "
                                 "(kernels.cu:17; test.ptx:") != std::string::npos,
      of_barrier.text());
  auto const of_memory =
      run(".global .align 4 .u32 flag;\n" +
              kernel("setp.eq.u32 %p1, %r2, 1; @%p1 bra other;\n"
                     "loop: ld.relaxed.gpu.global.u32 %r5, [flag]; setp.eq.u32 %p1, %r5, 0; @%p1 bra "
                     "loop;\n"
                     "other: ld.relaxed.gpu.global.u8 %r5, [%rd1+4]; setp.eq.u32 %p1, %r5, 7; @%p1 bra "
                     "other;"),
          1, {{40}, {2}}, memory = std::vector<std::uint32_t>(16, 7), prepare);
  for (char const* const words :
       {"\n  kernel k, 32 blocks, (",
        " first: 32 threads, (0, 0, 0) first, poll 4 bytes of flag, which are 0: "
        "ld.rel",
        "32 threads, (1, 0, 0) first, poll 1 byte of memory, byte 4, which is 0x7: ld.relaxed.gpu.global.u8",
        "\n  kernel k: 8 of its 40 blocks have not begun, because no more fit on the device"})
    BOOST_TEST(of_memory.fault.text.find(words) != std::string::npos, words << of_memory.text());
  BOOST_TEST(of_memory.findings[0].parties.size() == 2u);
  // Each thread waits for a word of its own.
  auto const of_words =
      run(kernel("mul.wide.u32 %rd2, %r2, 4; add.u64 %rd2, %rd2, %rd1;\n"
                 "loop: ld.relaxed.gpu.global.u32 %r5, [%rd2]; setp.eq.u32 %p1, %r5, 0; @%p1 bra loop;"),
          1, {{1}, {4}}, memory = std::vector<std::uint32_t>(16), prepare);
  BOOST_TEST(
      of_words.fault.text.find("4 threads, (0, 0, 0) first, poll 4 bytes of memory, which are 0, or other memory: ") !=
          std::string::npos,
      of_words.text());
}

BOOST_AUTO_TEST_CASE(a_computation_that_changes_no_memory_is_no_livelock) {
  std::string const sum = "mad.lo.u32 %r6, %r6, 1664525, 1013904223; add.u32 %r7, %r7, 1;\n";
  std::string const until = "setp.lt.u32 %p1, %r7, %r8; @%p1 bra loop;\n";
  std::string const begin = "mov.u32 %r6, 1; mov.u32 %r7, 0; mov.u32 %r8, ";
  for (std::string const& body : std::initializer_list<std::string>{
           // It computes; it reads a table again and again; it searches, by weak loads and by strong ones.
           begin + "200000;\nloop:\n" + sum + until,
           begin + "200000;\nloop:\n" + sum +
               "and.b32 %r9, %r6, 12; cvt.u64.u32 %rd2, %r9; add.u64 %rd2, %rd2, %rd1; ld.global.u32 %r9, [%rd2];\n" +
               until,
           begin + "60000;\nloop:\n" + sum +
               "mul.wide.u32 %rd2, %r7, 4; add.u64 %rd2, %rd2, %rd1; ld.global.u32 %r9, [%rd2];\n" + until,
           begin + "60000;\nloop:\n" + sum +
               "mul.wide.u32 %rd2, %r7, 4; add.u64 %rd2, %rd2, %rd1; ld.relaxed.gpu.global.u32 %r9, [%rd2];\n" + until,
           // The lanes meet; the state is in local memory alone; polls up to a limit; a wait for an hour.
           begin + "100000;\nloop:\n" + sum + "shfl.sync.bfly.b32 %r9, %r6, 1, 31, 15;\n" + until,
           "{ .local .align 4 .b8 l[4]; st.local.u32 [l], 0;\nloop: ld.local.u32 %r7, [l]; add.u32 %r7, %r7, 1;\n"
           "st.local.u32 [l], %r7; setp.lt.u32 %p1, %r7, 200000; mov.u32 %r7, 0; @%p1 bra loop; }\n",
           begin + "15000;\nloop: add.u32 %r7, %r7, 1;\nld.relaxed.gpu.global.u32 %r9, [%rd1];\n" + until,
           "mov.u64 %rd2, %globaltimer; add.u64 %rd2, %rd2, 3600000000000;\nloop: mov.u64 %rd3, %globaltimer;\n"
           "ld.relaxed.gpu.global.u32 %r9, [%rd1]; setp.lt.u64 %p1, %rd3, %rd2; @%p1 bra loop;\n",
           // It computes, and a flag could stop it; the same, where a function polls.
           begin + "60000;\nloop:\n" + sum + "ld.relaxed.gpu.global.u32 %r9, [%rd1];\n" + until,
           begin + "60000;\nloop:\n" + sum + "{ .param .b64 a; st.param.b64 [a], %rd1; call stopped, (a); }\n" + until,
       }) {
    auto const r = run_impatiently(body + "st.global.u32 [%rd1], 7;", {{1}, {4}}, 1 << 16);
    BOOST_TEST((r.fault.error == 0 && !r.has("livelock")), body << r.text());
  }
}

BOOST_AUTO_TEST_CASE(each_of_many_threads_may_poll_as_often_as_one) {
  auto const r = run_impatiently("mov.u32 %r7, 0;\nloop: add.u32 %r7, %r7, 1; ld.relaxed.gpu.global.u32 %r9, [%rd1];\n"
                                 "setp.lt.u32 %p1, %r7, 5000; @%p1 bra loop; st.global.u32 [%rd1+4], 7;",
                                 {{1}, {64}});
  BOOST_TEST((r.fault.error == 0 && !r.has("livelock")), r.text());
}

BOOST_AUTO_TEST_CASE(threads_that_wait_for_one_that_computes_are_no_livelock) {
  auto const r =
      run_impatiently("setp.eq.u32 %p1, %r2, 0; @%p1 bra work;\n"
                      "wait: ld.acquire.gpu.global.u32 %r5, [%rd1]; setp.eq.u32 %p2, %r5, 0; @%p2 bra wait; ret;\n"
                      "work: mov.u32 %r7, 0;\nloop: add.u32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, 300000; @%p1 bra loop;\n"
                      "st.release.gpu.global.u32 [%rd1], 1;",
                      {{2}, {4}});
  BOOST_TEST((r.fault.error == 0 && r.findings.empty()), r.text());
}

BOOST_AUTO_TEST_CASE(the_host_has_time_to_write_what_the_device_waits_for) {
  std::vector<std::uint32_t> memory(4);
  std::thread host([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    std::atomic_ref(memory[0]).store(1);
  });
  auto const r = run(kernel("loop: ld.acquire.sys.global.u32 %r5, [%rd1]; setp.eq.u32 %p1, %r5, 0; @%p1 bra loop;\n"
                            "st.global.u32 [%rd1+4], 5;"),
                     1, {{1}, {1}}, memory);
  host.join();
  BOOST_TEST((r.fault.error == 0 && r.findings.empty()), r.text());
  BOOST_TEST(memory[1] == 5u);
}

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

BOOST_AUTO_TEST_CASE(an_aligned_barrier_that_part_of_a_warp_reaches_is_reported) {
  std::vector<std::uint32_t> memory(4);
  std::string const text = kernel("setp.lt.u32 %p1, %r2, 16; @%p1 bra other; bar.sync 0; ret;\nother: bar.sync 0;");
  auto const r = run(text, 1, {{1}, {32}}, memory);
  BOOST_TEST(r.fault.error == 719);
  BOOST_TEST(r.has("divergence"), r.text());
  // Without .aligned the barrier is correct, and a warp whose other lanes have exited is complete.
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (char const* const body :
         {"setp.lt.u32 %p1, %r2, 16; @%p1 bra other; barrier.sync 0; ret;\nother: barrier.sync 0;",
          "setp.lt.u32 %p1, %r2, 16; @%p1 exit; bar.sync 0;"}) {
      auto const right = run(kernel(body), seed, {{1}, {32}}, memory);
      BOOST_REQUIRE_MESSAGE(right.fault.error == 0 && right.findings.empty(), right.text());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_barrier_that_threads_bypass_is_reported_unless_they_return_before_it) {
  // %rd3: the thread's own word. %r8: how many threads remain.
  auto const text = [](std::string const& loop) {
    return kernel("mul.wide.u32 %rd2, %r2, 4; add.u64 %rd3, %rd1, %rd2; mov.u32 %r8, 64;\n" + loop);
  };
  std::string const add = "ld.global.u32 %r5, [%rd3]; add.u32 %r5, %r5, 1; st.global.u32 [%rd3], %r5;\n";
  std::string const halve = "shr.u32 %r8, %r8, 1; setp.ge.u32 %p1, %r2, %r8;\n";
  std::string const again = "setp.gt.u32 %p2, %r8, 4; @%p2 bra loop;\n";
  std::vector<std::uint32_t> memory(64);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (std::string const& right :
         {"loop: bar.sync 0;\n" + add + halve + "@%p1 ret;\n" + again,
          "loop:\n" + add + halve + "@%p1 ret; bar.sync 0;\n" + again,
          "loop: bar.sync 0;\n" + add + "bar.sync 0;\n" + add + halve + "@%p1 ret;\n" + again,
          // Between two barriers of a loop, by an instruction after both.
          "loop: bar.sync 0;\n" + halve + "@%p1 bra out;\nbar.sync 0;\n" + again + "ret;\nout:\n" + add,
          // The stores of both paths in one, as nvcc compiles it, and an addition inlined twice, as clang compiles it.
          "mov.u32 %r5, 1;\n" + halve +
              "@%p1 bra out;\n.loc 1 10 3\nbar.sync 0;\nmov.u32 %r5, 2;\nout:\n.loc 1 12 3\nst.global.u32 [%rd3], "
              "%r5;\n",
          halve + "@%p1 bra out;\n.loc 1 10 3\nbar.sync 0;\nout:\n.loc 1 12 3 // h.hpp:12:3 @[ main.cu:0 "
                  "]\natom.global.add.u32 %r5, [%rd3], 2;\n",
          halve + "@%p1 bra out;\nbar.sync 0;\n" + add + "ret;\nout:\n" + add}) {
      auto const r = run(text(right), seed, {{1}, {64}}, memory);
      BOOST_REQUIRE_MESSAGE(r.findings.empty() && r.fault.error == 0, right << r.text());
    }
    for (std::string const& wrong :
         {halve + "@%p1 bra around;\nbar.sync 0;\naround:\n" + add, halve + "@!%p1 bar.sync 0;\n" + add,
          "bar.sync 0;\n" + halve + "@%p1 bra around;\n" + add + "bar.sync 0;\naround:\n" + add}) {
      auto const r = run(text(wrong), seed, {{1}, {64}}, memory);
      BOOST_REQUIRE_MESSAGE(r.has("divergence") && r.findings.size() == 1 && r.fault.error == 0, wrong << r.text());
    }
  }
}

BOOST_AUTO_TEST_CASE(memory_from_malloc_in_a_kernel_is_uninitialised) {
  std::string const text =
      ".extern .func (.param .b64 r) malloc (.param .b64 n);\n" +
      kernel("{ .param .b64 n; .param .b64 r; st.param.b64 [n], 16; call (r), malloc, (n);\n"
             "ld.param.b64 %rd5, [r]; }\nst.b32 [%rd5], 1;\nld.b32 %r5, [%rd5];\nld.b32 %r6, [%rd5+4];");
  std::vector<std::uint32_t> memory(4);
  auto const r = run(text, 1, {{1}, {1}}, memory);
  BOOST_TEST(r.has("uninitialised"), r.text());
  BOOST_TEST(r.findings.size() == 1u, r.text());
}

BOOST_AUTO_TEST_CASE(a_copy_is_complete_only_after_a_wait_for_its_group) {
  auto const text = [](char const* wait) {
    return kernel("mov.u64 %rd5, s;\ncp.async.ca.shared.global [%rd5], [%rd1], 4;\ncp.async.commit_group;\n" +
                  std::string(wait) + "\nld.shared.u32 %r5, [%rd5]; st.global.u32 [%rd1+4], %r5;");
  };
  bool found = false;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    std::vector<std::uint32_t> memory{7, 0, 0, 0};
    auto const r = run(text("cp.async.wait_group 0;"), seed, {{1}, {1}}, memory);
    BOOST_REQUIRE_MESSAGE(r.fault.error == 0 && r.findings.empty(), r.text());
    BOOST_REQUIRE(memory[1] == 7);
    found |= !run(text("cp.async.wait_group 1;"), seed, {{1}, {1}}, memory).findings.empty();
  }
  BOOST_TEST(found);
}

BOOST_AUTO_TEST_CASE(an_mbarrier_publishes_the_writes_before_the_arrivals) {
  // Thread 0 initializes the barrier. All threads arrive after a store and wait for the phase; then each reads its
  // neighbour's word.
  auto const text = [](char const* arrive, char const* wait) {
    return kernel(
        "mov.u64 %rd5, s; mul.wide.u32 %rd6, %r2, 4; add.s64 %rd7, %rd5, %rd6;\n"
        "setp.ne.u32 %p1, %r2, 0; @%p1 bra ready; mbarrier.init.shared.b64 [%rd5+128], 8;\nready: bar.sync 0;\n"
        "st.shared.u32 [%rd7], %r2;\n" +
        std::string(arrive) + " %rd8, [%rd5+128];\nloop: " + wait +
        " %p2, [%rd5+128], %rd8;\n@!%p2 bra loop;\n"
        "xor.b32 %r7, %r2, 1; mul.wide.u32 %rd9, %r7, 4; add.s64 %rd10, %rd5, %rd9; ld.shared.u32 %r8, [%rd10];");
  };
  bool found = false;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    std::vector<std::uint32_t> memory(4);
    auto const r = run(text("mbarrier.arrive.shared.b64", "mbarrier.try_wait.shared.b64"), seed, {{1}, {8}}, memory);
    BOOST_REQUIRE_MESSAGE(r.fault.error == 0 && r.findings.empty(), r.text());
    found |=
        run(text("mbarrier.arrive.relaxed.cta.shared.b64", "mbarrier.try_wait.shared.b64"), seed, {{1}, {8}}, memory)
            .has("race");
  }
  BOOST_TEST(found);
}

BOOST_AUTO_TEST_CASE(a_trap_and_an_assertion_are_findings) {
  std::vector<std::uint32_t> memory(4);
  auto const traps = run(kernel("setp.eq.u32 %p1, %r2, 5; @%p1 trap;"), 1, {{1}, {32}}, memory);
  BOOST_TEST(traps.fault.error == 719);
  BOOST_REQUIRE(traps.has("trap"));
  BOOST_TEST(traps.text().find("thread (5, 0, 0)") != std::string::npos, traps.text());
  std::string const text =
      ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, "
      ".param .b64 e) .noreturn;\n.global .align 1 .b8 word[4] = {110, 111, 33, 0};\n" +
      kernel("{ .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;\n"
             "mov.u64 %rd3, word; cvta.global.u64 %rd3, %rd3; st.param.b64 [a], %rd3; "
             "st.param.b64 [b], %rd3; st.param.b32 [c], 3;\n"
             "st.param.b64 [d], %rd3; st.param.b64 [e], 1;\ncall __assertfail, (a, b, c, d, e); }");
  auto const asserts = run(text, 1, {{1}, {1}}, memory);
  BOOST_TEST(asserts.fault.error == 710, asserts.text());
  BOOST_TEST(asserts.has("assertion"), asserts.text());
}

BOOST_AUTO_TEST_CASE(the_reserved_shared_memory_is_initialised) {
  std::vector<std::uint32_t> memory(4, 7);
  auto const r = run(kernel("mov.u32 %r4, %reserved_smem_offset_1; atom.relaxed.cta.shared.or.b32 %r5, [%r4], 0;\n"
                            "st.global.u32 [%rd1], %r5;"),
                     1, {{1}, {1}}, memory);
  BOOST_TEST((r.fault.error == 0 && r.findings.empty()), r.text());
  BOOST_TEST(memory[0] == 0);
}

BOOST_AUTO_TEST_CASE(the_word_around_the_last_byte_of_shared_memory_can_be_accessed) {
  auto const with_a_byte = [](char const* body) {
    std::vector<std::uint32_t> memory(4);
    return run(kernel("st.shared.u8 [s+256], 1;\n" + std::string(body)), 1, {{1}, {1}, {}, 1}, memory);
  };
  auto const right =
      with_a_byte("atom.relaxed.cta.shared.or.b32 %r5, [s+256], 2; ld.acquire.cta.shared.u32 %r6, [s+256];");
  BOOST_TEST((right.fault.error == 0 && right.findings.empty()), right.text());
  for (char const* const wrong :
       {"ld.shared.u32 %r5, [s+256];", "atom.relaxed.cta.shared.or.b32 %r5, [s+256], 0x100;",
        "atom.relaxed.cta.shared.or.b32 %r5, [s+260], 1;", "st.relaxed.cta.shared.b32 [s+256], %r1;"})
    BOOST_TEST(with_a_byte(wrong).has("out of bounds"), wrong);
}

BOOST_AUTO_TEST_CASE(findings_name_source_lines) {
  std::vector<std::uint32_t> memory(4);
  std::string const text = kernel(".loc 1 17 3\nst.global.u32 [%rd1], %r2;\n.loc 1 18 3\nld.global.u32 %r3, [%rd1];") +
                           ".file 1 \"kernels.cu\"\n";
  auto const r = run(text, 1, {{1}, {32}}, memory);
  BOOST_REQUIRE(!r.findings.empty());
  BOOST_TEST(r.text().find("kernels.cu:17") != std::string::npos, r.text());
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

// --- lanes that meet early ---

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

BOOST_AUTO_TEST_CASE(the_meeting_of_the_active_lanes_orders_no_memory) {
  // Lane 0 writes, lane 1 reads.
  auto const text = [](std::string const& meeting) {
    return kernel("setp.eq.u32 %p1, %r2, 0; @%p1 st.global.u32 [%rd1+4], 1;\n" + meeting +
                  "\nsetp.eq.u32 %p2, %r2, 1; @%p2 ld.global.u32 %r6, [%rd1+4];");
  };
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<std::uint32_t> memory(4);
    auto const active = run(text("activemask.b32 %r5; bar.warp.sync %r5;"), seed, {{1}, {2}}, memory);
    BOOST_TEST(active.has("race"), "seed " << seed);
    auto const named = run(text("mov.u32 %r5, 3; bar.warp.sync %r5;"), seed, {{1}, {2}}, memory);
    BOOST_TEST(named.text() == "", named.text());
  }
}

BOOST_AUTO_TEST_SUITE_END()
