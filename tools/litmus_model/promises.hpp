// SPDX-License-Identifier: Apache-2.0
//
// promises: what the library promises of its primitives. The calls of an object happen one after the other, in an order
// that the run chooses. The order decides what the calls return and which of them synchronize.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "execution.hpp"

namespace litmus {

/// Adds to `promised` what the barriers of warps, blocks, clusters and grids order: all arrivals before all departures.
void add_barriers(execution&);

/// Calls f(), with `promised` and `calls` set, for each way in which the calls of the primitives can happen.
void for_each_promise(execution&, std::function<void()> const& f);

/// Why the promise of an object is void in a placement: its scope does not include two of the threads that use it.
std::optional<std::string> void_promise(program const&, placement const&);

} // namespace litmus
