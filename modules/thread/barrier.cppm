// SPDX-License-Identifier: Apache-2.0
//
// barrier: a reusable rendezvous of threads, phase by phase.  [thread.barrier]
// There are two implementations with one interface. The software implementation keeps the phases in one 64-bit word
// (barrier_state.cppm) and works everywhere. The hardware implementation uses that word as an mbarrier
// (barrier_hardware.cppm). From sm_80 it applies to an object of block scope without a completion, in shared memory.
// Every operation checks whether the object is in shared memory; the check folds if the compiler knows the address
// space. Only threads of the mbarrier's own block can wait on it. So barriers of cluster scope use the software
// implementation, whose word the other blocks reach through distributed shared memory.
module;
#include "../base/macros.hpp"
#pragma clang diagnostic ignored "-Wc++26-extensions" // = delete("sentence")
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

namespace cudax::thread_detail {

template <class F>
concept completion_function = requires(F& function) { function(); };

struct barrier_access;

} // namespace cudax::thread_detail

export namespace cudax {

/// Blocks threads until all expected arrivals of a phase have been made, then begins the next phase.
/// Source:   [thread.barrier.class]; the scope is an extension
/// Scope:    Scope, where thread_scope_thread means the block; threads outside Scope must not use the object. From
///           sm_80 an object of block scope without a completion is an mbarrier if it is in shared memory. Construct an
///           mbarrier in place, by a constructor or by init, never by copying the bytes of another barrier. Call
///           destroy before the kernel uses the memory of the mbarrier for anything else, such as another barrier. A
///           barrier that host and device share needs memory that is atomic between host and device. In other memory
///           only one side may arrive at a time; if both do, arrivals are lost and waiters block indefinitely
/// Requires: Completion is callable without arguments. It need not be declared noexcept, but an exception that it throws
///           ends the program (std::terminate), because the arrivals are noexcept. An object made by the default
///           constructor, as in shared memory, gets its count from init before any other use; in shared memory
///           Completion also needs a trivial default constructor, so it cannot be a lambda with captures. A barrier
///           that expects no arrival, because its count is 0 or all threads have dropped out, can only be destroyed or
///           given a new count. If a device uses a barrier of device scope without a completion, this barrier must live
///           until every arrival has returned. The end of its last phase is not enough: the last arrival writes to the
///           barrier after the phase ends
/// Example:
///     __device__ void diffuse(float* values, int rounds, cudax::barrier<cudax::thread_scope_block>& b) {
///       for (int i = 0; i < rounds; ++i) {
///         float const mean = (values[threadIdx.x] + values[(threadIdx.x + 1) % blockDim.x]) / 2;
///         b.arrive_and_wait(); // every thread has loaded both values
///         values[threadIdx.x] = mean;
///         b.arrive_and_wait(); // every thread has stored its value
///       }
///     }
template <thread_scope Named = thread_scope_system, class Completion = thread_detail::no_completion>
class barrier {
  CUDAX_ENSURE_SCOPE(Named, "barrier<Scope>");
  static_assert(thread_detail::completion_function<Completion>,
                "cudax.sync: barrier<Scope, Completion>: the completion must be callable without arguments "
                "[thread.barrier.class]");

  static constexpr thread_scope Scope = scope_among_threads(Named);
  static constexpr bool may_be_hardware =
      Scope == thread_scope_block && same_as<Completion, thread_detail::no_completion>;

public:
  /// Identifies the phase in which a thread arrived: an arrival returns it, a wait takes it.
  /// Source:   [thread.barrier.class]
  class arrival_token {
  public:
    arrival_token() = default;
    arrival_token(arrival_token&&) = default;
    arrival_token& operator=(arrival_token&&) = default;

  private:
    friend barrier;
    friend thread_detail::barrier_access;
    constexpr explicit arrival_token(u64 value) noexcept : value_(value) {}

    u64 value_; // the phase; of an mbarrier, its state
  };

