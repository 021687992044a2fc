// SPDX-License-Identifier: Apache-2.0
#include "host_threads.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <thread>

namespace litmus_runner {

struct host_threads::state {
  launch all;
  host_code code;
  std::vector<unsigned> roles; ///< the threads of the test that are on the host
  std::vector<std::vector<unsigned long long>> counts;
  std::atomic<unsigned> arrived = 0, ended = 0;
  // The last worker of a round writes these before it begins the next one.
  std::chrono::steady_clock::time_point begun_at;
  unsigned span = 0; ///< nanoseconds that the workers' part of a round should last, about
  int given_up = 0;

  bool meet(unsigned number);
  void work(unsigned worker);
  void addresses(unsigned buffer, unsigned instance, char** at) const;
  unsigned* result_of(unsigned buffer, unsigned thread, unsigned instance) const;
  void run(unsigned worker, unsigned round);
  void restore(unsigned buffer, unsigned instance, char** at) const;
  void check(unsigned worker, unsigned buffer, bool again);

  /// A worker's share of the instances, of `workers` workers.
  unsigned begin_of(unsigned worker, unsigned workers) const {
    return unsigned(1ull * all.layout.instances * worker / workers);
  }

  /// Calls f(instance, locations) for the instances that a worker checks and restores.
  template <class F>
  void for_own_instances(unsigned worker, unsigned buffer, F f) const {
    unsigned const end = begin_of(worker + 1, all.host.workers);
    for (unsigned instance = begin_of(worker, all.host.workers); instance < end; ++instance) {
      char* at[most_locations];
      addresses(buffer, instance, at);
      f(instance, at);
    }
  }
};

namespace {

/// Polls a word that a grid or a worker writes, until it is at least `target`. The acquire pairs with the release
/// before the meeting that the word numbers. Returns false if the launch is given up.
bool await_round(unsigned& word, unsigned target, int const* given_up) {
  patience_of_host awaits{given_up};
  while (int(std::atomic_ref(word).load(std::memory_order_acquire) - target) < 0) {
    if (!awaits.polls_again()) return false;
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  return true;
}

using steady = std::chrono::steady_clock;
constexpr unsigned longest_span = 20'000'000, longest_jitter = 200; // nanoseconds

unsigned nanoseconds_since(steady::time_point t) {
  return unsigned(std::min<long long>(std::chrono::nanoseconds(steady::now() - t).count(), longest_span));
}

void pause_until(steady::time_point t) {
  while (steady::now() < t) {}
}

} // namespace

/// A meeting: all accesses of the grids and of the workers before it happen before those after it. The count is a chain
/// of acq_rel operations, so the last worker's come after those of all workers; it acquires the grids' stores, and its
/// release of `begun` passes all of this on.
bool host_threads::state::meet(unsigned number) {
  meeting_place& place = *all.host.meeting;
  if (arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == all.host.workers * number) {
    auto const before = steady::now();
    bool early = false;
    for (unsigned g = 0; g < all.host.grids; ++g) {
      unsigned& word = place.arrived[g].value;
      early |= int(std::atomic_ref(word).load(std::memory_order_relaxed) - number) < 0;
      if (!await_round(word, number, &given_up)) return false;
    }
    if (number > 1) // before the first round the kernel starts
      span = early ? std::min(span + nanoseconds_since(before) / 2, longest_span) : span - span / 8;
    begun_at = steady::now();
    std::atomic_ref(place.begun.value).store(number, std::memory_order_release);
    return true;
  }
  return await_round(place.begun.value, number, &given_up);
}

void host_threads::state::addresses(unsigned buffer, unsigned instance, char** at) const {
  unsigned const n = all.layout.instances;
  for (unsigned l = 0; l < code.locations; ++l)
    at[l] = all.cells[l] + (1ull * buffer * n + permute(all.place[l], instance, n, 0)) * all.stride;
}

unsigned* host_threads::state::result_of(unsigned buffer, unsigned thread, unsigned instance) const {
  return all.results + (1ull * buffer * code.threads + thread) * all.layout.instances + instance;
}

void host_threads::state::run(unsigned worker, unsigned round) {
  if (roles.empty()) return; // all threads are on devices
  auto const groups = unsigned(roles.size()), share = worker / groups, shares = all.host.workers / groups;
  unsigned const thread = roles[(worker + round) % groups];
  unsigned const begin = begin_of(share, shares), n = begin_of(share + 1, shares) - begin;
  // The threads of an instance that are on the host run at nearly the same time, and at a random one of the round.
  unsigned const random = scramble((share * 7919 + round) ^ all.seed), first = all.host.paced ? 0 : random;
  unsigned const jitter = groups > 1 ? scramble(random + worker) % longest_jitter : 0;
  auto const start = begun_at + std::chrono::nanoseconds(random % (span / (all.host.paced ? 4 : 1) + 1) + jitter);
  for (unsigned i = 0; i < n; ++i) {
    pause_until(start + std::chrono::nanoseconds(all.host.paced ? 1ull * span * i / n : 0));
    unsigned const instance = begin + (i + first % n) % n;
    char* at[most_locations];
    addresses(round & 1, instance, at);
    patience_of_host awaits{&given_up};
    unsigned seen = 0;
    code.run(all.which, thread, at, awaits, seen);
    *result_of(round & 1, thread, instance) = seen;
  }
}

void host_threads::state::restore(unsigned buffer, unsigned instance, char** at) const {
  code.restore(all.which, at);
  for (unsigned thread = 0; thread < code.threads; ++thread) *result_of(buffer, thread, instance) = missing;
  if (code.own) *own_result_of(all, code.threads, buffer, instance) = missing;
}

void host_threads::state::check(unsigned worker, unsigned buffer, bool again) {
  auto& bins = counts[worker];
  for_own_instances(worker, buffer, [&](unsigned instance, char** at) {
    unsigned outcome = code.finals(all.which, at);
    code.end(all.which, at);
    bool complete = true;
    if (code.own) {
      unsigned const last = *own_result_of(all, code.threads, buffer, instance);
      complete &= last != missing;
      outcome |= last;
    }
    for (unsigned thread = 0; thread < code.threads; ++thread) {
      unsigned const seen = *result_of(buffer, thread, instance);
      complete &= seen != missing;
      outcome |= seen;
    }
    ++bins[count_of(outcome, complete, all.bits)];
    if (again) restore(buffer, instance, at);
  });
}

void host_threads::state::work(unsigned worker) {
  for (unsigned buffer = 0; buffer < 2; ++buffer)
    for_own_instances(worker, buffer, [&](unsigned instance, char** at) { restore(buffer, instance, at); });
  unsigned number = 0;
  bool going = meet(++number);
  for (unsigned round = 0; going && round < all.rounds; ++round) {
    run(worker, round);
    if (round) check(worker, ~round & 1, true);
    going = meet(++number) && (!code.own || meet(++number));
  }
  if (going) check(worker, ~all.rounds & 1, false);
  ended.fetch_add(1, std::memory_order_release); // pairs with done()
}

host_threads::host_threads(launch const& all, host_code const& code) : state_(std::make_shared<state>()) {
  state_->all = all;
  state_->code = code;
  for (unsigned thread = 0; thread < code.threads; ++thread)
    if (code.on_host >> thread & 1) state_->roles.push_back(thread);
  state_->counts.assign(all.host.workers, std::vector<unsigned long long>(counts_of(all.bits)));
  for (unsigned worker = 0; worker < all.host.workers; ++worker)
    std::thread([worker, shared = state_] { shared->work(worker); }).detach();
}

host_threads::~host_threads() { give_up(); }

bool host_threads::done() const { return state_->ended.load(std::memory_order_acquire) == state_->all.host.workers; }

unsigned host_threads::meetings() const {
  return std::atomic_ref(state_->all.host.meeting->begun.value).load(std::memory_order_relaxed);
}

void host_threads::give_up() { __atomic_store_n(&state_->given_up, 1, __ATOMIC_RELAXED); }

std::vector<unsigned long long> host_threads::counts() const {
  std::vector<unsigned long long> sum(counts_of(state_->all.bits));
  for (auto const& worker : state_->counts)
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += worker[i];
  return sum;
}

unsigned threads_on_host(host_code const& code) { return unsigned(std::popcount(code.on_host)); }

} // namespace litmus_runner
