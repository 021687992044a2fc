// SPDX-License-Identifier: Apache-2.0
//
// captured_output: what a program's kernels print, as text. CUDA writes the output of a kernel to this process's stdout
// when the host synchronizes with the device. So stdout is a temporary file from construction to text(). Include it
// after standard headers; requires POSIX.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

namespace cudax_test {

class captured_output {
  std::FILE* file_ = std::tmpfile();
  int stdout_ = -1; ///< the real stdout while the file is in its place

  static void must(bool succeeded, char const* call) {
    if (succeeded) return;
    std::perror(call);
    std::_Exit(1);
  }
  void restore() {
    if (stdout_ < 0) return;
    std::fflush(stdout);
    must(dup2(stdout_, STDOUT_FILENO) >= 0, "dup2");
    close(stdout_);
    stdout_ = -1;
  }

public:
  captured_output() {
    must(file_ != nullptr, "tmpfile");
    std::fflush(stdout);
    stdout_ = dup(STDOUT_FILENO);
    must(stdout_ >= 0, "dup");
    must(dup2(fileno(file_), STDOUT_FILENO) >= 0, "dup2");
  }
  captured_output(captured_output const&) = delete;
  captured_output& operator=(captured_output const&) = delete;
  ~captured_output() {
    restore();
    std::fclose(file_);
  }

  /// Ends the capture; returns what was printed.
  /// Requires: the host has synchronized with the kernels that print
  std::string text() {
    restore();
    std::string result;
    char part[4096];
    std::rewind(file_);
    while (std::size_t const size = std::fread(part, 1, sizeof part, file_)) result.append(part, size);
    return result;
  }
};

/// Returns how often `line` is a line of `text`.
inline int lines_equal_to(std::string const& line, std::string const& text) {
  int count = 0;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t const end = text.find('\n', at);
    count += text.compare(at, end - at, line) == 0;
    if (end == std::string::npos) break;
    at = end + 1;
  }
  return count;
}

} // namespace cudax_test
