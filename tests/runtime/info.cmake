# SPDX-License-Identifier: Apache-2.0
#
# info: machine_info prints one valid JSON object that says what it should.
#
#   cmake -DPROGRAM=PROGRAM [-DEMULATE=tools/emulate -DBUILD=FOLDER -DSM=N] -P info.cmake
#
# The experiment is run, too, and must not contradict the table. With EMULATE there has to be a device.
cmake_minimum_required(VERSION 3.28)

set(command "${PROGRAM}")
if(DEFINED EMULATE)
  set(command "${EMULATE}" --build "${BUILD}" --sm ${SM} "${PROGRAM}")
endif()
execute_process(COMMAND ${command} --json --experiment --seconds 0.1
                OUTPUT_VARIABLE text ERROR_VARIABLE said RESULT_VARIABLE result)
string(JSON devices LENGTH "${text}" devices) # an error where the text is no JSON
string(JSON rows LENGTH "${text}" atomicity)
string(JSON trials LENGTH "${text}" experiment)
string(JSON reason GET "${text}" no_device_reason)

if(devices EQUAL 0 AND NOT DEFINED EMULATE)
  if(NOT rows EQUAL 0 OR NOT trials EQUAL 0 OR reason STREQUAL "" OR NOT result EQUAL 3 OR
     NOT said MATCHES "skipped: the experiment: ")
    message(FATAL_ERROR "without a device it ended with ${result}, printed ${text} and said ${said}")
  endif()
  message("no device: ${reason}")
  return()
endif()

if(devices EQUAL 0 OR NOT reason STREQUAL "" OR NOT result EQUAL 0)
  message(FATAL_ERROR "with a device it ended with ${result}, printed ${text} and said ${said}")
endif()
foreach(attribute multiprocessors concurrent_managed_access host_native_atomic_supported pageable_memory_access)
  string(JSON value GET "${text}" devices 0 ${attribute})
endforeach()
if(NOT rows EQUAL 24) # six kinds of memory, four columns
  message(FATAL_ERROR "the table has ${rows} rows, not 24")
endif()
math(EXPR last "${rows} - 1")
foreach(i RANGE ${last})
  string(JSON answer GET "${text}" atomicity ${i} answer)
  string(JSON why GET "${text}" atomicity ${i} reason)
  if(NOT answer MATCHES "^(no|host_only|one_device_only|devices_only|yes)$" OR why STREQUAL "")
    message(FATAL_ERROR "row ${i} answers '${answer}' because of '${why}'")
  endif()
endforeach()
set(counted 0)
math(EXPR last "${trials} - 1")
foreach(i RANGE ${last})
  string(JSON skipped ERROR_VARIABLE not_skipped GET "${text}" experiment ${i} skipped)
  if(not_skipped)
    string(JSON contradicts GET "${text}" experiment ${i} contradicts)
    string(JSON by_host GET "${text}" experiment ${i} by_host)
    string(JSON by_device GET "${text}" experiment ${i} by_device)
    string(JSON by GET "${text}" experiment ${i} by)
    if(contradicts OR (by MATCHES "device" AND by_device EQUAL 0) OR (by MATCHES "host" AND by_host EQUAL 0))
      string(JSON trial GET "${text}" experiment ${i})
      message(FATAL_ERROR "the experiment contradicts the table, or a side did nothing: ${trial}")
    endif()
    math(EXPR counted "${counted} + 1")
  endif()
endforeach()
if(counted LESS 6)
  message(FATAL_ERROR "only ${counted} trials were made: ${text}")
endif()
message("${devices} devices, ${rows} rows, ${counted} trials that agree")
