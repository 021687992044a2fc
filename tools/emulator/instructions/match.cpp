// SPDX-License-Identifier: Apache-2.0
//
// match.sync: lanes that have the same value.  [PTX ISA, "match.sync"]
#include "support/waiting/lanes.hpp"

namespace emulator {
namespace {

template <class T>
void match_any(warp& w, u32 lanes) {
  T values[32];
  for_each_lane(w, lanes, [&](int lane, operation const& o, u64* r) { values[lane] = get<T>(r, o.a); });
  for_each_lane(w, lanes, [&](int lane, operation const& o, u64* r) {
    u32 same = 0;
    for (u32 rest = lanes; rest; rest &= rest - 1)
      if (int const other = std::countr_zero(rest); values[other] == values[lane]) same |= 1u << other;
    put(r, o.d, same);
  });
}

template <class T>
void match_all(warp& w, u32 lanes) {
  T const value = [&] {
    thread const& first = *w.threads[std::size_t(std::countr_zero(lanes))];
    return get<T>(first.frame->registers, first.pc->a);
  }();
  bool all = true;
  for_each_lane(w, lanes, [&](int, operation const& o, u64* r) { all &= get<T>(r, o.a) == value; });
  for_each_lane(w, lanes, [&](int, operation const& o, u64* r) {
    put(r, o.d, all ? lanes : 0);
    put(r, slot(o.extra), u64(all));
  });
}

template <class T>
void emit(decoder& d, bool any, ptx::scalar type) {
  auto const to = any ? destination_pair{d.destination(0), 0} : take_destination_pair(d, 0);
  slot const a = d.source(1, type), mask = d.source(2, ptx::scalar::u32);
  if (any) emit_meeting<match_any<T>>(d, mask, to.value, a);
  else emit_meeting<match_all<T>>(d, mask, to.value, a).extra = to.predicate;
}

void decode(decoder& d) {
  require_sync(d);
  auto const which = d.take_one_of({"any", "all"});
  if (which.empty()) d.reject("it needs .any or .all");
  auto const type = d.take_type({ptx::scalar::b32, ptx::scalar::b64});
  if (type == ptx::scalar::b32) emit<u32>(d, which == "any", type);
  else emit<u64>(d, which == "any", type);
}

definition const match_definition("match", ".sync .any .all, .b32 .b64, d|p", decode);

} // namespace
} // namespace emulator
