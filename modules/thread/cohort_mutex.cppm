// SPDX-License-Identifier: Apache-2.0
//
// cohort_mutex: a lock that the threads of a block hand to each other.
// Dice, Marathe, Shavit, "Lock Cohorting", PPoPP 2012
//
// A cohort is the threads that use one cohort_mutex. All cohorts share another mutex, the outer one, and a thread that
// holds the lock holds the outer mutex. The threads of a cohort queue for a turn. An unlock passes the turn, and with
// it the outer mutex, to the next thread of the queue. The outer mutex is unlocked only if no thread of the cohort
// waits, or if it has been passed on `limit` times. So most hand-overs are a store and a load in shared memory, at
// block scope, and not a trip to the L2 and a fence of device scope.
//
// Tickets are even. `served_` is the ticket whose turn it is, plus 1 if that turn begins without the outer mutex. So
// the poll that observes the turn also says whether to lock the outer mutex. Of a free cohort_mutex, `served_` is odd,
// and no thread has the ticket. Tickets wrap around after 2^31 turns. They are compared by the sign of their difference
// (turn.cppm), and a thread's ticket is twice as far from `served_` as its place in the queue, so fewer than 2^30
// threads may wait.
//
// Order. Let A, B and C hold the lock one after the other, A and B in one cohort and C in another one. B acquires what
// A released, at the scope of the cohort, which includes both. C acquires what B released, at the scope of the outer
// mutex. Happens-before is transitive: what A did happens before what C does, although A performed no operation of the
// outer scope. Likewise, B sees what A acquired from the outer mutex. The same holds for `last_`, which only the thread
// whose turn it is reads and writes.
module;
#include "../base/macros.hpp"
export module cudax.sync:cohort_mutex;
import :attempt;
import :bits;
import :clock;
import :duration;
import :lock_guard;
import :machine;
import :modify;
import :order;
import :scope;
import :ticket_mutex;
import :turn;
import :wait;

CUDAX_EVERYWHERE_BEGIN

export namespace cudax {

template <class Mutex, thread_scope Scope>
class cohort_mutex;
template <class Mutex, thread_scope Scope>
void init(cohort_mutex<Mutex, Scope>* object, Mutex& outer,
          unsigned limit = cohort_mutex<Mutex, Scope>::default_limit) noexcept
    CUDAX_REFUSE(limit > (cohort_mutex<Mutex, Scope>::max_limit), "init(cohort_mutex): the limit is above max_limit");

/// A lock for threads of many blocks that contend: the threads of a block, a cohort, pass it on among themselves in
/// FIFO order, and other blocks get it after at most `limit` times. An object of this class is the part of one cohort,
/// for example a variable in shared memory. All cohorts share `Mutex`, which threads without a cohort lock directly.
/// Source:   extension; members as [thread.timedmutex.class]
/// Scope:    Scope for the threads of the cohort, where thread_scope_thread means the block; that of Mutex for all that
///           use the mutex
/// Requires: as ticket_mutex, for the threads of the cohort, of which fewer than 2^30 wait at a time. An object made by
///           the default constructor, which is trivial at every scope, gets its outer mutex from init before any other
///           use. Mutex may be unlocked by another thread than the one that locked it, and does not throw: mutex,
///           ticket_mutex or another cohort_mutex. With mutex, which is not fair, a cohort may take the lock again and
///           again while others wait
/// Example:
///     __device__ cudax::ticket_mutex<cudax::thread_scope_device> m;
///     __global__ void add(double* sum, double value) {
///       __shared__ cudax::cohort_mutex<> mine; // the part of this block
///       if (threadIdx.x == 0) init(&mine, m);
///       __syncthreads();
///       cudax::lock_guard const lock(mine);
///       *sum += value;
///     }
template <class Mutex = ticket_mutex<thread_scope_device>, thread_scope Named = thread_scope_block>
class cohort_mutex {
  CUDAX_ENSURE_SCOPE(Named, "cohort_mutex<Mutex, Scope>");
  static constexpr thread_scope Scope = scope_among_threads(Named);

public:
  /// How often a cohort passes the lock on in succession if the program does not say otherwise. On an H200 a turn then
  /// takes 4 % to 8 % longer than without a limit.
  static constexpr unsigned default_limit = 64;
  static constexpr unsigned max_limit = 0x7fff'ffff;

