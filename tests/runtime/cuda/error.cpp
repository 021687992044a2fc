// SPDX-License-Identifier: Apache-2.0
//
// cuda_error and its category, and what each call reports without CUDA.
#include "../../../runtime/interface/error.hpp"
#include "../../../runtime/cuda/cuda_calls.hpp"
#include "../simulated/simulated_machine.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <exception>
#include <string>
#include <system_error>
#include <type_traits>

import cudax.sync.host;

namespace {

namespace cuda = cudax::runtime::cuda;

bool contains(std::string const& text, char const* part) { return text.find(part) != std::string::npos; }

/// The table of a build without CUDA, available in any build.
struct without_cuda {
  cudax::runtime::cuda_calls const& before = cudax::runtime::exchange_calls(cudax::runtime::calls_without_cuda);
  ~without_cuda() { cudax::runtime::exchange_calls(before); }
};

std::error_code code(int value) { return {value, cudax::cuda_category()}; }

} // namespace

BOOST_AUTO_TEST_SUITE(error)

BOOST_AUTO_TEST_CASE(codes_are_cuda_s_and_compare_with_generic_conditions) {
  BOOST_TEST(cudax::cuda_category().name() == std::string("cuda"));
  BOOST_CHECK(code(cuda::invalid_value) == std::errc::invalid_argument);
  BOOST_CHECK(code(cuda::memory_allocation) == std::errc::not_enough_memory);
  BOOST_CHECK(code(cuda::no_device) == std::errc::no_such_device);
  BOOST_CHECK(code(cuda::insufficient_driver) == std::errc::no_such_device);
  BOOST_CHECK(code(cuda::not_supported) == std::errc::not_supported);
  BOOST_CHECK(code(cuda::not_permitted) == std::errc::operation_not_permitted);
  BOOST_CHECK(code(cuda::built_without) == std::errc::function_not_supported);
  BOOST_CHECK(code(cuda::memory_allocation) != std::errc::invalid_argument);
  BOOST_CHECK(!code(cuda::success));
}

BOOST_AUTO_TEST_CASE(a_message_is_cuda_s_text_and_name) {
  BOOST_TEST(code(cuda::memory_allocation).message() == "out of memory (cudaErrorMemoryAllocation)");
  BOOST_TEST(code(cuda::invalid_value).message() == "invalid argument (cudaErrorInvalidValue)");
  BOOST_TEST(contains(code(cuda::built_without).message(), "built without CUDA"));
}

BOOST_AUTO_TEST_CASE(a_message_says_what_to_do_about_the_error) {
  struct {
    int code;
    char const* advice;
  } const cases[] = {
      {cuda::invalid_configuration, "; a block has at most 1024 x 1024 x 64 threads"},
      {cuda::invalid_device_function, "; give a __global__ function"},
      {cuda::no_kernel_image, "; compile the kernel for this device's SM"},
      {cuda::invalid_resource_handle, "; the stream or event must be alive"},
      {cuda::invalid_device, "; the devices are numbered from 0"},
      {cuda::not_permitted, "; CUDA may not be called here"},
      {cuda::illegal_address, "; a kernel died"},
      {cuda::launch_failure, "; a kernel died"},
      {214, "; CUDA may be reporting an earlier kernel"}, // cudaErrorECCUncorrectable
  };
  for (auto const& [value, advice] : cases) {
    char text[480];
    cudax::runtime::explain(value, text, sizeof(text));
    BOOST_TEST(contains(text, advice), text);
  }
  for (int const value : {cuda::invalid_configuration, cuda::invalid_device_function, cuda::invalid_resource_handle})
    BOOST_CHECK(code(value) == std::errc::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_message_says_whether_there_is_a_driver) {
  cudax_test::simulated_machine machine;
  machine.driver_version = 0;
  BOOST_TEST(contains(code(cuda::insufficient_driver).message(), "there is no CUDA driver (libcuda.so.1)"));
  machine.driver_version = 12020;
  BOOST_TEST(contains(code(cuda::insufficient_driver).message(), "the driver supports CUDA 12.2"));
}

BOOST_AUTO_TEST_CASE(the_exception_is_a_system_error_with_a_message) {
  static_assert(std::is_base_of_v<std::system_error, cudax::cuda_error>);
  static_assert(std::is_nothrow_copy_constructible_v<cudax::cuda_error>);
  std::exception_ptr kept;
  {
    cudax_test::simulated_machine machine;
    machine.fail_call(2, cuda::memory_allocation); // after the query for the owner of the memory
    int object = 0;
    try {
      cudax::registered<int> const r(object);
      BOOST_ERROR("nothing was thrown");
    } catch (cudax::cuda_error const& e) {
      BOOST_CHECK(e.code() == code(cuda::memory_allocation));
      kept = std::current_exception();
    }
  }
  try {
    std::rethrow_exception(kept);
  } catch (std::system_error const& e) {
    std::string const what = e.what();
    BOOST_TEST(what.starts_with("cudax.sync: registered: 4 bytes at 0x"), what);
    BOOST_TEST(contains(what, "out of memory (cudaErrorMemoryAllocation); free memory"), what);
  }
}

BOOST_FIXTURE_TEST_CASE(a_build_without_cuda_has_the_same_interface_and_reports_the_reason, without_cuda) {
  BOOST_TEST(cudax::devices().empty());
  BOOST_TEST(contains(cudax::no_device_reason(), "built without CUDA"));

  int object = 0;
  std::error_code error;
  cudax::registered<int> const r(object, error);
  BOOST_CHECK(error == std::errc::function_not_supported);
  BOOST_TEST(!r);
  BOOST_TEST(!cudax::try_make_mapped<int>(error, 1));
  BOOST_CHECK(error == std::errc::function_not_supported);
  BOOST_TEST(!cudax::try_make_managed<int[]>(error, 10));
  BOOST_CHECK(error == std::errc::function_not_supported);
  try {
    auto const p = cudax::make_managed<int>(1);
    BOOST_ERROR("nothing was thrown");
  } catch (cudax::cuda_error const& e) {
    std::string const what = e.what();
    BOOST_TEST(what.starts_with("cudax.sync: make_managed: 1 object of 4 bytes cannot be allocated: "), what);
    BOOST_TEST(contains(what, "built without CUDA; install a CUDA toolkit"), what);
  }
}

BOOST_AUTO_TEST_CASE(this_machine_has_a_device_or_a_reason) {
  std::string const reason = cudax::no_device_reason();
  BOOST_TEST_MESSAGE("no_device_reason(): '" << reason << "'");
  BOOST_TEST(cudax::devices().empty() == !reason.empty());
  int object = 42;
  std::error_code error;
  cudax::registered<int> r(object, error);
  BOOST_TEST(bool(r) == reason.empty());
  BOOST_TEST(bool(error) == !reason.empty(), error.message());
  if (!reason.empty()) {
    try {
      auto const p = cudax::make_mapped<int>(1);
      BOOST_ERROR("nothing was thrown");
    } catch (cudax::cuda_error const& e) {
      BOOST_TEST(contains(e.what(), reason.c_str()), e.what()); // the same message, after the failed operation
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
