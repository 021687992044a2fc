// SPDX-License-Identifier: Apache-2.0
//
// clock: a vector clock, short because threads of a block know each other.
// A component is the epoch up to which something is known of a thread. The components of a block are one number for all
// of its threads, and, for each 32 threads of which more than that is known, a row. Epochs are drawn from a counter of
// the block, so that after a barrier of the whole block one number says it all (agents.hpp, level). Clocks, the entries
// of blocks and rows are shared by all that know the same, and copied when one learns more: two clocks of which the one
// grew out of the other differ in few rows, and the others are not compared.
//
// Mostly not even these: causality is transitive. An agent that knows of a release knows all that the releasing agent
// knew at it. So a released clock holds the agent and the epoch of its release, and one comparison tells whether
// another clock covers it.
#pragma once

#include "shared.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace emulator::check {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

struct clock : counted {
  static constexpr u32 row_threads = 32;
  struct row : counted {
    std::array<u32, row_threads> epochs;
  };
  struct entry : counted {
    u32 all = 0;                     ///< of threads without a row
    u32 exceptions = 0;              ///< how many epochs in rows are others than `all`
    std::vector<shared<row>> rows{}; ///< by thread / 32; those past the end are null, too
    u32 of(u32 thread) const;
    void set(u32 thread, u32 epoch);
    void join(entry const&);
    bool covers(entry const&) const;
  };
  std::vector<std::pair<u32, shared<entry>>> entries; ///< block and entry, by block

  /// A release: an agent that knows it knows all of this clock.
  struct release {
    u32 block = 0, thread = 0;
    u32 epoch = 0; ///< 0: none is known
  };
  release released{};
  bool holds_release =
      false; ///< and the clock has its epoch, too: an agent that does not know it does not cover the clock
  bool is_levelled = false; ///< no release, but an epoch of the clock: an agent that knows it need not know the rest

  entry const* find(u32 block) const;
  entry& at(u32 block); ///< to be changed
  u32 of(u32 block, u32 thread) const;
  bool knows(release const& r) const { return of(r.block, r.thread) >= r.epoch; }
  void raise(u32 block, u32 thread, u32 epoch);
  void join(clock const&);
  bool covers(clock const&) const;
};

/// A clock that is shared; null knows nothing.
class shared_clock {
public:
  u32 of(u32 block, u32 thread) const { return clock_ ? clock_->of(block, thread) : 0; }
  bool covers(shared_clock const& other) const;
  void raise(u32 block, u32 thread, u32 epoch);
  void join(shared_clock const& other);
  clock* own(); ///< to be changed: not shared with anybody any more; null where it knows nothing
  clock const* get() const { return clock_.get(); }
  explicit operator bool() const { return bool(clock_); }

  /// It is what this thread knows at a release. The first one is kept: it is known to the most.
  void is_released(clock::release const&) const;
  /// It, and the epoch of that release.
  shared_clock with(clock::release const&) const;

private:
  shared<clock> clock_;
};

/// What an agent knows: of everything, and of generic accesses that a proxy fence made known to asynchronous ones.
struct knowledge {
  shared_clock all;
  /// What it knows beside `all`, by fences with .sync_restrict: as far as the accesses are to the shared memory of the
  /// block of this number, or, any_block, of any block. Mostly empty.
  std::vector<std::pair<u32, shared_clock>> shared{};
  static constexpr u32 any_block = ~u32(0);
  static constexpr std::size_t shared_memory = 1; ///< of `fenced`
  /// Known to the asynchronous proxy, too: what is in global, and in shared memory. Released to the proxy that reads
  /// tensor maps.
  std::array<shared_clock, 3> fenced;
  static constexpr std::size_t released_maps = 2;
  shared_clock& shared_of(u32 block);
  /// What it knows of accesses to the shared memory of this block, or, any_block, of some block.
  shared_clock all_of(u32 block) const;
  void join_shared(knowledge const& other) {
    for (auto const& [block, known] : other.shared) shared_of(block).join(known);
  }
  void join(knowledge const& other) {
    all.join(other.all);
    join_shared(other);
    for (std::size_t s = 0; s < fenced.size(); ++s) fenced[s].join(other.fenced[s]);
  }
  bool covers(knowledge const& other) const {
    bool covered = all.covers(other.all);
    for (auto const& [block, known] : other.shared) covered = covered && all_of(block).covers(known);
    for (std::size_t s = 0; s < fenced.size(); ++s) covered = covered && fenced[s].covers(other.fenced[s]);
    return covered;
  }
};

} // namespace emulator::check
