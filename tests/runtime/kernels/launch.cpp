// SPDX-License-Identifier: Apache-2.0
//
// launch_coresident on simulated devices: which launches it rejects, with which numbers, and what it passes to CUDA.
#include "../simulated/simulated_execution.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <system_error>

import cudax.sync.host;

namespace cuda = cudax::runtime::cuda;

namespace {

auto* const stream = reinterpret_cast<CUstream_st*>(0x7000);

struct dim3_like {
  unsigned x, y, z;
};

// Simulated kernels: only their addresses matter.
void kernel(int, double, char const*) {}
void kernel_without_parameters() {}

std::string refusal(auto launch) {
  try {
    launch();
  } catch (cudax::cuda_error const& e) {
    return e.what();
  }
  return "nothing was thrown";
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(launch, cudax_test::simulated_execution)

BOOST_AUTO_TEST_CASE(a_grid_that_fits_is_launched_as_requested) {
  static int seen_int = 0;
  static double seen_double = 0;
  auto const table = cudax::runtime::execution();
  auto spy = table;
  spy.launch_cooperative = [](cudax::runtime::launch_request const* r) {
    seen_int = *static_cast<int*>(r->arguments[0]);
    seen_double = *static_cast<double*>(r->arguments[1]);
    return 0;
  };
  auto const& before = cudax::runtime::exchange_execution(spy);
  cudax::launch_coresident(kernel, 32, 128, 0, stream, 'a', 2, nullptr); // arguments are converted
  cudax::runtime::exchange_execution(before);
  BOOST_TEST(seen_int == 'a');
  BOOST_TEST(seen_double == 2.0);

  cudax::launch_coresident(kernel_without_parameters, dim3_like{4, 4, 2}, dim3_like{8, 8, 1}, 512, stream);
  BOOST_REQUIRE(launches.size() == 1u);
  auto const& r = launches[0];
  BOOST_TEST(r.kernel == reinterpret_cast<void const*>(&kernel_without_parameters));
  BOOST_TEST((r.grid.x == 4 && r.grid.y == 4 && r.grid.z == 2));
  BOOST_TEST((r.block.x == 8 && r.block.y == 8 && r.block.z == 1));
  BOOST_TEST(r.shared == 512u);
  BOOST_TEST(r.stream == stream);
  std::error_code error = std::make_error_code(std::errc::io_error);
  cudax::try_launch_coresident(error, kernel_without_parameters, 1, 1, 0, nullptr);
  BOOST_CHECK(!error);
  BOOST_TEST(launches.size() == 2u);
}

BOOST_AUTO_TEST_CASE(a_grid_that_does_not_fit_is_rejected_with_the_numbers) {
  struct {
    unsigned grid, block;
    std::size_t shared;
    int registers, blocks;
    char const* numbers;
  } const cases[] = {
      {129, 32, 0, 32, 32,
       "129 blocks of 32 threads with 0 bytes of dynamic shared memory cannot run at once on device 0: 32 fit on each "
       "of its 4 multiprocessors (each needs 1 of the 32 blocks), 128 in all"},
      {9, 1024, 0, 32, 2,
       "9 blocks of 1024 threads with 0 bytes of dynamic shared memory cannot run at once on device 0: 2 fit on each "
       "of its 4 multiprocessors (each needs 1024 of the 2048 threads), 8 in all"},
      {1000, 250, 0, 255, 1,
       "1000 blocks of 250 threads with 0 bytes of dynamic shared memory cannot run at once on device 0: 1 fit on each "
       "of its 4 multiprocessors (each needs 65536 of the 65536 registers), 4 in all"},
      {40, 64, 40000, 32, 5,
       "40 blocks of 64 threads with 40000 bytes of dynamic shared memory cannot run at once on device 0: 5 fit on "
       "each of its 4 multiprocessors (each needs 42112 of the 233472 bytes of shared memory), 20 in all"},
      {1, 64, 0, 32, 0,
       "1 blocks of 64 threads with 0 bytes of dynamic shared memory cannot run at once on device 0: 0 fit on each of "
       "its 4 multiprocessors (by CUDA's occupancy query), 0 in all"},
  };
  for (auto const& c : cases) {
    kernel_facts.registers = c.registers;
    blocks = c.blocks;
    BOOST_TEST(
        refusal([&] { cudax::launch_coresident(kernel_without_parameters, c.grid, c.block, c.shared, stream); }) ==
        std::string("cudax.sync: launch_coresident: ") + c.numbers + "; launch at most so many, or smaller ones");
    std::error_code error;
    cudax::try_launch_coresident(error, kernel_without_parameters, c.grid, c.block, c.shared, stream);
    BOOST_TEST(error.value() == cuda::cooperative_launch_too_large);
    BOOST_TEST(cudax::coresident_blocks(kernel_without_parameters, c.block, c.shared) == 4 * c.blocks);
  }
  BOOST_TEST(launches.empty());
}

BOOST_AUTO_TEST_CASE(a_grid_of_clusters_that_does_not_fit_is_rejected_with_the_numbers) {
  clusters = 3;
  cudax::launch_cluster const cluster(4, 2);
  BOOST_TEST(cudax::coresident_blocks(kernel_without_parameters, 64, cluster) == 24);
  cudax::launch_coresident(kernel_without_parameters, dim3_like{4, 6, 1}, 64, cluster, 512, stream);
  cudax::launch_dependent(kernel_without_parameters, 8, 64, cudax::launch_cluster(dim3_like{8, 1, 1}), 0, stream);
  BOOST_REQUIRE(launches.size() == 2u);
  BOOST_TEST((launches[0].cluster.x == 4 && launches[0].cluster.y == 2 && launches[0].cluster.z == 1));
  BOOST_TEST(launches[1].cluster.x == 8u);

  struct {
    cudax::launch_extent grid;
    cudax::launch_cluster cluster;
    int code;
    char const* sentence;
  } const cases[] = {
      {{4, 8},
       cluster,
       cuda::cooperative_launch_too_large,
       "32 blocks of 64 threads with 512 bytes of dynamic shared memory, in clusters of 8, cannot run at once on "
       "device "
       "0: 3 clusters fit (by CUDA's occupancy query), 24 blocks in all; launch at most so many, or smaller ones"},
      {{6, 2},
       cluster,
       cuda::invalid_cluster_size,
       "a grid of 6 x 2 x 1 blocks is no multiple of the cluster of 4 x 2 x 1; round it up"},
      {{4, 3},
       cluster,
       cuda::invalid_cluster_size,
       "a grid of 4 x 3 x 1 blocks is no multiple of the cluster of 4 x 2 x 1; round it up"},
      {{4, 2},
       cudax::launch_cluster(4, 0),
       cuda::invalid_value,
       "a cluster of 4 x 0 x 1 blocks is empty; clusters have one block or more"},
  };
  for (auto const& c : cases) {
    BOOST_TEST(refusal([&] {
                 cudax::launch_coresident(kernel_without_parameters, c.grid, 64, c.cluster, 512, stream);
               }) == std::string("cudax.sync: launch_coresident: ") + c.sentence);
    std::error_code error;
    cudax::try_launch_coresident(error, kernel_without_parameters, c.grid, 64, c.cluster, 512, stream);
    BOOST_TEST(error.value() == c.code);
  }
  std::error_code error;
  BOOST_TEST(cudax::coresident_blocks(kernel_without_parameters, 64, cudax::launch_cluster(16), 0, error) == 0);
  BOOST_TEST(error.value() == cuda::invalid_cluster_size);
  BOOST_TEST(refusal([&] {
               cudax::launch_coresident(kernel_without_parameters, 16, 64, cudax::launch_cluster(16), 0, stream);
             }) ==
             "cudax.sync: launch_coresident: a cluster of 16 x 1 x 1 blocks; every kernel can have 8, and on some "
             "devices 16, by launch_cluster(...).non_portable()");
  BOOST_TEST(cudax::coresident_blocks(kernel_without_parameters, 64, cudax::launch_cluster(16).non_portable()) == 48);
  kernel_facts.sm = 86; // the code, on a device that has clusters
  std::string const code =
      ": clusters of 8 blocks; the code of this kernel was compiled for sm_86, where each block is "
      "a cluster: compile it for the device's SM (sm_90 or later), or launch without clusters";
  BOOST_TEST(refusal([&] { cudax::launch_coresident(kernel_without_parameters, {8, 2}, 64, cluster, 0, stream); }) ==
             "cudax.sync: launch_coresident" + code);
  BOOST_TEST(refusal([&] { cudax::launch_dependent(kernel_without_parameters, {8, 2}, 64, cluster, 0, stream); }) ==
             "cudax.sync: launch_dependent" + code);
  BOOST_TEST(cudax::coresident_blocks(kernel_without_parameters, 64, cluster, 0, error) == 0);
  BOOST_CHECK(error == std::errc::not_supported);
  BOOST_TEST(cudax::coresident_blocks(kernel_without_parameters, 64) > 0);
  multiprocessor.cluster_launch = 0;
  BOOST_TEST(refusal([&] {
               cudax::launch_coresident(kernel_without_parameters, 8, 64, cluster, 0, stream);
             }).find("a grid of 8 x 1 x 1 blocks is no multiple") != std::string::npos);
  BOOST_TEST(refusal([&] { cudax::launch_coresident(kernel_without_parameters, {8, 2}, 64, cluster, 0, stream); }) ==
             "cudax.sync: launch_coresident: device 0 has no clusters, which need sm_90; launch without a cluster, or "
             "choose another device (cudax::devices())");
  BOOST_TEST(launches.size() == 2u);
}

BOOST_AUTO_TEST_CASE(a_grid_of_clusters_may_be_larger_than_the_device) {
  cudax::launch(kernel, 1'000'000, 128, cudax::launch_cluster(2).preferred(4), 512, stream, 'a', 2, nullptr);
  std::error_code error = std::make_error_code(std::errc::io_error);
  cudax::try_launch(error, kernel_without_parameters, 16, 1, cudax::launch_cluster(16).non_portable(), 0, stream);
  BOOST_CHECK(!error);
  BOOST_REQUIRE(launches.size() == 2u);
  auto const &first = launches[0], &second = launches[1];
  BOOST_TEST((first.grid.x == 1'000'000 && first.block.x == 128 && first.shared == 512 && first.stream == stream));
  BOOST_TEST((first.cluster.x == 2 && first.names_cluster && first.preferred.x == 4 && first.names_preferred));
  BOOST_TEST(!first.large_clusters);
  BOOST_TEST((second.cluster.x == 16 && second.large_clusters && !second.names_preferred));
  struct {
    cudax::launch_extent grid;
    cudax::launch_cluster cluster;
    char const* sentence;
  } const cases[] = {
      {3, cudax::launch_cluster(2),
       "a grid of 3 x 1 x 1 blocks is no multiple of the cluster of 2 x 1 x 1; round it up"},
      {16, cudax::launch_cluster(16),
       "a cluster of 16 x 1 x 1 blocks; every kernel can have 8, and on some devices 16, by "
       "launch_cluster(...).non_portable()"},
      {12, cudax::launch_cluster(2).preferred(3),
       "a preferred cluster of 3 x 1 x 1 blocks is no multiple of the cluster of 2 x 1 x 1; make it one in each "
       "dimension"},
      {6, cudax::launch_cluster(2).preferred(4),
       "a grid of 6 x 1 x 1 blocks is no multiple of the cluster of 4 x 1 x 1; round it up"},
  };
  for (auto const& c : cases) {
    BOOST_TEST(refusal([&] { cudax::launch(kernel_without_parameters, c.grid, 64, c.cluster, 0, stream); }) ==
               std::string("cudax.sync: launch: ") + c.sentence);
    cudax::try_launch(error, kernel_without_parameters, c.grid, 64, c.cluster, 0, stream);
    BOOST_TEST(error.value() == cuda::invalid_cluster_size);
  }
  BOOST_TEST(
      refusal([&] {
        cudax::launch_coresident(kernel_without_parameters, 8, 64, cudax::launch_cluster(2).preferred(4), 0, stream);
      }) == "cudax.sync: launch_coresident: a preferred cluster of 4 x 1 x 1 blocks: which size the device takes "
            "decides how many blocks run at once; name one size");
  BOOST_TEST(launches.size() == 2u);
}

BOOST_AUTO_TEST_CASE(a_cluster_of_one_block_is_named_where_the_code_has_clusters) {
  cudax::launch_cluster const one(1);
  std::error_code error;
  auto const launch_all = [&](auto... cluster) {
    launches.clear();
    cudax::launch_coresident(kernel_without_parameters, 2, 64, cluster..., 0, stream);
    cudax::try_launch_coresident(error, kernel_without_parameters, 2, 64, cluster..., 0, stream);
    cudax::launch_dependent(kernel_without_parameters, 2, 64, cluster..., 0, stream);
    cudax::try_launch_dependent(error, kernel_without_parameters, 2, 64, cluster..., 0, stream);
    BOOST_TEST(launches.size() == 4u);
  };
  launch_all(one);
  for (auto const& r : launches) BOOST_TEST((r.names_cluster && r.cluster.x == 1 && r.cluster.y == 1));
  launch_all();
  for (auto const& r : launches) BOOST_TEST(!r.names_cluster);
  clusters = 3; // the device is asked for what the launch will be
  BOOST_TEST(cudax::coresident_blocks(kernel_without_parameters, 64, one) == 3);
  BOOST_TEST(cudax::coresident_blocks(kernel_without_parameters, 64, one, 0, error) == 3);
  BOOST_TEST(cudax::coresident_blocks(kernel_without_parameters, 64) == 32);
  BOOST_TEST(cudax::coresident_blocks(kernel_without_parameters, 64, 0, error) == 32);
  BOOST_TEST(refusal([&] { cudax::launch_coresident(kernel_without_parameters, 4, 64, one, 0, stream); }) ==
             "cudax.sync: launch_coresident: 4 blocks of 64 threads with 0 bytes of dynamic shared memory, in clusters "
             "of 1, cannot run at once on device 0: 3 clusters fit (by CUDA's occupancy query), 3 blocks in all; "
             "launch at most so many, or smaller ones");
  // Before sm_90 each block is a cluster anyway: of the code, or of the device, too.
  kernel_facts.sm = 86;
  for (int const has_clusters : {1, 0}) {
    multiprocessor.cluster_launch = has_clusters;
    BOOST_TEST(cudax::coresident_blocks(kernel_without_parameters, 64, one) == 32);
    launches.clear();
    cudax::launch_coresident(kernel_without_parameters, 32, 64, one, 0, stream);
    BOOST_TEST((launches.size() == 1u && !launches[0].names_cluster));
  }
}

BOOST_AUTO_TEST_CASE(an_impossible_launch_is_rejected_with_a_message) {
  struct {
    cudax::launch_extent grid, block;
    std::size_t shared;
    char const* sentence;
  } const cases[] = {
      {{0}, {32}, 0, "a grid of 0 x 1 x 1 blocks is empty; launch one or more"},
      {{4, 0, 2}, {32}, 0, "a grid of 4 x 0 x 2 blocks is empty; launch one or more"},
      {{1}, {0}, 0, "a block of 0 threads; this kernel takes 1 to 1024 on device 0: choose a smaller block"},
      {{1},
       {1024, 1024, 4096},
       0,
       "a block of 4294967296 threads; this kernel takes 1 to 1024 on device 0: choose a smaller block"},
      {{1},
       {65536, 65536, 4294967295},
       0,
       "a block of 18446744069414584320 threads; this kernel takes 1 to 1024 on device 0: choose a smaller block"},
      {{1},
       {65536, 65536, 0x10000},
       0,
       "a block of 281474976710656 threads; this kernel takes 1 to 1024 on device 0: choose a smaller block"},
      {{1},
       {4294967295, 65536, 4294967295},
       0,
       "a block of 18446744073709551615 threads; this kernel takes 1 to 1024 on device 0: choose a smaller block"},
      {{1},
       {32},
       49153,
       "49153 bytes of dynamic shared memory; this kernel takes 49152 on device 0: raise the limit with "
       "cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)"},
  };
  for (auto const& c : cases) {
    BOOST_TEST(refusal([&] {
                 cudax::launch_coresident(kernel_without_parameters, c.grid, c.block, c.shared, stream);
               }) == std::string("cudax.sync: launch_coresident: ") + c.sentence);
    std::error_code error;
    cudax::try_launch_coresident(error, kernel_without_parameters, c.grid, c.block, c.shared, stream);
    BOOST_CHECK(error == std::errc::invalid_argument);
  }
  multiprocessor.cooperative_launch = 0;
  std::error_code error;
  cudax::try_launch_coresident(error, kernel_without_parameters, 1, 1, 0, stream);
  BOOST_CHECK(error == std::errc::not_supported);
  BOOST_TEST(launches.empty());
}

BOOST_AUTO_TEST_CASE(a_failure_of_any_call_of_cuda_is_reported) {
  for (int k = 1; k <= 5; ++k) { // the device, the kernel, the multiprocessor, the occupancy, the launch
    std::error_code error;
    fail_call(k, cuda::memory_allocation);
    cudax::try_launch_coresident(error, kernel_without_parameters, 1, 32, 0, stream);
    BOOST_CHECK(error == std::errc::not_enough_memory);
    BOOST_TEST(failed());
    fail_call(k, cuda::memory_allocation);
    BOOST_CHECK_THROW(cudax::launch_coresident(kernel_without_parameters, 1, 32, 0, stream), cudax::cuda_error);
    if (k == 5) continue;
    fail_call(k, cuda::memory_allocation);
    BOOST_TEST(cudax::coresident_blocks(kernel_without_parameters, 32, 0, error) == 0);
    BOOST_CHECK(error == std::errc::not_enough_memory);
    fail_call(k, cuda::memory_allocation);
    BOOST_CHECK_THROW((void)cudax::coresident_blocks(kernel_without_parameters, 32), cudax::cuda_error);
  }
  BOOST_TEST(launches.empty());
}

BOOST_AUTO_TEST_CASE(a_dependent_launch_is_passed_on_and_its_failure_has_the_extents) {
  cudax::launch_dependent(kernel, {4, 3, 2}, dim3_like{8, 8, 1}, 512, stream, 'a', 2, nullptr);
  BOOST_REQUIRE(launches.size() == 1u);
  auto const& r = launches[0];
  BOOST_TEST(r.kernel == reinterpret_cast<void const*>(&kernel));
  BOOST_TEST((r.grid.x == 4 && r.grid.y == 3 && r.grid.z == 2 && r.block.x == 8 && r.block.y == 8 && r.block.z == 1));
  BOOST_TEST((r.shared == 512u && r.stream == stream));

  auto const fails = [&](int code, cudax::launch_extent grid, cudax::launch_extent block, std::size_t shared) {
    fail_call(1, code);
    std::error_code error;
    cudax::try_launch_dependent(error, kernel_without_parameters, grid, block, shared, stream);
    BOOST_TEST(error.value() == code);
    fail_call(1, code);
    return refusal([&] { cudax::launch_dependent(kernel_without_parameters, grid, block, shared, stream); });
  };
  std::string const where = "cudax.sync: launch_dependent: ";
  BOOST_TEST(fails(cuda::invalid_value, {4, 0}, 32, 0) ==
             where + "a grid of 4 x 0 x 1 blocks is empty; launch one or more");
  BOOST_TEST(fails(cuda::invalid_value, 1, 2048, 0) ==
             where + "a block of 2048 threads; this kernel takes 1 to 1024 on device 0: choose a smaller block");
  BOOST_TEST(fails(cuda::memory_allocation, {4, 2}, 32, 7)
                 .starts_with(where + "the launch of 4 x 2 x 1 blocks of 32 x 1 x 1 threads with 7 bytes of dynamic "
                                      "shared memory failed: "));
  fail_call(0, 0);
  std::error_code error; // 2^32 bytes are not truncated to 0
  cudax::try_launch_dependent(error, kernel_without_parameters, 1, 1, 0x100000000, stream);
  BOOST_CHECK(error == std::errc::invalid_argument);
  BOOST_TEST(launches.size() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
