// SPDX-License-Identifier: Apache-2.0
//
// orders: the orders of the host's atomic operations, while the program runs.
//
// The thread sanitizer makes a call of each atomic operation, with the order as an argument. Here the calls arrive
// first (intercepted.cpp). The lines from which a call comes are its site (places.cpp). So one program is every mutant:
// a file says of which sites the orders are weaker, and an operation then goes on with the weaker order. tools/sweep
// --host reads the sites and writes the file.
#pragma once

#include <cstdint>

namespace cudax_sweep {

enum class operation : unsigned char { load, store, modify, compare, fence };

/// As __ATOMIC_RELAXED and its kin, which are the sanitizer's numbers; a fence may be dropped.
enum order : int { relaxed, consume, acquire, release, acq_rel, seq_cst, dropped = -1 };

constexpr bool acquires(int order) noexcept { return order == acquire || order == consume || order >= acq_rel; }
constexpr bool releases(int order) noexcept { return order >= release; }

/// Of an operation; `failure` is that of a compare-and-swap that fails.
struct orders {
  int success;
  int failure = relaxed;
};

/// Returns the orders with which an operation goes on, and notes the operation. `frame` is the frame of the function
/// that the sanitizer's call has reached.
orders orders_at(operation what, orders given, void* const* frame) noexcept;

/// From now on the operations belong to the test case of this name; see cases.cpp.
void begin_case(char const* name) noexcept;
void end_case(double seconds) noexcept;

} // namespace cudax_sweep
