// SPDX-License-Identifier: Apache-2.0
//
// reduce by the threads of a grid, over a range. CUDA only.
#include "support/test.hpp"
import cudax.sync;
#include "on_grid.hpp"

using namespace cudax;
using namespace cudax_test;

/// Twelve bytes: 16 is not a multiple of the size.
struct triple {
  unsigned a, b, c;
  friend triple operator+(triple const& x, triple const& y) { return {x.a + y.a, x.b ^ y.b, x.c > y.c ? x.c : y.c}; }
  friend bool operator==(triple const&, triple const&) = default;
};
/// Four bytes that may be at any multiple of two.
struct couple {
  unsigned short a, b;
  friend bool operator==(couple const&, couple const&) = default;
};
TESTS_BEGIN
struct joined {
  triple operator()(triple const& x, triple const& y) const { return {x.a + y.a, x.b ^ y.b, x.c > y.c ? x.c : y.c}; }
  couple operator()(couple const& x, couple const& y) const {
    return {static_cast<unsigned short>(x.a + y.a), static_cast<unsigned short>(x.b ^ y.b)};
  }
};
/// The i-th element, small enough that sums are exact in every type.
template <class T> T element(unsigned long long i) {
  unsigned const mixed = unsigned(i) * 2654435761u >> 8;
  if constexpr (__is_same(T, triple)) return {mixed, mixed >> 3, mixed >> 5};
  else if constexpr (__is_same(T, couple))
    return {static_cast<unsigned short>(mixed), static_cast<unsigned short>(mixed >> 3)};
  else return static_cast<T>(mixed % 3);
}
template <class T> T initial() {
  if constexpr (__is_same(T, triple)) return {5, 6, 7};
  else if constexpr (__is_same(T, couple)) return {5, 6};
  else return static_cast<T>(5);
}
TESTS_END

template <class T> struct result_of {
  T value;
  unsigned calls, wrong;
};

template <class T, class Op>
static __global__ void reduce_range(reduce_state<T>* state, T const* range, unsigned long long n, Op op,
                                    result_of<T>* to) {
  reduce(*state, range, n, initial<T>(), op, [&](T const& result) {
    to->value = result;
    ++to->calls;
  });
}
template <class T, class Op>
static __global__ void reduce_range_for_all(reduce_state<T>* state, T const* range, unsigned long long n, Op op,
                                            result_of<T>* to, T expected) {
  for (int again = 0; again < 3; ++again)
    if (!(reduce(*state, range, n, initial<T>(), op) == expected)) atomicAdd(&to->wrong, 1);
}

template <class T, class Op> static void check_ranges(Op op, context& test_) {
  constexpr unsigned most = 3000;
  managed<T> memory(most + 4);
  managed<result_of<T>> to;
  device_object<reduce_state<T>> state;
  for (unsigned offset : {0u, 1u}) {
    T* const range = memory.get() + offset;
    for (unsigned i = 0; i < most; ++i) range[i] = element<T>(i);
    for (unsigned n : {0u, 1u, 2u, 15u, 17u, 64u, 100u, 1000u, 3000u}) {
      T expected = initial<T>();
      for (unsigned i = 0; i < n; ++i) expected = op(expected, range[i]);
      unsigned const shapes[][2] = {{1, 1}, {1, 7}, {3, 33}, {4, 64}};
      for (auto const& [blocks, threads] : shapes) {
        to->calls = to->wrong = 0;
        reduce_range<T><<<blocks, threads>>>(state.get(), range, n, op, to.get());
        CHECK_EQUAL(int(cudaDeviceSynchronize()), int(cudaSuccess));
        CHECK_EQUAL(to->calls, 1u);
        CHECK(to->value == expected);
      }
      unsigned long long length = n;
      auto* at = state.get();
      T const* first = range;
      auto* out = to.get();
      void* arguments[] = {&at, &first, &length, &op, &out, &expected};
      auto* const for_all = reduce_range_for_all<T, Op>;
      CUDA_MUST(cudaLaunchCooperativeKernel(reinterpret_cast<void const*>(for_all), dim3(3), dim3(40), arguments));
      CHECK_EQUAL(int(cudaDeviceSynchronize()), int(cudaSuccess));
      CHECK_EQUAL(to->wrong, 0u);
    }
  }
}

DEVICE_TEST("sums of bytes, read sixteen at a time") { check_ranges<unsigned char>(plus(), test_); }
DEVICE_TEST("sums of 16-bit numbers") { check_ranges<unsigned short>(plus(), test_); }
DEVICE_TEST("sums and maxima of integers") {
  check_ranges<int>(plus(), test_);
  check_ranges<int>(largest(), test_);
}
DEVICE_TEST("sums of float") { check_ranges<float>(plus(), test_); }
DEVICE_TEST("sums of double") { check_ranges<double>(plus(), test_); }
DEVICE_TEST("reductions of 12-byte classes") { check_ranges<triple>(joined(), test_); }

template <class T, class Op> static void check_range_at(T* range, unsigned n, Op op, context& test_) {
  managed<result_of<T>> to;
  device_object<reduce_state<T>> state;
  T expected = initial<T>();
  for (unsigned i = 0; i < n; ++i) expected = op(expected, range[i] = element<T>(i));
  to->calls = 0;
  reduce_range<T><<<1, 70>>>(state.get(), range, n, op, to.get());
  CHECK_EQUAL(int(cudaDeviceSynchronize()), int(cudaSuccess));
  CHECK_EQUAL(to->calls, 1u);
  CHECK(to->value == expected);
}

DEVICE_TEST("a range may begin at any address, and be longer than a warp reads at once") {
  managed<unsigned char> memory(9016);
  for (unsigned offset = 0; offset < 16; ++offset)
    check_range_at(memory.get() + offset, 9000 + offset % 3, plus(), test_);
}
DEVICE_TEST("class objects need not be at a multiple of their size") {
  managed<unsigned short> memory(4001);
  for (unsigned offset : {0u, 1u})
    check_range_at(reinterpret_cast<couple*>(memory.get() + offset), 2000, joined(), test_);
}

DEVICE_TEST("the same launch gives the same bits, even if addition is not associative") {
  constexpr unsigned n = 3000;
  managed<float> range(n);
  managed<result_of<float>> to;
  device_object<reduce_state<float>> state;
  for (unsigned i = 0; i < n; ++i) range.get()[i] = 1.0f / float(i + 1);
  float first = 0;
  for (int again = 0; again < 10; ++again) {
    reduce_range<float><<<5, 96>>>(state.get(), range.get(), n, plus(), to.get());
    CHECK_EQUAL(int(cudaDeviceSynchronize()), int(cudaSuccess));
    if (again == 0) first = to->value;
    CHECK_SAME(to->value, first);
  }
}

HOST_TEST("on the host the calling thread reduces the range") {
  static reduce_state<double> state;
  double const range[] = {1, 2, 3, 4};
  CHECK_EQUAL(reduce(state, range, 4, 10.0, plus()), 20.0);
  CHECK_EQUAL(reduce(state, range, 0, 10.0, plus()), 10.0);
  double given = 0;
  reduce(state, range, 3, 1.0, largest(), [&](double result) { given = result; });
  CHECK_EQUAL(given, 3.0);
}
