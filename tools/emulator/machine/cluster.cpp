// SPDX-License-Identifier: Apache-2.0
//
// cluster: the barrier of a cluster's threads, and shared memory of its other blocks.
// A thread that waits is in a block that a worker of its own runs, so no other worker changes its state. The last
// thread to arrive ends the phase and lets the scheduler run the other blocks, whose threads then read the phase.
#include "grid.hpp"
#include "mode.hpp"
#include "observer.hpp"
#include "resident.hpp"

#include <cstdio>

namespace emulator {
namespace {

/// Under the barrier's lock.
void end_phase_if_complete(cluster_barrier& b, bool& ended) {
  if (b.alive == 0 || b.arrived < b.alive) return;
  b.arrived = 0;
  b.phase.fetch_add(1, std::memory_order_release); // pairs with waits_at_cluster
  ended = true;
}

} // namespace

void arrive_at_cluster(thread& t, bool releases, bool is_aligned) {
  cluster_barrier& b = *t.block->cluster->barrier;
  if (is_checked_run())
    the_observer().arrives_at_cluster(t, releases, is_aligned, b.phase.load(std::memory_order_relaxed));
  bool ended = false;
  bool twice = false;
  {
    std::lock_guard const lock(b.mutex);
    std::uint32_t const phase = b.phase.load(std::memory_order_relaxed);
    twice = t.cluster_phase == phase + 1;
    if (!twice) {
      t.cluster_phase = phase + 1;
      ++b.arrived;
      end_phase_if_complete(b, ended);
    }
  }
  if (twice) fail(t, 719, "barrier.cluster.arrive: the thread arrives twice without a barrier.cluster.wait");
  if (ended) wake_cluster(*t.block);
}

bool waits_at_cluster(thread const& t) {
  return t.cluster_phase == t.block->cluster->barrier->phase.load(std::memory_order_acquire) + 1;
}

void leave_cluster(thread& t) {
  cluster_barrier& b = *t.block->cluster->barrier;
  bool ended = false;
  {
    std::lock_guard const lock(b.mutex);
    if (t.cluster_phase == b.phase.load(std::memory_order_relaxed) + 1) --b.arrived;
    --b.alive;
    end_phase_if_complete(b, ended);
  }
  if (ended) wake_cluster(*t.block);
}

std::byte* shared_memory_of_cluster(thread const& t, std::uint64_t address, std::size_t size) {
  auto const& blocks = t.block->cluster->blocks;
  std::uint64_t const rank = address / shared_window, offset = address % shared_window;
  // A word is there if one of its bytes is: a GPU hands out shared memory in units of 128 or 256 bytes, and operations
  // on 8- and 16-bit objects are of the word around them. A checked run knows which operations may do that.
  bool const is_word = size == 4 && offset % 4 == 0;
  if (rank < blocks.size() && offset < blocks[rank]->shared_size &&
      (is_word || size <= blocks[rank]->shared_size - offset))
    return blocks[rank]->shared + offset;
  constexpr std::uint64_t ranks = std::uint64_t(1) << 32;
  if (rank >= blocks.size() && rank < ranks && offset < t.block->shared_size) {
    // A number of 32 bits has rank 255 for all ranks from there on (instructions/mapa).
    fail(t, 719,
         "accesses " + std::to_string(size) + " bytes of another block's shared memory, and block rank " +
             std::to_string(rank) + (rank == 255 ? " or above" : "") + " does not exist in the cluster of " +
             std::to_string(blocks.size()) + (blocks.size() == 1 ? " block" : " blocks") +
             "; use a rank below %cluster_nctarank");
  }
  char text[160];
  std::snprintf(text, sizeof text,
                "shared address 0x%llx, %zu bytes, is outside the %u bytes of shared memory of the block%s",
                static_cast<unsigned long long>(address), size, unsigned(t.block->shared_size),
                blocks.size() > 1 ? " and of its cluster" : "");
  fail(t, 700, text);
}

} // namespace emulator
