// SPDX-License-Identifier: Apache-2.0
//
// mbarrier: phases, counts of arrivals and of bytes, and the ways to arrive and to wait.
#include "../../../../tools/emulator/instructions/support/waiting/mbarrier.hpp"
#include "../kernel.hpp"

#include <boost/test/unit_test.hpp>

using namespace emulator_test;

namespace {
std::string const wait_for = "mbarrier.try_wait.parity.shared.b64 %p9, [s], ";
}

BOOST_AUTO_TEST_SUITE(memory_mbarrier)

BOOST_AUTO_TEST_CASE(a_word_holds_every_field) {
  using emulator::mbarrier;
  for (std::int32_t const bytes : {0, 1, -1, 1048575, -1048575}) {
    for (std::uint32_t const phase : {0u, 1u, 3u}) {
      auto const b = mbarrier::unpacked(mbarrier{true, phase, bytes, 1048575, 77}.packed());
      BOOST_TEST(b.exists);
      BOOST_TEST(b.phase == phase);
      BOOST_TEST(b.bytes == bytes);
      BOOST_TEST(b.expected == 1048575u);
      BOOST_TEST(b.pending == 77u);
    }
  }
  BOOST_TEST(mbarrier::unpacked(mbarrier{true, 4, 0, 1, 1}.packed()).phase == 0u);
}

BOOST_AUTO_TEST_CASE(a_phase_completes_with_its_last_arrival_and_the_count_restarts) {
  buffer b;
  // The answer of each test goes to the buffer. The state is the first arrival's.
  RUN("mbarrier.init.shared.b64 [s], 2; mov.u64 %rd1, %rd0;\n"
      "mbarrier.arrive.shared.b64 %rd2, [s]; mbarrier.test_wait.shared.b64 %p1, [s], %rd2; selp.u32 %r1, 1, 0, %p1;"
      "st.global.u32 [%rd0], %r1; mbarrier.pending_count.b64 %r2, %rd2; st.global.u32 [%rd0+4], %r2;"
      "mbarrier.arrive.shared.b64 %rd3, [s]; mbarrier.test_wait.shared.b64 %p1, [s], %rd2; selp.u32 %r1, 1, 0, %p1;"
      "st.global.u32 [%rd0+8], %r1; mbarrier.pending_count.b64 %r2, %rd3; st.global.u32 [%rd0+12], %r2;"
      "mbarrier.test_wait.parity.shared.b64 %p1, [s], 0; selp.u32 %r1, 1, 0, %p1; st.global.u32 [%rd0+16], %r1;"
      "mbarrier.test_wait.parity.shared.b64 %p1, [s], 1; selp.u32 %r1, 1, 0, %p1; st.global.u32 [%rd0+20], %r1;"
      "mbarrier.arrive.shared::cta.b64 %rd2, [s], 2; mbarrier.test_wait.parity.shared.b64 %p1, [s], 1;"
      "selp.u32 %r1, 1, 0, %p1; st.global.u32 [%rd0+24], %r1; mbarrier.test_wait.shared.b64 %p1, [s], %rd2;"
      "selp.u32 %r1, 1, 0, %p1; st.global.u32 [%rd0+28], %r1;",
      b);
  std::uint32_t const expected[] = {0, 2, 1, 1, 1, 0, 1, 1};
  for (std::size_t i = 0; i < 8; ++i) BOOST_TEST(b.u32(4 * i) == expected[i], "answer " << i << " is " << b.u32(4 * i));
}

BOOST_AUTO_TEST_CASE(before_the_first_phase_completes_parity_1_is_complete) {
  buffer b;
  RUN("mbarrier.init.shared.b64 [s], 1; " + wait_for + "1; selp.u32 %r1, 1, 0, %p9; st.global.u32 [%rd0], %r1; " +
          wait_for + "0; selp.u32 %r1, 1, 0, %p9; st.global.u32 [%rd0+4], %r1;",
      b);
  BOOST_TEST(b.u32(0) == 1u);
  BOOST_TEST(b.u32(4) == 0u);
}

BOOST_AUTO_TEST_CASE(a_phase_waits_for_bytes_in_either_order) {
  buffer b;
  RUN("mbarrier.init.shared.b64 [s], 1; mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [s], 16;"
      "mbarrier.arrive.expect_tx.shared::cta.b64 %rd1, [s], 48; mbarrier.test_wait.shared.b64 %p1, [s], %rd1;"
      "selp.u32 %r1, 1, 0, %p1; st.global.u32 [%rd0], %r1; mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [s], 8;"
      "mbarrier.complete_tx.shared.b64 [s], 32; mbarrier.test_wait.shared.b64 %p1, [s], %rd1; selp.u32 %r1, 1, 0, %p1;"
      "st.global.u32 [%rd0+4], %r1; mbarrier.complete_tx.shared.b64 [s], 8; mbarrier.test_wait.shared.b64 %p1, [s], "
      "%rd1;"
      "selp.u32 %r1, 1, 0, %p1; st.global.u32 [%rd0+8], %r1;",
      b);
  BOOST_TEST(b.u32(0) == 0u);
  BOOST_TEST(b.u32(4) == 0u);
  BOOST_TEST(b.u32(8) == 1u);
}

