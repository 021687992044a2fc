// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous writes: cp.async, bulk copies and reductions, st.async, red.async, cluster launch control.
#include "../kernel.hpp"

#include <boost/test/unit_test.hpp>

using namespace emulator_test;

namespace {

/// Waits for phase 0 of the barrier at s.
std::string const wait = "wait: mbarrier.try_wait.parity.shared.b64 %p9, [s], 0; @!%p9 bra wait;\n";

} // namespace

BOOST_AUTO_TEST_SUITE(memory_asynchronous)

BOOST_AUTO_TEST_CASE(small_copies_write_the_bytes_and_fill_with_zeros) {
  buffer b;
  for (std::uint32_t i = 0; i < 64; ++i) b.put<std::uint8_t>(i, std::uint8_t(i + 1));
  RUN("mov.u32 %r5, 3; setp.eq.u32 %p1, %r5, 3; st.shared.v2.u64 [s+64], {-1, -1}; st.shared.v2.u64 [s+80], {-1, -1};"
      "cp.async.cg.shared.global [s+16], [%rd0], 16; cp.async.ca.shared.global [s+32], [%rd0+20], 4;"
      "cp.async.ca.shared::cta.global [s+40], [%rd0+24], 8; cp.async.cg.shared.global [s+64], [%rd0+32], 16, %r5;"
      "cp.async.ca.shared.global [s+80], [%rd0+48], 16, %p1; cp.async.commit_group; cp.async.wait_group 0;"
      "ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [s+16]; st.global.v4.u32 [%rd0+128], {%r1, %r2, %r3, %r4};"
      "ld.shared.u32 %r1, [s+32]; st.global.u32 [%rd0+144], %r1; ld.shared.u64 %rd1, [s+40]; st.global.u64 [%rd0+152], "
      "%rd1;"
      "ld.shared.v2.u64 {%rd1, %rd2}, [s+64]; st.global.v2.u64 [%rd0+160], {%rd1, %rd2};"
      "ld.shared.v2.u64 {%rd1, %rd2}, [s+80]; st.global.v2.u64 [%rd0+176], {%rd1, %rd2};",
      b);
  for (std::uint32_t i = 0; i < 16; ++i) BOOST_TEST(b.u8(128 + i) == i + 1);
  BOOST_TEST(b.u32(144) == 0x18171615u);
  BOOST_TEST(b.u64(152) == 0x201f1e1d1c1b1a19u);
  BOOST_TEST(b.u64(160) == 0x232221u);
  BOOST_TEST(b.u64(168) == 0u);
  BOOST_TEST(b.u64(176) == 0u);
  BOOST_TEST(b.u64(184) == 0u);
}

BOOST_AUTO_TEST_CASE(small_copies_arrive_at_a_barrier) {
  buffer b;
  b.put<std::uint32_t>(64, 5);
  // With .noinc the arrival is one of those that init counted; without it, the arrival is an additional one.
  RUN("mbarrier.init.shared.b64 [s], 2; cp.async.ca.shared.global [s+16], [%rd0+64], 4;"
      "cp.async.mbarrier.arrive.noinc.shared.b64 [s]; cp.async.mbarrier.arrive.shared.b64 [s];"
      "mbarrier.arrive.shared.b64 %rd1, [s]; mbarrier.pending_count.b64 %r2, %rd1; st.global.u32 [%rd0+4], %r2;\n" +
          wait + "ld.shared.u32 %r1, [s+16]; st.global.u32 [%rd0], %r1;",
      b);
  BOOST_TEST(b.u32(0) == 5u);
  BOOST_TEST(b.u32(4) == 1u);
}

BOOST_AUTO_TEST_CASE(bulk_copies_to_shared_memory_and_back) {
  buffer b;
  for (std::uint32_t i = 0; i < 512; ++i) b.put<std::uint32_t>(4 * i, i * 7);
  RUN("mbarrier.init.shared.b64 [s], 1; mbarrier.arrive.expect_tx.shared.b64 _, [s], 1024;\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s+1024], [%rd0], 512, [s];\n"
      "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [s+1536], [%rd0+512], 512, [s];\n" +
          wait +
          "fence.proxy.async.shared::cta; cp.async.bulk.global.shared::cta.bulk_group [%rd0+2048], [s+1024], 1024;\n"
          "cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0; cp.async.bulk.wait_group 0;\n"
          "mov.b16 %h1, 0x00f1; cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%rd0+3072], [s+1024], 32, %h1;",
      b);
  for (std::uint32_t i = 0; i < 256; ++i) BOOST_TEST(b.u32(2048 + 4 * i) == i * 7);
  for (std::uint32_t i = 0; i < 32; ++i)
    BOOST_TEST(b.u8(3072 + i) == (0xf1 >> i % 16 & 1 ? b.u8(i) : 0), "byte " << i << " is " << int(b.u8(3072 + i)));
}

