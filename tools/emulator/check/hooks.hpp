// SPDX-License-Identifier: Apache-2.0
//
// hooks: what instructions do where a run is checked.
// The handlers are those of fast runs with another way to memory: through the model, and then perhaps to another thread.
// Parameters and a thread's own local memory are nobody else's: they stay out of it.
#pragma once

#include "../instructions/support/memory.hpp"
#include "../machine/mode.hpp"

#include <functional>
#include <string>

namespace emulator {
struct named_barrier;
}

namespace emulator::check {

inline ordering ordering_of(operation const& o) { return std::bit_cast<ordering>(o.extra); }

/// Whether an address is of the thread's local memory or of the kernel's parameters.
bool is_private(thread const&, std::byte const* where);

// Accesses of the operation at thread::pc.
void load(thread&, std::byte const* where, std::uint32_t size, ordering, void* value, std::uint32_t vector_size = 0);
void store(thread&, std::byte* where, std::uint32_t size, ordering, void const* value);
/// `is_reduction`: nothing is returned, so that it makes no acquire pattern.
void update(thread&, std::byte* where, std::uint32_t size, ordering, void* old, std::function<bool(void*)> const&,
            bool is_reduction = false);

/// The end of a handler of the goes_on shape: the next operation, unless it is another thread's turn.
inline operation const* next_or_other(thread& t, operation const* o) {
  if (--t.budget >= 0) return o + 1;
  t.pc = o + 1;
  return nullptr;
}

/// A handler of the accesses shape as one after which another thread may come.
template <void (*F)(thread&, std::uint64_t*, operation const&)>
operation const* interruptible(thread& t, operation const* o, std::uint64_t* registers) {
  F(t, registers, *o);
  return next_or_other(t, o);
}

/// The handler for F, which accesses memory other than by the functions above.
template <void (*F)(thread&, std::uint64_t*, operation const&)>
handler handler_of() {
  return checks() ? goes_on<interruptible<F>> : accesses<F>;
}

void fence(thread&, std::uint64_t*, operation const&); ///< extra: ordering; a: whether it is .sc
void proxy_fence(thread&, std::uint64_t*, operation const&);

// --- barriers ---

/// Which phase the mbarrier is in, counted from its initialisation.
std::uint64_t phase_of_mbarrier(std::byte const* where);
void mbarrier_began(thread const&, std::byte* where);
void mbarrier_ended(thread const&, std::byte* where);
/// Before it waits for the phase of this state or parity.
void waits_at_mbarrier(thread&, std::byte const* where, bool is_parity, std::uint64_t state);
/// Before it arrives, or changes the bytes that are pending.
void arrives_at_mbarrier(thread const&, std::byte* where, ordering);
/// A wait found the phase over, of this state's or parity. Returns: false where it is to say that it is not.
bool leaves_mbarrier(thread const&, std::byte const* where, ordering, bool is_parity, std::uint64_t state);

void arrives_at_block(thread const&, named_barrier const&, std::uint64_t phase);
void leaves_block(thread const&, named_barrier const&, std::uint64_t phase);
/// A barrier of the whole block ends, and some of its threads have exited.
void some_exited(named_barrier const&, block const&);
void arrives_at_cluster(thread const&, bool releases, bool is_aligned, std::uint64_t phase);
void leaves_cluster(thread const&, std::uint64_t phase);
/// bar.warp.sync of these lanes.
void meets(warp&, std::uint32_t lanes);

// --- cluster launch control ---
void requests_cluster(thread const&, bool found);
void told_of_no_cluster(thread const&);

std::uint32_t random_below(std::uint32_t bound);

} // namespace emulator::check
