// SPDX-License-Identifier: Apache-2.0
//
// at_exit: see the header.
#include "at_exit.hpp"
#include "../machine/mode.hpp"
#include "../machine/watch.hpp"
#include "queue.hpp"

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <unistd.h>
#include <utility>

namespace emulator::cuda {
namespace {

constexpr int slower_when_checked = 10; // at least; a checked run needs a longer limit

std::atomic<pid_t> owner = 0;
thread_local bool ends_program = false;

std::string joined(std::vector<std::string> const& names) {
  std::string text;
  for (std::string const& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

void finish() {
  ends_program = true;
  if (getpid() != owner) return; // a child of fork() has no threads that could finish the grids
  auto const limit = patience() * (is_checked_run() ? slower_when_checked : 1);
  std::vector<std::string> const left = wait_for_grids(limit);
  if (left.empty()) return;
  bool const one = left.size() == 1;
  std::string text = "the program ended while " + std::to_string(left.size()) + (one ? " kernel" : " kernels") +
                     " had not, and in " +
                     std::to_string(std::chrono::duration_cast<std::chrono::seconds>(limit).count()) +
                     " s no block of " + (one ? "it" : "them") + " ended; dropped: " + joined(left);
  if (!is_checked_run())
    for (std::string const& lines : describe_running_grids()) text += lines;
  say(text + "\n  Let every kernel end before the program: cudaDeviceSynchronize() at its end would not return now.");
}

} // namespace

void finish_grids_at_exit() {
  static std::once_flag once;
  std::call_once(once, [] {
    owner = getpid();
    std::atexit(finish);
  });
  // A function of atexit or a destructor may launch after finish() has run, so finish() is registered again. Other
  // threads may launch without end.
  if (std::exchange(ends_program, false)) std::atexit(finish);
}

} // namespace emulator::cuda
