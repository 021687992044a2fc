// SPDX-License-Identifier: Apache-2.0
//
// lock_guard: holding one mutex, or several, while a block runs.  [thread.lock.guard], [thread.lock.scoped]
//
// Several are tried in the order of their addresses; where one is held all are given back, that one is awaited, and it
// begins again. Nobody ever waits while it holds one, so there is no deadlock, whatever else is held by whom. The order of
// addresses is there for progress: of the threads that lock several at once, the one that holds the highest mutex meets
// none of the others on its way up, so it gets through; in the arguments' order, two lanes of a warp that name two mutexes
// the other way round could take one each, fail and give back, in step for ever. And nobody takes a place in a queue to
// wait: trying a ticket_mutex fails while threads queue for it, so where many lock several, each would keep the others
// from getting all of theirs. Those that lock a single ticket_mutex go first.
// The choice of the mutex is made by comparing numbers, not by a table of functions, which a device could not inline.
module;
#include "../base/macros.hpp"
export module cudax.sync:lock_guard;
import :attempt;
import :bits;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::machine {

/// Reaches what the mutexes of this library have for it: await_free(), which waits and takes nothing.
struct mutex_access {
  template <class Mutex>
  static void await(Mutex& mutex) {
    if constexpr (requires { mutex.await_free(); }) {
      mutex.await_free();
    } else {
      mutex.lock();
      mutex.unlock();
    }
  }
};

/// Waiting for, try_lock() and unlock() of the mutex that has number `number` among several.
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

/// The mutexes' numbers in the order of their addresses.
template <int Count>
struct address_order {
  int at[Count];

  template <class... Mutex>
  explicit address_order(Mutex&... mutex) noexcept {
    u64 const addresses[] = {u64((void const volatile*)__builtin_addressof(mutex))...};
    for (int i = 0; i < Count; ++i) {
      int rank = 0;
      for (int other = 0; other < Count; ++other)
        rank += addresses[other] < addresses[i] || (addresses[other] == addresses[i] && other < i);
      at[rank] = i;
    }
  }
};

/// Unlocks the first `held` of an order, unless it is told to keep them: also where a mutex of a host's other library
/// throws.
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
    int refused = 0;
    {
      auto const unlock = [&](int rank) { unlock_one(order.at[rank], mutex...); };
      held_mutexes<decltype(unlock)> taken{unlock};
      while (taken.held < count && try_one(order.at[taken.held], mutex...)) ++taken.held;
      refused = taken.held;
      if (refused == count) {
        taken.held = 0;
        return;
      }
    }
    await_one(order.at[refused], mutex...);
  }
}

} // namespace cudax::machine

export namespace cudax {

/// Says that a guard takes over what the thread has locked.
/// Source:   [thread.lock.general]
struct adopt_lock_t {
  explicit adopt_lock_t() = default;
};
inline constexpr adopt_lock_t adopt_lock{};

/// Holds a mutex for as long as it lives.
/// Source:   [thread.lock.guard]
/// Order:    the mutex's: acquire where it is made, release where it ends
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

/// Holds any number of mutexes for as long as it lives, this library's or others that have lock(), try_lock() and unlock().
/// Source:   [thread.lock.scoped], [thread.lock.algorithm]
/// Order:    the mutexes': acquire where it is made, release where it ends
/// Requires: no mutex is named twice
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
    machine::lock_all(first, second, more...);
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
