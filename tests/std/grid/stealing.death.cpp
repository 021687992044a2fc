// SPDX-License-Identifier: Apache-2.0
//
// Misuse of a work_queue that only a run can detect stops the program in checked builds. Misuse known at compile time:
// stealing.fail.cpp.
#include "support/death.hpp"
import cudax.sync;

using namespace cudax;
using cudax_test::hidden;

DEATHS_BEGIN

struct no_work {
  void operator()(block_index) const {}
};

#define DIMENSIONS(rank)                                                                                               \
  "cudax.sync: work_queue<" #rank ">: the extents are of more dimensions; use their number as Rank"

SURVIVAL("correct use of queues") {
  unsigned long long taken = 0;
  for_each(work_queue<1>(&taken, hidden(3), hidden(1), hidden(1)), no_work());
  for_each(work_queue<2>(&taken, hidden(3), hidden(2), hidden(1)), no_work());
  for_each(work_queue<3>(&taken, hidden(3), hidden(2), hidden(4)), no_work());
  for_each(work_queue<3>(&taken, hidden(0), hidden(2), hidden(4)), no_work());
  device::for_each_canceled_block(no_work());
}
DEATH("a second dimension in a queue of rank 1", DIMENSIONS(1)) { work_queue<1>(nullptr, 3, hidden(2)); }
DEATH("a third dimension in a queue of rank 1", DIMENSIONS(1)) { work_queue<1>(nullptr, 3, hidden(1), hidden(2)); }
DEATH("a third dimension in a queue of rank 2", DIMENSIONS(2)) { work_queue<2>(nullptr, 3, hidden(2), hidden(2)); }
DEATH("no extent in the second dimension of a queue of rank 1", DIMENSIONS(1)) { work_queue<1>(nullptr, 3, hidden(0)); }

DEVICE_DEATH("a counter that does not begin at 0",
             "cudax.sync: for_each: the counter of the work_queue was at 7, a value that "
             "this launch cannot reach; set it to 0 after a kernel that did not end, and use "
             "the queue once in a kernel and in one kernel at a time") {
  unsigned long long taken = 7;
  for_each(work_queue(&taken, 3), no_work());
}

DEATHS_END
