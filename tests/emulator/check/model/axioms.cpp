// SPDX-License-Identifier: Apache-2.0
//
// axioms: see the header.
#include "axioms.hpp"

#include <array>
#include <bit>
#include <numeric>

namespace emulator_test {

namespace {

constexpr int locations = 3;

bool releases(semantics s) { return s == semantics::release || s == semantics::acq_rel; }
bool acquires(semantics s) { return s == semantics::acquire || s == semantics::acq_rel; }

/// A relation of up to 32 events: of each, those that it precedes.
class relation {
public:
  void add(int from, int to) { after_[std::size_t(from)] |= 1u << to; }
  bool has(int from, int to) const { return after_[std::size_t(from)] >> to & 1; }
  void add(relation const& other) {
    for (std::size_t i = 0; i < after_.size(); ++i) after_[i] |= other.after_[i];
  }
  void close() {
    for (std::size_t via = 0; via < after_.size(); ++via)
      for (auto& from : after_)
        if (from >> via & 1) from |= after_[via];
  }
  relation then(relation const& second) const {
    relation result;
    for (std::size_t i = 0; i < after_.size(); ++i)
      for (std::size_t via = 0; via < after_.size(); ++via)
        if (after_[i] >> via & 1) result.after_[i] |= second.after_[via];
    return result;
  }
  bool is_reflexive_somewhere() const {
    for (std::size_t i = 0; i < after_.size(); ++i)
      if (after_[i] >> i & 1) return true;
    return false;
  }
  bool is_cyclic() const {
    relation closed = *this;
    closed.close();
    return closed.is_reflexive_somewhere();
  }
  /// Whether one event comes before another here, and after it there.
  bool contradicts(relation const& other) const { return then(other).is_reflexive_somewhere(); }

private:
  std::array<std::uint32_t, 32> after_{};
};

class enumeration {
public:
  explicit enumeration(small_program const& p) {
    for (auto const& thread : p) {
      int const first = int(events_.size());
      for (event const& e : thread) {
        for (int before = first; before < int(events_.size()); ++before)
          program_order_.add(before, int(events_.size()));
        events_.push_back(e);
      }
    }
    source_.resize(events_.size(), initial);
    value_.resize(events_.size());
    try_sources(0);
  }
  allowed_outcomes result{};

private:
  static constexpr int initial = -1;
  int count() const { return int(events_.size()); }
  event const& at(int i) const { return events_[std::size_t(i)]; }
  int source(int i) const { return source_[std::size_t(i)]; }
  bool overlap(int a, int b) const {
    return at(a).kind != event::fence && at(b).kind != event::fence && at(a).location == at(b).location;
  }

  void try_sources(int i) {
    if (i == count()) return with_sources();
    if (!at(i).reads()) return try_sources(i + 1);
    for (int w = initial; w < count(); ++w) {
      if (w == i || (w != initial && (!overlap(w, i) || at(w).kind == event::load))) continue;
      source_[std::size_t(i)] = w;
      try_sources(i + 1);
    }
  }

  /// The value that an event read, or, of a store, stores. False: the values of a cycle of read-modify-writes have no
  /// beginning, or what it reads from wrote nothing.
  bool find_value(int i, int depth = 0) {
    if (depth > count()) return false;
    event const& e = at(i);
    int& value = value_[std::size_t(i)];
    if (!e.reads()) return value = e.value, true;
    int const w = source(i);
    if (w == initial) return value = 0, true;
    if (!find_value(w, depth + 1) || !writes(w)) return false;
    return value = written(w), true;
  }
  bool writes(int i) const {
    event const& e = at(i);
    if (e.kind == event::compare_and_swap) return value_[std::size_t(i)] == e.expected;
    return e.kind != event::load && e.kind != event::fence;
  }
  int written(int i) const { return at(i).kind == event::add ? value_[std::size_t(i)] + at(i).value : at(i).value; }

