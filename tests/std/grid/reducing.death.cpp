// SPDX-License-Identifier: Apache-2.0
//
// Misuse of reductions that only a run can detect stops the program in checked builds. Misuse known at compile time:
// reducing.fail.cpp.
#include "support/death.hpp"
import cudax.sync;

using namespace cudax;
using cudax_test::hidden;

DEATHS_BEGIN

struct adding {
  int operator()(int a, int b) const { return a + b; }
};
struct no_sink {
  void operator()(int) const {}
};
using state_of_three = reduce_state<int, thread_scope_system, 3>;

SURVIVAL("correct use of reductions") {
  state_of_three state{};
  for (unsigned rank = 0; rank < 3; ++rank)
    reduce(state, reduce_part{unsigned(hidden(int(rank))), unsigned(hidden(3))}, 1, adding(), no_sink());
  (void)reduce(state, reduce_part{unsigned(hidden(0)), unsigned(hidden(1))}, 1, adding());
}
DEATH("more parts than places",
      "cudax.sync: reduce: 4 parts do not fit in the reduce_state; use its parameter Places") {
  state_of_three state{};
  reduce(state, reduce_part{0, unsigned(hidden(4))}, 1, adding(), no_sink());
}
DEATH("a reduction of 0 parts",
      "cudax.sync: reduce: 0 parts do not fit in the reduce_state; use its parameter Places") {
  state_of_three state{};
  reduce(state, reduce_part{0, unsigned(hidden(0))}, 1, adding(), no_sink());
}
DEATH("a rank that is not below the count",
      "cudax.sync: reduce: there is no part number 2; use ranks below the count") {
  state_of_three state{};
  reduce(state, reduce_part{unsigned(hidden(2)), 2}, 1, adding(), no_sink());
}
DEATH("more arrivals than parts",
      "cudax.sync: reduce: 2 parts had already arrived, and no more were expected; make the state ready after a kernel "
      "that did not end, use it in one reduction at a time, and call reduce with every thread of the grid") {
  state_of_three state{};
  for (unsigned i = 0; i < 2; ++i) reduce(state, reduce_part{0, 3}, 1, adding(), no_sink());
  reduce(state, reduce_part{0, unsigned(hidden(2))}, 1, adding(), no_sink());
}

DEATHS_END
