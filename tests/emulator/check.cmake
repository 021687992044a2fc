# SPDX-License-Identifier: Apache-2.0
# What checked runs ask: unit tests that play the threads of the memory model themselves.
add_executable(emulator_check main.cpp check_litmus.cpp check_memory.cpp check_model.cpp check_words.cpp)
target_link_libraries(emulator_check PRIVATE cudax_emulator_core Boost::unit_test_framework)
target_compile_features(emulator_check PRIVATE cxx_std_20)
target_compile_options(emulator_check PRIVATE -Wall -Wextra)
set_target_properties(emulator_check PROPERTIES CXX_SCAN_FOR_MODULES OFF)
foreach(_suite model words litmus memory)
  add_test(NAME emulator.check.${_suite} COMMAND emulator_check --run_test=check_${_suite})
  set_tests_properties(emulator.check.${_suite} PROPERTIES TIMEOUT 120 LABELS emulator)
endforeach()
