// SPDX-License-Identifier: Apache-2.0
//
// barrier: threads that meet again and again.  [thread.barrier]
// Two implementations of one meaning. Everywhere the phases are a word of their own (barrier_state.cppm). At block scope
// without a completion, in the shared memory of a block of sm_80 and later, the word is an mbarrier
// (barrier_hardware.cppm): whether the object lies there is asked at every operation, and the question folds where the
// compiler knows the address space. An mbarrier can only be waited for by the threads of its own block, so at cluster
// scope the word is the software one, which the other blocks reach through distributed shared memory.
module;
#include "../base/macros.hpp"
export module cudax.sync:barrier;
import :barrier_hardware;
import :barrier_state;
import :bits;
import :duration;
import :group;
import :machine;
import :scope;
import :wait;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::machine {

template <class F>
concept completion_function = requires(F& function) {
  { function() } noexcept;
};

struct barrier_access;

} // namespace cudax::machine

export namespace cudax {

/// Lets threads go on when all that are awaited have arrived, phase after phase.
/// Source:   [thread.barrier.class]; the scope is an extension
/// Scope:    Scope, where thread_scope_thread means the block; threads outside it must not use the object. At block scope
///           without a completion, an object in shared memory is an mbarrier from sm_80: it is made in its place, by a
///           constructor or by init, and not copied there. destroy ends it before the kernel uses its memory for anything
///           else, such as another barrier.
///           Between host and device it needs memory in which their read-modify-writes are atomic to each other: managed
///           memory of a device with concurrent_managed_access, or any with host_native_atomic_supported (atomicity()
///           tells). In other memory arrivals are lost, and waiters wait indefinitely; there only one side may arrive at
///           a time
/// Requires: Completion is called without arguments and without throwing; an object that was made by its default
///           constructor, as in shared memory, is given its count by init before any other use. A barrier that awaits no
///           arrival, because its count is 0 or all threads have dropped out, can only be destroyed or be given a new count. At
///           device scope without a completion, where a device uses it, the object lives until every arrival has returned, not
///           only until its phase is over: the last arrival writes behind the end of the phase. In shared memory:
///             __shared__ cudax::barrier<cudax::thread_scope_block> b;
///             if (threadIdx.x == 0) init(&b, blockDim.x);
///             __syncthreads();
///           and there Completion has a trivial default constructor, too: no lambda that captures
template <thread_scope Named = thread_scope_system, class Completion = machine::no_completion>
class barrier {
  static_assert(exists(Named), "cudax.sync: barrier<Scope>: this thread scope does not exist; use an enumerator of "
                               "cudax::thread_scope");
  static_assert(machine::completion_function<Completion>,
                "cudax.sync: barrier<Scope, Completion>: the completion must be callable without arguments and "
                "declared noexcept [thread.barrier.class]");

  static constexpr thread_scope Scope = scope_among_threads(Named);
  static constexpr bool may_be_hardware = Scope == thread_scope_block && same_as<Completion, machine::no_completion>;

public:
  /// What an arrival returns and a wait takes: the phase that the thread arrived in.
  /// Source:   [thread.barrier.class]
  class arrival_token {
  public:
    arrival_token() = default;
    arrival_token(arrival_token&&) = default;
    arrival_token& operator=(arrival_token&&) = default;

  private:
    friend barrier;
    friend machine::barrier_access;
    constexpr explicit arrival_token(u64 value) noexcept : value_(value) {}

    u64 value_; // the phase; of an mbarrier, its state
  };

  /// The largest count: 2^20 - 1.
  static constexpr ptrdiff_t max() noexcept {
    static_assert(machine::barrier_state<Scope, Completion>::max_count == machine::mbarrier::max_count);
    return machine::mbarrier::max_count;
  }

  barrier() = default;
  /// Awaits `expected` arrivals in every phase.
  /// Requires: 0 <= expected <= max()
  constexpr explicit barrier(ptrdiff_t expected,
                             Completion completion = Completion()) noexcept(__is_nothrow_constructible(Completion,
                                                                                                       Completion))
      CUDAX_REFUSE(expected<0 || expected> max(),
                   "barrier: the count is negative or above max() [thread.barrier.class]")
    : completion_(static_cast<Completion&&>(completion)) {
    if (__builtin_is_constant_evaluated()) {
      state_.start(u32(expected));
      return;
    }
    CUDAX_ENSURE(expected >= 0 && expected <= max(),
                 "barrier: the count %lld is negative or above max() [thread.barrier.class]", expected);
    if (in_hardware()) machine::mbarrier::start(state_.address(), u32(expected));
    else state_.start(u32(expected));
  }
  barrier(barrier const&) = delete;
  barrier& operator=(barrier const&) = delete;

