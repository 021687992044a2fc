// SPDX-License-Identifier: Apache-2.0
//
// piped: what the tests of pipelines share. Include after `import cudax.sync;`.
#pragma once

#include "copying.hpp"

namespace cudax_test {
TESTS_BEGIN

/// How often a test fills a stage in one use of a pipeline.
inline constexpr unsigned batches = 7;

/// All threads of a placement as a group, synchronized by a barrier.
template <cudax::thread_scope S> struct all_threads {
  worker me;
  cudax::barrier<S>* meeting;

  unsigned size() const { return me.size; }
  unsigned thread_rank() const { return me.rank; }
  void sync() const { meeting->arrive_and_wait(); }
};

template <cudax::thread_scope Scope, unsigned char Stages> struct piped {
  static constexpr cudax::thread_scope scope = Scope;
  cudax::barrier<Scope> meeting;
  cudax::pipeline_shared_state<Scope, Stages> state;
  shared_objects<Scope> objects;
  cudax::atomic<unsigned, Scope> last{0u};

  bool make_group(worker me, context& test_) {
    return objects.make(me, test_, [&] { init(&meeting, me.size); });
  }
  all_threads<Scope> group(worker me) { return {me, &meeting}; }
  void end() { destroy(&meeting); }
  void verify(unsigned, context& test_) { CHECK_EQUAL(last.load(), 2u); }
};

TESTS_END
} // namespace cudax_test
