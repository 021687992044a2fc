// SPDX-License-Identifier: Apache-2.0
//
// clock: a vector clock, short because threads of a block know each other.
// A component is the epoch up to which something is known of a thread. The components of a block are one number for all of
// its threads, and exceptions. Epochs are drawn from a counter of the block, so that after a barrier of the whole block one
// number says it all (agents.hpp, level). Clocks are shared by all that know the same, and copied when one learns more; so are
// their entries, since what one learns is mostly of one block.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace emulator::check {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

struct clock {
  struct entry {
    u32 all = 0;                                   ///< of threads without an exception
    std::vector<std::pair<u32, u32>> exceptions{}; ///< thread of the block and its epoch, by thread
    u32 of(u32 thread) const;
    void set(u32 thread, u32 epoch);
  };
  std::vector<std::pair<u32, std::shared_ptr<entry>>> entries; ///< block and entry, by block

  entry const* find(u32 block) const;
  entry& at(u32 block); ///< to be changed
  u32 of(u32 block, u32 thread) const;
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
  clock* own(); ///< not shared with anybody any more; null where it knows nothing
  clock const* get() const { return clock_.get(); }
  explicit operator bool() const { return bool(clock_); }

private:
  std::shared_ptr<clock> clock_;
};

/// What somebody knows: of everything, and of generic accesses that a proxy fence made known to asynchronous ones.
struct knowledge {
  shared_clock all, fenced;
  void join(knowledge const& other) {
    all.join(other.all);
    fenced.join(other.fenced);
  }
  bool covers(knowledge const& other) const { return all.covers(other.all) && fenced.covers(other.fenced); }
};

} // namespace emulator::check
