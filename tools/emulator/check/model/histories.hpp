// SPDX-License-Identifier: Apache-2.0
//
// histories: the last few messages of locations that strong operations write, in coherence order: the first is called
// the oldest, the last the newest. The order is not that in which they were written (placement.cpp). Memory holds the
// newest. A strong load may return an older one, as long as nothing newer was written or seen by what happens before
// the load. Where the list of agents that saw a message is full, the messages before it are forgotten: then the model
// shows less than it could, and never more.
#pragma once

#include "agents.hpp"
#include "host_memory.hpp"

#include <deque>
#include <unordered_map>

namespace emulator::check {

struct message {
  bytes_16 value{};
  u32 who = no_agent; ///< no_agent: the host, or not known
  u32 epoch = 0;
  u32 code = 0;
  emulator::semantics semantics = emulator::semantics::weak;
  emulator::scope scope = emulator::scope::none;
  bool is_host = false;
  bool is_update = false; ///< of a read-modify-write
  u64 serial = 0;         ///< of all messages in the order in which they came; 0: the host's
  check::tokens tokens{};
  shared_clock known{};                    ///< to the agent that wrote it, if the writer's block has peers (visits.cpp)
  std::vector<std::pair<u32, u32>> seen{}; ///< by whom, in which epoch
};

struct location {
  static constexpr std::size_t most_messages = 8;
  std::uintptr_t where = 0;
  u32 size = 0;
  std::deque<message> messages; ///< never empty
  u32 stores = 0;               ///< how many messages but the first are of stores

  message& newest() { return messages.back(); }
  message const& newest() const { return messages.back(); }
  void restart(message);                   ///< it is the only one
  void insert(std::size_t index, message); ///< before the message of this index, at least 1, or after all
  void forget_before(std::size_t index);
  void saw(std::size_t index, agent const&);
  /// The oldest that may still be read where `knows(agent, epoch)` says what happens before.
  template <class F>
  std::size_t floor(F knows) const {
    for (std::size_t i = messages.size(); i-- > 1;) {
      message const& m = messages[i];
      if (m.who != no_agent && knows(m.who, m.epoch)) return i;
      for (auto const& [number, epoch] : m.seen)
        if (knows(number, epoch)) return i;
    }
    return 0;
  }
};

class histories {
public:
  location* find(std::uintptr_t where, u32 size);
  location* starting_at(std::uintptr_t where);
  location* around(std::uintptr_t where, u32 size); ///< a part of a word, and larger than `size`, or none
  location& make(std::uintptr_t where, u32 size);
  void halve(location&);                               ///< into two of half the size; each keeps what synchronises
  void divide_at(std::uintptr_t where);                ///< so that no location of a word has bytes on both sides
  void forget(std::uintptr_t start, std::size_t size); ///< all locations that overlap
  void clear() { all_.clear(); }

private:
  std::unordered_map<std::uintptr_t, location> all_;
};

} // namespace emulator::check
