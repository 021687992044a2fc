// SPDX-License-Identifier: Apache-2.0
//
// asynchronous: writes that are made behind the back of the thread that issues them: cp.async, cp.async.bulk,
// cp.reduce.async.bulk, st.async, red.async, clusterlaunchcontrol.
// Each is a record of what is to be written, from where, and who is told. It may be made at any time after it is issued; this
// machine makes it at once, which the ISA allows, unless a run is checked: check/asynchronous.
#pragma once

#include "memory.hpp"

#include <array>

namespace emulator {

struct asynchronous_write {
  std::byte* to = nullptr;
  std::byte const* from = nullptr; ///< null: from `value`
  std::array<std::byte, 16> value{};
  u32 size = 0;             ///< bytes
  u32 zeros = 0;            ///< the last so many of them become 0 instead
  u32 unit = 8;             ///< bytes that are written at once: 4 or 8
  u32 mask = 0xffff;        ///< which of every 16 bytes are written
  bool async_proxy = false; ///< made by the asynchronous proxy: bulk copies and their kin
  void (*reduce)(std::byte* to, std::byte const* from, u32 size) = nullptr; ///< instead of writing
  std::byte* barrier = nullptr; ///< an mbarrier that is told of `size` bytes; null: the thread's groups know of it
};

/// Issues a write.
void issue(thread&, asynchronous_write const&);
/// Makes it, and tells the barrier.
void finish(thread const&, asynchronous_write const&);

/// The groups of cp.async (not bulk) and cp.async.bulk.
enum class group_kind : u8 { copies, bulk_copies };
void commit_group(thread&, group_kind);
/// Until at most `pending` groups are unfinished, or have not read what they copy: nothing, where all writes are made at
/// once.
void wait_for_groups(thread&, group_kind, u32 pending, bool reads);
/// Until everything that the thread issued by cp.async is there, the barrier gets an arrival later.
void arrive_after_copies(thread&, std::byte* barrier);

} // namespace emulator
