// SPDX-License-Identifier: Apache-2.0
//
// causes: why two accesses are not ordered, as data: what is missing between the two. explain.cpp says it in a
// sentence.
#pragma once

#include "tokens.hpp"

namespace emulator::check {

/// `first` and `second` are the two accesses, in the order in which they were performed.
struct cause {
  enum class reason : std::uint8_t {
    map_release,     ///< a fence that releases the tensor map that the second reads
    map_acquire,     ///< a fence that acquires this map
    proxy_fence,     ///< a fence between the generic and the async proxy
    wait_of_second,  ///< griddepcontrol.wait of the second's grid, a dependent launch
    wait_between,    ///< griddepcontrol.wait of a grid between the two
    path_of_graph,   ///< a path from the first's node to the second's
    all_memory,      ///< a release of all memory, not of the shared memory of the block that releases
    global_memory,   ///< a release of all memory, not of shared memory
    scope_of_first,  ///< `scope` of the first does not include the second's thread
    scope_of_second, ///< `scope` of the second does not include the first's thread
    same_object,     ///< they differ in address or size
    release_scope,   ///< `scope` of the release does not include the acquiring thread
    acquire_scope,   ///< `scope` of the acquire does not include the releasing thread
    copy_wait_scope, ///< `scope` of the wait for a copy does not include the block that issued the copy
    strong_flag,     ///< the flag is accessed by weak operations
    release_of_flag, ///< the write of the flag is relaxed, without a fence
    acquire_of_flag, ///< the read of the flag is relaxed, without a fence
    wait_for_copy,   ///< no thread waited for the end of the copy that is the first
    synchronization, ///< nothing is known that comes close
  } why = reason::synchronization;
  emulator::scope scope = emulator::scope::none;
  bool is_read = false;   ///< of release_scope: an instruction read the flag, `acquire`
  u32 release = no_agent; ///< the instruction that wrote the flag; no_agent: the host
  u32 acquire = no_agent; ///< the instruction that read the flag
};

} // namespace emulator::check
