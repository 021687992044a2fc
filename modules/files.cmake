# SPDX-License-Identifier: Apache-2.0
# The interface units, in dependency order: a unit imports only units above it.
set(CUDAX_SYNC_UNITS
    scope order bits modify host device machine duration clock back_off wait fence group this_thread
    atomic_ref atomic atomic_locked atomic_flag atomic_functions atomic_types latch
    barrier_state barrier_hardware barrier
    aligned_size copy_plain copy_ways memcpy_async barrier_native pipeline_state pipeline
    attempt turn semaphore fair_semaphore mutex ticket_mutex lock_guard once
    stop_state stop_token
    stealing canceled_block work_queue
    reduce_state reduce_block reduce reduce_range
    sync
    sync_host_error sync_host_devices sync_host_atomicity sync_host_registered sync_host_memory
    sync_host_resources sync_host_progress sync_host_launch sync_host_loading
    sync_host_peers
    sync_host)

list(TRANSFORM CUDAX_SYNC_UNITS PREPEND modules/ OUTPUT_VARIABLE _units)
list(TRANSFORM _units APPEND .cppm)
target_sources(cudax_sync PUBLIC FILE_SET CXX_MODULES FILES ${_units})
# What the units include, by relative paths.
set(CUDAX_SYNC_UNIT_HEADERS
    modules/macros.hpp arch/abi.hpp runtime/boundary.hpp runtime/error.hpp runtime/host_boundary.hpp
    runtime/execution_boundary.hpp runtime/resources.hpp)
