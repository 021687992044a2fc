// SPDX-License-Identifier: Apache-2.0
//
// leader: every interleaving of a few threads that share the polling. The threads run the protocol of
// runtime/waiting/leader.hpp on a model of the memory. Around it, the model has the steps of
// runtime/waiting/parking.cpp: a thread reads the version of its bucket, asks who leads, and sleeps if the version is
// still the same.
//
// A thread's call of the protocol is repeated from its begin with the results that it has got so far. It then takes one
// more step, and is left by an exception before the next one.
#include "../../../runtime/waiting/leader.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

using cudax::runtime::polling::candidate;
namespace leader_word = cudax::runtime::polling::leader_word;

namespace {

constexpr int most_threads = 3;

/// What a thread does next. A thread that has not joined polls by itself, and one that has gone does nothing.
enum class at : std::uint8_t { joining, reading, claiming, sleeping, asleep, leaving, resigning, gone };

struct thread {
  at next = at::joining;
  bool is_outdated = false; // its bucket has another version than the one that it has read
  bool leads = false;       // it leads by its last claim, and so sleeps for a short time only
  candidate part;
  std::array<std::uint64_t, 20> results{}; // of the steps of the call that it is in
  std::uint8_t steps = 0;
};

struct state {
  std::uint64_t word = leader_word::unneeded;
  std::array<thread, most_threads> threads;
  std::array<bool, most_threads> counted{}; // in a row
  std::uint8_t silences = 0;                // how often a thread may still take the leader for silent

  /// The state as text, for a set of states.
  std::string_view text() const { return {reinterpret_cast<char const*>(this), sizeof(*this)}; }
};

/// The number of threads, the bucket of each one, how often a leader may be silent, and whether the first thread leads
/// and the others are in the table at the beginning.
struct setting {
  int threads;
  std::array<int, most_threads> bucket;
  std::uint8_t silences;
  bool is_led;
};

struct step_taken {};

/// One step of one thread. `choice` decides what the memory leaves open.
class model {
  setting const& with_;
  state& now_;
  int self_;
  int choice_;
  bool has_stepped_ = false;
  int replayed_ = 0;

public:
  int choices = 1; // that the step had

  model(setting const& with, state& now, int self, int choice) : with_(with), now_(now), self_(self), choice_(choice) {}

  // --- the members that the protocol uses ---

  std::uint64_t load() {
    return step([&] { return now_.word; });
  }
  bool exchange(std::uint64_t& expected, std::uint64_t desired) {
    std::uint64_t const seen = step([&] {
      std::uint64_t const before = now_.word;
      if (before == expected) now_.word = desired;
      return before;
    });
    if (seen == expected) return true;
    expected = seen;
    return false;
  }
  bool is_silent() {
    return step([&] {
             bool const silent = now_.silences != 0 && choose(2) == 1;
             now_.silences -= silent;
             return std::uint64_t(silent);
           }) != 0;
  }
  bool wake_a_follower() {
    for (int row = 0; row < with_.threads; ++row) {
      if (step([&] { return std::uint64_t(now_.counted[std::size_t(row)]); }) == 0) continue;
      step([&] { return change_version(with_.bucket[std::size_t(row)]), 0u; });
      if (step([&] { return std::uint64_t(wake_one(with_.bucket[std::size_t(row)])); }) != 0) return true;
    }
    return false;
  }

  // --- the rest of a thread's wait ---

  void run() {
    thread& self = now_.threads[std::size_t(self_)];
    switch (self.next) {
    case at::joining:
      now_.counted[std::size_t(self_)] = true;
      self.next = at::reading;
      break;
    case at::reading: // the version; then the change, which may be there at any time
      self.is_outdated = self.leads = false;
      self.next = choose(2) == 1 ? at::leaving : at::claiming;
      break;
    case at::claiming:
      call([&] {
        self.leads = self.part.claim<model&>(*this);
        self.next = at::sleeping;
      });
      break;
    case at::sleeping:
      self.next = self.is_outdated ? at::reading : at::asleep;
      self.is_outdated = false;
      break;
    case at::asleep: self.next = at::reading; break; // after poll_interval_max
    case at::leaving:
      now_.counted[std::size_t(self_)] = false;
      self.next = at::resigning;
      break;
    case at::resigning:
      call([&] {
        self.part.resign<model&>(*this);
        self.next = at::gone;
      });
      break;
    case at::gone: break;
    }
  }

  /// A notify, or the leader that finds a condition true.
  void wake_from_outside() {
    change_version(with_.bucket[std::size_t(self_)]);
    now_.threads[std::size_t(self_)].next = at::reading;
  }

private:
  int choose(int count) {
    choices = count;
    return choice_;
  }

