// SPDX-License-Identifier: Apache-2.0
//
// 64 threads register objects at random for CUDAX_TEST_SECONDS (3): static objects, on the heap, on their stacks,
// objects that share pages or contain one another. Also under the address and the thread sanitizer (tools/test).
// CUDAX_TEST_SECONDS=60 runs for a minute.
#include "../../../runtime/cuda/cuda_calls.hpp"
#include "../simulated/simulated_machine.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <random>
#include <thread>
#include <utility>
#include <vector>

import cudax.sync.host;

using cudax::registered;

namespace {

constexpr unsigned thread_count = 64;

struct object {
  int words[5]; // not a power of two: some objects cross the ends of pages
};

alignas(4096) std::array<object, 3000> static_objects;

template <class T> T setting(char const* name, T otherwise) {
  char const* const given = std::getenv(name);
  return given ? static_cast<T>(std::strtod(given, nullptr)) : otherwise;
}

class participant {
public:
  participant(cudax_test::simulated_machine const& machine, std::vector<object>& heap, unsigned seed)
    : machine_(machine), heap_(heap), random_(seed) {}

  /// One step: a registration begins, ends, moves or is repeated. Then checks that all registrations of this thread
  /// still exist.
  void step() {
    switch (random_() % 8) {
    case 0:
    case 1: add(registered<object[]>(any(static_objects), 1 + random_() % 3)); break;
    case 2: add(registered<object[]>(any(heap_), 1 + random_() % 900)); break;
    case 3:
      if (!alive_.empty()) add(registered<object[]>(one().get(), one_size_)); // registers the same object again
      break;
    case 4:
      if (alive_.size() > 1) std::swap(alive_.front(), alive_[random_() % alive_.size()]);
      break;
    case 5: {
      object on_stack{};
      registered<object> const r(on_stack);
      wrong += !is_alive(r.get(), 1) || r.device_pointer() != &on_stack;
      break;
    }
    default:
      if (!alive_.empty()) {
        std::swap(alive_[random_() % alive_.size()], alive_.back());
        alive_.pop_back();
      }
    }
    if (alive_.size() > 12) alive_.clear();
    for (auto const& r : alive_) wrong += !is_alive(r.get(), r.size());
    ++steps;
  }

  int wrong = 0;
  long steps = 0;

private:
  void add(registered<object[]> r) {
    wrong += r.device_pointer() != r.get();
    alive_.push_back(std::move(r));
  }
  object* any(auto& objects) { return objects.data() + random_() % (objects.size() - 1000); }
  registered<object[]>& one() {
    auto& r = alive_[random_() % alive_.size()];
    one_size_ = r.size();
    return r;
  }
  bool is_alive(object const* at, std::size_t count) const {
    return machine_.is_registered(reinterpret_cast<std::uintptr_t>(at), count * sizeof(object));
  }

  cudax_test::simulated_machine const& machine_;
  std::vector<object>& heap_;
  std::mt19937 random_;
  std::vector<registered<object[]>> alive_;
  std::size_t one_size_ = 0;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(registration_storm, cudax_test::simulated_machine)

BOOST_AUTO_TEST_CASE(sixty_four_threads_register_at_random) {
  auto const seed = setting<unsigned>("CUDAX_TEST_SEED", std::random_device()());
  auto const seconds = setting<double>("CUDAX_TEST_SECONDS", 3);
  BOOST_TEST_MESSAGE("CUDAX_TEST_SEED=" << seed << " CUDAX_TEST_SECONDS=" << seconds);
  std::vector<object> heap(4000);
  std::atomic<long> steps = 0;
  std::atomic<int> wrong = 0, failed = 0;
  auto const end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  {
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < thread_count; ++t)
      threads.emplace_back([&, t] {
        try {
          participant one(*this, heap, seed + t);
          do one.step();
          while (std::chrono::steady_clock::now() < end);
          steps += one.steps;
          wrong += one.wrong;
        } catch (cudax::cuda_error const&) {
          ++failed;
        }
      });
  }
  BOOST_TEST(wrong == 0, "seed " << seed);
  BOOST_TEST(failed == 0, "seed " << seed);
  BOOST_TEST(steps >= long(thread_count));
  BOOST_TEST(registered_ranges() == 0u);
  BOOST_TEST_MESSAGE(steps << " steps");
}

BOOST_AUTO_TEST_SUITE_END()
