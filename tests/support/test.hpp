// SPDX-License-Identifier: Apache-2.0
//
// test: test bodies that run on the host and on a device.
//
// A `.run.cpp` file is compiled twice: as plain C++, where its bodies run on the host, and as CUDA, where they run on
// the host and, in kernels, on the device. The checks of a body write failures to a report that the device can write
// and the host reads. This header does not use the library that is tested. Boost.Test, which runs the list of tests
// (main.cpp), is not included in files that clang compiles for a device.
//
//   TESTS_BEGIN
//   TEST("store replaces the value") {                      // one thread
//     auto& a = make<atomic<int>>(test_, 1);                // on a device: in local, global and shared memory in turn
//     a.store(2);
//     CHECK_EQUAL(a.load(), 2);
//   }
//   struct increments {                                     // many threads, on one object of this type
//     static constexpr thread_scope scope = thread_scope_device;
//     atomic<int, scope> count;
//     void run(worker me, context& test_) { count.fetch_add(1); AWAIT(count.load() == int(me.size)); }
//     void verify(unsigned threads, context& test_) { CHECK_EQUAL(count.load(), threads); }  // on the host, afterwards
//     void end();  // optional: one thread calls it after all have run, before an object in shared memory is copied
//   };
//   CONCURRENT_TEST("every increment counts", increments)
//   TESTS_END
//
// The scope of a concurrent test decides where its threads run:
//   every scope    host threads; one warp
//   block scope    also one block, with the object in shared memory
//   cluster scope  also a cluster of blocks
//   device scope   also several blocks
//   system scope   also several blocks
//                  host and device together, with the object in managed memory
//                  two grids, with the object in the memory of one device
//                  two grids and host threads, with the object in managed memory
// Two grids run on two devices if there are two. All threads of a test run at the same time, and every placement has an
// even number of threads.
//
// No test waits indefinitely: AWAIT fails after time_limit, and main.cpp ends a program whose test does not return.
#pragma once

#if defined(__CUDA__)
#define TESTS_BEGIN _Pragma("clang force_cuda_host_device begin")
#define TESTS_END _Pragma("clang force_cuda_host_device end")
#else
#define TESTS_BEGIN
#define TESTS_END
#endif

namespace cudax_test {
/// Selects the placement new below. With <new> a test would depend on the order of includes and imports.
struct in_place {};
} // namespace cudax_test

TESTS_BEGIN
inline void* operator new(decltype(sizeof(0)), void* at, cudax_test::in_place) noexcept { return at; }
TESTS_END

namespace cudax_test {
TESTS_BEGIN

// --- reports ---------------------------------------------------------------------------------------------------------

/// The failures of one test, in memory that host and device share. Text is copied, because the host cannot read a
/// device's literals.
struct report {
  struct failure {
    int line;
    char const* memory; // a literal of the host, or null
    char file[80];      // below tests/
    char expression[200];
    char values[120];
  };
  static constexpr int kept = 8;

  int checked;  // not 0 if the test has checked anything; a test that checks nothing fails
  int failures; // the number of all failures; only the first are kept
  failure first[kept];
};

/// The argument of a body: where it reports, and memory for the object that it tests.
struct context {
  static constexpr int memory_size = 256;

  report* result;
  void* memory;            // aligned to 16 bytes
  char const* memory_name; // a literal of the host, or null
};

/// Makes an object in the memory of the context. A body has one such object at a time.
template <class T, class... Argument>
T& make(context const& test_, Argument... argument) {
  static_assert(sizeof(T) <= context::memory_size && alignof(T) <= 16);
  struct made {
    T object;
  };
  return __builtin_launder(::new (test_.memory, in_place()) made{T(argument...)})->object;
}

/// As make, without an initializer (`T object;`), in memory whose bytes are not zero.
template <class T>
T& make_bare(context const& test_) {
  static_assert(sizeof(T) <= context::memory_size && alignof(T) <= 16);
  __builtin_memset(test_.memory, 0xff, context::memory_size);
  return *::new (test_.memory, in_place()) T;
}

struct text_writer {
  char* at;
  char* end;

