# SPDX-License-Identifier: Apache-2.0
set(_sources
    runtime/bfloat16.cpp
    runtime/hang.cpp
    runtime/parking.cpp
    runtime/polling.cpp
    runtime/report.cpp
    runtime/stop.cpp
    runtime/thread.cpp
    runtime/time.cpp
    runtime/turns.cpp
    runtime/wide.cpp
    runtime/atomicity.cpp
    runtime/atomicity_check.cpp
    runtime/atomicity_rules.cpp
    runtime/coresident.cpp
    runtime/dependent.cpp
    runtime/cuda_calls.cpp
    runtime/device_hangs.cpp
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
    runtime/tensor_maps.cpp
    runtime/without_cuda.cpp)
set(_cuda_sources runtime/contexts.cpp runtime/cuda.cpp runtime/cuda_execution.cpp runtime/driver.cpp)
set(_with_cuda_or_not runtime/cuda_calls.cpp runtime/execution_calls.cpp runtime/fork_hook.cpp runtime/registration.cpp)
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
  set_property(SOURCE runtime/bfloat16.cpp runtime/wide.cpp APPEND PROPERTY COMPILE_OPTIONS -mcx16)
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
