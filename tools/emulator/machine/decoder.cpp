// SPDX-License-Identifier: Apache-2.0
//
// decoder: modifiers and operands of one instruction, and the operations that it becomes.
#include "function_decoder.hpp"
#include "special.hpp"

#include <algorithm>

namespace emulator {
namespace {

definition const* last_definition = nullptr;

void skip_unless(thread& t, operation const* o, std::uint64_t* registers) {
  if (!registers[o->a]) {
    o = static_cast<operation const*>(o->pointer);
    [[clang::musttail]] return o->run(t, o, registers);
  }
  [[clang::musttail]] return o[1].run(t, o + 1, registers);
}

void skip_if(thread& t, operation const* o, std::uint64_t* registers) {
  if (registers[o->a]) {
    o = static_cast<operation const*>(o->pointer);
    [[clang::musttail]] return o->run(t, o, registers);
  }
  [[clang::musttail]] return o[1].run(t, o + 1, registers);
}

void read_special(thread& t, std::uint64_t* registers, operation const& o) {
  registers[o.d] = special(o.extra).read(t);
}

void invert_predicate(std::uint64_t* registers, operation const& o) { registers[o.d] = !registers[o.a]; }

} // namespace

definition::definition(std::string_view name, std::string_view forms, void (*decode)(decoder&))
  : name(name), forms(forms), decode(decode), next(last_definition) {
  last_definition = this;
}

definition const* first_definition() { return last_definition; }

definition const* find_definition(std::string_view name) {
  static auto const* const all = [] {
    auto* const map = new std::unordered_map<std::string_view, definition const*>;
    for (auto const* d = last_definition; d; d = d->next) map->emplace(d->name, d);
    return map;
  }();
  auto const found = all->find(name);
  return found == all->end() ? nullptr : found->second;
}

decoder::decoder(function_decoder& function, ptx::instruction const& instruction)
  : instruction(instruction), function_(function), modifiers_(instruction.modifiers),
    used_(instruction.operands.size(), false) {
  if (instruction.guard.empty()) return;
  auto const predicate = function.find_register(instruction.guard);
  if (!predicate) reject("the guard " + std::string(instruction.guard) + " is not declared");
  guard_ = guard{predicate->slot, instruction.guard_negated};
}

void decoder::reject(std::string const& what) const {
  function_.reject(instruction.at, ptx::print(function_.program.module(), instruction) + ": " + what);
}

int decoder::sm() const { return function_.program.module().sm(); }

bool decoder::take(std::string_view modifier) {
  auto const found = std::find(modifiers_.begin(), modifiers_.end(), modifier);
  if (found == modifiers_.end()) return false;
  modifiers_.erase(found);
  return true;
}

std::string_view decoder::take_one_of(std::initializer_list<std::string_view> modifiers) {
  std::string_view taken;
  for (std::string_view const modifier : modifiers) {
    if (!take(modifier)) continue;
    if (!taken.empty()) reject("." + std::string(taken) + " and ." + std::string(modifier) + " exclude each other");
    taken = modifier;
  }
  return taken;
}

ptx::scalar decoder::take_type() {
  for (auto modifier = modifiers_.begin(); modifier != modifiers_.end(); ++modifier) {
    ptx::scalar const type = ptx::scalar_named(*modifier);
    if (type == ptx::scalar::none) continue;
    modifiers_.erase(modifier);
    return type;
  }
  return ptx::scalar::none;
}

ptx::scalar decoder::take_type(std::initializer_list<ptx::scalar> allowed) {
  ptx::scalar const type = take_type();
  if (std::find(allowed.begin(), allowed.end(), type) == allowed.end()) {
    reject(type == ptx::scalar::none ? "a type is missing"
                                     : "it has no type ." + std::string(name_of(type)) + " in the emulator");
  }
  return type;
}

ptx::operand const& decoder::operand(std::size_t index) const {
  if (index >= operands()) reject("operand " + std::to_string(index + 1) + " is missing");
  used_[index] = true;
  return instruction.operands[index];
}

slot decoder::destination(std::size_t index) { return destination(operand(index)); }
slot decoder::source(std::size_t index, ptx::scalar type) { return source(operand(index), type); }

slot decoder::destination(ptx::operand const& o) {
  if (o.kind == ptx::operand_kind::sink) return scratch(2);
  if (o.kind == ptx::operand_kind::reg || o.kind == ptx::operand_kind::symbol) {
    if (auto const found = function_.find_register(o.name)) return found->slot;
    reject("the register " + std::string(o.name) + " is not declared");
  }
  reject("a destination that is no register");
}

slot decoder::source(ptx::operand const& o, ptx::scalar type) {
  switch (o.kind) {
  case ptx::operand_kind::integer:
  case ptx::operand_kind::real: {
    std::uint64_t const bits = convert_constant(*this, o, type);
    if (type != ptx::scalar::b128) return slot_of(bits);
    return function_.constant_pair(bits, o.is_unsigned || std::int64_t(bits) >= 0 ? 0 : ~std::uint64_t(0));
  }
  case ptx::operand_kind::reg:
  case ptx::operand_kind::symbol:
  case ptx::operand_kind::special: break;
  default: reject("an operand of this kind stands where a value is needed");
  }
  if (auto const found = function_.find_register(o.name)) {
    if (!o.negated) return found->slot;
    if (found->type != ptx::scalar::pred) reject("! before " + std::string(o.name) + ", which is no predicate");
    slot const inverted = scratch();
    emit(computes<invert_predicate>, inverted, found->slot);
    return inverted;
  }
  if (o.name == "WARP_SZ") return slot_of(32);
  if (name const* const found = function_.find(o.name)) {
    if (found->what == name::kind::parameter && o.bits != 0) {
      reject("an offset from a parameter stands where only an address may");
    }
    return function_.address_of(*found, std::int64_t(o.bits));
  }
  if (auto const number = find_special(o.name)) {
    if (o.name.starts_with("%reserved_smem_offset")) function_.code.reads_reserved_shared = true;
    if (!special(*number).changes) return function_.special(*number);
    slot const value = scratch();
    emit(accesses<read_special>, value).extra = *number;
    return value;
  }
  if (auto const address = function_.address_of_symbol(o.name, std::int64_t(o.bits))) return *address;
  reject(std::string(o.name) + " is no register, special register, variable or function that the emulator knows");
}

memory_operand decoder::address(std::size_t index) {
  ptx::operand const& o = operand(index);
  if (o.kind != ptx::operand_kind::address) reject("operand " + std::to_string(index + 1) + " is no address");
  if (!o.parts.empty()) reject("coordinates in an address, which only tensors have");
  return base_of(o);
}

memory_operand decoder::tensor_address(std::size_t index, std::span<slot> coordinates) {
  ptx::operand const& o = operand(index);
  bool const fits = o.kind == ptx::operand_kind::address && !o.bits && o.parts.size() == 1 &&
                    o.parts[0].kind == ptx::operand_kind::vector && o.parts[0].parts.size() == coordinates.size();
  if (!fits)
    reject("operand " + std::to_string(index + 1) + " is not [map, {" + std::to_string(coordinates.size()) +
           " coordinates}]");
  for (std::size_t i = 0; i < coordinates.size(); ++i) coordinates[i] = source(o.parts[0].parts[i], ptx::scalar::s32);
  return base_of(o);
}

memory_operand decoder::base_of(ptx::operand const& o) {
  if (o.name.empty()) return {slot_of(0), std::int64_t(o.bits)};
  if (auto const found = function_.find_register(o.name)) return {found->slot, std::int64_t(o.bits)};
  if (name const* const found = function_.find(o.name)) return {function_.address_of(*found, 0), std::int64_t(o.bits)};
  if (auto const address = function_.address_of_symbol(o.name, 0)) return {*address, std::int64_t(o.bits)};
  reject("the address's " + std::string(o.name) + " is no register and no variable that the emulator knows");
}

std::int64_t decoder::constant(std::size_t index) {
  ptx::operand const& o = operand(index);
  if (o.kind == ptx::operand_kind::special && o.name == "WARP_SZ") return 32;
  if (o.kind != ptx::operand_kind::integer)
    reject("operand " + std::to_string(index + 1) + " must be an integer constant");
  return std::int64_t(o.bits);
}

slot decoder::slot_of(std::uint64_t constant) { return function_.constant(constant); }
slot decoder::scratch(int slots) { return function_.scratch(slots); }
slot decoder::carry() { return function_.carry(); }

ptx::scalar decoder::declared(ptx::operand const& o) const {
  auto const found = function_.find_register(o.name);
  return found ? found->type : ptx::scalar::none;
}

std::optional<decoder::guard> decoder::take_guard() {
  auto const taken = guard_;
  guard_.reset();
  return taken;
}

operation& decoder::emit(handler run, slot d, slot a, slot b, slot c) {
  if (auto const skip = take_guard()) {
    skip_ = function_.code.operations.size();
    function_.emit(skip->negated ? skip_if : skip_unless, instruction).a = skip->predicate;
  }
  operation& o = function_.emit(run, instruction);
  o.d = d;
  o.a = a;
  o.b = b;
  o.c = c;
  return o;
}

void decoder::jumps_to(operation& o, ptx::operand const& label) { function_.jumps_to(o, label.name); }

void decoder::finish() {
  if (skip_ != no_skip) function_.jumps_past(skip_);
  if (!modifiers_.empty()) reject("the emulator does not know ." + std::string(modifiers_.front()) + " here");
  auto const unused = std::find(used_.begin(), used_.end(), false);
  if (unused != used_.end()) reject("operand " + std::to_string(unused - used_.begin() + 1) + " is one too many");
}

void decoder::keep_alive(std::shared_ptr<void> kept) { function_.storage.kept.push_back(std::move(kept)); }

} // namespace emulator
