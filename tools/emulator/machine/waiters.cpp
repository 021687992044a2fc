// SPDX-License-Identifier: Apache-2.0
//
// waiters: see the header.
#include "waiters.hpp"
#include "early_meeting.hpp"
#include "faults.hpp"
#include "grid.hpp"
#include "program.hpp"
#include "readable_name.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

namespace emulator {
namespace {

constexpr std::size_t most_lines = 16;

/// Of threads that poll, where not all poll the same.
constexpr std::string_view other_memory = ", or other memory";

/// What distinguishes kinds of waiters. Threads that poll different memory at the same place are of one kind: there may
/// be as many words as threads.
struct kind {
  std::string wait;
  operation const* at;
  bool polls = false;
};

std::string arrived(std::uint32_t threads, std::uint32_t of) {
  return ", where " + std::to_string(threads) + " of " + std::to_string(of) + " threads " +
         (threads == 1 ? "has" : "have") + " arrived";
}

kind at_barrier(thread const& t) {
  named_barriers const& barriers = *t.block->barriers;
  for (std::uint32_t active = barriers.active; active; active &= active - 1) {
    auto const number = std::uint32_t(std::countr_zero(active));
    named_barrier const& n = barriers.all[number];
    if (std::ranges::find(n.waiting, &t) == n.waiting.end()) continue;
    std::uint32_t const expected = n.expected ? n.expected : resident(*t.block).alive;
    return {"wait at barrier " + std::to_string(number) + arrived(n.arrived, expected), t.pc};
  }
  return {"wait at a barrier of the block", t.pc};
}

kind at_cluster(thread const& t) {
  cluster_barrier& b = *t.block->cluster->barrier;
  std::lock_guard const lock(b.mutex);
  return {"wait at the barrier of the cluster" + arrived(b.arrived, b.alive), t.pc};
}

kind at_warp(thread const& t) {
  warp const& w = *t.warp;
  char const* const where = is_early_meeting(t.pc) ? "which ptxas may let it meet here" : "which are elsewhere";
  for (auto const& group : w.rendezvous->groups) {
    if (!(group.arrived >> t.lane & 1)) continue;
    char text[80];
    std::snprintf(text, sizeof text, "wait for lanes 0x%08x of the warp, %s",
                  unsigned(group.mask & ~group.arrived & ~group.excused & ~w.finished), where);
    return {text, t.pc};
  }
  return {"wait for lanes of the warp", t.pc};
}

kind at_pool(thread const& t) {
  return {"wait for registers that no warpgroup gives up: they have " + std::to_string(t.warp->hardware_registers) +
              " each and need " + std::to_string(t.warp->awaited_registers) + ", and " +
              std::to_string(resident(*t.block).pool.free) + " are free",
          t.pc};
}

/// Whether the thread is still in the loop in which it polled an mbarrier, as far as one can see.
bool polls_mbarrier(thread const& t) {
  constexpr std::ptrdiff_t most_operations = 32; // of a loop around a wait
  if (!t.awaited || !t.frame || !t.frame->function->holds(t.awaited_at)) return false;
  return std::abs(t.pc - t.awaited_at) <= most_operations;
}

kind at_mbarrier(thread const& t) {
  block const& b = *t.block;
  auto const offset = std::uint32_t(t.awaited - b.shared);
  function const& kernel = *b.grid->launch.kernel;
  std::string const lacks = describe_mbarrier ? describe_mbarrier(t.awaited) : std::string();
  return {"wait for the mbarrier " + kernel.program->shared_name(kernel, offset) +
              (lacks.empty() ? lacks : ", whose phase " + lacks),
          t.awaited_at};
}

kind kind_of(thread const& t, std::function<poll(thread const&)> const& poll_of) {
  switch (t.state) {
  case state::at_warp: return at_warp(t);
  case state::at_block: return at_barrier(t);
  case state::at_cluster: return at_cluster(t);
  case state::at_pool: return at_pool(t);
  default: break;
  }
  if (polls_mbarrier(t)) return at_mbarrier(t);
  poll const p = poll_of ? poll_of(t) : poll();
  if (p.at) return {"poll " + p.what, p.at, true};
  return {t.state == state::sleeping ? "sleep" : "run", t.pc};
}

/// "wait at ..." for one thread.
std::string singular(std::string const& wait) {
  std::size_t const end = std::min(wait.find(' '), wait.size());
  std::string result = wait.substr(0, end) + "s" + wait.substr(end);
  if (auto const they = result.find(": they have "); they != std::string::npos)
    result.replace(they, 12, ": it has ").replace(result.find(" each and need "), 15, " and needs ");
  return result;
}

auto order_of(thread const* t) {
  block const& b = *t->block;
  return std::tuple(b.grid->number, b.ctaid[2], b.ctaid[1], b.ctaid[0], t->number);
}

} // namespace

std::vector<waiters> group_waiters(std::vector<thread const*> threads,
                                   std::function<poll(thread const&)> const& poll_of) {
  std::ranges::sort(threads, {}, order_of);
  std::vector<waiters> result;
  std::map<std::tuple<grid const*, operation const*, state, std::string>, std::size_t> groups;
  block const* last_block = nullptr;
  std::set<std::size_t> of_block;
  for (thread const* const t : threads) {
    kind k = kind_of(*t, poll_of);
    auto const [at, is_new] =
        groups.try_emplace({t->block->grid, k.at, t->state, k.polls ? "poll" : k.wait}, result.size());
    if (is_new) result.push_back({t, k.at, 0, 0, std::move(k.wait)});
    else if (auto& wait = result[at->second].wait; wait != k.wait && !wait.ends_with(other_memory))
      wait += other_memory;
    if (t->block != last_block) of_block.clear(), last_block = t->block;
    waiters& group = result[at->second];
    ++group.threads;
    group.blocks += of_block.insert(at->second).second;
  }
  return result;
}

std::string lines_of(std::vector<waiters> const& all) {
  std::string text;
  std::size_t lines = 0, left = 0;
  for (waiters const& w : all) {
    if (lines == most_lines) {
      left += w.threads;
      continue;
    }
    ++lines;
    block const& b = *w.first->block;
    text += "\n  kernel " + readable_name(b.grid->launch.kernel->name) + ", " +
            (w.blocks == 1 ? "block " + three(b.ctaid)
                           : std::to_string(w.blocks) + " blocks, " + three(b.ctaid) + " first") +
            ": " + (w.threads == 1 ? "thread " : std::to_string(w.threads) + " threads, ") + three(w.first->tid) +
            (w.threads == 1 ? " " + singular(w.wait) : " first, " + w.wait);
    if (w.first->frame) text += ": " + describe_place(*w.first, *w.first->frame->function, w.at);
  }
  if (left)
    text += "\n  and " + std::to_string(left) + " threads at " + std::to_string(all.size() - lines) + " more places";
  return text;
}

std::string describe_waiters(std::vector<block const*> const& blocks,
                             std::function<poll(thread const&)> const& poll_of) {
  std::vector<thread const*> threads;
  for (block const* const b : blocks)
    for (thread const& t : b->threads)
      if (t.state != state::finished) threads.push_back(&t);
  return lines_of(group_waiters(std::move(threads), poll_of));
}

std::string three(std::array<std::uint32_t, 3> const& v) {
  return "(" + std::to_string(v[0]) + ", " + std::to_string(v[1]) + ", " + std::to_string(v[2]) + ")";
}

} // namespace emulator
