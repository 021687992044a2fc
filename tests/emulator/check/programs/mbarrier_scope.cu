// SPDX-License-Identifier: Apache-2.0
//
// A block of a cluster arrives at the barrier of another block, or changes the bytes that it expects. Wrong: by an
// operation of block scope, which is atomic with the operations of its own block alone. Right: at cluster scope. The
// operations are relaxed, and pass on no data.
#include "program.hpp"
#include "ptx.hpp"

namespace {

enum class operation { arrival, expectation, completion };
constexpr unsigned bytes = 4;

TEST_PTX void expect_cluster(unsigned remote) {
  asm volatile("mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [%0], %1;" ::"r"(remote), "n"(bytes) : "memory");
}
TEST_PTX void complete_cluster(unsigned remote) {
  asm volatile("mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%0], %1;" ::"r"(remote), "n"(bytes)
               : "memory");
}

template <operation o>
TEST_PTX void operate_at_block_scope(unsigned remote) {
  if constexpr (o == operation::arrival)
    asm volatile("mbarrier.arrive.relaxed.cta.shared::cluster.b64 _, [%0];" ::"r"(remote) : "memory");
  else if constexpr (o == operation::expectation)
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cluster.b64 [%0], %1;" ::"r"(remote), "n"(bytes) : "memory");
  else
    asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cluster.b64 [%0], %1;" ::"r"(remote), "n"(bytes) : "memory");
}

template <operation o>
TEST_PTX void operate_at_cluster_scope(unsigned remote) {
  if constexpr (o == operation::arrival) ptx::mbarrier_arrive_cluster_relaxed(remote);
  else if constexpr (o == operation::expectation) expect_cluster(remote);
  else complete_cluster(remote);
}

template <operation o, bool right>
__global__ void meet() {
  __shared__ unsigned long long memory;
  unsigned const barrier = ptx::shared(&memory);
  if (ptx::cluster_ctarank() == 1) ptx::mbarrier_init(barrier, 2);
  ptx::cluster_sync();
  if (ptx::cluster_ctarank() == 0) {
    unsigned const remote = ptx::mapa(barrier, 1);
    if constexpr (o == operation::completion) expect_cluster(remote);
    if constexpr (right) operate_at_cluster_scope<o>(remote);
    else operate_at_block_scope<o>(remote); // first
    if constexpr (o == operation::expectation) complete_cluster(remote);
    if constexpr (o != operation::arrival) ptx::mbarrier_arrive_cluster_relaxed(remote);
  } else {
    ptx::mbarrier_arrive(barrier); // second
    while (!ptx::mbarrier_try_wait_parity_relaxed(barrier, 0));
  }
  ptx::cluster_sync();
}

template <operation o>
bool run(bool right) {
  check::launch({.blocks = 2, .cluster = 2}, right ? meet<o, true> : meet<o, false>);
  return true;
}

check::program const programs[] = {
    {"arrival_at_block_scope", "race", run<operation::arrival>},
    {"expectation_at_block_scope", "race", run<operation::expectation>},
    {"completion_at_block_scope", "race", run<operation::completion>},
};

} // namespace
