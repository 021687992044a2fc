// SPDX-License-Identifier: Apache-2.0
//
// make_tensor_map on simulated devices: what it passes to the driver, and which tensors it rejects, with which numbers.
#include "../simulated/simulated_execution.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <cstring>
#include <string>
#include <system_error>

import cudax.sync;
import cudax.sync.host;

namespace cuda = cudax::runtime::cuda;
using cudax::tensor_box;
using cudax::tensor_fill;
using cudax::tensor_map;

namespace {

float* const memory = reinterpret_cast<float*>(0x10000);

using tiles = tensor_map<float, tensor_box<16, 8>, cudax::tensor_swizzle::bytes_64>;
using line = tensor_map<float, tensor_box<16>>;
using cubes = tensor_map<float, tensor_box<8, 4, 2>>;
using integers = tensor_map<std::uint64_t, tensor_box<16, 8>>;

std::string refusal(auto make) {
  try {
    make();
  } catch (cudax::cuda_error const& e) {
    std::string const where = "cudax.sync: make_tensor_map: ", what = e.what();
    BOOST_TEST(what.starts_with(where));
    return what.substr(where.size());
  }
  return "nothing was thrown";
}

template <class Map> std::uint64_t first_word(Map const& map) {
  std::uint64_t words[16];
  std::memcpy(words, &map, sizeof(words));
  return words[0];
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(tensor_maps, cudax_test::simulated_execution)

BOOST_AUTO_TEST_CASE(the_map_is_that_of_the_driver_for_this_tensor) {
  int const width = 100; // extents and strides may have any integer type
  unsigned const height = 7;
  auto const map = cudax::make_tensor_map<tiles>(memory, {width, height});
  BOOST_TEST(first_word(map) == 1u); // the simulated driver's first
  auto const& r = tensor;
  BOOST_TEST((r.rank == 2 && r.type == 7 && r.swizzle == 2 && r.address == memory && r.element_size == 4));
  BOOST_TEST((r.box[0] == 16 && r.box[1] == 8 && r.extents[0] == 100 && r.extents[1] == 7 && r.strides[0] == 400));
  BOOST_TEST((r.fill == tensor_fill::zeros && r.promotion == cudax::tensor_promotion::none));

  std::error_code error = std::make_error_code(std::errc::io_error);
  auto const other = cudax::try_make_tensor_map<tiles>(
      error, memory, {100, 7},
      {.strides = {512ul}, .fill = tensor_fill::nan, .promotion = cudax::tensor_promotion::bytes_256});
  BOOST_TEST(!error);
  BOOST_TEST(first_word(other) == 2u);
  BOOST_TEST((r.strides[0] == 512 && r.fill == tensor_fill::nan && int(r.promotion) == 3));
  (void)cudax::make_tensor_map<line>(memory, 100); // one number without braces; any size
  BOOST_TEST((r.rank == 1 && r.extents[0] == 100));
  (void)cudax::make_tensor_map<line>(memory, {1});
}

BOOST_AUTO_TEST_CASE(strides_that_are_not_given_have_no_padding) {
  (void)cudax::make_tensor_map<cubes>(memory, {12, 5, 3});
  BOOST_TEST((tensor.strides[0] == 48 && tensor.strides[1] == 240));
  (void)cudax::make_tensor_map<cubes>(memory, {11, 5, 3}, {.strides = {64, 0}});
  BOOST_TEST((tensor.strides[0] == 64 && tensor.strides[1] == 320));
}

BOOST_AUTO_TEST_CASE(a_stride_that_is_never_used_may_have_any_value) {
  (void)cudax::make_tensor_map<tiles>(memory, {15, 1}); // one row
  BOOST_TEST((tensor.extents[0] == 15 && tensor.extents[1] == 1 && tensor.strides[0] == 64));
  (void)cudax::make_tensor_map<tiles>(memory, {16, 1});
  BOOST_TEST(tensor.strides[0] == 64);
  (void)cudax::make_tensor_map<tiles>(memory, {15, 1}, {.strides = {60}});
  BOOST_TEST(tensor.strides[0] == 64);
  (void)cudax::make_tensor_map<cubes>(memory, {1, 1, 1});
  BOOST_TEST((tensor.strides[0] == 16 && tensor.strides[1] == 16));
  (void)cudax::make_tensor_map<cubes>(memory, {12, 1, 3}, {.strides = {4, 48}});
  BOOST_TEST((tensor.strides[0] == 16 && tensor.strides[1] == 48));
  (void)cudax::make_tensor_map<cubes>(memory, {1ll << 31, 1ll << 6, 1}); // less than 2^40, and 2^39 without padding
  BOOST_TEST((tensor.strides[0] == 1ll << 33 && tensor.strides[1] == 1ll << 39));
  (void)cudax::make_tensor_map<cubes>(memory, {1ll << 31, 1ll << 5, 1}, {.strides = {1ll << 36, 0}});
  BOOST_TEST((tensor.strides[0] == 1ll << 36 && tensor.strides[1] == (1ll << 40) - 16));
}

BOOST_AUTO_TEST_CASE(every_type_has_the_number_of_the_driver) {
  std::error_code error;
  void* const at = memory;
  auto const type = [&]<class T>(T*) {
    (void)cudax::make_tensor_map<tensor_map<T, tensor_box<16>>>(static_cast<T*>(at), {64});
    return tensor.type;
  };
  BOOST_TEST((type((unsigned char*)at) == 0 && type((signed char*)at) == 0 && type((unsigned short*)at) == 1 &&
              type((unsigned*)at) == 2 && type((int*)at) == 3 && type((std::uint64_t*)at) == 4 &&
              type((std::int64_t*)at) == 5 && type((float*)at) == 7 && type((double*)at) == 8));
  (void)cudax::make_tensor_map<tensor_map<cudax::tensor_tf32, tensor_box<16>>>(memory, {64});
  BOOST_TEST(tensor.type == 11);
}

BOOST_AUTO_TEST_CASE(a_tensor_that_cannot_be_copied_is_rejected_with_a_message) {
  auto const at = [](std::uintptr_t address) { return reinterpret_cast<float const*>(address); };
  auto const of_tiles = [](float const* address, cudax::tensor_extents<2> e, cudax::tensor_options<2> o = {}) {
    return refusal([&] { (void)cudax::make_tensor_map<tiles>(address, e, o); });
  };
  auto const of_cubes = [](cudax::tensor_extents<3> e, cudax::tensor_options<3> o = {}) {
    return refusal([&] { (void)cudax::make_tensor_map<cubes>(memory, e, o); });
  };
  BOOST_TEST(of_tiles(nullptr, {16, 8}) ==
             "the address of the tensor is null; give the address of its first element in memory that the device can "
             "access");
  BOOST_TEST(
      of_tiles(at(0x10008), {16, 8}) ==
      "the tensor begins at 0x10008, which is no multiple of 16; give the beginning of an allocation, and the rest "
      "by coordinates");
  BOOST_TEST(of_tiles(memory, {}) == "dimension 0 of the tensor has 0 elements; each dimension has 1 to 2^31");
  BOOST_TEST(of_tiles(memory, {16, -3}) == "dimension 1 of the tensor has -3 elements; each dimension has 1 to 2^31");
  BOOST_TEST(of_tiles(memory, {16, (1ll << 31) + 1}) ==
             "dimension 1 of the tensor has 2147483649 elements; each dimension has 1 to 2^31");
  BOOST_TEST(
      of_tiles(memory, {15, 8}) ==
      "the stride from an element of dimension 1 to the next is 60 bytes without padding, which is no multiple of "
      "16; pad the rows in memory, and give the strides");
  BOOST_TEST(
      of_tiles(memory, {15, 8}, {.strides = {72}}) ==
      "the stride from an element of dimension 1 to the next is 72 bytes, which is no multiple of 16; pad the rows "
      "in memory");
  BOOST_TEST(of_tiles(memory, {15, 1}, {.strides = {-64}}) ==
             "the stride from an element of dimension 1 to the next is -64 bytes; it must be less than 2^40, and not "
             "negative");
  BOOST_TEST(
      of_cubes({15, 1, 2}) ==
      "the stride from an element of dimension 2 to the next is 60 bytes without padding, which is no multiple of "
      "16; pad the rows in memory, and give the strides"); // the unused stride is no padding
  BOOST_TEST(of_tiles(memory, {16, 8}, {.strides = {-64}}) ==
             "the stride from an element of dimension 1 to the next is -64 bytes; it must be less than 2^40, and not "
             "negative");
  BOOST_TEST(of_tiles(memory, {16, 8}, {.strides = {1ll << 40}}) ==
             "the stride from an element of dimension 1 to the next is 1099511627776 bytes; it must be less than 2^40, "
             "and not negative");
  BOOST_TEST(
      of_cubes({1ll << 31, 1ll << 31, 1ll << 31}) ==
      "the stride from an element of dimension 2 to the next is 9223372036854775807 bytes without padding; it must "
      "be less than 2^40, and not negative");
  BOOST_TEST(of_tiles(memory, {16, 8}, {.strides = {48}}) ==
             "the stride from an element of dimension 1 to the next is 48 bytes, but the dimensions of smaller strides "
             "cover 64, so elements overlap; give a larger stride, or may_overlap if that is meant");
  BOOST_TEST(
      of_cubes({8, 4, 2}, {.strides = {32, 112}}) ==
      "the stride from an element of dimension 2 to the next is 112 bytes, but the dimensions of smaller strides "
      "cover 128, so elements overlap; give a larger stride, or may_overlap if that is meant");
  BOOST_TEST(of_cubes({8, 4, 2}, {.strides = {48, 32}}) ==
             "the stride from an element of dimension 1 to the next is 48 bytes, but the dimensions of smaller strides "
             "cover 64, so elements overlap; give a larger stride, or may_overlap if that is meant");
  BOOST_TEST(refusal([&] {
               (void)cudax::make_tensor_map<integers>(reinterpret_cast<std::uint64_t*>(memory), {16, 8},
                                                      {.fill = tensor_fill::nan});
             }) == "tensor_fill::nan with elements that are integers (of 8 bytes); use tensor_fill::zeros");
  BOOST_TEST(tensors_made == 0);

  std::error_code error;
  auto const none = cudax::try_make_tensor_map<tiles>(error, nullptr, {16, 8});
  BOOST_CHECK(error == std::errc::invalid_argument);
  BOOST_TEST(first_word(none) == 0u);
}

BOOST_AUTO_TEST_CASE(what_is_unusual_but_possible_is_accepted) {
  (void)cudax::make_tensor_map<cubes>(memory, {8, 4, 2}, {.strides = {128, 32}}); // dimensions in another order
  (void)cudax::make_tensor_map<cubes>(memory, {8, 1, 2}, {.strides = {16, 32}});  // no step in dimension 1
  (void)cudax::make_tensor_map<cubes>(memory, {3, 2, 1}, {.strides = {16, 16}});  // smaller than the tile
  (void)cudax::make_tensor_map<tiles>(memory, {16, 8}, {.strides = {16}, .may_overlap = true}); // windows
  (void)cudax::make_tensor_map<tiles>(memory, {16, 1ll << 31});
  (void)cudax::make_tensor_map<tiles>(memory, {16, 8}, {.strides = {(1ll << 40) - 16}});
  BOOST_TEST(tensors_made == 6);
}

BOOST_AUTO_TEST_CASE(a_map_of_mode_im2col_has_a_box_of_pixels) {
  using columns = tensor_map<float, cudax::im2col_box<4, 16, 64>>;
  (void)cudax::make_tensor_map<columns>(memory, {32, 20, 10, 3}, {.lower = {-1, -2}, .upper = {1, 0}, .steps = {2, 0}},
                                        {.fill = tensor_fill::nan});
  auto const& r = tensor;
  BOOST_TEST((r.is_im2col && r.rank == 4 && r.box[0] == 16 && r.box[1] == 64 && r.lower[0] == -1 && r.lower[1] == -2));
  BOOST_TEST((r.upper[0] == 1 && r.upper[1] == 0 && r.steps[0] == 2 && r.steps[1] == 0));
  BOOST_TEST((r.extents[3] == 3 && r.strides[2] == 25600 && r.fill == tensor_fill::nan));
  (void)cudax::make_tensor_map<tiles>(memory, {16, 8});
  BOOST_TEST(!tensor.is_im2col);
  std::error_code error;
  (void)cudax::try_make_tensor_map<columns>(error, memory, {32, 20, 10, 3}, {.lower = {-129, 0}});
  BOOST_CHECK(error == std::errc::invalid_argument);
  auto const of = [](cudax::im2col_pixels<4> p) {
    return refusal([&] { (void)cudax::make_tensor_map<columns>(memory, {32, 20, 10, 3}, p); });
  };
  BOOST_TEST(of({.upper = {0, 128}}) ==
             "a corner of the box of pixels is 128 in dimension 2; with 4 dimensions it is -128 to 127");
  BOOST_TEST(
      of({.lower = {5, 0}, .upper = {-15, 0}}) ==
      "the box of pixels from 5 to -15 beyond 20 elements has 0 pixels in dimension 1; it must have one at least");
  BOOST_TEST(of({.steps = {1, 9}}) == "the step from pixel to pixel is 9 in dimension 2; it is 1 to 8");
  BOOST_TEST(of({.steps = {-1, 1}}) == "the step from pixel to pixel is -1 in dimension 1; it is 1 to 8");
  using lines = tensor_map<float, cudax::im2col_box<3, 16, 64>>;
  (void)cudax::make_tensor_map<lines>(memory, {32, 20, 3}, {.lower = {-32768}, .upper = {32767}});
  using volumes = tensor_map<float, cudax::im2col_box<5, 16, 64>>;
  (void)cudax::make_tensor_map<volumes>(memory, {32, 20, 9, 9, 3}, {.lower = {-16, 0, 0}, .upper = {15, 0, 0}});
  BOOST_TEST(refusal([] {
               (void)cudax::make_tensor_map<volumes>(memory, {32, 20, 9, 9, 3}, {.lower = {-17, 0, 0}});
             }) == "a corner of the box of pixels is -17 in dimension 1; with 5 dimensions it is -16 to 15");
}

BOOST_AUTO_TEST_CASE(a_map_of_an_interleaved_tensor_counts_slices) {
  using narrow = tensor_map<float, cudax::interleaved_box<4, 8, 3, 2>>; // slices of 16 bytes
  using wide = tensor_map<float, cudax::interleaved_box<8, 8, 2>, cudax::tensor_swizzle::bytes_32>;
  (void)cudax::make_tensor_map<narrow>(memory, {20, 10, 5, 3});
  auto const& r = tensor;
  BOOST_TEST((r.interleave == 1 && r.rank == 4 && r.box[0] == 8 && r.box[1] == 3 && r.box[2] == 1 && r.box[3] == 2));
  BOOST_TEST((r.strides[0] == 320 && r.strides[1] == 3200 && r.strides[2] == 16000 && r.element_size == 4));
  (void)cudax::make_tensor_map<wide>(memory, {20, 5, 1});
  BOOST_TEST((r.interleave == 2 && r.rank == 3 && r.box[0] == 8 && r.box[1] == 1 && r.box[2] == 2 && r.swizzle == 1));
  BOOST_TEST((r.strides[0] == 640 && r.strides[1] == 3200));
  (void)cudax::make_tensor_map<wide>(memory, {20, 1, 1}, {.strides = {48, 16}}); // neither is used
  BOOST_TEST((r.strides[0] == 64 && r.strides[1] == 32));
  (void)cudax::make_tensor_map<tiles>(memory, {16, 8});
  BOOST_TEST(tensor.interleave == 0);
  auto const of = [](std::uintptr_t address, cudax::tensor_strides<3> s) {
    return refusal([&] {
      (void)cudax::make_tensor_map<wide>(reinterpret_cast<float const*>(address), {20, 5, 2}, {.strides = s});
    });
  };
  BOOST_TEST(of(0x10010, {}) == "the tensor begins at 0x10010, which is no multiple of 32; give the beginning of an "
                                "allocation, and the rest by coordinates");
  BOOST_TEST(of(0x10000, {656, 0}) == "the stride from an element of dimension 1 to the next is 656 bytes, which is no "
                                      "multiple of 32; pad the rows in memory");
  BOOST_TEST(
      of(0x10000, {608, 0}) ==
      "the stride from an element of dimension 1 to the next is 608 bytes, but the dimensions of smaller strides "
      "cover 640, so elements overlap; give a larger stride, or may_overlap if that is meant");
}

BOOST_AUTO_TEST_CASE(swizzles_with_larger_atoms_have_the_numbers_of_the_driver_and_need_a_newer_device) {
  using cudax::tensor_swizzle;
  auto const make = []<tensor_swizzle Swizzle> {
    (void)cudax::make_tensor_map<tensor_map<float, tensor_box<32, 8>, Swizzle>>(memory, {32, 8});
  };
  make.operator()<tensor_swizzle::bytes_128_atoms_32>();
  BOOST_TEST(tensor.swizzle == 4);
  make.operator()<tensor_swizzle::bytes_128_atoms_32_flip_8>();
  BOOST_TEST(tensor.swizzle == 5);
  make.operator()<tensor_swizzle::bytes_128_atoms_64>();
  BOOST_TEST(tensor.swizzle == 6);
  fail_call(1, cuda::invalid_value);
  BOOST_TEST(refusal([&] { make.operator()<tensor_swizzle::bytes_128_atoms_32>(); }) ==
             "the driver makes no such map of 2 dimensions of elements of 4 bytes (cudaErrorInvalidValue); a device of "
             "compute capability 10.0 or later is required for a swizzle with atoms of 32 or 64 bytes");
}

BOOST_AUTO_TEST_CASE(a_failure_of_the_driver_is_reported) {
  auto const fails = [&](int code) {
    fail_call(1, code);
    std::error_code error;
    auto const none = cudax::try_make_tensor_map<tiles>(error, memory, {16, 8});
    BOOST_TEST((error.value() == code && first_word(none) == 0));
    fail_call(1, code);
    return refusal([] { (void)cudax::make_tensor_map<tiles>(memory, {16, 8}); });
  };
  BOOST_TEST(
      fails(cuda::invalid_value)
          .starts_with("the driver makes no such map of 2 dimensions of elements of 4 bytes (cudaErrorInvalidValue"
                       "); a device of compute capability 9.0 or later is required"));
  BOOST_TEST(fails(cuda::no_context) ==
             "CUDA is not in use yet, so the tensor at 0x10000 is not in memory of a device; allocate it by CUDA");
  BOOST_TEST(
      fails(cuda::memory_allocation).starts_with("the driver made no map of 2 dimensions of elements of 4 bytes: "));
  BOOST_TEST(tensors_made == 0);
}

BOOST_AUTO_TEST_SUITE_END()
