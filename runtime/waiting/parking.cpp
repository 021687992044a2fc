// SPDX-License-Identifier: Apache-2.0
//
// parking: host threads that wait for a change, and the threads that wake them.
//
// A waiter spins for a short while, then parks in the bucket of its address: it enters the bucket's count of waiters,
// reads the bucket's version, checks for the change once more, and sleeps on the version in the kernel (futex). A
// notifier that finds the count at zero returns. Otherwise it increments the version and wakes the threads that it
// concerns. A waiter whose object has not changed sleeps again.
//
// No wake-up is lost. The waiter enters the count by a sequentially consistent operation, then reads the object, with a
// sequentially consistent fence between the two. A notifier that has written the object by a sequentially consistent
// operation reads the count by another one. So at least one side sees the other's write: if the waiter does not see the
// notifier's write, its fence precedes that write in the single total order, hence its entry precedes the notifier's
// read of the count. A read-modify-write that releases an object costs a notifier no more if it is sequentially
// consistent (on x86-64 it is the same instruction), so the primitives write in this way.
//   A weaker write, as in a.store(1, release); a.notify_one(), may still be in the processor's store buffer while the
// notifier reads the count. Then neither side may see the other. The notifier has no fence against that: it would cost
// every notification 5 ns, also after the writes that do not need it. Instead the first sleep of each waiter for a
// change is short (poll_interval_min). After this sleep the waiter reads the object again, and by then sees the write.
// For a write needs no fence to become visible, only time ([intro.progress]: a reasonable amount), which is the time in
// which a store buffer drains, less than a microsecond; and a write that becomes visible later than the waiter's entry
// is followed by a read of the count that sees the entry. So the price of no fence is a wake-up that comes 20 us late,
// if the two sides meet within some tens of nanoseconds. (A waiter could force the order by membarrier(2) instead. That
// interrupts every processor that runs a thread of the process, at each park; and where a sandbox forbids the call, the
// short sleep would have to serve all the same.)
//   If the notifier sees the waiter, the version that the waiter read is either the one before the increment, and the
// futex does not sleep on an outdated version; or the one after it, and then the waiter acquired the increment before
// it read the object and sees the change.
//
// How many a notifier wakes. unpark_some wakes only as many threads as the change is for. It must not spend a wake-up
// on a waiter of another object, and the kernel's queue of a bucket may hold such waiters (buckets.hpp). So the count
// of waiters is one word with the address of the waiters, and with a mark that is set if a waiter of another address
// enters. If the mark is set, or the address differs, unpark_some wakes the whole class.
//   Suppose that a waiter of another address enters after the notifier has read the word. The notifier reads the word
// after it has incremented the version, the waiter enters the word before it reads the version, and all four are
// sequentially consistent: so the waiter has read the new version. All threads that the change concerns and that have
// read the old version are in the kernel's queue before that waiter, or will not sleep. The kernel wakes in the order
// of the queue.
//
// A device cannot wake a host thread. If a device may make the change (`polls`), the sleep is bounded: it begins at
// poll_interval_min and doubles up to poll_interval_max. So a change at time t is seen at about 2 t + 10 us at the
// latest, and at most poll_interval_max after it happened (plus the operating system's scheduling delay). After about
// 0.6 ms one thread polls for all (polling.hpp), and the others sleep until they are woken.
//
// Every later sleep is bounded by sleep_max: a process may contain this archive twice (for example in a plugin that was
// loaded with RTLD_LOCAL), and a notifier finds only the waiters in the buckets of its own copy. Programs and plugins
// that use the shared library (process_library.cpp) have the buckets of that library in common.
//
// fork(): the threads that were parked do not exist in the child, which begins with empty buckets.
#include "../base/kept_errno.hpp"
#include "../interface/boundary.hpp"
#include "buckets.hpp"
#include "hang.hpp"
#include "polling.hpp"

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdint>

#include <pthread.h>
#include <sched.h>

