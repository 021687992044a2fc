# SPDX-License-Identifier: Apache-2.0
# The emulator's runtime, called as a program calls it.
if(TARGET CUDA::cudart)
  add_executable(emulator_runtime
    runtime_main.cpp runtime_driver.cpp runtime_kernels.cpp runtime_errors.cpp runtime_memory.cpp runtime_streams.cpp)
  target_include_directories(emulator_runtime SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
  target_link_libraries(emulator_runtime PRIVATE cudax_emulator Boost::unit_test_framework Threads::Threads)
  target_compile_features(emulator_runtime PRIVATE cxx_std_20)
  target_compile_options(emulator_runtime PRIVATE -Wall -Wextra)
  set_target_properties(emulator_runtime PROPERTIES CXX_SCAN_FOR_MODULES OFF)
  foreach(_suite captures driver errors memory streams)
    add_test(NAME emulator.runtime.${_suite} COMMAND emulator_runtime --run_test=${_suite})
    set_tests_properties(emulator.runtime.${_suite} PROPERTIES TIMEOUT ${CUDAX_SYNC_TEST_TIMEOUT} LABELS emulator)
  endforeach()

  # Whole programs, on every generation that they are built for: a part that is skipped is a failure here.
  function(cudax_emulate program)
    foreach(_sm IN LISTS ARGN)
      add_test(NAME emulator.${program}.sm_${_sm}
        COMMAND "${PROJECT_SOURCE_DIR}/tools/emulate" --build "${PROJECT_BINARY_DIR}" --sm ${_sm} $<TARGET_FILE:${program}>)
      set_tests_properties(emulator.${program}.sm_${_sm} PROPERTIES
        TIMEOUT ${CUDAX_SYNC_TEST_TIMEOUT} LABELS emulator FAIL_REGULAR_EXPRESSION "skipped")
    endforeach()
  endfunction()
  _cudax_sync_default_sm(_sms)
  foreach(_program message_passing signal_flag identifier_map)
    cudax_emulate(${_program} ${_sms})
  endforeach()
endif()
