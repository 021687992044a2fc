// SPDX-License-Identifier: Apache-2.0
//
// leader: which of the threads in the table polls for all (polling.hpp). The protocol is a template over the memory
// that it works on: the process's in polling.cpp, and in tests/runtime/waiting/leader.cpp a model of it, which runs
// every interleaving.
//
// `Shared` has the members below. Their accesses to the word, to the rows and to the versions of the buckets are
// sequentially consistent: a follower writes a row and then reads the word, a thread that hands over writes the word
// and then reads the rows (polling.hpp).
//   load() returns the word.
//   exchange(expected, desired) replaces the word if it is `expected`, and otherwise stores the word in `expected`;
//   returns whether it did. It does not fail spuriously.
//   is_silent() returns whether the leader has not polled for long.
//   wake_a_follower() wakes one thread that sleeps in the bucket of any row; returns whether it did.
#pragma once

#include <cstdint>

namespace cudax::runtime::polling {

/// The word that says who leads. From the top bits down: the number of the term, and its state. In the first term no
/// thread has led yet.
namespace leader_word {
enum : std::uint64_t { unneeded, vacant, active, state_mask = 3, one_term = 4 };

constexpr bool is_active(std::uint64_t word) noexcept { return (word & state_mask) == active; }
constexpr bool is_vacant(std::uint64_t word) noexcept { return (word & state_mask) == vacant; }
constexpr std::uint64_t next_term(std::uint64_t word) noexcept { return (word / one_term + 1) * one_term | active; }
constexpr std::uint64_t with(std::uint64_t word, std::uint64_t state) noexcept { return (word & ~state_mask) | state; }
} // namespace leader_word

/// The part of one thread.
class candidate {
  std::uint64_t term_ = leader_word::unneeded; // the word while this thread leads, of the last time that it led

public:
  /// Becomes the leader if there is none, or if the leader is silent. Returns whether the thread leads.
  /// Requires: the thread counts itself in a row
  template <class Shared> bool claim(Shared shared) {
    std::uint64_t word = shared.load();
    if (leader_word::is_active(word) && (word == term_ || !shared.is_silent())) return word == term_;
    // If the exchange fails, another thread has changed the word. If the word is active then, that thread leads. If it
    // is not, the thread that hands over has found this one awake and relies on it: so this one has to try again.
    do {
      std::uint64_t const next = leader_word::next_term(word);
      if (!shared.exchange(word, next)) continue;
      term_ = next;
      return true;
    } while (!leader_word::is_active(word));
    return false;
  }

  /// Whether the thread leads, if `word` is the word.
  bool leads(std::uint64_t word) const noexcept { return leader_word::is_active(word) && word == term_; }

  /// Another thread leads if this one did, or if this one was woken to lead.
  /// Requires: the thread no longer counts itself in a row
  template <class Shared> void resign(Shared shared) const {
    std::uint64_t word = shared.load();
    if (leads(word)) {
      std::uint64_t const left = leader_word::with(word, leader_word::vacant);
      if (shared.exchange(word, left)) word = left; // otherwise another thread has taken over
    }
    if (!leader_word::is_vacant(word) || shared.wake_a_follower()) return;
    // Fails if another thread has claimed the term or has handed it over meanwhile.
    (void)shared.exchange(word, leader_word::with(word, leader_word::unneeded));
  }
};

} // namespace cudax::runtime::polling
