// SPDX-License-Identifier: Apache-2.0
//
// A block takes over the work of blocks that have not started, until there is none left. Wrong: it tries again after a
// failure.
#include "program.hpp"
#include "ptx.hpp"

namespace {

[[gnu::always_inline, gnu::nodebug]] inline __device__ void try_cancel([[maybe_unused]] unsigned result,
                                                                       [[maybe_unused]] unsigned barrier) {
#if __CUDA_ARCH__ >= 1000
  asm volatile(
      "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%0], [%1];" ::"r"(result),
      "r"(barrier)
      : "memory");
#else
  __builtin_trap();
#endif
}

/// Whether a block was cancelled, and which.
[[gnu::always_inline, gnu::nodebug]] inline __device__ bool taken([[maybe_unused]] unsigned result,
                                                                  [[maybe_unused]] unsigned& block) {
  unsigned is_taken = 0;
#if __CUDA_ARCH__ >= 1000
  asm volatile("{\n\t.reg .b128 r; .reg .pred p;\n\t"
               "ld.shared.b128 r, [%2];\n\t"
               "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p, r;\n\t"
               "selp.u32 %0, 1, 0, p;\n\t"
               "@p clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %1, r;\n\t}"
               : "=r"(is_taken), "+r"(block)
               : "r"(result)
               : "memory");
#endif
  return is_taken;
}

template <bool right>
__global__ void steal(int* done) {
  __shared__ unsigned long long barrier;
  __shared__ alignas(16) unsigned long long result[2];
  unsigned const where = ptx::shared(&barrier);
  ptx::mbarrier_init(where, 1);
  ptx::fence_proxy_async();
  unsigned block = blockIdx.x;
  int after_the_last = 0;
  for (unsigned phase = 0;; phase ^= 1) {
    ptx::mbarrier_arrive_expect_tx(where, 16);
    try_cancel(ptx::shared(result), where); // first second
    if (after_the_last == 0) done[block] = 1;
    while (!ptx::mbarrier_try_wait_parity(where, phase));
    if (!taken(ptx::shared(result), block) && (right || ++after_the_last == 2)) break;
    ptx::fence_proxy_async();
  }
}

bool run(bool right) {
  constexpr unsigned blocks = 300;
  check::device_memory<int> done(blocks);
  check::launch({.blocks = blocks}, right ? steal<true> : steal<false>, done.data());
  return done.all_are(1);
}

check::program const program("try_cancel_after_failure", "misuse", run, 0, 100);

} // namespace
