// SPDX-License-Identifier: Apache-2.0
//
// delays: threads that get no turn for long, at any place.
// Some mistakes show only if one thread stops between two of its operations while others execute hundreds: a barrier
// that resets its count after it has released the waiters, a waiter that sleeps through two rounds. Where all threads
// get turns by chance, that is too rare to be seen. So with one of four seeds, now and then a thread is held back:
// after any turn, or directly after a strong write, or after a write for which others wait, who then go on. It is held
// for some random time, or until nothing else gets ahead: then the others depend on it. Any thread of a GPU may be as
// slow as that. One thread at a time: if two were held, the others would soon depend on one of them. The longer a
// kernel runs, the rarer the delays, so that they cost little.
//
// What is chosen here has random numbers of its own, so that the other three seeds give the schedules that they would
// give without delays.
#pragma once

#include "../../machine/thread.hpp"
#include "../model/model.hpp"

#include <array>

namespace emulator::check {

class delays {
public:
  explicit delays(std::uint64_t seed);

  /// What a thread has just done when it may be held.
  enum class moment : std::uint8_t {
    turn,    ///< its turn ends
    write,   ///< it has written by a strong operation
    release, ///< it has written what others wait for
  };
  bool is_due(moment m, std::uint64_t turn) const { return turn >= due_[std::size_t(m)]; }
  /// Holds the thread. `threads`: how many have turns. Returns: false the first time, when only the next moment is
  /// chosen
  bool hold(thread&, std::uint64_t turn, std::uint64_t threads);

  thread* held() const { return held_; } ///< null: none
  /// Whether the time of the thread that is held is over.
  bool is_over(std::uint64_t turn) const { return turn >= until_; }
  /// No thread is held from now on.
  void end(std::uint64_t turn, std::uint64_t threads);

private:
  void choose_next(std::uint64_t turn, std::uint64_t threads);

  static constexpr std::uint64_t never = ~std::uint64_t(0);
  random chance_;
  std::array<std::uint64_t, 3> due_{never, never, never}; ///< by moment: from which turn on
  std::uint64_t until_ = 0;
  std::uint32_t times_ = 0;
  thread* held_ = nullptr;
};

} // namespace emulator::check