  // --- arriving ----------------------------------------------------------------------------------------------------

  /// Arrives `update` times in this phase. The last arrival of a phase runs the completion and then begins the next one.
  /// Source:   [thread.barrier.class], arrive
  /// Order:    release; pairs with the wait. The completion has acquired what every arrival released
  /// Requires: 0 < update <= the arrivals that this phase still awaits
  [[nodiscard]] arrival_token arrive(ptrdiff_t update = 1) noexcept
      CUDAX_REFUSE(update <= 0, "barrier::arrive: the update is not positive; use 1 or more [thread.barrier.class]") {
    CUDAX_ENSURE(update > 0 && update <= max(),
                 "barrier::arrive: update %lld is not positive, or above max() [thread.barrier.class]", update);
    if (in_hardware()) return arrival_token(machine::mbarrier::arrive(state_.address(), u32(update)));
    return arrival_token(state_.arrive(u32(update), completion_).phase);
  }

  /// One arrival of a whole group: when all of its threads have called, its first one arrives once. The token is that
  /// thread's; the others get one that stands for nothing. Wait with wait(group, token).
  /// Source:   extension
  /// Order:    what any thread of the group wrote before is released
  /// Requires: every thread of the group calls it. The group is one arrival: init(&b, 1) where one block meets alone,
  ///           init(&b, gridDim.x) for all blocks of a grid
  template <thread_group G>
  [[nodiscard]] arrival_token arrive(G const& group) noexcept {
    group.sync();
    return group.thread_rank() == 0 ? arrive() : arrival_token(0);
  }

  /// Arrives, and from the next phase on one arrival less is awaited. May wait for the last arrival of the phase before to
  /// return.
  /// Source:   [thread.barrier.class], arrive_and_drop
  /// Order:    release; pairs with the wait
  /// Requires: as arrive; somebody is left to drop out
  void arrive_and_drop() noexcept {
    if (in_hardware()) return machine::mbarrier::arrive_and_drop(state_.address());
    state_.arrive_and_drop(completion_);
  }

  // --- waiting for the phase of a token ----------------------------------------------------------------------------

  /// Blocks until the phase of `token` is over: polls relaxed, then acquires once.
  /// Source:   [thread.barrier.class], wait
  /// Order:    acquire; pairs with the arrivals of that phase, and the completion happened before
  /// Requires: `token` is of this phase or of the one before. If the object is an mbarrier, this holds until the wait has
  ///           returned; otherwise other threads may complete any number of phases meanwhile, except exactly 2^23 or a multiple
  ///           between two polls: the wait then returns only when they complete another one (barrier_state.cppm)
  /// Errors:   checked builds stop at an older token, except where the object is an mbarrier, which does not tell
  void wait(arrival_token&& token) const noexcept {
    ensure_recent(token);
    if (in_hardware()) return machine::mbarrier::wait(state_.address(), token.value_);
    wait_for_phase(u32(token.value_));
  }

  /// The wait of a whole group: its first thread waits, the others wait for that one in sync().
  /// Source:   extension
  /// Order:    acquire, for every thread of the group
  /// Requires: `token` is of arrive(group); every thread of the group calls it
  template <thread_group G>
  void wait(G const& group, arrival_token&& token) const noexcept {
    if (group.thread_rank() == 0) wait(static_cast<arrival_token&&>(token));
    group.sync();
  }

  /// Returns whether the phase of `token` is over. The token can be used again where it is not.
  /// Source:   libcu++, barrier::try_wait
  /// Order:    acquire where it is
  /// Requires: as wait
  [[nodiscard]] bool try_wait(arrival_token const& token) const noexcept {
    ensure_recent(token);
    if (in_hardware()) return machine::mbarrier::try_wait(state_.address(), token.value_);
    return state_.is_over(u32(token.value_)) && state_.acquired();
  }

  /// As wait, for `length` at most, on steady time; returns whether the phase is over.
  /// Source:   libcu++, barrier::try_wait_for
  /// Units:    any duration; zero and less, and NaN, look once
  template <duration_like D>
  [[nodiscard]] bool try_wait_for(arrival_token const& token, D const& length) const noexcept {
    ensure_recent(token);
    if (in_hardware())
      return machine::block_for<Scope>(state_.address(), machine::mbarrier::polls(state_.address(), token.value_),
                                       length);
    return machine::block_for<Scope>(state_.address(), over(u32(token.value_)), length) && state_.acquired();
  }