  template <class Action> std::uint64_t step(Action action) {
    thread& self = now_.threads[std::size_t(self_)];
    if (replayed_ < self.steps) return self.results[std::size_t(replayed_++)];
    if (has_stepped_) throw step_taken();
    has_stepped_ = true;
    ++replayed_;
    return self.results.at(self.steps++) = std::uint64_t(action());
  }

  /// Takes one step of a call; forgets the results when the call is complete.
  template <class Call> void call(Call of_protocol) {
    thread& self = now_.threads[std::size_t(self_)];
    candidate const before = self.part;
    try {
      of_protocol();
      self.results = {};
      self.steps = 0;
    } catch (step_taken) {
      self.part = before;
    }
  }

  void change_version(int bucket) {
    for (int t = 0; t < with_.threads; ++t) {
      thread& each = now_.threads[std::size_t(t)];
      if (with_.bucket[std::size_t(t)] == bucket && (each.next == at::claiming || each.next == at::sleeping))
        each.is_outdated = true;
    }
  }

  /// The kernel's queue has any order.
  bool wake_one(int bucket) {
    std::vector<thread*> all;
    for (int t = 0; t < with_.threads; ++t)
      if (with_.bucket[std::size_t(t)] == bucket && now_.threads[std::size_t(t)].next == at::asleep)
        all.push_back(&now_.threads[std::size_t(t)]);
    if (all.empty()) return false;
    all[std::size_t(choose(int(all.size())))]->next = at::reading;
    return true;
  }
};

/// Whether no thread can do anything before a thread outside of the model wakes one that sleeps.
bool is_stuck(setting const& with, state const& now) {
  bool sleeps = false;
  for (int t = 0; t < with.threads; ++t) {
    thread const& each = now.threads[std::size_t(t)];
    if (each.next == at::gone) continue;
    if (each.next != at::asleep || each.leads) return false;
    sleeps = true;
  }
  return sleeps;
}

struct result {
  std::size_t states = 0, stuck = 0;
};

result explore(setting const& with) {
  result found;
  std::unordered_set<std::string> known;
  std::vector<state> open;
  auto const add = [&](state const& next) {
    if (!known.emplace(next.text()).second) return;
    open.push_back(next);
    found.stuck += is_stuck(with, next);
  };
  auto const take = [&](state const& from, int t, auto action) {
    for (int choice = 0, choices = 1; choice < choices; ++choice) {
      state next;
      std::memcpy(&next, &from, sizeof(next)); // with the bytes between the members
      model one(with, next, t, choice);
      action(one);
      choices = one.choices;
      add(next);
    }
  };
  state first;
  std::memset(static_cast<void*>(&first), 0, sizeof(first));
  first.silences = with.silences;
  if (with.is_led)
    for (int t = 0; t < with.threads; ++t) {
      first.counted[std::size_t(t)] = true;
      first.threads[std::size_t(t)].next = at::reading;
    }
  while (with.is_led && first.threads[0].next != at::asleep) model(with, first, 0, 0).run();
  add(first);
  while (!open.empty()) {
    state const from = open.back();
    open.pop_back();
    for (int t = 0; t < with.threads; ++t) {
      bool const sleeps = from.threads[std::size_t(t)].next == at::asleep;
      // A follower's sleep is long. Without an end in the model, a thread that no thread wakes is found.
      if (!sleeps || from.threads[std::size_t(t)].leads) take(from, t, [](model& one) { one.run(); });
      if (sleeps) take(from, t, [](model& one) { one.wake_from_outside(); });
    }
  }
  found.states = known.size();
  return found;
}

} // namespace

BOOST_AUTO_TEST_SUITE(leader)

// If it fails, a thread may wait for tens of milliseconds for a change that a device has made.
BOOST_AUTO_TEST_CASE(no_follower_sleeps_without_a_leader) {
  std::size_t states = 0;
  for (setting const& with :
       {setting{2, {0, 1}, 2, false}, setting{2, {0, 0}, 2, false}, setting{3, {0, 0, 1}, 0, true}}) {
    result const all = explore(with);
    states += all.states;
    BOOST_TEST(all.stuck == 0u, all.stuck << " of " << all.states << " states of " << with.threads
                                          << " threads have followers, and no leader");
  }
  BOOST_TEST_MESSAGE(states << " states");
  BOOST_TEST(states > 10'000u); // the model runs
}

BOOST_AUTO_TEST_SUITE_END()