  cohort_mutex() = default;
  /// Makes the part of a cohort that shares `outer` with others. No thread holds it.
  constexpr explicit cohort_mutex(Mutex& outer, unsigned limit = default_limit) noexcept
      CUDAX_REFUSE(limit > max_limit, "cohort_mutex: the limit is above max_limit")
    : tickets_(0), served_(1), last_(0), limit_(limit), outer_(__builtin_addressof(outer)) {
    if (!__builtin_is_constant_evaluated()) ensure_limit(limit);
  }
  cohort_mutex(cohort_mutex const&) = delete;
  cohort_mutex& operator=(cohort_mutex const&) = delete;

  /// Takes a place in the queue of the cohort and blocks until the calling thread holds the lock.
  /// Order:    acquire; pairs with unlock, of any cohort and of the outer mutex
  /// Requires: the calling thread does not hold the lock
  void lock() noexcept {
    // Relaxed: only the number of the ticket matters. await_turn acquires.
    u32 const ticket = machine::fetch<modification::add, Scope, u32>(&tickets_, 2, memory_order::relaxed);
    int const left = machine::await_turn<Scope>(
        &served_, ticket CUDAX_WAIT_NAME("cohort_mutex::lock: another thread of the cohort holds the mutex"));
    if (left == 0) return; // the outer mutex has been passed on
    outer_->lock();
    begin(ticket);
  }

  /// Takes the lock unless it is held or threads of the cohort wait; returns whether it did. It may also fail while
  /// another thread of the cohort tries.
  /// Order:    acquire if it returns true; pairs with unlock
  [[nodiscard]] bool try_lock() noexcept { return take_turn() && keep_turn_if(outer_->try_lock()); }

  /// Repeats try_lock for at most `length` on the steady clock; returns whether the calling thread holds the lock. It
  /// takes no place in a queue, so threads in lock() go first; they may wait for it for a millisecond.
  /// Order:    acquire if it returns true; pairs with unlock
  /// Units:    any duration
  template <duration_like D>
  [[nodiscard]] bool try_lock_for(D const& length) noexcept {
    if (try_lock()) return true;
    long long const rest = to_nanoseconds(length);
    return rest > 0 && try_by_deadline(deadline_after(machine::steady_now(), rest));
  }

  /// Repeats try_lock until `point`, a time point of any clock; otherwise as try_lock_for.
  /// Order:    acquire if it returns true; pairs with unlock
  template <time_point_like P>
  [[nodiscard]] bool try_lock_until(P const& point) noexcept {
    if (try_lock()) return true;
    for (long long rest; (rest = machine::round_until(point)) > 0;)
      if (try_by_deadline(deadline_after(machine::steady_now(), rest))) return true;
    return false;
  }

  /// Releases the lock: passes it to the thread of the cohort that has waited longest, or unlocks the outer mutex.
  /// Order:    release; pairs with the acquire of the thread that takes the lock next, in this cohort or by the outer
  ///           mutex
  /// Requires: the calling thread holds the lock
  void unlock() noexcept {
    u32 const turn = machine::load<Scope, u32>(&served_, memory_order::relaxed) & ~1u, next = turn + 2;
    u32 const tickets = machine::load<Scope, u32>(&tickets_, memory_order::relaxed);
    CUDAX_ENSURE(tickets != turn,
                 "cohort_mutex::unlock: the mutex is not locked (%lld); only the thread that locked it may unlock it, "
                 "once [thread.mutex]",
                 0ll);
    // A ticket is not returned: if `next` is taken, its thread takes its turn.
    if (tickets != next && turn != last_) {
      serve(next);
    } else {
      // Before the turn ends, because its end is the last access to this object. The outer mutex releases what the
      // earlier turns of the cohort did, too (file header).
      outer_->unlock();
      serve(next + 1);
    }
  }

private:
  friend void init<Mutex, Named>(cohort_mutex* object, Mutex& outer, unsigned limit) noexcept;
  friend thread_detail::mutex_access; // of scoped_lock

