// SPDX-License-Identifier: Apache-2.0
//
// Errors as CUDA reports them, and launches that are rejected.
#include "runtime.hpp"

#include <cuda_profiler_api.h>

#include <cstring>
#include <thread>

using namespace cudax_test;

BOOST_AUTO_TEST_SUITE(errors)

BOOST_AUTO_TEST_CASE(a_last_error_belongs_to_its_thread_and_is_read_once) {
  BOOST_CHECK_EQUAL(cudaSetDevice(3), cudaErrorInvalidDevice);
  std::jthread([] { BOOST_CHECK_EQUAL(cudaGetLastError(), cudaSuccess); }).join();
  BOOST_CHECK_EQUAL(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  SUCCEEDS(cudaSetDevice(0)); // success does not clear it
  BOOST_CHECK_EQUAL(cudaGetLastError(), cudaErrorInvalidDevice);
  BOOST_CHECK_EQUAL(cudaGetLastError(), cudaSuccess);
}

BOOST_AUTO_TEST_CASE(errors_have_names_and_texts) {
  BOOST_CHECK_EQUAL(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
  BOOST_CHECK_EQUAL(cudaGetErrorString(cudaErrorIllegalAddress), "illegal address");
  BOOST_CHECK_EQUAL(cudaGetErrorString(cudaSuccess), "no error");
  BOOST_CHECK_EQUAL(cudaGetErrorName(static_cast<cudaError_t>(12345)), "unrecognized error code");
}

BOOST_AUTO_TEST_CASE(after_a_fault_every_call_fails_until_the_device_is_reset) {
  mapped_word word;
  unsigned* const kept = word.at;
  SUCCEEDS(launch(kernels::trap, 1, 1, nullptr));
  cudaError_t const error = cudaDeviceSynchronize();
  BOOST_REQUIRE_GE(error, cudaErrorIllegalAddress); // the machine decides which error it is
  BOOST_CHECK_EQUAL(launch(kernels::set, 1, 1, nullptr, kept, 1u), error);
  void* pointer = nullptr;
  std::jthread([&] { BOOST_CHECK_EQUAL(cudaMalloc(&pointer, 4), error); }).join();
  BOOST_CHECK_EQUAL(cudaGetLastError(), error);
  BOOST_CHECK_EQUAL(cudaGetLastError(), error); // it does not go away
  SUCCEEDS(cudaDeviceReset());
  BOOST_CHECK_EQUAL(cudaGetLastError(), cudaSuccess);
  SUCCEEDS(cudaMalloc(&pointer, 4));
  SUCCEEDS(launch(kernels::set, 1, 1, nullptr, pointer, 6u));
  unsigned found = 0;
  SUCCEEDS(cudaMemcpy(&found, pointer, 4, cudaMemcpyDeviceToHost));
  BOOST_CHECK_EQUAL(found, 6u);
  SUCCEEDS(cudaFree(pointer));
  word.at = nullptr; // the reset has freed it
}

BOOST_AUTO_TEST_CASE(launches_that_cannot_run_are_rejected_at_the_call) {
  RETURNS(cudaErrorInvalidConfiguration, launch(kernels::trap, 0, 1, nullptr));
  RETURNS(cudaErrorInvalidConfiguration, launch(kernels::trap, 1, 1025, nullptr));
  RETURNS(cudaErrorInvalidConfiguration, launch(kernels::trap, dim3(1, 65536), 1, nullptr));
  int not_a_kernel = 0;
  RETURNS(cudaErrorInvalidDeviceFunction, launch(&not_a_kernel, 1, 1, nullptr));
  RETURNS(cudaErrorInvalidDeviceFunction, launch(kernels::only_in_host, 1, 1, nullptr));
  RETURNS(cudaErrorNoKernelImageForDevice, launch(kernels::newer, 1, 1, nullptr));
  RETURNS(cudaErrorInvalidPtx, launch(kernels::not_decoded, 1, 1, nullptr));
  RETURNS(cudaErrorInvalidResourceHandle, launch(kernels::trap, 1, 1, reinterpret_cast<cudaStream_t>(&not_a_kernel)));
  SUCCEEDS(cudaDeviceSynchronize());
}

BOOST_AUTO_TEST_CASE(dynamic_shared_memory_is_limited_until_the_kernel_s_attribute_raises_it) {
  BOOST_CHECK_EQUAL(cudaLaunchKernel(kernels::trap, 1, 1, nullptr, 48 * 1024 + 1, nullptr), cudaErrorInvalidValue);
  mapped_word word;
  unsigned value = 4;
  void* arguments[] = {&word.at, &value};
  SUCCEEDS(cudaFuncSetAttribute(kernels::set, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024));
  SUCCEEDS(cudaLaunchKernel(kernels::set, 1, 1, arguments, 64 * 1024, nullptr));
  SUCCEEDS(cudaDeviceSynchronize());
  BOOST_CHECK_EQUAL(word.load(), 4u);
  BOOST_CHECK_EQUAL(cudaLaunchKernel(kernels::set, 1, 1, arguments, 64 * 1024 + 1, nullptr), cudaErrorInvalidValue);
  BOOST_CHECK_EQUAL(cudaGetLastError(), cudaErrorInvalidValue);
}

BOOST_AUTO_TEST_CASE(clusters_and_cooperative_grids_are_checked_against_the_device) {
  mapped_word sum;
  unsigned value = 1;
  void* arguments[] = {&sum.at, &value};
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {4, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = 8;
  config.blockDim = 32;
  config.attrs = &attribute;
  config.numAttrs = 1;
  SUCCEEDS(cudaLaunchKernelExC(&config, kernels::add, arguments));
  SUCCEEDS(cudaDeviceSynchronize());
  BOOST_CHECK_EQUAL(sum.load(), 8u * 32);
  config.gridDim = 6;
  RETURNS(cudaErrorInvalidConfiguration, cudaLaunchKernelExC(&config, kernels::add, arguments));
  config.gridDim = 16;
  attribute.val.clusterDim = {16, 1, 1};
  RETURNS(cudaErrorInvalidClusterSize, cudaLaunchKernelExC(&config, kernels::add, arguments));
  int clusters = 0;
  RETURNS(cudaErrorInvalidClusterSize, cudaOccupancyMaxActiveClusters(&clusters, kernels::add, &config));

  int blocks = 0, multiprocessors = 0;
  SUCCEEDS(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernels::add, 32, 0));
  SUCCEEDS(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  auto const resident = static_cast<unsigned>(blocks * multiprocessors);
  SUCCEEDS(cudaLaunchCooperativeKernel(kernels::add, resident, 32, arguments, 0, nullptr));
  RETURNS(cudaErrorCooperativeLaunchTooLarge,
          cudaLaunchCooperativeKernel(kernels::add, resident + 1, 32, arguments, 0, nullptr));
  SUCCEEDS(cudaDeviceSynchronize());
}

BOOST_AUTO_TEST_CASE(missing_functions_report_an_error) {
  cudaArray_t array = nullptr;
  cudaChannelFormatDesc const format{32, 0, 0, 0, cudaChannelFormatKindSigned};
  RETURNS(cudaErrorNotSupported, cudaMallocArray(&array, &format, 4, 0, 0));
  int can = 1;
  SUCCEEDS(cudaDeviceCanAccessPeer(&can, 0, 0));
  BOOST_CHECK_EQUAL(can, 0);
}

BOOST_AUTO_TEST_CASE(starting_and_stopping_a_profiler_has_no_effect) {
  SUCCEEDS(cudaProfilerStart());
  SUCCEEDS(cudaProfilerStop());
}

BOOST_AUTO_TEST_CASE(the_device_properties_are_those_of_the_emulated_device) {
  cudaDeviceProp properties;
  SUCCEEDS(cudaGetDeviceProperties(&properties, 0));
  BOOST_CHECK(std::strncmp(properties.name, "cudax.sync emulator, sm_", 24) == 0);
  int value = 0;
  SUCCEEDS(cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, 0));
  BOOST_CHECK_EQUAL(value, properties.major);
  for (cudaDeviceAttr const attribute : {cudaDevAttrConcurrentManagedAccess, cudaDevAttrHostNativeAtomicSupported,
                                         cudaDevAttrUnifiedAddressing, cudaDevAttrCooperativeLaunch}) {
    SUCCEEDS(cudaDeviceGetAttribute(&value, attribute, 0));
    BOOST_CHECK_EQUAL(value, 1);
  }
  RETURNS(cudaErrorInvalidDevice, cudaGetDeviceProperties(&properties, 1));
}

BOOST_AUTO_TEST_SUITE_END()
