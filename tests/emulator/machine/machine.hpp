// SPDX-License-Identifier: Apache-2.0
//
// machine: modules for tests of the scheduler: a module's text, its kernels by name, launches with 64-bit parameters.
#pragma once

#include "../../../tools/emulator/machine/device.hpp"
#include "../../../tools/emulator/machine/program.hpp"
#include "../../../tools/emulator/ptx/parse.hpp"

#include <cstring>
#include <string>
#include <vector>

namespace emulator_test {

struct machine {
  emulator::device device;
  emulator::program program;

  explicit machine(std::string const& text, emulator::device_properties const& properties = {})
    : device(properties),
      program(emulator::ptx::parse(".version 8.8\n.target sm_90a\n.address_size 64\n" + text, "test.ptx")) {}

  struct shape {
    emulator::dim3 grid{}, block{}, cluster{};
    std::size_t dynamic_shared = 0;
    bool cooperative = false;
  };

  emulator::fault run(char const* name, shape const& s, std::vector<std::uint64_t> const& parameters = {}) {
    emulator::launch l;
    l.kernel = program.kernel(name);
    if (!l.kernel) return {98, "no such kernel"};
    l.grid = s.grid;
    l.block = s.block;
    l.cluster = s.cluster;
    l.dynamic_shared = s.dynamic_shared;
    l.cooperative = s.cooperative;
    l.parameters.resize(parameters.size() * 8);
    if (!parameters.empty()) std::memcpy(l.parameters.data(), parameters.data(), l.parameters.size());
    return device.run(l);
  }
};

/// A parameter that holds the address of host memory.
template <class T>
std::uint64_t address(std::vector<T>& memory) {
  return reinterpret_cast<std::uint64_t>(memory.data());
}

/// The error from loading and decoding the kernel `k`.
inline std::string rejection(std::string const& text) {
  try {
    machine m(text);
    m.program.kernel("k");
  } catch (emulator::ptx::rejected const& error) {
    return error.what();
  }
  return {};
}

} // namespace emulator_test

#define RUNS(...)                                                                                                      \
  do {                                                                                                                 \
    emulator::fault const the_fault = __VA_ARGS__;                                                                     \
    BOOST_REQUIRE_MESSAGE(the_fault.error == 0, the_fault.text);                                                       \
  } while (0)
#define FAILS(number, part, ...)                                                                                       \
  do {                                                                                                                 \
    emulator::fault const the_fault = __VA_ARGS__;                                                                     \
    BOOST_TEST(the_fault.error == number);                                                                             \
    BOOST_TEST(the_fault.text.find(part) != std::string::npos, the_fault.text);                                        \
  } while (0)