  /// Returns the largest count, 2^20 - 1.
  static constexpr ptrdiff_t max() noexcept {
    static_assert(thread_detail::barrier_state<Scope, Completion>::max_count == thread_detail::mbarrier::max_count);
    return thread_detail::mbarrier::max_count;
  }

  barrier() = default;
  /// Makes a barrier that expects `expected` arrivals in every phase.
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
    if (in_hardware()) thread_detail::mbarrier::start(state_.address(), u32(expected));
    else state_.start(u32(expected));
  }
  barrier(barrier const&) = delete;
  barrier& operator=(barrier const&) = delete;

  // --- arriving ----------------------------------------------------------------------------------------------------

  /// Arrives `update` times in the current phase. The last arrival of a phase runs the completion, then begins the next
  /// phase.
  /// Source:   [thread.barrier.class], arrive
  /// Order:    release; pairs with the wait. Every arrival of the phase happens before the completion
  /// Requires: 0 < update <= the arrivals that the current phase still expects
  [[nodiscard]] arrival_token arrive(ptrdiff_t update = 1) noexcept
      CUDAX_REFUSE(update <= 0, "barrier::arrive: the update is not positive; use 1 or more [thread.barrier.class]") {
    CUDAX_ENSURE(update > 0 && update <= max(),
                 "barrier::arrive: update %lld is not positive, or above max() [thread.barrier.class]", update);
    if (in_hardware()) return arrival_token(thread_detail::mbarrier::arrive(state_.address(), u32(update)));
    return arrival_token(state_.arrive(u32(update), completion_).phase);
  }

  /// Arrives once for a whole group: after all threads of the group have called, its first thread arrives. Returns the
  /// token to the first thread, and a token without a meaning to the others; pass it to wait(group, token).
  /// Source:   extension
  /// Order:    release, of everything that is sequenced before the call in any thread of the group
  /// Requires: every thread of the group calls it. A group counts as one arrival: init(&b, 1) for a single block,
  ///           init(&b, gridDim.x) for all blocks of a grid
  template <thread_group G>
  [[nodiscard]] arrival_token arrive(G const& group) noexcept {
    return thread_detail::sync_and_choose_first(group) ? arrive() : arrival_token(0);
  }

  /// Arrives once, and lowers the expected count of all later phases by one. May block until the last arrival of the
  /// previous phase returns.
  /// Source:   [thread.barrier.class], arrive_and_drop
  /// Order:    release; pairs with the wait
  /// Requires: as arrive; the expected count of the later phases is at least 1 before the call
  void arrive_and_drop() noexcept {
    if (in_hardware()) return thread_detail::mbarrier::arrive_and_drop(state_.address());
    state_.arrive_and_drop(completion_);
  }

  // --- waiting for the phase of a token ----------------------------------------------------------------------------

  /// Blocks until the phase of `token` completes.
  /// Source:   [thread.barrier.class], wait
  /// Order:    acquire; pairs with the arrivals of that phase. The completion of the phase happens before the return
  /// Requires: at the call, `token` is of the current phase or of the previous one. On an mbarrier this must hold until
  ///           the wait returns. On any other barrier, other threads may complete any number of phases during the wait,
  ///           except exactly 2^23 phases, or a multiple, between two polls: the wait then returns only after they
  ///           complete another phase (barrier_state.cppm)
  /// Errors:   a checked build stops at an older token, except on an mbarrier, which cannot detect one
  /// Example:
  ///     cudax::barrier<> b(1);
  ///     auto token = b.arrive(); // this thread's results are ready
  ///     // ... work that does not need the results of the other threads
  ///     b.wait(std::move(token));
  void wait(arrival_token&& token) const noexcept {
    ensure_recent(token);
    if (in_hardware()) return thread_detail::mbarrier::wait(state_.address(), token.value_);
    wait_for_phase(u32(token.value_));
  }
  void wait(arrival_token const&) const = delete (
      "cudax.sync: barrier::wait: the token serves one wait, which takes it: b.wait(std::move(token)), or "
      "b.wait(b.arrive()) [thread.barrier.class]");

