# SPDX-License-Identifier: Apache-2.0
# Room by room, the lowest first (README.md).
set(_sources
    runtime/base/bfloat16.cpp
    runtime/base/report.cpp
    runtime/base/stop.cpp
    runtime/base/thread.cpp
    runtime/base/time.cpp
    runtime/base/wide.cpp
    runtime/process/fork_hook.cpp
    runtime/process/process_word.cpp
    runtime/waiting/buckets.cpp
    runtime/waiting/hang.cpp
    runtime/waiting/parking.cpp
    runtime/waiting/polling.cpp
    runtime/waiting/turns.cpp
    runtime/cuda/cuda_calls.cpp
    runtime/cuda/devices.cpp
    runtime/cuda/error.cpp
    runtime/cuda/execution_calls.cpp
    runtime/cuda/without_cuda.cpp
    runtime/memory/memory.cpp
    runtime/memory/memory_limit.cpp
    runtime/memory/registration.cpp
    runtime/memory/registration_table.cpp
    runtime/memory/resource_pool.cpp
    runtime/memory/resources.cpp
    runtime/memory/shared_ranges.cpp
    runtime/memory/slab_index.cpp
    runtime/atomicity/atomicity.cpp
    runtime/atomicity/atomicity_check.cpp
    runtime/atomicity/atomicity_rules.cpp
    runtime/atomicity/process_map.cpp
    runtime/kernels/coresident.cpp
    runtime/kernels/dependent.cpp
    runtime/kernels/device_hangs.cpp
    runtime/kernels/loading.cpp
    runtime/kernels/peers.cpp
    runtime/kernels/progress.cpp
    runtime/kernels/tensor_maps.cpp)
set(_cuda_sources runtime/cuda/contexts.cpp runtime/cuda/cuda.cpp runtime/cuda/cuda_execution.cpp runtime/cuda/driver.cpp)
set(_with_cuda_or_not runtime/cuda/cuda_calls.cpp runtime/cuda/execution_calls.cpp runtime/memory/registration.cpp
    runtime/process/fork_hook.cpp)
if(CUDAX_SYNC_CUDA_FOUND)
  list(APPEND _sources ${_cuda_sources})
  # If it exists: an installed library serves plain C++ also where no toolkit is found (cudax_sync-config.cmake.in).
  target_link_libraries(cudax_sync PUBLIC $<TARGET_NAME_IF_EXISTS:CUDA::cudart>)
endif()
target_sources(cudax_sync PRIVATE ${_sources})
# They throw, also where a project that adds this one as a subdirectory does not.
set_source_files_properties(${_sources} PROPERTIES CXX_SCAN_FOR_MODULES OFF COMPILE_OPTIONS "-fexceptions;-frtti")
set_source_files_properties(${_with_cuda_or_not} PROPERTIES
  COMPILE_DEFINITIONS CUDAX_SYNC_WITH_CUDA=$<BOOL:$<TARGET_PROPERTY:CUDAX_SYNC_WITH_CUDA>>)
set_target_properties(cudax_sync PROPERTIES CUDAX_SYNC_WITH_CUDA ${CUDAX_SYNC_CUDA_FOUND})
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set_property(SOURCE runtime/base/bfloat16.cpp runtime/base/wide.cpp APPEND PROPERTY COMPILE_OPTIONS -mcx16)
endif()
find_package(Threads REQUIRED)
target_link_libraries(cudax_sync PUBLIC Threads::Threads)

# The same archive without CUDA, for machines without a toolkit: the installed library then serves plain C++. All members
# but those that call CUDA are the same objects.
if(CUDAX_SYNC_CUDA_FOUND AND CUDAX_SYNC_INSTALL)
  list(TRANSFORM _cuda_sources REPLACE "^runtime/" "" OUTPUT_VARIABLE _without)
  list(TRANSFORM _with_cuda_or_not REPLACE "^runtime/" "" OUTPUT_VARIABLE _other)
  list(APPEND _without ${_other})
  list(JOIN _without "|" _without)
  add_library(cudax_sync_host STATIC ${_with_cuda_or_not}
    "$<FILTER:$<TARGET_OBJECTS:cudax_sync>,EXCLUDE,/runtime/(${_without})\\.o$|/arch/>")
  set_target_properties(cudax_sync_host PROPERTIES LINKER_LANGUAGE CXX CXX_SCAN_FOR_MODULES OFF CUDAX_SYNC_WITH_CUDA FALSE
    POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_compile_features(cudax_sync_host PRIVATE cxx_std_20)
  if(CUDAX_SYNC_CHECKED)
    target_compile_definitions(cudax_sync_host PRIVATE CUDAX_CHECKED)
  endif()
endif()
