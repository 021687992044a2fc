# SPDX-License-Identifier: Apache-2.0
#
# Tests that run the device side of a program: on this machine's GPU or, without one, on the emulator.

# cudax_device_test(<name> <program> SM <sm>... [TIMEOUT <seconds>] [COMMAND <argument>...] [EMULATE <option>...])
# Adds the test device.NAME, which runs a program's device side: on the GPU, or as emulated.sm_NN.NAME on the emulator, where
# nothing is skipped.
function(cudax_device_test name program)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "TIMEOUT" "SM;COMMAND;EMULATE")
  if(CUDAX_SYNC_TESTS_EMULATED)
    foreach(_sm IN LISTS arg_SM)
      string(REPLACE "a" "" _number ${_sm}) # the emulator runs code for 90a as 90
      add_test(NAME emulated.sm_${_sm}.${name}
        COMMAND "${PROJECT_SOURCE_DIR}/tools/emulate" --build "${PROJECT_BINARY_DIR}" --sm ${_number}
                ${arg_EMULATE} $<TARGET_FILE:${program}> ${arg_COMMAND})
      set_tests_properties(emulated.sm_${_sm}.${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "emulated;sm_${_sm}")
    endforeach()
  else()
    add_test(NAME device.${name} COMMAND ${program} ${arg_COMMAND})
    set_tests_properties(device.${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} SKIP_RETURN_CODE 77 LABELS device)
  endif()
endfunction()

# cudax_checked_test(<name> <program> SEEDS <number> [GENERATIONS <generation>...] [TESTS <pattern>])
# Adds the tests checked.sm_NN.NAME: a program of bodies (bodies.cmake) on the emulator with --check. By default as each SM that
# it is built for, and all its tests.
function(cudax_checked_test name program)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "SEEDS;TESTS" "GENERATIONS")
  get_property(sms GLOBAL PROPERTY CUDAX_TEST_SM_OF_${program})
  if(NOT CUDAX_SYNC_TESTS_EMULATED OR NOT sms)
    return()
  endif()
  if(arg_GENERATIONS)
    cudax_sms_of(sms ${arg_GENERATIONS})
  endif()
  if(DEFINED arg_TESTS)
    string(PREPEND arg_TESTS "--run_test=")
  endif()
  foreach(sm IN LISTS sms)
    string(REPLACE "a" "" number ${sm}) # the emulator runs the code of an SM with a letter as that of its number
    add_test(NAME checked.sm_${sm}.${name}
      COMMAND "${PROJECT_SOURCE_DIR}/tools/emulate" --build "${PROJECT_BINARY_DIR}" --sm ${number} --check --seeds ${arg_SEEDS}
              $<TARGET_FILE:${program}> ${arg_TESTS} -- --side=device)
    set_tests_properties(checked.sm_${sm}.${name} PROPERTIES TIMEOUT ${CUDAX_SYNC_TEST_TIMEOUT} LABELS "emulated;sm_${sm}")
  endforeach()
endfunction()

# What programs with device tests link.
if(CUDAX_SYNC_CUDA_FOUND)
  list(JOIN CUDAX_SYNC_TEST_SM " " _test_sms)
  add_library(test_device OBJECT support/device.cpp)
  target_link_libraries(test_device PRIVATE cudax::sync)
  target_compile_options(test_device PRIVATE -Wall -Wextra)
  target_compile_definitions(test_device PRIVATE "CUDAX_TEST_SM=\"${_test_sms}\"")
endif()
