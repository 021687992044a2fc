// SPDX-License-Identifier: Apache-2.0
//
// memory_observer: what instructions tell the observer of a checked run: accesses of memory, fences, mbarriers, copies.
// As machine/observer.hpp: `check` provides the one observer, and fast runs have none. Accesses go through the policy
// `checked` (access.hpp); everything else calls the observer where is_checked_run().
#pragma once

#include "asynchronous_write.hpp"

#include <functional>

namespace emulator {

/// Of a read-modify-write: whether it returns what it read, and whether it may store nothing.
enum class update_kind : u8 { returns, reduction, comparison };

struct memory_observer {
  // --- accesses, by the operation at thread::pc ---
  /// `vector_size`: of all elements, where this is one of those that an instruction accesses; else 0.
  virtual void load(thread&, std::byte const* where, u32 size, ordering, void* value, u32 vector_size) = 0;
  virtual void store(thread&, std::byte* where, u32 size, ordering, void const* value, u32 vector_size) = 0;
  /// `modify` turns the value into the new one, or, of a comparison, returns false and stores nothing. It may be called
  /// several times, with other values. A reduction makes no acquire pattern.
  virtual void update(thread&, std::byte* where, u32 size, ordering, void* old,
                      std::function<bool(void*)> const& modify, update_kind) = 0;
  /// `is_restricted`: a release of the own block's shared memory, or an acquire for that of any block, alone.
  virtual void fence(thread&, semantics, scope, bool is_sc, bool is_restricted) = 0;
  virtual void proxy_fence(thread&, bool global, bool shared) = 0; ///< of objects there
  /// fence.proxy.tensormap::generic.acquire of the map at this place.
  virtual void tensor_map_fence(thread&, std::byte const* where, scope) = 0;
  virtual void tensor_map_release(thread&, scope) = 0; ///< fence.proxy.tensormap::generic.release

  // --- mbarriers ---
  virtual void mbarrier_began(thread const&, std::byte* where) = 0;
  virtual void mbarrier_ended(thread const&, std::byte* where) = 0;
  /// Before a thread waits for the phase of this state or parity.
  virtual void waits_at_mbarrier(thread&, std::byte const* where, bool is_parity, u64 state) = 0;
  /// Before a thread expects bytes, and before it completes some itself.
  virtual void expects_at_mbarrier(thread const&, std::byte const* where, ordering) = 0;
  virtual void completes_at_mbarrier(thread const&, std::byte const* where, ordering, u32 bytes) = 0;
  /// Before a thread arrives. `expects`: bytes, too
  virtual void arrives_at_mbarrier(thread const&, std::byte* where, ordering, bool expects) = 0;
  /// A wait found the phase over, of this state's or parity. Returns: false where the wait is to answer that it is not
  virtual bool leaves_mbarrier(thread&, std::byte const* where, ordering, bool is_parity, u64 state) = 0;

  // --- asynchronous copies: the observer makes them ---
  virtual void issue(thread&, asynchronous_write const&) = 0;
  virtual void commit_group(thread&, group_kind) = 0;
  virtual void wait_for_groups(thread&, group_kind, u32 pending, bool reads) = 0;
  virtual void arrive_after_copies(thread&, std::byte* barrier) = 0;

protected:
  ~memory_observer() = default;
};

/// Set once, before main.
inline memory_observer* installed_memory_observer = nullptr;
/// Requires: is_checked_run()
inline memory_observer& the_memory_observer() { return *installed_memory_observer; }

} // namespace emulator
