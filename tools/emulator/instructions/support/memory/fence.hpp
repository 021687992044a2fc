// SPDX-License-Identifier: Apache-2.0
//
// fence: what fence and membar become.
#pragma once

#include "access.hpp"

namespace emulator {

/// A fence.sc where `is_sc`. `is_restricted`: of shared memory alone (.sync_restrict).
void emit_fence(decoder&, semantics, scope, bool is_sc, bool is_restricted = false);
/// Between proxies, for objects in these spaces: an operation, so that there is something to watch, that does nothing
/// on the host.
void emit_proxy_fence(decoder&, bool global, bool shared);
/// fence.proxy.tensormap::generic.acquire of the map at this address.
void emit_tensor_map_fence(decoder&, memory_operand map, scope);
/// fence.proxy.tensormap::generic.release.
void emit_tensor_map_release(decoder&, scope);

} // namespace emulator
