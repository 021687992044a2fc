# SPDX-License-Identifier: Apache-2.0
# Computing instructions: against exact results, and, with arithmetic_on_device.cu, against a GPU.
cudax_emulator_tests(emulator_arithmetic arithmetic PREFIX arithmetic_ TIMEOUT ${CUDAX_SYNC_TEST_TIMEOUT}
  SOURCES arithmetic_bits.cpp arithmetic_convert.cpp arithmetic_float.cpp arithmetic_forms.cpp arithmetic_integer.cpp
  arithmetic_video.cpp SUITES bits convert float forms integer video)

# The same instructions against the results of an H100. Clang alone compiles it: no module, no device link.
if(TARGET CUDA::cudart)
  cmake_path(GET CUDAToolkit_BIN_DIR PARENT_PATH _cuda)
  add_executable(arithmetic_on_device arithmetic_on_device.cu)
  set_source_files_properties(arithmetic_on_device.cu PROPERTIES LANGUAGE CXX CXX_SCAN_FOR_MODULES OFF
    OBJECT_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/arithmetic_on_device.hpp;${CMAKE_CURRENT_LIST_DIR}/arithmetic_conversions.hpp;\
${CMAKE_CURRENT_LIST_DIR}/arithmetic_floats.hpp;${CMAKE_CURRENT_LIST_DIR}/arithmetic_integers.hpp"
    # The optimiser takes 20 s for the host code, which only starts kernels.
    COMPILE_OPTIONS "-x;cuda;-std=c++20;-O1;-Xarch_host;-O0;--cuda-path=${_cuda};--cuda-gpu-arch=sm_90;--cuda-include-ptx=all;\
-Xcuda-fatbinary;--compress=false;-Wno-unknown-cuda-version")
  target_link_libraries(arithmetic_on_device PRIVATE CUDA::cudart)
  add_test(NAME emulator.arithmetic.h100
    COMMAND "${CMAKE_CURRENT_LIST_DIR}/../../tools/emulate" --build "${PROJECT_BINARY_DIR}" --sm 90
            $<TARGET_FILE:arithmetic_on_device> --check "${CMAKE_CURRENT_LIST_DIR}/h100.record")
  set_tests_properties(emulator.arithmetic.h100 PROPERTIES TIMEOUT ${CUDAX_SYNC_TEST_TIMEOUT} LABELS emulator)
endif()
