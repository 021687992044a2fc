// SPDX-License-Identifier: Apache-2.0
//
// tuning: figures measured on a GPU, by which the library chooses among ways that are all correct.
// Their values and sources are in arch/sm_70/tuning.hpp. Each figure is a call across arch/abi.hpp, which device LTO
// folds to a constant. So one device BMI is enough for all generations. A figure that must be a constant while the
// module is compiled, such as the size of an array, cannot be defined in this way; it is defined where it is used
// (reduce_block.cppm, at_once). The host calls no function of this unit.
module;
#include "../../base/macros.hpp"
export module cudax.sync:device_tuning;
import :bits;
import :device_abi;

CUDAX_EVERYWHERE_BEGIN
CUDAX_HERE_BEGIN

namespace cudax::machine::gpu::tuning {

/// Thresholds in bytes. A copy is a bulk copy only if it has at least bulk_copy_bytes. A copy to shared memory that a
/// barrier awaits also needs bulk_copy_bytes_of_thread for each thread of the group, or bulk_copy_bytes_always in all.
/// In a pipeline it needs bulk_copy_bytes_of_thread in all, and more than bulk_copy_bytes_of_producer for each thread.
inline u32 bulk_copy_bytes() noexcept { return CUDAX_HERE(entry::cudax_tuning_bulk_copy_bytes(), 0); }
inline u32 bulk_copy_bytes_of_thread() noexcept {
  return CUDAX_HERE(entry::cudax_tuning_bulk_copy_bytes_of_thread(), 0);
}
inline u32 bulk_copy_bytes_always() noexcept { return CUDAX_HERE(entry::cudax_tuning_bulk_copy_bytes_always(), 0); }
inline u32 bulk_copy_bytes_of_producer() noexcept {
  return CUDAX_HERE(entry::cudax_tuning_bulk_copy_bytes_of_producer(), 0);
}

/// How a wait polls: the number of polls without a sleep between them, then the first and the longest sleep between
/// polls, in nanoseconds.
inline u32 direct_polls() noexcept { return CUDAX_HERE(entry::cudax_tuning_direct_polls(), 0); }
inline u32 first_sleep() noexcept { return CUDAX_HERE(entry::cudax_tuning_first_sleep(), 0); }
inline u32 longest_sleep() noexcept { return CUDAX_HERE(entry::cudax_tuning_longest_sleep(), 0); }

/// The least time, in nanoseconds, in which a lock in device memory passes from one thread to the next.
inline u32 time_of_turn() noexcept { return CUDAX_HERE(entry::cudax_tuning_time_of_turn(), 1); }

/// How long a thread pauses for other threads' operations on one word (wait.cppm): the number of operations in a
/// nanosecond, and the shortest and the longest pause, in nanoseconds.
inline u32 operations_per_nanosecond() noexcept {
  return CUDAX_HERE(entry::cudax_tuning_operations_per_nanosecond(), 1);
}
inline u32 shortest_pause() noexcept { return CUDAX_HERE(entry::cudax_tuning_shortest_pause(), 0); }
inline u32 longest_pause() noexcept { return CUDAX_HERE(entry::cudax_tuning_longest_pause(), 0); }

} // namespace cudax::machine::gpu::tuning

CUDAX_HERE_END
CUDAX_EVERYWHERE_END
