# SPDX-License-Identifier: Apache-2.0
# Checked runs of small modules, from the text to the findings.
add_executable(emulator_check_run main.cpp check_run.cpp)
target_link_libraries(emulator_check_run PRIVATE cudax_emulator_core Boost::unit_test_framework)
target_compile_features(emulator_check_run PRIVATE cxx_std_20)
target_compile_options(emulator_check_run PRIVATE -Wall -Wextra)
set_target_properties(emulator_check_run PROPERTIES CXX_SCAN_FOR_MODULES OFF)
add_test(NAME emulator.check_run COMMAND emulator_check_run)
set_tests_properties(emulator.check_run PROPERTIES TIMEOUT 300 LABELS emulator)
