# SPDX-License-Identifier: Apache-2.0
# The emulator's machine: unit tests that load small modules and run them.
add_executable(emulator_machine main.cpp blocks.cpp machine.cpp)
target_link_libraries(emulator_machine PRIVATE cudax_emulator_core Boost::unit_test_framework)
target_compile_features(emulator_machine PRIVATE cxx_std_20)
target_compile_options(emulator_machine PRIVATE -Wall -Wextra)
set_target_properties(emulator_machine PROPERTIES CXX_SCAN_FOR_MODULES OFF)
foreach(_suite programs blocks)
  add_test(NAME emulator.machine.${_suite} COMMAND emulator_machine --run_test=${_suite})
  set_tests_properties(emulator.machine.${_suite} PROPERTIES TIMEOUT 120 LABELS emulator)
endforeach()
