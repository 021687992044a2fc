// SPDX-License-Identifier: Apache-2.0
//
// findings: what is reported that is no access and no wait: barriers that some threads bypass, traps, assertions; and
// where.
#include "checked_run.hpp"

#include "../../../../tools/emulator/check/run/report.hpp"

#include <boost/test/unit_test.hpp>

#include <set>

using namespace emulator_test;

BOOST_AUTO_TEST_SUITE(check_run)

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

BOOST_AUTO_TEST_CASE(findings_name_source_lines) {
  std::vector<std::uint32_t> memory(4);
  std::string const text = kernel(".loc 1 17 3\nst.global.u32 [%rd1], %r2;\n.loc 1 18 3\nld.global.u32 %r3, [%rd1];") +
                           ".file 1 \"kernels.cu\"\n";
  auto const r = run(text, 1, {{1}, {32}}, memory);
  BOOST_REQUIRE(!r.findings.empty());
  BOOST_TEST(r.text().find("kernels.cu:17") != std::string::npos, r.text());
}

BOOST_AUTO_TEST_CASE(findings_name_the_calls_by_which_a_line_was_inlined) {
  std::vector<std::uint32_t> memory(4);
  std::string const text =
      kernel(".loc 1 17 3\n.loc 2 5 1, function_name n, inlined_at 1 17 3\n"
             ".loc 3 9 1, function_name n, inlined_at 2 5 1\nst.global.u32 [%rd1], %r2;\n"
             ".loc 1 18 3\nld.global.u32 %r3, [%rd1];\n"
             ".loc 1 19 3\n.loc 3 9 1, function_name n, inlined_at 1 19 3\nst.global.u32 [%rd1], %r2;") +
      ".file 1 \"kernels.cu\"\n.file 2 \"helper.hpp\"\n.file 3 \"header.hpp\"\n";
  std::set<std::string> keys;
  bool has_chain = false;
  for (std::uint64_t seed = 0; seed < 10; ++seed)
    for (auto const& f : run(text, seed, {{1}, {32}}, memory).findings) {
      keys.insert(emulator::check::key_of(f));
      for (auto const& p : f.parties)
        if (p.callers.size() == 2) {
          has_chain = true;
          BOOST_TEST(p.source == "header.hpp:9");
          BOOST_TEST(p.callers[0] == "helper.hpp:5");
          BOOST_TEST(p.callers[1] == "kernels.cu:17");
          BOOST_TEST(f.text.find("header.hpp:9, inlined at helper.hpp:5, inlined at kernels.cu:17") !=
                     std::string::npos);
          BOOST_TEST(emulator::check::json_of(f, 1).find(
                         R"("source":"header.hpp:9","inlined_at":["helper.hpp:5","kernels.cu:17"]})") !=
                     std::string::npos);
        }
    }
  BOOST_TEST(has_chain);
  // The two calls of one line are different defects.
  BOOST_TEST(keys.contains("race | header.hpp:9 in kernels.cu:17 | kernels.cu:18"));
  BOOST_TEST(keys.contains("race | header.hpp:9 in kernels.cu:19 | kernels.cu:18"));
}

BOOST_AUTO_TEST_SUITE_END()
