// SPDX-License-Identifier: Apache-2.0
#include "mutants.hpp"

#include <functional>

#include "print.hpp"
#include "words.hpp"

namespace litmus {

namespace {

/// The orders that are one step weaker, for what may read and write.
std::vector<order> weaker(order o, bool reads, bool writes) {
  using enum order;
  switch (o) {
  case seq_cst:
    if (reads && writes) return {acq_rel};
    return {reads ? acquire : release};
  case acq_rel: return {acquire, release};
  case acquire:
  case release: return {relaxed};
  default: return {};
  }
}

bool reads(operation o) { return o != operation::store && o != operation::store_add; }
bool writes(operation o) { return o != operation::load && o != operation::wait; }

class maker {
  program const& program_;
  placement const& placement_;
  std::vector<mutant>& out_;

  void add(std::size_t t, std::size_t i, std::string const& what, std::function<void(program&)> const& change) {
    mutant m{program_, program_.threads[t].name + "." + std::to_string(i + 1) + "." + what};
    change(m.program);
    m.program.file.clear();
    m.program.name += "~" + m.change;
    m.program.sentence = "Mutant of " + program_.name + ": " + what + " in the place of: " +
                         print(program_, program_.threads[t], program_.threads[t].instructions[i]) + ".";
    m.program.placements = {placement_};
    out_.push_back(std::move(m));
  }

  /// Changes the one instruction.
  void add(std::size_t t, std::size_t i, std::string const& what, std::function<void(instruction&)> const& change) {
    add(t, i, what, [&](program& p) { change(p.threads[t].instructions[i]); });
  }

  void drop(program& p, std::size_t t, std::size_t i) const {
    auto& all = p.threads[t].instructions;
    all.erase(all.begin() + std::ptrdiff_t(i));
  }

  void orders(std::size_t t, std::size_t i, instruction const& one) {
    bool const fence = one.operation == operation::fence;
    for (order const o : weaker(one.order, fence || reads(one.operation), fence || writes(one.operation))) {
      std::string const word(words::name(words::orders, o));
      if (fence && o == order::relaxed) add(t, i, "dropped", [&](program& p) { drop(p, t, i); });
      else add(t, i, word, [&](instruction& changed) { changed.order = o; });
    }
    if (fence && one.order != order::acquire && one.order != order::release)
      add(t, i, "dropped", [&](program& p) { drop(p, t, i); });
    if (one.operation == operation::compare_exchange)
      for (order const o : weaker(one.failure, true, false))
        add(t, i, "failure_" + std::string(words::name(words::orders, o)),
            [&](instruction& changed) { changed.failure = o; });
  }

  void scopes(std::size_t t, std::size_t i, instruction const& one) {
    scope const now = one.scope == scope::narrowest ? placement_.scope : one.scope;
    if (one.order == order::weak || now == scope::block) return;
    scope const narrower = scope(int(now) - 1);
    add(t, i, std::string(words::name(words::scopes, narrower)),
        [&](instruction& changed) { changed.scope = narrower; });
  }

  /// A barrier that one thread alone left out would never end, so all threads leave it out.
  void barrier(std::size_t t, std::size_t i, instruction const& one) {
    std::size_t round = 0;
    for (std::size_t k = 0; k < i; ++k) {
      auto const& other = program_.threads[t].instructions[k];
      round += other.operation == operation::sync && other.level == one.level;
    }
    for (std::size_t before = 0; before < t; ++before)
      for (auto const& other : program_.threads[before].instructions)
        if (other.operation == operation::sync && other.level == one.level) return; // made with that thread
    add(t, i, "dropped", [&](program& p) {
      for (std::size_t u = 0; u < p.threads.size(); ++u) {
        std::size_t seen = 0;
        for (std::size_t k = 0; k < p.threads[u].instructions.size(); ++k) {
          auto const& other = p.threads[u].instructions[k];
          if (other.operation != operation::sync || other.level != one.level) continue;
          if (seen++ != round) continue;
          drop(p, u, k);
          break;
        }
      }
    });
  }

public:
  maker(program const& p, placement const& where, std::vector<mutant>& out)
    : program_(p), placement_(where), out_(out) {}

  void run() {
    for (std::size_t t = 0; t < program_.threads.size(); ++t)
      for (std::size_t i = 0; i < program_.threads[t].instructions.size(); ++i) {
        auto const& one = program_.threads[t].instructions[i];
        switch (one.operation) {
        case operation::assign:
        case operation::notify:
        case operation::exit: break;
        case operation::sync: barrier(t, i, one); break;
        case operation::call: {
          bool const map = one.member == member::insert || one.member == member::find;
          if (map && one.order != order::relaxed)
            add(t, i, "relaxed", [](instruction& changed) { changed.order = order::relaxed; });
          break;
        }
        default: orders(t, i, one); scopes(t, i, one);
        }
      }
  }
};

} // namespace

std::vector<mutant> mutants_of(program const& p, placement const& where) {
  std::vector<mutant> result;
  maker(p, where, result).run();
  return result;
}

} // namespace litmus
