// SPDX-License-Identifier: Apache-2.0
//
// convergence: where lanes may meet early, as ptxas 13.0 places WARPSYNC for the same text. Each expectation was read
// from what ptxas makes of the body for sm_90 and sm_100, some of them for sm_80, too.
#include "../../../tools/emulator/machine/convergence.hpp"
#include "../../../tools/emulator/ptx/parse.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace emulator_test {
namespace {

using strings = std::vector<std::string>;

/// The places of a kernel's body as "the statement that they are before <- the instruction for which lanes meet".
strings places(std::string const& body, std::string const& directives = "", char const* target = "sm_90a") {
  namespace ptx = emulator::ptx;
  auto const m = ptx::parse(
      std::string(".version 8.8\n.target ") + target + "\n.address_size 64\n.entry k(.param .u64 p) " + directives +
          " {\n.reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %rd<9>; .shared .align 8 .b8 s[64];\n" + body +
          "\nret;\n}\n",
      "test.ptx");
  ptx::function& f = *m->find("k");
  ptx::parse_body(*m, f);
  strings result;
  for (auto const& c : emulator::find_convergences(f, m->sm()))
    result.push_back(ptx::print(*m, f.body[c.statement].instruction) + " <- " +
                     ptx::print(*m, f.body[c.cause].instruction) +
                     (c.guard.empty() ? "" : (c.guard_negated ? " @!" : " @") + std::string(c.guard)));
  return result;
}

std::string const spin = "L: atom.acquire.gpu.global.exch.b32 %r1, [%rd1], 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra L;\n";
std::string const count = "ld.global.b32 %r2, [%rd1+64]; add.s32 %r2, %r2, 1; st.global.b32 [%rd1+64], %r2;\n";
std::string const unlock = "st.release.gpu.global.b32 [%rd1], 0;\n";
std::string const barrier = "bar.sync 0;";

/// Where lanes meet before the first of the stores.
strings const at_count{"st.global.b32 [%rd1+64], %r2 <- bar.sync 0"},
    at_unlock{"st.release.gpu.global.b32 [%rd1], 0 <- bar.sync 0"}, nowhere{};

BOOST_AUTO_TEST_SUITE(convergence)

#define PLACES(expected, ...) BOOST_TEST(places(__VA_ARGS__) == (expected), boost::test_tools::per_element())

BOOST_AUTO_TEST_CASE(lanes_meet_after_the_last_branch_before_the_first_store) {
  PLACES(at_count, count + unlock + barrier);
  PLACES(at_count, spin + count + unlock + barrier);
  PLACES(at_unlock, spin + unlock + barrier);
  PLACES(nowhere, spin + barrier);
  PLACES(nowhere, spin + "ld.global.b32 %r2, [%rd1+64];" + barrier);
  PLACES(nowhere, spin + count + unlock); // no barrier
}

BOOST_AUTO_TEST_CASE(stores_of_every_order_and_space_are_passed) {
  for (std::string const store :
       {"st.global.b32 [%rd1], 0", "st.relaxed.gpu.global.b32 [%rd1], 0", "st.release.sys.global.b32 [%rd1], 0",
        "st.volatile.global.b32 [%rd1], 0", "st.mmio.relaxed.sys.global.b32 [%rd1], 0", "st.release.gpu.b32 [%rd1], 0",
        "st.volatile.shared.b32 [s], 0", "st.release.cta.shared.b32 [s], 0",
        "st.relaxed.cluster.shared::cluster.b32 [%r5], 0"})
    PLACES(strings{store + " <- bar.sync 0"}, spin + store + ";" + barrier);
  // No other lane waits for these.
  PLACES(nowhere, spin + ".local .b8 l[8]; st.local.b32 [l], 0;" + barrier);
}

BOOST_AUTO_TEST_CASE(what_stands_between_the_store_and_the_barrier_may_stop_the_lanes) {
  for (char const* const passed :
       {"mov.b32 %r5, %laneid;", "ld.volatile.global.b32 %r5, [%rd1+8];", "ld.acquire.gpu.global.b32 %r5, [%rd1+8];",
        "fence.acquire.gpu;", "fence.release.gpu;", "fence.mbarrier_init.release.cluster;",
        "prefetch.global.L1 [%rd1];", "cp.async.ca.shared.global [s], [%rd1], 16;", "cp.async.commit_group;",
        "discard.global.L2 [%rd1], 128;", "applypriority.global.L2::evict_normal [%rd1], 128;", "activemask.b32 %r5;",
        "shfl.sync.idx.b32 %r5, %r2, 0, 31, %r7;", "vote.sync.ballot.b32 %r5, %p1, %r7;", "div.u32 %r5, %r6, %r7;",
        "Q: mov.b32 %r5, 1;", "bra Q; Q:", "@%p2 st.global.b32 [%rd1+8], %r5;", "{ .reg .b32 r; mov.b32 r, 1; }"})
    BOOST_TEST(places(spin + unlock + passed + barrier).back() == at_unlock[0], passed);
  for (char const* const stops : {"atom.relaxed.gpu.global.exch.b32 %r5, [%rd1+8], 1;",
                                  "red.relaxed.gpu.global.add.u32 [%rd1+8], 1;",
                                  "fence.acq_rel.cta;",
                                  "fence.sc.gpu;",
                                  "membar.cta;",
                                  "fence.proxy.async;",
                                  "bar.warp.sync %r5;",
                                  "activemask.b32 %r5; bar.warp.sync %r5;",
                                  "nanosleep.u32 0;",
                                  "mov.u32 %r5, %clock;",
                                  "mov.u64 %rd5, %globaltimer;",
                                  "mbarrier.arrive.shared.b64 _, [s];",
                                  "cp.async.wait_all;",
                                  "@%p2 pmevent 0;",
                                  "cp.async.bulk.commit_group;",
                                  "griddepcontrol.wait;",
                                  "div.s64 %rd5, %rd6, %rd7;",
                                  "div.rn.f32 %r5, %r6, %r7;",
                                  "@%p2 ret;",
                                  "@%p2 exit;",
                                  "@%p2 trap;",
                                  "{ call f, (); }",
                                  "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r5], %r6, [%r7];"})
    PLACES(nowhere, spin + unlock + stops + barrier);
}

BOOST_AUTO_TEST_CASE(lanes_meet_after_the_last_thing_that_stops_them) {
  PLACES(at_unlock, spin + count + "membar.gl;" + unlock + barrier);
  PLACES(at_unlock, spin + count + "red.relaxed.gpu.global.add.u32 [%rd1+8], 1;" + unlock + barrier);
  PLACES((strings{at_count[0], at_unlock[0]}), spin + count + barrier + unlock + barrier);
  PLACES(at_count, spin + count + unlock + barrier + barrier);
}

BOOST_AUTO_TEST_CASE(a_small_if_becomes_predicates) {
  auto const stores = [](int n) {
    std::string text;
    for (int i = 0; i < n; ++i) text += "st.global.b32 [%rd1+" + std::to_string(8 + 4 * i) + "], %r5;";
    return text;
  };
  auto const unless = [](std::string const& body) { return "@%p2 bra J;\n" + body + "\nJ:\n"; };
  PLACES(at_unlock, spin + unlock + unless(stores(1)) + barrier);
  PLACES(at_unlock, spin + unlock + unless(stores(7)) + barrier);
  PLACES(nowhere, spin + unlock + unless(stores(8)) + barrier);
  PLACES((strings{"@%p2 bra J <- bar.sync 0"}), spin + unless(unlock) + barrier);
  PLACES(nowhere, spin + unless("ld.global.b32 %r5, [%rd1];") + barrier);
  auto const either = [](std::string const& one, std::string const& other) {
    return "@%p2 bra M;\n" + one + "\nbra J;\nM:\n" + other + "\nJ:\n";
  };
  PLACES(at_unlock, spin + unlock + either(stores(6), stores(6)) + barrier);
  PLACES(nowhere, spin + unlock + either(stores(7), stores(1)) + barrier);
  PLACES((strings{"@%p2 bra M <- bar.sync 0"}), spin + either("", unlock) + barrier);
  for (char const* const kept :
       {"red.relaxed.gpu.global.add.u32 [%rd1+8], %r5;", "fence.acq_rel.gpu;", "nanosleep.u32 1;", "bar.warp.sync 5;",
        "div.u32 %r5, %r6, %r7;", "@%p3 bra I; st.global.b32 [%rd1+8], 1; I:", "trap;"})
    PLACES(nowhere, spin + unlock + unless(kept) + barrier);
}

BOOST_AUTO_TEST_CASE(other_branches_stop_the_lanes) {
  // A loop after the store.
  PLACES(nowhere, spin + unlock + "O: add.u32 %r8, %r8, 1; setp.lt.u32 %p4, %r8, %r9; @%p4 bra O;\n" + barrier);
  // The store at the end of a loop that holds the lock.
  PLACES(nowhere, "O:\n" + spin + count + unlock + "@%p4 bra O;\n" + barrier);
  // One attempt to lock, and the critical section, in a loop.
  PLACES(nowhere, "O: atom.acquire.gpu.global.exch.b32 %r1, [%rd1], 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra N;\n" + count +
                      unlock + "mov.b32 %r8, 1; N: setp.eq.u32 %p2, %r8, 0; @%p2 bra O;\n" + barrier);
  // The lock in one side of an `if`.
  PLACES(nowhere, "@%p2 bra J;\n" + spin + count + unlock + "J:\n" + barrier);
  // An early return.
  PLACES(nowhere, spin + unlock + "@%p2 bra Z;\n" + barrier + "Z:");
  // Two branches to one label.
  PLACES(nowhere, spin + unlock + "@%p2 bra J; mov.b32 %r5, 1; @%p3 bra J; mov.b32 %r5, 2; J:\n" + barrier);
  // A table of branches.
  PLACES(nowhere, spin + unlock + "t: .branchtargets A, B; brx.idx %r5, t; A: bra B; B:\n" + barrier);
  // A lock whose first attempt is on its own: the lanes meet where both ways do.
  PLACES(at_count, "atom.acquire.gpu.global.exch.b32 %r1, [%rd1], 1; setp.eq.u32 %p1, %r1, 0; @%p1 bra C;\n" + spin +
                       "C:\n" + count + unlock + barrier);
}

BOOST_AUTO_TEST_CASE(labels_of_other_braces_are_other_labels) {
  std::string const inner = "{ @%p2 bra W; mov.b32 %r5, 1; W: }\n";
  PLACES(at_unlock, spin + unlock + inner + inner + barrier);
}

BOOST_AUTO_TEST_CASE(a_barrier_under_a_predicate) {
  std::string const set = "setp.gt.u32 %p3, %r5, 5;\n";
  PLACES((strings{"st.release.gpu.global.b32 [%rd1], 0 <- @%p3 bar.sync 0 @%p3"}),
         spin + set + unlock + "@%p3 bar.sync 0;");
  PLACES((strings{"st.release.gpu.global.b32 [%rd1], 0 <- bar.sync 0 @!%p3"}),
         spin + set + unlock + "@%p3 bra J; mov.b32 %r6, 1;" + barrier + "J:" + count);
  PLACES((strings{"@%p3 bra J <- bar.sync 0 @!%p3"}), spin + set + "@%p3 bra J;" + unlock + barrier + "J:" + count);
  // The predicate is not known before the store.
  PLACES(nowhere, spin + unlock + "ld.global.b32 %r5, [%rd1+8];" + set + "@%p3 bar.sync 0;");
  PLACES(nowhere, spin + set + unlock + "@%p3 barrier.sync 0;");
  PLACES(nowhere, spin + set + unlock + "@%p3 shfl.sync.idx.b32 %r5, %r2, 0, 31, -1;");
}

BOOST_AUTO_TEST_CASE(for_which_barriers_lanes_meet) {
  auto const for_this = [](std::string const& what) {
    return strings{"st.release.gpu.global.b32 [%rd1], 0 <- " + what};
  };
  for (std::string const what : {"bar.sync 0", "bar.sync 1, 64", "bar.arrive 1, 64", "bar.red.popc.u32 %r5, 0, %p1",
                                 "barrier.sync 0", "barrier.sync.aligned 0", "barrier.arrive 1, 64"}) {
    PLACES(for_this(what), spin + unlock + what + ";");
    PLACES(for_this(what), spin + unlock + what + ";", "", "sm_80");
  }
  // ptxas does not move WARPSYNC over other instructions for these.
  for (std::string const what : {"bar.warp.sync -1;", "activemask.b32 %r5;", "griddepcontrol.wait;"})
    PLACES(nowhere, spin + unlock + what);
}

BOOST_AUTO_TEST_CASE(for_the_barrier_of_a_cluster_lanes_meet_if_the_kernel_surely_has_clusters) {
  std::string const arrive = "barrier.cluster.arrive.aligned;";
  PLACES(nowhere, spin + unlock + arrive);
  PLACES(nowhere, spin + unlock + arrive, ".reqnctapercluster 2");
  PLACES((strings{"st.release.gpu.global.b32 [%rd1], 0 <- barrier.cluster.arrive.aligned"}), spin + unlock + arrive,
         ".explicitcluster .reqnctapercluster 2");
}

BOOST_AUTO_TEST_CASE(for_collectives_lanes_meet_from_sm_90_on) {
  for (std::string const what : {"shfl.sync.idx.b32 %r5, %r2, 0, 31, -1", "vote.sync.ballot.b32 %r5, %p1, -1",
                                 "match.any.sync.b32 %r5, %r2, -1", "redux.sync.add.u32 %r5, %r2, -1",
                                 "shfl.sync.idx.b32 %r5, %r2, 0, 31, %r7", "vote.sync.ballot.b32 %r5, %p1, 255"}) {
    PLACES((strings{"st.release.gpu.global.b32 [%rd1], 0 <- " + what}), spin + unlock + what + ";");
    PLACES(nowhere, spin + unlock + what + ";", "", "sm_80");
  }
  // The mask must be known, and ptxas knows that the lanes of activemask are together.
  PLACES(nowhere, spin + unlock + "mov.b32 %r7, 255; vote.sync.ballot.b32 %r5, %p1, %r7;");
  PLACES(nowhere, spin + "activemask.b32 %r7;" + unlock + "vote.sync.ballot.b32 %r5, %p1, %r7;");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace emulator_test