BOOST_AUTO_TEST_CASE(a_dropped_arrival_is_not_expected_again) {
  buffer b;
  RUN("mbarrier.init.shared.b64 [s], 3; mbarrier.arrive_drop.shared.b64 %rd1, [s]; mbarrier.arrive.shared.b64 %rd1, "
      "[s], 2;"
      "mbarrier.arrive.noComplete.release.cta.shared.b64 %rd2, [s], 1; mbarrier.pending_count.b64 %r1, %rd2;"
      "st.global.u32 [%rd0], %r1; mbarrier.arrive.shared.b64 %rd3, [s]; mbarrier.test_wait.shared.b64 %p1, [s], %rd2;"
      "selp.u32 %r1, 1, 0, %p1; st.global.u32 [%rd0+4], %r1;",
      b);
  BOOST_TEST(b.u32(0) == 2u);
  BOOST_TEST(b.u32(4) == 1u);
}

BOOST_AUTO_TEST_CASE(threads_of_a_block_run_many_rounds_on_a_barrier) {
  buffer b;
  // 96 threads count in shared memory. In each of 20 rounds every thread sees all arrivals of the round.
  RUN("mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0; @%p1 bra ready; mbarrier.init.shared.b64 [s], 96; st.shared.u32 "
      "[s+16], 0;\n"
      "ready: bar.sync 0; mov.u32 %r2, 0;\n"
      "round: red.shared.add.u32 [s+16], 1; mbarrier.arrive.shared.b64 %rd1, [s];\n"
      "wait: mbarrier.try_wait.shared.b64 %p2, [s], %rd1; @!%p2 bra wait;\n"
      "ld.shared.u32 %r3, [s+16]; add.u32 %r2, %r2, 1; mul.lo.u32 %r4, %r2, 96; setp.eq.u32 %p3, %r3, %r4;\n"
      "@!%p3 red.global.add.u32 [%rd0], 1; mbarrier.arrive.shared.b64 %rd1, [s];\n"
      "wait2: mbarrier.try_wait.shared.b64 %p2, [s], %rd1, 1000; @!%p2 bra wait2;\n"
      "setp.lt.u32 %p4, %r2, 20; @%p4 bra round; red.global.add.u32 [%rd0+4], 1;",
      b, {.block = 96});
  BOOST_TEST(b.u32(0) == 0u);
  BOOST_TEST(b.u32(4) == 96u);
}

BOOST_AUTO_TEST_CASE(blocks_of_a_cluster_arrive_at_one_barrier) {
  buffer b;
  // 4 blocks of 32 threads arrive at the barrier of block 0, which then sees what they wrote there.
  RUN("mov.u32 %r1, %cluster_ctarank; mov.u32 %r2, %tid.x; or.b32 %r3, %r1, %r2; setp.ne.u32 %p1, %r3, 0;\n"
      "@%p1 bra ready; mbarrier.init.shared.b64 [s], 128; st.shared.u32 [s+16], 0; "
      "fence.mbarrier_init.release.cluster;\n"
      "ready: barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;\n"
      "mov.u64 %rd1, s; mapa.shared::cluster.u64 %rd2, %rd1, 0; red.shared::cluster.add.u32 [%rd2+16], 1;\n"
      "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%rd2]; setp.ne.u32 %p1, %r1, 0; @%p1 bra done;\n"
      "wait: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p2, [s], 0; @!%p2 bra wait;\n"
      "ld.shared.u32 %r4, [s+16]; mul.wide.u32 %rd3, %r2, 4; add.u64 %rd3, %rd3, %rd0; st.global.u32 [%rd3], %r4;\n"
      "done: barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;",
      b, {.grid = 4, .block = 32, .cluster = 4});
  for (std::size_t i = 0; i < 32; ++i) BOOST_TEST(b.u32(4 * i) == 128u);
}

BOOST_AUTO_TEST_CASE(misuse_ends_the_launch_with_a_message) {
  buffer b;
  auto const no_object = run("st.shared.u64 [s], 0; mbarrier.arrive.shared.b64 %rd1, [s];", b);
  BOOST_TEST(no_object.error == 719);
  BOOST_TEST(no_object.text.find("mbarrier.init") != std::string::npos);
  BOOST_TEST(run("mbarrier.init.shared.b64 [s], 0;", b).error == 719);
  BOOST_TEST(run("mbarrier.init.shared.b64 [s], 1; mbarrier.arrive.shared.b64 %rd1, [s], 2;", b).error == 719);
  BOOST_TEST(
      run("mbarrier.init.shared.b64 [s], 1; mbarrier.inval.shared.b64 [s]; mbarrier.arrive.shared.b64 _, [s];", b)
          .error == 719);
  BOOST_TEST(run("mbarrier.init.shared.b64 [s], 1; mbarrier.arrive.noComplete.shared.b64 _, [s], 1;", b).error == 719);
  BOOST_TEST(run("mbarrier.init.shared.b64 [s+4], 1;", b).error == 716);
  BOOST_TEST(run("mbarrier.init.b64 [%rd0], 1;", b).error == 700);
}

BOOST_AUTO_TEST_SUITE_END()
