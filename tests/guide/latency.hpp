// SPDX-License-Identifier: Apache-2.0
//
// latency: the code of the page "Hiding latency". It shows chains of dependent operations, and independent ones that
// give the same result. tests/examples/textbook_kernels measures latencies.
#pragma once
#include "guide.hpp"

namespace guide::latency {

// [one chain]
/// Computes c[0] + c[1] x + c[2] x^2 + ...: each multiply-add waits for the one before it.
__device__ unsigned in_one_chain(unsigned const (&c)[8], unsigned x) {
  unsigned sum = 0;
  for (int i = 8; i != 0; --i) sum = sum * x + c[i - 1];
  return sum;
}
// [/one chain]

// [two chains]
/// The same, in two chains of half the length. Neither of them waits for the other.
__device__ unsigned in_two_chains(unsigned const (&c)[8], unsigned x) {
  unsigned even = 0, odd = 0;
  for (int i = 8; i != 0; i -= 2) {
    even = even * (x * x) + c[i - 2];
    odd = odd * (x * x) + c[i - 1];
  }
  return even + odd * x;
}
// [/two chains]

// [list]
/// Follows a list: the address of each load is the result of the load before it.
__device__ unsigned follow(unsigned const* next, unsigned at, unsigned hops) {
  for (; hops != 0; --hops) at = next[at];
  return at;
}
// [/list]

// [four loads]
/// Adds up the elements at, at + step, at + 2 step, ...: four loads are in flight at once.
__device__ unsigned add_up(unsigned const* data, unsigned size, unsigned at, unsigned step) {
  unsigned sum = 0;
  for (; at + 3 * step < size; at += 4 * step) {
    unsigned const a = data[at], b = data[at + step];
    unsigned const c = data[at + 2 * step], d = data[at + 3 * step];
    sum += (a + b) + (c + d);
  }
  for (; at < size; at += step) sum += data[at]; // the last three or fewer
  return sum;
}
// [/four loads]

struct results {
  unsigned one = 0, two = 0, last = 0, sums[5] = {};
};

__global__ void compute(unsigned const* next, unsigned size, results* r) {
  unsigned const i = threadIdx.x;
  r->sums[i] = add_up(next, size, i, 5);
  if (i != 0) return;
  unsigned const c[8] = {3, 1, 4, 1, 5, 9, 2, 6};
  r->one = in_one_chain(c, 10);
  r->two = in_two_chains(c, 10);
  r->last = follow(next, 0, 7);
}

inline void run() {
  constexpr unsigned size = 101;
  auto const next = cudax::make_managed<unsigned[]>(size);
  auto const r = cudax::make_managed<results>();
  for (unsigned i = 0; i < size; ++i) next[i] = (i + 3) % size;
  compute<<<1, 5>>>(next.device_pointer(), size, r.device_pointer());
  finish("latency");
  expect(r->one == 62'951'413 && r->two == r->one, "latency: the polynomial");
  expect(r->last == 21, "latency: the list");
  unsigned sum = 0;
  for (unsigned const part : r->sums) sum += part;
  expect(sum == size * (size - 1) / 2, "latency: the sum");
}

} // namespace guide::latency
