# SPDX-License-Identifier: Apache-2.0
# The shared library with the parked threads of the process, and cudax::sync_shared: what a target links beside cudax::sync,
# so that its waits and notifications use the shared library (README.md, "The shared library").

# _cudax_sync_process_library(NAME VERSION OUTPUT_NAME): the library, with this version of the interface
function(_cudax_sync_process_library name version output)
  configure_file("${CUDAX_SYNC_ROOT}/runtime/waiting/process_library.map.in" "${CMAKE_CURRENT_BINARY_DIR}/${name}.map" @ONLY)
  set(sources base/report.cpp base/stop.cpp base/time.cpp waiting/buckets.cpp waiting/hang.cpp waiting/parking.cpp
      waiting/polling.cpp waiting/process_library.cpp)
  list(TRANSFORM sources PREPEND "${CUDAX_SYNC_ROOT}/runtime/")
  add_library(${name} SHARED ${sources})
  set_target_properties(${name} PROPERTIES OUTPUT_NAME ${output} SOVERSION ${version} LINKER_LANGUAGE CXX
    CXX_SCAN_FOR_MODULES OFF CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    CUDAX_SYNC_WITHOUT_EXCEPTIONS ON LINK_DEPENDS "${CMAKE_CURRENT_BINARY_DIR}/${name}.map")
  target_compile_features(${name} PRIVATE cxx_std_20)
  # Without exceptions the code needs no C++ standard library, so the plugins of one process may have different ones.
  # nodelete: the state lives as long as the process, also if every plugin that uses it is unloaded.
  set_property(SOURCE ${sources} APPEND PROPERTY COMPILE_OPTIONS
    "$<$<BOOL:$<TARGET_PROPERTY:CUDAX_SYNC_WITHOUT_EXCEPTIONS>>:-fno-exceptions>")
  target_link_options(${name} PRIVATE "LINKER:--version-script=${CMAKE_CURRENT_BINARY_DIR}/${name}.map"
    LINKER:-z,nodelete LINKER:--as-needed)
  target_link_libraries(${name} PRIVATE Threads::Threads)
endfunction()

set(CUDAX_SYNC_PROCESS_VERSION 1) # of process_interface.h
_cudax_sync_process_library(cudax_sync_process ${CUDAX_SYNC_PROCESS_VERSION} cudax_sync_process)

add_library(cudax_sync_forward STATIC runtime/waiting/process_forward.cpp)
add_library(cudax::sync_forward ALIAS cudax_sync_forward) # its name in an installed expression, too
set_target_properties(cudax_sync_forward PROPERTIES CXX_SCAN_FOR_MODULES OFF POSITION_INDEPENDENT_CODE ON
  CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
target_compile_features(cudax_sync_forward PRIVATE cxx_std_20)

# The forwarding archive stands before every object and archive of a link, in whatever order targets are linked: the linker
# takes the first definition that it meets. It takes the archive's only member because of the undefined symbol.
# LINK_DEPENDS builds the archive.
add_library(cudax_sync_shared INTERFACE)
add_library(cudax::sync_shared ALIAS cudax_sync_shared)
target_link_options(cudax_sync_shared INTERFACE
  "LINKER:--undefined=cudax_sync_forward,$<TARGET_FILE:cudax::sync_forward>")
set_target_properties(cudax_sync_shared PROPERTIES INTERFACE_LINK_DEPENDS "$<TARGET_FILE:cudax::sync_forward>")
target_link_libraries(cudax_sync_shared INTERFACE cudax_sync cudax_sync_process)
foreach(_part process forward shared)
  set_target_properties(cudax_sync_${_part} PROPERTIES EXPORT_NAME sync_${_part})
endforeach()
if(NOT CUDAX_SYNC_INSTALL)
  set_target_properties(cudax_sync_process cudax_sync_forward PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
