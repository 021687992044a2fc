// SPDX-License-Identifier: Apache-2.0
//
// time: the clocks of a device and of the host, and sleeping on a device.  PTX ISA, "%globaltimer", "%clock64",
// "nanosleep"
module;
#include "../../../runtime/interface/boundary.hpp"
#include "../../base/macros.hpp"
export module cudax.sync:device_time;
import :bits;
import :device_abi;

CUDAX_EVERYWHERE_BEGIN
CUDAX_HERE_BEGIN

namespace cudax::machine {

/// Returns nanoseconds since an arbitrary start; never goes back.
inline long long steady_now() noexcept {
  return CUDAX_HERE((long long)entry::cudax_nanoseconds(), runtime::steady_now());
}

/// Returns nanoseconds since 1970.
inline long long system_now() noexcept {
  return CUDAX_HERE((long long)entry::cudax_nanoseconds(), runtime::system_now());
}

/// Returns cycles of the multiprocessor; on the host, of the processor's time-stamp counter.
inline unsigned long long cycles_now() noexcept { return CUDAX_HERE(entry::cudax_cycles(), runtime::cycles_now()); }

} // namespace cudax::machine

namespace cudax::machine::gpu {

/// Suspends the calling thread for 0 to 2 * `nanoseconds`, at most a millisecond. Does nothing on the host.
inline void sleep(u32 nanoseconds) noexcept { CUDAX_HERE(entry::cudax_sleep(nanoseconds), void()); }

#if defined(CUDAX_CHECKED)
/// Returns once whether the wait has lasted longer than the limit for reports. `began` is the caller's, and 0 before
/// the first call.
inline bool hang_is_due(u64& began) noexcept { return CUDAX_HERE(entry::cudax_hang_is_due(&began), false); }

/// Reports a wait at `object` to the host; the values replace the characters '#' of the text.
inline void report_hang(void const volatile* object, char const* text, u64 first, u64 second) noexcept {
  CUDAX_HERE(entry::cudax_hang_report((void const*)object, text, first, second), void());
}
#endif

} // namespace cudax::machine::gpu

CUDAX_HERE_END
CUDAX_EVERYWHERE_END
