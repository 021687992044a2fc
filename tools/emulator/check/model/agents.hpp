// SPDX-License-Identifier: Apache-2.0
//
// agents: all that access memory, by number: threads, and asynchronous copies, which are threads of a block of their
// own that belongs to the block that issues them. A copy takes the number of an earlier one whose end its issuer knows.
#pragma once

#include "../../machine/device.hpp"
#include "clock.hpp"
#include "tokens.hpp"

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace emulator::check {

struct grid_agent {
  std::string kernel;
  dim3 shape; ///< of a block
  u64 began = 0, ended = ~u64(0);
  knowledge known{};        ///< of its threads when they begin
  knowledge known_at_end{}; ///< of those that have ended; if there were other grids
  bool has_company = false; ///< there were

  // A dependent grid (griddepcontrol) may begin while the grids before it run: that before it in the stream, or those
  // of a graph from which programmatic edges lead to it. It begins with what they began with. Once one of its threads
  // has executed griddepcontrol.wait, it knows what they did and knew at their end.
  u64 knows_until = 0;                              ///< it knows all grids that ended before
  std::vector<grid_agent const*> before{};          ///< of a dependent grid
  std::unordered_set<grid_agent const*> at_begin{}; ///< other grids that it knows when it begins
  std::unordered_set<grid_agent const*> awaited{};  ///< those that it knows since griddepcontrol.wait
  u32 dependents = 0;                               ///< how many grids in a row, up to this one, are dependent
  u64 graph_launch = 0;                             ///< of a graph; 0: it is in none

  bool knows(grid_agent const& other) const {
    return other.ended < knows_until || (!at_begin.empty() && at_begin.contains(&other)) ||
           (!awaited.empty() && awaited.contains(&other));
  }
  /// Adds what `other` knows at its end.
  void knows_end_of(grid_agent const& other, std::unordered_set<grid_agent const*>& all) const {
    all.insert(&other);
    all.insert(other.at_begin.begin(), other.at_begin.end());
    all.insert(other.awaited.begin(), other.awaited.end());
  }
};

/// A thread saw a flag and has not acquired what the flag was to tell (stale.cpp).
struct promise {
  enum class reason : std::uint8_t { release_fence, acquire_fence, polled } why{};
  void const* flag = nullptr;
  u32 reader = no_agent, epoch = 0;              ///< the agent that saw it, and when
  u32 by = no_agent;                             ///< the agent that wrote it
  u32 written = 0, read = 0, fence = 0;          ///< places: of the flag's write and read, and of the fence
  emulator::scope scope = emulator::scope::none; ///< of the fence
  u64 serial = 0;                                ///< of the flag's message, where it was polled for
  std::shared_ptr<token const> given{};          ///< else what the release gave away
};

/// A read that may have been one of data that a flag promised: what the thread does next tells.
struct suspicion {
  void const* where = nullptr;
  u32 size = 0, code = 0;
  u32 writer = no_agent, written = 0; ///< the agent that wrote the newest value, and where
  u64 newest = 0, older = 0;          ///< the first eight bytes of each
  promise of{};
};

/// What the threads of a block have observed without acquiring it: what comes before the block's end (visits.cpp).
struct seen_by_block {
  shared_clock known{}; ///< what those knew that released, or wrote
  /// By agent: the epoch of its last write. A clock cannot have it: there an epoch stands for all that its thread knew
  /// when it released in this epoch.
  std::unordered_map<u32, u32> writes{};
};

/// A thread, or a copy, used an mbarrier of a block that is not its own: when and where, and in which of the mbarrier's
/// phases (visits.cpp).
struct visit {
  u32 epoch, code;
  u64 phase;
};

struct block_agent {
  u32 number = 0;
  grid_agent* grid = nullptr;
  u32 cluster = 0; ///< a number of its own where it has none
  std::array<u32, 3> ctaid{};
  u32 first_thread = 0, threads = 0;
  u32 alive = 0;
  u32 epochs = 1;                  ///< the last that was given out
  block_agent* issuer = nullptr;   ///< of copies: the block that issues them
  block_agent* copies = nullptr;   ///< the block of its copies
  std::vector<u32> slots;          ///< of copies: their agents
  u32 next_slot = 0;               ///< which of them is tried next
  std::vector<promise> promises;   ///< to its threads, the last few
  u32 next_promise = 0;            ///< which of them is the oldest, once there are as many as are kept
  void const* only_flag = nullptr; ///< of all promises; null where there are others
  std::map<std::pair<void const*, u32>, visit> visits; ///< the last one of each mbarrier and agent
  bool has_peers = false; ///< its cluster has other blocks, which can access its shared memory
  seen_by_block seen{};   ///< if it has
};

/// Why a thread does not know what another one had released, for reports.
struct missed {
  enum class reason : std::uint8_t { none, release_scope, acquire_scope, weak, no_release } why{};
  u32 by;       ///< the releasing agent
  u32 epoch;    ///< up to this one
  u32 from, to; ///< places of the release and the acquire
  emulator::scope from_scope, to_scope;
};

/// Tokens that a relaxed read saw.
struct observed {
  void const* where;
  u32 code; ///< of the last read
  check::tokens tokens;
};

struct agent {
  u32 number = 0;
  u32 index = 0; ///< in its block
  block_agent* block = nullptr;
  u32 epoch = 1;
  u32 last_event = 0;                ///< the epoch in which it last did something that others must learn of
  std::array<u32, 3> fenced_epoch{}; ///< its generic accesses up to this one are known to these proxies; as knowledge
  knowledge known{};                 ///< of others
  tokens fences{};                   ///< the latest release fence of each scope
  std::vector<std::pair<std::byte const*, token>> released{}; ///< by itself, the last few, with their locations
  std::vector<observed> pending{};                            ///< what it saw and has not acquired
  u32 issuer = no_agent;                                      ///< of a copy
  std::vector<missed> misses{};                               ///< the last few
  std::array<u64, 8> taken{};                                 ///< versions of tokens that it has, the last few
  u32 next_taken = 0;
  // Of stale values: its last read, if it has accessed nothing since; and its last release fence, if it has written
  // nothing since.
  void const* last_where = nullptr;
  u32 last_code = 0;
  u64 last_serial = 0;
  u32 fresh_fence = 0;        ///< its epoch; 0: none
  bool has_just_read = false; ///< by a strong operation: a fence of two sides may acquire what was read
  std::unique_ptr<suspicion> suspected{};
};

class agents {
public:
  /// `host`: what the host knows. The grid knows that, and what the threads of earlier grids knew at their end; if it
  /// is dependent, what the grid before it in the stream knew at its beginning; in a graph, what the grids knew that
  /// ended before the launch of the graph, and those to which a path leads.
  grid_agent& begin_grid(void const* grid, std::string kernel, launch const&, knowledge const& host = {});
  /// griddepcontrol.wait
  void await_prerequisites(agent&);
  /// Returns: whether no grid is left
  bool end_grid(void const* grid);
  block_agent& begin_block(block const&);
  void end_block(block const&);

  agent& of(thread const&);
  agent& operator[](u32 number) { return *all_[number]; }
  agent const& operator[](u32 number) const { return *all_[number]; }
  block_agent const& block(u32 number) const { return *blocks_[number]; }
  block_agent& block(u32 number) { return *blocks_[number]; }
  block_agent& block_of(emulator::block const&);

  /// An agent for a copy that `issuer` issues.
  agent& copy_of(agent const& issuer);

  /// Whether what this agent did in this epoch happens before what `who` does next.
  bool knows(agent const& who, u32 number, u32 epoch) const { return knows(who, who.known.all, number, epoch); }
  /// The same of an access to shared memory: of this block, or, any_block, of some block.
  bool knows_in_shared(agent const& who, u32 owner, u32 number, u32 epoch) const {
    if (knows(who, number, epoch)) return true;
    for (auto const& [block, known] : who.known.shared)
      if ((block == owner || block == knowledge::any_block || owner == knowledge::any_block) &&
          knows(who, known, number, epoch))
        return true;
    return false;
  }
  bool knows_fenced(agent const& who, bool is_shared, u32 number, u32 epoch) const {
    return knows(who, who.known.fenced[is_shared], number, epoch);
  }

  /// Whether `who`, when it knew the clock, knew that.
  bool knows(agent const& who, shared_clock const&, u32 number, u32 epoch) const;

  /// The next epoch: others that know the present one do not know what follows.
  static void advance(agent& a) { a.epoch = ++a.block->epochs; }
  /// What `a` releases now.
  static token released_by(agent const&, emulator::scope, u32 code);
  /// Says of a block by one number what a clock says of its threads one by one, where it can.
  void level(shared_clock&, block_agent&);

  void clear(); ///< no agent is left
  /// Whether a graph runs: what its grids did concerns others that are to come.
  bool has_graph() const { return !graphs_.empty(); }

private:
  std::vector<std::unique_ptr<agent>> all_;
  std::vector<std::unique_ptr<block_agent>> blocks_;
  std::unordered_map<void const*, grid_agent*> grids_;
  std::vector<std::unique_ptr<grid_agent>> all_grids_;
  std::unordered_map<u64, grid_agent*> last_of_stream_;
  /// A launch of a graph of which grids are to come or run.
  struct graph_launch {
    std::size_t left = 0; ///< grids that have not ended
    u64 knows_until = 0;  ///< at its beginning
    knowledge known{};
    std::unordered_map<u64, grid_agent*> nodes{}; ///< that have begun
  };
  void begin_in_graph(grid_agent&, graph_place const&);
  std::unordered_map<u64, graph_launch> graphs_;
  std::unordered_map<emulator::block const*, block_agent*> running_;
  std::pair<emulator::block const*, block_agent*> last_{};
  u64 time_ = 0;      ///< begins and ends of grids
  knowledge ended_{}; ///< what the threads of grids knew that have ended
  u32 clusters_ = 0;
  u32 live_ = 0;
};

/// Whether `s`, used in one block, includes the threads of another.
bool includes(emulator::scope s, block_agent const& a, block_agent const& b);
inline bool inclusive(emulator::scope s, block_agent const& a, emulator::scope t, block_agent const& b) {
  return includes(s, a, b) && includes(t, b, a);
}

} // namespace emulator::check
