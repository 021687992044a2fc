// SPDX-License-Identifier: Apache-2.0
//
// places: from which lines of the library an atomic operation comes, and which orders are weaker there.
//
// The return addresses of the calling functions, a chain, tell the lines: tools/sweep --host asks llvm-symbolizer. Two
// environment variables name files:
//   CUDAX_SWEEP_RECORD   is written: the chains of all operations, with their orders, and the chains of each test case
//   CUDAX_SWEEP_ORDERS   is read: the lines of each address, and the site whose orders are weaker
// The lines of the second file:
//   at ADDRESS TOKEN...      lines that are inlined into one another, the innermost one first; addresses grow
//   weaker OPERATION FROM TO FAILURE_FROM FAILURE_TO SITE...
// A token is a letter and the number of a line. `p12` ends a site: a line of a primitive. `b7` is between a primitive
// and its operations, `i3` carries out an order that it is given, `s0` is the standard library, `x0` is no part of the
// library.
//
// Nothing here allocates memory once the program runs: tests count allocations, and let them fail.
#include "orders.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

extern "C" char const __executable_start, etext;

namespace cudax_sweep {
namespace {

constexpr int depth = 30; // functions that a chain names at most

struct chain {
  operation what;
  orders given;
  int length = 0;
  std::uint32_t at[depth];

