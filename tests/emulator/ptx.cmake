# SPDX-License-Identifier: Apache-2.0
# The emulator's front end: its unit tests, and PTX that is printed again, which ptxas must accept where there is one.
set(_here "${CMAKE_CURRENT_LIST_DIR}")

add_executable(emulator_front_end main.cpp initializer.cpp parse.cpp print.cpp)
target_link_libraries(emulator_front_end PRIVATE cudax_emulator_core Boost::unit_test_framework)
target_compile_features(emulator_front_end PRIVATE cxx_std_20)
target_compile_options(emulator_front_end PRIVATE -Wall -Wextra)
set_target_properties(emulator_front_end PROPERTIES CXX_SCAN_FOR_MODULES OFF)
foreach(_suite parsing printing initializers)
  add_test(NAME emulator.front_end.${_suite} COMMAND emulator_front_end --run_test=${_suite})
  set_tests_properties(emulator.front_end.${_suite} PROPERTIES TIMEOUT 60 LABELS emulator)
endforeach()

set(_printed "${CMAKE_CURRENT_BINARY_DIR}/printed")
file(MAKE_DIRECTORY "${_printed}")
add_test(NAME emulator.front_end.round_trip
         COMMAND cudax_emulator_round_trip --write "${_printed}" "${_here}/spellings.ptx")
set_tests_properties(emulator.front_end.round_trip PROPERTIES TIMEOUT 60 LABELS emulator FIXTURES_SETUP printed)
if(CUDAX_SYNC_CUDA_PATH AND EXISTS "${CUDAX_SYNC_CUDA_PATH}/bin/ptxas")
  set(_written "${_here}")
  foreach(_which written printed)
    add_test(NAME emulator.front_end.ptxas.${_which}
             COMMAND "${CUDAX_SYNC_CUDA_PATH}/bin/ptxas" -arch=sm_90 "${_${_which}}/spellings.ptx" -o /dev/null)
    set_tests_properties(emulator.front_end.ptxas.${_which} PROPERTIES TIMEOUT 60 LABELS emulator FIXTURES_REQUIRED printed)
  endforeach()
endif()
