// SPDX-License-Identifier: Apache-2.0
//
// The table of shared memory: what lookups find, with any number of ranges, while ranges are added and removed, and in
// a signal handler that interrupts a thread that changes the table.
#include "../../../runtime/memory/shared_ranges.hpp"
#include "../../../runtime/memory/range_tree.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <pthread.h>
#include <random>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace cudax::runtime;

namespace {

constexpr unsigned many = 5000;
alignas(64) char memory[many][16];

sharing kind_at(void const* address) { return find_shared(address).kind; }

/// A range that is removed with this object.
class range {
  sharing kind_;
  unsigned long long key_;

public:
  range(sharing kind, unsigned long long key, void const* begin, std::size_t size, std::size_t object_size = 1)
    : kind_(kind), key_(key) {
    add_shared(kind, key, begin, size, object_size);
  }
  ~range() { remove_shared(kind_, key_); }
  range(range const&) = delete;
};

/// That many ranges, which begin at memory[i].
std::vector<std::unique_ptr<range>> ranges(unsigned count, std::size_t size = 16) {
  std::vector<std::unique_ptr<range>> made;
  made.reserve(count);
  for (unsigned i = 0; i < count; ++i)
    made.push_back(std::make_unique<range>(sharing::registered, 5000 + i, memory[i], size));
  return made;
}

std::atomic<bool> heap_is_empty = false;

} // namespace

// Access to the table's entries (CMakeLists.txt: --wrap).
extern "C" void* __real__ZnamSt11align_val_tRKSt9nothrow_t(std::size_t, std::align_val_t, std::nothrow_t const&);
extern "C" void* __real__ZnamRKSt9nothrow_t(std::size_t, std::nothrow_t const&);
extern "C" void* __wrap__ZnamSt11align_val_tRKSt9nothrow_t(std::size_t size, std::align_val_t alignment,
                                                           std::nothrow_t const& how) {
  return heap_is_empty ? nullptr : __real__ZnamSt11align_val_tRKSt9nothrow_t(size, alignment, how);
}
extern "C" void* __wrap__ZnamRKSt9nothrow_t(std::size_t size, std::nothrow_t const& how) {
  return heap_is_empty ? nullptr : __real__ZnamRKSt9nothrow_t(size, how);
}

BOOST_AUTO_TEST_SUITE(shared_ranges)

BOOST_AUTO_TEST_CASE(a_range_is_found_at_each_of_its_bytes_only) {
  static char around[48];
  char* const begin = around + 16;
  range const one(sharing::managed, 1, begin, 16, 4);
  for (int i = -1; i <= 16; ++i) {
    auto const found = find_shared(begin + i);
    BOOST_TEST((found.kind == (i >= 0 && i < 16 ? sharing::managed : sharing::none)), i);
    if (found.kind == sharing::none) continue;
    BOOST_TEST(found.begin == reinterpret_cast<std::uintptr_t>(begin));
    BOOST_TEST(found.end == found.begin + 16);
    BOOST_TEST(found.object_size == 4u);
  }
}

BOOST_AUTO_TEST_CASE(thousands_of_ranges_are_found) {
  auto all = ranges(many, 15);
  unsigned known = 0, too_many = 0;
  for (auto const& bytes : memory) {
    known += kind_at(bytes) == sharing::registered && kind_at(bytes + 14) == sharing::registered;
    too_many += kind_at(bytes + 15) != sharing::none;
  }
  BOOST_TEST(known == many);
  BOOST_TEST(too_many == 0u);
  for (unsigned i = 0; i < many; i += 2) all[i].reset();
  known = too_many = 0;
  for (unsigned i = 0; i < many; ++i) (i % 2 ? known : too_many) += kind_at(memory[i]) == sharing::registered;
  BOOST_TEST(known == many / 2);
  BOOST_TEST(too_many == 0u);
  all.clear();
  for (auto const& bytes : memory) known -= kind_at(bytes) == sharing::none;
  BOOST_TEST(known + many / 2 == 0u); // no range remains
}

BOOST_AUTO_TEST_CASE(every_range_has_a_unique_key) {
  range const registered(sharing::registered, 7, memory[0], 16), other(sharing::registered, 8, memory[1], 16);
  {
    range const mapped(sharing::mapped, 7, memory[2], 16);
    BOOST_TEST((kind_at(memory[2]) == sharing::mapped));
  }
  BOOST_TEST((kind_at(memory[2]) == sharing::none));
  BOOST_TEST((kind_at(memory[0]) == sharing::registered));
  remove_shared(sharing::managed, 7);
  remove_shared(sharing::registered, 9);
  BOOST_TEST((kind_at(memory[0]) == sharing::registered && kind_at(memory[1]) == sharing::registered));
}

