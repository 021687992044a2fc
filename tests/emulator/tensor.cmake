# SPDX-License-Identifier: Apache-2.0
# Tensor copies, against the results of an H100. Clang alone compiles it: no module, no device link.
if(TARGET CUDA::cudart)
  cmake_path(GET CUDAToolkit_BIN_DIR PARENT_PATH _cuda)
  add_executable(tensor_on_device tensor_on_device.cu)
  set_source_files_properties(tensor_on_device.cu PROPERTIES LANGUAGE CXX CXX_SCAN_FOR_MODULES OFF
    OBJECT_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/tensor_on_device_cases.hpp;${CMAKE_CURRENT_LIST_DIR}/tensor_on_device_kernel.hpp"
    COMPILE_OPTIONS "-x;cuda;-std=c++20;-O1;-Xarch_host;-O0;--cuda-path=${_cuda};--cuda-gpu-arch=sm_90;--cuda-include-ptx=all;\
-Xcuda-fatbinary;--compress=false;-Wno-unknown-cuda-version")
  target_link_libraries(tensor_on_device PRIVATE CUDA::cudart)
  add_executable(tensor_replace tensor_replace.cu)
  set_source_files_properties(tensor_replace.cu PROPERTIES LANGUAGE CXX CXX_SCAN_FOR_MODULES OFF
    COMPILE_OPTIONS "-x;cuda;-std=c++20;-O1;-Xarch_host;-O0;--cuda-path=${_cuda};--cuda-gpu-arch=sm_90a;--cuda-include-ptx=all;\
-Xcuda-fatbinary;--compress=false;-Wno-unknown-cuda-version")
  target_link_libraries(tensor_replace PRIVATE CUDA::cudart)
  add_test(NAME emulator.tensor.replace
    COMMAND "${CMAKE_CURRENT_LIST_DIR}/../../tools/emulate" --build "${PROJECT_BINARY_DIR}" --sm 90 $<TARGET_FILE:tensor_replace>)
  set_tests_properties(emulator.tensor.replace PROPERTIES TIMEOUT ${CUDAX_SYNC_TEST_TIMEOUT} LABELS emulator)
  foreach(_sm 90 100)
    add_test(NAME emulator.tensor.h100.sm_${_sm}
      COMMAND "${CMAKE_CURRENT_LIST_DIR}/../../tools/emulate" --build "${PROJECT_BINARY_DIR}" --sm ${_sm}
              $<TARGET_FILE:tensor_on_device> --check "${CMAKE_CURRENT_LIST_DIR}/h100_tensor.record")
    set_tests_properties(emulator.tensor.h100.sm_${_sm} PROPERTIES TIMEOUT ${CUDAX_SYNC_TEST_TIMEOUT} LABELS emulator)
  endforeach()
  # Maps need sm_90: cudaErrorNotSupported.
  add_test(NAME emulator.tensor.sm_80
    COMMAND "${CMAKE_CURRENT_LIST_DIR}/../../tools/emulate" --build "${PROJECT_BINARY_DIR}" --sm 80
            $<TARGET_FILE:tensor_on_device> --encode 0)
  set_tests_properties(emulator.tensor.sm_80 PROPERTIES TIMEOUT ${CUDAX_SYNC_TEST_TIMEOUT} LABELS emulator
    PASS_REGULAR_EXPRESSION "encode rank 2\treturns 801" FAIL_REGULAR_EXPRESSION "returns 0")
  # Checked runs make the same copies part by part, and have nothing to report. One copy in three: all of them take 20 s.
  add_test(NAME emulator.tensor.h100.checked
    COMMAND "${CMAKE_CURRENT_LIST_DIR}/../../tools/emulate" --build "${PROJECT_BINARY_DIR}" --sm 90 --check --seed 1
            $<TARGET_FILE:tensor_on_device> --check-copies "${CMAKE_CURRENT_LIST_DIR}/h100_tensor.record")
  set_tests_properties(emulator.tensor.h100.checked PROPERTIES TIMEOUT ${CUDAX_SYNC_TEST_TIMEOUT} LABELS emulator)
endif()
