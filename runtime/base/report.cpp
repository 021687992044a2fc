// SPDX-License-Identifier: Apache-2.0
//
// report: formats into one buffer and writes it out.
#include "report.hpp"

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <poll.h>
#include <unistd.h>

namespace cudax::runtime {
namespace {

void write_all(char const* text, std::size_t size) noexcept {
  bool has_waited = false;
  while (size > 0) {
    ssize_t const written = write(STDERR_FILENO, text, size);
    if (written > 0) {
      text += written;
      size -= static_cast<std::size_t>(written);
      has_waited = false;
    } else if (written < 0 && errno == EINTR) {
      continue;
    } else if (written < 0 && errno == EAGAIN && !has_waited) {
      has_waited = true;
      pollfd standard_error{STDERR_FILENO, POLLOUT, 0};
      (void)poll(&standard_error, 1, 1000); // milliseconds; a signal may end the wait early
    } else {
      return; // closed or full: there is no other place for the message
    }
  }
}

} // namespace

void report(char const* format, ...) noexcept {
  int const error = errno;
  char text[longest_report + 1];
  std::va_list arguments;
  va_start(arguments, format);
  int const length = std::vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  if (length >= 0) {
    auto size = static_cast<std::size_t>(length);
    if (size > longest_report) {
      size = longest_report;
      std::memcpy(text + size - 4, "...\n", 4);
    }
    write_all(text, size);
  }
  errno = error;
}

} // namespace cudax::runtime
