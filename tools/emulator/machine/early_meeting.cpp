// SPDX-License-Identifier: Apache-2.0
//
// early_meeting: see the header.
#include "early_meeting.hpp"
#include "function_decoder.hpp"
#include "mode.hpp"
#include "observer.hpp"
#include "rendezvous.hpp"
#include "resident.hpp"

#include <functional>

namespace emulator {
namespace {

struct early_meeting {
  operation const* cause = nullptr;
};

/// Tells the groups of early meetings from others.
void order_nothing(warp&, std::uint32_t) {}

/// a: the guard, which is true unless b inverts it. e: the mask.
operation const* meet_early(thread& t, operation const* o, std::uint64_t* registers) {
  if ((registers[o->a] != 0) == (o->b != 0)) return o + 1;
  auto const mask = get<std::uint32_t>(registers, o->e);
  std::uint32_t const self = 1u << t.lane;
  if (!(mask & self)) return o + 1;
  if (is_checked_run() && !the_observer().meets_early(t, o)) return o + 1;
  std::uint32_t& let_go = t.warp->rendezvous->let_go;
  let_go &= ~self;
  return meet_lanes(t, o, mask, order_nothing, let_go);
}

constexpr handler meeting = returns_next<meet_early>;

std::optional<slot> slot_of_mask(function_decoder& f, ptx::operand const* mask) {
  if (!mask) return f.constant(~std::uint32_t(0));
  if (mask->kind == ptx::operand_kind::integer) return f.constant(std::uint32_t(mask->bits));
  auto const found = f.find_register(mask->name);
  return found ? std::optional(found->slot) : std::nullopt;
}

} // namespace

void emit_early_meeting(function_decoder& f, convergence const& c) {
  auto const mask = slot_of_mask(f, c.mask);
  auto const guard = c.guard.empty() ? std::optional<function_decoder::reg>() : f.find_register(c.guard);
  if (!mask || (!c.guard.empty() && !guard)) return; // it cannot be seen from there
  auto const made = std::make_shared<early_meeting>();
  f.storage.kept.push_back(made);
  slot const always = f.constant(1);
  operation& o = f.emit(meeting, f.statement(c.statement).instruction);
  o.a = guard ? guard->slot : always;
  o.b = guard && c.guard_negated;
  o.e = *mask;
  o.pointer = made.get();
  f.resolve_later(&made->cause, c.cause);
}

bool is_early_meeting(operation const* o) { return o->run == meeting; }

operation const* cause_of_early_meeting(operation const* o) {
  return static_cast<early_meeting const*>(o->pointer)->cause;
}

std::vector<early_wait> early_waits(warp const& w) {
  std::vector<early_wait> result;
  for (auto const& group : w.rendezvous->groups)
    if (group.complete == order_nothing)
      result.push_back({group.arrived, group.mask & ~(group.arrived | group.excused | w.finished)});
  return result;
}

void end_early_meetings(warp& w) {
  for (early_wait const& wait : early_waits(w)) {
    w.rendezvous->let_go |= wait.waiting;
    for (std::uint32_t lanes = wait.waiting; lanes; lanes &= lanes - 1) {
      thread& t = *w.threads[std::size_t(std::countr_zero(lanes))];
      make_ready(t);
      ++t.pc;
    }
  }
  std::erase_if(w.rendezvous->groups, [](auto const& group) { return group.complete == order_nothing; });
}

operation const* end_of_loop(function const& f, operation const* inside) {
  operation const* const begin = f.operations.data();
  for (operation const* o = inside; o < begin + f.operations.size(); ++o) {
    if (f.sources[std::size_t(o - begin)]->name != "bra" || is_early_meeting(o)) continue;
    auto const* const target = static_cast<operation const*>(o->pointer);
    if (std::less_equal<>()(begin, target) && std::less_equal<>()(target, inside)) return o;
  }
  return nullptr;
}

} // namespace emulator
