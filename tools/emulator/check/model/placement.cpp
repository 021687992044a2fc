// SPDX-License-Identifier: Apache-2.0
//
// placement: where a write goes in coherence order.  [PTX ISA, "Memory Consistency Model", "Axioms"]
// A write need not come after all writes of its location that were carried out before. What each axiom demands:
//
//   Coherence        A write comes after each write that precedes it in causality order: one that happens before it, or
//                    one that was observed by a read that happens before it. `floor_of` is the last of these.
//   SC-per-location  The same for what the thread itself wrote and read. Program order is part of causality order.
//   Causality        No read that has been carried out follows the new write in causality order. A later read that does
//                    must not read a message before the write: the floor of that read excludes these messages.
//   Atomicity        No write comes between a read-modify-write and the message that it read. So a store does not go
//                    directly before a read-modify-write, and no two read-modify-writes that store read one message.
//   Fence-SC         The order of fences is that of execution. Each synchronizes with the later ones: causality order
//                    includes this order.
//
// Writes that race are not related in coherence order: the later one comes last. For other reasons, these come last,
// too:
//
//   - an element of a vector: no hardware tears an aligned vector (as for loads of vectors);
//   - a write to several parts of a word: it is one write to memory;
//   - a write of a copy, and a write after one of a copy: a reduction of a copy has read memory;
//   - a write at system scope to memory that the host shares: the host may have read the newest message, and may have
//     told the writer.
#include "model_state.hpp"

namespace emulator::check {

namespace {

/// Where there is a choice, a write is not the last one this often, as a load does not read the newest message.
constexpr u32 one_of = 4;

/// A few messages of a location, by index.
class choices {
public:
  void add(std::size_t index) { all_[size_++] = std::uint8_t(index); }
  bool empty() const { return size_ == 0; }
  std::size_t any(random& chance) const { return all_[chance.below(size_)]; }

private:
  std::array<std::uint8_t, location::most_messages> all_{};
  u32 size_ = 0;
};

} // namespace

std::size_t model::state::floor_of(agent const& who, access const& a, location const& l) {
  return l.floor([&](u32 number, u32 epoch) { return knows_at(who, a, number, epoch); });
}

bool model::state::may_precede(agent const& who, access const& a, message const& m) const {
  return m.who != no_agent && agents[m.who].issuer == no_agent && is_strong_pair(who, a, m);
}

bool model::state::may_be_placed(agent const& who, access const& a, location const& l) {
  if (l.messages.size() == 1 || l.newest().who == who.number || a.vector_size || who.issuer != no_agent) return false;
  if (!may_precede(who, a, l.newest())) return false;
  region const* const r = a.scope == scope::sys ? region_of(a) : nullptr;
  return !r || !r->is_of_host;
}

std::size_t model::state::place_for_store(agent const& who, access const& a, location const& l) {
  std::size_t const last = l.messages.size();
  if (!may_be_placed(who, a, l)) return last;
  choices places;
  std::size_t const oldest = floor_of(who, a, l);
  for (std::size_t i = last - 1; i > oldest && may_precede(who, a, l.messages[i]); --i)
    if (!l.messages[i].is_update) places.add(i);
  return places.empty() || !chance.once_in(one_of) ? last : places.any(chance);
}

std::size_t model::state::source_for_update(agent const& who, access const& a, location const& l,
                                            std::function<bool(void*)> const& modify) {
  std::size_t const newest = l.messages.size() - 1;
  // Chance is asked first, since threads that poll a lock come here, and what each knows takes long to find out.
  if (!may_be_placed(who, a, l) || !chance.once_in(one_of)) return newest;
  std::size_t const oldest = floor_of(who, a, l);
  choices sources;
  bool may_write = true;
  for (std::size_t i = newest; i-- > oldest;) {
    message const& next = l.messages[i + 1];
    may_write = may_write && may_precede(who, a, next);
    bytes_16 value = l.messages[i].value;
    if (!modify(value.data()) || (may_write && !next.is_update)) sources.add(i);
  }
  return sources.empty() ? newest : sources.any(chance);
}

} // namespace emulator::check
