// SPDX-License-Identifier: Apache-2.0
//
// shared_mutex: one writer, or any number of readers.  [thread.sharedmutex]
//
// The state is one word: the number of readers, and a bit that a writer sets. A writer first claims the bit, which
// keeps new readers and other writers out, and then waits until the last reader has left. So a writer waits only for
// other writers, and for the readers that were inside when it claimed the bit: readers that keep coming do not starve
// it. When a writer unlocks, the threads that wait compete, readers and writers alike. So a reader, or one of several
// writers, may starve while other writers lock again and again.
//
// Every change of the word is a read-modify-write. On a device a reader enters by an addition and leaves by another
// one. A reader that finds the bit set subtracts its 1 again. Until then the count is too high, so a writer waits
// longer, and try_lock may fail although no reader is inside; but no reader is lost. A writer therefore unlocks by
// clearing the bit, and not by a store. On the host a reader enters by a compare-and-swap, because a reader that
// subtracts its 1 again would have to wake a writer.
//
// Orders. An unlock releases and a lock acquires. Since all changes are read-modify-writes, each continues the release
// sequences of all earlier unlocks. So a lock synchronizes with every unlock that is earlier in the modification order,
// whichever value it reads: a reader with all earlier writers, a writer with all earlier writers and readers.
module;
#include "../base/macros.hpp"
export module cudax.sync:shared_mutex;
import :attempt;
import :bits;
import :clock;
import :duration;
import :machine;
import :modify;
import :order;
import :scope;
import :wait;

CUDAX_EVERYWHERE_BEGIN

export namespace cudax {

template <thread_scope Scope>
class shared_mutex;
template <thread_scope Scope>
void init(shared_mutex<Scope>* object) noexcept;

/// A lock that one writer holds alone (lock), or any number of readers together (lock_shared). A writer that waits
/// keeps new readers out, so readers do not starve it.
/// Source:   [thread.sharedtimedmutex.class]; the scope and init are extensions
/// Scope:    Scope, as mutex
/// Requires: as mutex. Fewer than 2^31 threads read or try to read at a time
/// Example:
///     __device__ cudax::shared_mutex<cudax::thread_scope_device> m;
///     __global__ void update(int* table, int key) {
///       m.lock_shared();
///       bool const missing = table[key] == 0;
///       m.unlock_shared();
///       if (missing) { cudax::lock_guard const lock(m); table[key] = 1; }
///     }
template <thread_scope Named = thread_scope_system>
class shared_mutex {
  CUDAX_ENSURE_SCOPE(Named, "shared_mutex<Scope>");
  static constexpr thread_scope Scope = scope_among_threads(Named);

public:
  constexpr shared_mutex() noexcept
    requires(is_wider_than_cluster(Named))
    : state_(0) {}
  shared_mutex() noexcept
    requires(!is_wider_than_cluster(Named))
  = default;
  shared_mutex(shared_mutex const&) = delete;
  shared_mutex& operator=(shared_mutex const&) = delete;

  /// Blocks until the calling thread holds the lock alone.
  /// Order:    acquire; pairs with unlock and with unlock_shared
  /// Requires: the calling thread does not hold the lock, neither alone nor shared
  void lock() noexcept {
    u32 before = 0;
    machine::attempt_one_by_one<Scope>(
        &state_, CUDAX_AWAITS(unclaimed_predicate(), "shared_mutex::lock: a writer holds the mutex"),
        [&]() noexcept { return claim(before); });
    if (before != 0) (void)drain_by(forever);
  }

  /// Takes the lock if no thread holds it; returns whether it did. On a device it may also fail while other threads try
  /// to read.
  /// Order:    acquire if it returns true; pairs with unlock and with unlock_shared
  [[nodiscard]] bool try_lock() noexcept {
    u32 seen = machine::load<Scope, u32>(&state_, memory_order::relaxed);
    return seen == 0 &&
           machine::compare_exchange<Scope, u32>(&state_, seen, writer, memory_order::acquire, memory_order::relaxed);
  }

