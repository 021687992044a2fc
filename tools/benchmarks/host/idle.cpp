// SPDX-License-Identifier: Apache-2.0
//
// idle: the processor time of threads that wait for a change that does not come. A device might make the
// change, so the threads of cudax.sync must poll; those of the standard library sleep.
#include "libraries.hpp"
#include "row.hpp"
#include "threads.hpp"

#include <ctime>

namespace bench::host {
namespace {

double processor_nanoseconds() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return double(used.tv_sec) * 1e9 + double(used.tv_nsec);
}

/// Returns the share of one processor, in percent, that `waiters` threads take that wait for one flag.
template <class Library> double share(int waiters) {
  typename Library::template atomic<int> flag(0);
  std::atomic<int> ready = 0, left = 0, unchanged = 0;
  std::vector<std::jthread> all;
  for (int t = 0; t < waiters; ++t)
    all.emplace_back([&] {
      ++ready;
      flag.wait(0);
      unchanged += flag.load() == 0;
      ++left;
    });
  while (ready != waiters) std::this_thread::sleep_for(1ms);
  std::this_thread::sleep_for(300ms);
  double const before = processor_nanoseconds();
  auto const start = clock_type::now();
  std::this_thread::sleep_for(500ms);
  double const used = (processor_nanoseconds() - before) / nanoseconds_since(start) * 100;
  bool const early = left != 0;
  flag.store(1);
  flag.notify_all();
  all.clear();
  check(!early && unchanged == 0, "a thread has left its wait without the change");
  return used;
}

} // namespace

rows idle() {
  rows all;
  for (int const waiters : {1, 40, 400})
    all.push_back({.name = "atomic: processor time of a wait",
                   .against = "std::atomic",
                   .threads = waiters,
                   .cudax = [=] { return share<cudax_library>(waiters); },
                   .standard = [=] { return share<standard_library>(waiters); },
                   .threads_are = "waiters",
                   .shown = unit::percent_of_processor,
                   .seconds = 0.85});
  return all;
}

} // namespace bench::host