  /// As wait, until `point` at most, of any clock that can be read here; returns whether the phase is over.
  /// Source:   libcu++, barrier::try_wait_until
  template <time_point_like P>
  [[nodiscard]] bool try_wait_until(arrival_token const& token, P const& point) const noexcept {
    if (try_wait(token)) return true;
    if (in_hardware())
      return machine::block_until_point<Scope>(state_.address(),
                                               machine::mbarrier::polls(state_.address(), token.value_), point);
    return machine::block_until_point<Scope>(state_.address(), over(u32(token.value_)), point) && state_.acquired();
  }

  // --- waiting for a parity ----------------------------------------------------------------------------------------

  /// Blocks until the phase whose number is even (`parity` false: the first, the third...) or odd is over. For threads
  /// that count the phases themselves and hold no token.
  /// Source:   libcu++, barrier::wait_parity
  /// Order:    acquire; pairs with the arrivals of that phase
  /// Requires: the awaited phase is this one or the one before, and stays so until the wait has returned
  void wait_parity(bool parity) const noexcept {
    if (in_hardware()) return machine::mbarrier::wait_parity(state_.address(), parity);
    auto const changed = [this, parity]() noexcept { return state_.is_over_parity_or_pauses(parity); };
    machine::block_until<Scope>(state_.address(), changed, forever);
    state_.acquired();
  }

  /// Returns whether the phase of that parity is over.
  /// Source:   libcu++, barrier::try_wait_parity
  /// Order:    acquire where it is
  /// Requires: as wait_parity
  [[nodiscard]] bool try_wait_parity(bool parity) const noexcept {
    if (in_hardware()) return machine::mbarrier::try_wait_parity(state_.address(), parity);
    return state_.is_over_parity(parity) && state_.acquired();
  }

  /// As wait_parity, for `length` at most, on steady time; returns whether the phase is over.
  /// Source:   libcu++, barrier::try_wait_parity_for
  /// Units:    any duration; zero and less, and NaN, look once
  template <duration_like D>
  [[nodiscard]] bool try_wait_parity_for(bool parity, D const& length) const noexcept {
    if (in_hardware())
      return machine::block_for<Scope>(state_.address(), machine::mbarrier::polls_parity(state_.address(), parity),
                                       length);
    return machine::block_for<Scope>(state_.address(), over_parity(parity), length) && state_.acquired();
  }

  /// As wait_parity, until `point` at most; returns whether the phase is over.
  /// Source:   libcu++, barrier::try_wait_parity_until
  template <time_point_like P>
  [[nodiscard]] bool try_wait_parity_until(bool parity, P const& point) const noexcept {
    if (try_wait_parity(parity)) return true;
    if (in_hardware())
      return machine::block_until_point<Scope>(state_.address(),
                                               machine::mbarrier::polls_parity(state_.address(), parity), point);
    return machine::block_until_point<Scope>(state_.address(), over_parity(parity), point) && state_.acquired();
  }

  // --- both --------------------------------------------------------------------------------------------------------

  /// Arrives once and waits.
  /// Source:   [thread.barrier.class], arrive_and_wait
  /// Order:    release, then acquire
  void arrive_and_wait() noexcept {
    if (in_hardware()) return wait(arrive());
    auto const arrival = state_.arrive(1, completion_);
    state_.pause_for(arrival);
    wait_for_phase(arrival.phase);
  }

  /// One arrival of a whole group, and one waiting thread: its first one. The others wait for that one in sync().
  /// Source:   extension
  /// Order:    as if each thread of the group had released before, and acquires behind
  /// Units:    at device scope a phase of 132 blocks takes 1.12 to 1.17 us on an H100, whatever their size. At block scope
  ///           the group's two syncs come on top of the wait: 89 ns for 32 threads and 145 ns for 1024, where the arrivals
  ///           of each thread take 49 and 105 ns
  /// Requires: every thread of the group calls it, which is one arrival: see arrive
  template <thread_group G>
  void arrive_and_wait(G const& group) noexcept {
    group.sync();
    if (group.thread_rank() == 0) arrive_and_wait_alone();
    group.sync();
  }

private:
  friend machine::barrier_access;

  bool in_hardware() const noexcept {
    if constexpr (may_be_hardware) return machine::mbarrier::is_at(state_.address());
    else return false;
  }

  auto over(u32 phase) const noexcept {
    return [this, phase]() noexcept { return state_.is_over(phase); };
  }
  auto over_parity(bool parity) const noexcept {
    return [this, parity]() noexcept { return state_.is_over_parity(parity); };
  }

