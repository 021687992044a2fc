// SPDX-License-Identifier: Apache-2.0
//
// library_form: operations as calls of atomic_ref and atomic_thread_fence.
#include "forms.hpp"
#include "outcome.hpp"

namespace litmus_runner {

std::string library_order(litmus::order o) {
  switch (o) {
  case litmus::order::weak: break;
  case litmus::order::relaxed: return "cudax::memory_order_relaxed";
  case litmus::order::acquire: return "cudax::memory_order_acquire";
  case litmus::order::release: return "cudax::memory_order_release";
  case litmus::order::acq_rel: return "cudax::memory_order_acq_rel";
  case litmus::order::seq_cst: return "cudax::memory_order_seq_cst";
  }
  throw not_runnable("a weak operation has no form in the library other than a plain load or store");
}

std::string library_scope(litmus::scope s) {
  switch (s) {
  case litmus::scope::block: return "cudax::thread_scope_block";
  case litmus::scope::cluster: return "cudax::thread_scope_cluster";
  case litmus::scope::device: return "cudax::thread_scope_device";
  case litmus::scope::system: return "cudax::thread_scope_system";
  case litmus::scope::narrowest: break;
  }
  throw not_runnable("a scope of the placement was not resolved");
}

namespace {

std::string object(access const& a) { return "object<" + type_of(a.size) + ">(" + a.address + ")"; }
std::string reference(access const& a) {
  return "cudax::atomic_ref<" + type_of(a.size) + ", " + library_scope(a.scope) + ">(" + object(a) + ")";
}
/// A plain access of several elements: a structure of them is copied.
std::string vector(access const& a) {
  return "vector_of<" + type_of(a.size / a.elements) + ", " + std::to_string(a.elements) + ">";
}
std::string assigned(access const& a) { return a.result.empty() ? "" : a.result + " = "; }

} // namespace

std::string library_form::load(access const& a) {
  if (a.elements > 1)
    return "{ auto const whole = object<" + vector(a) + ">(" + a.address + "); " + a.result + " = joined<" +
           type_of(a.size) + ">(whole.part); }";
  if (a.order == litmus::order::weak) return assigned(a) + object(a) + ";";
  return assigned(a) + reference(a) + ".load(" + library_order(a.order) + ");";
}
std::string library_form::store(access const& a) {
  if (a.elements > 1)
    return "{ " + vector(a) + " whole; split<" + type_of(a.size) + ">(" + a.value + ", whole.part); object<" +
           vector(a) + ">(" + a.address + ") = whole; }";
  if (a.order == litmus::order::weak) return object(a) + " = " + a.value + ";";
  return reference(a) + ".store(" + a.value + ", " + library_order(a.order) + ");";
}
std::string library_form::exchange(access const& a) {
  return assigned(a) + reference(a) + ".exchange(" + a.value + ", " + library_order(a.order) + ");";
}
std::string library_form::fetch_add(access const& a) {
  return assigned(a) + reference(a) + ".fetch_add(" + a.value + ", " + library_order(a.order) + ");";
}
std::string library_form::store_add(access const& a) {
  return reference(a) + ".store_add(" + a.value + ", " + library_order(a.order) + ");";
}
std::string library_form::compare_exchange(access const& a) {
  return "{ " + type_of(a.size) + " expected = " + a.expected + "; " + reference(a) +
         ".compare_exchange_strong(expected, " + a.value + ", " + library_order(a.order) + ", " +
         library_order(a.failure) + "); " + (a.result.empty() ? "" : a.result + " = expected; ") + "}";
}
std::string library_form::wait(access const& a) {
  access after = a; // wait returns nothing
  after.order = litmus::order::relaxed;
  if (a.bounded) { // the loads of atomic_ref::wait: relaxed ones, then one with the order
    access poll = after, last = a;
    last.result = poll.result = "polled";
    return "{ " + type_of(a.size) + " polled; do { " + load(poll) + " } while (polled == " + a.value +
           " && awaits.polls_again()); " + load(last) + (a.result.empty() ? "" : " " + a.result + " = polled;") + " }";
  }
  return reference(a) + ".wait(" + a.value + ", " + library_order(a.order) + ");" +
         (a.result.empty() ? "" : " " + load(after));
}
std::string library_form::notify(access const& a) { return reference(a) + ".notify_all();"; }
std::string library_form::fence(litmus::order o, litmus::scope s) {
  return "cudax::atomic_thread_fence(" + library_order(o) + ", " + library_scope(s) + ");";
}

} // namespace litmus_runner
