// SPDX-License-Identifier: Apache-2.0
//
// checked_run: one checked run of a module, with the seed that determines it, and what it reports.
#pragma once

#include "../../machine/machine.hpp"

#include "../../../../tools/emulator/check/run/findings.hpp"
#include "../../../../tools/emulator/check/run/run.hpp"
#include "../../../../tools/emulator/machine/mode.hpp"

namespace emulator_test {

/// How a checked run ended, and what it reported.
struct result {
  emulator::fault fault;
  std::vector<emulator::check::finding> findings;
  std::uint64_t trace = 0;
  std::uint64_t time = 0; ///< virtual time that passed

  bool has(std::string const& kind) const {
    for (auto const& f : findings)
      if (f.kind == kind) return true;
    return false;
  }
  std::string text() const {
    std::string all = fault.text;
    for (auto const& f : findings) all += "\n" + f.kind + ": " + f.text;
    return all;
  }
};

inline std::string kernel(std::string const& body) {
  return ".visible .entry k(.param .u64 p) {\n.reg .b32 %r<30>; .reg .b64 %rd<20>; .reg .pred %p<10>;\n"
         ".shared .align 16 .b8 s[256];\n"
         "ld.param.u64 %rd1, [p]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x;\n" +
         body + "\nret;\n}\n";
}

inline result run(std::string const& text, std::uint64_t seed, machine::shape const& shape,
                  std::vector<std::uint32_t>& memory, void (*prepare)(emulator::check::run&) = nullptr,
                  char const* name = "k", bool converges_early = false) {
  emulator::process_mode = {.is_checked = true, .seed = seed, .converges_early = converges_early};
  emulator::check::restart(seed);
  if (prepare) prepare(emulator::check::current_run());
  result r;
  emulator::check::set_report_sink([&](auto const& f) { r.findings.push_back(f); });
  {
    machine m(text);
    std::uint64_t const start = emulator::check::current_run().time;
    auto* const where = reinterpret_cast<std::byte*>(memory.data());
    emulator::check::current_run().post([&](auto& run) { run.model.allocated(where, memory.size() * 4, "memory"); });
    r.fault = m.run(name, shape, {address(memory)});
    r.trace = emulator::check::current_run().trace;
    r.time = emulator::check::current_run().time - start;
  }
  emulator::check::set_report_sink(nullptr);
  emulator::process_mode = {};
  return r;
}

/// Little time for the host, and few turns and polls for threads that only poll.
inline void be_impatient(emulator::check::run& r) {
  r.standstill.time_for_host = std::chrono::milliseconds(20);
  r.standstill.turns_of_polls = 100'000;
  r.standstill.polls_of_each = 10'000;
}

} // namespace emulator_test