  void with_sources() {
    for (int i = 0; i < count(); ++i)
      if (at(i).kind != event::fence && !find_value(i)) return;
    for (int l = 0; l < locations; ++l) {
      coherence_[std::size_t(l)].clear();
      for (int i = 0; i < count(); ++i)
        if (at(i).kind != event::fence && at(i).location == l && writes(i)) coherence_[std::size_t(l)].push_back(i);
    }
    observe();
    try_coherence(0);
  }

  /// Observation order, and what synchronizes by it.
  void observe() {
    reads_from_ = {};
    for (int i = 0; i < count(); ++i)
      if (at(i).reads() && source(i) != initial) reads_from_.add(source(i), i);
    observation_ = {};
    for (int i = 0; i < count(); ++i) {
      if (!at(i).reads()) continue;
      // Through read-modify-writes in between.
      for (int w = source(i), steps = 0; w != initial && steps <= count(); ++steps) {
        observation_.add(w, i);
        w = at(w).is_update() ? source(w) : initial;
      }
    }
    synchronizes_ = {};
    for (int w = 0; w < count(); ++w)
      for (int r = 0; r < count(); ++r)
        if (observation_.has(w, r)) synchronize(w, r);
  }

  /// Each first operation of a release pattern with the write w, and each last one of an acquire pattern with the read
  /// r.
  void synchronize(int w, int r) {
    for (int first = 0; first < count(); ++first) {
      bool const is_before = program_order_.has(first, w);
      event const& f = at(first);
      bool const begins =
          f.kind == event::fence
              ? is_before && (f.is_sc || releases(f.semantics)) && f.scope >= scope::gpu
              : (first == w || (is_before && overlap(first, w))) && writes(first) && releases(f.semantics);
      if (!begins) continue;
      for (int last = 0; last < count(); ++last) {
        bool const is_after = program_order_.has(r, last);
        event const& l = at(last);
        bool const ends = l.kind == event::fence
                              ? is_after && (l.is_sc || acquires(l.semantics)) && l.scope >= scope::gpu
                              : (last == r || (is_after && overlap(r, last))) && l.reads() && acquires(l.semantics);
        if (ends && first != last) synchronizes_.add(first, last);
      }
    }
  }

  void try_coherence(int l) {
    if (l == locations) {
      fences_.clear();
      for (int i = 0; i < count(); ++i)
        if (at(i).is_sc && at(i).scope >= scope::gpu) fences_.push_back(i);
      do judge();
      while (std::next_permutation(fences_.begin(), fences_.end()));
      return;
    }
    auto& order = coherence_[std::size_t(l)];
    std::sort(order.begin(), order.end());
    do
      if (is_atomic(order)) try_coherence(l + 1);
    while (std::next_permutation(order.begin(), order.end()));
  }

  /// Atomicity: nothing comes between a read-modify-write and the write that it read.
  bool is_atomic(std::vector<int> const& order) const {
    for (std::size_t i = 0; i < order.size(); ++i)
      if (at(order[i]).is_update() && source(order[i]) != (i ? order[i - 1] : initial)) return false;
    return true;
  }

