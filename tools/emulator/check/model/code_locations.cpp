// SPDX-License-Identifier: Apache-2.0
//
// places: see the header.
#include "code_locations.hpp"
#include "../../machine/program.hpp"
#include "../../ptx/parse.hpp"
#include "../../ptx/source_lines.hpp"

namespace emulator::check {

namespace {

code_location described(function const* f, operation const* what) {
  code_location result;
  if (!f) return result;
  result.function = f->name;
  std::size_t const index = std::size_t(what - f->operations.data());
  if (!what || index >= f->sources.size() || !f->program) return result;
  ptx::module const& module = f->program->module();
  ptx::instruction const& instruction = *f->sources[index];
  result.instruction = ptx::print(module, instruction);
  result.ptx_line = instruction.at.line;
  result.ptx_file = module.name;
  result.source = ptx::source_of(module, instruction.at);
  result.callers = ptx::callers_of(module, instruction.at);
  return result;
}

} // namespace

u32 code_locations::of(action const& a) {
  function const* const f = a.who.frame ? a.who.frame->function : nullptr;
  auto const found = numbers_.find(a.what);
  // The memory of a program that was unloaded may be another one's.
  if (found != numbers_.end() && found->second.first == f) return found->second.second;
  u32 const number = u32(all_.size());
  all_.push_back(described(f, a.what));
  numbers_.insert_or_assign(a.what, std::pair(f, number));
  return number;
}

} // namespace emulator::check
