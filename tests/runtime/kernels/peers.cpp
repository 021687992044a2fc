// SPDX-License-Identifier: Apache-2.0
//
// Access between devices, on simulated devices.
#include "../simulated/simulated_execution.hpp"
#include "../simulated/simulated_machine.hpp"

#include <boost/test/unit_test.hpp>

#include <system_error>
#include <utility>
#include <vector>

import cudax.sync.host;

namespace cuda = cudax::runtime::cuda;

namespace {

struct fixture : cudax_test::simulated_machine, cudax_test::simulated_execution {
  fixture() {
    cudax_test::simulated_machine::devices = 4;
    cudax_test::simulated_execution::devices = 4;
  }
  void fail_call(int k, int code) { cudax_test::simulated_execution::fail_call(k, code); }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(peers, fixture)

BOOST_AUTO_TEST_CASE(a_device_that_does_not_exist_is_an_error) {
  for (int const wrong : {7, -1}) {
    BOOST_CHECK_THROW((void)cudax::enable_peer_access(wrong, 0), cudax::cuda_error);
    std::error_code error;
    BOOST_TEST(cudax::try_enable_peer_access(error, wrong).empty());
    BOOST_TEST(error.value() == cuda::invalid_device);
    BOOST_TEST(cudax::try_enable_peer_access(error, 0, wrong).empty());
    BOOST_TEST(error.value() == cuda::invalid_device);
  }
  BOOST_TEST(enabled.empty());
  cudax_test::simulated_machine::devices = 0;
  std::error_code error;
  BOOST_TEST(cudax::try_enable_peer_access(error, 0).empty());
  BOOST_TEST(error.value() == cuda::no_device);
  BOOST_TEST(cudax::try_enable_peer_access(error).empty()); // all existing pairs: none
  BOOST_TEST(!error);
}

BOOST_AUTO_TEST_CASE(every_pair_gets_access_in_both_directions) {
  auto const pairs = cudax::enable_peer_access(0, 2, 3);
  BOOST_REQUIRE(pairs.size() == 6u);
  for (auto const& p : pairs) {
    BOOST_TEST(p.device != p.peer);
    BOOST_TEST((p.possible && p.enabled && p.native_atomics));
    BOOST_TEST(enabled.contains({p.device, p.peer}));
  }
  BOOST_TEST(enabled.size() == 6u);
  BOOST_TEST(cudax::enable_peer_access().size() == 12u); // all pairs; enabled ones stay enabled
  BOOST_TEST(enabled.size() == 12u);
  BOOST_TEST(cudax::enable_peer_access(1).empty());
  BOOST_TEST(cudax::enable_peer_access(1, 2, 1, 2).size() == 2u);
}

BOOST_AUTO_TEST_CASE(missing_peer_access_is_reported_as_a_result) {
  no_peers = {{0, 1}, {2, 0}};
  native_atomics = false;
  std::error_code error = std::make_error_code(std::errc::io_error);
  auto const pairs = cudax::try_enable_peer_access(error, 0, 1, 2);
  BOOST_CHECK(!error);
  BOOST_REQUIRE(pairs.size() == 6u);
  for (auto const& p : pairs) {
    bool const can = !no_peers.contains({p.device, p.peer});
    BOOST_TEST(p.possible == can);
    BOOST_TEST(p.enabled == can);
    BOOST_TEST(!p.native_atomics);
    BOOST_TEST(enabled.contains({p.device, p.peer}) == can);
  }
  cudax_test::simulated_machine::devices = 0;
  BOOST_TEST(cudax::enable_peer_access().empty());
}

BOOST_AUTO_TEST_CASE(a_failure_of_any_call_of_cuda_is_reported) {
  // For a pair: whether access is possible, native atomics, enabling.
  int k = 1;
  for (bool reported = true; reported; ++k) {
    enabled.clear();
    fail_call(k, cuda::memory_allocation);
    std::error_code error;
    (void)cudax::try_enable_peer_access(error, 1, 2);
    reported = bool(error);
    if (reported) BOOST_CHECK(error == std::errc::not_enough_memory);
  }
  BOOST_TEST(k == 8); // both directions, and a round without a failure
  BOOST_TEST(enabled.size() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()
