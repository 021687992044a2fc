// SPDX-License-Identifier: Apache-2.0
//
// polling: the table of conditions and its leader (polling.hpp).
#include "polling.hpp"

#include <array>
#include <atomic>
#include <climits>
#include <cstddef>
#include <cstring>
#include <ctime>

#include <signal.h>

namespace cudax::runtime::polling {
namespace {

// --- the table -------------------------------------------------------------------------------------------------------

/// The state of a row. From the top bits down: how many times the row was taken, whether its contents are valid,
/// whether the leader is checking them, and the number of waiters.
constexpr std::uint64_t waiter_mask = (1u << 24) - 1;
constexpr std::uint64_t checking = 1u << 24;
constexpr std::uint64_t valid = 1u << 25;
constexpr std::uint64_t taken_once = 1u << 26;

constexpr bool is_free(std::uint64_t state) noexcept { return (state & (waiter_mask | valid)) == 0; }
constexpr bool is_shared(std::uint64_t state) noexcept { return (state & valid) && (state & waiter_mask); }

constexpr std::size_t words = context_max / sizeof(std::uint64_t);

struct condition {
  bool (*changed)(void const*);
  alignas(16) std::array<std::uint64_t, words> context{};
  sleeping_place where;

  bool operator==(condition const& other) const noexcept {
    return changed == other.changed && context == other.context && where.bucket == other.where.bucket &&
           where.classes == other.where.classes;
  }
};

/// The contents of a row. They are atomic because a thread that searches its row may read them while another thread
/// writes; it then finds that the state has changed.
struct alignas(64) row {
  std::atomic<bool (*)(void const*)> changed{nullptr};
  std::array<std::atomic<std::uint64_t>, words> context{};
  std::atomic<unsigned> bucket{0};
  std::atomic<std::uint32_t> classes{0};

