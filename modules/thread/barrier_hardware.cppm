// SPDX-License-Identifier: Apache-2.0
//
// barrier_hardware: a barrier of one block as an mbarrier, an object in shared memory that requires sm_80.
// PTX ISA, "mbarrier". Its arrivals release and its waits acquire at block scope. Its phases mean the same as those of
// barrier_state. An arrival returns the state of the mbarrier; a wait uses the phase in that state. Before sm_80, in
// other memory and on the host there is no mbarrier, and is_at() returns false. The call folds if the compiler knows
// the address space.
module;
#include "../base/macros.hpp"
export module cudax.sync:barrier_hardware;
import :bits;
import :device_barrier;
import :duration;
import :machine;
import :scope;
import :wait;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::thread_detail::mbarrier {

inline constexpr ptrdiff_t max_count = (1 << 20) - 1; // PTX ISA, "Contents of the mbarrier object"

inline bool is_at(void const* address) noexcept {
  return machine::gpu::has_shared_barrier() && machine::gpu::is_shared(address);
}

/// Starts an mbarrier that expects `count` arrivals. mbarrier.init takes a count of at least 1 (PTX ISA). So a barrier
/// of count 0 is initialized for one arrival, which drops out immediately. This is also the state of any mbarrier after
/// its last thread has dropped out. PTX does not describe that state. On an H200, from then on, every kind of wait
/// finds the phase complete. A further arrival traps, so the kernel of a program that arrives too often ends with an
/// error.
inline void start(void* object, u32 count) noexcept {
  machine::gpu::shared_barrier::init(object, count ? count : 1);
  // Relaxed would do, as for the initialization itself; the machine code is the same.
  if (!count) machine::gpu::shared_barrier::arrive_drop(object, 1);
}

/// Ends the mbarrier by mbarrier.inval. Before that, the object's bytes must not be used for anything else, not even by
/// mbarrier.init (PTX ISA).
inline void end(void* object) noexcept { machine::gpu::shared_barrier::invalidate(object); }

inline u64 arrive(void* object, u32 count) noexcept {
  u64 const state = machine::gpu::shared_barrier::arrive(object, count);
  CUDAX_ENSURE(count <= machine::gpu::shared_barrier::pending(state),
               "barrier::arrive: %lld arrivals more than the phase awaits; arrive no more often than the barrier was "
               "made for, less the threads that dropped out [thread.barrier.class]",
               (long long)count - machine::gpu::shared_barrier::pending(state));
  return state;
}

inline void arrive_and_drop(void* object) noexcept { machine::gpu::shared_barrier::arrive_drop(object, 1); }

inline bool try_wait(void const* object, u64 state) noexcept {
  return machine::gpu::shared_barrier::test_wait(object, state);
}
inline bool try_wait_parity(void const* object, bool parity) noexcept {
  return machine::gpu::shared_barrier::test_wait_parity(object, parity);
}

/// Return the predicate that a timed wait polls. It uses test_wait, which does not block, since the time is read
/// between polls.
inline auto polls(void const* object, u64 state) noexcept {
  return [object, state]() noexcept { return try_wait(object, state); };
}
inline auto polls_parity(void const* object, bool parity) noexcept {
  return [object, parity]() noexcept { return try_wait_parity(object, parity); };
}

inline void wait(void const* object, u64 state) noexcept {
  CUDAX_HANG_WATCH(watch);
  while (!machine::gpu::shared_barrier::try_wait(object, state))
    CUDAX_HANG_CHECK(
        watch, forever, object,
        CUDAX_AWAITS(0, "barrier::wait: arrivals or copies are missing; missing arrivals when this thread arrived: #",
                     machine::gpu::shared_barrier::pending(state)));
}
inline void wait_parity(void const* object, bool parity) noexcept {
  CUDAX_HANG_WATCH(watch);
  while (!machine::gpu::shared_barrier::try_wait_parity(object, parity))
    CUDAX_HANG_CHECK(watch, forever, object,
                     CUDAX_AWAITS(0, "barrier::wait_parity: parity #, arrivals or copies are missing", parity));
}

} // namespace cudax::thread_detail::mbarrier

CUDAX_EVERYWHERE_END
