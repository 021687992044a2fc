// SPDX-License-Identifier: Apache-2.0
//
// relation: a binary relation on at most 64 events, one word of bits for each event.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace litmus {

using event_set = std::uint64_t;
inline constexpr int max_events = 64;

constexpr event_set only(int event) { return event_set(1) << event; }
constexpr bool contains(event_set all, int event) { return all >> event & 1; }

/// Calls f(event) for each event of the set.
template <class F>
constexpr void for_each(event_set all, F f) {
  for (; all; all &= all - 1) f(std::countr_zero(all));
}

class relation {
  int size_ = 0;
  std::array<event_set, max_events> rows_{};

public:
  relation() = default;
  explicit relation(int size) : size_(size) {}

  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] bool operator()(int a, int b) const { return contains(rows_[std::size_t(a)], b); }
  [[nodiscard]] event_set after(int a) const { return rows_[std::size_t(a)]; }
  void add(int a, int b) { rows_[std::size_t(a)] |= only(b); }
  void add(int a, event_set all) { rows_[std::size_t(a)] |= all; }
  void remove(int a, int b) { rows_[std::size_t(a)] &= ~only(b); }

  relation& operator|=(relation const& other) {
    for (int i = 0; i < size_; ++i) rows_[std::size_t(i)] |= other.rows_[std::size_t(i)];
    return *this;
  }
  friend relation operator|(relation a, relation const& b) { return a |= b; }
  friend relation operator&(relation a, relation const& b) {
    for (int i = 0; i < a.size_; ++i) a.rows_[std::size_t(i)] &= b.rows_[std::size_t(i)];
    return a;
  }
  /// a; b: from x to z if a leads from x to some y and b from there to z.
  friend relation operator*(relation const& a, relation const& b) {
    relation result(a.size_);
    for (int i = 0; i < a.size_; ++i) for_each(a.after(i), [&](int j) { result.add(i, b.after(j)); });
    return result;
  }
  friend bool operator==(relation const& a, relation const& b) {
    for (int i = 0; i < a.size_; ++i)
      if (a.after(i) != b.after(i)) return false;
    return a.size_ == b.size_;
  }

  /// Only the pairs that begin in `from` and end in `to`.
  [[nodiscard]] relation restricted(event_set from, event_set to) const {
    relation result(size_);
    for_each(from, [&](int i) { result.add(i, after(i) & to); });
    return result;
  }
  [[nodiscard]] relation inverse() const {
    relation result(size_);
    for (int i = 0; i < size_; ++i) for_each(after(i), [&](int j) { result.add(j, i); });
    return result;
  }
  [[nodiscard]] relation with_identity() const {
    relation result = *this;
    for (int i = 0; i < size_; ++i) result.add(i, i);
    return result;
  }
  [[nodiscard]] relation transitive() const {
    relation result = *this;
    for (int k = 0; k < size_; ++k)
      for (int i = 0; i < size_; ++i)
        if (result(i, k)) result.add(i, result.after(k));
    return result;
  }
  [[nodiscard]] bool irreflexive() const {
    for (int i = 0; i < size_; ++i)
      if ((*this)(i, i)) return false;
    return true;
  }
  [[nodiscard]] bool acyclic() const { return transitive().irreflexive(); }
};

} // namespace litmus