  bool operator==(chain const& other) const noexcept {
    return what == other.what && given.success == other.given.success && given.failure == other.given.failure &&
           length == other.length && std::equal(at, at + length, other.at);
  }
  std::size_t hash() const noexcept {
    std::uint64_t sum = std::uint64_t(what) << 8 | std::uint64_t(given.success) << 4 | std::uint64_t(given.failure);
    for (int i = 0; i < length; ++i) sum = (sum ^ at[i]) * 0x9e37'79b9'7f4a'7c15u;
    return sum >> 32;
  }
};

/// The addresses from the beginning of the program, up to the first one outside of it.
chain chain_of(operation what, orders given, void* const* frame) noexcept {
  chain found;
  found.what = what;
  found.given = given;
  auto const begin = reinterpret_cast<std::uintptr_t>(&__executable_start);
  auto const size = reinterpret_cast<std::uintptr_t>(&etext) - begin;
  while (found.length < depth) {
    std::uintptr_t const at = reinterpret_cast<std::uintptr_t>(frame[1]) - begin;
    if (at >= size) break;
    found.at[found.length++] = static_cast<std::uint32_t>(at);
    auto* const next = static_cast<void* const*>(*frame);
    if (next <= frame || next - frame > (1 << 17)) break;
    frame = next;
  }
  return found;
}

// --- recording
// ---------------------------------------------------------------------------------------------------------

constexpr std::size_t places = 1 << 17;
enum : unsigned char { empty, is_written, full };

constinit std::FILE* record = nullptr;
chain known[places]; // a hash table
unsigned char state_of[places];
bool reached[places];              // by this case
constinit char of_case[400] = "-"; // its name

/// Without a lock: a thread that notes may be interrupted for long, or by a signal handler that notes.
void note(chain const& one) noexcept {
  std::size_t i = one.hash() % places;
  for (int tries = 0; tries < 1000; ++tries, i = (i + 1) % places) {
    unsigned char state = __atomic_load_n(&state_of[i], __ATOMIC_ACQUIRE);
    if (state == empty && __atomic_compare_exchange_n(&state_of[i], &state, static_cast<unsigned char>(is_written),
                                                      false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
      known[i] = one;
      __atomic_store_n(&state_of[i], static_cast<unsigned char>(full), __ATOMIC_RELEASE);
      state = full;
    }
    // An entry that is being written counts as another one: at worst a chain has two.
    if (state != full || !(known[i] == one)) continue;
    if (!__atomic_load_n(&reached[i], __ATOMIC_RELAXED)) __atomic_store_n(&reached[i], true, __ATOMIC_RELAXED);
    return;
  }
}

void write_case(double seconds) noexcept {
  std::fprintf(record, "case %.4f %s\n", seconds, of_case);
  for (std::size_t i = 0; i < places; ++i) {
    if (!reached[i]) continue;
    reached[i] = false;
    chain const& one = known[i];
    std::fprintf(record, "%d %d %d", int(one.what), one.given.success, one.given.failure);
    for (int j = 0; j < one.length; ++j) std::fprintf(record, " %x", one.at[j]);
    std::fputc('\n', record);
  }
  std::fflush(record);
}

// --- weaker orders
// -----------------------------------------------------------------------------------------------------

constexpr int lines_max = 8; // of a site

struct site {
  int length = 0;
  int lines[lines_max];

  void add(int line) noexcept {
    if (length < lines_max) lines[length++] = line;
  }
  bool operator==(site const& other) const noexcept {
    return length == other.length && std::equal(lines, lines + length, other.lines);
  }
};

struct token {
  std::uint32_t at; // whose the line is
  char what;
  int line;
};

struct weaker_order {
  operation what;
  orders from, to;
  site where;
};

constinit bool is_mutant = false;
std::vector<token> tokens; // by their addresses
std::vector<weaker_order> weaker;

site site_of(chain const& from) noexcept {
  site found, innermost;
  for (int i = 0; i < from.length; ++i) {
    auto one = std::lower_bound(tokens.begin(), tokens.end(), from.at[i],
                                [](token const& each, std::uint32_t at) { return each.at < at; });
    if (one == tokens.end() || one->at != from.at[i]) break;
    for (; one != tokens.end() && one->at == from.at[i]; ++one) {
      if (one->what == 'x') return found.length ? found : innermost;
      if (one->what == 's') continue;
      if (innermost.length == 0) innermost.add(one->line);
      if (one->what == 'i') continue;
      found.add(one->line);
      if (one->what == 'p') return found;
    }
  }
  return found.length ? found : innermost;
}

[[noreturn]] void reject(char const* name, char const* why) noexcept {
  std::fprintf(stderr, "sweep: %s: %s; write it as places.cpp says\n", name, why);
  std::abort();
}

void read_mutant(char const* name) {
  std::FILE* const file = std::fopen(name, "r");
  if (!file) reject(name, "cannot be read");
  char line[4096];
  while (std::fgets(line, sizeof(line), file)) {
    int used = 0, what = 0;
    token one{};
    weaker_order change{};
    char const* rest = line;
    if (std::sscanf(line, "at %x%n", &one.at, &used) == 1) {
      while (std::sscanf(rest += used, " %c%d%n", &one.what, &one.line, &used) == 2) tokens.push_back(one);
    } else if (std::sscanf(line, "weaker %d %d %d %d %d%n", &what, &change.from.success, &change.to.success,
                           &change.from.failure, &change.to.failure, &used) == 5) {
      change.what = static_cast<operation>(what);
      for (int number = 0; std::sscanf(rest += used, "%d%n", &number, &used) == 1;) change.where.add(number);
      weaker.push_back(change);
    } else reject(name, line);
  }
  std::fclose(file);
  if (!std::is_sorted(tokens.begin(), tokens.end(), [](token const& a, token const& b) { return a.at < b.at; }))
    reject(name, "its addresses do not grow");
  is_mutant = true;
}

[[gnu::constructor]] void open_files() {
  if (char const* const name = std::getenv("CUDAX_SWEEP_ORDERS")) read_mutant(name);
  if (char const* const name = std::getenv("CUDAX_SWEEP_RECORD")) {
    static char buffer[1 << 16];
    record = std::fopen(name, "w");
    if (!record) reject(name, "cannot be written");
    std::setvbuf(record, buffer, _IOFBF, sizeof(buffer));
  }
}

} // namespace

orders orders_at(operation what, orders given, void* const* frame) noexcept {
  if (!record && !is_mutant) return given;
  chain const from = chain_of(what, given, frame);
  if (record) note(from);
  if (!is_mutant) return given;
  site const here = site_of(from);
  for (auto const& each : weaker)
    if (each.what == what && each.from.success == given.success && each.from.failure == given.failure &&
        each.where == here)
      return each.to;
  return given;
}

void begin_case(char const* name) noexcept {
  if (!record) return;
  write_case(0); // what ran before the case
  std::snprintf(of_case, sizeof(of_case), "%s", name);
}

void end_case(double seconds) noexcept {
  if (!record) return;
  write_case(seconds);
  std::snprintf(of_case, sizeof(of_case), "-");
}

} // namespace cudax_sweep