namespace cudax::runtime {
namespace {

constexpr int pauses = 12, yields = 24; // about 10 us: longer than a PCIe round trip to a device
// A thread that waits for its turn polls for a microsecond before it yields. A turn under contention takes a fraction
// of that. If the thread yielded too early, it would see its turn late, and so would each thread after it: the turns
// would stay slow.
constexpr int pauses_for_turn = 40;
// A yield takes a microsecond if the other threads of the processor yield, too. If they do not, it takes all their time
// slices, milliseconds each: then the waiter parks, so that it is woken, and keeps its deadline.
constexpr long long yields_max = 500'000;       // nanoseconds
constexpr long long poll_interval_min = 20'000; // nanoseconds

std::atomic<unsigned> forks{0}; // how many forks lie between this process and the first one

void forget_parked_threads() noexcept {
  for (bucket& each : buckets) each.waiters().store(0, std::memory_order_relaxed);
  polling::forget_all();
  forks.fetch_add(1, std::memory_order_relaxed);
}
[[maybe_unused]] int const on_fork = pthread_atfork(nullptr, nullptr, forget_parked_threads);

void pause() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb");
#endif
}

/// If there are more threads than processors, the change may need the processor of this thread. So the thread yields.
bool spin(parked_wait const& wait) noexcept {
  bool const is_turn = wait.what == awaited::turn;
  for (int i = is_turn ? pauses_for_turn : pauses; i != 0; --i) {
    if (wait.changed(wait.context)) return true;
    pause();
  }
  long long const end = std::min(wait.deadline, steady_now() + yields_max);
  for (int i = yields; i != 0; --i) {
    if (wait.changed(wait.context)) return true;
    sched_yield();
    if (!is_turn && steady_now() >= end) break; // a turn has no deadline, and goes round among threads that yield
  }
  return false;
}

void wake_all(sleeping_place where) noexcept {
  if (!buckets[where.bucket].empty()) wake_sleepers(where, INT_MAX);
}

} // namespace

constinit unsigned long const* const parked_counts = &buckets[0].word;

bool park(parked_wait const& wait) noexcept {
  kept_errno const keeps;
  if (wait.spins && spin(wait)) return true;

  place const where = wait.what == awaited::turn ? place_of_turn(wait.address, wait.turn) : place_of(wait.address);
  bucket& home = where.home();
  unsigned const process = forks.load(std::memory_order_relaxed);
  unsigned long word = home.waiters().load(std::memory_order_relaxed);
  while (!home.waiters().compare_exchange_weak(word, waiters::after_entry(word, where.tag), std::memory_order_seq_cst,
                                               std::memory_order_relaxed)) {}

  polling::member member;
  // A change may have been made by a write of any order: the first sleep is short. A turn is not (boundary.hpp).
  long long interval = wait.polls || wait.what == awaited::change ? poll_interval_min : sleep_max;
  hang::watch watch(wait);
  bool answer;
  for (;;) {
    std::uint32_t const seen = home.version.load(std::memory_order_seq_cst); // acquire: pairs with wake_sleepers
    std::atomic_thread_fence(std::memory_order_seq_cst);                     // file header: no lost wake-up
    answer = wait.changed(wait.context);
    if (answer) break;
    long long const now = steady_now();
    if (now >= wait.deadline) break;
    watch.check(now);
    std::uint32_t classes = where.at.classes;
    if (member.joined()) {
      classes |= follower_class;
      interval = member.interval(now);
    }
    futex_wait(home.version, seen, std::min(wait.deadline, now + interval), classes);
    if (!wait.polls) {
      interval = sleep_max;
      continue;
    }
    if (member.leads()) polling::poll_for_all();
    else if (interval < poll_interval_max) interval = std::min(2 * interval, poll_interval_max);
    else if (!member.joined()) member.join(wait, where.at);
  }
  if (process == forks.load(std::memory_order_relaxed)) { // else this is a child whose parent was parked
    member.leave();
    home.waiters().fetch_sub(1, std::memory_order_relaxed);
  }
  return answer;
}

void unpark(void const volatile* address) noexcept { wake_all(place_of(address).at); }

void unpark_some(void const volatile* address, long long count) noexcept {
  place const where = place_of(address);
  bucket& home = where.home();
  if (count <= 0 || home.empty()) return; // the kernel would wake one thread for a count of 0
  home.version.fetch_add(1, std::memory_order_seq_cst);
  bool const exact = waiters::all_have(home.waiters().load(std::memory_order_seq_cst), where.tag);
  futex_wake(home.version, exact ? int(std::min<long long>(count, INT_MAX)) : INT_MAX, where.at.classes);
}

void unpark_turns(void const volatile* address, unsigned first, unsigned count) noexcept {
  bool const every = count >= turn_buckets * class_count; // the turns have all places
  for (unsigned i = 0; i < (every ? turn_buckets : count); ++i) {
    sleeping_place at = place_of_turn(address, first + i).at;
    if (every) at.classes = every_class;
    wake_all(at);
  }
  unpark(address);
}

} // namespace cudax::runtime
