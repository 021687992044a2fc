// SPDX-License-Identifier: Apache-2.0
//
// arrange: from a test's placement to the layout of a grid, and the random choices of one launch.
#pragma once

#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "layout.hpp"
#include "table.hpp"

namespace litmus_runner {

/// What a device holds of one kernel at once.
struct capacity {
  unsigned blocks = 0;
  unsigned threads_per_block = 0;
};

/// One of the values.
unsigned pick(std::mt19937&, std::initializer_list<unsigned> values);

/// The devices of a placement, by its numbers.
std::vector<int> devices_of(row const&);

/// The slots that a placement needs for its threads on one device; nothing else of the layout. Throws
/// std::runtime_error for a placement that the runner cannot arrange: more slots than a layout has.
layout slots_of(row const&, int device);

/// Completes a layout for this many blocks. `disturbing` blocks are left out of it.
void fill(layout&, capacity const&, unsigned disturbing);

/// Completes a layout for about this many instances, beside threads of the host or another grid. `one_of_each_warp`:
/// the lanes of a warp run no two instances, so no lane waits for one that waits for a later instance of the same host
/// thread.
void fill_beside_host(layout&, capacity, unsigned instances, bool one_of_each_warp);

/// Chooses strides, permutations and stress for one launch. A cell needs `cell` bytes, and the cells
/// of a location take at most `bytes` bytes.
void choose(launch&, arguments const&, std::mt19937&, unsigned cell, unsigned long long bytes);

/// The choices, for --trace.
std::string text_of(launch const&);

} // namespace litmus_runner
