// SPDX-License-Identifier: Apache-2.0
//
// [thread.latch], [thread.barrier] Misuse that only a run can detect stops the program (checked builds). Misuse known
// at compile time: arriving.fail.cpp.
#include "support/death.hpp"
import cudax.sync;

using namespace cudax;
using cudax_test::hidden;

DEATHS_BEGIN

struct completion {
  void operator()() noexcept {}
};
using with_completion = barrier<thread_scope_block, completion>;

SURVIVAL("correct use of latches and barriers") {
  latch<> l(hidden(2));
  l.count_down(hidden(0));
  l.arrive_and_wait(hidden(2));
  barrier<thread_scope_device> b(hidden(2));
  b.wait(b.arrive(hidden(2)));
  b.arrive_and_drop();
  auto token = b.arrive();
  b.wait(static_cast<decltype(token)&&>(token));
  b.arrive_and_drop();
  init(&b, hidden(0));
}

DEATH("a named barrier with a count that is no multiple of 32",
      "cudax.sync: named_barrier: 48 threads; use a multiple of 32 from 32 to 1024") {
  named_barrier<1> b(hidden(48));
}
DEATH("a named barrier at an id beyond its range",
      "cudax.sync: named_barrier_ids::at: index 2 is outside the range; reserve a larger range") {
  named_barrier_ids<1, 2>::at(hidden(2), 64).sync();
}
DEATH("a named barrier at an id of its range with a count of 0",
      "cudax.sync: named_barrier_ids::at: 0 threads; use a multiple of 32 from 32 to 1024") {
  named_barrier_ids<1, 2>::at(1, hidden(0)).sync();
}
DEATH("turns of a group that does not exist",
      "cudax.sync: ordered_turns: there is no group 2; the groups are 0 to Groups - 1") {
  ordered_turns<named_barrier_ids<1, 2>> turns(hidden(2));
}
DEATH("a turn at a stage that does not exist",
      "cudax.sync: ordered_turns: there is no stage 1; the stages are 0 to Stages - 1") {
  ordered_turns<named_barrier_ids<1, 2>> turns(1);
  turns.wait(hidden(1));
}
DEATH("a latch with a negative count",
      "cudax.sync: latch: the count -1 is negative; use 0 or more [thread.latch.class]") {
  latch<> l(hidden(-1));
}
DEATH("init of a latch with a negative count",
      "cudax.sync: latch: the count -5 is negative; use 0 or more [thread.latch.class]") {
  latch<> l(0);
  init(&l, hidden(-5));
}
DEATH("counting down by a negative number",
      "cudax.sync: latch::count_down: update -2 is negative; use 0 or more [thread.latch.class]") {
  latch<> l(1);
  l.count_down(hidden(-2));
}
#define BELOW(count)                                                                                                   \
  "cudax.sync: latch::count_down: the count falls to " #count                                                          \
  "; the updates must not exceed the initial count [thread.latch.class]"
DEATH("counting below zero", BELOW(-1)) {
  latch<> l(4);
  l.count_down(hidden(5));
}
DEATH("arriving at an open latch", BELOW(-1)) {
  latch<thread_scope_block> l(0);
  l.arrive_and_wait();
}
DEATH("a group at an open latch", BELOW(-1)) {
  latch<thread_scope_device> l(0);
  l.count_down(this_thread);
}

#define COUNT(count) "cudax.sync: barrier: the count " #count " is negative or above max() [thread.barrier.class]"
DEATH("a barrier with a negative count", COUNT(-1)) { barrier<> b(hidden(-1)); }
DEATH("a block barrier with a count above max()", COUNT(1048576)) { barrier<thread_scope_block> b(hidden(1 << 20)); }
// The limit of a barrier in shared memory, where mbarrier.init accepts no larger count.
DEVICE_DEATH("a barrier in shared memory with a count above max()", COUNT(1048576)) {
#if defined(__CUDA_ARCH__)
  __shared__ barrier<thread_scope_block> b;
  init(&b, hidden(1 << 20));
#endif
}
DEATH("a device barrier with a count above max()", COUNT(1048576)) { barrier<thread_scope_device> b(hidden(1 << 20)); }
DEATH("init of a barrier", COUNT(-3)) {
  with_completion b(1);
  init(&b, hidden(-3));
}
#define UPDATE(update)                                                                                                 \
  "cudax.sync: barrier::arrive: update " #update " is not positive, or above max() [thread.barrier.class]"
DEATH("arriving with update 0", UPDATE(0)) { (void)barrier<>(1).arrive(hidden(0)); }
DEATH("arriving with a negative update", UPDATE(-1)) { (void)with_completion(1).arrive(hidden(-1)); }
#define MORE(excess)                                                                                                   \
  "cudax.sync: barrier::arrive: " #excess                                                                              \
  " arrivals more than the phase awaits; arrive no more often than the barrier was made for, less the threads that "   \
  "dropped out [thread.barrier.class]"
DEATH("arriving more often than the phase expects", MORE(2)) {
  barrier<> b(3);
  (void)b.arrive();
  (void)b.arrive(hidden(4));
}
// The same misuse in shared memory is not tested: there the emulator itself ends the kernel, with its own message.
DEATH("arriving after all threads have dropped out", MORE(1)) {
  barrier<thread_scope_device> b(1);
  b.arrive_and_drop();
  b.arrive_and_wait();
}
DEATH("dropping out after all threads have dropped out",
      "cudax.sync: barrier::arrive_and_drop: 0 threads are left that can drop out; drop out at most as often as the "
      "barrier was made for [thread.barrier.class]") {
  with_completion b(1);
  b.arrive_and_drop();
  b.arrive_and_drop();
}
#define OLD(age)                                                                                                       \
  "cudax.sync: barrier::wait: the token is " #age                                                                      \
  " phases old; wait for each phase before the next one ends [thread.barrier.class]"
DEATH("waiting with a token of the phase before the previous one", OLD(2)) {
  barrier<> b(1);
  auto token = b.arrive();
  (void)b.arrive();
  b.wait(static_cast<decltype(token)&&>(token));
}
DEATH("polling with an old token", OLD(3)) {
  with_completion b(1);
  auto token = b.arrive();
  for (int i = 0; i < 2; ++i) (void)b.arrive();
  (void)b.try_wait(token);
}
DEATH("a token whose age does not fit in 16 bits", OLD(65536)) {
  barrier<thread_scope_device> b(1);
  auto token = b.arrive();
  for (int i = 1; i < 65'536; ++i) (void)b.arrive();
  (void)b.try_wait(token);
}
DEATH("a timed wait with an old token", OLD(2)) {
  barrier<thread_scope_device> b(1);
  auto token = b.arrive();
  (void)b.arrive();
  (void)b.try_wait_for(token, nanoseconds(1));
}

DEATHS_END
