// SPDX-License-Identifier: Apache-2.0
//
// qualifiers: takes qualifiers from a decoder.
#include "qualifiers.hpp"

#include <algorithm>
#include <utility>

namespace emulator {

namespace {

bool is_in(auto value, auto const& list) { return std::find(list.begin(), list.end(), value) != list.end(); }

constexpr std::pair<std::string_view, ptx::space> spaces[] = {
    {"global", ptx::space::global},      {"shared", ptx::space::shared},
    {"shared::cta", ptx::space::shared}, {"shared::cluster", ptx::space::shared},
    {"local", ptx::space::local},        {"const", ptx::space::constant},
    {"param", ptx::space::param},        {"param::entry", ptx::space::param},
    {"param::func", ptx::space::param},
};

constexpr std::pair<std::string_view, semantics> orders[] = {
    {"relaxed", semantics::relaxed},
    {"acquire", semantics::acquire},
    {"release", semantics::release},
    {"acq_rel", semantics::acq_rel},
};

/// Takes .relaxed, .acquire, .release or .acq_rel; returns weak if there is none.
semantics take_order(decoder& d, std::initializer_list<semantics> allowed) {
  std::string_view const name = d.take_one_of({"relaxed", "acquire", "release", "acq_rel"});
  for (auto const& [spelling, order] : orders) {
    if (spelling != name) continue;
    if (!is_in(order, allowed)) d.reject("." + std::string(name) + " is no semantics of this instruction");
    return order;
  }
  return semantics::weak;
}

} // namespace

ptx::space take_space(decoder& d, std::initializer_list<ptx::space> allowed) {
  std::string_view const name = d.take_one_of(
      {"global", "shared", "shared::cta", "shared::cluster", "local", "const", "param", "param::entry", "param::func"});
  if (name == "shared::cluster") needs_sm(d, 90, ".shared::cluster");
  for (auto const& [spelling, space] : spaces) {
    if (spelling != name) continue;
    if (!is_in(space, allowed)) d.reject("." + std::string(name) + " is no state space of this instruction");
    return space;
  }
  return ptx::space::none;
}

scope take_scope(decoder& d) {
  std::string_view const name = d.take_one_of({"cta", "cluster", "gpu", "sys"});
  if (name == "cta") return scope::cta;
  if (name == "cluster") return needs_sm(d, 90, ".cluster"), scope::cluster;
  if (name == "gpu") return scope::gpu;
  if (name == "sys") return scope::sys;
  return scope::none;
}

ordering take_access(decoder& d, semantics strong, std::initializer_list<ptx::space> allowed) {
  ordering o;
  o.space = take_space(d, allowed);
  o.semantics = take_order(d, {semantics::relaxed, strong});
  o.scope = take_scope(d);
  bool const weak = d.take("weak");
  o.is_volatile = d.take("volatile");
  bool const mmio = d.take("mmio");
  if (weak + o.is_volatile + (o.semantics != semantics::weak) > 1)
    d.reject("only one of .weak, .volatile and a semantics can be there");
  if ((o.semantics != semantics::weak) != (o.scope != scope::none))
    d.reject("a semantics and a scope belong together: write both or neither");
  if (mmio && (o.semantics != semantics::relaxed || o.scope != scope::sys)) d.reject(".mmio needs .relaxed.sys");
  // .volatile may stand on .local from PTX 9.1: nvcc 13.5 compiles volatile automatic objects so. No other thread
  // reaches that memory, so the access orders nothing.
  bool const local = o.space == ptx::space::local;
  bool const weak_space = local || o.space == ptx::space::constant || o.space == ptx::space::param;
  if (weak_space && (o.semantics != semantics::weak || (o.is_volatile && !local)))
    d.reject("this state space has weak accesses only");
  if (o.is_volatile) o.semantics = semantics::relaxed, o.scope = scope::sys; // PTX ISA, "Volatile Operations"
  return o;
}

ordering take_atomic(decoder& d, std::initializer_list<semantics> strong, std::initializer_list<ptx::space> allowed) {
  ordering o;
  o.space = take_space(d, allowed);
  o.semantics = take_order(d, strong);
  o.scope = take_scope(d);
  if (o.semantics == semantics::weak) o.semantics = semantics::relaxed;
  if (o.scope == scope::none) o.scope = scope::gpu;
  return o;
}

bool take_cache_hints(decoder& d, std::initializer_list<std::string_view> cache_operators) {
  d.take_one_of(cache_operators);
  d.take_one_of({"L1::evict_normal", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last", "L1::no_allocate"});
  d.take_one_of({"L2::evict_normal", "L2::evict_first", "L2::evict_last"});
  d.take_one_of({"L2::64B", "L2::128B", "L2::256B"});
  return d.take("L2::cache_hint");
}

void take_cache_policy(decoder& d, std::size_t index) { d.source(index, ptx::scalar::b64); }

int take_vector(decoder& d) {
  std::string_view const name = d.take_one_of({"v2", "v4", "v8"});
  return name.empty() ? 1 : name[1] - '0';
}

void for_each_part(decoder& d, std::size_t index, int count, void (*f)(void*, int, ptx::operand const&), void* data) {
  ptx::operand const& operand = d.operand(index);
  if (count == 1 && operand.kind != ptx::operand_kind::vector) return f(data, 0, operand);
  if (operand.kind != ptx::operand_kind::vector || int(operand.parts.size()) != count)
    d.reject("operand " + std::to_string(index + 1) + " must be " + std::to_string(count) + " registers in braces");
  for (int i = 0; i < count; ++i) f(data, i, operand.parts[i]);
}

void needs_sm(decoder& d, int sm, std::string_view what) {
  if (d.sm() < sm)
    d.reject(std::string(what) + " needs sm_" + std::to_string(sm) + ", and the module is for sm_" +
             std::to_string(d.sm()));
}

void needs_operands(decoder& d, std::size_t least, std::size_t most) {
  if (d.operands() >= least && d.operands() <= most) return;
  std::string const range =
      least == most ? std::to_string(least) : std::to_string(least) + " to " + std::to_string(most);
  d.reject("has " + std::to_string(d.operands()) + " operands instead of " + range);
}

} // namespace emulator
