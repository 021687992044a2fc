// SPDX-License-Identifier: Apache-2.0
//
// barriers: see the headers.
#include "barriers.hpp"
#include "mode.hpp"
#include "observer.hpp"

namespace emulator {
namespace {

/// The number of threads that a warp counts as at a barrier.
std::uint32_t contribution(named_barrier const& n, warp const& w) {
  std::uint32_t const lanes = n.lanes[w.number];
  if (lanes == 0) return 0;
  bool const complete = (lanes | w.finished) == ~0u;
  return std::uint32_t(std::popcount(complete && n.expected ? ~0u : lanes & ~(n.expected ? 0 : w.finished)));
}

bool is_complete(named_barrier const& n, block& b) {
  return n.arrived >= (n.expected ? n.expected : resident(b).alive);
}

void complete(named_barrier& n, block& b) {
  auto const number = std::uint32_t(&n - b.barriers->all.data());
  if (is_checked_run()) the_observer().barrier_completes(n, number, resident(b));
  for (thread* const t : n.waiting) {
    if (t->state == state::finished) continue;
    if (n.action != barrier_action::sync) {
      std::uint64_t const result = n.action == barrier_action::popc  ? n.count
                                   : n.action == barrier_action::all ? n.count == n.voters
                                                                     : n.count != 0;
      t->frame->registers[t->pc->d] = result;
    }
    if (is_checked_run()) the_observer().leaves_barrier(*t, n);
    make_ready(*t);
    ++t->pc;
  }
  ++n.phase;
  n.clear();
  b.barriers->active &= ~(1u << number);
}

} // namespace

void named_barrier::clear() {
  arrived = count = voters = expected = 0;
  lanes.fill(0);
  waiting.clear();
  action = barrier_action::arrive;
}

void named_barriers::reset() {
  for (named_barrier& n : all) n.clear();
  active = 0;
}

operation const* arrive_at_barrier(thread& t, operation const* o, std::uint32_t number, std::uint32_t expected,
                                   barrier_action action, bool predicate) {
  block& b = *t.block;
  if (number >= b.barriers->all.size()) {
    fail(t, 719, "barrier " + std::to_string(number) + ": a block has barriers 0 to 15");
  }
  if (expected % 32 != 0) {
    fail(t, 719,
         "barrier " + std::to_string(number) + " of " + std::to_string(expected) +
             " threads: the number must be a multiple of 32");
  }
  named_barrier& n = b.barriers->all[number];
  warp& w = *t.warp;
  std::uint32_t const self = 1u << t.lane;
  if (b.barriers->active >> number & 1) {
    if (n.expected != expected) {
      fail(t, 719,
           "barrier " + std::to_string(number) + ": threads expect " + std::to_string(n.expected) + " and " +
               std::to_string(expected) + " threads (0: the block's)");
    }
    if (n.lanes[w.number] & self) {
      fail(t, 719, "barrier " + std::to_string(number) + ": the thread arrives twice before the barrier is complete");
    }
  } else {
    b.barriers->active |= 1u << number;
    n.expected = expected;
  }
  if (action != barrier_action::arrive) {
    if (n.action != barrier_action::arrive && n.action != action) {
      fail(t, 719, "barrier " + std::to_string(number) + ": threads synchronize and reduce, or reduce in two ways");
    }
    n.action = action;
    n.waiting.push_back(&t);
    t.state = state::at_block;
  }
  t.pc = o;
  if (is_checked_run()) the_observer().arrives_at_barrier(t, n, number, o->e != 0);
  n.count += predicate;
  n.voters += action != barrier_action::arrive;
  std::uint32_t const before = contribution(n, w);
  n.lanes[w.number] |= self;
  n.arrived += contribution(n, w) - before;
  if (is_complete(n, b)) complete(n, b);
  if (action == barrier_action::arrive) return o + 1;
  return t.state == state::ready ? t.pc : nullptr;
}

void leave_barriers(thread& t) {
  block& b = *t.block;
  for (std::uint32_t active = b.barriers->active; active; active &= active - 1) {
    named_barrier& n = b.barriers->all[std::size_t(std::countr_zero(active))];
    // The lane is among the finished lanes of its warp already: count again.
    n.arrived = 0;
    for (warp const& w : b.warps) n.arrived += contribution(n, w);
    if (is_complete(n, b)) complete(n, b);
  }
}

} // namespace emulator