  /// Blocks as lock, but for at most `length` on the steady clock; returns whether the calling thread holds the lock.
  /// Order:    acquire if it returns true; pairs with unlock and with unlock_shared
  /// Units:    any duration
  template <duration_like D>
  [[nodiscard]] bool try_lock_for(D const& length) noexcept {
    if (try_lock()) return true;
    long long const rest = to_nanoseconds(length);
    return rest > 0 && lock_by(deadline_after(machine::steady_now(), rest));
  }

  /// Blocks as lock, but at most until `point`, a time point of any clock; returns whether the calling thread holds the
  /// lock.
  /// Order:    acquire if it returns true; pairs with unlock and with unlock_shared
  template <time_point_like P>
  [[nodiscard]] bool try_lock_until(P const& point) noexcept {
    if (try_lock()) return true;
    u32 before = 0;
    auto const attempt = [&]() noexcept { return claim(before); };
    for (long long rest; (rest = machine::round_until(point)) > 0;)
      if (machine::attempt_by_deadline<Scope>(&state_, unclaimed_predicate(), attempt,
                                              deadline_after(machine::steady_now(), rest)))
        // The writer keeps its claim over all rounds: otherwise new readers would enter after each one.
        return before == 0 || drain([&](auto is_drained) noexcept {
                 return machine::block_until_point<Scope>(&state_, is_drained, point);
               });
    return false;
  }

  /// Releases the lock of a writer.
  /// Order:    release; pairs with the acquire of every later lock and lock_shared
  /// Requires: the calling thread holds the lock alone
  void unlock() noexcept {
    CUDAX_ENSURE((machine::load<Scope, u32>(&state_, memory_order::relaxed) & writer) != 0,
                 "shared_mutex::unlock: no writer has locked the mutex (%lld); only the thread that locked it may "
                 "unlock it, once [thread.sharedmutex]",
                 0ll);
    machine::reduce<modification::bit_and, Scope, u32>(&state_, ~writer, machine::before_wake<memory_order::release>);
    machine::wake<Scope>(&state_);
  }

  /// Blocks until the calling thread holds the lock as a reader.
  /// Order:    acquire; pairs with unlock
  /// Requires: the calling thread does not hold the lock, neither alone nor shared: a writer may already wait for the
  ///           reader to leave
  void lock_shared() noexcept {
    machine::attempt_forever<Scope>(
        &state_, CUDAX_AWAITS(unclaimed_predicate(), "shared_mutex::lock_shared: a writer holds the mutex"),
        enter_function());
  }

  /// Takes the lock as a reader if no writer holds it or waits for it; returns whether it did.
  /// Order:    acquire if it returns true; pairs with unlock
  [[nodiscard]] bool try_lock_shared() noexcept { return is_unclaimed() && enter(); }

  /// Blocks as lock_shared, but for at most `length` on the steady clock; returns whether the calling thread holds the
  /// lock.
  /// Order:    acquire if it returns true; pairs with unlock
  /// Units:    any duration
  template <duration_like D>
  [[nodiscard]] bool try_lock_shared_for(D const& length) noexcept {
    return machine::attempt_for<Scope>(&state_, unclaimed_predicate(), enter_function(), length);
  }

  /// Blocks as lock_shared, but at most until `point`, a time point of any clock; returns whether the calling thread
  /// holds the lock.
  /// Order:    acquire if it returns true; pairs with unlock
  template <time_point_like P>
  [[nodiscard]] bool try_lock_shared_until(P const& point) noexcept {
    return machine::attempt_until<Scope>(&state_, unclaimed_predicate(), enter_function(), point);
  }

  /// Releases the lock of a reader.
  /// Order:    release, because a writer may overwrite what the reader has read; pairs with the acquire of every later
  ///           lock
  /// Requires: the calling thread holds the lock as a reader
  void unlock_shared() noexcept {
    CUDAX_ENSURE((machine::load<Scope, u32>(&state_, memory_order::relaxed) & ~writer) != 0,
                 "shared_mutex::unlock_shared: no reader has locked the mutex (%lld); each reader unlocks it once "
                 "[thread.sharedmutex]",
                 0ll);
    constexpr memory_order order = machine::before_wake<memory_order::release>;
    if constexpr (machine::traits::parks) {
      // Only a writer waits for readers, and only for the last one.
      if (machine::fetch<modification::add, Scope, u32>(&state_, u32(-1), order) == (writer | 1))
        machine::wake<Scope>(&state_);
    } else {
      machine::reduce<modification::add, Scope, u32>(&state_, u32(-1), order);
    }
  }

private:
  friend void init<Named>(shared_mutex* object) noexcept;

