// SPDX-License-Identifier: Apache-2.0
//
// function_decoder: the walk over a body, and its code.
#include "function_decoder.hpp"
#include "early_meeting.hpp"
#include "mode.hpp"
#include "observer.hpp"
#include "reached.hpp"

#include <algorithm>

namespace emulator {
namespace {

/// Decodes `ret` where a body ends without one.
void end_of_function(decoder& d) {
  definition const* const ret = find_definition("ret");
  if (!ret) d.reject("there is no `ret`");
  ret->decode(d);
}

/// .maxntid 256, 1, 1: the product.
std::uint32_t product(std::string_view text) {
  std::uint64_t result = 1, number = 0;
  bool digits = false;
  for (char const c : std::string(text) + ",") {
    if (c >= '0' && c <= '9') number = number * 10 + std::uint64_t(c - '0'), digits = true;
    else if (c == ',' && digits) result *= number, number = 0, digits = false;
  }
  return std::uint32_t(std::min<std::uint64_t>(result, 1024));
}

/// With how many registers ptxas 13.0 lets the threads of a kernel with setmaxnreg begin, or 0 where it ignores
/// setmaxnreg: it needs .maxnreg, or .maxntid with .minnctapersm. An SM has 65,536 registers in four parts, over which
/// the warps of a block are spread. For 256 registers ptxas takes 255, or 240 in blocks of more than four warps.
std::uint32_t hardware_registers(std::uint32_t max_registers, std::uint32_t max_threads, std::uint32_t min_blocks) {
  if (max_registers) return std::min((max_registers + 7) / 8 * 8, 256u);
  if (!max_threads || !min_blocks) return 0;
  std::uint32_t const warps = (max_threads + 31) / 32;
  std::uint32_t const registers = 65536 / 32 / ((warps + 3) / 4 * 4) / min_blocks / 8 * 8;
  return registers < 256 ? std::max(registers, 24u) : warps > 4 ? 240 : 256;
}

} // namespace

void function_decoder::reject(ptx::source_location at, std::string const& what) const {
  throw ptx::rejected(program.module(), at, std::string(source.name) + ": " + what);
}

void function_decoder::decode() {
  code.name = source.name;
  code.program = &program;
  code.source = &source;
  parse_body(program.module(), source);
  at_ = source.at;
  std::uint32_t max_threads = 0, min_blocks = 0, max_registers = 0;
  for (auto const& directive : source.directives)
    if (directive.name == "maxntid" || directive.name == "reqntid")
      code.max_threads = max_threads = product(directive.text);
    else if (directive.name == "minnctapersm") min_blocks = product(directive.text);
    else if (directive.name == "maxnreg") max_registers = product(directive.text);
  code.hardware_registers = hardware_registers(max_registers, max_threads, min_blocks);
  find_labels();
  scopes_.emplace_back().names = std::move(labels_[0]);
  scopes_seen_ = 1;
  declare_parameters();
  first_operation_.assign(source.body.size() + 1, 0);
  std::vector<convergence> early;
  if (process_mode.converges_early) early = find_convergences(source, program.module().sm());
  auto next_early = early.begin();
  for (std::size_t i = 0; i < source.body.size(); ++i) {
    ptx::statement const& s = source.body[i];
    at_ = s.at;
    current_ = i;
    first_operation_[i] = code.operations.size();
    for (; next_early != early.end() && next_early->statement == i; ++next_early)
      emit_early_meeting(*this, *next_early);
    switch (s.kind) {
    case ptx::statement_kind::instruction: decode_instruction(s.instruction); break;
    case ptx::statement_kind::declaration: declare(s.variable); break;
    case ptx::statement_kind::open: {
      std::uint32_t const local = scopes_.back().local;
      scope& inner = scopes_.emplace_back();
      inner.names = std::move(labels_[scopes_seen_++]);
      inner.local = local;
      break;
    }
    case ptx::statement_kind::close: scopes_.pop_back(); break;
    default: break; // labels and their kin: find_labels(); pragmas and locations have no effect here
    }
  }
  end();
}

void function_decoder::find_labels() {
  std::vector<std::size_t> open{0};
  labels_.emplace_back();
  for (std::size_t i = 0; i < source.body.size(); ++i) {
    ptx::statement const& s = source.body[i];
    name found{};
    found.statement = i;
    switch (s.kind) {
    case ptx::statement_kind::open:
      open.push_back(labels_.size());
      labels_.emplace_back();
      continue;
    case ptx::statement_kind::close:
      if (open.size() == 1) reject(s.at, "this brace closes nothing");
      open.pop_back();
      continue;
    case ptx::statement_kind::label: found.what = name::kind::label; break;
    case ptx::statement_kind::branch_targets:
    case ptx::statement_kind::call_targets: found.what = name::kind::targets; break;
    case ptx::statement_kind::call_prototype: found.what = name::kind::prototype; break;
    default: continue;
    }
    if (!labels_[open.back()].emplace(s.name, found).second)
      reject(s.at, "a second label " + std::string(s.name) + " in the same braces");
  }
}

ptx::instruction const* function_decoder::neighbour(int step) const {
  for (std::size_t i = current_ + std::size_t(step); i < source.body.size(); i += std::size_t(step)) {
    if (source.body[i].kind == ptx::statement_kind::instruction) return &source.body[i].instruction;
    if (source.body[i].kind != ptx::statement_kind::location) return nullptr;
  }
  return nullptr;
}

void function_decoder::decode_instruction(ptx::instruction const& instruction) {
  std::fill(std::begin(scratch_used_), std::end(scratch_used_), 0);
  if (process_mode.counts_instructions) emit(the_observer().instruction_counter(), instruction);
  note_reached(*this, instruction);
  decoder d(*this, instruction);
  definition const* const definition = find_definition(instruction.name);
  if (!definition)
    d.reject("the emulator does not know this instruction; it would be instructions/" + std::string(instruction.name) +
             ".cpp");
  definition->decode(d);
  d.finish();
}

operation& function_decoder::emit(handler run, ptx::instruction const& from) {
  code.operations.emplace_back().run = run;
  code.sources.push_back(&from);
  return code.operations.back();
}

std::size_t function_decoder::label(std::string_view text) const {
  name const* const found = find(text);
  if (!found || found->what != name::kind::label)
    reject(at_, "no label " + std::string(text) + " can be seen from here");
  return found->statement;
}

void function_decoder::jumps_to(operation& o, std::string_view text) {
  jumps_.push_back({std::size_t(&o - code.operations.data()), nullptr, label(text), nowhere});
}

void function_decoder::resolve_later(operation const** where, std::string_view text) {
  jumps_.push_back({0, where, label(text), nowhere});
}

void function_decoder::resolve_later(operation const** where, std::size_t statement) {
  jumps_.push_back({0, where, statement, nowhere});
}

void function_decoder::jumps_past(std::size_t o) { jumps_.push_back({o, nullptr, nowhere, code.operations.size()}); }

void function_decoder::end() {
  // The end of a body is a return, and a label may stand there. The program owns this instruction.
  auto const ret = std::make_shared<ptx::instruction>();
  ret->name = "ret";
  ret->at = source.body.empty() ? source.at : source.body.back().at;
  storage.kept.push_back(ret);
  first_operation_.back() = code.operations.size();
  decoder d(*this, *ret);
  end_of_function(d);
  for (jump const& j : jumps_) {
    operation const* const target =
        code.operations.data() + (j.statement == nowhere ? j.target : first_operation_[j.statement]);
    if (j.where) *j.where = target;
    else code.operations[j.from].pointer = target;
  }
  code.registers = std::uint32_t(code.image.size());
}

loaded_function* function_decoder::calls(std::string_view text) {
  loaded_function* const callee = storage.find(program, text);
  if (callee && std::find(loaded.calls.begin(), loaded.calls.end(), callee) == loaded.calls.end())
    loaded.calls.push_back(callee);
  return callee;
}

} // namespace emulator
