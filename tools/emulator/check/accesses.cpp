// SPDX-License-Identifier: Apache-2.0
//
// accesses: loads, stores and read-modify-writes.  [PTX ISA, "Coherence Order", "Observation Order"]
#include "../machine/frames.hpp"
#include "../machine/grid.hpp"
#include "model_state.hpp"

namespace emulator::check {

namespace {

std::uintptr_t number(void const* p) { return reinterpret_cast<std::uintptr_t>(p); }

/// Whether an address is in the local memory of a thread: in one of its frames.
bool is_local(thread const& t, std::uintptr_t address, std::size_t size) {
  for (frame const* f = t.frame; f && f->function; f = f->caller) {
    std::uintptr_t const offset = address - number(f);
    if (std::size_t const bytes = frame_bytes(*f->function); offset < bytes && size <= bytes - offset) return true;
  }
  return false;
}

} // namespace

model::state::answer model::state::admit(agent const& who, access const& a, u32 place, bool reads, bool writes) {
  std::uintptr_t const start = number(a.where);
  region* const r = regions.holding(start);
  bool const fits = r && a.size <= r->end() - start;
  if (!fits || r->is_gone) {
    if (is_local(a.who, start, a.size)) return answer::not_shadowed;
    char text[64];
    std::snprintf(text, sizeof text, " of %u bytes at %#zx ", a.size, std::size_t(start));
    region const* const near = r ? r : regions.before(start);
    std::string const kind = r && r->is_gone && fits ? "use after free" : "out of bounds";
    std::string what = kind + ": a " + (writes ? "write" : "read") + text;
    if (kind == "use after free") what += "is in " + r->name + " that is gone: it was freed, or its block has ended";
    else if (r) what += "goes beyond the end of " + r->name + " of " + std::to_string(r->size) + " bytes";
    else if (near && start - near->end() < 1 << 20)
      what += "is " + std::to_string(start - near->end()) + " bytes behind the end of " + near->name + " of " +
              std::to_string(near->size) + " bytes";
    else what += "is in no memory of the device; was it allocated by CUDA?";
    found(kind, what + "\n  by:     " + described(who, place), {{&who, place}});
    return answer::refused;
  }
  if (r->written.empty()) return r->is_shadowed ? answer::shadowed : answer::not_shadowed;
  std::size_t const offset = start - r->start;
  auto const begin = r->written.begin() + std::ptrdiff_t(offset), end = begin + a.size;
  // Padding, and the neighbours of a byte that is accessed in its word, may be read without having been written.
  bool const is_noise = reads && std::find(begin, end, true) == end;
  if (is_noise)
    found("uninitialised",
          "uninitialised: a read of " + std::to_string(a.size) + " bytes of " + r->name + " from byte " +
              std::to_string(offset) + " on, which nobody has written\n  by:     " + described(who, place),
          {{&who, place}});
  if (writes || is_noise) std::fill(begin, end, true); // a read that was told of is not told of again
  return answer::shadowed;
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
  if (region const* const r = regions.holding(start); r && r->is_of_host) first.tokens.add(host);
  l.messages.push_back(std::move(first));
  return l;
}

void model::state::forget_locations(std::uintptr_t start, std::size_t size) {
  bool any = size > shadow::page_bytes;
  for (std::uintptr_t at = start & ~std::uintptr_t(3); !any && at < start + size; at += 4)
    if (shadow::page const* const p = shadow.find_page(at)) any = p->has_messages[at % shadow::page_bytes / 4];
  if (any) histories.forget(start, size, [](location const&) {});
}

bool model::state::patch(access const& a, void const* value) {
  // A neighbour of what is accessed by its whole word: it is nobody's message.
  std::uintptr_t const start = number(a.where), word = start & ~std::uintptr_t(3);
  location* const l = start + a.size <= word + 4 ? histories.find(word, 4) : nullptr;
  if (!l) return false;
  for (message& m : l->messages) std::memcpy(m.value.data() + (start - word), value, a.size);
  return true;
}

void model::state::notice_host(location& l, void const* memory) {
  if (std::memcmp(l.newest().value.data(), memory, l.size) == 0) return;
  // The host's writes are seen at once.
  message m{.is_host = true};
  std::memcpy(m.value.data(), memory, l.size);
  m.tokens.add(host);
  l.messages.clear();
  l.messages.push_back(std::move(m));
}

void model::state::observe_memory(agent& who, access const& a, u32 place) {
  // What no strong operation wrote may be the host's, of whom it is not known when it did that.
  region const* const r = a.scope == scope::sys ? regions.holding(number(a.where)) : nullptr;
  if (r && r->is_of_host) {
    message m{.is_host = true};
    m.tokens.add(host);
    observe(who, a, place, m);
  }
  if (mark const& last = shadow.of(number(a.where)).write; last.bytes && last.who != who.number)
    miss(who, {missed::reason::weak, last.who, last.epoch, last.place, place, last.scope, a.scope});
}

void model::state::load(agent& who, access const& a, u32 place, void* value) {
  answer const can = admit(who, a, place, true, false);
  if (can == answer::refused) return void(std::memset(value, 0, a.size));
  if (can == answer::not_shadowed) return host_read(a.where, value, a.size);
  check(who, a, place, false);
  host_read(a.where, value, a.size);
  if (a.size > 16) return;
  location* const l = location_of(a);
  if (!is_strong(a.semantics)) {
    if (l) observe(who, a, place, l->newest()); // only to say that this does not synchronise
    return;
  }
  if (!l) {
    observe_memory(who, a, place);
    if (a.scope == scope::sys) make_location(a); // from now on it is known whether the host writes it
    return;
  }
  notice_host(*l, value);
  std::size_t index = l->messages.size() - 1;
  if (index > 0) {
    // Mostly the newest, so that spins end.
    std::size_t const oldest = l->floor(who, agents);
    while (index > oldest && chance.once_in(4)) --index;
  }
  message const& m = l->messages[index];
  std::memcpy(value, m.value.data(), a.size);
  observe(who, a, place, m);
  l->saw(index, who);
}

void model::state::store(agent& who, access const& a, u32 place, void const* value) {
  answer const can = admit(who, a, place, false, true);
  if (can == answer::refused) return;
  if (can == answer::not_shadowed) return host_write(a.where, value, a.size);
  check(who, a, place, true);
  location* l = location_of(a);
  bool const strong = is_strong(a.semantics) && a.size <= 16;
  if (!l && strong) l = &make_location(a);
  if (!l) {
    if (!patch(a, value)) forget_locations(number(a.where), a.size);
    return host_write(a.where, value, a.size);
  }
  bytes_16 memory;
  host_read(a.where, memory.data(), a.size);
  notice_host(*l, memory.data());
  message m{.who = who.number, .epoch = who.epoch, .place = place, .semantics = a.semantics, .scope = a.scope};
  std::memcpy(m.value.data(), value, a.size);
  if (strong) m.tokens = carried(who, a.where, a.scope, releases(a.semantics), place);
  if (a.scope == scope::sys)
    for (token const& t : m.tokens.all)
      if (t.scope == scope::sys) t.give(host.known);
  l->append(std::move(m));
  host_write(a.where, value, a.size);
  if (!strong || !releases(a.semantics)) return;
  if (who.released.size() >= 4) who.released.erase(who.released.begin());
  std::erase_if(who.released, [&](auto const& r) { return r.first == a.where; });
  who.released.emplace_back(a.where, agents::released_by(who, a.scope, place));
  agents::advance(who);
}

void model::state::update(agent& who, access const& a, u32 place, void* old, std::function<bool(void*)> const& modify) {
  answer const can = admit(who, a, place, true, true);
  if (can == answer::refused) return void(std::memset(old, 0, a.size));
  bytes_16 desired;
  bool stores = false;
  location* l = can == answer::shadowed ? location_of(a) : nullptr;
  do {
    host_read(a.where, old, a.size);
    std::memcpy(desired.data(), old, a.size);
    stores = modify(desired.data());
    if (stores && can == answer::shadowed && !l) l = &make_location(a);
  } while (stores && !host_exchange(a.where, old, desired.data(), a.size));
  if (can == answer::not_shadowed) return;
  unsigned changed = stores && a.size != 4 ? 15 : 0;
  for (unsigned i = 0; stores && a.size == 4 && i < 4; ++i)
    changed |= unsigned(static_cast<std::byte const*>(old)[i] != desired[i]) << i;
  if (changed != 15) check(who, a, place, false);
  if (changed) check(who, a, place, true, changed);
  if (!l) return; // a comparison that failed, with what no strong operation wrote
  notice_host(*l, old);
  message const& read = l->newest();
  observe(who, a, place, read);
  if (!stores) return l->saw(l->messages.size() - 1, who);
  message m{.who = who.number, .epoch = who.epoch, .place = place, .semantics = a.semantics, .scope = a.scope};
  std::memcpy(m.value.data(), desired.data(), a.size);
  // What it acquired and releases itself at the scope of the device need not be passed on beside that.
  bool const includes_all = acquires(a.semantics) && releases(a.semantics) && a.scope >= scope::gpu;
  if (is_strong_pair(who, a, read))
    for (token const& t : read.tokens.all)
      if (!includes_all || t.to_all || t.scope < scope::gpu || t.scope > a.scope || !has(who, t)) m.tokens.add(t);
  m.tokens.add(carried(who, a.where, a.scope, releases(a.semantics), place));
  if (a.scope == scope::sys)
    for (token const& t : m.tokens.all)
      if (t.scope == scope::sys) t.give(host.known);
  l->append(std::move(m));
  if (!releases(a.semantics)) return;
  if (who.released.size() >= 4) who.released.erase(who.released.begin());
  std::erase_if(who.released, [&](auto const& r) { return r.first == a.where; });
  who.released.emplace_back(a.where, agents::released_by(who, a.scope, place));
  agents::advance(who);
}

void model::load(access const& a, void* value) {
  std::lock_guard const lock(state_->mutex);
  state_->load(state_->agents.of(a.who), a, state_->places.of(a), value);
}

void model::store(access const& a, void const* value) {
  std::lock_guard const lock(state_->mutex);
  state_->store(state_->agents.of(a.who), a, state_->places.of(a), value);
}

void model::update(access const& a, void* old, std::function<bool(void*)> const& modify) {
  std::lock_guard const lock(state_->mutex);
  state_->update(state_->agents.of(a.who), a, state_->places.of(a), old, modify);
}

void model::touched(access const& a, bool writes) {
  std::lock_guard const lock(state_->mutex);
  state& s = *state_;
  agent& who = s.agents.of(a.who);
  u32 const place = s.places.of(a);
  if (s.admit(who, a, place, !writes, writes) != state::answer::shadowed) return;
  s.check(who, a, place, writes);
  if (writes) s.forget_locations(number(a.where), a.size);
}

} // namespace emulator::check
