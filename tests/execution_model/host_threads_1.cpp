// SPDX-License-Identifier: Apache-2.0
//
// host.threads.1: a host thread may be assumed to terminate. The threads here only compute, each for another number of
// steps, and terminate. All of them must be joined, with their results.
#include "example.hpp"

#include <thread>
#include <vector>

using namespace execution_model;

/// Returns the sum of 1 to n modulo 2^32, one addition at a time.
static unsigned sum_to(unsigned n) {
  unsigned sum = 0;
  for (unsigned i = 1; i <= n; ++i) sum += i;
  return sum;
}

static end run() {
  started();
  unsigned found[8] = {};
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < 8; ++i) threads.emplace_back([&found, i] { found[i] = sum_to(i * 100'000); });
  }
  for (unsigned long long i = 0; i < 8; ++i)
    if (unsigned long long const n = i * 100'000; found[i] != unsigned(n * (n + 1) / 2)) return end::wrong;
  return end::right;
}

static example const here("host.threads.1", "the threads terminate", run);
