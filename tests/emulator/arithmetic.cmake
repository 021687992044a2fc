# SPDX-License-Identifier: Apache-2.0
# Instructions that compute: against exact results here, and, by arithmetic_on_device.cu, against a GPU.
add_executable(emulator_arithmetic
  main.cpp arithmetic_bits.cpp arithmetic_convert.cpp arithmetic_float.cpp arithmetic_forms.cpp arithmetic_integer.cpp)
target_link_libraries(emulator_arithmetic PRIVATE cudax_emulator_core Boost::unit_test_framework)
target_compile_features(emulator_arithmetic PRIVATE cxx_std_20)
target_compile_options(emulator_arithmetic PRIVATE -Wall -Wextra)
set_target_properties(emulator_arithmetic PROPERTIES CXX_SCAN_FOR_MODULES OFF)
foreach(_suite bits convert float forms integer)
  add_test(NAME emulator.arithmetic.${_suite} COMMAND emulator_arithmetic --run_test=arithmetic_${_suite})
  set_tests_properties(emulator.arithmetic.${_suite} PROPERTIES TIMEOUT 120 LABELS emulator)
endforeach()
