// SPDX-License-Identifier: Apache-2.0
//
// reached: see the header.
#include "reached.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <string_view>
#include <vector>

namespace emulator {
namespace {

struct note {
  std::uint32_t line;
  std::atomic<bool> reached{false};
};

struct notes {
  char const* file = std::getenv("CUDAX_EMULATOR_REACHED");
  std::mutex lock;
  std::deque<note> all; ///< operations point to the elements
};

notes& the_notes() {
  static notes& only = *new notes; // threads may be running code when the process ends
  return only;
}

/// Names of instructions that access or order memory.
bool is_of_memory(std::string_view name) {
  constexpr std::string_view names[] = {"ld",       "st", "atom",      "red", "fence",  "membar",
                                        "mbarrier", "cp", "tensormap", "bar", "barrier"};
  return std::ranges::find(names, name) != std::end(names);
}

void reach(std::uint64_t*, operation const& o) {
  note& n = *const_cast<note*>(static_cast<note const*>(o.pointer));
  if (!n.reached.load(std::memory_order_relaxed)) n.reached.store(true, std::memory_order_relaxed);
}

void write_at_end() {
  notes& n = the_notes();
  std::lock_guard guard(n.lock);
  std::vector<std::uint32_t> lines;
  for (note const& one : n.all)
    if (one.reached.load(std::memory_order_relaxed)) lines.push_back(one.line);
  std::ranges::sort(lines);
  std::FILE* const file = std::fopen(n.file, "a");
  if (!file) {
    std::fprintf(
        stderr,
        "cudax.sync emulator: CUDAX_EMULATOR_REACHED is '%s', which cannot be written; name a file in a folder "
        "that exists\n",
        n.file);
    return;
  }
  for (std::uint32_t const line : lines) std::fprintf(file, "%u\n", line);
  std::fclose(file);
}

} // namespace

void note_reached(function_decoder& function, ptx::instruction const& instruction) {
  notes& n = the_notes();
  if (!n.file || !*n.file || !is_of_memory(instruction.name)) return;
  std::lock_guard guard(n.lock);
  if (n.all.empty()) std::atexit(write_at_end);
  note& one = n.all.emplace_back(std::uint32_t(instruction.at.line));
  function.emit(computes<reach>, instruction).pointer = &one;
}

} // namespace emulator
