# SPDX-License-Identifier: Apache-2.0
set(_sources
    runtime/bfloat16.cpp
    runtime/parking.cpp
    runtime/polling.cpp
    runtime/report.cpp
    runtime/stop.cpp
    runtime/thread.cpp
    runtime/time.cpp
    runtime/wide.cpp
    runtime/atomicity.cpp
    runtime/atomicity_check.cpp
    runtime/atomicity_rules.cpp
    runtime/coresident.cpp
    runtime/cuda_calls.cpp
    runtime/devices.cpp
    runtime/error.cpp
    runtime/execution_calls.cpp
    runtime/fork_hook.cpp
    runtime/loading.cpp
    runtime/memory.cpp
    runtime/memory_limit.cpp
    runtime/peers.cpp
    runtime/progress.cpp
    runtime/process_map.cpp
    runtime/process_word.cpp
    runtime/registration.cpp
    runtime/registration_table.cpp
    runtime/resource_pool.cpp
    runtime/resources.cpp
    runtime/shared_ranges.cpp
    runtime/slab_index.cpp
    runtime/without_cuda.cpp)
if(CUDAX_SYNC_CUDA_FOUND)
  list(APPEND _sources runtime/contexts.cpp runtime/cuda.cpp runtime/cuda_execution.cpp runtime/driver.cpp)
  target_link_libraries(cudax_sync PUBLIC CUDA::cudart)
endif()
target_sources(cudax_sync PRIVATE ${_sources})
# They throw, also where a project that adds this one as a subdirectory does not.
set_source_files_properties(${_sources} PROPERTIES CXX_SCAN_FOR_MODULES OFF COMPILE_OPTIONS "-fexceptions;-frtti")
set_source_files_properties(runtime/cuda_calls.cpp runtime/execution_calls.cpp runtime/fork_hook.cpp runtime/registration.cpp PROPERTIES
  COMPILE_DEFINITIONS CUDAX_SYNC_WITH_CUDA=$<BOOL:${CUDAX_SYNC_CUDA_FOUND}>)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set_property(SOURCE runtime/bfloat16.cpp runtime/wide.cpp APPEND PROPERTY COMPILE_OPTIONS -mcx16)
endif()
find_package(Threads REQUIRED)
target_link_libraries(cudax_sync PUBLIC Threads::Threads)