BOOST_AUTO_TEST_CASE(a_copy_can_go_to_several_blocks_of_a_cluster) {
  buffer b;
  for (std::uint32_t i = 0; i < 64; ++i) b.put<std::uint32_t>(4 * i, i + 1);
  // Block 1 copies 256 bytes to blocks 0, 1 and 3. Block 2 gets them from the shared memory of block 0.
  RUN("mov.u32 %r1, %cluster_ctarank; mbarrier.init.shared.b64 [s], 1; mbarrier.arrive.expect_tx.shared.b64 _, [s], "
      "256;\n"
      "fence.mbarrier_init.release.cluster; barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n"
      "setp.ne.u32 %p1, %r1, 1; @%p1 bra brought; mov.b16 %h1, 0xb;\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [s+256], [%rd0], 256, [s], "
      "%h1;\n"
      "brought: setp.ne.u32 %p1, %r1, 0; @%p1 bra wait;\n"
      "first: mbarrier.try_wait.parity.shared.b64 %p9, [s], 0; @!%p9 bra first;\n"
      "mov.u64 %rd1, s; mapa.shared::cluster.u64 %rd2, %rd1, 2;\n"
      "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%rd2+256], [s+256], 256, [%rd2];\n" +
          wait +
          "mov.u32 %r2, 0; mov.u64 %rd3, s; mov.u32 %r3, 0;\n"
          "sum: ld.shared.u32 %r4, [%rd3+256]; add.u32 %r2, %r2, %r4; add.u64 %rd3, %rd3, 4; add.u32 %r3, %r3, 1;\n"
          "setp.lt.u32 %p1, %r3, 64; @%p1 bra sum; mul.wide.u32 %rd4, %r1, 4; add.u64 %rd4, %rd4, %rd0;\n"
          "st.global.u32 [%rd4+1024], %r2; barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;",
      b, {.grid = 4, .cluster = 4});
  for (std::uint32_t i = 0; i < 4; ++i) BOOST_TEST(b.u32(1024 + 4 * i) == 64u * 65 / 2);
}

BOOST_AUTO_TEST_CASE(bulk_reductions_change_every_element) {
  buffer b;
  for (std::uint32_t i = 0; i < 4; ++i) {
    b.put<std::uint32_t>(4 * i, 10 * (i + 1));
    b.put<float>(16 + 4 * i, float(i));
    b.put<std::uint16_t>(32 + 2 * i, 0x3c00);     // 1
    b.put<std::uint16_t>(32 + 2 * i + 8, 0xbc00); // -1
    b.put<std::int32_t>(64 + 4 * i, -5);
  }
  RUN("st.shared.v4.u32 [s+16], {1, 2, 3, 0xffffffff}; mov.f32 %f1, 0f3F000000; st.shared.v4.f32 [s+32], {%f1, %f1, "
      "%f1, %f1};"
      "mov.b32 %r1, 0x40004000; st.shared.v4.b32 [s+48], {%r1, %r1, %r1, %r1};"
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd0], [s+16], 16;"
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%rd0+16], [s+32], 16;"
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16 [%rd0+32], [s+48], 16;"
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s32 [%rd0+64], [s+16], 16;"
      "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;",
      b);
  BOOST_TEST(b.u32(0) == 11u);
  BOOST_TEST(b.u32(12) == 39u);
  BOOST_TEST(b.get<float>(16) == 0.5f);
  BOOST_TEST(b.get<float>(28) == 3.5f);
  BOOST_TEST(b.u16(32) == 0x4200u); // 3
  BOOST_TEST(b.u16(46) == 0x3c00u); // 1
  BOOST_TEST(b.get<std::int32_t>(72) == 3);
  BOOST_TEST(b.get<std::int32_t>(76) == -1);
}

BOOST_AUTO_TEST_CASE(asynchronous_stores_and_reductions_complete_at_another_block_s_barrier) {
  buffer b;
  RUN("mov.u32 %r1, %cluster_ctarank; mov.u64 %rd1, s; mapa.shared::cluster.u64 %rd2, %rd1, 1;\n"
      "mbarrier.init.shared.b64 [s], 1; mbarrier.arrive.expect_tx.shared.b64 _, [s], 40; st.shared.u32 [s+48], 100;\n"
      "st.shared.u64 [s+56], 1000; barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n"
      "setp.ne.u32 %p1, %r1, 0; @%p1 bra wait;\n"
      "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%rd2+16], 5, [%rd2];\n"
      "st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b64 [%rd2+32], {6, 7}, [%rd2];\n"
      "st.async.shared::cluster.mbarrier::complete_tx::bytes.u64 [%rd2+64], 8, [%rd2];\n"
      "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%rd2+48], 11, [%rd2];\n"
      "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64 [%rd2+56], 11, [%rd2]; bra "
      "done;\n" +
          wait +
          "ld.shared.u32 %r2, [s+16]; st.global.u32 [%rd0], %r2; ld.shared.u64 %rd3, [s+40]; st.global.u64 [%rd0+8], "
          "%rd3;\n"
          "ld.shared.u32 %r2, [s+48]; st.global.u32 [%rd0+16], %r2; ld.shared.u64 %rd3, [s+56];\n"
          "st.global.u64 [%rd0+24], %rd3; ld.shared.u64 %rd3, [s+64]; st.global.u64 [%rd0+32], %rd3;\n"
          "done: barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;",
      b, {.grid = 2, .cluster = 2});
  BOOST_TEST(b.u32(0) == 5u);
  BOOST_TEST(b.u64(8) == 7u);
  BOOST_TEST(b.u32(16) == 111u);
  BOOST_TEST(b.u64(24) == 1011u);
  BOOST_TEST(b.u64(32) == 8u);
}

