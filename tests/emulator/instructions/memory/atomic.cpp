// SPDX-License-Identifier: Apache-2.0
//
// atom, red and fence: the old value, the new value, and that threads lose no update.
#include "../kernel.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>

using namespace emulator_test;

namespace {

/// One operation on a number, with `operation` as PTX writes it, without the state space.
struct example {
  char const* operation;
  int bits;
  std::uint64_t before, operand, after;
};
std::ostream& operator<<(std::ostream& to, example const& e) { return to << e.operation; }

constexpr example examples[] = {
    {"add.u32", 32, 0xffffffff, 2, 1},
    {"add.s32", 32, 5, 0xfffffffe, 3},
    {"add.u64", 64, 0xffffffffffffffff, 3, 2},
    {"and.b32", 32, 0xff00ff00, 0x0ff00ff0, 0x0f000f00},
    {"or.b32", 32, 0xff00ff00, 0x0ff00ff0, 0xfff0fff0},
    {"xor.b64", 64, 0xff00ff00ff00ff00, 0xffffffff, 0xff00ff0000ff00ff},
    {"exch.b32", 32, 1, 2, 2},
    {"exch.b64", 64, 1, 0x200000000, 0x200000000},
    {"min.u32", 32, 0xffffffff, 1, 1},
    {"min.s32", 32, 0xffffffff, 1, 0xffffffff},
    {"max.u32", 32, 0xffffffff, 1, 0xffffffff},
    {"max.s32", 32, 0xffffffff, 1, 1},
    {"min.u64", 64, 0xffffffffffffffff, 1, 1},
    {"min.s64", 64, 0xffffffffffffffff, 1, 0xffffffffffffffff},
    {"max.u64", 64, 0xffffffffffffffff, 1, 0xffffffffffffffff},
    {"max.s64", 64, 0xffffffffffffffff, 1, 1},
    {"inc.u32", 32, 4, 5, 5},
    {"inc.u32", 32, 5, 5, 0},
    {"inc.u32", 32, 9, 5, 0},
    {"dec.u32", 32, 4, 5, 3},
    {"dec.u32", 32, 0, 5, 5},
    {"dec.u32", 32, 9, 5, 5},
    {"add.f32", 32, 0x3fc00000, 0x40100000, 0x40700000},                         // 1.5 + 2.25
    {"add.f32", 32, 0x7f800000, 0xff800000, 0x7fffffff},                         // infinity - infinity
    {"add.f64", 64, 0x3ff8000000000000, 0x4002000000000000, 0x400e000000000000}, // 1.5 + 2.25
    {"add.f64", 64, 1, 1, 2},                                                    // subnormal
    {"add.noftz.f16", 16, 0x3e00, 0x4080, 0x4380},                               // 1.5 + 2.25
    {"add.noftz.f16", 16, 0x0001, 0x0001, 0x0002},                               // subnormal
    {"add.noftz.f16", 16, 0x7bff, 0x7bff, 0x7c00},                               // overflow
    {"add.noftz.f16", 16, 0x6800, 0x3c00, 0x6800},                               // 2048 + 1: a tie, to even
    {"add.noftz.f16", 16, 0x6801, 0x3c00, 0x6802},                               // 2050 + 1: a tie, to even
    {"add.noftz.bf16", 16, 0x3fc0, 0x4010, 0x4070},                              // 1.5 + 2.25
    {"add.noftz.bf16", 16, 0x4380, 0x3f80, 0x4380},                              // 256 + 1: a tie, to even
    {"add.noftz.bf16", 16, 0x7f80, 0xff80, 0x7fff},                              // infinity - infinity
    {"add.noftz.f16x2", 32, 0x3c004000, 0x3c003c00, 0x40004200},                 // (2, 1) + (1, 1)
    {"add.noftz.bf16x2", 32, 0x3f804000, 0x3f803f80, 0x40004040},                // (2, 1) + (1, 1)
};

std::string const registers[] = {"%h", "%r", "%rd"};
std::string reg(int bits) { return registers[bits == 16 ? 0 : bits == 32 ? 1 : 2]; }
std::string bits_of(int bits) { return ".b" + std::to_string(bits); }

std::uint64_t masked(std::uint64_t value, int bits) { return bits == 64 ? value : value & ((1ull << bits) - 1); }

} // namespace

BOOST_AUTO_TEST_SUITE(memory_atomic)

