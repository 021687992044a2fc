// SPDX-License-Identifier: Apache-2.0
//
// arriving: what the tests of latch and barrier share. Include after `import cudax.sync;`.
#pragma once

#include "pace.hpp"
#include "shared_objects.hpp"
#include "support/test.hpp"

#if !defined(__CUDA_ARCH__)
#include <cstdlib>
#endif

namespace cudax_test {
TESTS_BEGIN

/// At least the number of threads in every placement.
inline constexpr unsigned most_threads = 800;

/// The number of rounds of a test that checks data in each round.
constexpr unsigned rounds_of(unsigned threads) { return threads <= 8 ? 1000 : threads <= 300 ? 22 : 8; }

/// The number of phases of the tests for lost phases: 10'000, or the value of the environment variable
/// CUDAX_TEST_PHASES. Called on the host, by the constructor of a test's object.
inline unsigned phases_wanted() {
#if !defined(__CUDA_ARCH__)
  if (char const* const text = std::getenv("CUDAX_TEST_PHASES")) return unsigned(std::atoi(text));
#endif
  return 10'000;
}

/// Plain data that each thread writes before it arrives, and that others read after they have waited. There are two
/// sets: a set is written again only after a later phase, in which every thread had finished reading it.
struct slots {
  unsigned at[2][most_threads];

  void write(worker me, unsigned round) { at[round % 2][me.rank] = 1000 * round + me.rank; }

  /// Checks the data of threads near and far. Reading all of it would take most of the time.
  void check(worker me, unsigned round, context& test_) const {
    unsigned const others[] = {me.rank, (me.rank + 1) % me.size, (me.rank + me.size / 2) % me.size,
                               (me.rank + 1 + round % me.size) % me.size};
    for (unsigned other : others) CHECK_EQUAL(at[round % 2][other], 1000 * round + other);
  }
};

/// A barrier in the memory that the test runs on. The destructor destroys the barrier, because the next object of the
/// body is constructed in the same memory, and an mbarrier occupies that memory until it is invalidated.
template <class B> struct made_barrier {
  B& object;

  template <class... Argument>
  explicit made_barrier(context const& test_, Argument... argument) : object(make<B>(test_, argument...)) {}
  ~made_barrier() { destroy(&object); }
  made_barrier(made_barrier const&) = delete;
  made_barrier& operator=(made_barrier const&) = delete;
};

TESTS_END
} // namespace cudax_test
