// SPDX-License-Identifier: Apache-2.0
//
// The table of registered memory when CUDA or the heap fails, and with many threads: no registration is leaked, and
// none ends too early.
#include "../../../runtime/memory/registration_table.hpp"
#include "../simulated/failing_heap.hpp"
#include "../simulated/simulated_machine.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <random>
#include <thread>
#include <vector>

using namespace cudax::runtime;
using cudax_test::failing_heap;
using cudax_test::simulated_machine;

namespace {

constexpr std::size_t page = 4096;
constexpr std::uintptr_t base = 0x5000'0000;

struct object {
  std::uintptr_t begin;
  std::size_t size;
};

/// Registers objects that share pages in every way, between pages that other code has registered, and releases them in
/// another order. Returns how many calls reported a failure.
int scenario(simulated_machine& machine, registration_table& table) {
  constexpr object objects[] = {{base + 2 * page + 8, 8}, {base + 2 * page + 100, page},
                                {base, 6 * page},         {base + 5 * page, 4 * page},
                                {base + 100, 8},          {base + page, 12 * page}};
  constexpr unsigned order[] = {2, 0, 5, 1, 4, 3};
  int failures = 0;
  unsigned long long tickets[std::size(objects)] = {};
  for (std::size_t i = 0; i < std::size(objects); ++i) {
    failure why;
    void* const device = table.add(objects[i].begin, objects[i].size, tickets[i], why);
    failures += why.code != 0;
    BOOST_TEST((why.code == 0) == (device != nullptr));
    BOOST_TEST((why.code == 0) == (tickets[i] != 0));
    if (device) BOOST_TEST(machine.is_registered(objects[i].begin, objects[i].size));
  }
  for (unsigned const i : order) {
    if (tickets[i] == 0) continue;
    failure why;
    table.remove(tickets[i], why);
    failures += why.code != 0;
    for (std::size_t k = 0; k < std::size(objects); ++k)
      if (i == k) tickets[k] = 0;
      else if (tickets[k]) BOOST_TEST(machine.is_registered(objects[k].begin, objects[k].size));
  }
  return failures;
}

} // namespace

BOOST_AUTO_TEST_SUITE(registration_faults)

BOOST_AUTO_TEST_CASE(a_failure_of_any_call_of_cuda_loses_nothing_else) {
  int k = 1;
  for (bool failed = true; failed; ++k) {
    simulated_machine machine;
    registration_table table(page);
    machine.others_register(base + 4 * page, page);
    machine.others_register(base + 9 * page + 8, 8);
    machine.fail_call(k, cuda::memory_allocation);
    int const failures = scenario(machine, table);
    failed = machine.failed();
    BOOST_TEST(failures <= 1, "call " << k);
    // Only the ranges that CUDA itself failed to unregister stay registered.
    BOOST_TEST(int(machine.registered_ranges()) == machine.unregister_failures(), "call " << k);
    BOOST_TEST(table.count().segments == 0u);
    BOOST_TEST(table.count().registrations == 0u);
    if (!failed) BOOST_TEST(failures == 0);
  }
  BOOST_TEST(k > 30); // the scenario makes this many calls
}

BOOST_AUTO_TEST_CASE(a_failing_release_is_reported_and_releases_the_rest) {
  simulated_machine machine;
  registration_table table(page);
  failure why;
  unsigned long long part = 0, whole = 0;
  table.add(base + page, 8, part, why);
  table.add(base, 3 * page, whole, why);
  BOOST_TEST(machine.registered_ranges() == 3u);
  failure of_part;
  table.remove(part, of_part);
  BOOST_TEST(of_part.code == 0);
  machine.fail_call(1, cuda::invalid_value);
  table.remove(whole, why);
  BOOST_TEST(why.code == cuda::invalid_value);
  BOOST_TEST(machine.registered_ranges() == 1u); // the range whose release failed
  BOOST_TEST(table.count().segments == 0u);
}

BOOST_AUTO_TEST_CASE(a_failure_of_any_allocation_leaks_nothing) {
  int k = 1;
  for (bool failed = true; failed; ++k) {
    simulated_machine machine;
    registration_table table(page);
    failure why;
    unsigned long long first = 0, second = 0;
    table.add(base + 2 * page, 8, first, why);
    BOOST_REQUIRE(why.code == 0);
    void* device = nullptr;
    {
      failing_heap const heap(k);
      device = table.add(base, 5 * page, second, why);
      failed = heap.failed();
    }
    if (failed) {
      BOOST_TEST(why.code == cuda::memory_allocation, "allocation " << k);
      BOOST_TEST(device == nullptr);
      BOOST_TEST(machine.registered_ranges() == 1u, "allocation " << k);
      BOOST_TEST(table.count().registrations == 1u);
    } else {
      BOOST_TEST(why.code == 0, why.sentence);
      table.remove(second, why);
    }
    table.remove(first, why);
    BOOST_TEST(machine.registered_ranges() == 0u);
  }
  BOOST_TEST(k > 4);
}

BOOST_AUTO_TEST_CASE(sixteen_threads_register_and_release_at_random) {
  unsigned seed = std::random_device()();
  if (char const* const given = std::getenv("CUDAX_TEST_SEED")) seed = unsigned(std::strtoul(given, nullptr, 0));
  BOOST_TEST_MESSAGE("CUDAX_TEST_SEED=" << seed);
  simulated_machine machine;
  registration_table table(page);
  constexpr std::size_t pages = 48;
  machine.others_register(base + 20 * page, 3 * page);

  std::vector<int> wrong(16);
  {
    std::vector<std::jthread> threads;
    threads.reserve(wrong.size());
    for (unsigned t = 0; t < wrong.size(); ++t)
      threads.emplace_back([&, t] {
        std::mt19937 random(seed + t);
        struct held {
          object what;
          unsigned long long ticket;
        };
        std::vector<held> mine;
        for (int step = 0; step < 2000; ++step) {
          if (mine.size() < 6 && random() % 2) {
            std::size_t const begin = random() % (pages * page - 1);
            std::size_t const limit = random() % 3 ? 64 : 8 * page;
            object const what{base + begin, 1 + random() % std::min(limit, pages * page - begin)};
            failure why;
            unsigned long long ticket = 0;
            void* const device = table.add(what.begin, what.size, ticket, why);
            wrong[t] += why.code != 0 || reinterpret_cast<std::uintptr_t>(device) != what.begin;
            if (ticket) mine.push_back({what, ticket});
          } else if (!mine.empty()) {
            std::size_t const which = random() % mine.size();
            for (held const& h : mine) wrong[t] += !machine.is_registered(h.what.begin, h.what.size);
            failure why;
            table.remove(mine[which].ticket, why);
            wrong[t] += why.code != 0;
            mine[which] = mine.back();
            mine.pop_back();
          }
        }
        for (held const& h : mine) {
          failure why;
          table.remove(h.ticket, why);
          wrong[t] += why.code != 0;
        }
      });
  }
  for (int const count : wrong) BOOST_TEST(count == 0, "seed " << seed);
  BOOST_TEST(machine.registered_ranges() == 0u);
  BOOST_TEST(table.count().segments == 0u);
  BOOST_TEST(machine.is_registered(base + 20 * page, 3 * page)); // pages registered by other code stay
}

BOOST_AUTO_TEST_SUITE_END()
