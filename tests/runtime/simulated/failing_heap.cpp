// SPDX-License-Identifier: Apache-2.0
//
// failing_heap: intercepts operator new and malloc. The program is linked with --wrap=_Znwm and --wrap=malloc, so that
// calls arrive here and continue to the real functions, of the standard library or of a sanitizer.
#include "failing_heap.hpp"

#include <cstddef>
#include <new>

namespace {
thread_local int countdown = 0;
thread_local bool did_fail = false;
} // namespace

extern "C" void* __real__Znwm(std::size_t size);

extern "C" void* __real_malloc(std::size_t size);

static bool fails() {
  if (countdown == 0 || --countdown != 0) return false;
  return did_fail = true;
}

extern "C" void* __wrap__Znwm(std::size_t size) {
  if (fails()) throw std::bad_alloc();
  return __real__Znwm(size);
}

extern "C" void* __wrap_malloc(std::size_t size) { return fails() ? nullptr : __real_malloc(size); }

namespace cudax_test {

failing_heap::failing_heap(int k) {
  did_fail = false;
  countdown = k;
}
failing_heap::~failing_heap() { countdown = 0; }
bool failing_heap::failed() const { return did_fail; }

failing_heap::pause::pause() : countdown_(countdown) { countdown = 0; }
failing_heap::pause::~pause() { countdown = countdown_; }

} // namespace cudax_test
