// SPDX-License-Identifier: Apache-2.0
//
// syntax: the names of types and spaces, and look-ups in a module.
#include "syntax.hpp"

#include <array>

namespace emulator::ptx {
namespace {

struct scalar_row {
  std::string_view name;
  int size;
};

constexpr std::array<scalar_row, 21> scalars{{
    {"", 0},    {"pred", 0}, {"b8", 1},    {"b16", 2},  {"b32", 4},    {"b64", 8}, {"b128", 16},
    {"u8", 1},  {"u16", 2},  {"u32", 4},   {"u64", 8},  {"s8", 1},     {"s16", 2}, {"s32", 4},
    {"s64", 8}, {"f16", 2},  {"f16x2", 4}, {"bf16", 2}, {"bf16x2", 4}, {"f32", 4}, {"f64", 8},
}};
static_assert(scalars.size() == std::size_t(scalar::f64) + 1);

} // namespace

int size_of(scalar type) { return scalars[std::size_t(type)].size; }
std::string_view name_of(scalar type) { return scalars[std::size_t(type)].name; }

scalar scalar_named(std::string_view name) {
  for (std::size_t i = 1; i < scalars.size(); ++i) {
    if (scalars[i].name == name) return scalar(i);
  }
  return scalar::none;
}

std::string_view name_of(space where) {
  constexpr std::array<std::string_view, 7> names{"", "reg", "global", "const", "shared", "local", "param"};
  return names[std::size_t(where)];
}

function* module::find(std::string_view wanted) {
  auto const found = names.find(wanted);
  return found == names.end() ? nullptr : found->second;
}

int module::sm() const {
  int number = 0;
  for (char c : target.substr(0, target.find(','))) {
    if (c >= '0' && c <= '9') number = number * 10 + (c - '0');
  }
  return number;
}

} // namespace emulator::ptx
