// SPDX-License-Identifier: Apache-2.0
//
// The bytes that initializers specify.
#include "../../../tools/emulator/ptx/initializer.hpp"
#include "modules.hpp"

#include <boost/test/unit_test.hpp>

#include <bit>

namespace {

using namespace emulator_test;
using emulator::ptx::initial_value;

std::vector<initial_value> values_of(std::string const& declaration) {
  static std::unique_ptr<emulator::ptx::module> module; // owns the text that the values' names refer to
  module = module_of(declaration);
  return initial_values(*module, module->variables.at(0));
}

std::string said(std::string const& declaration) {
  return rejection([&] { values_of(declaration); });
}

} // namespace

BOOST_AUTO_TEST_SUITE(initializers)

BOOST_AUTO_TEST_CASE(a_variable_without_an_initializer_has_no_values) {
  BOOST_TEST(values_of(".global .u32 x;").empty());
}

BOOST_AUTO_TEST_CASE(a_scalar_is_one_value_truncated_to_its_type) {
  auto const values = values_of(".global .b8 x = -(4+2)*3;");
  BOOST_REQUIRE(values.size() == 1u);
  BOOST_TEST(values[0].size == 1);
  BOOST_TEST(values[0].bits == 0xeeu);
}

BOOST_AUTO_TEST_CASE(arrays_may_be_incomplete_in_each_dimension) {
  auto const values = values_of(".global .u16 x[3][4] = {{1, 2}, {}, {3}};");
  BOOST_REQUIRE(values.size() == 3u);
  BOOST_TEST(values[1].offset == 2u);
  BOOST_TEST(values[1].bits == 2u);
  BOOST_TEST(values[2].offset == 16u);
  BOOST_TEST(values[2].bits == 3u);
}

BOOST_AUTO_TEST_CASE(a_vector_is_a_dimension) {
  auto const values = values_of(".global .v2 .f32 x[2] = {{1.0, 2.0}, {0f40400000}};");
  BOOST_REQUIRE(values.size() == 3u);
  BOOST_TEST(values[1].offset == 4u);
  BOOST_TEST(values[1].bits == std::bit_cast<std::uint32_t>(2.f));
  BOOST_TEST(values[2].offset == 8u);
  BOOST_TEST(values[2].bits == std::bit_cast<std::uint32_t>(3.f));
}

BOOST_AUTO_TEST_CASE(symbols_are_addresses_generic_or_not_with_an_offset) {
  auto const values = values_of(".global .u64 x[4] = {y, generic(y)+8, f, generic(y)+-4};");
  BOOST_REQUIRE(values.size() == 4u);
  BOOST_TEST(values[0].symbol == "y");
  BOOST_TEST(!values[0].is_generic);
  BOOST_TEST(values[1].is_generic);
  BOOST_TEST(bits_in_memory(values[1], 1000) == 1008u);
  BOOST_TEST(bits_in_memory(values[3], 1000) == 996u);
}

BOOST_AUTO_TEST_CASE(a_mask_selects_bytes_of_an_address) {
  auto const values =
      values_of(".global .align 1 .u8 x[4] = {7, 0xFF(generic(y)), 0xFF00(generic(y)+1), 0xFF0000(y)};");
  BOOST_REQUIRE(values.size() == 4u);
  BOOST_TEST(bits_in_memory(values[0]) == 7u);
  BOOST_TEST(bits_in_memory(values[1], 0x123456) == 0x56u);
  BOOST_TEST(bits_in_memory(values[2], 0x1234ff) == 0x35u);
  BOOST_TEST(bits_in_memory(values[3], 0x123456) == 0x12u);
}

BOOST_AUTO_TEST_CASE(invalid_initializers_are_rejected) {
  std::pair<char const*, char const*> const cases[] = {
      {".global .u32 x[2] = {1, 2, 3};", "more values than there are elements"},
      {".global .u32 x[2] = 1;", "expected `{`"},
      {".global .u32 x = {1};", "expected a constant before `{`"},
      {".global .u32 x[2][2] = {1, 2};", "expected `{`"},
      {".global .u32 x = 1.5;", "a float for a variable of `.u32`"},
      {".global .b32 x = 1.5;", "a float for a variable of `.b32`"},
      {".global .f32 x = 1;", "an integer for a variable of `.f32`"},
      {".global .f16 x = 1;", "takes no initializer"},
      {".global .u64 x = generic(y+4);", "expected `)`"},
      {".global .u64 x = y 4;", "expected the end of the initializer before `4`"},
      {".global .u8 x = 0(y);", "a mask of zero bits"},
      {".global .b128 x = -1;", "below zero"},
  };
  for (auto const& [text, expected] : cases) {
    BOOST_TEST_CONTEXT(text) {
      BOOST_TEST(said(text).starts_with("test.ptx:4: x: "));
      BOOST_TEST(said(text).find(expected) != std::string::npos, "said: " << said(text));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