  /// Blocks a whole group until the phase of `token` completes. The group's first thread waits for the barrier; the
  /// other threads wait for the first thread in sync().
  /// Source:   extension
  /// Order:    acquire, for every thread of the group
  /// Requires: every thread of the group calls it, with the token that its call of arrive(group) returned
  template <thread_group G>
  void wait(G const& group, arrival_token&& token) const noexcept {
    if (group.thread_rank() == 0) wait(static_cast<arrival_token&&>(token));
    group.sync();
  }
  template <thread_group G>
  void wait(G const&, arrival_token const&) const =
      delete ("cudax.sync: barrier::wait: the token serves one wait, which takes it: b.wait(group, std::move(token))");

  /// Returns whether the phase of `token` is complete. If not, the token can be used again.
  /// Source:   libcu++, barrier::try_wait
  /// Order:    acquire if it returns true
  /// Requires: as wait
  [[nodiscard]] bool try_wait(arrival_token const& token) const noexcept {
    ensure_recent(token);
    if (in_hardware()) return thread_detail::mbarrier::try_wait(state_.address(), token.value_);
    return state_.is_complete(u32(token.value_)) && state_.acquired();
  }

  /// Blocks as wait, but for at most `length` on the steady clock; returns whether the phase is complete.
  /// Source:   libcu++, barrier::try_wait_for
  /// Order:    acquire if it returns true
  /// Units:    any duration
  /// Requires: as wait
  template <duration_like D>
  [[nodiscard]] bool try_wait_for(arrival_token const& token, D const& length) const noexcept {
    ensure_recent(token);
    if (in_hardware())
      return machine::block_for<Scope>(state_.address(), thread_detail::mbarrier::polls(state_.address(), token.value_),
                                       length);
    return machine::block_for<Scope>(state_.address(), phase_predicate(u32(token.value_)), length) && state_.acquired();
  }

  /// Blocks as wait, but at most until `point`, a time point of any clock; returns whether the phase is complete.
  /// Source:   libcu++, barrier::try_wait_until
  /// Order:    acquire if it returns true
  /// Requires: as wait
  template <time_point_like P>
  [[nodiscard]] bool try_wait_until(arrival_token const& token, P const& point) const noexcept {
    if (try_wait(token)) return true;
    if (in_hardware())
      return machine::block_until_point<Scope>(state_.address(),
                                               thread_detail::mbarrier::polls(state_.address(), token.value_), point);
    return machine::block_until_point<Scope>(state_.address(), phase_predicate(u32(token.value_)), point) &&
           state_.acquired();
  }

  // --- waiting for a parity ----------------------------------------------------------------------------------------

  /// Blocks until the phase of the given parity completes. Phases are numbered from 0: false means an even number (the
  /// first phase, the third, and so on), true an odd one. For threads that count the phases themselves and hold no
  /// token.
  /// Source:   libcu++, barrier::wait_parity
  /// Order:    acquire; pairs with the arrivals of that phase
  /// Requires: from the call to the return, the awaited phase is the current phase or the previous one
  void wait_parity(bool parity) const noexcept {
    if (in_hardware()) return thread_detail::mbarrier::wait_parity(state_.address(), parity);
    auto const changed = [this, parity]() noexcept { return state_.poll_parity_with_pause(parity); };
    machine::block_until<Scope>(
        state_.address(),
        CUDAX_AWAITS(changed, "barrier::wait_parity: phase #, missing arrivals: #", state_.phase(), state_.missing()),
        forever);
    state_.acquired();
  }

  /// Returns whether the phase of the given parity is complete.
  /// Source:   libcu++, barrier::try_wait_parity
  /// Order:    acquire if it returns true
  /// Requires: as wait_parity
  [[nodiscard]] bool try_wait_parity(bool parity) const noexcept {
    if (in_hardware()) return thread_detail::mbarrier::try_wait_parity(state_.address(), parity);
    return state_.is_parity_complete(parity) && state_.acquired();
  }

