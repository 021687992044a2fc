// SPDX-License-Identifier: Apache-2.0
//
// resident: making a block, and a turn of it.
// In a turn a thread may make a limited number of jumps. A thread that spins stops early: after some jumps it has the
// same pc and the same registers as before, so it waits for another thread, which should run soon. Threads that wait
// for each other, at a barrier of a warp or of the block, continue within the turn, and sleepers wake when they are
// reached, so that a lock can pass through all threads of a block in one turn.
#include "resident.hpp"
#include "frames.hpp"
#include "grid.hpp"
#include "loaded.hpp"
#include "mode.hpp"
#include "observer.hpp"
#include "snapshot.hpp"
#include "special.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace emulator {
namespace {

// A multiple of the numbers of jumps that loops have most often, so that snapshots of a loop are taken at the same
// instruction.
constexpr int first_jumps = 24, jumps_of_a_turn = 504;
constexpr std::size_t shared_alignment = 1024;

void reserve(host_memory& memory, std::size_t& capacity, std::size_t size, std::size_t alignment) {
  if (size <= capacity && memory) return;
  std::size_t const bytes = std::max(size, std::size_t(1)) + alignment - 1 & ~(alignment - 1);
  memory = {static_cast<std::byte*>(std::aligned_alloc(alignment, bytes)), std::free};
  if (!memory) throw std::bad_alloc();
  capacity = bytes;
}

} // namespace

void prepare_block(resident_block& b, grid& g, std::array<std::uint32_t, 3> ctaid, std::uint32_t rank,
                   std::uint32_t sm) {
  b.grid = &g;
  b.ctaid = ctaid;
  b.rank = rank;
  b.sm = sm;
  b.shared_size = std::uint32_t(g.launch.kernel->shared_bytes + g.launch.dynamic_shared);
  b.reserved_shared = g.launch.kernel->reads_reserved_shared ? reserved_shared_bytes : 0;
  if (b.reserved_shared) b.shared_size = aligned(b.shared_size, reserved_shared_alignment) + b.reserved_shared;
  reserve(b.shared_memory, b.shared_capacity, b.shared_size, shared_alignment);
  b.shared = b.shared_memory.get();
  // Cooperative groups rely on zeros there.
  std::memset(b.shared + reserved_shared_begin(b), 0, b.reserved_shared);
  b.alive = std::uint32_t(g.launch.block.count());
  b.has_threads = false;
  b.began = is_checked_run() ? 0 : global_timer();
  b.turns = 0;
}

void make_threads(resident_block& b) {
  launch const& l = b.grid->launch;
  auto const count = std::uint32_t(l.block.count());
  std::uint32_t const warps = (count + 31) / 32;
  b.threads.assign(count, thread{});
  b.warps.assign(warps, warp{});
  b.meetings.resize(warps);
  for (auto& meeting : b.meetings) {
    meeting.groups.clear();
    meeting.let_go = 0;
  }
  b.barriers = &b.own_barriers;
  b.own_barriers.reset();
  b.pool.reset();
  std::uint32_t const frame = frame_bytes(*l.kernel);
  std::size_t const alignment = std::max<std::size_t>(frame_alignment, l.kernel->local_alignment);
  std::size_t const stride = (frame + alignment - 1) / alignment * alignment;
  reserve(b.frames, b.frame_capacity, stride * count, alignment);
  for (std::uint32_t i = 0; i < count; ++i) {
    thread& t = b.threads[i];
    warp& w = b.warps[i / 32];
    t.number = i;
    t.lane = std::uint8_t(i % 32);
    t.tid = {i % l.block.x, i / l.block.x % l.block.y, i / l.block.x / l.block.y};
    t.warp = &w;
    t.block = &b;
    w.threads[t.lane] = &t;
    w.lanes |= 1u << t.lane;
  }
  for (std::uint32_t i = 0; i < warps; ++i) {
    warp& w = b.warps[i];
    w.block = &b;
    w.number = i;
    w.finished = ~w.lanes; // a lane that is not there is not waited for, either
    w.rendezvous = &b.meetings[i];
    w.hardware_registers = l.kernel->hardware_registers;
  }
  for (std::uint32_t i = 0; i < count; ++i) enter_kernel(b.threads[i], *l.kernel, b.frames.get() + stride * i);
  b.has_threads = true;
}

namespace {

void run_part_of_turn(thread& t) {
  for (int jumps = first_jumps;; jumps *= 4) {
    t.pc->run(t, t.pc, t.frame->registers);
    if (t.state != state::ready || t.budget >= 0 || t.rest == 0) return;
    std::uint64_t const snapshot = snapshot_of(t);
    if (std::exchange(t.last_snapshot, snapshot) == snapshot) return;
    t.budget = std::min(jumps, t.rest);
    t.rest -= t.budget;
  }
}

} // namespace

turn_result run_turn(resident_block& b, thread* volatile& current) {
  for (thread& t : b.threads) {
    t.budget = first_jumps;
    t.rest = jumps_of_a_turn - first_jumps;
    if (t.state == state::at_cluster && !waits_at_cluster(t)) t.state = state::ready;
  }
  bool any_stopped = false;
  for (bool again = true, first = true; again; first = false) {
    again = false;
    for (warp& w : b.warps) {
      for (bool warp_again = (w.finished != ~0u), may_wake = first; warp_again; may_wake = false) {
        warp_again = false;
        for (std::uint32_t lanes = ~w.finished; lanes; lanes &= lanes - 1) {
          thread& t = *w.threads[std::size_t(std::countr_zero(lanes))];
          if (may_wake && t.state == state::sleeping && t.wake <= global_timer()) t.state = state::ready;
          if (t.state != state::ready || t.budget < 0) continue;
          current = &t;
          run_part_of_turn(t);
          warp_again = true;
          if (t.state != state::ready) any_stopped = true;
        }
        again |= warp_again;
      }
    }
  }
  if (b.alive == 0) return turn_result::ended;
  bool ready = false, sleeping = false, at_cluster = false;
  std::uint64_t wake = ~std::uint64_t(0);
  for (thread const& t : b.threads) {
    bool const waits = t.state == state::at_cluster && waits_at_cluster(t);
    // Where this block ended the phase itself, no other block wakes those of its threads that waited for it.
    ready |= t.state == state::ready || (t.state == state::at_cluster && !waits);
    at_cluster |= waits;
    if (t.state == state::sleeping) sleeping = true, wake = std::min(wake, t.wake);
  }
  if (ready) return any_stopped ? turn_result::can_run : turn_result::spins;
  if (sleeping) {
    // Those that wait for the cluster would be late otherwise.
    b.wake = at_cluster ? std::min(wake, global_timer() + 20'000) : wake;
    return turn_result::sleeps;
  }
  return at_cluster ? turn_result::waits : turn_result::stuck;
}

void make_ready(thread& t) {
  if (is_checked_run()) the_observer().make_ready(t);
  else t.state = state::ready;
}

void finish(thread& t) {
  if (is_checked_run()) the_observer().thread_ends(t);
  t.state = state::finished;
  t.warp->finished |= 1u << t.lane;
  if (t.warp->finished == ~0u) check_registers_at_end(t);
  --resident(*t.block).alive;
  free_stack(t);
  complete_without_exited(*t.warp);
  leave_barriers(t);
  leave_cluster(t);
}

} // namespace emulator
