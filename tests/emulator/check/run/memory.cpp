// SPDX-License-Identifier: Apache-2.0
//
// memory: accesses of checked runs, from a module's text to the findings: message passing, barriers, copies, bytes
// without a value.
#include "checked_run.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

using namespace emulator_test;

namespace {

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
