// SPDX-License-Identifier: Apache-2.0
//
// locations: which histories an access is about.
// Mostly one, of its own size. Atomic objects of 8 and 16 bits, however, are modified by operations on the word around
// them, which means several objects at once. So a word that is accessed in parts has one location for each part, of the
// size of the smallest access so far, and an operation on the word is one on each of its parts.
#include "model_state.hpp"

namespace emulator::check {

access part_of(access const& a, location const& l) {
  access result = a;
  result.where += l.where - number(a.where);
  result.size = l.size;
  return result;
}

location* model::state::location_of(access const& a) {
  std::uintptr_t const start = number(a.where);
  shadow::page const* const p = a.size <= 16 ? shadow.find_page(start) : nullptr;
  return p && p->has_messages[start % shadow::page_bytes / 4] ? histories.find(start, a.size) : nullptr;
}

location& model::state::make_location(access const& a) {
  std::uintptr_t const start = number(a.where);
  forget_locations(start, a.size);
  location& l = histories.make(start, a.size);
  for (std::uintptr_t at = start & ~std::uintptr_t(3); at < start + a.size; at += 4)
    shadow.page_of(at).has_messages[at % shadow::page_bytes / 4] = true;
  message first{.is_host = true};
  host_read(a.where, first.value.data(), a.size);
  if (region const* const r = region_of(a); r && r->is_of_host) first.tokens.add(host);
  l.restart(std::move(first));
  return l;
}

void model::state::forget_locations(std::uintptr_t start, std::size_t size) {
  bool any = size > shadow::page_bytes;
  for (std::uintptr_t at = start & ~std::uintptr_t(3); !any && at < start + size; at += 4)
    if (shadow::page const* const p = shadow.find_page(at)) any = p->has_messages[at % shadow::page_bytes / 4];
  if (any) histories.forget(start, size);
}

bool model::state::patch(access const& a, void const* value) {
  // A neighbour of what is accessed by its whole word: it has no message of its own.
  std::uintptr_t const start = number(a.where);
  location* const l = histories.around(start, a.size);
  if (!l) return false;
  for (message& m : l->messages) std::memcpy(m.value.data() + (start - l->where), value, a.size);
  return true;
}

model::state::parts model::state::parts_of(access const& a, bool make) {
  parts result;
  std::uintptr_t const start = number(a.where);
  shadow::page const* const p = shadow.find_page(start);
  bool const any = p && p->has_messages[start % shadow::page_bytes / 4];
  if (location* const l = any ? histories.find(start, a.size) : nullptr) {
    result.push_back(l);
    return result;
  }
  if (any && a.size < 4) {
    while (location* const l = histories.around(start, a.size)) histories.halve(*l);
    if (location* const l = histories.find(start, a.size)) {
      result.push_back(l);
      return result;
    }
  }
  auto const part_at = [&](std::uintptr_t at) {
    location* const l = histories.starting_at(at);
    return l && l->size <= start + a.size - at ? l : nullptr;
  };
  bool is_divided = false;
  if (any && a.size <= 4)
    for (u32 i = 0; i < a.size; ++i) is_divided |= part_at(start + i) != nullptr;
  if (!is_divided) {
    if (make) result.push_back(&make_location(a));
    return result;
  }
  for (std::uintptr_t at = start; at < start + a.size;) {
    location* l = part_at(at);
    if (!l) {
      access gap = a;
      gap.where += at - start;
      gap.size = at % 2 == 0 && at + 2 <= start + a.size && !part_at(at + 1) ? 2 : 1;
      l = &make_location(gap);
    }
    result.push_back(l);
    at += l->size;
  }
  return result;
}

void model::state::notice_host(location& l, void const* memory) {
  if (std::memcmp(l.newest().value.data(), memory, l.size) == 0) return;
  // The host's writes are seen at once.
  message m{.is_host = true};
  std::memcpy(m.value.data(), memory, l.size);
  m.tokens.add(host);
  l.restart(std::move(m));
}

} // namespace emulator::check
