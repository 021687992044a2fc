// SPDX-License-Identifier: Apache-2.0
//
// placement: where a write goes in coherence order. It need not be the last, although it is carried out last: another
// thread's write may follow it that was carried out before.  [PTX ISA, "Memory Consistency Model", "Axioms"]
// What the axioms say of a write that is carried out now, and of those that are there:
//   Coherence    a write that precedes it in causality order precedes it in coherence order. It does if it happens
//                before, or if a read observed it that happens before: the first message that the thread may still read
//                (floor_of) comes before the write, and so do all before that message.
//   SC-per-location, Causality
//                the same of what the thread itself wrote and read: program order is causality order. No read that has
//                been carried out can be after the new write in causality order. A later one that is after it does not
//                read what comes before it: the read's own floor sees to that.
//   Atomicity    nothing comes between a read-modify-write and the write that it read. So a store does not go directly
//                before a read-modify-write, and a read-modify-write does not read what another one has read.
//   Fence-SC     the order of fences is that of execution, and each synchronizes with the later ones: causality order
//                has them.
// Two writes that are not morally strong and not ordered race: coherence order does not relate them. A new write stays
// after such a one, whatever its value does.
//
// It also stays last where these axioms are not all that counts:
//   - an element of a vector: no hardware tears an aligned vector (see the loads of vectors);
//   - a write to several parts of a word, which is one write to memory;
//   - a copy's write, and one that a copy would follow: its reduction read memory;
//   - at system scope in memory that the host shares: the host may have read the newest value, and passed that on.
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
  if (!may_be_placed(who, a, l)) return newest;
  std::size_t const oldest = floor_of(who, a, l);
  if (oldest == newest || !chance.once_in(one_of)) return newest;
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
