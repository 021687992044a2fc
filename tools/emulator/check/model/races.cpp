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

bool model::state::read_only_was_written(agent const& who, access const& a, u32 code, mark const& earlier) {
  agent const& other = agents[earlier.who];
  grid_agent const& reader = *who.block->grid;
  if (other.block->grid->ended < reader.began) return false;
  if (reader.known.all.of(other.block->number, other.index) >= earlier.epoch)
    return false; // as the host saw before the launch
  if (reported.contains({"misuse", std::min(code, earlier.code), std::max(code, earlier.code)})) return true;
  std::uintptr_t const start = reinterpret_cast<std::uintptr_t>(a.where);
  region const* const r = regions.holding(start);
  char address[32];
  std::snprintf(address, sizeof address, "%#zx", std::size_t(start));
  std::string text =
      "misuse: ld.global.nc (__ldg, const __restrict__) of " + std::to_string(a.size) + " bytes at " + address;
  if (r) text += " (" + r->name + ", byte " + std::to_string(start - r->start) + ")";
  text +=
      " that were written while the kernel runs; it may give what was there before\n  first:  write, " +
      described(other, earlier.code) + "\n  second: read, " + described(who, code) +
      "\n  why:    the read goes through a cache that no barrier and no fence updates; read by an ordinary load, or "
      "write in an earlier kernel";
  report_finding("misuse", std::move(text), {{&other, earlier.code}, {&who, code}});
  return true;
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
  auto const is_shared = [&] {
    region const* const r = region_of(a);
    return r && r->is_shared;
  };
  bool told = false;
  for (std::uintptr_t at = start & ~std::uintptr_t(3); at < end; at += 4) {
    unsigned const from = start > at ? unsigned(start - at) : 0, to = end - at < 4 ? unsigned(end - at) : 4;
    m.bytes = std::uint8_t(((1u << to) - (1u << from)) & changed);
    word& w = shadow.of(at);
    auto const compare = [&](mark const& earlier, bool earlier_writes) {
      if (!(earlier.bytes & m.bytes) || told || (earlier.who == m.who && !a.is_read_only)) return;
      if (!earlier_writes && is_neighbour(m, earlier)) return;
      if (!writes && is_neighbour(earlier, m)) return;
      agent const& other = agents[earlier.who];
      // First what costs least to find out.
      if (m.is_strong() && earlier.is_strong() && is_one_object(m, earlier) &&
          inclusive(m.scope, *who.block, earlier.scope, *other.block))
        return;
      bool const ordered = knows_at(who, a, earlier.who, earlier.epoch) ||
                           (earlier_writes && a.proxy == proxy::generic && knows_as_observed(who, a, earlier));
      bool const needs_proxy = a.proxy != proxy::generic && !earlier.is_async;
      bool const is_fenced =
          ordered && (!needs_proxy || (a.proxy == proxy::tensormap
                                           ? knows_map_fenced(who, a.where, earlier)
                                           : agents.knows_fenced(who, is_shared(), earlier.who, earlier.epoch)));
      if (is_fenced) {
        told = a.is_read_only && earlier_writes && read_only_was_written(who, a, code, earlier);
        return;
      }
      told = true;
      u32 const first = std::min(code, earlier.code), second = std::max(code, earlier.code);
      if (reported.contains({"race", first, second})) return;
      std::string const kind = earlier_writes == writes ? " two writes" : " a write and a read";
      char address[32];
      std::snprintf(address, sizeof address, "%#zx", std::size_t(start));
      region const* const r = region_of(a);
      std::string text = "race:" + kind + " of " + std::to_string(a.size) + " bytes at " + address;
      if (r) text += " (" + r->name + ", byte " + std::to_string(std::max(start, r->start) - r->start) + ")";
      text += " are not ordered\n  first:  " + std::string(earlier_writes ? "write" : "read") + ", " +
              (earlier.is_async ? "asynchronous, " : "") + name_of(earlier.semantics) +
              (earlier.scope == scope::none ? "" : std::string(".") + name_of(earlier.scope)) + ", " +
              described(other, earlier.code) + "\n  second: " + (writes ? "write" : "read") + ", " +
              (m.is_async ? "asynchronous, " : "") + name_of(m.semantics) +
              (m.scope == scope::none ? "" : std::string(".") + name_of(m.scope)) + ", " + described(who, code) +
              "\n  why:    " + why(who, a, code, earlier, ordered);
      report_finding("race", std::move(text), {{&other, earlier.code}, {&who, code}});
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
