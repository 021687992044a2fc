# SPDX-License-Identifier: Apache-2.0
# The emulator's front end: its unit tests, and PTX that is parsed and printed, which ptxas, if present, must accept.
set(_here "${CMAKE_CURRENT_LIST_DIR}")

cudax_emulator_tests(emulator_front_end front_end TIMEOUT ${CUDAX_SYNC_TEST_TIMEOUT}
  SOURCES initializer.cpp parse.cpp print.cpp
  SUITES parsing printing initializers)

set(_printed "${CMAKE_CURRENT_BINARY_DIR}/printed")
file(MAKE_DIRECTORY "${_printed}")
add_test(NAME emulator.front_end.round_trip
         COMMAND cudax_emulator_round_trip --write "${_printed}" "${_here}/spellings.ptx")
set_tests_properties(emulator.front_end.round_trip PROPERTIES TIMEOUT ${CUDAX_SYNC_TEST_TIMEOUT} LABELS emulator FIXTURES_SETUP printed)
if(CUDAX_SYNC_CUDA_PATH AND EXISTS "${CUDAX_SYNC_CUDA_PATH}/bin/ptxas")
  set(_written "${_here}")
  foreach(_which written printed)
    add_test(NAME emulator.front_end.ptxas.${_which}
             COMMAND "${CUDAX_SYNC_CUDA_PATH}/bin/ptxas" -arch=sm_90 "${_${_which}}/spellings.ptx" -o /dev/null)
    set_tests_properties(emulator.front_end.ptxas.${_which} PROPERTIES TIMEOUT ${CUDAX_SYNC_TEST_TIMEOUT} LABELS emulator FIXTURES_REQUIRED printed)
  endforeach()
endif()
# All PTX of this build: that of tests/ptx, and that in programs.
if(TARGET run_cuda AND CUDAToolkit_VERSION VERSION_GREATER_EQUAL 13) # as tools/emulator/cuda
  set(_programs run_cuda run_cuda_keys run_cuda_threads run_runtime_cuda deaths_cuda mixed_program port_cuda message_passing signal_flag
                identifier_map)
  if(TARGET run_cuda_wide)
    list(APPEND _programs run_cuda_wide)
  endif()
  list(TRANSFORM _programs REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE _files)
  add_test(NAME emulator.front_end.build
           COMMAND "${_here}/round_trip.sh" $<TARGET_FILE:cudax_emulator_round_trip> $<TARGET_FILE:cudax_emulator_extract>
                   "${CUDAX_SYNC_CUDA_PATH}/bin/ptxas" "${CMAKE_CURRENT_BINARY_DIR}/build_ptx"
                   "${PROJECT_BINARY_DIR}/tests/ptx" ${_files})
  set_tests_properties(emulator.front_end.build PROPERTIES TIMEOUT ${CUDAX_SYNC_TEST_TIMEOUT} LABELS emulator)
endif()
