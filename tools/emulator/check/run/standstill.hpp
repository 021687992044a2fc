// SPDX-License-Identifier: Apache-2.0
//
// standstill: whether the threads that run get ahead, or all wait in loops for what never comes: a livelock.
// A thread is watched from some rounds after the last change of memory on, in periods. In a period it
//   repeats  comes to a state (pc, registers, local memory) in which it was before. While no memory changes it does the
//            same again and again;
//   polls    never comes to a state again, because it counts its polls, say, or reads the clock. But all memory that it
//            reads it had read before the period, at few places, and at least once by a strong read or from the clock.
//            And if it does not read the clock, its state differs from poll to poll in a few ways only, as that of a
//            counter does: a computation has new values again and again;
//   gets ahead  by everything else: it computes, or reads what it has not read before.
// Nothing changes if all repeat. If some poll, one of them may count up to a limit, so that many polls must be in vain.
// They are counted for each thread, and turns for all of them, so that nothing depends on the speed of the machine.
// A period in which a thread gets ahead is followed by one that is twice as long: so it will once be long enough for
// any loop (R. P. Brent, "An improved Monte Carlo factorization algorithm", 1980).
//
// Then the host has some seconds of real time, in which threads have turns now and then: the host may be about to write
// what they wait for. Then time passes on the device, up to a century: some may wait for a deadline. Then nothing is
// left that could let a thread continue.
#pragma once

#include "../../machine/resident.hpp"
#include "host_time.hpp"
#include "observed.hpp"

#include <vector>

namespace emulator::check {

class standstill {
public:
  /// What the host has once no thread gets ahead: as long as a user is patient (machine/watch.hpp).
  std::chrono::nanoseconds time_for_host = std::chrono::seconds(10);
  /// Without a change; then threads that poll are taken to do so indefinitely: turns of all threads, which take
  /// seconds, and polls of each thread that does not read the clock.
  std::uint64_t turns_of_polls = std::uint64_t(1) << 24, polls_of_each = std::uint64_t(1) << 16;

  // --- of the thread whose turn it is ---
  void reads(thread& t, std::byte const* where, std::uint32_t size, bool is_strong) {
    if (period_) [[unlikely]]
      note_read(t, {reinterpret_cast<std::uintptr_t>(where), size}, is_strong);
  }
  void reads_time(thread& t) {
    if (period_) [[unlikely]]
      watched(t).reads_time = depends_on_time_ = true;
  }
  void turn_ends(thread const& t) {
    if (period_) [[unlikely]]
      note_state(t);
  }

  void block_begins(block const& b) { residents_.push_back(&b); }
  void block_ends(block const& b) { std::erase(residents_, &b); }
  /// Memory changed, or threads began or ended. `turn`: how many turns threads have had.
  void changed(std::uint64_t turn) {
    last_change_ = turn;
    if (period_) [[unlikely]]
      stop();
  }

  std::uint64_t last_change() const { return last_change_; }
  /// No thread gets ahead, and the host has time.
  bool waits_for_host() const { return stage_ != stage::watches; }
  std::vector<block const*> const& residents() const { return residents_; }

  struct answer {
    bool is_stuck = false;            ///< from now on no thread gets ahead
    bool took_polls = false;          ///< which is known only because threads polled for long
    bool is_over = false;             ///< a livelock
    std::uint64_t time = 0;           ///< nanoseconds that pass on the device now
    std::chrono::nanoseconds pause{}; ///< the worker is to let the host run
  };
  /// `threads`: how many can run or sleep.
  answer query(std::uint64_t turn, std::size_t threads);

private:
  enum class progress {
    none,
    more_polls, ///< it only polls, and has not done so for long
    ahead,      ///< or the period is too short to see that it does not get ahead
  };
  watched_loop& watched(thread const&);
  void note_read(thread&, observed_read, bool is_strong);
  void note_state(thread const&);
  void note_step(thread const&, watched_loop&);
  bool only_polls(watched_loop const&) const;
  void stop();
  void begin_period(std::uint64_t turn, std::uint64_t turns);
  progress best_progress(std::uint64_t turn) const; ///< in the period
  std::chrono::nanoseconds pause();

  enum class stage { watches, waits_for_host, lets_time_pass } stage_ = stage::watches;
  std::vector<block const*> residents_;
  std::uint64_t last_change_ = 0; ///< the turn
  std::uint64_t period_ = 0;      ///< its number; 0: no thread is watched
  std::uint64_t periods_ = 0;     ///< how many there were
  std::uint64_t end_ = 0;         ///< of the period: the turn
  std::uint64_t length_ = 0;
  std::uint64_t proof_ = 0;      ///< the length of the period in which no thread got ahead
  bool watches_steps_ = false;   ///< in this period
  bool depends_on_time_ = false; ///< a thread read the clock
  std::size_t next_jump_ = 0;
  host_time host_;
};

} // namespace emulator::check
