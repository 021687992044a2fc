// SPDX-License-Identifier: Apache-2.0
//
// primitives: the library's primitives as text: their types, how an instance gets one, and their calls.
#pragma once

#include <string>
#include <vector>

#include "../litmus_model/program.hpp"

namespace litmus_runner {

/// A primitive of a program at a placement.
struct primitive {
  litmus::object_kind kind;
  litmus::scope scope; ///< resolved
  int count;
  std::string address; ///< of type char*
  std::string name;    ///< for variables
};

/// The most bytes of a cell that holds a primitive; the generated code asserts that the primitive fits.
inline constexpr unsigned bytes_of_primitive = 96;

/// Throws not_runnable for a kind that the runner does not run.
std::string type_of(primitive const&);
/// Makes the primitive in its cell, and ends it. No other thread uses it meanwhile.
std::string make(primitive const&);
std::string end(primitive const&);
/// A call. `result` is a variable or empty, `order` weak if none is written. `number` tells the calls of a thread
/// apart, `last_arrival` is that of the last arrive of this thread. A call of once_flag opens or closes its function.
std::string call(primitive const&, litmus::member, std::string const& result, litmus::order order,
                 std::vector<std::string> const& values, std::size_t number, std::size_t last_arrival);
/// Whether a member waits for other threads.
bool blocks(litmus::member);
/// A call of a member that blocks, for a program in which it may not end: the member that only tries, again and again.
/// Throws not_runnable for a member without one.
std::string bounded_call(primitive const&, litmus::member, std::size_t number, std::size_t last_arrival);

} // namespace litmus_runner
