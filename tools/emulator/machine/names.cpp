// SPDX-License-Identifier: Apache-2.0
//
// names: what a name stands for, and where it lives: registers, constants and addresses in slots, variables in the
// memory of the frame or the block.
#include "function_decoder.hpp"
#include "special.hpp"

#include <algorithm>
#include <charconv>

namespace emulator {

void function_decoder::add(std::string_view text, name what) {
  if (!scopes_.back().names.emplace(text, what).second)
    reject(at_, "a second " + std::string(text) + " in the same braces");
}

name const* function_decoder::find(std::string_view text) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    auto const found = scope->names.find(text);
    if (found != scope->names.end() && found->second.what != name::kind::registers) return &found->second;
  }
  return nullptr;
}

std::optional<function_decoder::reg> function_decoder::find_register(std::string_view text) const {
  // %r12 may be number 12 of %r<20> or number 2 of %r1<5>: the innermost scope's, the shortest name first.
  std::size_t digits = text.size();
  while (digits > 0 && text[digits - 1] >= '0' && text[digits - 1] <= '9') --digits;
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    auto found = scope->names.find(text);
    if (found != scope->names.end() && found->second.what == name::kind::reg)
      return reg{found->second.slot, found->second.width, found->second.type};
    for (std::size_t split = digits; split < text.size(); ++split) {
      found = scope->names.find(text.substr(0, split));
      if (found == scope->names.end() || found->second.what != name::kind::registers) continue;
      if (text[split] == '0' && split + 1 < text.size()) continue;
      int number = 0;
      std::from_chars(text.data() + split, text.data() + text.size(), number);
      if (number < found->second.count)
        return reg{found->second.slot + slot(number * found->second.width), found->second.width, found->second.type};
    }
  }
  return std::nullopt;
}

void function_decoder::declare_registers(ptx::variable const& v) {
  if (v.vector != 1 || !v.dimensions.empty())
    reject(v.at, "register " + std::string(v.name) + " is a vector or an array, which the emulator does not have");
  name what{};
  what.what = v.count ? name::kind::registers : name::kind::reg;
  what.type = v.type;
  what.width = v.type == ptx::scalar::b128 ? 2 : 1;
  what.count = v.count;
  what.slot = allocate(what.width * (v.count ? v.count : 1));
  add(v.name, what);
}

void function_decoder::declare(ptx::variable const& v) {
  name what{};
  switch (v.where) {
  case ptx::space::reg: declare_registers(v); return;
  case ptx::space::local:
  case ptx::space::param: // an argument of a call lives in the caller's frame
    what.what = name::kind::local;
    what.value = allocate_local(bytes_of(v), alignment_of(v));
    break;
  case ptx::space::shared:
    what.what = name::kind::shared;
    what.value = storage.shared.size();
    storage.shared.push_back({v.name, bytes_of(v), alignment_of(v), v.linkage == ".extern"});
    break;
  default:
    reject(v.at, "the variable " + std::string(v.name) +
                     " stands in a function, where only registers, .local, .param and " +
                     ".shared variables may stand");
  }
  if (!v.initializer.empty())
    reject(v.at, "an initializer of " + std::string(v.name) + ", which is not in memory of the module");
  what.type = v.type;
  add(v.name, what);
}

void function_decoder::declare_parameters() {
  std::uint32_t end = 0;
  std::uint64_t index = 0;
  auto const declare_one = [&](ptx::variable const& v) {
    name what{};
    if (v.where != ptx::space::param) {
      reject(v.at,
             "parameter " + std::string(v.name) + " is a register; the emulator passes parameters in .param memory");
    }
    what.what = name::kind::parameter;
    what.value = index++;
    what.type = v.type;
    std::uint32_t const size = std::uint32_t(bytes_of(v)), alignment = alignment_of(v);
    end = aligned(end, alignment);
    code.parameters.push_back({end, size, alignment});
    end += size;
    if (!source.is_entry) {
      what.slot = allocate(1);
      code.parameter_slots.push_back(what.slot);
    }
    add(v.name, what);
  };
  for (auto const& v : source.parameters) declare_one(v);
  code.parameter_bytes = end;
  for (auto const& v : source.returns) declare_one(v);
}

slot function_decoder::allocate(int slots, std::uint64_t value) {
  slot const first = slot(code.image.size());
  code.image.resize(code.image.size() + std::size_t(slots), value);
  return first;
}

slot function_decoder::constant(std::uint64_t value) {
  auto const [found, is_new] = constants_.try_emplace(value);
  if (is_new) found->second = allocate(1, value);
  return found->second;
}

slot function_decoder::constant_pair(std::uint64_t low, std::uint64_t high) {
  slot const first = allocate(2, low);
  code.image[first + 1] = high;
  return first;
}

slot function_decoder::special(std::uint32_t number) {
  auto const [found, is_new] = specials_.try_emplace(number);
  if (is_new) found->second = prologue(prologue_entry::kind::special, number, 0);
  return found->second;
}

slot function_decoder::scratch(int slots) {
  if (slots < 1 || slots > 4) reject(at_, "an instruction asks for " + std::to_string(slots) + " scratch slots");
  std::size_t const used = scratch_used_[slots]++;
  if (used == scratch_[slots].size()) scratch_[slots].push_back(allocate(slots));
  return scratch_[slots][used];
}

slot function_decoder::carry() {
  if (!carry_) carry_ = allocate(1);
  return *carry_;
}

std::uint32_t function_decoder::allocate_local(std::uint64_t size, std::uint32_t alignment) {
  if (size > (1u << 28)) reject(at_, "a local variable of " + std::to_string(size) + " bytes");
  std::uint32_t const offset = aligned(scopes_.back().local, alignment);
  scopes_.back().local = offset + std::uint32_t(size);
  code.local_bytes = std::max(code.local_bytes, scopes_.back().local);
  code.local_alignment = std::max(code.local_alignment, alignment);
  return offset;
}

slot function_decoder::prologue(prologue_entry::kind what, std::uint64_t value, std::int64_t extra) {
  for (prologue_entry const& entry : code.prologue)
    if (entry.what == what && entry.value == value && entry.extra == extra) return entry.where;
  slot const where = allocate(1);
  code.prologue.push_back({where, what, value, extra});
  return where;
}

slot function_decoder::address_of(name const& what, std::int64_t offset) {
  switch (what.what) {
  case name::kind::local: return local_address(what.value + std::uint64_t(offset));
  case name::kind::shared:
    if (std::find(loaded.shared.begin(), loaded.shared.end(), what.value) == loaded.shared.end())
      loaded.shared.push_back(std::uint32_t(what.value));
    return prologue(prologue_entry::kind::shared, what.value, offset);
  case name::kind::parameter:
    if (source.is_entry) return prologue(prologue_entry::kind::parameter, what.value, offset);
    if (offset == 0) return what.slot;
    reject(at_, "an offset from a parameter stands where only an address may");
  default: reject(at_, "this name has no address");
  }
}

std::optional<slot> function_decoder::address_of_symbol(std::string_view text, std::int64_t offset) {
  if (auto const variable = storage.variables.find(text); variable != storage.variables.end())
    return constant(std::uint64_t(variable->second.memory.get()) + std::uint64_t(offset));
  if (auto const shared = storage.shared_names.find(text); shared != storage.shared_names.end()) {
    name what{};
    what.what = name::kind::shared;
    what.value = shared->second;
    return address_of(what, offset);
  }
  if (loaded_function* const callee = calls(text); callee && offset == 0) return constant(std::uint64_t(&callee->code));
  return std::nullopt;
}

} // namespace emulator
