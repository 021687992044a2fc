# SPDX-License-Identifier: Apache-2.0
# How fast checked runs are: `emulator_check_speed` prints it, and asks for the least that is promised, of processor time.
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  message(STATUS "cudax.sync: test emulator.check_speed is skipped: with sanitizers nothing is fast")
  return()
endif()
add_executable(emulator_check_speed main.cpp check_speed.cpp)
target_link_libraries(emulator_check_speed PRIVATE cudax_emulator_core Boost::unit_test_framework)
target_compile_features(emulator_check_speed PRIVATE cxx_std_20)
target_compile_options(emulator_check_speed PRIVATE -Wall -Wextra)
set_target_properties(emulator_check_speed PROPERTIES CXX_SCAN_FOR_MODULES OFF)
add_test(NAME emulator.check_speed COMMAND emulator_check_speed)
set_tests_properties(emulator.check_speed PROPERTIES TIMEOUT 600 LABELS emulator)
