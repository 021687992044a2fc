// SPDX-License-Identifier: Apache-2.0
//
// asynchronous: making them.
#include "asynchronous.hpp"
#include "../memory/memory_observer.hpp"
#include "../waiting/mbarrier.hpp"

#include <algorithm>

namespace emulator {

namespace {

template <class T>
void copy(std::byte* to, std::byte const* from, u32 size) {
  for (u32 i = 0; i < size; i += sizeof(T)) write<__ATOMIC_RELAXED>(to + i, read<__ATOMIC_RELAXED, T>(from + i));
}

void copy_masked(std::byte* to, std::byte const* from, u32 size, u32 mask) {
  for (u32 i = 0; i < size; ++i)
    if (mask >> i % 16 & 1) write<__ATOMIC_RELAXED>(to + i, read<__ATOMIC_RELAXED, u8>(from + i));
}

void copy_unit(std::byte* to, std::byte const* from, u32 size, u32 unit) {
  switch (unit) {
  case 8: return copy<u64>(to, from, size);
  case 4: return copy<u32>(to, from, size);
  case 2: return copy<u16>(to, from, size);
  default: return copy<u8>(to, from, size);
  }
}

void finish_part(asynchronous_write const& w, asynchronous_part const& p) {
  if (w.reduce) return w.reduce(p.to, p.from, p.size);
  if (p.from && !w.convert) return copy_unit(p.to, p.from, p.size, unit_of(p));
  for (u32 i = 0, size; i < p.size; i += size) {
    alignas(8) std::byte few[64];
    size = std::min<u32>(p.size - i, sizeof(few));
    asynchronous_part const part{p.to + i, p.from ? p.from + i : nullptr, size};
    value_of(w, part, few);
    copy_unit(part.to, few, size, unit_of(part));
  }
}

} // namespace

void value_of(asynchronous_write const& w, asynchronous_part const& p, std::byte* value) {
  if (p.from) {
    copy_unit(value, p.from, p.size, unit_of({value, p.from, p.size}));
    if (w.convert) w.convert(value, p.size);
  } else
    for (u32 i = 0; i < p.size; ++i) value[i] = std::byte(w.fill >> i % 8 * 8);
}

void issue(thread& t, asynchronous_write const& w) {
  if (is_checked_run()) the_memory_observer().issue(t, w);
  else finish(t, w);
}

void finish(thread const& t, asynchronous_write const& w) {
  if (w.parts) {
    for (asynchronous_part const& p : *w.parts) finish_part(w, p);
    if (w.barrier) complete_bytes(t, w.barrier, w.size);
    return;
  }
  std::byte const* const from = w.from ? w.from : w.value.data();
  u32 const size = w.size - w.zeros;
  if (w.reduce) w.reduce(w.to, from, size);
  else if (w.mask != 0xffff) copy_masked(w.to, from, size, w.mask);
  else if (w.unit == 8 && size % 8 == 0) copy<u64>(w.to, from, size);
  else if (size % 4 == 0) copy<u32>(w.to, from, size);
  else copy<u8>(w.to, from, size);
  for (u32 i = size; i < w.size; ++i) write<__ATOMIC_RELAXED>(w.to + i, u8(0));
  if (w.barrier) complete_bytes(t, w.barrier, w.size);
}

void commit_group(thread& t, group_kind kind) {
  if (is_checked_run()) the_memory_observer().commit_group(t, kind);
}

void wait_for_groups(thread& t, group_kind kind, u32 pending, bool reads) {
  if (is_checked_run()) the_memory_observer().wait_for_groups(t, kind, pending, reads);
}

void arrive_after_copies(thread& t, std::byte* barrier) {
  if (is_checked_run()) the_memory_observer().arrive_after_copies(t, barrier);
  else arrive(t, barrier, {});
}

} // namespace emulator
