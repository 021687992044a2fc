// SPDX-License-Identifier: Apache-2.0
//
// loop: how the loop of a kernel around the measured operation is compiled. Each row has both: rolled, so that one
// operation is compared with one operation; and as compiled, as in a program that says nothing, where the compiler
// decides whether it unrolls. The number of rounds is an argument of the kernel in both. The rows of both share
// everything except the kernel: the second one costs a kernel and its launch.
#pragma once

#include "library.hpp"
#include "row.hpp"

#include <string>

namespace CUDAX_BENCH_SIDE {

enum class loop { rolled, as_compiled };

/// The end of the name of the second row; reporting/results.py knows it.
inline constexpr char const* as_compiled_suffix = ", as compiled";

/// Calls body(step) for each step from `first` up to `last`.
template <loop Loop, class Body> __host__ __device__ inline void repeat(unsigned first, unsigned last, Body body) {
  if constexpr (Loop == loop::as_compiled) {
    for (unsigned step = first; step != last; ++step) body(step);
  } else {
#pragma unroll 1
    for (unsigned step = first; step != last; ++step) body(step);
  }
}

/// Adds the rows of both loops. launch_of.operator()<Loop>() returns what launches the kernel with this loop.
template <class LaunchOf> void add_both_loops(bench::rows& rows, bench::row row, LaunchOf launch_of) {
  row.launch = launch_of.template operator()<loop::rolled>();
  rows.push_back(row);
#if !defined(CUDAX_BENCH_ONE_LOOP) // tests of the sources leave out the second one
  row.name += as_compiled_suffix;
  if (!row.on.curve.empty()) row.on.curve += as_compiled_suffix;
  row.launch = launch_of.template operator()<loop::as_compiled>();
  rows.push_back(std::move(row));
#endif
}

} // namespace CUDAX_BENCH_SIDE
