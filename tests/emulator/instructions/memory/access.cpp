// SPDX-License-Identifier: Apache-2.0
//
// ld and st: widths, extension, vectors, state spaces, and invalid addresses.
#include "../kernel.hpp"

#include <boost/test/unit_test.hpp>

using namespace emulator_test;

BOOST_AUTO_TEST_SUITE(memory_access)

BOOST_AUTO_TEST_CASE(a_narrow_load_extends_to_the_register) {
  buffer b;
  b.put<std::uint64_t>(0, 0xfedcba9876543280);
  RUN("ld.global.u8 %r1, [%rd0]; st.global.u32 [%rd0+16], %r1;"
      "ld.global.s8 %r1, [%rd0]; st.global.u32 [%rd0+20], %r1;"
      "ld.global.s8 %rd1, [%rd0]; st.global.u64 [%rd0+24], %rd1;"
      "ld.global.s8 %h1, [%rd0]; st.global.u16 [%rd0+32], %h1; st.global.u16 [%rd0+34], 7;"
      "ld.global.s16 %r1, [%rd0+6]; st.global.u32 [%rd0+36], %r1;"
      "ld.global.u16 %rd1, [%rd0+6]; st.global.u64 [%rd0+40], %rd1;"
      "ld.global.s32 %rd1, [%rd0+4]; st.global.u64 [%rd0+48], %rd1;"
      "ld.global.b32 %rd1, [%rd0+4]; st.global.u64 [%rd0+56], %rd1;"
      "ld.global.b8 %h1, [%rd0+7]; st.global.u16 [%rd0+64], %h1;",
      b);
  BOOST_TEST(b.u32(16) == 0x80u);
  BOOST_TEST(b.u32(20) == 0xffffff80u);
  BOOST_TEST(b.u64(24) == 0xffffffffffffff80u);
  BOOST_TEST(b.u32(32) == 0x0007ff80u);
  BOOST_TEST(b.u32(36) == 0xfffffedcu);
  BOOST_TEST(b.u64(40) == 0xfedcu);
  BOOST_TEST(b.u64(48) == 0xfffffffffedcba98u);
  BOOST_TEST(b.u64(56) == 0xfedcba98u);
  BOOST_TEST(b.u16(64) == 0xfeu);
}

BOOST_AUTO_TEST_CASE(a_sign_extended_register_of_32_bits_is_an_address_of_shared_memory) {
  buffer b;
  RUN("mov.u64 %rd1, s; cvt.u32.u64 %r1, %rd1; st.global.u32 [%rd0+8], %r1; ld.global.s32 %r2, [%rd0+8];"
      "st.shared.u32 [%r2+4], 77; ld.shared.u32 %r3, [s+4]; st.global.u32 [%rd0], %r3;",
      b);
  BOOST_TEST(b.u32(0) == 77u);
}

BOOST_AUTO_TEST_CASE(a_store_writes_its_bytes_and_no_others) {
  buffer b;
  for (int i = 0; i < 64; ++i) b.put<std::uint8_t>(std::size_t(i), 0xee);
  RUN("mov.b64 %rd1, 0x1122334455667788; st.global.b8 [%rd0+1], %rd1; st.global.b16 [%rd0+10], %rd1;"
      "st.global.b32 [%rd0+20], %rd1; st.global.b64 [%rd0+32], %rd1;",
      b);
  BOOST_TEST(b.u64(0) == 0xeeeeeeeeeeee88eeu);
  BOOST_TEST(b.u64(8) == 0xeeeeeeee7788eeeeu);
  BOOST_TEST(b.u64(16) == 0x55667788eeeeeeeeu);
  BOOST_TEST(b.u64(32) == 0x1122334455667788u);
  BOOST_TEST(b.u64(40) == 0xeeeeeeeeeeeeeeeeu);
}

BOOST_AUTO_TEST_CASE(a_vector_may_overwrite_its_address) {
  buffer b;
  b.put<std::uint64_t>(32, 3);
  b.put<std::uint64_t>(40, 4);
  RUN("add.u64 %rd1, %rd0, 32; ld.global.v2.b64 {%rd1, %rd2}, [%rd1]; st.global.v2.u64 [%rd0], {%rd2, %rd1};", b);
  BOOST_TEST(b.u64(0) == 4u);
  BOOST_TEST(b.u64(8) == 3u);
}

BOOST_AUTO_TEST_CASE(vectors_of_every_length) {
  buffer b;
  for (int i = 0; i < 8; ++i) b.put<std::uint32_t>(std::size_t(4 * i), 10u + unsigned(i));
  RUN("ld.global.v8.b32 {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [%rd0];"
      "st.global.v8.b32 [%rd0+64], {%r7, %r6, %r5, %r4, %r3, %r2, %r1, %r0};"
      "ld.global.v4.f32 {%f0, _, %f2, %f3}, [%rd0+16]; st.global.v4.f32 [%rd0+96], {%f3, %f2, %f0, 0f3F800000};"
      "ld.global.v4.s8 {%r0, %r1, %r2, %r3}, [%rd0]; st.global.v2.u16 [%rd0+112], {5, 6};",
      b);
  for (int i = 0; i < 8; ++i) BOOST_TEST(b.u32(std::size_t(64 + 4 * i)) == 17u - unsigned(i));
  BOOST_TEST(b.u32(96) == 17u);
  BOOST_TEST(b.u32(100) == 16u);
  BOOST_TEST(b.u32(104) == 14u);
  BOOST_TEST(b.u32(108) == 0x3f800000u);
  BOOST_TEST(b.u32(112) == 0x00060005u);
}

