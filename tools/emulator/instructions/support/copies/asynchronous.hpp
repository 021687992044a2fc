// SPDX-License-Identifier: Apache-2.0
//
// asynchronous: writes that are performed asynchronously to the issuing thread: cp.async, cp.async.bulk (of tensors,
// too), cp.reduce.async.bulk, st.async, red.async, clusterlaunchcontrol.
//
// Each is a record (memory/asynchronous_write.hpp). The write may happen at any time after it is issued. The machine
// performs it at once, which the ISA allows, except in a checked run: check/run/pending_copies.
#pragma once

#include "../memory/asynchronous_write.hpp"

namespace emulator {

/// What a part without `reduce` writes, from memory as it is now.
void value_of(asynchronous_write const&, asynchronous_part const&, std::byte* value);

/// Issues a write.
void issue(thread&, asynchronous_write const&);
/// Performs the write and notifies the barrier.
void finish(thread const&, asynchronous_write const&);

/// Ends the group of what the thread has issued since the last group.
void commit_group(thread&, group_kind);
/// Waits until at most `pending` groups are unfinished, or have not read their source. Does nothing if all writes are
/// performed at once.
void wait_for_groups(thread&, group_kind, u32 pending, bool reads);
/// Makes the barrier receive an arrival after everything that the thread issued by cp.async is complete.
void arrive_after_copies(thread&, std::byte* barrier);

} // namespace emulator
