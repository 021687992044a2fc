// SPDX-License-Identifier: Apache-2.0
//
// environment: reads CUDA's variables. A value that the driver would silently ignore is an error here: with a misspelt
// value, a test of the execution model would run without the condition that it tests.
#include "environment.hpp"

#include <charconv>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace emulator::cuda {
namespace {

constexpr unsigned most_connections = 32;

std::string_view value_of(char const* name) {
  char const* const text = std::getenv(name);
  return text ? text : "";
}

[[noreturn]] void unknown(char const* name, std::string_view value, char const* known) {
  throw std::invalid_argument(std::string("cudax emulator: ") + name + "=" + std::string(value) + ": it must be " +
                              known);
}

environment read() {
  environment result;
  if (auto const v = value_of("CUDA_LAUNCH_BLOCKING"); v == "1") result.launch_blocking = true;
  else if (!v.empty() && v != "0") unknown("CUDA_LAUNCH_BLOCKING", v, "0 or 1");

  if (auto const v = value_of("CUDA_DEVICE_MAX_CONNECTIONS"); !v.empty()) {
    auto const [end, error] = std::from_chars(v.begin(), v.end(), result.connections);
    if (error != std::errc{} || end != v.end() || result.connections < 1 || result.connections > most_connections)
      unknown("CUDA_DEVICE_MAX_CONNECTIONS", v, "a number from 1 to 32");
  }

  if (auto const v = value_of("CUDA_MODULE_LOADING"); v == "LAZY") result.lazy_loading = true;
  else if (!v.empty() && v != "EAGER" && v != "DEFAULT") unknown("CUDA_MODULE_LOADING", v, "LAZY, EAGER or DEFAULT");
  return result;
}

} // namespace

environment const& the_environment() {
  static environment const only = read();
  return only;
}

} // namespace emulator::cuda
