# SPDX-License-Identifier: Apache-2.0
# The emulator's runtime, called as a program calls it.
if(TARGET CUDA::cudart)
  add_executable(emulator_runtime
    runtime_main.cpp runtime_driver.cpp runtime_errors.cpp runtime_graphs.cpp runtime_kernels.cpp runtime_memory.cpp
    runtime_streams.cpp)
  target_include_directories(emulator_runtime SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
  target_link_libraries(emulator_runtime PRIVATE cudax_emulator Boost::unit_test_framework Threads::Threads)
  target_compile_features(emulator_runtime PRIVATE cxx_std_20)
  target_compile_options(emulator_runtime PRIVATE -Wall -Wextra -O1)
  set_target_properties(emulator_runtime PROPERTIES CXX_SCAN_FOR_MODULES OFF)
  cudax_precompile_boost_test(emulator_runtime)
  foreach(_suite captures driver errors graphs memory streams)
    add_test(NAME emulator.runtime.${_suite} COMMAND emulator_runtime --run_test=${_suite})
    set_tests_properties(emulator.runtime.${_suite} PROPERTIES TIMEOUT ${CUDAX_SYNC_TEST_TIMEOUT} LABELS emulator)
  endforeach()

  # How programs end, and what is reported. Two are linked against libraries that do not exist at run time.
  add_executable(emulator_runtime_program runtime_program.cpp runtime_kernels.cpp)
  target_include_directories(emulator_runtime_program SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
  target_link_libraries(emulator_runtime_program PRIVATE cudax_emulator Boost::unit_test_framework Threads::Threads)
  target_compile_features(emulator_runtime_program PRIVATE cxx_std_20)
  target_compile_options(emulator_runtime_program PRIVATE -Wall -Wextra)
  set_target_properties(emulator_runtime_program PROPERTIES CXX_SCAN_FOR_MODULES OFF OUTPUT_NAME runtime_program)
  file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/absent/function.cpp" "int absent() { return 0; }\n")
  file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/absent/main.cpp" "int absent(); int main() { return absent(); }\n")
  foreach(_absent cuda:1 nvrtc:13)
    string(REGEX REPLACE ":.*" "" _name "${_absent}")
    string(REGEX REPLACE ".*:" "" _version "${_absent}")
    add_library(emulator_absent_${_name} SHARED "${CMAKE_CURRENT_BINARY_DIR}/absent/function.cpp")
    set_target_properties(emulator_absent_${_name} PROPERTIES CXX_SCAN_FOR_MODULES OFF OUTPUT_NAME ${_name} SUFFIX .so.${_version}
      NO_SONAME ON LIBRARY_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/absent")
    target_link_options(emulator_absent_${_name} PRIVATE "LINKER:-soname,lib${_name}.so.${_version}")
    add_executable(emulator_wants_${_name} "${CMAKE_CURRENT_BINARY_DIR}/absent/main.cpp")
    target_link_libraries(emulator_wants_${_name} PRIVATE emulator_absent_${_name})
    set_target_properties(emulator_wants_${_name} PROPERTIES CXX_SCAN_FOR_MODULES OFF SKIP_BUILD_RPATH ON)
  endforeach()
  add_test(NAME emulator.runtime.programs
    COMMAND bash "${CMAKE_CURRENT_LIST_DIR}/runtime_program.sh" "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}"
            $<TARGET_FILE:emulator_runtime_program> $<TARGET_FILE:emulator_wants_cuda> $<TARGET_FILE:emulator_wants_nvrtc>)
  set_tests_properties(emulator.runtime.programs PROPERTIES TIMEOUT ${CUDAX_SYNC_TEST_TIMEOUT} LABELS emulator)
  # A function of CUDA with a mangled C++ name would never be called: programs would call its stub.
  add_test(NAME emulator.runtime.exports
    COMMAND bash -c "! '${CMAKE_NM}' --defined-only '$<TARGET_FILE:cudax_emulator>' | grep -E ' [TtWw] _Z[0-9]+(__)?cuda[A-Z]'")
  set_tests_properties(emulator.runtime.exports PROPERTIES TIMEOUT ${CUDAX_SYNC_TEST_TIMEOUT} LABELS emulator)

  # Whole programs, on every generation that they are built for. A part that is skipped is a failure here.
  function(cudax_emulate program)
    foreach(_sm IN LISTS ARGN)
      add_test(NAME emulator.${program}.sm_${_sm}
        COMMAND "${PROJECT_SOURCE_DIR}/tools/emulate" --build "${PROJECT_BINARY_DIR}" --sm ${_sm} $<TARGET_FILE:${program}>)
      set_tests_properties(emulator.${program}.sm_${_sm} PROPERTIES
        TIMEOUT ${CUDAX_SYNC_TEST_TIMEOUT} LABELS emulator FAIL_REGULAR_EXPRESSION "skipped")
    endforeach()
  endfunction()
  set(_sms ${CUDAX_SYNC_DEFAULT_SM})
  foreach(_program message_passing signal_flag identifier_map)
    cudax_emulate(${_program} ${_sms})
  endforeach()
endif()