BOOST_AUTO_TEST_CASE(b128_keeps_both_halves) {
  buffer b;
  b.put<std::uint64_t>(16, 1);
  b.put<std::uint64_t>(24, 2);
  RUN("ld.relaxed.gpu.global.b128 %q1, [%rd0+16]; st.release.sys.global.b128 [%rd0+32], %q1;"
      "ld.b128 %q2, [%rd0+32]; st.shared.b128 [s], %q2; ld.shared.v2.u64 {%rd1, %rd2}, [s];"
      "st.global.v2.b64 [%rd0], {%rd1, %rd2};",
      b);
  BOOST_TEST(b.u64(32) == 1u);
  BOOST_TEST(b.u64(40) == 2u);
  BOOST_TEST(b.u64(0) == 1u);
  BOOST_TEST(b.u64(8) == 2u);
}

BOOST_AUTO_TEST_CASE(every_spelling_of_an_access_reaches_memory) {
  buffer b;
  RUN("st.weak.global.wt.u32 [%rd0], 1; ld.volatile.global.u32 %r1, [%rd0]; st.volatile.u32 [%rd0+4], %r1;"
      "ld.relaxed.cta.global.u32 %r1, [%rd0+4]; st.global.sys.relaxed.u32 [%rd0+8], %r1;"
      "ld.acquire.cluster.u32 %r1, [%rd0+8]; st.release.gpu.u32 [%rd0+12], %r1;"
      "ld.mmio.relaxed.sys.global.u32 %r1, [%rd0+12]; st.mmio.relaxed.sys.global.u32 [%rd0+16], %r1;"
      "ld.global.nc.L1::no_allocate.L2::128B.u32 %r1, [%rd0+16]; st.global.L1::evict_first.u32 [%rd0+20], %r1;"
      "createpolicy.fractional.L2::evict_last.b64 %rd5, 0.5;"
      "ld.global.L2::cache_hint.u32 %r1, [%rd0+20], %rd5; st.global.L2::cache_hint.u32 [%rd0+24], %r1, %rd5;"
      "ldu.global.u32 %r1, [%rd0+24]; st.u32 [%rd0+28], %r1;",
      b);
  BOOST_TEST(b.u32(28) == 1u);
}

BOOST_AUTO_TEST_CASE(generic_and_shared_addresses_name_the_same_memory) {
  buffer b;
  RUN("mov.u64 %rd1, s; cvta.shared.u64 %rd2, %rd1; st.u32 [%rd2+8], 5; ld.shared.u32 %r1, [s+8];"
      "st.global.u32 [%rd0], %r1; cvta.to.shared.u64 %rd3, %rd2; sub.u64 %rd4, %rd3, %rd1; st.global.u64 [%rd0+8], "
      "%rd4;"
      "st.shared.u32 [s+4092], 6; ld.u32 %r1, [%rd2+4092]; st.global.u32 [%rd0+16], %r1;"
      "cvta.global.u64 %rd5, %rd0; sub.u64 %rd5, %rd5, %rd0; st.global.u64 [%rd0+24], %rd5;",
      b);
  BOOST_TEST(b.u32(0) == 5u);
  BOOST_TEST(b.u64(8) == 0u);
  BOOST_TEST(b.u32(16) == 6u);
  BOOST_TEST(b.u64(24) == 0u);
}

BOOST_AUTO_TEST_CASE(a_pointer_past_the_end_survives_conversion) {
  buffer b;
  RUN("mov.u64 %rd1, s; add.u64 %rd1, %rd1, 4096; cvta.shared.u64 %rd2, %rd1; cvta.to.shared.u64 %rd3, %rd2;"
      "sub.u64 %rd4, %rd3, %rd1; st.global.u64 [%rd0], %rd4; st.u32 [%rd2+-4], 9; ld.shared.u32 %r1, [s+4092];"
      "st.global.u32 [%rd0+8], %r1;",
      b);
  BOOST_TEST(b.u64(0) == 0u);
  BOOST_TEST(b.u32(8) == 9u);
}