  void judge() {
    relation coherence, from_reads, fence_order;
    for (auto const& order : coherence_)
      for (std::size_t i = 0; i < order.size(); ++i)
        for (std::size_t j = i + 1; j < order.size(); ++j) coherence.add(order[i], order[j]);
    for (int r = 0; r < count(); ++r)
      for (int w = 0; w < count(); ++w)
        if (at(r).reads() && overlap(r, w) && w != r && writes(w) &&
            (source(r) == initial || coherence.has(source(r), w)))
          from_reads.add(r, w);
    for (std::size_t i = 0; i < fences_.size(); ++i)
      for (std::size_t j = i + 1; j < fences_.size(); ++j) fence_order.add(fences_[i], fences_[j]);

    relation base = program_order_;
    base.add(synchronizes_);
    base.add(fence_order);
    base.close();
    relation causality = base;
    causality.add(observation_.then(base));

    relation per_location;
    for (int a = 0; a < count(); ++a)
      for (int b = 0; b < count(); ++b)
        if (program_order_.has(a, b) && overlap(a, b)) per_location.add(a, b);
    for (relation const* communication : {&reads_from_, &coherence, &from_reads}) {
      if (communication->contradicts(causality)) return; // Causality; of two writes, Coherence
      per_location.add(*communication);
    }
    if (fence_order.contradicts(causality)) return; // Fence-SC
    if (per_location.is_cyclic()) return;           // SC-per-location

    outcome o;
    for (int i = 0; i < count(); ++i)
      if (at(i).reads()) o.push_back(value_[std::size_t(i)]);
    for (auto const& order : coherence_) o.push_back(order.empty() ? 0 : written(order.back()));
    relation execution = program_order_;
    execution.add(reads_from_);
    execution.add(fence_order);
    if (!execution.is_cyclic()) result.without_load_buffering.insert(o);
    result.all.insert(std::move(o));
  }

  std::vector<event> events_;
  relation program_order_{}, reads_from_{}, observation_{}, synchronizes_{};
  std::vector<int> source_, value_, fences_;
  std::array<std::vector<int>, locations> coherence_;
};

} // namespace

allowed_outcomes outcomes_by_axioms(small_program const& p) { return enumeration(p).result; }

outcome run_in_model(small_program const& p, std::uint64_t seed, std::string& findings) {
  world w(seed);
  int* const memory[locations] = {&w.m->x, &w.m->y, &w.m->z};
  std::vector<outcome> read(p.size());
  std::vector<world::steps> threads(p.size());
  for (std::size_t t = 0; t < p.size(); ++t)
    for (event const& e : p[t])
      threads[t].push_back([&, t, e] {
        actor const a = w(int(t), 0);
        order const o{e.semantics, scope::gpu};
        int& where = *memory[e.location];
        switch (e.kind) {
        case event::load: return read[t].push_back(a.load(where, o));
        case event::store: return a.store(where, e.value, o);
        case event::exchange: return read[t].push_back(a.exchange(where, e.value, o));
        case event::add: return read[t].push_back(a.add(where, e.value, o));
        case event::compare_and_swap: return read[t].push_back(a.compare_and_swap(where, e.expected, e.value, o));
        case event::fence: return a.fence(e.semantics, e.scope, e.is_sc);
        }
      });
  w.interleave(std::move(threads));
  outcome result;
  for (auto const& r : read) result.insert(result.end(), r.begin(), r.end());
  for (int const* const m : memory) result.push_back(*m);
  for (auto const& f : w.findings)
    if (f.kind != "stale") findings += f.text + "\n";
  return result;
}

std::string event::text() const {
  static constexpr char const* names[] = {"load", "store", "exchange", "add", "cas", "fence"};
  std::string result = names[kind];
  if (kind != fence) result += std::string(" ") + "xyz"[location];
  if (kind == compare_and_swap) result += " " + std::to_string(expected);
  if (kind != load && kind != fence) result += " " + std::to_string(value);
  if (is_sc) result += ".sc";
  else if (semantics == semantics::acq_rel) result += ".acq_rel";
  else if (releases(semantics)) result += ".rel";
  else if (acquires(semantics)) result += ".acq";
  if (scope != scope::gpu) result += ".cta";
  return result;
}

std::string text_of(small_program const& p) {
  std::string result;
  for (auto const& thread : p) {
    result += result.empty() ? "" : " || ";
    for (event const& e : thread) result += (&e == thread.data() ? "" : "; ") + e.text();
  }
  return result;
}

std::string text_of(outcome const& o) {
  std::string result;
  for (int const value : o) result += (result.empty() ? "" : ",") + std::to_string(value);
  return result;
}

} // namespace emulator_test
