// SPDX-License-Identifier: Apache-2.0
//
// report: messages on standard error.
//
// Messages are written by write(2) alone. Another thread may hold the lock of a <cstdio> stream for any length of time,
// and may wait for the thread that reports: a program that stops must end, and an atomic operation must return. For the
// same reason standard output is not flushed: output that the program has not flushed is lost when it aborts, as with
// abort().
#pragma once

#include <cstddef>

namespace cudax::runtime {

/// The longest report in bytes. A longer one is cut and ends in "...\n".
inline constexpr std::size_t longest_report = 2047;

/// Writes a text, formatted as by printf, to standard error. Takes no lock, allocates nothing and preserves errno. If
/// standard error is blocking, waits until it accepts the text. If it is non-blocking (O_NONBLOCK) and accepts nothing
/// for one second, drops the rest.
[[gnu::format(printf, 1, 2)]] void report(char const* format, ...) noexcept;

} // namespace cudax::runtime
