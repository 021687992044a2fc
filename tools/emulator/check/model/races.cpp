// SPDX-License-Identifier: Apache-2.0
//
// races: an access against the marks of earlier ones.  [PTX ISA, "Morally strong operations", "Conflict and
// Data-races", "Causality Order"]
// A generic access must have been made known to the async proxy by a proxy fence before that proxy accesses the same
// memory, unless both read. A read before an asynchronous write is no exception: on an H200 the copy overtakes it
// (modules/copy/proxy_fence.cppm). The proxy that reads tensor maps has fences of its own (tensor_maps.cpp).
#include "model_state.hpp"

namespace emulator::check {

namespace {

/// Whether `m`, weak, accesses a part of a word that `strong` reads as a whole. So do programs whose atomic objects are
/// smaller than a word: what they read beside the object means nothing to them, and what they write there is what they
/// read.
bool is_neighbour(mark const& m, mark const& strong) {
  return !m.is_strong() && strong.is_strong() && strong.size == 4 && m.size < 4 && m.size > 0;
}

/// Whether two strong accesses that overlap mean one object: the same bytes, or a part of a word and the word around
/// it, by which 8- and 16-bit objects are modified.
bool is_one_object(mark const& a, mark const& b) {
  if (a.size == 0 || b.size == 0) return false;
  return (a.size == b.size && a.start == b.start) || (a.size <= 4 && b.size <= 4);
}

} // namespace

bool model::state::is_too_early(agent const& who, mark const& earlier) const {
  agent const& other = agents[earlier.who];
  grid_agent const& reader = *who.block->grid;
  if (other.block->grid->ended < reader.began) return false;
  bool const host_saw_it = reader.known.all.of(other.block->number, other.index) >= earlier.epoch; // before the launch
  return !host_saw_it;
}

model::state::order model::state::order_of(agent const& who, access const& a, mark const& m, bool writes,
                                           mark const& earlier, bool earlier_writes) {
  if (!earlier_writes && is_neighbour(m, earlier)) return order::harmless;
  if (!writes && is_neighbour(earlier, m)) return order::harmless;
  // First what costs least to find out.
  if (m.is_strong() && earlier.is_strong() && is_one_object(m, earlier) &&
      inclusive(m.scope, *who.block, earlier.scope, *agents[earlier.who].block))
    return order::harmless;
  bool const ordered = knows_at(who, a, earlier.who, earlier.epoch) ||
                       (earlier_writes && a.proxy == proxy::generic && knows_as_observed(who, a, earlier));
  if (!ordered) return order::none;
  if (a.proxy == proxy::generic || earlier.is_async) return order::fenced;
  if (a.proxy == proxy::tensormap) return knows_map_fenced(who, a.where, earlier) ? order::fenced : order::unfenced;
  region const* const r = region_of(a);
  return agents.knows_fenced(who, r && r->is_shared, earlier.who, earlier.epoch) ? order::fenced : order::unfenced;
}

void model::state::check(agent& who, access const& a, u32 code, bool writes, unsigned changed) {
  std::uintptr_t const start = reinterpret_cast<std::uintptr_t>(a.where), end = start + a.size;
  mark m{.who = who.number,
         .epoch = who.epoch,
         .code = code,
         .size = std::uint8_t(a.size > 128 ? 0 : a.size),
         .start = std::uint8_t(start),
         .is_async = a.proxy != proxy::generic,
         .semantics = a.semantics,
         .scope = a.scope};
  who.last_event = who.epoch;
  bool told = false;
  for (std::uintptr_t at = start & ~std::uintptr_t(3); at < end; at += 4) {
    unsigned const from = start > at ? unsigned(start - at) : 0, to = end - at < 4 ? unsigned(end - at) : 4;
    m.bytes = std::uint8_t(((1u << to) - (1u << from)) & changed);
    word& w = shadow.of(at);
    auto const compare = [&](mark const& earlier, bool earlier_writes) {
      if (!(earlier.bytes & m.bytes) || told || (earlier.who == m.who && !a.is_read_only)) return;
      order const found = order_of(who, a, m, writes, earlier, earlier_writes);
      if (found == order::harmless) return;
      if (found == order::fenced) {
        told = a.is_read_only && earlier_writes && is_too_early(who, earlier);
        if (told) report_read_only(who, a, code, earlier);
        return;
      }
      told = true;
      if (!is_reported("race", code, earlier.code))
        report_race(who, a, m, writes, earlier, earlier_writes, cause_of(who, a, earlier, found == order::unfenced));
    };
    w.for_writes([&](mark& earlier) { compare(earlier, true); });
    if (writes) {
      w.for_reads([&](mark& earlier) { compare(earlier, false); });
      w.set_write(m);
      continue;
    }
    // This read speaks for an earlier one that happens before it, unless the earlier one races with more.
    auto const could_forget = [&](mark const& r) {
      return (r.bytes & ~m.bytes) == 0 && r.is_async == m.is_async &&
             (!m.is_strong() || (r.is_strong() && r.scope >= m.scope && is_one_object(r, m)));
    };
    auto const repeats = [&](mark const& r) { return r.who == m.who && could_forget(r); };
    auto const forgets = [&](mark const& r) {
      return could_forget(r) && (r.who == m.who || knows_at(who, a, r.who, r.epoch));
    };
    w.add_read(m, repeats, forgets, [&](std::size_t n) { return chance.below(u32(n)); });
  }
}

} // namespace emulator::check
