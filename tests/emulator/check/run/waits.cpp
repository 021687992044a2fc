// SPDX-License-Identifier: Apache-2.0
//
// waits: deadlocks and livelocks, what their reports say, and waits that are neither.
#include "checked_run.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <thread>

using namespace emulator_test;

namespace {

result run_impatiently(std::string const& body, machine::shape const& shape, std::size_t words = 16,
                       std::uint64_t seed = 1) {
  std::vector<std::uint32_t> memory(words);
  std::string const polls = ".func stopped(.param .b64 a) { .reg .b32 %r<1>; .reg .b64 %rd<1>;\n"
                            "ld.param.b64 %rd0, [a]; ld.relaxed.gpu.global.u32 %r0, [%rd0]; ret; }\n";
  return run(polls + kernel(body), seed, shape, memory, be_impatient);
}

} // namespace

BOOST_AUTO_TEST_SUITE(check_run)

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

BOOST_AUTO_TEST_SUITE_END()
