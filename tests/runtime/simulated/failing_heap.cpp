// SPDX-License-Identifier: Apache-2.0
//
// failing_heap: intercepts operator new and malloc. The program is linked with --wrap=_Znwm and --wrap=malloc, so that
// calls arrive here and continue to the real functions, of the standard library or of a sanitizer.
#include "failing_heap.hpp"

#include <cstddef>
#include <new>

namespace {
constinit thread_local cudax_test::planned_failure<bool> failure;
} // namespace

extern "C" void* __real__Znwm(std::size_t size);

extern "C" void* __real_malloc(std::size_t size);

extern "C" void* __wrap__Znwm(std::size_t size) {
  if (failure.next()) throw std::bad_alloc();
  return __real__Znwm(size);
}

extern "C" void* __wrap_malloc(std::size_t size) { return failure.next() ? nullptr : __real_malloc(size); }

namespace cudax_test {

failing_heap::failing_heap(int k) { failure.plan(k, true); }
failing_heap::~failing_heap() { failure.plan(0, true); }
bool failing_heap::failed() const { return failure.failed(); }

failing_heap::pause::pause() : paused_(failure) { failure.plan(0, true); }
failing_heap::pause::~pause() { failure = paused_; }

} // namespace cudax_test
