// SPDX-License-Identifier: Apache-2.0
//
// ptx_model: PTX ISA, "Memory Consistency Model". The comments name its sections. Where the text leaves room, this
// model does as the formal model of "A Formal Analysis of the NVIDIA PTX Memory Consistency Model" (ASPLOS 2019).
#include "model.hpp"

namespace litmus {

namespace {

class ptx_model final : public model {
  /// "Release pattern" on a location M: a release on M; a release on M, then a strong write to M; a fence, then a
  /// strong write to M. From the first operation of the pattern to the write.
  static relation release_patterns(execution const& e) {
    relation result(e.size());
    for_each(e.releases, [&](int first) {
      event const& head = e.events[std::size_t(first)];
      if (head.kind == event_kind::access) result.add(first, first);
      for_each(e.po.after(first) & e.writes, [&](int w) {
        event const& write = e.events[std::size_t(w)];
        if (write.strong && (head.kind == event_kind::fence || overlap_completely(head, write))) result.add(first, w);
      });
    });
    return result;
  }

  /// "Acquire pattern": the same with reads and acquire, mirrored. From the read to the last operation of the pattern.
  /// The read of an operation that returns nothing forms none.
  static relation acquire_patterns(execution const& e) {
    relation result(e.size());
    for_each(e.reads, [&](int r) {
      event const& read = e.events[std::size_t(r)];
      if (!read.strong || !read.returns) return;
      if (read.acquires) result.add(r, r);
      for_each(e.po.after(r) & e.acquires, [&](int last) {
        event const& tail = e.events[std::size_t(last)];
        if (tail.kind == event_kind::fence || overlap_completely(read, tail)) result.add(r, last);
      });
    });
    return result;
  }

  /// "Observation order": a morally strong read of a write, or through read-modify-writes.
  relation observation(execution const& e) const {
    relation direct(e.size());
    for (int w = 0; w < e.size(); ++w)
      for_each(e.rf.after(w), [&](int r) {
        if (strong(e, w, r)) direct.add(w, r);
      });
    event_set rmws = e.reads & e.writes;
    relation result = direct;
    while (true) {
      relation const longer = result | (result.restricted(~event_set(0), rmws) * direct);
      if (longer == result) return result;
      result = longer;
    }
  }

  /// "Synchronizes": fences by their order, barriers and primitives, and release patterns with acquire patterns if the
  /// read observes the write, and the first operation and the last one are morally strong.
  relation synchronization(execution const& e, relation const& observed) const {
    relation result = e.sc | e.promised;
    relation const patterns = release_patterns(e) * observed * acquire_patterns(e);
    for (int a = 0; a < e.size(); ++a)
      for_each(patterns.after(a), [&](int b) {
        if (e.events[std::size_t(a)].thread != e.events[std::size_t(b)].thread && strong(e, a, b)) result.add(a, b);
      });
    return result;
  }

public:
  [[nodiscard]] litmus::lowering lowering() const override { return lowering::ptx; }
  [[nodiscard]] bool orders_fences() const override { return true; }

  /// "Morally strong operations".
  [[nodiscard]] bool strong(execution const& e, int a, int b) const override {
    auto const &x = e.events[std::size_t(a)], &y = e.events[std::size_t(b)];
    return e.mutual(a, b) && (!x.accesses() || !y.accesses() || overlap_completely(x, y));
  }

  violation before_coherence(execution& e) const override {
    if (!(e.rf | e.depends).acyclic()) return "No-Thin-Air";
    relation const observed = observation(e);
    e.synchronizes = synchronization(e, observed);
    e.before = (e.po | e.synchronizes).transitive(); // "Base causality order"
    if (!e.before.irreflexive()) {
      relation without_fences = e.synchronizes;
      for (int a = 0; a < e.size(); ++a) for_each(e.sc.after(a), [&](int b) { without_fences.remove(a, b); });
      return (e.po | without_fences).acyclic() ? "Fence-SC" : "Causality";
    }
    for (auto const& calls : e.calls)
      for (std::size_t i = 0; i < calls.size(); ++i)
        for (std::size_t j = i + 1; j < calls.size(); ++j)
          if (e.before(calls[j], calls[i])) return "Promise";
    e.cause = e.before | (observed * e.before); // "Causality order"
    return reads_the_past(e) || !(e.rf * e.cause).irreflexive() ? "Causality" : nullptr;
  }