BOOST_AUTO_TEST_CASE(asynchronous_stores_need_a_launch_with_clusters_as_on_a_gpu) {
  struct {
    std::string name, instruction;
    std::uint32_t result;
  } const cases[] = {
      {"st.async", "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%rd1+16], 5, [%rd1];\n", 5},
      {"red.async",
       "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%rd1+16], 5, [%rd1];\n", 12},
  };
  for (auto const& c : cases) {
    buffer b;
    std::string const body =
        "mov.u64 %rd1, s; mbarrier.init.shared.b64 [s], 1; mbarrier.arrive.expect_tx.shared.b64 _, [s], 4;\n"
        "st.shared.u32 [s+16], 7;\n" +
        c.instruction + wait + "ld.shared.u32 %r2, [s+16]; st.global.u32 [%rd0], %r2;";
    emulator::fault const fault = run(body, b);
    BOOST_TEST(fault.error == 715);
    BOOST_TEST(fault.text.find(c.name + " in a kernel that is not launched as clusters") != std::string::npos,
               fault.text);
    RUN(body, b, {.names_cluster = true});
    BOOST_TEST(b.u32(0) == c.result);
  }
}

BOOST_AUTO_TEST_CASE(asynchronous_writes_to_global_memory) {
  buffer b;
  RUN("st.async.release.gpu.global.u32 [%rd0], 5; red.async.release.gpu.global.add.u32 [%rd0], 6;"
      "red.async.mmio.release.sys.global.add.s64 [%rd0+8], -1;",
      b);
  BOOST_TEST(b.u32(0) == 11u);
  BOOST_TEST(b.u64(8) == ~0ull);
}

BOOST_AUTO_TEST_CASE(bulk_copies_need_multiples_of_16_bytes) {
  buffer b;
  std::string const copy =
      "mbarrier.init.shared.b64 [s], 1; cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes ";
  BOOST_TEST(run(copy + "[s+16], [%rd0], 24, [s];", b).error == 716);
  BOOST_TEST(run(copy + "[s+16], [%rd0+8], 16, [s];", b).error == 716);
  BOOST_TEST(run(copy + "[s+24], [%rd0], 16, [s];", b).error == 716);
  BOOST_TEST(run(copy + "[s+4080], [%rd0], 32, [s];", b).error == 700);
  BOOST_TEST(run(copy + "[s+16], [%rd0], 16, [s];", b).error == 0);
}

BOOST_AUTO_TEST_CASE(cancelled_clusters_do_not_start_and_each_is_cancelled_once) {
  buffer b(1 << 16);
  // Every block does its own piece of work, then that of every cluster that it can cancel, until it can cancel none.
  std::uint32_t const blocks = 4096;
  RUN("mbarrier.init.shared.b64 [s], 1; mov.u32 %r1, %ctaid.x; mov.u32 %r5, 0;\n"
      "work: mul.wide.u32 %rd1, %r1, 4; add.u64 %rd1, %rd1, %rd0; red.relaxed.gpu.global.add.u32 [%rd1+1024], 1;\n"
      "mbarrier.arrive.expect_tx.shared.b64 _, [s], 16;\n"
      "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [s+16], [s];\n"
      "wait: mbarrier.try_wait.parity.shared.b64 %p9, [s], %r5; @!%p9 bra wait; xor.b32 %r5, %r5, 1;\n"
      "ld.shared.b128 %q1, [s+16]; clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p1, %q1; @!%p1 bra done;\n"
      "clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%r1, %r2, %r3, _}, %q1;\n"
      "clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %r4, %q1; setp.ne.u32 %p2, %r1, %r4;\n"
      "@%p2 red.global.add.u32 [%rd0+4], 1; red.global.add.u32 [%rd0], 1; bra work;\n"
      "done:",
      b, {.grid = blocks});
  std::uint32_t not_once = 0;
  for (std::uint32_t i = 0; i < blocks; ++i) not_once += b.u32(1024 + 4 * i) != 1;
  BOOST_TEST(not_once == 0u);
  BOOST_TEST(b.u32(0) > 0u);
  BOOST_TEST(b.u32(4) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
