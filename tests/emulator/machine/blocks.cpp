// SPDX-License-Identifier: Apache-2.0
//
// blocks: warps, barriers, clusters, concurrent grids, and how launches fail.
#include "../../../tools/emulator/machine/mode.hpp"
#include "../../../tools/emulator/machine/special.hpp"
#include "machine.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <thread>

namespace emulator_test {
namespace {

using emulator::fault;
using u32s = std::vector<std::uint32_t>;

/// The beginning of a kernel: %rd0 = out + 4 * %tid.x + `bytes per block` * %ctaid.x, %r0 = %tid.x.
std::string kernel(std::string const& body, int per_block = 0) {
  return ".visible .entry k(.param .u64 out) {\n.reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %rd<20>;\n"
         ".shared .align 16 .b32 s[64];\n"
         "ld.param.u64 %rd9, [out]; mov.u32 %r0, %tid.x; mul.wide.u32 %rd1, %r0, 4; mov.u32 %r19, %ctaid.x;\n"
         "mul.wide.u32 %rd2, %r19, " +
         std::to_string(per_block) + "; add.u64 %rd0, %rd9, %rd1; add.u64 %rd0, %rd0, %rd2;\n" + body + "\n}\n";
}

BOOST_AUTO_TEST_SUITE(blocks)

BOOST_AUTO_TEST_CASE(shuffles_in_all_modes) {
  auto const shuffle = [](std::string const& operation) {
    u32s out(32);
    machine m(kernel("add.u32 %r1, %r0, 100; " + operation +
                     "\nselp.u32 %r3, 1000, 0, %p1; add.u32 %r2, %r2, %r3; st.global.u32 [%rd0], %r2;"));
    RUNS(m.run("k", {.block = {32}}, {address(out)}));
    return out;
  };
  auto const up = shuffle("shfl.sync.up.b32 %r2|%p1, %r1, 3, 0, 0xffffffff;");
  auto const down = shuffle("shfl.sync.down.b32 %r2|%p1, %r1, 5, 0x181f, 0xffffffff;"); // segments of 8
  auto const bfly = shuffle("shfl.sync.bfly.b32 %r2|%p1, %r1, 17, 31, 0xffffffff;");
  auto const idx =
      shuffle("shfl.sync.idx.b32 %r2|%p1, %r1, %r0, 31, 0xffffffff; shfl.sync.idx.b32 %r2|%p1, %r2, 6, 31, -1;");
  for (std::uint32_t i = 0; i < 32; ++i) {
    BOOST_TEST(up[i] == (i < 3 ? 100 + i : 1100 + i - 3));
    BOOST_TEST(down[i] == (i % 8 < 3 ? 1100 + i + 5 : 100 + i));
    BOOST_TEST(bfly[i] == 1100 + (i ^ 17));
    BOOST_TEST(idx[i] == 1106u);
  }
}

BOOST_AUTO_TEST_CASE(lanes_meet_early_if_the_process_asks_for_it) {
  // Each lane counts, stores, and reads how many have counted. Lanes run one after the other unless they meet.
  auto const seen = [](std::string const& begin, std::string const& meets, bool early) {
    emulator::process_mode = {.converges_early = early};
    u32s out(33);
    {
      machine m(kernel(begin +
                       "\natom.global.add.u32 %r1, [%rd9+128], 1;\nst.volatile.global.u32 [%rd0], 0;\n"
                       "ld.volatile.global.u32 %r2, [%rd9+128]; st.volatile.global.u32 [%rd0], %r2;\n" +
                       meets));
      RUNS(m.run("k", {.block = {32}}, {address(out)}));
    }
    emulator::process_mode = {};
    out.pop_back();
    return out;
  };
  u32s one_by_one(32);
  for (std::uint32_t i = 0; i < 32; ++i) one_by_one[i] = i + 1;
  BOOST_TEST(seen("", "bar.sync 0;", false) == one_by_one, boost::test_tools::per_element());
  BOOST_TEST(seen("", "", true) == one_by_one, boost::test_tools::per_element());
  BOOST_TEST(seen("", "bar.sync 0;", true) == u32s(32, 32), boost::test_tools::per_element());
  // Of the lanes that have not exited; of the lanes of a mask; of those for which a predicate is true.
  u32s lower(32);
  std::fill(lower.begin(), lower.begin() + 16, 16);
  std::string const leave = "setp.ge.u32 %p1, %r0, 16; @%p1 exit;";
  BOOST_TEST(seen(leave, "bar.sync 0;", true) == lower, boost::test_tools::per_element());
  BOOST_TEST(seen("", "shfl.sync.idx.b32 %r3, %r0, 0, 31, -1;", true) == u32s(32, 32),
             boost::test_tools::per_element());
  auto const pairs =
      seen("and.b32 %r5, %r0, 30; mov.u32 %r6, 3; shl.b32 %r7, %r6, %r5;", "vote.sync.ballot.b32 %r3, %p1, %r7;", true);
  for (std::uint32_t i = 0; i < 32; i += 2) {
    BOOST_TEST(pairs[i] >= i + 2);
    BOOST_TEST(pairs[i + 1] == i + 2);
  }
  std::string const some = "setp.lt.u32 %p1, %r19, ";
  BOOST_TEST(seen(some + "1;", "@%p1 bar.sync 0;", true) == u32s(32, 32), boost::test_tools::per_element());
  BOOST_TEST(seen(some + "0;", "@%p1 bar.sync 0;", true) == one_by_one, boost::test_tools::per_element());
  BOOST_TEST(seen(some + "0;", "@!%p1 bar.sync 0;", true) == u32s(32, 32), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_lane_outside_its_mask_is_a_fault) {
  u32s out(1);
  machine m(kernel("elect.sync %r9|%p6, 0xfffffff0;"));
  FAILS(715, "not in its mask", m.run("k", {.block = {32}}, {address(out)}));
}

BOOST_AUTO_TEST_CASE(votes_matches_reductions_and_elections) {
  machine m(kernel(R"(
  setp.lt.u32 %p1, %r0, 5;
  vote.sync.ballot.b32 %r1, %p1, -1;
  vote.sync.any.pred %p2, !%p1, -1; vote.sync.all.pred %p3, %p1, -1; vote.sync.uni.pred %p4, %p3, -1;
  and.b32 %r3, %r0, 3; match.any.sync.b32 %r4, %r3, -1;
  match.all.sync.b32 %r5|%p5, 7, -1;
  redux.sync.add.u32 %r6, %r0, -1; sub.u32 %r7, 3, %r0; redux.sync.min.s32 %r7, %r7, -1; redux.sync.xor.b32 %r8, %r0, -1;
  elect.sync %r9|%p6, -1;
  @%p6 add.u32 %r1, %r1, 0x100;
  selp.u32 %r2, 1, 0, %p2; @%p3 add.u32 %r2, %r2, 2; @%p4 add.u32 %r2, %r2, 4; @%p5 add.u32 %r2, %r2, 8;
  st.global.u32 [%rd0], %r1; st.global.u32 [%rd0+128], %r2; st.global.u32 [%rd0+256], %r4; st.global.u32 [%rd0+384], %r5;
  st.global.u32 [%rd0+512], %r6; st.global.u32 [%rd0+640], %r7; st.global.u32 [%rd0+768], %r8; st.global.u32 [%rd0+896], %r9;
  )"));
  u32s out(256);
  RUNS(m.run("k", {.block = {32}}, {address(out)}));
  for (std::uint32_t i = 0; i < 32; ++i) {
    BOOST_TEST(out[i] == (i == 0 ? 0x11fu : 0x1fu));
    BOOST_TEST(out[32 + i] == 1 + 4 + 8u);
    BOOST_TEST(out[64 + i] == 0x11111111u << i % 4);
    BOOST_TEST(out[96 + i] == 0xffffffffu);
    BOOST_TEST(out[128 + i] == 31 * 16u);
    BOOST_TEST(out[160 + i] == std::uint32_t(-28));
    BOOST_TEST(out[192 + i] == 0u);
    BOOST_TEST(out[224 + i] == 0u);
  }
}

BOOST_AUTO_TEST_CASE(lanes_synchronize_by_mask_wherever_they_are_without_exited_ones) {
  machine m(kernel(R"(
  setp.eq.u32 %p1, %r0, 9;
  @%p1 exit;
  and.b32 %r1, %r0, 1; setp.eq.u32 %p2, %r1, 0;
  @%p2 bra even;
  redux.sync.add.u32 %r2, 1, 0xaaaaaaaa;
  bra join;
even:
  redux.sync.add.u32 %r2, 1, 0x55555555;
join:
  @%p2 bra other;
  redux.sync.add.u32 %r3, 1, -1;
  bra end;
other:
  redux.sync.add.u32 %r3, 1, -1;
end:
  st.global.u32 [%rd0], %r2; st.global.u32 [%rd0+128], %r3;
  )"));
  u32s out(64);
  RUNS(m.run("k", {.block = {20}}, {address(out)}));
  for (std::uint32_t i = 0; i < 20; ++i) {
    if (i == 9) continue;
    BOOST_TEST(out[i] == (i % 2 ? 9u : 10u));
    BOOST_TEST(out[32 + i] == 19u);
  }
}

BOOST_AUTO_TEST_CASE(block_barriers_separate_phases_without_exited_threads) {
  machine m(kernel(R"(
  setp.ge.u32 %p1, %r0, 60;
  @%p1 exit;
  mov.u32 %r5, 0; mov.u32 %r6, 0;
  mul.lo.u32 %r1, %r0, 4; mov.u32 %r2, s; add.u32 %r1, %r1, %r2;
  add.u32 %r3, %r0, 1; setp.eq.u32 %p2, %r3, 60; selp.u32 %r3, 0, %r3, %p2; mul.lo.u32 %r3, %r3, 4; add.u32 %r3, %r3, %r2;
loop:
  add.u32 %r7, %r0, %r5; st.shared.u32 [%r1], %r7;
  bar.sync 0;
  ld.shared.u32 %r4, [%r3]; add.u32 %r6, %r6, %r4;
  barrier.cta.sync.aligned 0;
  add.u32 %r5, %r5, 1; setp.lt.u32 %p3, %r5, 100; @%p3 bra loop;
  st.global.u32 [%rd0], %r6;
  setp.lt.u32 %p4, %r0, 7;
  bar.red.popc.u32 %r8, 3, %p4; barrier.cta.red.and.pred %p5, 4, %p4; barrier.cta.red.or.pred %p6, 5, %p4;
  @%p6 add.u32 %r8, %r8, 100; @%p5 add.u32 %r8, %r8, 1000;
  st.global.u32 [%rd0+256], %r8;
  )",
                   512));
  u32s out(128 * 40);
  RUNS(m.run("k", {.grid = {40}, .block = {64}}, {address(out)}));
  for (std::uint32_t b = 0; b < 40; ++b)
    for (std::uint32_t i = 0; i < 60; ++i) {
      BOOST_TEST(out[b * 128 + i] == (i == 59 ? 0 : i + 1) * 100 + 4950);
      BOOST_TEST(out[b * 128 + 64 + i] == 107u);
    }
}

BOOST_AUTO_TEST_CASE(producers_arrive_and_consumers_wait) {
  machine m(kernel(R"(
  setp.ge.u32 %p1, %r0, 32;
  @%p1 bra consumer;
  mul.lo.u32 %r1, %r0, 4; mov.u32 %r2, s; add.u32 %r1, %r1, %r2;
  st.shared.u32 [%r1], 5;
  bar.arrive 2, 64;
  ret;
consumer:
  mul.lo.u32 %r1, %r0, 4; sub.u32 %r1, %r1, 128; mov.u32 %r2, s; add.u32 %r1, %r1, %r2;
  bar.sync 2, 64;
  ld.shared.u32 %r3, [%r1]; st.global.u32 [%rd0], %r3;
  )"));
  u32s out(64);
  RUNS(m.run("k", {.block = {64}}, {address(out)}));
  for (std::size_t i = 32; i < 64; ++i) BOOST_TEST(out[i] == 5u);
}

BOOST_AUTO_TEST_CASE(blocks_of_a_cluster_synchronize_and_read_each_other_s_shared_memory) {
  machine m(kernel(R"(
  mov.u32 %r1, %cluster_ctarank; add.u32 %r2, %r19, 50;
  st.shared.u32 [s], %r2;
  barrier.cluster.arrive.release.aligned;
  barrier.cluster.wait.acquire.aligned;
  add.u32 %r3, %r1, 1; mov.u32 %r4, %cluster_nctarank; rem.u32 %r3, %r3, %r4;
  mov.u32 %r5, s; mapa.shared::cluster.u32 %r6, %r5, %r3;
  getctarank.shared::cluster.u32 %r7, %r6;
  ld.shared::cluster.u32 %r8, [%r6];
  cvta.shared.u64 %rd3, s; mapa.u64 %rd4, %rd3, %r3; ld.u32 %r10, [%rd4]; getctarank.u64 %r11, %rd4;
  barrier.cluster.arrive.relaxed; barrier.cluster.wait;
  mul.lo.u32 %r7, %r7, 1000; add.u32 %r8, %r8, %r7; mul.lo.u32 %r11, %r11, 1000; add.u32 %r10, %r10, %r11;
  st.global.u32 [%rd0], %r8; st.global.u32 [%rd0+512], %r10;
  )",
                   4));
  u32s out(256);
  RUNS(m.run("k", {.grid = {64}, .block = {1}, .cluster = {4}}, {address(out)}));
  for (std::uint32_t i = 0; i < 64; ++i) {
    std::uint32_t const rank = (i + 1) % 4, expected = i / 4 * 4 + rank + 50 + rank * 1000;
    BOOST_TEST(out[i] == expected);
    BOOST_TEST(out[128 + i] == expected);
  }
  FAILS(912, "multiple", m.run("k", {.grid = {6}, .cluster = {4}}, {address(out)}));
}

BOOST_AUTO_TEST_CASE(a_word_of_shared_memory_is_there_if_one_of_its_bytes_is) {
  auto const run = [](std::string const& body) {
    u32s out(1);
    machine m(kernel(body));
    return m.run("k", {.dynamic_shared = 1}, {address(out)});
  };
  RUNS(run("st.shared.u8 [s+256], 1; atom.shared.or.b32 %r1, [s+256], 2; ld.relaxed.cta.shared.u32 %r1, [s+256];"));
  FAILS(700, "outside the 257 bytes", run("atom.shared.or.b32 %r1, [s+260], 2;"));
  FAILS(700, "outside the 257 bytes", run("st.shared.u8 [s+257], 1;"));
  FAILS(700, "outside the 257 bytes", run("ld.shared.u64 %rd3, [s+256];"));
}

BOOST_AUTO_TEST_CASE(an_address_in_a_block_that_does_not_exist_is_an_error_when_it_is_used) {
  // Compilers calculate addresses and ranks before the condition under which they are used.
  auto const run = [](std::string const& body, u32s& out) {
    machine m(kernel("mov.u32 %r1, %cluster_ctarank; add.u32 %r3, %r1, 1; mov.u32 %r4, %cluster_nctarank;\n"
                     "cvta.shared.u64 %rd3, s; mov.u64 %rd4, s; mov.u32 %r5, s; mov.u32 %r9, 300;\n"
                     "st.shared.u32 [s], %r1;\n"
                     "barrier.cluster.arrive; barrier.cluster.wait;\n" +
                         body + "\nbarrier.cluster.arrive; barrier.cluster.wait; ret;",
                     4));
    return m.run("k", {.grid = {2}, .block = {1}, .cluster = {2}}, {address(out)});
  };
  u32s out(4);
  RUNS(run(
      "mapa.u64 %rd5, %rd3, %r3; mapa.shared::cluster.u64 %rd6, %rd4, %r3; mapa.shared::cluster.u32 %r6, %r5, %r3;\n"
      "getctarank.u64 %r7, %rd5; getctarank.u64 %r8, %rd0; mapa.u64 %rd7, %rd0, %r3; mapa.u64 %rd7, 0, %r1;\n"
      "cvta.to.shared.u64 %rd10, %rd5; cvta.shared.u64 %rd11, %rd10; isspacep.shared::cluster %p2, %rd5;\n"
      "isspacep.global %p3, %rd5; isspacep.shared %p4, %rd5;\n"
      // %r7: the rank; the same address by both ways; in the window of the cluster, and in no other.
      "setp.eq.and.u32 %p5, %r7, %r3, %p2; setp.eq.and.u64 %p5, %rd6, %rd10, %p5;\n"
      "setp.eq.and.u64 %p5, %rd5, %rd11, %p5; selp.u32 %r8, 1, 0, %p5; @%p3 mov.u32 %r8, 3; @%p4 mov.u32 %r8, 2;\n"
      "st.global.u32 [%rd0+8], %r8;\n"
      "setp.ge.u32 %p1, %r3, %r4; @%p1 bra done;\n"
      "ld.u32 %r10, [%rd5]; ld.shared::cluster.u32 %r11, [%rd6]; ld.shared::cluster.u32 %r12, [%r6];\n"
      "add.u32 %r10, %r10, %r11; add.u32 %r10, %r10, %r12; st.global.u32 [%rd0], %r10;\ndone:",
      out));
  BOOST_TEST(out[0] == 3u);
  BOOST_TEST((out[2] == 1u && out[3] == 1u));
  char const* const missing = "block rank 2 does not exist in the cluster of 2 blocks";
  FAILS(719, missing, run("mapa.u64 %rd5, %rd3, %r3; ld.u32 %r6, [%rd5+4];", out));
  FAILS(719, missing, run("mapa.u64 %rd5, %rd3, %r3; st.u32 [%rd5+4], %r6;", out));
  FAILS(719, missing, run("mapa.shared::cluster.u64 %rd5, %rd4, %r3; st.shared::cluster.u32 [%rd5], %r6;", out));
  FAILS(719, missing, run("mapa.shared::cluster.u32 %r7, %r5, %r3; atom.shared::cluster.add.u32 %r6, [%r7], 1;", out));
  FAILS(719, missing,
        run("mapa.shared::cluster.u32 %r7, %r5, %r3; setp.ne.u32 %p1, %r1, 0; @%p1 "
            "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r7];",
            out));
  FAILS(719, missing,
        run("mapa.u64 %rd5, %rd3, %r3; cvta.to.shared.u64 %rd6, %rd5; ld.shared::cluster.u8 %r7, [%rd6];", out));
  // Ranks that a number of 32 bits cannot hold.
  FAILS(719, "block rank 300 does not exist", run("mapa.u64 %rd5, %rd3, %r9; ld.u32 %r6, [%rd5];", out));
  FAILS(719, "block rank 300 does not exist",
        run("mapa.shared::cluster.u64 %rd5, %rd4, %r9; ld.shared::cluster.u32 %r6, [%rd5];", out));
  FAILS(719, "block rank 255 or above does not exist",
        run("mapa.shared::cluster.u32 %r6, %r5, %r9; add.u32 %r6, %r6, 4; ld.shared::cluster.u32 %r6, [%r6];", out));
  FAILS(700, "is not of shared memory", run("mapa.u64 %rd5, 0x123456780, %r1; ld.u32 %r6, [%rd5];", out));
}

/// Every block counts itself, then waits until the count is `%r2`.
char const* const wait_for_all = R"(
  ld.param.u64 %rd3, [out];
  atom.global.add.u32 %r1, [%rd3], 1;
loop:
  ld.volatile.global.u32 %r1, [%rd3]; setp.lt.u32 %p1, %r1, %r2; @%p1 bra loop;
  )";

BOOST_AUTO_TEST_CASE(resident_blocks_make_progress_and_a_cooperative_grid_is_resident_or_rejected) {
  machine m(kernel(std::string("mov.u32 %r2, 64;") + wait_for_all));
  u32s out(64);
  RUNS(m.run("k", {.grid = {32}, .block = {2}, .cooperative = true}, {address(out)}));
  FAILS(720, "64 blocks", m.run("k", {.grid = {64}, .block = {1}, .cooperative = true}, {address(out)}));
}

BOOST_AUTO_TEST_CASE(grids_run_concurrently_with_each_other_and_the_host) {
  machine m(kernel(std::string("mov.u32 %r2, 4;") + wait_for_all));
  u32s out(64);
  std::vector<std::thread> hosts;
  std::atomic<int> failures{0};
  for (int i = 0; i < 3; ++i) hosts.emplace_back([&] { failures += m.run("k", {}, {address(out)}).error != 0; });
  while (std::atomic_ref(out[0]).load() != 3) std::this_thread::yield();
  std::atomic_ref(out[0]).fetch_add(1);
  for (auto& host : hosts) host.join();
  BOOST_TEST(failures == 0);
}

BOOST_AUTO_TEST_CASE(a_sleeping_thread_sleeps_and_lets_others_run) {
  machine m(kernel("nanosleep.u32 500000; mov.u64 %rd4, %globaltimer; st.global.u64 [%rd9], %rd4;"));
  std::vector<std::uint64_t> out(1);
  auto const before = emulator::global_timer();
  RUNS(m.run("k", {.block = {32}}, {address(out)}));
  BOOST_TEST(out[0] >= before + 500'000);
}

BOOST_AUTO_TEST_CASE(a_fault_ends_the_launch_and_names_the_thread) {
  machine bad(kernel("setp.ne.u32 %p1, %r0, 5; @%p1 bra end; mov.u64 %rd3, 64; ld.global.u32 %r1, [%rd3]; end: "));
  u32s out(64);
  FAILS(700, "kernel k, block (0, 0, 0), thread (5, 0, 0), test.ptx:9: ld.global.u32 %r1, [%rd3]: ",
        bad.run("k", {.block = {32}}, {address(out)}));
  FAILS(700, "0x40", bad.run("k", {.block = {32}}, {address(out)}));
  // Other blocks, which would never end, stop, too, and the device works again.
  machine trap(kernel("setp.eq.u32 %p1, %r19, 5; @%p1 trap; loop: bra loop;"));
  FAILS(719, "block (5, 0, 0)", trap.run("k", {.grid = {32}, .block = {32}}, {address(out)}));
  FAILS(719, "block (5, 0, 0)", trap.run("k", {.grid = {32}, .block = {32}}, {address(out)}));
}

BOOST_AUTO_TEST_CASE(a_deadlock_says_what_is_missing) {
  u32s out(64);
  auto const of = [&](std::string const& body, machine::shape const& shape) {
    return machine(kernel(body)).run("k", shape, {address(out)});
  };
  std::string const title =
      "a deadlock: every thread waits, and no thread is left that could let one of them continue:\n";
  // Lanes of a warp, and a barrier of the block.
  fault const warp =
      of("setp.eq.u32 %p1, %r0, 5; @%p1 bra other; bar.warp.sync -1; ret; other: bar.sync 0; ret;", {.block = {32}});
  BOOST_TEST(warp.error == 702);
  BOOST_TEST(warp.text == title +
                              "  kernel k, block (0, 0, 0): 31 threads, (0, 0, 0) first, wait for lanes 0x00000020 of "
                              "the warp, which are elsewhere: bar.warp.sync -1 (test.ptx:9)\n"
                              "  kernel k, block (0, 0, 0): thread (5, 0, 0) waits at barrier 0, where 1 of 32 "
                              "threads has arrived: bar.sync 0 (test.ptx:9)");
  // A barrier with a number and a count, with a source line.
  FAILS(702,
        "32 threads, (32, 0, 0) first, wait at barrier 3, where 32 of 128 threads have arrived: @!%p1 bar.sync "
        "3, 128 (kernels.cu:17; test.ptx:11)",
        machine(kernel("setp.lt.u32 %p1, %r0, 32; @%p1 bar.sync 4, 64;\n.loc 1 17 3\n@!%p1 bar.sync 3, 128;") +
                ".file 1 \"kernels.cu\"\n")
            .run("k", {.block = {64}}, {address(out)}));
  // The same place in two blocks, and the barrier of their cluster.
  fault const cluster =
      of("setp.eq.u32 %p1, %r0, 1; @%p1 bra other; barrier.cluster.arrive; barrier.cluster.wait; ret;\n"
         "other: bar.sync 1, 64;",
         {.grid = {2}, .block = {2}, .cluster = {2}});
  BOOST_TEST(cluster.text == title +
                                 "  kernel k, 2 blocks, (0, 0, 0) first: 2 threads, (0, 0, 0) first, wait at the "
                                 "barrier of the cluster, where 2 of 4 threads have arrived: barrier.cluster.wait "
                                 "(test.ptx:9)\n"
                                 "  kernel k, 2 blocks, (0, 0, 0) first: 2 threads, (1, 0, 0) first, wait at barrier "
                                 "1, where 1 of 64 threads has arrived: bar.sync 1, 64 (test.ptx:10)");
  // Blocks that have not begun.
  FAILS(702,
        "\n  kernel k: 8 of its 40 blocks have not begun, because no more fit on the device, which has 4 SMs for at "
        "most 8 blocks each",
        of("bar.sync 1, 64;", {.grid = {40}, .block = {32}}));
  // More kinds of waiters than lines.
  std::string many;
  for (int i = 0; i < 20; ++i)
    many += "setp.eq.u32 %p1, %r0, " + std::to_string(i) + "; @%p1 bar.sync " + std::to_string(i % 15 + 1) + ", 64;\n";
  FAILS(702, "\n  and 4 threads at 4 more places", of(many, {.block = {20}}));
}

BOOST_AUTO_TEST_CASE(launches_that_cannot_run_are_rejected) {
  machine m(".visible .entry k(.param .u64 out) .maxntid 64, 1, 1 { .shared .b8 s[1000]; .reg .b64 %rd1; mov.u64 %rd1, "
            "s; ret; }");
  FAILS(9, "block", m.run("k", {.block = {1025}}, {0}));
  FAILS(9, "grid", m.run("k", {.grid = {0}}, {0}));
  FAILS(701, "64", m.run("k", {.block = {65}}, {0}));
  FAILS(1, "shared", m.run("k", {.dynamic_shared = 227 * 1024}, {0}));
  FAILS(1, "parameters", m.run("k", {}));
  RUNS(m.run("k", {.block = {64}}, {0}));
  auto const* const k = m.program.kernel("k");
  BOOST_TEST(m.device.resident_blocks(*k, {64}, 0) == 8);
  BOOST_TEST(m.device.resident_blocks(*k, {64}, 100 * 1024) == 2);
}

/// A kernel of three warpgroups, of which the first runs `first` and the others `rest`. It has counted in `s` before.
std::string warpgroups(std::string const& bound, std::string const& first, std::string const& rest) {
  return ".visible .entry k(.param .u64 out) " + bound +
         " {\n.reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %rd<20>;\n"
         ".shared .align 16 .b32 s[64];\n"
         "ld.param.u64 %rd9, [out]; mov.u32 %r0, %tid.x; mul.wide.u32 %rd1, %r0, 4; add.u64 %rd0, %rd9, %rd1;\n"
         "setp.ge.u32 %p0, %r0, 128; @%p0 bra rest;\n" +
         first + "\nbra end;\nrest:\n" + rest + "\nend: ret;\n}\n";
}

constexpr char const* bound_384 = ".maxntid 384 .minnctapersm 1"; // 168 registers

BOOST_AUTO_TEST_CASE(an_increase_of_registers_waits_until_others_have_given_up_enough) {
  // Half of what the others need, then, much later, the other half.
  std::string const count = "atom.shared.add.u32 %r1, [s], 1;";
  std::string const gives = "nanosleep.u32 100000; setmaxnreg.dec.sync.aligned.u32 96; nanosleep.u32 100000;" + count +
                            "bar.warp.sync -1; setmaxnreg.dec.sync.aligned.u32 24;";
  std::string const takes = "ld.shared.u32 %r2, [s]; setmaxnreg.inc.sync.aligned.u32 240; "
                            "ld.shared.u32 %r3, [s]; sub.u32 %r3, %r3, %r2; st.global.u32 [%rd0], %r3;";
  auto const run = [&](std::string const& bound) {
    u32s out(384);
    machine m(warpgroups(bound, gives, takes));
    RUNS(m.run("k", {.block = {384}}, {address(out)}));
    return out;
  };
  u32s const counts = run(bound_384);
  // One warpgroup gets 72 registers at once, the other one after all 128 threads could have counted.
  BOOST_TEST(*std::max_element(counts.begin() + 128, counts.end()) >= 32u);
  // What ptxas ignores waits for nothing.
  for (char const* const bound : {"", ".maxntid 384", ".minnctapersm 1"})
    for (std::uint32_t const count : run(bound)) BOOST_TEST(count == 0u);
}

BOOST_AUTO_TEST_CASE(registers_that_no_warpgroup_gives_up_are_a_deadlock) {
  u32s out(384);
  std::string const takes = "setmaxnreg.inc.sync.aligned.u32 240;";
  machine enough(warpgroups(bound_384, "setmaxnreg.dec.sync.aligned.u32 24;", takes)); // 168 * 3 == 24 + 240 * 2
  RUNS(enough.run("k", {.block = {384}}, {address(out)}));
  machine less(warpgroups(bound_384, "setmaxnreg.dec.sync.aligned.u32 32;", takes));
  FAILS(702, "wait for registers that no warpgroup gives up: they have 168 each and need 240, and 40 are free",
        less.run("k", {.block = {384}}, {address(out)}));
  machine from_bound(warpgroups(".maxnreg 100", "setmaxnreg.dec.sync.aligned.u32 24;", // 104 * 3 == 24 + 144 * 2
                                "setmaxnreg.inc.sync.aligned.u32 144;"));
  RUNS(from_bound.run("k", {.block = {384}}, {address(out)}));
}

BOOST_AUTO_TEST_CASE(misused_setmaxnreg_is_a_fault) {
  auto const run = [](std::string const& first, std::string const& rest) {
    u32s out(384);
    machine m(warpgroups(bound_384, first, rest));
    return m.run("k", {.block = {384}}, {address(out)});
  };
  FAILS(719, "setmaxnreg.dec 176: the thread owns 168 registers", run("setmaxnreg.dec.sync.aligned.u32 176;", ""));
  FAILS(719, "setmaxnreg.inc 160: the thread owns 168 registers", run("setmaxnreg.inc.sync.aligned.u32 160;", ""));
  std::string const not_the_first_warp = "setp.lt.u32 %p1, %r0, 32; @%p1 bra ";
  FAILS(719, "all four warps must execute it",
        run(not_the_first_warp + "end; setmaxnreg.dec.sync.aligned.u32 24;", ""));
  FAILS(719, "all four warps must execute the same",
        run(not_the_first_warp + "other; setmaxnreg.dec.sync.aligned.u32 24; bra end; "
                                 "other: setmaxnreg.dec.sync.aligned.u32 32;",
            ""));
}

BOOST_AUTO_TEST_CASE(tensor_cores_that_are_operated_by_hand_are_rejected) {
  for (char const* const text : {"tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%rd1];",
                                 "tcgen05.fence::after_thread_sync;"})
    BOOST_TEST(rejection(kernel(text)).find("tcgen05") != std::string::npos, rejection(kernel(text)));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace emulator_test