  static constexpr u32 writer = 0x8000'0000; // a writer has claimed the lock; the other bits count the readers

  bool is_unclaimed() const noexcept {
    return (machine::load<Scope, u32>(&state_, memory_order::relaxed) & writer) == 0;
  }
  u32 readers() const noexcept { return machine::load<Scope, u32>(&state_, memory_order::relaxed) & ~writer; }
  auto unclaimed_predicate() const noexcept {
    return [this]() noexcept { return is_unclaimed(); };
  }

  /// Claims the lock for a writer; returns whether no other writer had claimed it. `before` receives the word before:
  /// zero if the writer need not wait for readers.
  /// Order: acquire. Pairs with unlock and unlock_shared. If readers are left, drain() acquires again.
  bool claim(u32& before) noexcept {
    before = machine::fetch<modification::bit_or, Scope, u32>(&state_, writer, memory_order::acquire);
    return (before & writer) == 0;
  }

  /// Waits until no reader is inside, for the writer that has claimed the lock. block(is_drained) blocks until
  /// is_drained() is true, and returns whether it is. If it is not, withdraws the claim and returns false.
  template <class Block>
  bool drain(Block block) noexcept {
    auto const is_drained = [this]() noexcept {
      return machine::load<Scope, u32>(&state_, memory_order::relaxed) == writer;
    };
    if (block(CUDAX_AWAITS(is_drained, "shared_mutex::lock: readers that hold the mutex: #", readers()))) {
      machine::upgrade_to_acquire<Scope, u32>(&state_); // pairs with the release in unlock_shared of each reader
      return true;
    }
    // Relaxed: this writer has written nothing that the next thread must see. The operation continues the release
    // sequences of earlier unlocks.
    machine::reduce<modification::bit_and, Scope, u32>(&state_, ~writer, machine::before_wake<memory_order::relaxed>);
    machine::wake<Scope>(&state_);
    return false;
  }

  /// Gives up when steady_now() reaches `deadline`.
  bool drain_by(long long deadline) noexcept {
    return drain([this, deadline](auto is_drained) noexcept {
      return machine::block_until<Scope>(&state_, is_drained, deadline);
    });
  }

  bool lock_by(long long deadline) noexcept {
    u32 before = 0;
    auto const attempt = [&]() noexcept { return claim(before); };
    if (!machine::attempt_by_deadline<Scope>(&state_, unclaimed_predicate(), attempt, deadline)) return false;
    return before == 0 || drain_by(deadline);
  }

  /// Enters as a reader; returns whether it did.
  /// Order: acquire; pairs with unlock. Leaving again is relaxed: the thread has read nothing that the lock protects.
  bool enter() noexcept {
    if constexpr (!machine::traits::parks) {
      if (!(machine::fetch<modification::add, Scope, u32>(&state_, 1, memory_order::acquire) & writer)) return true;
      machine::reduce<modification::add, Scope, u32>(&state_, u32(-1), memory_order::relaxed);
      return false;
    } else {
      u32 seen = machine::load<Scope, u32>(&state_, memory_order::relaxed);
      while (!(seen & writer))
        if (machine::compare_exchange<Scope, u32>(&state_, seen, seen + 1, memory_order::acquire,
                                                  memory_order::relaxed))
          return true;
      return false;
    }
  }
  auto enter_function() noexcept {
    return [this]() noexcept { return enter(); };
  }

  u32 state_;
};

/// The same as shared_mutex, which has the timed functions.
/// Source:   [thread.sharedtimedmutex.class]
template <thread_scope Scope = thread_scope_system>
using shared_timed_mutex = shared_mutex<Scope>;

/// Makes a mutex that no thread holds: for example a mutex in shared memory.
/// Source:   extension
/// Order:    none: a plain initialization
template <thread_scope Scope>
void init(shared_mutex<Scope>* object) noexcept {
  object->state_ = 0;
}

} // namespace cudax

CUDAX_EVERYWHERE_END
