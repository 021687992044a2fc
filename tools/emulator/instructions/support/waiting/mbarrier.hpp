// SPDX-License-Identifier: Apache-2.0
//
// mbarrier: a barrier in shared memory, in one word of 64 bits.  [PTX ISA, "mbarrier"]
// The word contains what is pending in the current phase (arrivals, and bytes of asynchronous copies), the number of
// arrivals that the next phases expect, and the phase. Every operation replaces the word atomically, so that threads of
// several blocks may arrive. The operation that leaves nothing pending also begins the next phase in the same step, so
// no thread sees a phase that is complete but not yet replaced. The state that an arrival returns is the word before
// the arrival.
#pragma once

#include "../memory/memory.hpp"

#include <string>

namespace emulator {

struct mbarrier {
  static constexpr u32 most = (1u << 20) - 1; ///< arrivals, and bytes up or down

  bool exists;  ///< distinguishes a barrier from memory that never was one
  u32 phase;    ///< modulo 4
  s32 bytes;    ///< expected but not yet complete; negative if they completed first
  u32 expected; ///< arrivals in each phase
  u32 pending;  ///< arrivals missing in this phase

  static mbarrier unpacked(u64 word) {
    return {bool(word >> 63), u32(word >> 61 & 3), s32(word << 3 >> 32) >> 11, u32(word >> 20 & most),
            u32(word & most)};
  }
  u64 packed() const {
    return u64(exists) << 63 | u64(phase & 3) << 61 | u64(u32(bytes) & 0x1fffff) << 40 | u64(expected) << 20 | pending;
  }
  bool is_complete() const { return pending == 0 && bytes == 0; }
};

/// Errors, here and below: fault cudaErrorLaunchFailure if the ISA does not define the behavior
void init_mbarrier(thread const&, std::byte* where, u32 count);
void invalidate_mbarrier(thread const&, std::byte* where);

struct arrival {
  u32 count = 1;
  u32 bytes = 0;         ///< additional bytes that the phase expects
  bool drops = false;    ///< the next phases expect `count` fewer
  bool completes = true; ///< false: the program guarantees that this does not end the phase (.noComplete)
};
/// Returns: the state before
u64 arrive(thread const&, std::byte* where, arrival);

/// Increases the bytes that the phase expects.
void expect_bytes(thread const&, std::byte* where, u32 bytes);
/// Completes this many bytes of the phase.
void complete_bytes(thread const&, std::byte* where, u32 bytes);
/// Adds one pending arrival in this phase only, for cp.async.mbarrier.arrive.
void add_pending(thread const&, std::byte* where);

/// Whether the phase of this state, or of this parity, is complete.
bool is_over(thread const&, std::byte const* where, u64 state);
bool is_parity_over(thread const&, std::byte const* where, u32 parity);

} // namespace emulator
