// SPDX-License-Identifier: Apache-2.0
//
// mbarrier: a barrier in shared memory, in one word of 64 bits.  [PTX ISA, "mbarrier"]
// The word holds what is pending in the current phase (arrivals, and bytes of asynchronous copies), how many arrivals
// the next phases expect, and the phase. Every operation replaces the word at once, so that threads of several blocks
// may arrive; the operation that leaves nothing pending also begins the next phase in the same step, so nobody sees a
// phase that is over and not yet replaced. A state that an arrival returns is the word before it.
#pragma once

#include "memory.hpp"

#include <string>

namespace emulator {

struct mbarrier {
  static constexpr u32 most = (1u << 20) - 1; ///< arrivals, and bytes up or down

  bool exists;  ///< tells it from memory that never was one
  u32 phase;    ///< modulo 4
  s32 bytes;    ///< expected and not yet there; below 0 where they came first
  u32 expected; ///< arrivals in each phase
  u32 pending;  ///< arrivals in this one

  static mbarrier unpacked(u64 word) {
    return {bool(word >> 63), u32(word >> 61 & 3), s32(word << 3 >> 32) >> 11, u32(word >> 20 & most),
            u32(word & most)};
  }
  u64 packed() const {
    return u64(exists) << 63 | u64(phase & 3) << 61 | u64(u32(bytes) & 0x1fffff) << 40 | u64(expected) << 20 | pending;
  }
  bool is_complete() const { return pending == 0 && bytes == 0; }
};

/// Errors, here and below: fault cudaErrorLaunchFailure where the ISA leaves what happens undefined
void init_mbarrier(thread const&, std::byte* where, u32 count);
void invalidate_mbarrier(thread const&, std::byte* where);

struct arrival {
  u32 count = 1;
  u32 bytes = 0;         ///< that the phase expects in addition
  bool drops = false;    ///< the next phases expect `count` fewer
  bool completes = true; ///< false: a promise that this does not end the phase (.noComplete)
};
/// Returns: the state before
u64 arrive(thread const&, std::byte* where, arrival);

/// The phase expects this many bytes more.
void expect_bytes(thread const&, std::byte* where, u32 bytes);
/// This many bytes of the phase are there.
void complete_bytes(thread const&, std::byte* where, u32 bytes);
/// One arrival more in this phase only, for cp.async.mbarrier.arrive.
void add_pending(thread const&, std::byte* where);

/// Whether the phase of this state, or of this parity, is over.
bool is_over(thread const&, std::byte const* where, u64 state);
bool is_parity_over(thread const&, std::byte const* where, u32 parity);

} // namespace emulator
