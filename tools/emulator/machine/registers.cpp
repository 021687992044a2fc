// SPDX-License-Identifier: Apache-2.0
//
// registers: how many hardware registers each warp owns, and the pool of those that warps have given up.  [PTX ISA,
// "setmaxnreg"]
// A thread of the emulator has all registers that its code names. What is counted here is how many it would own on a
// GPU, since a kernel that takes more than others have given up never returns there. The pool is empty at first. That
// a waiting warp gets registers before warps that began to wait later, is a choice.
#include "resident.hpp"

#include <algorithm>

namespace emulator {
namespace {

constexpr int undefined = 719; // cudaErrorLaunchFailure

thread const& a_thread_of(warp const& w) {
  thread const* const* const found = std::find_if(w.threads.begin(), w.threads.end(), [](thread* t) { return t; });
  return **found;
}

std::string spelled(std::int32_t change) {
  return (change > 0 ? "setmaxnreg.inc " : "setmaxnreg.dec ") + std::to_string(std::abs(change));
}

/// Gives registers to the warps that wait, as far as there are some.
void grant(register_pool& pool) {
  while (!pool.waiting.empty()) {
    warp& w = *pool.waiting.front();
    std::uint32_t const more = w.awaited_registers - w.hardware_registers;
    if (more > pool.free) return;
    pool.free -= more;
    pool.waiting.erase(pool.waiting.begin());
    w.hardware_registers = w.awaited_registers;
    w.awaited_registers = 0;
    for (thread* const t : w.threads)
      if (t && t->state == state::at_pool) make_ready(*t);
  }
}

/// The warps of a warpgroup change alike. Fails where this one does not.
void check_warpgroup(warp& w, std::int32_t change) {
  auto& requested = resident(*w.block).pool.requested[w.number / 4];
  std::size_t const index = w.register_changes++;
  if (index == requested.size()) {
    requested.push_back(change);
    for (warp const& other : w.block->warps)
      if (other.number / 4 == w.number / 4 && other.finished == ~0u && other.register_changes <= index)
        fail(a_thread_of(w), undefined,
             spelled(change) + ": warp " + std::to_string(other.number) +
                 " of the warpgroup has exited without it; all four warps must execute it");
  } else if (requested[index] != change) {
    fail(a_thread_of(w), undefined,
         spelled(change) + ": another warp of the warpgroup has executed " + spelled(requested[index]) +
             "; all four warps must execute the same");
  }
}

} // namespace

void register_pool::reset() {
  free = 0;
  waiting.clear();
  for (auto& changes : requested) changes.clear();
}

void change_registers(warp& w, bool increases, std::uint32_t count) {
  std::int32_t const change = increases ? std::int32_t(count) : -std::int32_t(count);
  check_warpgroup(w, change);
  std::uint32_t const owned = w.hardware_registers;
  if (!owned) return; // ptxas has ignored it
  if (increases ? count < owned : count > owned)
    fail(a_thread_of(w), undefined,
         spelled(change) + ": the thread owns " + std::to_string(owned) +
             " registers; that is undefined, use a number " + (increases ? "that is not lower" : "that is not higher"));
  register_pool& pool = resident(*w.block).pool;
  if (increases) {
    w.awaited_registers = count;
    pool.waiting.push_back(&w);
  } else {
    w.hardware_registers = count;
    pool.free += owned - count;
  }
  grant(pool);
}

void check_registers_at_end(thread& t) {
  auto const& requested = resident(*t.block).pool.requested[t.warp->number / 4];
  std::size_t const index = t.warp->register_changes;
  if (index < requested.size())
    fail(t, undefined,
         "the thread exits without the " + spelled(requested[index]) +
             " that other warps of the warpgroup have executed; all four warps must execute it");
}

} // namespace emulator
