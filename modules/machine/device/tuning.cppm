// SPDX-License-Identifier: Apache-2.0
//
// tuning: figures measured on a GPU, by which the library chooses among ways that are all correct.
// Their values and sources: arch/sm_70/tuning.hpp. They travel through device LTO as instructions do, so one device
// BMI serves every generation, and each is a constant in the linked program. What has to be a constant while the
// module is compiled, such as the size of an array, cannot come this way and stands where it is used
// (reduce_block.cppm, at_once). Nothing here is called on the host.
module;
#include "../../../arch/abi.hpp"
#include "../../base/macros.hpp"
export module cudax.sync:device_tuning;
import :bits;

CUDAX_EVERYWHERE_BEGIN
CUDAX_HERE_BEGIN

namespace cudax::machine::gpu::tuning {

/// The smallest copy that is worth a bulk copy; to shared memory, also the smallest for each thread of the group, and
/// the size from which a bulk copy is always used.
inline u32 bulk_copy_bytes() noexcept { return CUDAX_HERE(cudax_tuning_bulk_copy_bytes(), 0); }
inline u32 bulk_copy_bytes_of_thread() noexcept { return CUDAX_HERE(cudax_tuning_bulk_copy_bytes_of_thread(), 0); }
inline u32 bulk_copy_bytes_always() noexcept { return CUDAX_HERE(cudax_tuning_bulk_copy_bytes_always(), 0); }

/// Of a wait: how many polls follow each other directly, and the first and the longest sleep after them, in
/// nanoseconds.
inline u32 direct_polls() noexcept { return CUDAX_HERE(cudax_tuning_direct_polls(), 0); }
inline u32 first_sleep() noexcept { return CUDAX_HERE(cudax_tuning_first_sleep(), 0); }
inline u32 longest_sleep() noexcept { return CUDAX_HERE(cudax_tuning_longest_sleep(), 0); }

/// Of a pause for other threads' operations on one word: how many they do in a nanosecond, and the shortest and the
/// longest pause, in nanoseconds.
inline u32 operations_per_nanosecond() noexcept { return CUDAX_HERE(cudax_tuning_operations_per_nanosecond(), 1); }
inline u32 shortest_pause() noexcept { return CUDAX_HERE(cudax_tuning_shortest_pause(), 0); }
inline u32 longest_pause() noexcept { return CUDAX_HERE(cudax_tuning_longest_pause(), 0); }

} // namespace cudax::machine::gpu::tuning

CUDAX_HERE_END
CUDAX_EVERYWHERE_END