BOOST_DATA_TEST_CASE(atom_returns_the_old_value_and_stores_the_new_one, boost::unit_test::data::make(examples), e) {
  buffer b;
  b.put(0, e.before);
  b.put(8, e.operand);
  std::string const r = reg(e.bits), load = "ld.global" + bits_of(e.bits), store = bits_of(e.bits);
  // In global memory, in shared memory, and in shared memory through a generic address; also with red, if it exists.
  bool const returns = std::string(e.operation).starts_with("exch");
  std::string const operand = r + "2";
  RUN(load + " " + operand + ", [%rd0+8];" + load + " " + r + "1, [%rd0];" +
          "mov.u64 %rd15, s; cvta.shared.u64 %rd16, %rd15; st.shared" + store + " [s], " + r + "1; st.shared" + store +
          " [s+8], " + r + "1; st.shared" + store + " [s+16], " + r + "1; st.global" + store + " [%rd0+64], " + r +
          "1;" + "atom.acq_rel.gpu.global." + e.operation + " " + r + "3, [%rd0], " + operand + "; st.global" + store +
          " [%rd0+16], " + r + "3; atom.shared." + e.operation + " " + r + "3, [s], " + operand + "; st.global" +
          store + " [%rd0+24], " + r + "3; atom.relaxed.cta." + e.operation + " " + r + "3, [%rd16+8], " + operand +
          "; st.global" + store + " [%rd0+32], " + r + "3; ld.shared" + store + " " + r + "4, [s]; st.global" + store +
          " [%rd0+40], " + r + "4; ld.shared" + store + " " + r + "4, [s+8]; st.global" + store + " [%rd0+48], " + r +
          "4;" + (returns ? "" : std::string("red.release.sys.global.") + e.operation + " [%rd0+64], " + operand + ";"),
      b);
  std::uint64_t const before = masked(e.before, e.bits);
  for (std::size_t const at : {16u, 24u, 32u}) BOOST_TEST(masked(b.u64(at), e.bits) == before);
  for (std::size_t const at : {0u, 40u, 48u}) BOOST_TEST(masked(b.u64(at), e.bits) == e.after);
  if (!returns) BOOST_TEST(masked(b.u64(64), e.bits) == e.after);
}

BOOST_AUTO_TEST_CASE(f32_additions_flush_subnormals_in_global_memory_only) {
  buffer b;
  b.put<std::uint32_t>(0, 0x80000001);
  b.put<std::uint32_t>(4, 1);
  b.put<std::uint32_t>(24, 1);
  RUN("mov.b32 %f1, 1; mov.b32 %f0, 0x80000001; mov.u64 %rd1, s; cvta.shared.u64 %rd2, %rd1;"
      "red.global.add.f32 [%rd0], 0f80000000; red.add.f32 [%rd0+4], %f1;"
      "st.shared.f32 [s], %f1; red.shared.add.f32 [s], %f1; ld.shared.f32 %f2, [s]; st.global.f32 [%rd0+8], %f2;"
      "st.shared.f32 [s], %f1; red.add.f32 [%rd2], %f1; ld.shared.f32 %f2, [s]; st.global.f32 [%rd0+12], %f2;"
      "atom.global.add.f32 %f3, [%rd0+24], 0f3F800000; st.global.f32 [%rd0+28], %f3;",
      b);
  BOOST_TEST(b.u32(0) == 0x80000000u); // -0: the sign is kept
  BOOST_TEST(b.u32(4) == 0u);
  BOOST_TEST(b.u32(8) == 2u);
  BOOST_TEST(b.u32(12) == 2u);
  BOOST_TEST(b.u32(24) == 0x3f800000u);
  BOOST_TEST(b.u32(28) == 1u); // the old value is returned unchanged
}

