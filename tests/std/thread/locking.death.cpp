// SPDX-License-Identifier: Apache-2.0
//
// [thread.sema], [thread.mutex] Misuse that only a run can detect stops the program (checked builds). Misuse known at
// compile time: locking.fail.cpp.
#include "support/death.hpp"
import cudax.sync;

using namespace cudax;
using cudax_test::hidden;

DEATHS_BEGIN

SURVIVAL("correct use of semaphores and mutexes") {
  counting_semaphore<> c(hidden(2));
  c.acquire();
  c.release(hidden(0));
  c.release(int(c.max() - 1));
  binary_semaphore<thread_scope_block> b(hidden(0));
  b.release();
  b.acquire();
  b.release(hidden(1));
  fair_semaphore<> f(hidden(1));
  f.acquire();
  f.release(int(f.max()));
  mutex<> m{};
  ticket_mutex<> t{};
  for (int i = 0; i < 2; ++i) {
    {
      scoped_lock const guard(m, t);
    }
    m.lock();
    lock_guard const guard(m, adopt_lock);
  }
  init(&m);
  shared_mutex<> r{};
  {
    shared_lock first(r);
    shared_lock const second(r);
    first.unlock();
    unique_lock alone(r, defer_lock);
    (void)alone.try_lock();
    unique_lock<shared_mutex<>> none;
    swap(alone, none);
  }
  r.lock();
  r.unlock();
  cohort_mutex<mutex<>> cohort(m, unsigned(hidden(0x7fff'ffff)));
  for (int i = 0; i < 2; ++i) {
    cohort.lock();
    cohort.unlock();
    scoped_lock const guard(cohort, t);
  }
}

#define COUNT(count) "cudax.sync: counting_semaphore: the count " #count " is negative or above max() [thread.sema.cnt]"
DEATH("a semaphore with a negative count", COUNT(-1)) { counting_semaphore<> c(hidden(-1)); }
DEATH("a binary semaphore with count 2", COUNT(2)) { binary_semaphore<> c(hidden(2)); }
DEATH("init of a semaphore with a negative count", COUNT(-5)) {
  counting_semaphore<thread_scope_block> c(0);
  init(&c, hidden(-5));
}
#define UPDATE(update)                                                                                                 \
  "cudax.sync: counting_semaphore::release: update " #update " is negative or above max() [thread.sema.cnt]"
DEATH("releasing a negative number", UPDATE(-2)) { counting_semaphore<>(1).release(hidden(-2)); }
DEATH("releasing 2 where max() is 1", UPDATE(2)) { binary_semaphore<>(0).release(hidden(2)); }
#define MORE(excess)                                                                                                   \
  "cudax.sync: counting_semaphore::release: the count exceeds max() by " #excess                                       \
  "; release only what was acquired [thread.sema.cnt]"
DEATH("releasing a binary semaphore twice", MORE(1)) {
  binary_semaphore<> b(0);
  b.release();
  b.release();
}
DEATH("releasing above max()", MORE(3)) {
  counting_semaphore<> c(hidden(0x7fff'ffff));
  c.acquire();
  c.release(hidden(4));
}
DEATH("releasing a large semaphore above max()", MORE(1)) {
  counting_semaphore<thread_scope_device, 0x1'0000'0000> c(hidden(1));
  c.release(c.max());
}

#define FAIR(count) "cudax.sync: fair_semaphore: the count " #count " is negative or above max() [thread.sema.cnt]"
DEATH("a fair semaphore with a negative count", FAIR(-1)) { fair_semaphore<> f(hidden(-1)); }
DEATH("init of a fair semaphore with a negative count", FAIR(-3)) {
  fair_semaphore<thread_scope_block> f(0);
  init(&f, hidden(-3));
}
DEATH("releasing a negative number to a fair semaphore",
      "cudax.sync: fair_semaphore::release: update -1 is negative or above max() [thread.sema.cnt]") {
  fair_semaphore<>(1).release(hidden(-1));
}
DEATH("releasing a fair semaphore above max()",
      "cudax.sync: fair_semaphore::release: the count exceeds max() by 2; release only what was acquired "
      "[thread.sema.cnt]") {
  fair_semaphore<> f(hidden(0x7fff'ffff));
  f.acquire();
  f.release(hidden(3));
}

DEATH("unlocking a mutex that is not locked", "cudax.sync: mutex::unlock: the mutex is not locked (0); only the thread "
                                              "that locked it may unlock it, once [thread.mutex]") {
  mutex<> m{};
  m.lock();
  m.unlock();
  m.unlock();
}
DEATH("locking a mutex that has no state",
      "cudax.sync: mutex: the state 0xffff is not that of a mutex; call init before "
      "any other use [thread.mutex]") {
  unsigned state = unsigned(hidden(0xffff));
  reinterpret_cast<mutex<thread_scope_block>&>(state).lock();
}
DEATH("call_once with a flag that has no state",
      "cudax.sync: call_once: the state 0x3 is not that of a once_flag; call init before any other use [thread.once]") {
  unsigned state = unsigned(hidden(3));
  call_once(reinterpret_cast<basic_once_flag<thread_scope_block>&>(state), [] {});
}
DEATH("unlocking a ticket mutex that is not locked",
      "cudax.sync: ticket_mutex::unlock: the mutex is not locked (0); only the thread that locked it may unlock it, "
      "once [thread.mutex]") {
  ticket_mutex<thread_scope_block> m{};
  { lock_guard const guard(m); }
  m.unlock();
}
DEATH("unlocking a shared mutex that only a reader holds",
      "cudax.sync: shared_mutex::unlock: no writer has locked the mutex (0); only the thread that locked it may unlock "
      "it, once [thread.sharedmutex]") {
  shared_mutex<> m{};
  m.lock_shared();
  m.unlock();
}
DEATH("unlocking a shared mutex that only a writer holds, as a reader",
      "cudax.sync: shared_mutex::unlock_shared: no reader has locked the mutex (0); each reader unlocks it once "
      "[thread.sharedmutex]") {
  shared_mutex<thread_scope_device> m{};
  m.lock();
  m.unlock_shared();
}
DEATH("locking by a lock that has no mutex", "cudax.sync: lock: this lock has no mutex (0) [thread.lock]") {
  unique_lock<mutex<>> lock;
  lock.lock();
}
DEATH("unlocking by a lock that does not hold its mutex",
      "cudax.sync: unlock: this lock does not hold a mutex (0) [thread.lock]") {
  shared_mutex<> m{};
  shared_lock lock(m);
  lock.unlock();
  lock.unlock();
}
DEATH("unlocking a mutex that a guard holds",
      "cudax.sync: mutex::unlock: the mutex is not locked (0); only the thread that locked "
      "it may unlock it, once [thread.mutex]") {
  mutex<thread_scope_device> a{}, b{};
  scoped_lock const guard(a, b);
  b.unlock();
}

DEATH("unlocking a cohort mutex that is not locked",
      "cudax.sync: cohort_mutex::unlock: the mutex is not locked (0); only the thread that locked it may unlock it, "
      "once [thread.mutex]") {
  ticket_mutex<> m{};
  cohort_mutex<ticket_mutex<>> cohort(m);
  { lock_guard const guard(cohort); }
  m.lock();
  cohort.unlock();
}
DEATH("unlocking the mutex of a cohort, and then the cohort",
      "cudax.sync: mutex::unlock: the mutex is not locked (0); only the thread that locked it may unlock it, once "
      "[thread.mutex]") {
  mutex<> m{};
  cohort_mutex<mutex<>> cohort(m);
  cohort.lock();
  m.unlock();
  cohort.unlock();
}
#define LIMIT(limit) "cudax.sync: cohort_mutex: the limit " #limit " is above max_limit"
DEATH("a cohort mutex with a limit that is too large", LIMIT(2147483648)) {
  mutex<> m{};
  cohort_mutex<mutex<>> cohort(m, unsigned(hidden(-0x7fff'ffff - 1)));
}
DEATH("init of a cohort mutex with a limit that is too large", LIMIT(4294967295)) {
  mutex<> m{};
  cohort_mutex<mutex<>> cohort(m);
  init(&cohort, m, unsigned(hidden(-1)));
}

DEATHS_END
