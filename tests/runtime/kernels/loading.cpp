// SPDX-License-Identifier: Apache-2.0
//
// Preloading kernels, and the warning about kernels that are not loaded, on simulated devices.
#include "../simulated/simulated_execution.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <system_error>

import cudax.sync.host;

namespace cuda = cudax::runtime::cuda;

namespace {

// Simulated kernels: only their addresses matter. Each test has its own kernels, since loaded kernels stay loaded.
template <int Number> void kernel(int) {}

std::string const rest =
    "load at their first launch (CUDA_MODULE_LOADING is LAZY, the default), which may wait until the "
    "device is idle: a kernel that polls for one of them never ends; call "
    "cudax::preload(kernel...) before, or set CUDA_MODULE_LOADING=EAGER";

} // namespace

BOOST_FIXTURE_TEST_SUITE(loading, cudax_test::simulated_execution)

BOOST_AUTO_TEST_CASE(kernels_are_loaded_for_the_current_device) {
  cudax::preload(kernel<1>, kernel<2>);
  BOOST_REQUIRE(described.size() == 2u);
  BOOST_TEST(described[0].first == reinterpret_cast<void const*>(&kernel<1>));
  BOOST_TEST(described[1].first == reinterpret_cast<void const*>(&kernel<2>));
  BOOST_TEST(described[1].second == 0);
  cudax::preload();
  BOOST_TEST(described.size() == 2u);
}

BOOST_AUTO_TEST_CASE(kernels_not_loaded_are_a_hazard_with_lazy_loading) {
  BOOST_TEST(cudax::lazy_loading_hazard() == "kernels " + rest);
  BOOST_TEST(cudax::lazy_loading_hazard(kernel<11>, kernel<12>) == "2 of 2 kernels for device 0 " + rest);
  cudax::preload(kernel<12>);
  BOOST_TEST(cudax::lazy_loading_hazard(kernel<11>, kernel<12>) == "1 of 2 kernels for device 0 " + rest);
  BOOST_TEST(cudax::lazy_loading_hazard(kernel<12>) == "");
  cudax::preload(kernel<11>);
  BOOST_TEST(cudax::lazy_loading_hazard(kernel<11>, kernel<12>) == "");
  set_device(1);
  BOOST_TEST(cudax::lazy_loading_hazard(kernel<11>) == "1 of 1 kernels for device 1 " + rest);
  cudax::preload(kernel<11>);
  BOOST_TEST(cudax::lazy_loading_hazard(kernel<11>) == "");
  lazily = false;
  BOOST_TEST(cudax::lazy_loading_hazard() == "");
  BOOST_TEST(cudax::lazy_loading_hazard(kernel<13>) == "");
}

BOOST_AUTO_TEST_CASE(a_failure_of_any_call_of_cuda_is_reported) {
  for (int k = 1; k <= 3; ++k) { // the device, and each kernel
    fail_call(k, cuda::memory_allocation);
    std::error_code error;
    cudax::try_preload(error, kernel<21>, kernel<22>);
    BOOST_CHECK(error == std::errc::not_enough_memory);
    BOOST_TEST(failed());
    fail_call(k, cuda::memory_allocation);
    BOOST_CHECK_THROW(cudax::preload(kernel<21>, kernel<22>), cudax::cuda_error);
    BOOST_TEST(cudax::lazy_loading_hazard(kernel<22>) != "");
    BOOST_TEST((cudax::lazy_loading_hazard(kernel<21>) == "") == (k == 3));
  }
  for (int k = 1; k <= 2; ++k) { // the loading mode, the device
    fail_call(k, cuda::memory_allocation);
    BOOST_TEST(
        cudax::lazy_loading_hazard(kernel<21>)
            .starts_with("how kernels are loaded cannot be queried: out of memory (cudaErrorMemoryAllocation); "));
  }
  std::error_code error = std::make_error_code(std::errc::io_error);
  cudax::try_preload(error, kernel<21>, kernel<22>);
  BOOST_CHECK(!error);
}

BOOST_AUTO_TEST_CASE(without_cuda_there_is_no_hazard_and_nothing_to_load) {
  auto const& before = cudax::runtime::exchange_execution(cudax::runtime::execution_calls_without_cuda);
  BOOST_TEST(cudax::lazy_loading_hazard(kernel<31>) == "");
  std::error_code error;
  cudax::try_preload(error, kernel<31>);
  BOOST_CHECK(error == std::errc::function_not_supported);
  cudax::runtime::exchange_execution(before);
}

BOOST_AUTO_TEST_SUITE_END()