BOOST_AUTO_TEST_CASE(compare_and_swap_at_every_width) {
  buffer b;
  b.put<std::uint16_t>(0, 7);
  b.put<std::uint16_t>(2, 0xeeee);
  b.put<std::uint32_t>(4, 7);
  b.put<std::uint64_t>(8, 0x700000007);
  b.put<std::uint64_t>(16, 7);
  b.put<std::uint64_t>(24, 8);
  RUN("atom.cas.b16 %h1, [%rd0], 7, 9; st.global.b16 [%rd0+64], %h1; atom.cas.b16 %h1, [%rd0], 7, 10;"
      "st.global.b16 [%rd0+66], %h1; atom.acq_rel.sys.global.cas.b32 %r1, [%rd0+4], 7, 11; st.global.b32 [%rd0+68], "
      "%r1;"
      "atom.global.cas.b64 %rd1, [%rd0+8], 7, 11; st.global.b64 [%rd0+72], %rd1;"
      "mov.b64 %rd1, 7; mov.b64 %rd2, 8; mov.b128 %q1, {%rd1, %rd2}; mov.b128 %q2, {%rd2, %rd1};"
      "atom.relaxed.gpu.global.cas.b128 %q3, [%rd0+16], %q2, %q2; st.global.b128 [%rd0+80], %q3;"
      "ld.global.b128 %q4, [%rd0+16]; st.global.b128 [%rd0+96], %q4;"
      "atom.acquire.cluster.global.cas.b128 %q3, [%rd0+16], %q1, %q2; st.global.b128 [%rd0+112], %q3;"
      "st.shared.b128 [s], %q1; atom.shared.exch.b128 %q3, [s], %q2; st.global.b128 [%rd0+128], %q3;"
      "ld.shared.b128 %q4, [s]; st.global.b128 [%rd0+144], %q4;",
      b);
  BOOST_TEST(b.u16(0) == 9u);
  BOOST_TEST(b.u16(2) == 0xeeeeu);
  BOOST_TEST(b.u16(64) == 7u);
  BOOST_TEST(b.u16(66) == 9u);
  BOOST_TEST(b.u32(4) == 11u);
  BOOST_TEST(b.u32(68) == 7u);
  BOOST_TEST(b.u64(8) == 0x700000007u);
  BOOST_TEST(b.u64(72) == 0x700000007u);
  for (std::size_t const unchanged : {80u, 96u, 112u, 128u}) {
    BOOST_TEST(b.u64(unchanged) == 7u);
    BOOST_TEST(b.u64(unchanged + 8) == 8u);
  }
  for (std::size_t const changed : {16u, 144u}) {
    BOOST_TEST(b.u64(changed) == 8u);
    BOOST_TEST(b.u64(changed + 8) == 7u);
  }
}

BOOST_AUTO_TEST_CASE(vectors_of_atomic_operations) {
  buffer b;
  b.put<float>(0, 1);
  b.put<float>(4, 2);
  b.put<std::uint16_t>(16, 0x3c00);
  b.put<std::uint16_t>(18, 0xbc00);
  b.put<std::uint16_t>(20, 0x8000);
  b.put<std::uint16_t>(22, 0x7e00); // NaN
  RUN("atom.global.add.v2.f32 {%f1, %f2}, [%rd0], {0f3F800000, 0f40000000}; st.global.v2.f32 [%rd0+8], {%f1, %f2};"
      "mov.b16 %h1, 0x4000; mov.b16 %h2, 0x0000; mov.b16 %h3, 0x4200;"
      "red.global.v4.f16.max.noftz [%rd0+16], {%h1, %h1, %h2, %h3};",
      b);
  BOOST_TEST(b.get<float>(0) == 2);
  BOOST_TEST(b.get<float>(4) == 4);
  BOOST_TEST(b.get<float>(8) == 1);
  BOOST_TEST(b.get<float>(12) == 2);
  BOOST_TEST(b.u16(16) == 0x4000u);
  BOOST_TEST(b.u16(18) == 0x4000u);
  BOOST_TEST(b.u16(20) == 0x0000u); // +0 is greater than -0
  BOOST_TEST(b.u16(22) == 0x4200u); // a number takes precedence over NaN
}

BOOST_AUTO_TEST_CASE(modifiers_are_unordered_and_a_bare_atom_is_relaxed_gpu) {
  buffer b;
  RUN("atom.global.add.u32 %r1, [%rd0], 1; atom.add.release.gpu.global.u32 %r1, [%rd0], 1; red.add.u32 [%rd0], 1;"
      "atom.u32.add.acq_rel.sys %r1, [%rd0], 1; atom.add.u32 _, [%rd0], 1;",
      b);
  BOOST_TEST(b.u32(0) == 5u);
}

