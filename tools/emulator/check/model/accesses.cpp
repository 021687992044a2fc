// SPDX-License-Identifier: Apache-2.0
//
// accesses: loads, stores and read-modify-writes.  [PTX ISA, "Coherence Order", "Observation Order"]
#include "../../machine/frames.hpp"
#include "../../machine/grid.hpp"
#include "model_state.hpp"

namespace emulator::check {

namespace {

/// Whether an address is in the local memory of a thread: in one of its frames.
bool is_local(thread const& t, std::uintptr_t address, std::size_t size) {
  for (frame const* f = t.frame; f && f->function; f = f->caller) {
    std::uintptr_t const offset = address - number(f);
    if (std::size_t const bytes = frame_bytes(*f->function); offset < bytes && size <= bytes - offset) return true;
  }
  return false;
}

/// Whether an operation may be on the word around an object of 8 or 16 bits: an atomic one on 4 aligned bytes that
/// reads them. It may access the whole word if one of its bytes is the object's: hardware hands out memory in units of
/// many words. Only what it changes must be of an allocation.  [arch/README.md, "Sub-word objects"]
bool may_be_around(access const& a) {
  return is_strong(a.semantics) && a.size == 4 && number(a.where) % 4 == 0 && !a.vector_size &&
         a.proxy == proxy::generic;
}

/// The bytes of the word that two values differ in.
unsigned difference(std::byte const* a, std::byte const* b) {
  unsigned result = 0;
  for (unsigned i = 0; i < 4; ++i) result |= unsigned(a[i] != b[i]) << i;
  return result;
}

/// The bytes of a word to which an operation gives a value: those that it changes, and those whose value does not
/// depend on what was there, as in an exchange. What it only keeps may be a neighbour of the object that is meant.
unsigned bytes_written(std::byte const* before, std::byte const* after, std::function<bool(void*)> const& modify) {
  unsigned const changed = difference(before, after);
  u32 other;
  std::memcpy(&other, before, sizeof other);
  other = ~other;
  if (!modify(&other)) return changed; // a compare-and-swap
  return changed | (15 & ~difference(after, reinterpret_cast<std::byte const*>(&other)));
}

} // namespace

region* model::state::region_of(access const& a) {
  region* found = regions.holding(number(a.where));
  if ((found && !found->is_gone) || !may_be_around(a)) return found;
  regions.for_overlapping(number(a.where), a.size, [&](region& r) {
    if (!found || found->is_gone) found = &r;
  });
  return found;
}

void model::state::report_outside(agent const& who, access const& a, u32 code, region const* r,
                                  std::string const& what) {
  std::uintptr_t const start = number(a.where);
  char address[32];
  std::snprintf(address, sizeof address, " at %#zx ", std::size_t(start));
  bool const is_late = r && r->is_gone && (may_be_around(a) || a.size <= r->end() - start);
  region const* const near = r ? r : regions.before(start);
  std::string text = (is_late ? "use after free: " : "out of bounds: ") + what + address;
  if (is_late) text += "is in " + r->name + " that is gone: it was freed, or its block has ended";
  else if (r) text += "goes beyond the end of " + r->name + " of " + std::to_string(r->size) + " bytes";
  else if (near && start - near->end() < 1 << 20)
    text += "is " + std::to_string(start - near->end()) + " bytes past the end of " + near->name + " of " +
            std::to_string(near->size) + " bytes";
  else text += "is in no memory of the device; was it allocated by CUDA?";
  report_finding(is_late ? "use after free" : "out of bounds", text + "\n  by:     " + described(who, code),
                 {{&who, code}});
}

model::state::answer model::state::admit(agent const& who, access const& a, u32 code, bool reads, bool writes) {
  std::uintptr_t const start = number(a.where);
  bool const is_around = reads && may_be_around(a);
  region* const r = is_around ? region_of(a) : regions.holding(start);
  if (!r || r->is_gone || (!is_around && a.size > r->end() - start)) {
    if (is_local(a.who, start, a.size)) return answer::not_shadowed;
    report_outside(who, a, code, r,
                   std::string(writes ? "a write" : "a read") + " of " + std::to_string(a.size) + " bytes");
    return answer::rejected;
  }
  if (!r->written.are_kept()) return r->is_shadowed ? answer::shadowed : answer::not_shadowed;
  std::size_t const offset = std::max(start, r->start) - r->start, end = std::min(start + a.size, r->end()) - r->start;
  // Padding, the neighbours of a byte that is accessed in its word, and elements of a vector that holds another one may
  // be read without having been written. So may what an asynchronous copy of device memory reads: its size is rounded
  // up, and what it copies need not be used.
  std::size_t const before = a.vector_size ? std::min(offset, start % a.vector_size) : 0;
  std::size_t const read =
      a.vector_size ? std::min<std::size_t>(a.vector_size, r->size - (offset - before)) : end - offset;
  bool const is_noise = reads && !r->written.any(offset - before, read) && (r->is_shared || who.issuer == no_agent);
  if (is_noise)
    report_finding(
        "uninitialised",
        "uninitialised: a read of " + std::to_string(a.size) + " bytes of " + r->name + " from byte " +
            std::to_string(offset) + " on, which no thread and no copy has written; " +
            (r->is_shared ? "write it first, with a barrier between the threads" : "set it first, as with cudaMemset") +
            "\n  by:     " + described(who, code),
        {{&who, code}});
  // A read that was told of is not told of again. Of an operation on a word, note_written says what it writes.
  if ((writes && !is_around) || is_noise) r->written.add(offset, end - offset);
  return answer::shadowed;
}

namespace {

/// Which bytes of a word a region has.
unsigned bytes_of(region const& r, std::uintptr_t word) {
  unsigned result = 0;
  for (unsigned i = 0; i < 4; ++i) result |= unsigned(word + i - r.start < r.size) << i;
  return result;
}

} // namespace

unsigned model::state::outside(access const& a, unsigned changed) {
  regions.for_overlapping(number(a.where), a.size, [&](region const& r) {
    if (!r.is_gone) changed &= ~bytes_of(r, number(a.where));
  });
  return changed;
}

void model::state::note_written(access const& a, std::byte const* before, std::byte const* after,
                                std::function<bool(void*)> const& modify) {
  region* const first = region_of(a);
  if (bytes_of(*first, number(a.where)) == 15 && !first->written.are_kept()) return;
  unsigned const written = bytes_written(before, after, modify);
  regions.for_overlapping(number(a.where), a.size, [&](region& r) {
    if (!r.written.are_kept()) return;
    unsigned const bytes = written & bytes_of(r, number(a.where));
    for (unsigned i = 0; i < 4; ++i)
      if (bytes >> i & 1) r.written.add(number(a.where) + i - r.start, 1);
  });
}

void model::state::observe_memory(agent& who, access const& a, u32 code) {
  // What no strong operation wrote may be the host's, of whom it is not known when it did that.
  region const* const r = a.scope == scope::sys ? region_of(a) : nullptr;
  if (r && r->is_of_host) {
    message m{.is_host = true};
    m.tokens.add(host);
    observe(who, a, code, m);
  }
  if (mark const& last = shadow.of(number(a.where)).write; last.bytes && last.who != who.number)
    miss(who, {missed::reason::weak, last.who, last.epoch, last.code, code, last.scope, a.scope});
}

void model::state::load(agent& who, access const& a, u32 code, void* value) {
  settle(who, who.suspected && who.suspected->where == a.where);
  answer const can = admit(who, a, code, true, false);
  if (can == answer::rejected) return void(std::memset(value, 0, a.size));
  if (can == answer::not_shadowed) return host_read(a.where, value, a.size);
  check(who, a, code, false);
  host_read(a.where, value, a.size);
  if (a.size > 16) return;
  if (!is_strong(a.semantics)) {
    who.last_where = nullptr;
    if (location* const l = location_of(a)) observe(who, a, code, l->newest()); // only to say that this does not
    return;                                                                     // synchronise
  }
  who.has_just_read = true;
  parts const locations = parts_of(a, false);
  if (locations.empty()) {
    observe_memory(who, a, code);
    if (a.scope == scope::sys) make_location(a); // from now on it is known whether the host writes it
    note_read(who, a, code, nullptr);
  }
  for (location* const l : locations) {
    access const part = part_of(a, *l);
    std::byte* const part_value = static_cast<std::byte*>(value) + (part.where - a.where);
    notice_host(*l, part_value);
    std::size_t index = l->messages.size() - 1;
    if (index > 0 && !a.vector_size) { // hardware does not tear vectors, and programs rely on that
      // Mostly the newest, so that spins end.
      std::size_t const oldest = floor_of(who, a, *l);
      // As where a lock is polled, there may be no flag but this.
      if (oldest < index && !who.block->promises.empty() && who.block->only_flag != part.where)
        suspect(who, part, code, *l, oldest);
      while (index > oldest && chance.once_in(4)) --index;
    }
    message const& m = l->messages[index];
    std::memcpy(part_value, m.value.data(), part.size);
    observe(who, part, code, m);
    note_read(who, part, code, &m);
    l->saw(index, who);
  }
}

void model::state::insert(agent& who, access const& a, location& l, std::size_t index, message m) {
  if (a.scope == scope::sys)
    for (token const& t : m.tokens.all)
      if (t.scope == scope::sys) {
        t.give(host.known);
        host.version = token::next_version();
      }
  u32 const code = m.code;
  m.serial = ++messages;
  l.insert(index, std::move(m));
  if (!is_strong(a.semantics) || !releases(a.semantics)) return;
  if (who.released.size() >= 4) who.released.erase(who.released.begin());
  std::erase_if(who.released, [&](auto const& r) { return r.first == a.where; });
  who.released.emplace_back(a.where, agents::released_by(who, a.scope, code));
}

void model::state::store(agent& who, access const& a, u32 code, void const* value) {
  answer const can = admit(who, a, code, false, true);
  if (can == answer::rejected) return;
  if (can == answer::not_shadowed) return host_write(a.where, value, a.size);
  check(who, a, code, true);
  settle(who, false);
  who.last_where = nullptr;
  who.has_just_read = false;
  bool const strong = is_strong(a.semantics) && a.size <= 16;
  parts locations;
  if (strong) locations = parts_of(a, true);
  else if (location* const l = location_of(a)) locations.push_back(l);
  if (locations.empty()) {
    if (!patch(a, value)) forget_locations(number(a.where), a.size);
    who.fresh_fence = 0;
    return host_write(a.where, value, a.size);
  }
  bytes_16 memory;
  host_read(a.where, memory.data(), a.size);
  bool is_last = true;
  for (location* const l : locations) {
    access const part = part_of(a, *l);
    std::size_t const offset = std::size_t(part.where - a.where);
    notice_host(*l, memory.data() + offset);
    message m{.who = who.number, .epoch = who.epoch, .code = code, .semantics = a.semantics, .scope = a.scope};
    std::memcpy(m.value.data(), static_cast<std::byte const*>(value) + offset, part.size);
    if (strong) m.tokens = carried(who, part.where, a.scope, releases(a.semantics), code);
    if (strong && who.block->has_peers) m.known = who.known.all_of(knowledge::any_block);
    std::size_t const place = strong && locations.size() == 1 ? place_for_store(who, part, *l) : l->messages.size();
    is_last = place == l->messages.size();
    insert(who, part, *l, place, std::move(m));
  }
  who.fresh_fence = 0;
  if (is_last) host_write(a.where, value, a.size);
  if (strong && releases(a.semantics)) agents::advance(who);
}

bool model::state::update(agent& who, access const& a, u32 code, void* old, std::function<bool(void*)> const& modify) {
  answer const can = admit(who, a, code, true, true);
  if (can == answer::rejected) {
    std::memset(old, 0, a.size);
    return false;
  }
  bytes_16 desired;
  bool stores = false;
  parts locations;
  if (can == answer::shadowed) locations = parts_of(a, false);
  std::byte* const before = static_cast<std::byte*>(old);
  unsigned changed = 15;
  message const* source = nullptr; // of a location that it is about alone, if not the newest
  std::size_t index = 0;           // of the source
  if (locations.size() == 1 && (a.is_comparison || (*locations.begin())->stores)) {
    location& l = **locations.begin();
    host_read(a.where, old, a.size);
    notice_host(l, old);
    index = source_for_update(who, a, l, modify);
    if (index + 1 < l.messages.size()) source = &l.messages[index];
  }
  do {
    if (source) std::memcpy(old, source->value.data(), a.size);
    else host_read(a.where, old, a.size);
    std::memcpy(desired.data(), old, a.size);
    stores = modify(desired.data());
    if (a.size == 4) changed = stores ? difference(before, desired.data()) : 0;
    else if (!stores) changed = 0;
    if (unsigned const foreign = can == answer::shadowed && changed && may_be_around(a) ? outside(a, changed) : 0) {
      report_outside(who, a, code, region_of(a),
                     "a read-modify-write that changes byte " + std::to_string(std::countr_zero(foreign)) +
                         " of the word");
      std::memset(old, 0, a.size);
      return false;
    }
    if (stores && can == answer::shadowed && locations.empty()) locations = parts_of(a, true);
  } while (stores && !source && !host_exchange(a.where, old, desired.data(), a.size));
  bool const differs = stores && std::memcmp(old, desired.data(), a.size) != 0;
  if (can == answer::not_shadowed) return differs;
  if (stores && may_be_around(a)) note_written(a, before, desired.data(), modify);
  settle(who, false);
  if (changed != 15) check(who, a, code, false);
  if (changed) check(who, a, code, true, changed);
  if (locations.empty()) { // a comparison that failed, with what no strong operation wrote
    observe_memory(who, a, code);
    if (a.scope == scope::sys) make_location(a);
  }
  for (location* const l : locations) {
    access const part = part_of(a, *l);
    std::size_t const offset = std::size_t(part.where - a.where);
    // The object that was meant is the one that changes. Where none does it may be any.
    if (locations.size() > 1 && changed && std::memcmp(before + offset, desired.data() + offset, part.size) == 0)
      continue;
    if (!source) notice_host(*l, before + offset);
    message const& read = source ? *source : l->newest();
    if (!a.is_reduction) {
      observe(who, part, code, read);
      note_read(who, part, code, &read);
    }
    if (!stores) {
      l->saw(source ? index : l->messages.size() - 1, who);
      continue;
    }
    message m{.who = who.number,
              .epoch = who.epoch,
              .code = code,
              .semantics = a.semantics,
              .scope = a.scope,
              .is_update = true};
    std::memcpy(m.value.data(), desired.data() + offset, part.size);
    if (who.block->has_peers) m.known = who.known.all_of(knowledge::any_block);
    // What it acquired and releases itself at the scope of the device need not be passed on beside that.
    bool const includes_all = acquires(a.semantics) && releases(a.semantics) && a.scope >= scope::gpu;
    if (is_strong_pair(who, part, read))
      for (token const& t : read.tokens.all)
        if (!includes_all || t.scope < scope::gpu || t.scope > a.scope || !has(who, t)) m.tokens.add(t);
    m.tokens.add(carried(who, part.where, a.scope, releases(a.semantics), code));
    insert(who, part, *l, source ? index + 1 : l->messages.size(), std::move(m));
  }
  if (stores) who.fresh_fence = 0;
  if (changed || a.is_reduction) who.last_where = nullptr; // no poll
  who.has_just_read = !a.is_reduction;
  if (!locations.empty() && stores && releases(a.semantics)) agents::advance(who);
  return differs;
}

void model::load(access const& a, void* value) {
  std::lock_guard const lock(state_->mutex);
  state_->load(state_->agents.of(a.who), a, state_->code_locations.of(a), value);
}

void model::store(access const& a, void const* value) {
  std::lock_guard const lock(state_->mutex);
  state_->store(state_->agents.of(a.who), a, state_->code_locations.of(a), value);
}

bool model::update(access const& a, void* old, std::function<bool(void*)> const& modify) {
  std::lock_guard const lock(state_->mutex);
  return state_->update(state_->agents.of(a.who), a, state_->code_locations.of(a), old, modify);
}

void model::touched(access const& a, bool writes) {
  std::lock_guard const lock(state_->mutex);
  state& s = *state_;
  agent& who = s.agents.of(a.who);
  u32 const code = s.code_locations.of(a);
  if (s.admit(who, a, code, !writes, writes) != state::answer::shadowed) return;
  s.check(who, a, code, writes);
  if (writes) s.forget_locations(number(a.where), a.size);
}

} // namespace emulator::check