  // Without a limit in time, a waiter pauses while many are missing.
  void block_for_phase(u32 phase) const noexcept {
    auto const changed = [this, phase]() noexcept { return state_.is_over_or_pauses(phase); };
    machine::block_until<Scope>(state_.address(), changed, forever);
  }
  void wait_for_phase(u32 phase) const noexcept {
    block_for_phase(phase);
    state_.acquired();
  }

  /// For one thread of many: the one that ends the phase has nothing to wait for. Where all threads of a warp arrive, leaving
  /// one out of the loop gains nothing, and the others may be made to loop before it has refilled the count.
  void arrive_and_wait_alone() noexcept {
    if (in_hardware()) return wait(arrive());
    auto const arrival = state_.arrive(1, completion_);
    if (!arrival.ended) block_for_phase(arrival.phase);
    state_.acquired();
  }

  /// An mbarrier does not tell how old a token is.
  void ensure_recent([[maybe_unused]] arrival_token const& token) const noexcept {
    CUDAX_ENSURE(in_hardware() || state_.age(u32(token.value_)) <= 1,
                 "barrier::wait: the token is %lld phases old; wait for each phase before the next one ends "
                 "[thread.barrier.class]",
                 state_.age(u32(token.value_)));
  }

  machine::barrier_state<Scope, Completion> state_;
  [[no_unique_address]] Completion completion_;
};

/// Makes a barrier in the place of one that was default-constructed, as in shared memory, or that was ended by destroy. A
/// barrier that is not an mbarrier need not be destroyed before.
/// Source:   libcu++, init; with a completion, an extension for other types than it
/// Order:    none: the threads that use it synchronize with the caller by other means, as __syncthreads
/// Requires: 0 <= expected <= max(); no thread uses the barrier meanwhile, and every arrival has returned. If an mbarrier
///           lives there, destroy was called: PTX leaves a second mbarrier.init undefined
template <thread_scope Scope, class Completion>
void init(barrier<Scope, Completion>* object, ptrdiff_t expected) noexcept(noexcept(barrier<Scope, Completion>(0)))
    CUDAX_REFUSE(expected<0 || expected>(barrier<Scope, Completion>::max()),
                 "init(barrier): the count is negative or above max() [thread.barrier.class]") {
  new (object) placed<barrier<Scope, Completion>>{barrier<Scope, Completion>(expected)};
}
template <thread_scope Scope, class Completion>
void init(barrier<Scope, Completion>* object, ptrdiff_t expected,
          Completion completion) noexcept(__is_nothrow_constructible(Completion, Completion))
    CUDAX_REFUSE(expected<0 || expected>(barrier<Scope, Completion>::max()),
                 "init(barrier): the count is negative or above max() [thread.barrier.class]") {
  new (object)
      placed<barrier<Scope, Completion>>{barrier<Scope, Completion>(expected, static_cast<Completion&&>(completion))};
}

} // namespace cudax

namespace cudax::machine {

/// For the functions of `device` that count a barrier's bytes: its mbarrier, and tokens of it.
struct barrier_access {
  template <class Barrier>
  static bool in_hardware(Barrier const& barrier) noexcept {
    return barrier.in_hardware();
  }
  template <class Barrier>
  static u64* word(Barrier& barrier) noexcept {
    return static_cast<u64*>(barrier.state_.address());
  }
  template <class Barrier>
  static typename Barrier::arrival_token token(u64 value) noexcept {
    return typename Barrier::arrival_token(value);
  }
  template <class Token>
  static u64 value(Token const& token) noexcept {
    return token.value_;
  }
};

} // namespace cudax::machine

export namespace cudax {

/// Ends the life of a barrier. Its memory can then be used for anything, such as another barrier. The kernel must call it
/// before it uses the memory of an mbarrier again (an object in shared memory, of block scope and without a completion):
/// the destructor of such an object is trivial, because __shared__ objects have no other, and executes no mbarrier.inval.
/// For any other barrier it is the destructor.
///             if (threadIdx.x == 0) destroy(&b), init(&b, 2);       // between two __syncthreads()
/// Source:   extension; PTX ISA, mbarrier.inval
/// Order:    none: the threads that use the memory next synchronize with the caller by other means, as __syncthreads
/// Requires: a constructor or init made the barrier; one thread calls, once, after every other call has returned and every copy
///           that the barrier awaits is complete
template <thread_scope Scope, class Completion>
void destroy(barrier<Scope, Completion>* object) noexcept {
  if (machine::barrier_access::in_hardware(*object)) machine::mbarrier::end(machine::barrier_access::word(*object));
  object->~barrier<Scope, Completion>();
}

} // namespace cudax

CUDAX_EVERYWHERE_END
