// SPDX-License-Identifier: Apache-2.0
//
// source_lines: see the header.
#include "source_lines.hpp"

namespace emulator::ptx {

std::string source_of(module const& of, source_location const& at) {
  bool const is_known = at.source_file > 0 && std::size_t(at.source_file) < of.files.size() && at.source_line > 0;
  return is_known ? std::string(of.files[std::size_t(at.source_file)]) + ":" + std::to_string(at.source_line)
                  : std::string();
}

std::vector<std::string> callers_of(module const& of, source_location const& at) {
  std::vector<std::string> result;
  for (source_location const* call = at.inlined_at; call; call = call->inlined_at)
    if (std::string const source = source_of(of, *call); !source.empty()) result.push_back(source);
  return result;
}

std::string text_of_callers(std::vector<std::string> const& callers) {
  std::string result;
  for (std::string const& caller : callers) result += ", inlined at " + caller;
  return result;
}

std::string source_with_callers(module const& of, source_location const& at) {
  std::string const source = source_of(of, at);
  return source.empty() ? source : source + text_of_callers(callers_of(of, at));
}

} // namespace emulator::ptx