  void put(char c) {
    if (at < end) *at++ = c;
    *at = 0;
  }
  void put(char const* text) {
    while (*text) put(*text++);
  }
  void put_hex(void const* bytes, int size) {
    put("0x");
    for (int i = size; i-- > 0;) {
      unsigned char const byte = static_cast<unsigned char const*>(bytes)[i];
      put("0123456789abcdef"[byte >> 4]);
      put("0123456789abcdef"[byte & 15]);
    }
  }
};

/// The source position and the text of a check.
struct check_location {
  char const* file;
  int line;
  char const* expression;
};

/// Returns the part of a path after tests/. A check may be in a header that several files include.
inline char const* below_tests(char const* path) {
  char const* found = path;
  for (char const* at = path; *at; ++at) {
    char const* name = "/tests/";
    char const* here = at;
    while (*name && *here == *name) ++name, ++here;
    if (!*name) found = here;
  }
  return found;
}

// Not inlined: a test is compiled for several SMs, and inlined checks would be most of its code.
[[clang::noinline]] inline report::failure* add_failure(context const& test_, check_location at) {
  int const index = __atomic_fetch_add(&test_.result->failures, 1, __ATOMIC_RELAXED);
  if (index >= report::kept) return nullptr;
  report::failure& entry = test_.result->first[index];
  entry.line = at.line;
  entry.memory = test_.memory_name;
  text_writer{entry.file, entry.file + sizeof(entry.file) - 1}.put(below_tests(at.file));
  text_writer{entry.expression, entry.expression + sizeof(entry.expression) - 1}.put(at.expression);
  entry.values[0] = 0;
  return &entry;
}

[[clang::noinline]] inline void add_failure(context const& test_, check_location at, void const* a, int a_size,
                                            void const* b, int b_size) {
  report::failure* const entry = add_failure(test_, at);
  if (!entry) return;
  text_writer out{entry->values, entry->values + sizeof(entry->values) - 1};
  out.put_hex(a, a_size < 24 ? a_size : 24);
  out.put(" against ");
  out.put_hex(b, b_size < 24 ? b_size : 24);
}

/// Notes that the test has checked something. Several threads may call it at the same time.
inline void note_check(context const& test_) { __atomic_store_n(&test_.result->checked, 1, __ATOMIC_RELAXED); }

[[clang::noinline]] inline void check(context const& test_, check_location at, bool holds) {
  note_check(test_);
  if (!holds) add_failure(test_, at);
}

/// Reports unequal values as bytes, the most significant byte first.
template <class A, class B>
[[clang::noinline]] void check_equal(context const& test_, check_location at, A const& a, B const& b) {
  note_check(test_);
  if (!(a == b)) add_failure(test_, at, &a, sizeof(a), &b, sizeof(b));
}

[[clang::noinline]] inline void check_bytes(context const& test_, check_location at, void const* a, void const* b,
                                            int size) {
  note_check(test_);
  bool same = true;
  for (int i = 0; i < size; ++i) same &= static_cast<char const*>(a)[i] == static_cast<char const*>(b)[i];
  if (!same) add_failure(test_, at, a, size, b, size);
}

template <class T>
void check_same(context const& test_, check_location at, T const& a, T const& b) {
  check_bytes(test_, at, &a, &b, sizeof(T));
}

#define TEST_PLACE_(text)                                                                                              \
  ::cudax_test::check_location { __FILE__, __LINE__, text }
// Variadic, so that an expression may contain commas. `test_` is the context of the body.
#define CHECK(...) ::cudax_test::check(test_, TEST_PLACE_(#__VA_ARGS__), static_cast<bool>(__VA_ARGS__))
#define CHECK_EQUAL(...) ::cudax_test::check_equal(test_, TEST_PLACE_("equal: " #__VA_ARGS__), __VA_ARGS__)
/// Compares two values of one type by their bytes: a NaN equals itself, and 0.0 differs from -0.0.
#define CHECK_SAME(...) ::cudax_test::check_same(test_, TEST_PLACE_("same: " #__VA_ARGS__), __VA_ARGS__)

// --- waiting with a limit --------------------------------------------------------------------------------------------

TESTS_END
/// Defined in main.cpp: nanoseconds of CLOCK_MONOTONIC; yielding the processor.
long long host_now();
void host_yield();
TESTS_BEGIN

/// Returns nanoseconds of a clock that is not the library's.
[[clang::noinline]] inline long long now() {
#if defined(__CUDA_ARCH__)
  long long time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
#else
  return host_now();
#endif
}

/// Nanoseconds. The limit does not test speed: it only ends a test whose other thread never arrives, also on a busy
/// machine.
inline constexpr long long time_limit = 300'000'000'000;

/// Limits how long a thread polls for another thread; yields at intervals.
class poll_budget {
  long long end_ = 0;
  int polls_ = 0;

public:
  [[clang::noinline]] bool ended() {
    if (++polls_ % 64 != 0) return false;
#if !defined(__CUDA_ARCH__)
    host_yield();
#endif
    if (end_ == 0) end_ = now() + time_limit;
    return now() > end_;
  }
};

/// Polls until the expression is true; after time_limit fails the test and returns from the body.
#define AWAIT(...)                                                                                                     \
  for (::cudax_test::poll_budget budget_; !(__VA_ARGS__);)                                                             \
    if (budget_.ended()) {                                                                                             \
      ::cudax_test::check(test_, TEST_PLACE_("became true in time: " #__VA_ARGS__), false);                            \
      return;                                                                                                          \
    }

// --- types and values to run a body over -----------------------------------------------------------------------------

template <class... T>
struct types {};

/// f.operator()<T>() for each type.
template <class... T, class F>
void for_each_type(types<T...>, F f) {
  (f.template operator()<T>(), ...);
}

/// f.operator()<V>() for each value.
template <auto... V, class F>
void for_each_value(F f) {
  (f.template operator()<V>(), ...);
}

/// Returns how often a concurrent test repeats its rounds. The few threads of a host rarely run the same code at the
/// same time, and some milliseconds pass before all of them run.
constexpr unsigned repeats(unsigned threads) { return threads <= 8 ? 2000 : 1; }

/// One thread of a concurrent test.
struct worker {
  unsigned rank;
  unsigned size;
};

TESTS_END

/// Runs a body in one thread on the host.
template <void (*Body)(context&)>
void run_on_host(report& result) {
  alignas(16) char memory[context::memory_size];
  context test{&result, memory, nullptr};
  Body(test);
}

// --- registration ----------------------------------------------------------------------------------------------------

enum class side { host, device };

/// A test on the list that main.cpp runs. `run` gets a cleared report.
struct test_case {
  char const* file;
  int line;
  char const* title;
  char const* placement; // where the threads of a concurrent test run, for messages
  side where;
  void (*run)(report&);
  test_case* next = nullptr;

  test_case(char const* file, int line, char const* title, char const* placement, side where, void (*run)(report&));
};

/// Runs body(context, rank) in `threads` host threads at the same time. Defined in main.cpp.
void run_host_threads(unsigned threads, void (*body)(void* context, unsigned rank), void* context);

inline constexpr unsigned host_threads = 4;

template <class State>
struct host_run {
  State state;
  context test;
  unsigned first_rank;
  unsigned size;

  static void body(void* context, unsigned rank) {
    auto* const run = static_cast<host_run*>(context);
    run->state.run(worker{run->first_rank + rank, run->size}, run->test);
  }
};

template <class State>
void run_concurrently_on_host(report& result) {
  host_run<State> run{State(), context{&result, nullptr, nullptr}, 0, host_threads};
  run_host_threads(host_threads, host_run<State>::body, &run);
  run.state.verify(host_threads, run.test);
}

} // namespace cudax_test

#define TEST_CONCAT_(a, b) a##b
#define TEST_CONCAT(a, b) TEST_CONCAT_(a, b)
#define TEST_CASE_(suffix, ...)                                                                                        \
  static ::cudax_test::test_case TEST_CONCAT(TEST_CONCAT(case_, __LINE__), suffix)(__FILE__, __LINE__, __VA_ARGS__);

#if defined(__CUDA__)
#include "device_runner.hpp"
#else
#define TEST_DEVICE_CASES_(title, body)
#define TEST_DEVICE_CONCURRENT_CASES_(title, ...)
#endif

/// A test of one thread: TEST("title") { body }
#define TEST(title)                                                                                                    \
  static void TEST_CONCAT(body_, __LINE__)([[maybe_unused]] ::cudax_test::context & test_);                            \
  TEST_CASE_(h, title, "", ::cudax_test::side::host, ::cudax_test::run_on_host<TEST_CONCAT(body_, __LINE__)>)          \
  TEST_DEVICE_CASES_(title, TEST_CONCAT(body_, __LINE__))                                                              \
  static void TEST_CONCAT(body_, __LINE__)([[maybe_unused]] ::cudax_test::context & test_)

/// A test of one thread that runs only on the host. It is outside TESTS_BEGIN and TESTS_END.
#define HOST_TEST(title)                                                                                               \
  static void TEST_CONCAT(body_, __LINE__)([[maybe_unused]] ::cudax_test::context & test_);                            \
  TEST_CASE_(h, title, "", ::cudax_test::side::host, ::cudax_test::run_on_host<TEST_CONCAT(body_, __LINE__)>)          \
  static void TEST_CONCAT(body_, __LINE__)([[maybe_unused]] ::cudax_test::context & test_)

/// A test of many threads on one object: CONCURRENT_TEST("title", type). The top of this file describes the type.
#define CONCURRENT_TEST(title, ...)                                                                                    \
  TEST_CASE_(h, title, "host", ::cudax_test::side::host, ::cudax_test::run_concurrently_on_host<__VA_ARGS__>)          \
  TEST_DEVICE_CONCURRENT_CASES_(title, __VA_ARGS__)
