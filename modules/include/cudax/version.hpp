// SPDX-License-Identifier: Apache-2.0
//
// version: macros that say which features of the standard library the module cudax.sync has. It needs no import. The
// value of CUDAX_LIB_<NAME> is that of the standard's macro __cpp_lib_<name>, and that of the constant
// cudax::lib_<name>.
#pragma once

#define CUDAX_LIB_ATOMIC_FLAG_TEST 201907L
#define CUDAX_LIB_ATOMIC_FLOAT 201711L
#define CUDAX_LIB_ATOMIC_IS_ALWAYS_LOCK_FREE 201603L
#define CUDAX_LIB_ATOMIC_LOCK_FREE_TYPE_ALIASES 201907L
#define CUDAX_LIB_ATOMIC_MIN_MAX 202506L
#define CUDAX_LIB_ATOMIC_REDUCTIONS 202506L
#define CUDAX_LIB_ATOMIC_REF 202603L
#define CUDAX_LIB_ATOMIC_VALUE_INITIALIZATION 201911L
#define CUDAX_LIB_ATOMIC_WAIT 201907L
#define CUDAX_LIB_BARRIER 202302L
#define CUDAX_LIB_LATCH 201907L
#define CUDAX_LIB_SCOPED_LOCK 201703L
#define CUDAX_LIB_SEMAPHORE 201907L
#define CUDAX_LIB_SHARED_MUTEX 201505L
#define CUDAX_LIB_SHARED_TIMED_MUTEX 201402L
