# SPDX-License-Identifier: Apache-2.0
# How fast checked runs are: `emulator_check_speed` prints it, and asks for the least that is promised, of processor time.
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  message(STATUS "cudax.sync: test emulator.check_speed is skipped: with sanitizers nothing is fast")
  return()
endif()
cudax_emulator_tests(emulator_check_speed check_speed TIMEOUT 600 SOURCES check_speed.cpp)
