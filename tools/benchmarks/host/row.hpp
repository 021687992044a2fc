// SPDX-License-Identifier: Apache-2.0
//
// row: what a number of host threads do with the objects of one library, and the same with those of another.
//
// A sample checks its answer; if the answer is wrong, it throws wrong_answer. No thread of the sample is left then.
#pragma once

#include "../support/result.hpp"

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace bench::host {

struct wrong_answer : std::runtime_error {
  using std::runtime_error::runtime_error;
};
inline void check(bool right, char const* what) {
  if (!right) throw wrong_answer(what);
}

struct row {
  std::string name;    ///< without the number of threads: the name of the row's curve
  std::string against; ///< the standard library's object: "std::mutex"
  int threads;
  std::function<double()> cudax, standard; ///< each takes a sample
  std::string threads_are = "threads";     ///< or "waiters"
  unit shown = unit::nanoseconds;
  double seconds = 0.07; ///< of one sample, for the estimate
};
using rows = std::vector<row>;

/// Returns rows with 1 to 16 threads, of which each is given the number of threads.
template <class Cudax, class Standard>
rows by_threads(std::string const& name, std::string const& against, Cudax cudax, Standard standard) {
  rows made;
  for (int const threads : {1, 2, 4, 8, 16})
    made.push_back({name, against, threads, [=] { return cudax(threads); }, [=] { return standard(threads); }});
  return made;
}

inline void append(rows& all, rows more) {
  for (row& each : more) all.push_back(std::move(each));
}

// The problems.
rows locks();
rows semaphores();
rows atomics();
rows barriers();
rows maps();
rows idle_waiters();

} // namespace bench::host
