# SPDX-License-Identifier: Apache-2.0
# The interface units, in dependency order: a unit imports only units above it.
set(CUDAX_SYNC_UNITS
    base/features base/scope base/order base/bits base/modify base/duration
    machine/host machine/device/abi machine/device/words machine/device/time machine/device/group
    machine/device/barrier machine/device/copy machine/device/launch machine/device/tuning
    machine/side machine/lanes machine/combine machine/loop machine/machine machine/combined machine/combined_block
    wait/clock wait/back_off wait/wait wait/attempt wait/turn
    atomic/fence atomic/modifying_ref atomic/atomic_ref atomic/atomic atomic/atomic_locked atomic/atomic_flag atomic/atomic_functions
    atomic/atomic_types
    thread/named_barrier thread/ordered_turns thread/warp_group thread/registers thread/group thread/this_thread thread/latch thread/barrier_state thread/barrier_hardware thread/barrier
    thread/semaphore thread/fair_semaphore thread/mutex thread/ticket_mutex thread/shared_mutex thread/lock_guard
    thread/unique_lock thread/condition thread/cohort_mutex thread/once thread/stop_state thread/stop_token
    contended/contended_ref contended/contended contended/group_functions
    copy/aligned_size copy/copy_plain copy/proxy_fence copy/copy_ways copy/memcpy_async copy/cache_policy
    copy/barrier_native copy/barrier_cluster copy/bulk_copies copy/async_stores copy/tensor_map copy/tensor_copies
    copy/tensor_updates copy/store_pipeline copy/pipeline_state copy/stage_position copy/pipeline copy/pipeline_thread
    copy/pipeline_copies copy/make_pipeline
    grid/stealing grid/canceled_block grid/try_cancel grid/work_queue grid/stealing_stages grid/reduce_state
    grid/reduce_block grid/reduce grid/reduce_range
    container/value_hash container/packed_slots container/separate_slots container/insert_only_map
    sync
    host/error host/devices host/atomicity host/registered host/memory host/resources host/progress host/waits host/launch host/loading host/peers host/hangs host/tensor_maps
    sync_host)

list(TRANSFORM CUDAX_SYNC_UNITS PREPEND modules/ OUTPUT_VARIABLE _units)
list(TRANSFORM _units APPEND .cppm)
target_sources(cudax_sync PUBLIC FILE_SET CXX_MODULES FILES ${_units})
# Headers for programs: with the target's include directories, in the same layout as here.
target_sources(cudax_sync PUBLIC FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/modules/include"
  FILES "${PROJECT_SOURCE_DIR}/modules/include/cudax/as_cuda.hpp" "${PROJECT_SOURCE_DIR}/modules/include/cudax/version.hpp"
  "${PROJECT_SOURCE_DIR}/modules/include/cudax/cuda.hpp" "${PROJECT_SOURCE_DIR}/modules/include/cudax/cuda_keywords.hpp")
# What the units include, by relative paths.
set(CUDAX_SYNC_UNIT_HEADERS
    modules/base/macros.hpp modules/base/duration_rules.hpp modules/atomic/absent_members.hpp modules/wait/hang.hpp arch/abi.hpp
    arch/operations.def runtime/interface/boundary.hpp runtime/interface/error.hpp runtime/interface/execution_boundary.hpp
    runtime/interface/host_boundary.hpp runtime/interface/resources.hpp)
