// SPDX-License-Identifier: Apache-2.0
//
// [atomics.wait] wait_for (P2643)
#include "support/test.hpp"
import cudax.sync;
#include "support/lists.hpp"
#include "support/waiting.hpp"
#include <chrono>
#include <time.h>

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

namespace chrono = std::chrono;
using thirds = chrono::duration<int, std::ratio<1, 3000>>;
using odd = chrono::duration<short, std::ratio<7, 20'000>>;

TEST("wait_for times out after its duration, not before") {
  auto& a = make<atomic<int>>(test_, 1);
  auto const check = [&](auto length, long long nanoseconds) {
    check_times_out(test_, nanoseconds, [&] { return a.wait_for(1, length); });
  };
  check(chrono::nanoseconds(1'500'000), 1'500'000);
  check(chrono::microseconds(1'500), 1'500'000);
  check(chrono::milliseconds(2), 2'000'000);
  check(chrono::duration<signed char, std::milli>(2), 2'000'000);
  check(chrono::duration<unsigned, std::micro>(900), 900'000);
  check(chrono::duration<unsigned long long, std::pico>(800'000'000), 800'000);
  check(chrono::duration<float, std::milli>(1.5f), 1'500'000);
  check(chrono::duration<double>(0.001), 1'000'000);
  check(thirds(4), 1'333'333);
  check(odd(3), 1'050'000);
  check(cudax::nanoseconds(1'100'000), 1'100'000);
}

TEST("wait_for with no time left checks the value once") {
  auto& a = make<atomic<int>>(test_, 1);
  auto const check = [&](auto length) {
    check_times_out(test_, 0, [&] { return a.wait_for(1, length); });
    CHECK(a.wait_for(2, length));
  };
  check(chrono::seconds(0));
  check(chrono::seconds(-1));
  check(chrono::hours::min());
  check(chrono::duration<double>(-1.0));
  check(chrono::duration<double>(0.0));
  check(chrono::duration<double>(__builtin_nan("")));
  check(cudax::nanoseconds(0));
  check(cudax::nanoseconds(-5));
}

TEST("wait_for returns immediately if the value differs: every type, scope and order") {
  for_each_type_then_scope<int>(values(), [&]<class T, thread_scope S>() {
    auto& a = make<atomic<T, S>>(test_, sample<T>(0));
    CHECK(a.wait_for(sample<T>(1), chrono::hours(1)));
    CHECK(!a.wait_for(sample<T>(0), chrono::seconds(0)));
    for_each_load_order([&](memory_order order) {
      CHECK(a.wait_for(sample<T>(1), chrono::hours(1), order));
      CHECK((atomic_ref<T, S>(*a.address()).wait_for(sample<T>(1), chrono::hours(1), order)));
      CHECK(!a.wait_for(sample<T>(0), chrono::seconds(0), order));
    });
  });
}

TEST("the longest durations do not overflow") {
  auto& a = make<atomic<int>>(test_, 1);
  CHECK(a.wait_for(2, chrono::hours::max()));
  CHECK(a.wait_for(2, chrono::nanoseconds::max()));
  CHECK(a.wait_for(2, chrono::duration<double>(__builtin_inf())));
  CHECK(a.wait_for(2, chrono::duration<unsigned long long>(~0ull)));
}

TEST("wait_for compares bits: NaN equals itself") {
  for_each_type(floats(), [&]<class T>() {
    auto& a = make<atomic<T>>(test_, quiet_nan<T>());
    CHECK(!a.wait_for(quiet_nan<T>(), chrono::nanoseconds(1)));
    CHECK(a.wait_for(quiet_nan<T>(1), chrono::hours(1)));
  });
}

/// A change and notify_all end waits of any duration, long before the timeout.
template <class T, thread_scope Scope> struct woken_in_time {
  static constexpr thread_scope scope = Scope;
  atomic<T, Scope> value{T(0)};
  atomic<unsigned, Scope> woken{0u};

  void run(worker me, context& test_) {
    if (me.rank == 0) {
      linger();
      value.store(T(1));
      value.notify_all();
      return;
    }
    bool changed = false;
    if (me.rank % 4 == 0) changed = value.wait_for(T(0), chrono::hours::max());
    if (me.rank % 4 == 1) changed = value.wait_for(T(0), chrono::minutes(5), memory_order_acquire);
    if (me.rank % 4 == 2) changed = value.wait_for(T(0), chrono::duration<double>(__builtin_inf()));
    if (me.rank % 4 == 3) changed = value.wait_for(T(0), cudax::nanoseconds(3'600'000'000'000));
    CHECK(changed);
    CHECK_EQUAL(value.load(memory_order_relaxed), T(1));
    woken.fetch_add(1);
  }
  void verify(unsigned threads, context& test_) { CHECK_EQUAL(woken.load(), threads - 1); }
};
CONCURRENT_TEST("a change ends wait_for before the timeout: 8 bits, block",
                woken_in_time<unsigned char, thread_scope_block>)
CONCURRENT_TEST("a change ends wait_for before the timeout: 32 bits, device", woken_in_time<int, thread_scope_device>)
CONCURRENT_TEST("a change ends wait_for before the timeout: 64 bits, system",
                woken_in_time<long long, thread_scope_system>)

/// Processor time of the calling thread, in nanoseconds.
inline long long processor_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1'000'000'000ll + now.tv_nsec;
}

template <class T, thread_scope Scope> void check_leaves_the_processor(context& test_) {
  atomic<T, Scope> a(T{});
  long long const before = processor_time();
  check_times_out(test_, 200'000'000, [&] { return a.wait_for(T{}, chrono::milliseconds(200)); });
  CHECK(processor_time() - before < 60'000'000);
}

/// A size that takes a lock; the value and its lock share a cache line.
struct small_and_locked {
  char at[3];
};

HOST_TEST("a long wait on the host does not keep the processor busy") {
  check_leaves_the_processor<int, thread_scope_device>(test_);
  check_leaves_the_processor<int, thread_scope_system>(test_);
  check_leaves_the_processor<small_and_locked, thread_scope_device>(test_);
  check_leaves_the_processor<small_and_locked, thread_scope_system>(test_);
}

TESTS_END