  static void ensure_limit([[maybe_unused]] unsigned limit) noexcept {
    CUDAX_ENSURE(limit <= max_limit, "cohort_mutex: the limit %lld is above max_limit", (long long)limit);
  }

  void await_free() noexcept {
    machine::block_until<Scope>(
        &served_, CUDAX_AWAITS(free_predicate(), "scoped_lock: another thread holds a cohort_mutex"), forever);
    thread_detail::mutex_access::await(*outer_);
  }

  auto free_predicate() const noexcept {
    return [this]() noexcept {
      u32 const served = machine::load<Scope, u32>(&served_, memory_order::relaxed);
      return machine::load<Scope, u32>(&tickets_, memory_order::relaxed) == served - 1;
    };
  }

  /// Takes the turn if it is free; returns whether it did. The thread then does not hold the outer mutex yet.
  bool take_turn() noexcept {
    // As ticket_mutex::try_lock. If `served_` is even, the turn is taken, and `ticket` is odd: no thread gets it.
    u32 ticket = machine::load<Scope, u32>(&served_, memory_order::relaxed) - 1;
    u32 const next = ticket + 2;
    if (machine::load<Scope, u32>(&tickets_, memory_order::relaxed) != ticket) return false;
    if (!machine::compare_exchange<Scope, u32>(&tickets_, ticket, next, memory_order::relaxed, memory_order::relaxed))
      return false;
    // Pairs with serve(). What the lock protects is acquired by locking the outer mutex, too. This orders the end of
    // the previous turn, its holder's last access to this object, before another use of the memory by this thread.
    machine::upgrade_to_acquire<Scope, u32>(&served_);
    return true;
  }
  /// Keeps the turn that take_turn() took, or ends it. Returns `has_locked`.
  bool keep_turn_if(bool has_locked) noexcept {
    u32 const served = machine::load<Scope, u32>(&served_, memory_order::relaxed);
    if (has_locked) begin(served - 1);
    else serve(served + 2);
    return has_locked;
  }

  /// Repeats until steady_now() reaches `deadline`. A thread that waits for the outer mutex keeps the turn. So it waits
  /// for at most a millisecond, and then lets the threads in lock() go first: unlike this thread, these may queue for
  /// the outer mutex.
  bool try_by_deadline(long long deadline) noexcept {
    constexpr long long longest = 1'000'000;
    while (machine::block_until<Scope>(&served_, free_predicate(), deadline)) {
      long long const rest = deadline - machine::steady_now();
      if (take_turn() && keep_turn_if(outer_->try_lock_for(nanoseconds(rest < longest ? rest : longest)))) return true;
      if (rest <= 0) return false;
    }
    return false;
  }

  /// Begins a series of turns with the outer mutex.
  void begin(u32 ticket) noexcept { last_ = ticket + 2 * limit_; }

  /// Ends the turn: `value` is the new value of `served_`.
  void serve(u32 value) noexcept {
    // Release; pairs with the acquire of the thread whose turn it is then. Only this thread writes `served_`, so a
    // store is enough. Unlike in ticket_mutex, the thread has read `served_` anyway.
    machine::store<Scope, u32>(&served_, value, machine::before_wake<memory_order::release>);
    machine::wake_turns<Scope>(&served_, (value & ~1u) - 1, 2); // the values from one ticket to the next
  }

  u32 tickets_; // tickets taken, times 2
  u32 served_;  // file header
  u32 last_;    // the ticket whose turn ends with the outer mutex unlocked
  u32 limit_;
  Mutex* outer_;
};

/// Makes the part of a cohort that shares `outer` with others: for example a cohort_mutex in shared memory.
/// Source:   extension
/// Order:    none: a plain initialization
/// Requires: no other thread uses `object` during the call; limit <= max_limit
template <class Mutex, thread_scope Scope>
void init(cohort_mutex<Mutex, Scope>* object, Mutex& outer, unsigned limit) noexcept {
  cohort_mutex<Mutex, Scope>::ensure_limit(limit);
  object->tickets_ = 0;
  object->served_ = 1;
  object->last_ = 0;
  object->limit_ = limit;
  object->outer_ = __builtin_addressof(outer);
}

} // namespace cudax

CUDAX_EVERYWHERE_END
