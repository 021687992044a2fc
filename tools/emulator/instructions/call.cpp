// SPDX-License-Identifier: Apache-2.0
//
// call: of a function by name or by address.
// A caller's arguments are .param variables in its frame; the callee gets their addresses. An argument or result that
// is a register or a constant, which PTX allows, is copied to and from such a variable, which is made here.
#include "../machine/frames.hpp"
#include "../machine/function_decoder.hpp"

#include <span>

namespace emulator {
namespace {

struct call_site {
  function const* callee = nullptr; ///< null: by address
  std::vector<slot> arguments;      ///< addresses of parameters, then of returns
};

operation const* enter_function(thread& t, operation const* o, std::uint64_t* registers, function const& callee,
                                call_site const& site) {
  --t.budget;
  if (callee.host) {
    std::uint64_t addresses[16];
    for (std::size_t i = 0; i < site.arguments.size(); ++i) addresses[i] = registers[site.arguments[i]];
    callee.host(t, addresses);
    return o + 1;
  }
  frame& made = enter_function(t, callee, o + 1);
  for (std::size_t i = 0; i < site.arguments.size(); ++i)
    made.registers[callee.parameter_slots[i]] = registers[site.arguments[i]];
  return callee.operations.data();
}

operation const* call(thread& t, operation const* o, std::uint64_t* registers) {
  auto const& site = *static_cast<call_site const*>(o->pointer);
  return enter_function(t, o, registers, *site.callee, site);
}

operation const* call_address(thread& t, operation const* o, std::uint64_t* registers) {
  auto const& site = *static_cast<call_site const*>(o->pointer);
  auto const* const callee = reinterpret_cast<function const*>(registers[o->a]);
  if (registers[o->a] % alignof(function) || callee->self != callee)
    fail(t, 719, "call: this is no function's address");
  if (callee->parameter_slots.size() != site.arguments.size() || callee->operations.empty() == !callee->host) {
    fail(t, 719, "call: " + std::string(callee->name) + " has another prototype");
  }
  return enter_function(t, o, registers, *callee, site);
}

void store_argument(std::uint64_t* registers, operation const& o) {
  std::memcpy(reinterpret_cast<void*>(registers[o.a]), registers + o.b, o.extra);
}

void load_result(std::uint64_t* registers, operation const& o) {
  registers[o.d] = 0;
  std::memcpy(registers + o.d, reinterpret_cast<void const*>(registers[o.a]), o.extra);
}

/// Parameters and returns as the callee or prototype declares them.
struct signature {
  std::span<ptx::variable const> parameters, returns;
};

struct result_copy {
  slot destination, address;
  std::uint32_t size;
};

/// Where an argument lies, if it is .param memory.
std::optional<slot> address_of_argument(decoder& d, ptx::operand const& o) {
  if (d.function().find_register(o.name)) return std::nullopt;
  name const* const found = o.name.empty() ? nullptr : d.function().find(o.name);
  if (!found || (found->what != name::kind::local && found->what != name::kind::parameter)) return std::nullopt;
  return d.function().address_of(*found, std::int64_t(o.bits));
}

std::uint32_t size_in_register(decoder& d, ptx::variable const& v) {
  std::uint64_t const size = bytes_of(v);
  if (!v.dimensions.empty() || size == 0 || size > 16) d.reject("a register stands for a parameter that is an array");
  return std::uint32_t(size);
}

slot pass(decoder& d, ptx::operand const& o, ptx::variable const& formal) {
  if (auto const address = address_of_argument(d, o)) return *address;
  slot const memory = d.function().local_address(d.function().allocate_local(16, 16));
  slot const value = d.source(o, formal.type);
  d.emit(computes<store_argument>, 0, memory, value).extra = size_in_register(d, formal);
  return memory;
}

void decode(decoder& d) {
  d.take("uni");
  std::size_t next = 0;
  auto const take_list = [&]() -> std::span<ptx::operand const> {
    if (next >= d.operands() || d.operand(next).kind != ptx::operand_kind::list) return {};
    return d.operand(next++).parts;
  };
  auto const actual_returns = take_list();
  ptx::operand const& target = d.operand(next++);
  auto const actual_parameters = take_list();

  call_site site;
  signature formal;
  bool const by_address = d.function().find_register(target.name).has_value();
  if (!by_address) {
    loaded_function* const callee = d.function().calls(target.name);
    if (!callee) d.reject(std::string(target.name) + " is no function of this module");
    site.callee = &callee->code;
    formal = {callee->code.source->parameters, callee->code.source->returns};
  } else {
    name const* const list = d.function().find(d.operand(next++).name);
    if (!list) d.reject("a call by address needs a .callprototype or .calltargets");
    ptx::statement const& s = d.function().statement(list->statement);
    if (list->what == name::kind::prototype) {
      formal = {s.parameters, s.returns};
      d.function().loaded.calls_by_address = true;
    } else if (list->what == name::kind::targets) {
      for (std::string_view const candidate : s.targets) {
        loaded_function* const callee = d.function().calls(candidate);
        if (!callee) d.reject(std::string(candidate) + " is no function of this module");
        formal = {callee->code.source->parameters, callee->code.source->returns};
      }
    } else d.reject("its last operand is no .callprototype and no .calltargets");
  }
  if (formal.parameters.size() != actual_parameters.size() || formal.returns.size() != actual_returns.size()) {
    d.reject("the function has " + std::to_string(formal.parameters.size()) + " parameters and " +
             std::to_string(formal.returns.size()) + " results");
  }
  if (actual_parameters.size() + actual_returns.size() > 16 && site.callee && !site.callee->source->has_body)
    d.reject("too many arguments for a function that the emulator provides");
  std::vector<result_copy> results;
  for (std::size_t i = 0; i < actual_parameters.size(); ++i)
    site.arguments.push_back(pass(d, actual_parameters[i], formal.parameters[i]));
  for (std::size_t i = 0; i < actual_returns.size(); ++i) {
    auto address = address_of_argument(d, actual_returns[i]);
    if (!address) {
      address = d.function().local_address(d.function().allocate_local(16, 16));
      results.push_back({d.destination(actual_returns[i]), *address, size_in_register(d, formal.returns[i])});
    }
    site.arguments.push_back(*address);
  }
  slot const callee_slot = by_address ? d.source(target, ptx::scalar::u64) : 0;
  d.emit(by_address ? returns_next<call_address> : returns_next<call>, 0, callee_slot).pointer =
      d.keep(std::move(site));
  for (result_copy const& r : results) d.emit(computes<load_result>, r.destination, r.address).extra = r.size;
}

definition const call_definition("call", "by name, by address with .callprototype or .calltargets; .uni", decode);

} // namespace
} // namespace emulator
