// SPDX-License-Identifier: Apache-2.0
//
// lock_guard: guards that hold one mutex, or several, for the length of a scope; lock and try_lock of several mutexes.
// [thread.lock.guard], [thread.lock.scoped], [thread.lock.algorithm]
//
// lock does the work of scoped_lock, and what follows holds for both. scoped_lock tries several mutexes in the order of
// their addresses. If one of them is held, it unlocks all that it has taken, waits until that one is free, and starts
// again. So no thread waits in the constructor while it holds a mutex that this constructor has taken: scoped_locks do
// not deadlock with each other, in whatever order they name the mutexes. A thread that holds one lock and then takes
// another one, by a scoped_lock or otherwise, can still deadlock.
//   The order of addresses is for progress. Consider the threads that lock several mutexes at the same time, and among
//   them the thread that holds the mutex with the highest address. The mutexes that this thread still needs have higher
//   addresses, so none of the other threads holds them, and this thread succeeds. With the order of the arguments
//   instead, two lanes of a warp that name two mutexes in opposite order could take one mutex each, fail and unlock, in
//   lockstep indefinitely.
//   scoped_lock must not queue for a ticket_mutex. Suppose that it did, and that some threads queued for mutex A and
//   others for mutex B, while each needs both. try_lock of a ticket_mutex fails while threads queue for the mutex. So
//   the threads in each queue would keep the threads in the other queue from taking both mutexes. Because scoped_lock
//   does not queue, threads that lock a single ticket_mutex go first.
// A mutex is selected by comparing numbers and not by a table of functions, which a device could not inline.
module;
#include "../base/macros.hpp"
export module cudax.sync:lock_guard;
import :attempt;
import :bits;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::thread_detail {

/// A mutex or a lock. cudax.sync.host has a function lock() with other parameters.
template <class Mutex>
concept lockable = requires(Mutex& mutex) {
  mutex.lock();
  mutex.try_lock();
  mutex.unlock();
};

/// What lock_all needs of a mutex, or of a lock that has one, such as unique_lock.
struct mutex_access {
  /// Blocks until the mutex is free. The mutexes of this library have await_free() for this, which does not take the
  /// lock.
  template <class Mutex>
  static void await(Mutex& mutex) {
    if constexpr (requires { mutex.await_free(); }) {
      mutex.await_free();
    } else if constexpr (requires { mutex.mutex()->await_free(); }) {
      mutex.mutex()->await_free();
    } else {
      mutex.lock();
      mutex.unlock();
    }
  }
  /// Returns the address of the mutex. Those of the locks would be in another order in each thread.
  template <class Mutex>
  static u64 address(Mutex& mutex) noexcept {
    if constexpr (requires { *mutex.mutex(); }) return address(*mutex.mutex());
    else return u64((void const volatile*)__builtin_addressof(mutex));
  }
};

/// Wait for, try_lock() or unlock() the mutex with index `number` among the arguments.
template <class... Mutex>
void await_one(int number, Mutex&... mutex) {
  int i = 0;
  ((i++ == number ? mutex_access::await(mutex) : void()), ...);
}
template <class... Mutex>
bool try_one(int number, Mutex&... mutex) {
  int i = 0;
  bool taken = false;
  ((i++ == number ? void(taken = mutex.try_lock()) : void()), ...);
  return taken;
}
template <class... Mutex>
void unlock_one(int number, Mutex&... mutex) {
  int i = 0;
  ((i++ == number ? mutex.unlock() : void()), ...);
}

/// The indices of the mutexes in the order of their addresses.
template <int Count>
struct address_order {
  int at[Count];

  template <class... Mutex>
  explicit address_order(Mutex&... mutex) noexcept {
    u64 const addresses[] = {mutex_access::address(mutex)...};
    for (int i = 0; i < Count; ++i) {
      int rank = 0;
      for (int other = 0; other < Count; ++other)
        rank += addresses[other] < addresses[i] || (addresses[other] == addresses[i] && other < i);
      at[rank] = i;
    }
  }
};

/// Unlocks the first `held` mutexes of an order at the end of its lifetime, also if a mutex of another host library
/// throws. If `held` is set to 0, the mutexes stay locked.
template <class Unlock>
struct held_mutexes {
  Unlock unlock;
  int held = 0;

  ~held_mutexes() {
    while (held > 0) unlock(--held);
  }
};

template <class... Mutex>
void lock_all(Mutex&... mutex) {
  constexpr int count = sizeof...(Mutex);
  address_order<count> const order(mutex...);
  for (;;) {
    int failed = 0;
    {
      auto const unlock = [&](int rank) { unlock_one(order.at[rank], mutex...); };
      held_mutexes<decltype(unlock)> taken{unlock};
      while (taken.held < count && try_one(order.at[taken.held], mutex...)) ++taken.held;
      failed = taken.held;
      if (failed == count) {
        taken.held = 0;
        return;
      }
    }
    await_one(order.at[failed], mutex...);
  }
}

/// Returns -1 if it has taken every mutex, or else the index of the mutex that it could not take.
template <class... Mutex>
int try_lock_all(Mutex&... mutex) {
  constexpr int count = sizeof...(Mutex);
  auto const unlock = [&](int number) { unlock_one(number, mutex...); };
  held_mutexes<decltype(unlock)> taken{unlock};
  while (taken.held < count && try_one(taken.held, mutex...)) ++taken.held;
  if (taken.held < count) return taken.held;
  taken.held = 0;
  return -1;
}

} // namespace cudax::thread_detail

