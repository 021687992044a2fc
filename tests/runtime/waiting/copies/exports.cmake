# SPDX-License-Identifier: Apache-2.0
# cmake -P script: what the shared LIBRARY exports, by READELF. It exports the functions of INTERFACE with their version,
# and nothing else; its SONAME holds the version; it needs no library but the system's C library. SHARED_USER needs the
# library and does not contain its state; ARCHIVE_USER, which links the archive, does not mention the library.
cmake_minimum_required(VERSION 3.28)

function(fail sentence)
  message(FATAL_ERROR "runtime.shared.exports: ${sentence}")
endfunction()

# read(RESULT FILE ARGUMENT...): readelf's output
function(read result file)
  execute_process(COMMAND "${READELF}" -W ${ARGN} "${file}" OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
  set(${result} "${output}" PARENT_SCOPE)
endfunction()

read(dynamic "${LIBRARY}" -d)
if(NOT dynamic MATCHES "SONAME\\)[^\n]*\\[libcudax_sync_process\\.so\\.${VERSION}\\]")
  fail("${LIBRARY} does not have the SONAME libcudax_sync_process.so.${VERSION}: ${dynamic}")
endif()
string(REGEX MATCHALL "\\(NEEDED\\)[^\n]*" needed "${dynamic}")
list(FILTER needed EXCLUDE REGEX "\\[(libc|libpthread|ld-linux[^]]*)\\.so\\.[0-9]+\\]")
if(needed)
  fail("${LIBRARY} needs more than the system's C library: ${needed}")
endif()

read(symbols "${LIBRARY}" --dyn-syms)
string(REGEX MATCHALL " (GLOBAL|WEAK) +[A-Z]+ +[0-9]+ [^\n]+" defined "${symbols}") # a number: the section
list(TRANSFORM defined REPLACE "^.* " "")
file(READ "${INTERFACE}" interface)
string(REGEX MATCHALL "\n(bool|void) cudax_sync_process_[a-z_]+\\(" functions "${interface}")
list(TRANSFORM functions REPLACE "^\n[a-z]+ (.*)\\($" "\\1@@CUDAX_SYNC_PROCESS_${VERSION}")
list(SORT defined)
list(SORT functions)
list(LENGTH functions count)
if(count LESS 4 OR NOT defined STREQUAL functions)
  fail("${LIBRARY} exports '${defined}', and the interface declares '${functions}'")
endif()

read(user "${SHARED_USER}" -d -s)
if(NOT user MATCHES "NEEDED[^\n]*\\[libcudax_sync_process\\.so\\.${VERSION}\\]" OR NOT user MATCHES "UND cudax_sync_process_park@")
  fail("${SHARED_USER} does not use version ${VERSION} of the library")
endif()
read(other "${ARCHIVE_USER}" -d -s)
if(other MATCHES "cudax_sync_process")
  fail("${ARCHIVE_USER} links the archive, but mentions the shared library")
endif()
# The state: the name of the buckets in parking.cpp. A stripped plugin has no names.
if(other MATCHES "buckets" AND user MATCHES "[^\n]*buckets[^\n]*")
  fail("${SHARED_USER} contains its own parked threads: ${CMAKE_MATCH_0}")
endif()