  /// Whether a read returns a value although causality puts another write between that value's write and the read,
  /// whatever the coherence order: what `coherence` would find later.
  static bool reads_the_past(execution const& e) {
    bool past = false;
    for_each(e.reads, [&](int r) {
      event const& read = e.events[std::size_t(r)];
      for (int c = 0; c < read.where.count; ++c)
        for_each(e.cause.after(e.sources[std::size_t(r)][std::size_t(c)]) & e.writes, [&](int w) {
          past |= w != r && e.cause(w, r) && covers(e.events[std::size_t(w)], read.where.root, read.where.first + c);
        });
    });
    return past;
  }

  /// "Coherence order": writes that overlap are related if they are morally strong or related by causality.
  [[nodiscard]] bool coherence_relates(execution const& e, int a, int b) const override {
    return strong(e, a, b) || e.cause(a, b) || e.cause(b, a);
  }

  [[nodiscard]] violation coherence(execution const& e, int root) const override {
    event_set const all = e.accesses_of(root), writes = all & e.writes;
    relation const co = e.co.restricted(writes, writes);
    for (int w = 0; w < e.size(); ++w)
      if (co.inverse().after(w) & e.cause.after(w)) return "Coherence";
    relation const fr = e.from_reads().restricted(all, all);
    relation communication(e.size());
    for (int a = 0; a < e.size(); ++a)
      for_each((co | fr | e.rf.restricted(all, all)).after(a), [&](int b) {
        if (strong(e, a, b)) communication.add(a, b);
      });
    relation po(e.size());
    for_each(all, [&](int a) {
      for_each(e.po.after(a) & all, [&](int b) {
        if (overlap(e.events[std::size_t(a)], e.events[std::size_t(b)])) po.add(a, b);
      });
    });
    if (!(communication | po).acyclic()) return "SC-per-Location";
    if (!(fr * e.cause).irreflexive()) return "Causality";
    bool atomic = true;
    for_each(all & e.reads, [&](int r) {
      for_each(fr.after(r), [&](int w) { // r reads from a write that w follows
        if (!strong(e, r, w)) return;
        if (e.events[std::size_t(r)].writes && co(w, r)) atomic = false; // of a read-modify-write
        if (e.rf(w, r)) atomic = false;                                  // some bytes from w, others from before w
      });
    });
    return atomic ? nullptr : "Atomicity";
  }

  [[nodiscard]] violation whole(execution const&) const override { return nullptr; }

  /// "Limitations on mixed-size data-races": with one, no axiom applies. Read-modify-writes are exempt among themselves
  /// ("Atomicity of mixed-size RMW operations").
  [[nodiscard]] std::optional<std::pair<int, int>> race(execution const& e) const override {
    for (int a = 0; a < e.size(); ++a)
      for (int b = a + 1; b < e.size(); ++b) {
        auto const &x = e.events[std::size_t(a)], &y = e.events[std::size_t(b)];
        if (x.thread == y.thread || !overlap(x, y) || overlap_completely(x, y) || !(x.writes || y.writes)) continue;
        if (x.is_rmw() && y.is_rmw() && e.mutual(a, b)) continue;
        if (!e.cause(a, b) && !e.cause(b, a)) return std::pair(a, b);
      }
    return std::nullopt;
  }
};

} // namespace

std::unique_ptr<model const> make_ptx_model() { return std::make_unique<ptx_model>(); }

} // namespace litmus
