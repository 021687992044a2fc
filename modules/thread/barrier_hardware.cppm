// SPDX-License-Identifier: Apache-2.0
//
// barrier_hardware: a barrier of one block as an mbarrier, the object that sm_80 and later have in shared memory.
// PTX ISA, "mbarrier". Its arrivals release and its waits acquire at block scope, and its phases have the meaning of
// barrier_state's; what it returns for an arrival is its state, of which a wait takes the phase. Below sm_80, in other
// memory and on the host there is none: is_at() is false there, and folds where the compiler knows the address space.
module;
#include "../base/macros.hpp"
#if CUDAX_ON_DEVICE
#include "../../arch/abi.hpp"
#endif
export module cudax.sync:barrier_hardware;
import :bits;
import :duration;
import :machine;
import :scope;
import :wait;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::machine::mbarrier {

inline constexpr ptrdiff_t max_count = (1 << 20) - 1; // PTX ISA, "Contents of the mbarrier object"

#if CUDAX_ON_DEVICE

inline bool is_at(void const* address) noexcept { return cudax_has_shared_barrier() && cudax_is_shared(address); }

/// mbarrier.init takes a count of 1 and more (PTX ISA). So a barrier of 0 is made for one arrival, which drops out at once:
/// this is the state that the last thread to drop out leaves behind at any barrier. PTX does not describe it. On an H200
/// every kind of wait finds the phase complete, now and later, and a further arrival traps: it ends the kernel of a program
/// that arrives too often.
inline void start(void* object, u32 count) noexcept {
  cudax_shared_barrier_init(object, count ? count : 1);
  if (!count) cudax_shared_barrier_arrive_drop(object, 1);
}

/// Until mbarrier.inval, the object's bytes must not be used for anything else, not even by mbarrier.init (PTX ISA).
inline void end(void* object) noexcept { cudax_shared_barrier_invalidate(object); }

inline u64 arrive(void* object, u32 count) noexcept {
  u64 const state = cudax_shared_barrier_arrive(object, count);
  CUDAX_ENSURE(count <= cudax_shared_barrier_pending(state),
               "barrier::arrive: %lld arrivals more than the phase awaits; arrive no more often than the barrier was "
               "made for, less the threads that dropped out [thread.barrier.class]",
               (long long)count - cudax_shared_barrier_pending(state));
  return state;
}

inline void arrive_and_drop(void* object) noexcept { cudax_shared_barrier_arrive_drop(object, 1); }

inline bool try_wait(void const* object, u64 state) noexcept {
  return cudax_shared_barrier_test_wait(const_cast<void*>(object), state);
}
inline bool try_wait_parity(void const* object, bool parity) noexcept {
  return cudax_shared_barrier_test_wait_parity(const_cast<void*>(object), parity);
}

/// What a timed wait polls: short looks, since the time is read between them.
inline auto polls(void const* object, u64 state) noexcept {
  return [object, state]() noexcept { return try_wait(object, state); };
}
inline auto polls_parity(void const* object, bool parity) noexcept {
  return [object, parity]() noexcept { return try_wait_parity(object, parity); };
}

inline void wait(void const* object, u64 state) noexcept {
  while (!cudax_shared_barrier_try_wait(const_cast<void*>(object), state)) {}
}
inline void wait_parity(void const* object, bool parity) noexcept {
  while (!cudax_shared_barrier_try_wait_parity(const_cast<void*>(object), parity)) {}
}

#else

inline bool is_at(void const*) noexcept { return false; }

// Never called.
constexpr void start(void*, u32) noexcept {}
inline void end(void*) noexcept {}
inline u64 arrive(void*, u32) noexcept { return 0; }
inline void arrive_and_drop(void*) noexcept {}
inline bool try_wait(void const*, u64) noexcept { return false; }
inline bool try_wait_parity(void const*, bool) noexcept { return false; }
inline auto polls(void const*, u64) noexcept {
  return []() noexcept { return false; };
}
inline auto polls_parity(void const*, bool) noexcept {
  return []() noexcept { return false; };
}
inline void wait(void const*, u64) noexcept {}
inline void wait_parity(void const*, bool) noexcept {}

#endif

} // namespace cudax::machine::mbarrier

CUDAX_EVERYWHERE_END
