// SPDX-License-Identifier: Apache-2.0
//
// host.threads.5: a loop of atomic operations makes progress. First two threads take turns by an atomic object, each of
// which waits for the other; both must end. Then a thread adds to an atomic object in an endless loop. The compiler may
// not remove the loop, and another thread must see the object change.
// The objects have static storage duration. The clause has no exception for automatic storage duration, but clang 22
// removes such a loop (as that of device.3) in host code, too.
#include "endless_loop.hpp"

using namespace execution_model;

constexpr int turns = 100;
static std::atomic<int> turn = 0;
static std::atomic<unsigned long long> additions = 0;

static void take_turns(int remainder) {
  for (int i = remainder; i < turns; i += 2) {
    while (turn.load(std::memory_order_relaxed) != i) {}
    turn.store(i + 1, std::memory_order_relaxed);
  }
}

static end run() {
  started();
  std::thread even(take_turns, 0), odd(take_turns, 1);
  even.join();
  odd.join();
  if (turn != turns) return end::wrong;
  end const result = keeps_running([] {
    while (true) additions.fetch_add(1, std::memory_order_relaxed);
  });
  if (result == end::right)
    for (auto const before = additions.load(); additions.load() == before;) {}
  return result;
}

static example const here("host.threads.5", "the threads perform atomic operations", run);