export namespace cudax {

/// Tells a guard to adopt mutexes that the calling thread has already locked.
/// Source:   [thread.lock.general]
/// Example:
///     cudax::mutex<> m{};
///     if (m.try_lock()) {
///       cudax::lock_guard const lock(m, cudax::adopt_lock);
///       // ... use what m protects
///     }
struct adopt_lock_t {
  explicit adopt_lock_t() = default;
};
inline constexpr adopt_lock_t adopt_lock{};

/// Locks all mutexes without deadlock, in whatever order they are named. The mutexes may be this library's, any type
/// with lock(), try_lock() and unlock(), or locks such as unique_lock.
/// Source:   [thread.lock.algorithm]
/// Order:    the mutexes': acquire
/// Requires: no mutex is named twice; the calling thread holds none of them
/// Example:
///     void lock_both(cudax::mutex<>& a, cudax::mutex<>& b) {
///       cudax::lock(a, b);
///       // ... use what both protect
///       a.unlock(), b.unlock();
///     }
template <thread_detail::lockable First, thread_detail::lockable Second, thread_detail::lockable... More>
void lock(First& first, Second& second, More&... more) {
  thread_detail::lock_all(first, second, more...);
}

/// Tries to lock each mutex, in the order of the arguments. Returns -1 if it has locked all of them. Otherwise it locks
/// none, and returns the index of the mutex that it could not lock.
/// Source:   [thread.lock.algorithm]
/// Order:    the mutexes': acquire if it returns -1
/// Requires: as lock
template <thread_detail::lockable First, thread_detail::lockable Second, thread_detail::lockable... More>
[[nodiscard]] int try_lock(First& first, Second& second, More&... more) {
  return thread_detail::try_lock_all(first, second, more...);
}

/// Locks a mutex in its constructor and unlocks it in its destructor.
/// Source:   [thread.lock.guard]
/// Order:    the mutex's: acquire in the constructor, release in the destructor
/// Example:
///     void deposit(cudax::mutex<>& m, long& balance, long amount) {
///       cudax::lock_guard const lock(m); // unlocks at the end of the scope
///       balance += amount;
///     }
template <class Mutex>
class lock_guard {
public:
  using mutex_type = Mutex;

  explicit lock_guard(Mutex& mutex) noexcept(noexcept(mutex.lock())) : mutex_(mutex) { mutex_.lock(); }
  lock_guard(Mutex& mutex, adopt_lock_t) noexcept : mutex_(mutex) {}
  ~lock_guard() { mutex_.unlock(); }
  lock_guard(lock_guard const&) = delete;
  lock_guard& operator=(lock_guard const&) = delete;

private:
  Mutex& mutex_;
};

/// Locks any number of mutexes in its constructor, without deadlock, and unlocks them in its destructor. The mutexes
/// may be this library's or any type with lock(), try_lock() and unlock().
/// Source:   [thread.lock.scoped], [thread.lock.algorithm]
/// Order:    the mutexes': acquire in the constructor, release in the destructor
/// Requires: no mutex is named twice
/// Example:
///     struct account { cudax::mutex<> m{}; long balance = 0; };
///     void transfer(account& from, account& to, long amount) {
///       cudax::scoped_lock const lock(from.m, to.m); // the order of the arguments does not matter
///       from.balance -= amount;
///       to.balance += amount;
///     }
template <class... Mutex>
class scoped_lock;

template <>
class scoped_lock<> {
public:
  explicit inline scoped_lock() noexcept {}
  explicit inline scoped_lock(adopt_lock_t) noexcept {}
  inline ~scoped_lock() {}
  scoped_lock(scoped_lock const&) = delete;
  scoped_lock& operator=(scoped_lock const&) = delete;
};

template <class Mutex>
class scoped_lock<Mutex> {
public:
  using mutex_type = Mutex;

  explicit scoped_lock(Mutex& mutex) noexcept(noexcept(mutex.lock())) : mutex_(mutex) { mutex_.lock(); }
  explicit scoped_lock(adopt_lock_t, Mutex& mutex) noexcept : mutex_(mutex) {}
  ~scoped_lock() { mutex_.unlock(); }
  scoped_lock(scoped_lock const&) = delete;
  scoped_lock& operator=(scoped_lock const&) = delete;

private:
  Mutex& mutex_;
};

template <class First, class Second, class... More>
class scoped_lock<First, Second, More...> {
public:
  explicit scoped_lock(First& first, Second& second,
                       More&... more) noexcept(noexcept(first.lock(), first.try_lock(), second.lock(),
                                                        second.try_lock()) &&
                                               (noexcept(more.lock(), more.try_lock()) && ...))
    : held_(first, second, more...) {
    thread_detail::lock_all(first, second, more...);
  }
  explicit scoped_lock(adopt_lock_t, First& first, Second& second, More&... more) noexcept
    : held_(first, second, more...) {}
  ~scoped_lock() { held_.unlock(); }
  scoped_lock(scoped_lock const&) = delete;
  scoped_lock& operator=(scoped_lock const&) = delete;

private:
  template <class M, class... Rest>
  struct references {
    M& mutex;
    references<Rest...> rest;

    references(M& m, Rest&... others) noexcept : mutex(m), rest(others...) {}
    void unlock() {
      mutex.unlock();
      rest.unlock();
    }
  };
  template <class M>
  struct references<M> {
    M& mutex;

    explicit references(M& m) noexcept : mutex(m) {}
    void unlock() { mutex.unlock(); }
  };

  references<First, Second, More...> held_;
};

template <class... Mutex>
scoped_lock(adopt_lock_t, Mutex&...) -> scoped_lock<Mutex...>;
template <class... Mutex>
scoped_lock(Mutex&...) -> scoped_lock<Mutex...>;

} // namespace cudax

CUDAX_EVERYWHERE_END
