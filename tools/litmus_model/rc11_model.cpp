// SPDX-License-Identifier: Apache-2.0
//
// rc11_model: C++20 with scopes: RC11 ("Repairing Sequential Consistency in C/C++11", PLDI 2017), whose rules for
// seq_cst C++20 has taken over, with the release sequences of C++20 and with scopes as in the ASPLOS 2019 paper of the
// PTX model: only operations whose scopes include each other synchronize, and others race.
//
// One axiom of RC11 is weaker here. RC11 forbids every cycle of program order and reads-from, so that no value comes
// from nowhere. C++ only forbids values from nowhere, and the mapping to PTX lets a load of one location be reordered
// with a later store. So the axiom here has dependencies in the place of program order.
#include "model.hpp"

namespace litmus {

namespace {

class rc11_model final : public model {
  relation strong_part(execution const& e, relation const& r) const {
    relation result(e.size());
    for (int a = 0; a < e.size(); ++a)
      for_each(r.after(a), [&](int b) {
        if (strong(e, a, b)) result.add(a, b);
      });
    return result;
  }

  static event_set atomic(execution const& e, event_set all) {
    event_set result = 0;
    for_each(all, [&](int i) {
      if (e.events[std::size_t(i)].strong) result |= only(i);
    });
    return result;
  }

  /// From a release to the acquire that synchronizes with it, through fences and release sequences.
  relation synchronization(execution const& e) const {
    event_set const everything = ~event_set(0);
    event_set const writes = atomic(e, e.writes), rmws = e.reads & e.writes;
    event_set acquiring_reads = 0;
    for_each(atomic(e, e.reads), [&](int r) {
      if (e.events[std::size_t(r)].returns) acquiring_reads |= only(r);
    });
    relation const read = strong_part(e, e.rf);
    // The release sequence of a write: the write, and the read-modify-writes that follow one another from it.
    relation const sequence = read.restricted(everything, rmws).transitive().with_identity();
    relation const heads = e.po.restricted(e.fences & e.releases, writes) |
                           relation(e.size()).with_identity().restricted(e.releases, writes);
    relation const tails = e.po.restricted(acquiring_reads, e.fences & e.acquires) |
                           relation(e.size()).with_identity().restricted(acquiring_reads, e.acquires);
    relation result = e.promised;
    result |= strong_part(e, heads * sequence * read * tails);
    for (int i = 0; i < e.size(); ++i) result.remove(i, i);
    return result;
  }

  static relation extended_coherence(execution const& e) { return (e.rf | e.co | e.from_reads()).transitive(); }

public:
  [[nodiscard]] litmus::lowering lowering() const override { return lowering::cpp; }
  [[nodiscard]] bool orders_fences() const override { return false; }

  [[nodiscard]] bool strong(execution const& e, int a, int b) const override {
    auto const &x = e.events[std::size_t(a)], &y = e.events[std::size_t(b)];
    return e.mutual(a, b) && x.strong && y.strong &&
           (!x.accesses() || !y.accesses() || !overlap(x, y) || overlap_completely(x, y));
  }

  violation before_coherence(execution& e) const override {
    if (!(e.rf | e.depends).acyclic()) return "No-Thin-Air";
    e.synchronizes = synchronization(e);
    e.before = (e.po | e.synchronizes).transitive();
    if (!e.before.irreflexive()) return "Coherence";
    for (auto const& calls : e.calls)
      for (std::size_t i = 0; i < calls.size(); ++i)
        for (std::size_t j = i + 1; j < calls.size(); ++j)
          if (e.before(calls[j], calls[i])) return "Promise";
    return (e.rf * e.before).irreflexive() ? nullptr : "Coherence";
  }

  [[nodiscard]] bool coherence_relates(execution const&, int, int) const override { return true; }

  [[nodiscard]] violation coherence(execution const& e, int root) const override {
    event_set const all = e.accesses_of(root);
    relation const fr = e.from_reads().restricted(all, all), co = e.co.restricted(all, all);
    relation const eco = (e.rf.restricted(all, all) | co | fr).transitive();
    if (!(e.before * eco).irreflexive()) return "Coherence";
    bool atomic = true;
    for_each(all & e.reads, [&](int r) {
      for_each(fr.after(r), [&](int w) {                                 // r reads from a write that w follows
        if (e.events[std::size_t(r)].writes && co(w, r)) atomic = false; // of a read-modify-write
        if (e.rf(w, r) && strong(e, w, r)) atomic = false;               // some bytes from w, others from before w
      });
    });
    return atomic ? nullptr : "Atomicity";
  }

  /// The order of seq_cst operations: psc of RC11, among operations whose scopes include each other.
  [[nodiscard]] violation whole(execution const& e) const override {
    if (std::popcount(e.seq_cst) < 2) return nullptr;
    event_set const everything = ~event_set(0), fences = e.seq_cst & e.fences;
    relation const identity = relation(e.size()).with_identity();
    relation same(e.size());
    for (int a = 0; a < e.size(); ++a)
      for (int b = 0; b < e.size(); ++b)
        if (overlap(e.events[std::size_t(a)], e.events[std::size_t(b)])) same.add(a, b);
    relation other_place(e.size()), same_place = e.before & same;
    for (int a = 0; a < e.size(); ++a) other_place.add(a, e.po.after(a) & ~same.after(a));
    relation const fr = e.from_reads(), eco = extended_coherence(e);
    relation const scb = e.po | (other_place * e.before * other_place) | same_place | e.co | fr;
    relation const before = e.before.with_identity();
    relation const from = identity.restricted(e.seq_cst, everything) | before.restricted(fences, everything);
    relation const to = identity.restricted(everything, e.seq_cst) | before.restricted(everything, fences);
    relation psc = from * scb * to;
    psc |= (e.before | (e.before * eco * e.before)).restricted(fences, fences);
    psc = psc.restricted(e.seq_cst, e.seq_cst);
    relation among(e.size());
    for (int a = 0; a < e.size(); ++a)
      for_each(psc.after(a), [&](int b) {
        if (a == b || e.mutual(a, b)) among.add(a, b);
      });
    return among.acyclic() ? nullptr : "SC";
  }

  [[nodiscard]] std::optional<std::pair<int, int>> race(execution const& e) const override {
    for (int a = 0; a < e.size(); ++a)
      for (int b = a + 1; b < e.size(); ++b) {
        auto const &x = e.events[std::size_t(a)], &y = e.events[std::size_t(b)];
        if (x.thread == y.thread || !overlap(x, y) || !(x.writes || y.writes)) continue;
        if (!e.before(a, b) && !e.before(b, a) && !strong(e, a, b)) return std::pair(a, b);
      }
    return std::nullopt;
  }
};

} // namespace

std::unique_ptr<model const> make_rc11_model() { return std::make_unique<rc11_model>(); }

} // namespace litmus
