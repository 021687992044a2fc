// SPDX-License-Identifier: Apache-2.0
//
// side: the side that is being compiled, host or device: its atomic operations, and how it differs from the other side.
// Plain accesses, for objects that no other thread may access: at thread scope, and in automatic storage.
module;
#include "../base/macros.hpp"
export module cudax.sync:side;
import :bits;
import :modify;
#if CUDAX_ON_DEVICE
import :device_words;
#else
import :host;
#endif

CUDAX_EVERYWHERE_BEGIN

#if !CUDAX_ON_DEVICE && __has_feature(thread_sanitizer)
extern "C" void AnnotateIgnoreWritesBegin(char const* file, int line);
extern "C" void AnnotateIgnoreWritesEnd(char const* file, int line);
#endif

namespace cudax::machine {

#if CUDAX_ON_DEVICE
namespace side = device_machine;
#else
namespace side = host_machine;
#endif

/// How the side being compiled differs from the other side, apart from how it performs an operation. Units of other
/// rooms use these names and do not test CUDAX_ON_DEVICE.
namespace traits {
/// The side's operations check their orders themselves, in the switch that selects an instruction (arch/select.hpp).
inline constexpr bool operations_check_orders = CUDAX_ON_DEVICE;
/// A fence after a relaxed load upgrades it to an acquire. On a device the fence costs less than a second load, which
/// is another trip to the L2. On the host a second load costs nothing, and the thread sanitizer does not know fences.
inline constexpr bool acquires_by_fence = CUDAX_ON_DEVICE;
/// The last arrival at a barrier ends the phase by its addition, and refills the arrival count by a second operation
/// (barrier_state.cppm).
inline constexpr bool refills_after_phase = CUDAX_ON_DEVICE;
/// Waiting threads sleep, and the thread that makes a change wakes them (wait.cppm). On a device they poll.
inline constexpr bool parks = !CUDAX_ON_DEVICE;
/// Threads run in blocks and grids. On the host the calling thread is alone.
inline constexpr bool has_grid = CUDAX_ON_DEVICE;
/// The lanes of a warp that call together combine their operations into one (combine.cppm). On the host the calling
/// thread is alone.
inline constexpr bool has_lanes = CUDAX_ON_DEVICE;
/// A read-modify-write of 1 or 2 bytes is made of operations on the aligned word around the object (loop.cppm).
inline constexpr bool modifies_words = CUDAX_ON_DEVICE;
/// Words of one sector of memory are loaded by few accesses (packed_slots.cppm). On the host they are in one cache
/// line.
inline constexpr bool loads_sectors = CUDAX_ON_DEVICE;
/// Copies are made in units of up to 16 bytes, by all threads of a group (copy_plain.cppm). On the host the C library
/// copies.
inline constexpr bool copies_by_units = CUDAX_ON_DEVICE;
} // namespace traits

/// While an object of this class exists, the thread sanitizer does not record the accesses of the calling thread; what
/// they order remains. For words that other threads read by plain loads: the sanitizer takes a compare-and-swap that
/// fails, and a load of 16 bytes, for a write, and would report a race.
class unrecorded_accesses {
public:
  unrecorded_accesses(unrecorded_accesses const&) = delete;
#if !CUDAX_ON_DEVICE && __has_feature(thread_sanitizer)
  inline unrecorded_accesses() noexcept { AnnotateIgnoreWritesBegin(__FILE__, __LINE__); }
  inline ~unrecorded_accesses() { AnnotateIgnoreWritesEnd(__FILE__, __LINE__); }
#else
  inline unrecorded_accesses() noexcept {}
#endif
};

template <class V>
V plain_load(void const* object) noexcept {
  typedef V __attribute__((may_alias)) word; // an atomic_ref<float> loads a u32
  return *(word const*)object;
}
template <class V>
void plain_store(void* object, V value) noexcept {
  typedef V __attribute__((may_alias)) word;
  *(word*)object = value;
}
template <class V>
V plain_exchange(void* object, V value) noexcept {
  V const before = plain_load<V>(object);
  plain_store(object, value);
  return before;
}
template <modification M, class V>
V plain_fetch(void* object, V operand) noexcept {
  V const before = plain_load<V>(object);
  plain_store(object, modified<M>(before, operand));
  return before;
}

} // namespace cudax::machine

CUDAX_EVERYWHERE_END