BOOST_AUTO_TEST_CASE(threads_and_blocks_lose_no_update) {
  buffer b;
  b.put<std::uint32_t>(24, 0xffffffff);
  // 64 blocks of 64 threads, 50 rounds each: sums, a compare-and-swap loop, one of 128 bits, and shared memory.
  RUN("mov.u32 %r1, 0; st.shared.u32 [s], 0; bar.sync 0;\n"
      "again: red.relaxed.gpu.global.add.u32 [%rd0], 1; atom.acq_rel.gpu.global.add.u64 %rd1, [%rd0+8], 3;\n"
      "red.global.add.f32 [%rd0+16], 0f3F800000; atom.global.inc.u32 %r2, [%rd0+20], 6; red.shared.add.u32 [s], 1;\n"
      "ld.relaxed.gpu.global.u32 %r3, [%rd0+64];\n"
      "swap: add.u32 %r4, %r3, 1; atom.release.gpu.global.cas.b32 %r5, [%rd0+64], %r3, %r4; setp.ne.u32 %p1, %r5, "
      "%r3;\n"
      "mov.u32 %r3, %r5; @%p1 bra swap;\n"
      "ld.relaxed.gpu.global.b128 %q1, [%rd0+80];\n"
      "wide: mov.b128 {%rd2, %rd3}, %q1; add.u64 %rd4, %rd2, 1; add.u64 %rd5, %rd3, 2; mov.b128 %q2, {%rd4, %rd5};\n"
      "atom.acq_rel.gpu.global.cas.b128 %q3, [%rd0+80], %q1, %q2; mov.b128 {%rd6, %rd7}, %q3;\n"
      "setp.ne.u64 %p1, %rd6, %rd2; mov.b128 %q1, %q3; @%p1 bra wide;\n"
      "add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 50; @%p1 bra again;\n"
      "bar.sync 0; mov.u32 %r6, %tid.x; setp.ne.u32 %p1, %r6, 0; @%p1 ret; ld.shared.u32 %r7, [s];\n"
      "red.global.add.u32 [%rd0+96], %r7;",
      b, {.grid = 64, .block = 64});
  std::uint32_t const n = 64 * 64 * 50;
  BOOST_TEST(b.u32(0) == n);
  BOOST_TEST(b.u64(8) == 3ull * n);
  BOOST_TEST(b.get<float>(16) == float(n));
  BOOST_TEST(b.u32(20) == n % 7);
  BOOST_TEST(b.u32(64) == n);
  BOOST_TEST(b.u64(80) == n);
  BOOST_TEST(b.u64(88) == 2ull * n);
  BOOST_TEST(b.u32(96) == n);
}

BOOST_AUTO_TEST_CASE(a_release_publishes_to_an_acquire_in_another_block) {
  for (std::string const& order :
       {"fence.acq_rel.gpu; st.relaxed.gpu.global.u32", "st.release.gpu.global.u32",
        "fence.release.gpu; st.relaxed.gpu.global.u32", "membar.gl; st.volatile.global.u32"}) {
    buffer b;
    RUN("mov.u32 %r1, %ctaid.x; setp.eq.u32 %p1, %r1, 0; @%p1 bra reader; st.global.u32 [%rd0], 42; " + order +
            " [%rd0+64], 1; ret;\n"
            "reader: ld.acquire.gpu.global.u32 %r2, [%rd0+64]; setp.eq.u32 %p2, %r2, 0; @%p2 bra reader;\n"
            "ld.global.u32 %r3, [%rd0]; st.global.u32 [%rd0+128], %r3;",
        b, {.grid = 2});
    BOOST_TEST(b.u32(128) == 42u);
  }
}

BOOST_AUTO_TEST_CASE(with_fence_sc_between_store_and_load_one_of_two_threads_sees_the_other) {
  // Store buffering: 20000 pairs of words, each written by one block and read by the other one.
  buffer b(20000 * 256);
  RUN("mov.u32 %r1, %ctaid.x; mul.wide.u32 %rd1, %r1, 4; mov.u64 %rd5, %rd0; mov.u32 %r9, 0;\n"
      "again: add.u64 %rd2, %rd5, %rd1; sub.u64 %rd3, 4, %rd1; add.u64 %rd3, %rd5, %rd3;\n"
      "red.relaxed.gpu.global.add.u32 [%rd5+64], 1;\n"
      "meet: ld.relaxed.gpu.global.u32 %r4, [%rd5+64]; setp.ne.u32 %p1, %r4, 2; @%p1 bra meet;\n"
      "st.relaxed.gpu.global.u32 [%rd2], 1; fence.sc.gpu; ld.relaxed.gpu.global.u32 %r2, [%rd3];\n"
      "st.global.u32 [%rd2+128], %r2; add.u64 %rd5, %rd5, 256; add.u32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, 20000;\n"
      "@%p1 bra again;",
      b, {.grid = 2});
  int both_missed = 0;
  for (std::size_t i = 0; i < 20000; ++i) both_missed += b.u32(256 * i + 128) == 0 && b.u32(256 * i + 132) == 0;
  BOOST_TEST(both_missed == 0);
}

BOOST_AUTO_TEST_SUITE_END()
