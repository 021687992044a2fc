// SPDX-License-Identifier: Apache-2.0
//
// modules: PTX for tests of the emulator's front end: the test's text, after the header that every module has.
#pragma once

#include "../../../tools/emulator/ptx/parse.hpp"

#include <memory>
#include <string>

namespace emulator_test {

/// The first three lines of a module. The text of a test begins in line 4.
inline std::string const head = ".version 8.8\n.target sm_90a\n.address_size 64\n";

inline std::unique_ptr<emulator::ptx::module> module_of(std::string const& text) {
  return emulator::ptx::parse(head + text, "test.ptx");
}

/// A module with one kernel, whose body is parsed; the body begins in line 5.
struct kernel {
  std::unique_ptr<emulator::ptx::module> module;
  emulator::ptx::function& function;

  explicit kernel(std::string const& body)
    : module(module_of(".entry k() {\n" + body + "\n}\n")), function(*module->find("k")) {
    emulator::ptx::parse_body(*module, function);
  }

  auto const& statement(std::size_t index) const { return function.body.at(index); }
  auto const& instruction(std::size_t index = 0) const { return statement(index).instruction; }
  auto const& operand(std::size_t index) const { return instruction().operands.at(index); }
};

/// The error from parsing a text; empty if there is none.
template <class F>
std::string rejection(F parses) {
  try {
    parses();
  } catch (emulator::ptx::rejected const& error) {
    return error.what();
  }
  return {};
}
inline std::string module_rejection(std::string const& text) {
  return rejection([&] { module_of(text); });
}
inline std::string body_rejection(std::string const& body) {
  return rejection([&] { kernel{body}; });
}

} // namespace emulator_test
