// SPDX-License-Identifier: Apache-2.0
//
// ptx_form: operations as PTX, by the mapping that arch/README.md argues: a sequentially consistent operation is
// fence.sc, then an acquire load, a relaxed store or an acquire read-modify-write.
#include "forms.hpp"
#include "outcome.hpp"

namespace litmus_runner {

namespace {

using litmus::order;

std::string scope_of(litmus::scope s) {
  switch (s) {
  case litmus::scope::block: return ".cta";
  case litmus::scope::cluster: return ".cluster";
  case litmus::scope::device: return ".gpu";
  case litmus::scope::system: return ".sys";
  case litmus::scope::narrowest: break;
  }
  throw not_runnable("a scope of the placement was not resolved");
}

std::string semantics(order o) {
  switch (o) {
  case order::weak: return ".weak";
  case order::relaxed: return ".relaxed";
  case order::acquire: return ".acquire";
  case order::release: return ".release";
  case order::acq_rel: return ".acq_rel";
  case order::seq_cst: break;
  }
  throw not_runnable("PTX has no single instruction for seq_cst");
}

/// .relaxed.gpu; a weak access has no scope.
std::string qualifiers(order o, litmus::scope s) { return semantics(o) + (o == order::weak ? "" : scope_of(s)); }

char constraint(unsigned size) { return size == 16 ? 'q' : size == 8 ? 'l' : size == 4 ? 'r' : 'h'; }
std::string bits(unsigned size) { return ".b" + std::to_string(8 * size); }
std::string space(access const& a) { return a.space; }
std::string pointer(access const& a) {
  if (space(a) == ".shared") return "\"r\"(u32(__cvta_generic_to_shared(" + a.address + ")))";
  return "\"l\"(" + (space(a) == ".global" ? "__cvta_generic_to_global(" + a.address + ")" : a.address) + ")";
}
/// A byte travels in a register of 16 bits.
std::string carrier(unsigned size) { return type_of(size == 1 ? 2 : size); }
std::string input(unsigned size, std::string const& value) {
  return std::string("\"") + constraint(size) + "\"(" + carrier(size) + "(" + value + "))";
}
std::string fence_first(access const& a) {
  return a.order == order::seq_cst ? ptx_form::fence(order::seq_cst, a.scope) + " " : "";
}

/// An instruction with a result.
std::string with_result(access const& a, std::string const& instruction, std::string const& operands,
                        std::string const& inputs) {
  return "{ " + carrier(a.size) + " seen; asm volatile(\"" + instruction + " %0, [%1]" + operands +
         ";\" : \"=" + constraint(a.size) + "\"(seen) : " + pointer(a) + inputs + " : \"memory\"); " +
         (a.result.empty() ? "(void)seen; " : a.result + " = " + type_of(a.size) + "(seen); ") + "}";
}

/// A weak access of several elements: value and elements go through an array.
std::string vector(access const& a, bool load) {
  unsigned const size = a.size / a.elements;
  std::string operands, list = "{";
  for (unsigned e = 0; e < a.elements; ++e) {
    operands += std::string(e ? ", " : "") + "\"" + (load ? "=" : "") + constraint(size) + "\"(part[" +
                std::to_string(e) + "])";
    list += (e ? ", %" : "%") + std::to_string(load ? e : e + 1);
  }
  list += "}";
  std::string const how = ".weak" + space(a) + ".v" + std::to_string(a.elements) + bits(size);
  std::string const array = "{ " + type_of(size) + " part[" + std::to_string(a.elements) + "]; ";
  if (load)
    return array + "asm volatile(\"ld" + how + " " + list + ", [%" + std::to_string(a.elements) + "];\" : " + operands +
           " : " + pointer(a) + " : \"memory\"); " + a.result + " = joined<" + type_of(a.size) + ">(part); }";
  return array + "split<" + type_of(a.size) + ">(" + a.value + ", part); asm volatile(\"st" + how + " [%0], " + list +
         ";\" :: " + pointer(a) + ", " + operands + " : \"memory\"); }";
}

order acquire_part(order o) { return o == order::seq_cst ? order::acquire : o; }

void needs_word(access const& a, char const* what) {
  if (a.size < 4)
    throw not_runnable(std::string("PTX has no ") + what + " of " + std::to_string(a.size) +
                       " bytes; this program runs through the library only");
}

} // namespace

std::string ptx_form::load(access const& a) {
  if (a.elements > 1) return vector(a, true);
  return fence_first(a) +
         with_result(a, "ld" + qualifiers(acquire_part(a.order), a.scope) + space(a) + bits(a.size), "", "");
}

std::string ptx_form::store(access const& a) {
  if (a.elements > 1) return vector(a, false);
  order const o = a.order == order::seq_cst ? order::relaxed : a.order;
  return fence_first(a) + "asm volatile(\"st" + qualifiers(o, a.scope) + space(a) + bits(a.size) +
         " [%0], %1;\" :: " + pointer(a) + ", " + input(a.size, a.value) + " : \"memory\");";
}

std::string ptx_form::exchange(access const& a) {
  needs_word(a, "atom.exch");
  return fence_first(a) +
         with_result(a, "atom" + qualifiers(acquire_part(a.order), a.scope) + space(a) + ".exch" + bits(a.size), ", %2",
                     ", " + input(a.size, a.value));
}

std::string ptx_form::fetch_add(access const& a) {
  needs_word(a, "atom.add");
  if (a.size == 16) throw not_runnable("PTX has no atom.add of 16 bytes");
  return fence_first(a) + with_result(a,
                                      "atom" + qualifiers(acquire_part(a.order), a.scope) + space(a) + ".add.u" +
                                          std::to_string(8 * a.size),
                                      ", %2", ", " + input(a.size, a.value));
}

std::string ptx_form::store_add(access const& a) {
  needs_word(a, "red.add");
  if (a.size == 16) throw not_runnable("PTX has no red.add of 16 bytes");
  order const o = a.order == order::seq_cst ? order::relaxed : a.order;
  return fence_first(a) + "asm volatile(\"red" + qualifiers(o, a.scope) + space(a) + ".add.u" +
         std::to_string(8 * a.size) + " [%0], %1;\" :: " + pointer(a) + ", " + input(a.size, a.value) +
         " : \"memory\");";
}

std::string ptx_form::compare_exchange(access const& a) {
  if (a.size == 1) throw not_runnable("PTX has no atom.cas of 1 byte; this program runs through the library only");
  // One instruction has one order: that of the success together with the acquire of the failure.
  order o = acquire_part(a.order);
  if (a.failure == order::acquire || a.failure == order::seq_cst)
    o = o == order::relaxed ? order::acquire : o == order::release ? order::acq_rel : o;
  std::string const fence =
      a.order == order::seq_cst || a.failure == order::seq_cst ? ptx_form::fence(order::seq_cst, a.scope) + " " : "";
  return fence + with_result(a, "atom" + qualifiers(o, a.scope) + space(a) + ".cas" + bits(a.size), ", %2, %3",
                             ", " + input(a.size, a.expected) + ", " + input(a.size, a.value));
}

std::string ptx_form::wait(access const& a) {
  access poll = a;
  if (poll.result.empty()) poll.result = "polled";
  return "{ " + type_of(a.size) + " polled; (void)polled; do { " + load(poll) + " } while (" + poll.result +
         " == " + a.value + " && awaits.polls_again()); }";
}
std::string ptx_form::notify(access const&) { return ""; } // device threads poll

std::string ptx_form::fence(order o, litmus::scope s) {
  switch (o) {
  case order::seq_cst: return "asm volatile(\"fence.sc" + scope_of(s) + ";\" ::: \"memory\");";
  case order::acq_rel: return "asm volatile(\"fence.acq_rel" + scope_of(s) + ";\" ::: \"memory\");";
  case order::acquire:
  case order::release: // before sm_90 there is only the stronger fence
    return "asm volatile(CUDAX_LITMUS_FENCE(\"" + semantics(o) + "\", \"" + scope_of(s) + "\") ::: \"memory\");";
  case order::weak:
  case order::relaxed: break;
  }
  return "";
}

} // namespace litmus_runner
