// SPDX-License-Identifier: Apache-2.0
//
// report: sentences on standard error.
//
// They go there by write(2) alone. Another thread may hold the lock of a stream of <cstdio> as long as it likes, and may
// wait for the very thread that speaks: a program that stops must end, and an atomic operation must return. So standard
// output is not flushed either. What the program has not flushed is lost where it aborts, as abort() has it.
#pragma once

#include <cstddef>

namespace cudax::runtime {

/// The longest report in bytes; what is longer is cut, and ends in "...\n".
inline constexpr std::size_t longest_report = 2047;

/// Writes a text, formatted as printf does, to standard error. Takes no lock, allocates nothing, leaves errno as it was.
/// Waits where standard error blocks; where it does not block (O_NONBLOCK) and takes nothing for a second, drops the rest.
[[gnu::format(printf, 1, 2)]] void report(char const* format, ...) noexcept;

} // namespace cudax::runtime