BOOST_AUTO_TEST_CASE(isspacep_distinguishes_the_state_spaces) {
  buffer b;
  // One bit for each answer: global, shared, shared::cluster, local.
  std::string const query = "isspacep.global %p1, %rd1; selp.u32 %r1, 1, 0, %p1; isspacep.shared %p1, %rd1;"
                            "selp.u32 %r2, 2, 0, %p1; add.u32 %r1, %r1, %r2; isspacep.shared::cluster %p1, %rd1;"
                            "selp.u32 %r2, 4, 0, %p1; add.u32 %r1, %r1, %r2; isspacep.local %p1, %rd1;"
                            "selp.u32 %r2, 8, 0, %p1; add.u32 %r1, %r1, %r2;";
  RUN(".local .align 8 .b8 l[16]; mov.u64 %rd1, %rd0;" + query + "st.global.u32 [%rd0], %r1; mov.u64 %rd1, s;" +
          "cvta.shared.u64 %rd1, %rd1;" + query +
          "st.global.u32 [%rd0+4], %r1; mov.u64 %rd1, l; cvta.local.u64 %rd1, %rd1;" + query +
          "st.global.u32 [%rd0+8], %r1;",
      b);
  BOOST_TEST(b.u32(0) == 1u);
  BOOST_TEST(b.u32(4) == 6u);
  BOOST_TEST(b.u32(8) == 8u);
}

BOOST_AUTO_TEST_CASE(volatile_accesses_reach_local_memory) {
  buffer b;
  RUN(".local .align 8 .b8 l[16]; mov.u64 %rd1, l; mov.u32 %r1, %tid.x; add.u32 %r1, %r1, 7;"
      "st.volatile.local.u32 [%rd1+4], %r1; ld.volatile.local.u32 %r2, [%rd1+4]; mov.u32 %r3, %tid.x;"
      "mul.wide.u32 %rd2, %r3, 4; add.u64 %rd2, %rd0, %rd2; st.global.u32 [%rd2], %r2;",
      b, {.block = 3});
  for (unsigned i = 0; i < 3; ++i) BOOST_TEST(b.u32(4 * i) == 7 + i);
}

BOOST_AUTO_TEST_CASE(another_block_s_shared_memory_is_in_the_cluster_window_only) {
  buffer b;
  // Each of two blocks accesses the other's memory through its address in the cluster window.
  RUN("mov.u64 %rd1, s; mov.u32 %r1, %cluster_ctarank; xor.b32 %r2, %r1, 1; mapa.shared::cluster.u64 %rd2, %rd1, %r2;"
      "cvta.shared::cluster.u64 %rd3, %rd2; isspacep.shared::cta %p1, %rd3; isspacep.shared::cluster %p2, %rd3;"
      "selp.u32 %r3, 1, 0, %p1; selp.u32 %r4, 2, 0, %p2; add.u32 %r3, %r3, %r4; mul.wide.u32 %rd4, %r1, 8;"
      "add.u64 %rd4, %rd4, %rd0; st.global.u32 [%rd4], %r3; add.u32 %r5, %r1, 40; st.shared::cluster.u32 [%rd2], %r5;"
      "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; ld.shared.u32 %r6, [s]; st.global.u32 [%rd4+4], "
      "%r6;",
      b, {.grid = 2, .cluster = 2});
  BOOST_TEST(b.u32(0) == 2u);
  BOOST_TEST(b.u32(8) == 2u);
  BOOST_TEST(b.u32(4) == 41u);
  BOOST_TEST(b.u32(12) == 40u);
}

BOOST_AUTO_TEST_CASE(a_misaligned_access_is_error_716_with_its_location) {
  buffer b;
  auto const fault = run("ld.global.u32 %r1, [%rd0+2];", b);
  BOOST_TEST(fault.error == 716);
  BOOST_TEST(fault.text.find("multiple of 4") != std::string::npos);
  BOOST_TEST(run("st.global.v4.u32 [%rd0+8], {1, 2, 3, 4};", b).error == 716);
  BOOST_TEST(run("atom.global.add.u64 %rd1, [%rd0+4], 1;", b).error == 716);
  BOOST_TEST(run("ld.shared.u64 %rd1, [s+4];", b).error == 716);
  BOOST_TEST(run("ld.global.u8 %r1, [%rd0+3];", b).error == 0);
}

BOOST_AUTO_TEST_CASE(an_access_outside_any_memory_is_error_700) {
  buffer b;
  BOOST_TEST(run("mov.u64 %rd1, 0; ld.global.u32 %r1, [%rd1+16];", b).error == 700);
  BOOST_TEST(run("st.shared.u32 [s+4096], 1;", b).error == 700);
  BOOST_TEST(run("st.shared.v2.u64 [s+4096], {1, 2};", b).error == 700);
  BOOST_TEST(run("mov.u64 %rd1, 0x1000000; st.shared::cluster.u32 [%rd1], 1;", b).error == 700);
}

BOOST_AUTO_TEST_CASE(a_load_of_a_parameter_from_other_memory_is_error_700) {
  buffer b;
  BOOST_TEST(run("mov.u64 %rd1, p; ld.param.u64 %rd2, [%rd1];", b).error == 0);
  auto const fault = run("ld.param.u32 %r1, [%rd0];", b);
  BOOST_TEST(fault.error == 700);
  BOOST_TEST(fault.text.find("no parameter of the kernel") != std::string::npos, fault.text);
  BOOST_TEST(run("mov.u64 %rd1, p; ld.param.v2.u32 {%r1, %r2}, [%rd1+8];", b).error == 700);
}

BOOST_AUTO_TEST_SUITE_END()
