// SPDX-License-Identifier: Apache-2.0
//
// [thread.latch], [thread.barrier] Misuse that only a run can know stops the program (checked builds). What is known while
// compiling: arriving.fail.cpp.
#include "support/death.hpp"
import cudax.sync;

using namespace cudax;
using cudax_test::hidden;

DEATHS_BEGIN

struct completion {
  void operator()() noexcept {}
};
using with_completion = barrier<thread_scope_block, completion>;

SURVIVAL("latches and barriers as they are meant") {
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

DEATH("a latch of less than nothing",
      "cudax.sync: latch: the count -1 is negative; use 0 or more [thread.latch.class]") {
  latch<> l(hidden(-1));
}
DEATH("init of a latch", "cudax.sync: latch: the count -5 is negative; use 0 or more [thread.latch.class]") {
  latch<> l(0);
  init(&l, hidden(-5));
}
DEATH("counting up", "cudax.sync: latch::count_down: update -2 is negative; use 0 or more [thread.latch.class]") {
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
DEATH("a barrier of less than nothing", COUNT(-1)) { barrier<> b(hidden(-1)); }
DEATH("a barrier of a block for more than its limit", COUNT(1048576)) {
  barrier<thread_scope_block> b(hidden(1 << 20));
}
// The count is that of a barrier in shared memory, where mbarrier.init takes no more.
DEVICE_DEATH("a barrier in shared memory for more than its limit", COUNT(1048576)) {
#if defined(__CUDA_ARCH__)
  __shared__ barrier<thread_scope_block> b;
  init(&b, hidden(1 << 20));
#endif
}
DEATH("a barrier of a device for more than its limit", COUNT(1048576)) {
  barrier<thread_scope_device> b(hidden(1 << 20));
}
DEATH("init of a barrier", COUNT(-3)) {
  with_completion b(1);
  init(&b, hidden(-3));
}
#define UPDATE(update)                                                                                                 \
  "cudax.sync: barrier::arrive: update " #update " is not positive, or above max() [thread.barrier.class]"
DEATH("arriving no times", UPDATE(0)) { (void)barrier<>(1).arrive(hidden(0)); }
DEATH("arriving less than no times", UPDATE(-1)) { (void)with_completion(1).arrive(hidden(-1)); }
#define MORE(excess)                                                                                                   \
  "cudax.sync: barrier::arrive: " #excess                                                                              \
  " arrivals more than the phase awaits; arrive no more often than the barrier was made for, less the threads that "   \
  "dropped out [thread.barrier.class]"
DEATH("arriving more often than is awaited", MORE(2)) {
  barrier<> b(3);
  (void)b.arrive();
  (void)b.arrive(hidden(4));
}
// In shared memory, too; but the emulator ends a kernel for that by itself, with a sentence of its own.
DEATH("arriving where all have dropped out", MORE(1)) {
  barrier<thread_scope_device> b(1);
  b.arrive_and_drop();
  b.arrive_and_wait();
}
DEATH("dropping out where all have",
      "cudax.sync: barrier::arrive_and_drop: 0 threads are left that can drop out; drop out at most as often as the "
      "barrier was made for [thread.barrier.class]") {
  with_completion b(1);
  b.arrive_and_drop();
  b.arrive_and_drop();
}
#define OLD(age)                                                                                                       \
  "cudax.sync: barrier::wait: the token is " #age                                                                      \
  " phases old; wait for each phase before the next one ends [thread.barrier.class]"
DEATH("waiting for the phase before the last", OLD(2)) {
  barrier<> b(1);
  auto token = b.arrive();
  (void)b.arrive();
  b.wait(static_cast<decltype(token)&&>(token));
}
DEATH("trying an old token", OLD(3)) {
  with_completion b(1);
  auto token = b.arrive();
  for (int i = 0; i < 2; ++i) (void)b.arrive();
  (void)b.try_wait(token);
}
DEATH("a token of so many phases ago that 16 bits do not hold it", OLD(65536)) {
  barrier<thread_scope_device> b(1);
  auto token = b.arrive();
  for (int i = 1; i < 65'536; ++i) (void)b.arrive();
  (void)b.try_wait(token);
}
DEATH("an old token, for a time", OLD(2)) {
  barrier<thread_scope_device> b(1);
  auto token = b.arrive();
  (void)b.arrive();
  (void)b.try_wait_for(token, nanoseconds(1));
}

DEATHS_END
