// SPDX-License-Identifier: Apache-2.0
//
// programs: names, frames, calls and variables: guarantees of the decoder and the program.
#include "../../../tools/emulator/machine/externs.hpp"
#include "../../../tools/emulator/machine/readable_name.hpp"
#include "machine.hpp"

#include <boost/test/unit_test.hpp>

namespace emulator_test {
namespace {

using u32s = std::vector<std::uint32_t>;
using u64s = std::vector<std::uint64_t>;

BOOST_AUTO_TEST_SUITE(programs)

BOOST_AUTO_TEST_CASE(every_thread_of_every_block_runs_with_its_own_indices) {
  machine m(R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<9>; .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mov.u32 %r4, %ctaid.y;
  mov.u32 %r5, %nctaid.x; mad.lo.u32 %r1, %r4, %r5, %r1;
  mov.u32 %r6, %tid.y; mov.u32 %r7, %ntid.y; mad.lo.u32 %r1, %r1, %r7, %r6;
  mad.lo.u32 %r8, %r1, %r2, %r3;
  mul.wide.u32 %rd2, %r8, 4;
  add.u64 %rd3, %rd1, %rd2;
  add.u32 %r8, %r8, 1;
  st.global.u32 [%rd3], %r8;
  ret;
})");
  u32s out(7 * 3 * 5 * 9);
  RUNS(m.run("k", {.grid = {7, 3}, .block = {9, 5}}, {address(out)}));
  for (std::size_t i = 0; i < out.size(); ++i) BOOST_TEST(out[i] == i + 1);
}

BOOST_AUTO_TEST_CASE(guarded_instructions_and_branches_follow_their_predicates) {
  machine m(R"(
.visible .entry k(.param .u64 out) {
  .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, 0; mov.u32 %r2, 0;
loop:
  setp.lt.u32 %p1, %r1, 5;
  @%p1 add.u32 %r2, %r2, 10;
  @!%p1 add.u32 %r2, %r2, 100;
  add.u32 %r1, %r1, 1;
  setp.ne.u32 %p2, %r1, 8;
  @%p2 bra loop;
  st.global.u32 [%rd1], %r2;
})");
  u32s out(1);
  RUNS(m.run("k", {}, {address(out)}));
  BOOST_TEST(out[0] == 350u);
}

BOOST_AUTO_TEST_CASE(inner_braces_hide_outer_names_and_labels) {
  machine m(R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 r, %r1<5>, %x; .reg .b64 %rd1;
  ld.param.u64 %rd1, [out];
  mov.u32 r, 1; mov.u32 %r12, 7;
  {
    .reg .b32 r;
    mov.u32 r, 2;
    bra end;
    mov.u32 r, 3;
  end:
    st.global.u32 [%rd1+4], r;
  }
  bra end;
  trap;
end:
  st.global.u32 [%rd1], r;
  st.global.u32 [%rd1+8], %r12;
})");
  u32s out(3);
  RUNS(m.run("k", {}, {address(out)}));
  BOOST_TEST(out == (u32s{1, 2, 7}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(calls_pass_parameters_and_recursion_has_its_own_frames) {
  machine m(R"(
.func (.param .b32 result) factorial(.param .b32 n) {
  .reg .pred %p; .reg .b32 %r<5>;
  ld.param.b32 %r1, [n];
  setp.gt.u32 %p, %r1, 1;
  @%p bra more;
  st.param.b32 [result], 1;
  ret;
more:
  sub.u32 %r2, %r1, 1;
  {
    .param .b32 argument; .param .b32 back;
    st.param.b32 [argument], %r2;
    call.uni (back), factorial, (argument);
    ld.param.b32 %r3, [back];
  }
  mul.lo.u32 %r4, %r3, %r1;
  st.param.b32 [result], %r4;
}
.visible .entry k(.param .u64 out) {
  .reg .b32 %r1; .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [out];
  call (%r1), factorial, (10);
  st.global.u32 [%rd1], %r1;
  mov.u64 %rd2, factorial;
  prototype: .callprototype (.param .b32 _) _ (.param .b32 _);
  call (%r1), %rd2, (5), prototype;
  st.global.u32 [%rd1+4], %r1;
})");
  u32s out(2);
  RUNS(m.run("k", {.block = {64}}, {address(out)}));
  BOOST_TEST(out == (u32s{3628800, 120}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(unbounded_recursion_is_a_fault) {
  machine m(R"(
.func f() { .local .align 8 .b8 big[1000]; call f, (); ret; }
.visible .entry k() { call f, (); ret; })");
  FAILS(719, "recursion", m.run("k", {}));
}

BOOST_AUTO_TEST_CASE(variables_have_their_initial_values_and_addresses) {
  machine m(R"(
.visible .global .align 4 .u32 numbers[4] = {1, 2, 3};
.visible .const .align 8 .u64 pointer = generic(numbers)+8;
.visible .global .align 8 .u64 table[2] = {f, 0};
.func (.param .b32 r) f() { st.param.b32 [r], 42; ret; }
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<5>; .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [out];
  ld.const.u64 %rd2, [pointer];
  ld.u32 %r1, [%rd2];
  ld.global.u32 %r2, [numbers+4];
  mov.u64 %rd3, numbers+12;
  ld.global.u32 %r3, [%rd3];
  st.global.u32 [%rd1], %r1; st.global.u32 [%rd1+4], %r2; st.global.u32 [%rd1+8], %r3;
  ld.global.u64 %rd4, [table];
  prototype: .callprototype (.param .b32 _) _ ();
  call (%r4), %rd4, (), prototype;
  st.global.u32 [%rd1+12], %r4;
})");
  u32s out(4);
  RUNS(m.run("k", {}, {address(out)}));
  BOOST_TEST(out == (u32s{3, 2, 0, 42}), boost::test_tools::per_element());
  std::size_t size = 0;
  BOOST_TEST(static_cast<std::uint32_t*>(m.program.variable("numbers", size))[2] == 3u);
  BOOST_TEST(size == 16u);
}

BOOST_AUTO_TEST_CASE(static_and_dynamic_shared_memory_do_not_overlap) {
  machine m(R"(
.shared .align 4 .u32 one; .shared .align 16 .b8 two[20]; .extern .shared .align 16 .b8 dynamic[];
.visible .entry k(.param .u64 out) {
  .shared .align 8 .b64 three;
  .reg .b32 %r<9>; .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [out];
  st.shared.u32 [one], 1; st.shared.u32 [two+16], 2; st.shared.u64 [three], 3; st.shared.u32 [dynamic+96], 4;
  ld.shared.u32 %r1, [one]; ld.shared.u32 %r2, [two+16]; ld.shared.u32 %r3, [three]; ld.shared.u32 %r4, [dynamic+96];
  st.global.u32 [%rd1], %r1; st.global.u32 [%rd1+4], %r2; st.global.u32 [%rd1+8], %r3; st.global.u32 [%rd1+12], %r4;
  mov.u32 %r5, %dynamic_smem_size; st.global.u32 [%rd1+16], %r5;
})");
  u32s out(5);
  RUNS(m.run("k", {.dynamic_shared = 100}, {address(out)}));
  BOOST_TEST(out == (u32s{1, 2, 3, 4, 100}), boost::test_tools::per_element());
  FAILS(700, "outside", m.run("k", {.dynamic_shared = 96}, {address(out)}));
}

BOOST_AUTO_TEST_CASE(a_kernel_that_uses_reserved_shared_memory_gets_it) {
  // As tiles larger than a warp in cooperative groups need it: %reserved_smem_offset_1, and at least 288 bytes there.
  machine m(R"(
.extern .shared .align 16 .b8 dynamic[];
.func (.param .u32 r) offset() { .reg .b32 %r<2>; mov.u32 %r1, %reserved_smem_offset_1; st.param.u32 [r], %r1; }
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<9>; .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [out];
  { .param .u32 o; call (o), offset; ld.param.u32 %r1, [o]; }
  ld.shared.u32 %r7, [%r1];
  st.shared.u32 [dynamic+96], 1; st.shared.u32 [%r1], 2; st.shared.u32 [%r1+284], 3;
  cvt.u64.u32 %rd2, %r1; cvta.shared.u64 %rd2, %rd2; ld.u32 %r2, [%rd2+284];
  ld.shared.u32 %r3, [dynamic+96]; mov.u32 %r4, %total_smem_size; mov.u32 %r5, %reserved_smem_offset_0;
  st.shared.u32 [%r5], 4; ld.shared.u32 %r6, [%r1];
  st.global.u32 [%rd1], %r2; st.global.u32 [%rd1+4], %r3; st.global.u32 [%rd1+8], %r4; st.global.u32 [%rd1+12], %r6;
  st.global.u32 [%rd1+16], %r7;
}
.visible .entry other() { st.shared.u32 [dynamic+100], 1; })");
  for (int run = 0; run < 2; ++run) { // initially zero, in each run
    u32s out(5);
    RUNS(m.run("k", {.dynamic_shared = 100}, {address(out)}));
    BOOST_TEST(out == (u32s{3, 1, 100, 2, 0}), boost::test_tools::per_element());
  }
  FAILS(700, "outside", m.run("other", {.dynamic_shared = 100}));
}

BOOST_AUTO_TEST_CASE(profiler_events_have_no_effect) {
  machine m(".visible .entry k() { pmevent 7; pmevent.mask 0x8001; }");
  RUNS(m.run("k", {}));
}

BOOST_AUTO_TEST_CASE(brx_jumps_by_index) {
  machine m(R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<5>; .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2;
  list: .branchtargets a, b, a;
  brx.idx %r1, list;
a: mov.u32 %r2, 10; bra end;
b: mov.u32 %r2, 20;
end: st.global.u32 [%rd1], %r2;
})");
  u32s out(3);
  RUNS(m.run("k", {.block = {3}}, {address(out)}));
  BOOST_TEST(out == (u32s{10, 20, 10}), boost::test_tools::per_element());
  FAILS(719, "index 3", m.run("k", {.block = {4}}, {address(out)}));
}

std::string printed;

BOOST_AUTO_TEST_CASE(printf_formats_as_the_host_does) {
  printed.clear();
  emulator::set_print_sink([](std::string_view text, bool) { printed += text; });
  machine m(R"(
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.global .align 1 .b8 format[] = {37,100,32,37,53,46,49,102,32,37,115,32,37,108,108,120,32,37,37,10,0};
.global .align 1 .b8 word[3] = {104, 105, 0};
.visible .entry k(.param .u64 out) {
  .local .align 8 .b8 arguments[32]; .reg .b64 %rd<9>; .reg .b32 %r1;
  ld.param.u64 %rd5, [out];
  mov.u64 %rd1, arguments; cvta.local.u64 %rd2, %rd1;
  st.local.u32 [%rd1], -7; st.local.f64 [%rd1+8], 0d4004000000000000;
  mov.u64 %rd3, word; st.local.u64 [%rd1+16], %rd3; st.local.u64 [%rd1+24], 0xabcdef0123;
  mov.u64 %rd4, format; cvta.global.u64 %rd4, %rd4;
  { .param .b64 a; .param .b64 b; .param .b32 c;
    st.param.b64 [a], %rd4; st.param.b64 [b], %rd2;
    call.uni (c), vprintf, (a, b);
    ld.param.b32 %r1, [c]; }
  st.global.u32 [%rd5], %r1;
})");
  u32s out(1);
  RUNS(m.run("k", {}, {address(out)}));
  BOOST_TEST(printed == "-7   2.5 hi abcdef0123 %\n");
  BOOST_TEST(out[0] == 4u);
  emulator::set_print_sink(nullptr);
}

BOOST_AUTO_TEST_CASE(unknown_text_is_rejected_with_its_line) {
  auto const rejects = [](char const* body, char const* part) {
    std::string const what = rejection(
        std::string(".extern .func g();\n.visible .entry k() {\n.reg .b32 %r1; .reg .f32 %f1; .reg .pred %p;\n") +
        body + "\nret; }");
    BOOST_TEST(what.starts_with("test.ptx:7:"), what);
    BOOST_TEST(what.find(part) != std::string::npos, what);
    BOOST_TEST(what.find("k: ") != std::string::npos, what);
  };
  rejects("frobnicate.u32 %r1;", "does not know this instruction");
  rejects("add.u32.wrong %r1, %r1, 1;", ".wrong");
  rejects("add.u32 %r1, %r1, %r2;", "%r2");
  rejects("add.f32 %f1, %f1, 1;", "integer literal");
  rejects("mov.s32 %r1, 1.5;", "float literal");
  rejects("bra nowhere;", "nowhere");
  rejects("@%q bra nowhere;", "%q");
  rejects("shfl.down.b32 %r1, %r1, 1, 31;", ".sync");
  rejects("call h, ();", "h is no function");
  BOOST_TEST(rejection(".extern .func g();\n.visible .entry k() { call g, (); ret; }").find("no body") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(names_are_readable) {
  std::pair<char const*, char const*> const names[] = {
      {"k", "k"},
      {"_Z1kPi", "k"},
      {"_ZN2ns1kIiLj3ELb1EEEvT_", "ns::k<int, 3u, true>"},
      {"_ZN12_GLOBAL__N_11kEi__intern__22de2a9c132cb5cd", "(anonymous namespace)::k"},
      {"helper__intern__22de2a9c132cb5cd", "helper"},
      {"_ZZ1kvE3bar", "k::bar"},
      // Names of modules are substitutions: S4_ and S5_ are cudax.sync and thread_scope.
      {"_ZN4test6kernelI7meetingILN5cudaxW5cudaxW4sync12thread_scopeE2ELS5_2EEEEvPT_",
       "test::kernel<meeting<(cudax::thread_scope)2, (cudax::thread_scope)2>>"},
      {"_Z1kIN5cudaxW5cudaxW4sync6atomicIiLNS0_S2_12thread_scopeE1EEENS0_S2_5mutexEEvPT_T0_",
       "k<cudax::atomic<int, (cudax::thread_scope)1>, cudax::mutex>"},
      {"_Z1kIPFvRKiPcENS_1aIJdfEEEEvv", "k<void (*)(int const&, char*), k::a<double, float>>"},
      {"_Z5applyIZ4mainEUliE_EvT_", "apply<main::{lambda(int)#1}>"},
      {"_ZN4test6kernelIXadL_ZL4bodyiEEEEvv", "test::kernel<&body>"},
      // What is not known, or wrong, stays.
      {"_Z1kIDTcl1fEEEvv", "_Z1kIDTcl1fEEEvv"},
      {"_ZN4test", "_ZN4test"},
      {"_Z99k", "_Z99k"},
      {"_ZS5_", "_ZS5_"},
  };
  for (auto const& [mangled, name] : names) BOOST_TEST(emulator::readable_name(mangled) == name);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace emulator_test