// Objects contain one another, overlap, and are registered repeatedly.
BOOST_AUTO_TEST_CASE(overlapping_ranges_are_found_as_by_a_linear_search) {
  auto const seed = std::random_device()();
  BOOST_TEST_MESSAGE("seed " << seed);
  std::mt19937 random(seed);
  struct listed {
    unsigned begin, end;
  };
  std::vector<std::unique_ptr<range>> alive;
  std::vector<listed> list;
  constexpr unsigned bytes = 1024;
  auto* const base = reinterpret_cast<char*>(memory);
  for (int step = 0; step < 400; ++step) {
    if (list.size() > 100 || (!list.empty() && random() % 3 == 0)) {
      std::size_t const i = random() % list.size();
      std::swap(list[i], list.back());
      std::swap(alive[i], alive.back());
      list.pop_back();
      alive.pop_back();
    } else {
      unsigned const begin = random() % bytes, longest = random() % 8 == 0 ? bytes : 40;
      unsigned const size = std::min(bytes - begin, unsigned(random() % longest));
      list.push_back({begin, begin + size});
      alive.push_back(std::make_unique<range>(sharing::mapped, 100'000 + unsigned(step), base + begin, size));
    }
    unsigned wrong = 0;
    for (unsigned at = 0; at < bytes; ++at) {
      bool expected = false;
      for (auto const& [begin, end] : list) expected |= at >= begin && at < end;
      wrong += expected != (kind_at(base + at) == sharing::mapped);
    }
    BOOST_TEST(wrong == 0u, "seed " << seed << ", step " << step);
    if (wrong) break;
  }
}

BOOST_AUTO_TEST_CASE(lookups_are_correct_while_ranges_are_added_and_removed) {
  // Of every five places, one stays shared, one never is, and two threads add and remove ranges at the others.
  std::vector<std::unique_ptr<range>> stay;
  for (unsigned i = 0; i < many; i += 5)
    stay.push_back(std::make_unique<range>(sharing::registered, 5000 + i, memory[i], 16));
  std::atomic<bool> stop = false;
  std::atomic<long> missed = 0, invented = 0, lookups = 0;
  {
    std::vector<std::jthread> threads;
    threads.reserve(2);
    for (unsigned t = 0; t < 2; ++t)
      threads.emplace_back([&, t] {
        std::mt19937 random(t);
        while (!stop) {
          unsigned const first = random() % (many / 5) * 5 + 2 + t; // and at the place before it in the tree
          range const one(sharing::mapped, 20'000 + t, memory[first], 16),
              two(sharing::mapped, 30'000 + t, memory[0], 1);
        }
      });
    for (unsigned t = 0; t < 2; ++t)
      threads.emplace_back([&, t] {
        std::mt19937 random(100 + t);
        while (!stop) {
          unsigned const first = random() % (many / 5) * 5;
          missed += kind_at(memory[first] + 15) == sharing::none;
          invented += kind_at(memory[first + 1]) != sharing::none;
          ++lookups;
        }
      });
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    while (lookups < 1000) std::this_thread::yield();
    stop = true;
  }
  BOOST_TEST(missed == 0);
  BOOST_TEST(invented == 0);
}

BOOST_AUTO_TEST_CASE(a_lookup_disturbed_by_a_change_reports_it) {
  using result = range_tree::result;
  auto const quiet = [](range_tree::entry&) {};
  for (int which : {0, 1}) {
    range_tree tree(which);
    range_tree::entry entries[3];
    for (unsigned i = 0; i < 3; ++i) {
      entries[i].begin = 10 * i;
      entries[i].end = 10 * i + 5;
    }
    tree.insert(entries[0], 1);
    BOOST_TEST((tree.find(3, [&](auto&) { tree.insert(entries[1], 2); }) == result::disturbed));
    BOOST_TEST((tree.find(3, quiet) == result::found && tree.find(7, quiet) == result::absent));
    BOOST_TEST((tree.find(12, [&](auto&) { tree.erase(entries[0]); }) == result::disturbed));
    BOOST_TEST((tree.find(3, quiet) == result::absent && tree.find(14, quiet) == result::found));
  }
}

namespace {
std::atomic<long> handled = 0, missed_in_handler = 0;
void look_up_in_handler(int) {
  missed_in_handler += kind_at(memory[0]) != sharing::registered || kind_at(memory[1]) != sharing::none;
  ++handled;
}
} // namespace

// A lookup that waited for the change would wait for the very thread that it interrupts.
BOOST_AUTO_TEST_CASE(a_signal_handler_that_interrupts_a_change_finds_the_other_ranges) {
  struct sigaction before{}, action{};
  action.sa_handler = look_up_in_handler;
  BOOST_REQUIRE(sigaction(SIGUSR1, &action, &before) == 0);
  handled = missed_in_handler = 0;
  {
    range const stays(sharing::registered, 1, memory[0], 16);
    std::atomic<bool> stop = false;
    std::thread changer([&] {
      while (!stop) {
        std::vector<std::unique_ptr<range>> more;
        for (unsigned i = 2; i < 50; ++i)
          more.push_back(std::make_unique<range>(sharing::mapped, 5000 + i, memory[i], 16));
      }
    });
    // A thread that changes the table continuously is inside a change at most signals. If a handler never returns, the
    // test's time limit ends it.
    auto const limit = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    while (handled < 50 || (handled < 1000 && std::chrono::steady_clock::now() < limit)) {
      long const before = handled;
      pthread_kill(changer.native_handle(), SIGUSR1);
      while (handled == before) std::this_thread::yield();
    }
    stop = true;
    changer.join();
  }
  sigaction(SIGUSR1, &before, nullptr);
  BOOST_TEST(missed_in_handler == 0);
}

BOOST_AUTO_TEST_CASE(a_mark_for_a_removed_range_has_no_effect) {
  shared_range old;
  {
    range const first(sharing::mapped, 1, memory[0], 16);
    old = find_shared(memory[0]);
    BOOST_TEST(mark_shared(old, 3) == 0);
    BOOST_TEST(mark_shared(old, 6) == 3);
    unmark_shared(old, 1);
    BOOST_TEST(mark_shared(find_shared(memory[0]), 0) == 6);
  }
  range const second(sharing::mapped, 1, memory[0], 16); // in the same entry
  BOOST_TEST(find_shared(memory[0]).entry == old.entry);
  BOOST_TEST(mark_shared(old, 1) == 255);
  unmark_shared(old, 255);
  BOOST_TEST(mark_shared(find_shared(memory[0]), 0) == 0);
}

BOOST_AUTO_TEST_CASE(a_range_is_unknown_if_the_table_cannot_grow) {
  std::vector<std::unique_ptr<range>> all;
  heap_is_empty = true;
  auto* const base =
      reinterpret_cast<char*>(std::uintptr_t{1} << 40); // addresses only; earlier ranges have left entries
  unsigned known = 0;
  while (known == all.size() && known < 100'000) {
    all.push_back(std::make_unique<range>(sharing::registered, known, base + known, 1));
    known += kind_at(base + known) == sharing::registered;
  }
  heap_is_empty = false;
  BOOST_TEST(known < 100'000u);
  BOOST_TEST((kind_at(base) == sharing::registered && kind_at(base + known - 1) == sharing::registered));
  all.clear(); // the unknown range, too
  BOOST_TEST((kind_at(base) == sharing::none));
  range const again(sharing::registered, 1, base + known, 1);
  BOOST_TEST((kind_at(base + known) == sharing::registered));
}

BOOST_AUTO_TEST_CASE(a_child_of_fork_can_use_the_table) {
  std::atomic<bool> stop = false;
  std::jthread const changer([&] {
    while (!stop) range const comes_and_goes(sharing::mapped, 1, memory[0], 16);
  });
  for (int round = 0; round < 50; ++round) {
    pid_t const child = fork();
    BOOST_REQUIRE(child >= 0);
    if (child == 0) {
      alarm(60); // ends a child that hangs
      range const own(sharing::managed, 2, memory[1], 16);
      _exit(kind_at(memory[1]) == sharing::managed ? 0 : 1);
    }
    int status = 0;
    BOOST_REQUIRE(waitpid(child, &status, 0) == child);
    BOOST_TEST((WIFEXITED(status) && WEXITSTATUS(status) == 0), "status " << status);
  }
  stop = true;
}

BOOST_AUTO_TEST_SUITE_END()
