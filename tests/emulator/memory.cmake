# SPDX-License-Identifier: Apache-2.0
# Instructions on memory: accesses, atomic operations, barriers in memory, asynchronous copies, and which forms there are.
add_executable(emulator_memory
  main.cpp memory_access.cpp memory_asynchronous.cpp memory_atomic.cpp memory_forms.cpp memory_mbarrier.cpp)
target_link_libraries(emulator_memory PRIVATE cudax_emulator_core Boost::unit_test_framework)
target_compile_features(emulator_memory PRIVATE cxx_std_20)
target_compile_options(emulator_memory PRIVATE -Wall -Wextra)
set_target_properties(emulator_memory PROPERTIES CXX_SCAN_FOR_MODULES OFF)
foreach(_suite access asynchronous atomic forms mbarrier)
  add_test(NAME emulator.memory.${_suite} COMMAND emulator_memory --run_test=memory_${_suite})
  set_tests_properties(emulator.memory.${_suite} PROPERTIES TIMEOUT 120 LABELS emulator)
endforeach()
