// SPDX-License-Identifier: Apache-2.0
//
// time: the clocks of a device and of the host, and sleeping on a device.  PTX ISA, "%globaltimer", "%clock64",
// "nanosleep"
module;
#include "../../../runtime/boundary.hpp"
#include "../../base/macros.hpp"
export module cudax.sync:device_time;
import :bits;
import :device_abi;

CUDAX_EVERYWHERE_BEGIN
CUDAX_HERE_BEGIN

namespace cudax::machine {

/// Returns nanoseconds since an arbitrary start; never goes back.
inline long long steady_now() noexcept { return CUDAX_HERE((long long)cudax_nanoseconds(), runtime::steady_now()); }

/// Returns nanoseconds since 1970.
inline long long system_now() noexcept { return CUDAX_HERE((long long)cudax_nanoseconds(), runtime::system_now()); }

/// Returns cycles of the multiprocessor; on the host, of the processor's time-stamp counter.
inline unsigned long long cycles_now() noexcept { return CUDAX_HERE(cudax_cycles(), runtime::cycles_now()); }

} // namespace cudax::machine

namespace cudax::machine::gpu {

/// Suspends the calling thread for 0 to 2 * `nanoseconds`, at most a millisecond. Does nothing on the host.
inline void sleep(u32 nanoseconds) noexcept { CUDAX_HERE(cudax_sleep(nanoseconds), void()); }

} // namespace cudax::machine::gpu

CUDAX_HERE_END
CUDAX_EVERYWHERE_END