  void put(condition const& from) noexcept {
    changed.store(from.changed, std::memory_order_relaxed);
    for (std::size_t i = 0; i < words; ++i) context[i].store(from.context[i], std::memory_order_relaxed);
    bucket.store(from.where.bucket, std::memory_order_relaxed);
    classes.store(from.where.classes, std::memory_order_relaxed);
  }
  condition get() const noexcept {
    condition to{.changed = changed.load(std::memory_order_relaxed),
                 .where = {bucket.load(std::memory_order_relaxed), classes.load(std::memory_order_relaxed)}};
    for (std::size_t i = 0; i < words; ++i) to.context[i] = context[i].load(std::memory_order_relaxed);
    return to;
  }
};

constexpr std::size_t rows = 1024, group_size = 64, probes = 16;
std::array<std::atomic<std::uint64_t>, rows> states; // compact: the leader reads all states in use
std::array<std::atomic<std::uint32_t>, rows / group_size>
    taken; // rows of each group of 64; may be too high for a moment
std::array<row, rows> contents;
std::atomic<long long> members{0};

/// Calls `action` with the number and state of each row that counts waiters, until it returns true.
template <class Action> void for_each_shared_row(Action action) noexcept {
  for (std::size_t group = 0; group < taken.size(); ++group) {
    if (taken[group].load(std::memory_order_seq_cst) == 0) continue;
    for (std::size_t i = group * group_size; i < (group + 1) * group_size; ++i) {
      std::uint64_t const state = states[i].load(std::memory_order_seq_cst);
      if (is_shared(state) && action(i, state)) return;
    }
  }
}

/// Counts the calling thread in a row with this condition if there is one.
bool share(std::size_t i, condition const& sought) noexcept {
  std::uint64_t state = states[i].load(std::memory_order_acquire); // pairs with the release in take
  // The exchange fails if the row was taken for other contents meanwhile.
  while (is_shared(state) && contents[i].get() == sought)
    if (states[i].compare_exchange_weak(state, state + 1, std::memory_order_seq_cst, std::memory_order_acquire))
      return true;
  return false;
}

bool take(std::size_t i, condition const& sought) noexcept {
  std::uint64_t state = states[i].load(std::memory_order_acquire);
  if (!is_free(state)) return false;
  taken[i / group_size].fetch_add(1, std::memory_order_seq_cst);
  if (!states[i].compare_exchange_strong(state, state + taken_once + 1, std::memory_order_seq_cst,
                                         std::memory_order_relaxed)) {
    taken[i / group_size].fetch_sub(1, std::memory_order_relaxed);
    return false;
  }
  contents[i].put(sought);
  states[i].fetch_or(valid, std::memory_order_seq_cst); // release: pairs with share and check
  return true;
}

/// Takes the calling thread out of a row.
void drop(std::size_t i) noexcept {
  // Acquire: pairs with the release in check, as the load below. No release: the thread has read the row's contents
  // before its own exchange in share, which releases, or in check.
  std::uint64_t state = states[i].fetch_sub(1, std::memory_order_acquire) - 1;
  if (state & waiter_mask) return;
  for (int polls = 0; state & checking; ++polls) {
    if (polls > 1000) {
      timespec const moment{.tv_sec = 0, .tv_nsec = 50'000}; // the leader was suspended; it may need this processor
      nanosleep(&moment, nullptr);
    }
    state = states[i].load(std::memory_order_acquire); // pairs with the release in check: the object may end
  }
  // Release: pairs with the acquire in take, after which the row gets other contents.
  states[i].fetch_and(~valid, std::memory_order_release);
  taken[i / group_size].fetch_sub(1, std::memory_order_relaxed);
}

void check(std::size_t i, std::uint64_t state) noexcept {
  // Acquire: pairs with the release in take.
  while (
      !states[i].compare_exchange_weak(state, state | checking, std::memory_order_acq_rel, std::memory_order_relaxed))
    if (!is_shared(state)) return;
  if (state & checking) return; // by a leader that was taken for suspended; it clears the mark
  condition const awaited = contents[i].get();
  bool const changed = awaited.changed(awaited.context.data());
  states[i].fetch_and(~checking, std::memory_order_release);
  if (changed) wake_sleepers(awaited.where, INT_MAX);
}

// --- the leader ------------------------------------------------------------------------------------------------------

std::atomic<std::uint64_t> leader{leader_word::unneeded};
std::atomic<long long> last_poll{0}; // of the leader, by steady_now()

constexpr long long outdated = 10 * poll_interval_max;

/// What the protocol works on (leader.hpp).
struct shared_state {
  long long now = 0;

  std::uint64_t load() const noexcept { return leader.load(std::memory_order_seq_cst); }
  bool exchange(std::uint64_t& expected, std::uint64_t desired) const noexcept {
    // A failed exchange reads the word, too, as load() does.
    return leader.compare_exchange_strong(expected, desired, std::memory_order_seq_cst, std::memory_order_seq_cst);
  }
  bool is_silent() const noexcept { return now - last_poll.load(std::memory_order_relaxed) > outdated; }
  bool wake_a_follower() const noexcept {
    bool woken = false;
    for_each_shared_row([&](std::size_t i, std::uint64_t) {
      return woken = wake_sleepers({contents[i].bucket.load(std::memory_order_relaxed), follower_class}, 1) > 0;
    });
    return woken;
  }
};

} // namespace

void member::join(parked_wait const& wait, sleeping_place where) noexcept {
  if (wait.size == 0 || wait.size > context_max) return;
  condition sought{.changed = wait.changed, .where = where};
  std::memcpy(sought.context.data(), wait.context, wait.size);
  std::uint64_t hash = reinterpret_cast<std::uintptr_t>(sought.changed);
  for (std::uint64_t const each : sought.context) hash = (hash ^ each) * 0x9e3779b97f4a7c15u;
  std::size_t const first = hash >> 32;
  for (std::size_t i = 0; i < probes && row_ < 0; ++i)
    if (share((first + i) % rows, sought)) row_ = int((first + i) % rows);
  for (std::size_t i = 0; i < probes && row_ < 0; ++i)
    if (take((first + i) % rows, sought)) row_ = int((first + i) % rows);
  if (joined()) members.fetch_add(1, std::memory_order_relaxed);
}

// Relaxed: only this thread makes the word its own term, and every other change of it ends the lead.
bool member::leads() const noexcept { return part_.leads(leader.load(std::memory_order_relaxed)); }

long long member::interval(long long now) noexcept {
  if (part_.claim(shared_state{now})) {
    last_poll.store(now, std::memory_order_relaxed);
    return poll_interval_max;
  }
  // Together the followers wake up at most 4 times in sleep_max.
  return sleep_max * (1 + members.load(std::memory_order_relaxed) / 4);
}

void member::leave() noexcept {
  if (!joined()) return;
  members.fetch_sub(1, std::memory_order_relaxed);
  drop(std::size_t(row_));
  part_.resign(shared_state{});
  row_ = -1;
}

void poll_for_all() noexcept {
  if (members.load(std::memory_order_relaxed) <= 1) return; // only the caller
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  for_each_shared_row([](std::size_t i, std::uint64_t state) {
    check(i, state);
    return false;
  });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void forget_all() noexcept {
  for (auto& each : states) each.store(0, std::memory_order_relaxed);
  for (auto& each : taken) each.store(0, std::memory_order_relaxed);
  members.store(0, std::memory_order_relaxed);
  leader.store(leader_word::unneeded, std::memory_order_relaxed);
}

} // namespace cudax::runtime::polling
