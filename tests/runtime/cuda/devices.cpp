// SPDX-License-Identifier: Apache-2.0
//
// The device query.
#include "../../../runtime/cuda/cuda_calls.hpp"
#include "../simulated/simulated_machine.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <system_error>
#include <vector>

import cudax.sync.host;

namespace cuda = cudax::runtime::cuda;

BOOST_FIXTURE_TEST_SUITE(devices, cudax_test::simulated_machine)

BOOST_AUTO_TEST_CASE(every_attribute_is_stored_under_its_name) {
  cudax_test::simulated_machine::devices = 3;
  std::vector<cudax::device_info> const found = cudax::devices();
  BOOST_REQUIRE(found.size() == 3u);
  BOOST_TEST(cudax::no_device_reason() == "");
  for (int i = 0; i < 3; ++i) {
    auto const& d = found[unsigned(i)];
    BOOST_TEST(d.ordinal == i);
    BOOST_TEST(d.name == "simulated device " + std::to_string(i));
    BOOST_TEST(d.compute_capability_major == 9);
    BOOST_TEST(d.compute_capability_minor == i);
    BOOST_TEST(d.multiprocessors == 100 + i);
    // Attribute n of device i is bit i of n.
    bool const values[] = {d.unified_addressing,
                           d.can_map_host_memory,
                           d.can_use_host_pointer_for_registered_mem,
                           d.concurrent_managed_access,
                           d.host_native_atomic_supported,
                           d.pageable_memory_access,
                           d.pageable_memory_access_uses_host_page_tables,
                           d.cooperative_launch,
                           d.cluster_launch,
                           d.only_partial_host_native_atomic_supported};
    for (int n = 0; n < 10; ++n) BOOST_TEST(values[n] == ((n >> i & 1) != 0), "device " << i << ", attribute " << n);
  }
}

BOOST_AUTO_TEST_CASE(no_driver_an_old_driver_and_no_device_are_reported) {
  cudax_test::simulated_machine::devices = 0;
  BOOST_TEST(cudax::devices().empty());
  BOOST_TEST(cudax::no_device_reason() ==
             "the CUDA driver reports no device; check nvidia-smi and CUDA_VISIBLE_DEVICES");

  count_error = cuda::insufficient_driver;
  driver_version = 0;
  BOOST_TEST(cudax::devices().empty());
  BOOST_TEST(cudax::no_device_reason() == "there is no CUDA driver (libcuda.so.1); install NVIDIA's driver where there "
                                          "is a GPU, or run the program by cudax-emulate (tools/emulate)");

  driver_version = 12040;
  BOOST_TEST(cudax::no_device_reason() ==
             "the driver supports CUDA 12.4, but the program runs on CUDA 13.0; install a newer driver");
}

BOOST_AUTO_TEST_CASE(a_device_that_cannot_be_queried_is_an_error) {
  cudax_test::simulated_machine::devices = 2;
  for (int k : {1, 2, 3}) { // the count, the first device, the second device
    fail_call(k, cuda::memory_allocation);
    std::error_code error;
    BOOST_TEST(cudax::devices(error).empty());
    BOOST_CHECK(error == std::errc::not_enough_memory);
    fail_call(k, cuda::memory_allocation);
    BOOST_CHECK_THROW(cudax::devices(), cudax::cuda_error);
  }
  std::error_code error = std::make_error_code(std::errc::io_error);
  BOOST_TEST(cudax::devices(error).size() == 2u);
  BOOST_CHECK(!error);
}

BOOST_AUTO_TEST_SUITE_END()
