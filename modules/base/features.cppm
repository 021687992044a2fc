// SPDX-License-Identifier: Apache-2.0
//
// features: constants that say which features of the standard library are here. They stand for the feature-test macros,
// which a module cannot export. The value of a constant is that of the standard's macro __cpp_lib_<name> of the newest
// revision that is implemented. cudax/version.hpp has the same values as macros, for the preprocessor; the test
// module.version compares them.
module;
#include "macros.hpp"
export module cudax.sync:features;

export namespace cudax {

/// The revisions of features.
/// Source:   [version.syn]
/// Example:
///     int count = 0;
///     cudax::atomic_ref<int> const ref(count);
///     if constexpr (cudax::lib_atomic_reductions >= 202506L) ref.store_add(1);
inline constexpr long lib_atomic_flag_test = 201907L;              // atomic_flag::test
inline constexpr long lib_atomic_float = 201711L;                  // fetch_add and fetch_sub of floating-point numbers
inline constexpr long lib_atomic_is_always_lock_free = 201603L;    // atomic::is_always_lock_free
inline constexpr long lib_atomic_lock_free_type_aliases = 201907L; // atomic_signed_lock_free, atomic_unsigned_lock_free
inline constexpr long lib_atomic_min_max = 202506L;                // fetch_max, fetch_min, fetch_fmaximum and so on
inline constexpr long lib_atomic_reductions = 202506L;             // store_add and so on
inline constexpr long lib_atomic_ref = 202603L; // atomic_ref, its address(), references to const objects
inline constexpr long lib_atomic_value_initialization = 201911L; // atomic() initializes the value
inline constexpr long lib_atomic_wait = 201907L;                 // wait, notify_one, notify_all
inline constexpr long lib_barrier = 202302L;                     // barrier
inline constexpr long lib_latch = 201907L;                       // latch
inline constexpr long lib_scoped_lock = 201703L;                 // scoped_lock
inline constexpr long lib_semaphore = 201907L;                   // counting_semaphore, binary_semaphore
inline constexpr long lib_shared_mutex = 201505L;                // shared_mutex
inline constexpr long lib_shared_timed_mutex = 201402L;          // shared_timed_mutex, shared_lock

} // namespace cudax
