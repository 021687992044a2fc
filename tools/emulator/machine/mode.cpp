// SPDX-License-Identifier: Apache-2.0
//
// mode: reading it.
#include "mode.hpp"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace emulator {

namespace {

bool is_set(char const* name) {
  char const* const value = std::getenv(name);
  return value && *value && std::string_view(value) != "0";
}

std::uint64_t seed_of_environment() {
  std::uint64_t result = 0;
  char const* const seed = std::getenv("CUDAX_EMULATOR_SEED");
  if (!seed || !*seed) return result;
  std::string_view const text = seed;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
  if (error == std::errc() && end == text.data() + text.size()) return result;
  std::fprintf(stderr, "cudax.sync emulator: CUDAX_EMULATOR_SEED is '%s'; use a number from 0\n", seed);
  std::_Exit(2);
}

} // namespace

run_mode mode_from_environment() {
  run_mode result;
  result.is_checked = is_set("CUDAX_EMULATOR_CHECK");
  result.counts_instructions = result.is_checked && is_set("CUDAX_EMULATOR_STATISTICS");
  char const* const stale = std::getenv("CUDAX_EMULATOR_STALE");
  result.finds_stale = !stale || std::string_view(stale) != "0";
  result.seed = seed_of_environment();
  char const* const early = std::getenv("CUDAX_EMULATOR_CONVERGE_EARLY");
  result.converges_early =
      early && *early ? is_set("CUDAX_EMULATOR_CONVERGE_EARLY") : result.is_checked && result.seed % 2;
  return result;
}

} // namespace emulator
