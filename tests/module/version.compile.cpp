// SPDX-License-Identifier: Apache-2.0
//
// version: the macros of cudax/version.hpp have the values of the constants that the module exports.
#include <cudax/version.hpp>
import cudax.sync;

#define SAME(macro, constant) static_assert(macro == cudax::constant && macro >= 201402L)
SAME(CUDAX_LIB_ATOMIC_FLAG_TEST, lib_atomic_flag_test);
SAME(CUDAX_LIB_ATOMIC_FLOAT, lib_atomic_float);
SAME(CUDAX_LIB_ATOMIC_IS_ALWAYS_LOCK_FREE, lib_atomic_is_always_lock_free);
SAME(CUDAX_LIB_ATOMIC_LOCK_FREE_TYPE_ALIASES, lib_atomic_lock_free_type_aliases);
SAME(CUDAX_LIB_ATOMIC_MIN_MAX, lib_atomic_min_max);
SAME(CUDAX_LIB_ATOMIC_REDUCTIONS, lib_atomic_reductions);
SAME(CUDAX_LIB_ATOMIC_REF, lib_atomic_ref);
SAME(CUDAX_LIB_ATOMIC_VALUE_INITIALIZATION, lib_atomic_value_initialization);
SAME(CUDAX_LIB_ATOMIC_WAIT, lib_atomic_wait);
SAME(CUDAX_LIB_BARRIER, lib_barrier);
SAME(CUDAX_LIB_LATCH, lib_latch);
SAME(CUDAX_LIB_SCOPED_LOCK, lib_scoped_lock);
SAME(CUDAX_LIB_SEMAPHORE, lib_semaphore);
SAME(CUDAX_LIB_SHARED_MUTEX, lib_shared_mutex);
SAME(CUDAX_LIB_SHARED_TIMED_MUTEX, lib_shared_timed_mutex);

// The preprocessor can read them.
#if CUDAX_LIB_ATOMIC_REF < 202603L
#error "CUDAX_LIB_ATOMIC_REF is too small"
#endif
