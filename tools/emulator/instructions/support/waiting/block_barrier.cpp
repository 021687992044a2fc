// SPDX-License-Identifier: Apache-2.0
//
// block_barrier: see the header.
#include "block_barrier.hpp"

namespace emulator {
namespace {

operation const* run_block_barrier(thread& t, operation const* o, u64* registers) {
  return arrive_at_barrier(t, o, get<u32>(registers, o->a), get<u32>(registers, o->b), barrier_action(o->extra),
                           registers[o->c] != 0);
}

} // namespace

void decode_block_barrier(decoder& d) {
  d.take("cta");
  bool const is_aligned = d.take("aligned") || d.instruction.name == "bar";
  auto const what = d.take_one_of({"sync", "arrive", "red"});
  std::size_t next = 0;
  slot result = 0, predicate = d.slot_of(0);
  barrier_action action = what == "sync" ? barrier_action::sync : barrier_action::arrive;
  if (what.empty()) d.reject("it needs .sync, .arrive or .red");
  if (what == "red") {
    auto const reduction = d.take_one_of({"popc", "and", "or"});
    if (reduction.empty()) d.reject("it needs .popc, .and or .or");
    action = reduction == "popc"  ? barrier_action::popc
             : reduction == "and" ? barrier_action::all
                                  : barrier_action::any;
    d.take_type({reduction == "popc" ? ptx::scalar::u32 : ptx::scalar::pred});
    result = d.destination(next++);
    predicate = d.source(d.operands() - 1, ptx::scalar::pred);
  }
  std::size_t const counts = d.operands() - next - (what == "red");
  if (counts != 2 && (counts != 1 || what == "arrive"))
    d.reject(what == "arrive" ? "it needs a barrier and a number of threads"
                              : "it needs a barrier, and at most a number of threads");
  slot const number = d.source(next, ptx::scalar::u32);
  slot const threads = counts == 2 ? d.source(next + 1, ptx::scalar::u32) : d.slot_of(0);
  auto& o = d.emit(returns_next<run_block_barrier>, result, number, threads, predicate);
  o.extra = u32(action);
  o.e = is_aligned;
}

} // namespace emulator
