# SPDX-License-Identifier: Apache-2.0
target_sources(cudax_sync PRIVATE
  runtime/parking.cpp
  runtime/stop.cpp
  runtime/time.cpp
  runtime/wide.cpp)
set_source_files_properties(
  runtime/parking.cpp runtime/stop.cpp runtime/time.cpp runtime/wide.cpp PROPERTIES CXX_SCAN_FOR_MODULES OFF)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set_source_files_properties(runtime/wide.cpp PROPERTIES COMPILE_OPTIONS -mcx16)
endif()
find_package(Threads REQUIRED)
target_link_libraries(cudax_sync PUBLIC Threads::Threads)
