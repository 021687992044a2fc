// SPDX-License-Identifier: Apache-2.0
//
// table: what the runner knows of a test: the generator writes these rows beside the kernels (write_table.hpp).
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace litmus_runner {

enum class verdict { allowed, forbidden, undefined, unknown };

/// The enumerator as text: for a reader, and in the generated sources.
constexpr char const* word_of(verdict v) {
  switch (v) {
  case verdict::allowed: return "allowed";
  case verdict::forbidden: return "forbidden";
  case verdict::undefined: return "undefined";
  case verdict::unknown: break;
  }
  return "unknown";
}

/// A register or a location that `exists` names, and its bits in an outcome. Code c stands for the c-th value.
struct item {
  char const* name; ///< P1:r0 or x
  unsigned shift, width;
  std::vector<char const*> values;
};

/// Where a thread of the test runs. Numbers count over the whole placement; host threads have -1.
struct position {
  int device, cluster, block, warp;
};
inline bool is_on_host(position const& p) { return p.device < 0; }

/// A test at one placement in one form.
struct row {
  char const* test;
  char const* placement;
  char const* form;   ///< library or ptx
  char const* kernel; ///< the name of a registered kernel
  unsigned which;     ///< the test among those of the kernel; tests with equal code are one
  litmus_runner::verdict verdict;
  bool observable;                      ///< the memory model of PTX allows the outcome of `exists`
  bool raced;                           ///< C++ leaves the program undefined: it has a data race
  char const* mutant_of;                ///< the test of which this is a mutant, or empty
  char const* mutation;                 ///< order, scope, write, fence or barrier, or empty: generate.cpp
  char const* code;                     ///< the kernel that holds this test's code alone, or empty: machine_code.hpp
  char const* exists;                   ///< as text
  bool (*holds)(unsigned const* codes); ///< of the items; a code without a value is "another value"
  unsigned bits;
  char const* memory; ///< of each cell: g global, s shared, m mapped, u managed
  bool barriers;      ///< threads meet at barriers, so each thread of a block must run a test
  bool may_not_end;   ///< the models let an await poll indefinitely: write_cuda.cpp
  unsigned cell;      ///< bytes that a cell needs; the distance of cells in shared memory
  std::vector<item> items;
  std::vector<position> threads;
  std::vector<unsigned> possible; ///< the outcomes that the model allows, ascending; empty: not known
};

/// The program of a mutant, or the program itself, where it runs and how.
std::string kin_of(row const&);

/// Whether all threads are in one block.
bool within_block(row const&);
/// Whether a mutant differs in the scope of a relaxed write only.
bool is_write_scope(row const&);
inline bool has_host(row const& r) { return std::any_of(r.threads.begin(), r.threads.end(), is_on_host); }

/// All rows that were registered, in the order of the sources.
std::vector<row> const& rows();

/// Adds rows; an object with static storage in each generated table.
struct registered_rows {
  explicit registered_rows(std::vector<row> (*make)());
};

} // namespace litmus_runner