  /// Blocks as wait_parity, but for at most `length` on the steady clock; returns whether the phase is complete.
  /// Source:   libcu++, barrier::try_wait_parity_for
  /// Order:    acquire if it returns true
  /// Units:    any duration
  /// Requires: as wait_parity
  template <duration_like D>
  [[nodiscard]] bool try_wait_parity_for(bool parity, D const& length) const noexcept {
    if (in_hardware())
      return machine::block_for<Scope>(state_.address(),
                                       thread_detail::mbarrier::polls_parity(state_.address(), parity), length);
    return machine::block_for<Scope>(state_.address(), parity_predicate(parity), length) && state_.acquired();
  }

  /// Blocks as wait_parity, but at most until `point`, a time point of any clock; returns whether the phase is
  /// complete.
  /// Source:   libcu++, barrier::try_wait_parity_until
  /// Order:    acquire if it returns true
  /// Requires: as wait_parity
  template <time_point_like P>
  [[nodiscard]] bool try_wait_parity_until(bool parity, P const& point) const noexcept {
    if (try_wait_parity(parity)) return true;
    if (in_hardware())
      return machine::block_until_point<Scope>(state_.address(),
                                               thread_detail::mbarrier::polls_parity(state_.address(), parity), point);
    return machine::block_until_point<Scope>(state_.address(), parity_predicate(parity), point) && state_.acquired();
  }

  // --- arriving and waiting ----------------------------------------------------------------------------------------

  /// Arrives once, then blocks until the phase completes.
  /// Source:   [thread.barrier.class], arrive_and_wait
  /// Order:    release, then acquire
  void arrive_and_wait() noexcept {
    if (in_hardware()) return wait(arrive());
    auto const arrival = state_.arrive(1, completion_);
    state_.pause_for(arrival);
    wait_for_phase(arrival.phase);
  }

  /// Arrives once for a whole group, then blocks all of its threads until the phase completes. The group's first thread
  /// arrives and waits for the barrier; the other threads wait for the first thread in sync().
  /// Source:   extension
  /// Order:    release, then acquire, as if by every thread of the group
  /// Units:    on an H200 a phase of 132 blocks at device scope takes 0.87 to 0.91 us, for every block size. At block
  ///           scope the two syncs of the group add to the wait, and it is faster if every thread arrives by itself: a
  ///           phase then takes 84 cycles with 32 threads and 198 with 1,024, as a group 169 and 266. (The floor is two
  ///           barrier.sync of 29 to 87 cycles and one arrival whose result is awaited, 107 to 250 by hand)
  /// Requires: every thread of the group calls it; the group counts as one arrival, see arrive(group)
  template <thread_group G>
  void arrive_and_wait(G const& group) noexcept {
    // Not act_for_group: it is slower here, by 4 % at device scope and by 15 % for an mbarrier (H200, ptxas 13.0).
    if (thread_detail::sync_and_choose_first(group)) arrive_and_wait_for_group();
    group.sync();
  }

private:
  friend thread_detail::barrier_access;

  bool in_hardware() const noexcept {
    if constexpr (may_be_hardware) return thread_detail::mbarrier::is_at(state_.address());
    else return false;
  }

  auto phase_predicate(u32 phase) const noexcept {
    return [this, phase]() noexcept { return state_.is_complete(phase); };
  }
  auto parity_predicate(bool parity) const noexcept {
    return [this, parity]() noexcept { return state_.is_parity_complete(parity); };
  }

  // A wait without a time limit pauses between polls while many arrivals are missing.
  void block_for_phase(u32 phase) const noexcept {
    auto const changed = [this, phase]() noexcept { return state_.poll_with_pause(phase); };
    machine::block_until<Scope>(
        state_.address(),
        CUDAX_AWAITS(changed, "barrier::wait: phase #, missing arrivals: #", state_.phase(), state_.missing()),
        forever);
  }
  void wait_for_phase(u32 phase) const noexcept {
    block_for_phase(phase);
    state_.acquired();
  }

