// SPDX-License-Identifier: Apache-2.0
//
// The threads of a block call for_each_canceled_block, which requests cancellations until one fails. Wrong: they call
// it again.
#include "program.hpp"
import cudax.sync;

namespace {

template <bool right>
__global__ void process(int* done) {
  auto const mark = [=](cudax::block_index block) { done[block.x] = 1; };
  cudax::device::for_each_canceled_block<1>(mark);
  if constexpr (!right) cudax::device::for_each_canceled_block<1>(mark); // first
}

bool run(bool right) {
  constexpr unsigned blocks = 300;
  check::device_memory<int> done(blocks);
  check::launch({.blocks = blocks}, right ? process<true> : process<false>, done.data());
  return done.all_are(1);
}

check::program const program("canceled_block_again", "misuse", run, 0, 100);

} // namespace