  /// Arrives and waits as the only thread of its group to do so. If its arrival ends the phase, the thread does not
  /// wait. In contrast, arrive_and_wait() without a group enters the polling loop even then, because all threads of a
  /// warp may call it. The lane that ends the phase would gain nothing by skipping the loop. And with a branch around
  /// the loop, the warp could run the other lanes in the loop before that lane refills the count.
  ///   Groups are few, so their polls do not delay the missing arrivals, and the wait does not pause.
  void arrive_and_wait_for_group() noexcept {
    if (in_hardware()) return wait(arrive());
    auto const arrival = state_.arrive(1, completion_);
    if (!arrival.ended_phase)
      machine::block_until<Scope>(state_.address(),
                                  CUDAX_AWAITS(phase_predicate(arrival.phase),
                                               "barrier::arrive_and_wait: phase #, missing arrivals: #", state_.phase(),
                                               state_.missing()),
                                  forever);
    state_.acquired();
  }

  /// Stops a checked build at a token that is too old. The age of a token of an mbarrier is unknown.
  void ensure_recent([[maybe_unused]] arrival_token const& token) const noexcept {
    CUDAX_ENSURE(in_hardware() || state_.age(u32(token.value_)) <= 1,
                 "barrier::wait: the token is %lld phases old; wait for each phase before the next one ends "
                 "[thread.barrier.class]",
                 state_.age(u32(token.value_)));
  }

  thread_detail::barrier_state<Scope, Completion> state_;
  [[no_unique_address]] Completion completion_;
};

/// Constructs a barrier in place: in an object that was default-constructed, as in shared memory, or on which destroy
/// was called. A barrier that is not an mbarrier need not be destroyed first.
/// Source:   libcu++, init
/// Order:    none: a plain initialization
/// Requires: 0 <= expected <= max(); no other thread uses the barrier during the call, and every arrival has returned.
///           If the object is a live mbarrier, destroy is called first: in PTX a second mbarrier.init is undefined
///           behavior
/// Example:
///     __global__ void meet() {
///       __shared__ cudax::barrier<cudax::thread_scope_block> b;
///       if (threadIdx.x == 0) init(&b, blockDim.x);
///       __syncthreads();
///       b.arrive_and_wait();
///     }
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

namespace cudax::thread_detail {

/// Gives access to a barrier's mbarrier and tokens: for namespace `device` (barrier_native.cppm) and for the copies
/// that a barrier awaits (copy_ways.cppm).
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

} // namespace cudax::thread_detail

export namespace cudax {

/// Ends the lifetime of a barrier, so that its memory can be used for anything else, such as another barrier. A kernel
/// must call it before it uses the memory of an mbarrier (an object in shared memory, of block scope and without a
/// completion) again: the destructor of such an object does not execute mbarrier.inval, because __shared__ objects must
/// have a trivial destructor. For any other barrier destroy only calls the destructor.
/// Source:   extension; PTX ISA, mbarrier.inval
/// Order:    none: the threads that use the memory next synchronize with the caller by other means, such as
///           __syncthreads
/// Requires: a constructor or init made the barrier; one thread calls destroy, once, after every other call has
///           returned and every copy that the barrier tracks is complete
/// Example:
///     __global__ void meet_twice() {
///       __shared__ cudax::barrier<cudax::thread_scope_block> b;
///       if (threadIdx.x == 0) init(&b, blockDim.x);
///       __syncthreads();
///       b.arrive_and_wait();
///       __syncthreads();
///       if (threadIdx.x == 0) destroy(&b), init(&b, 2); // __syncthreads() before the next use
///     }
template <thread_scope Scope, class Completion>
void destroy(barrier<Scope, Completion>* object) noexcept {
  if (thread_detail::barrier_access::in_hardware(*object))
    thread_detail::mbarrier::end(thread_detail::barrier_access::word(*object));
  object->~barrier<Scope, Completion>();
}

} // namespace cudax

CUDAX_EVERYWHERE_END
