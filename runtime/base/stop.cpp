// SPDX-License-Identifier: Apache-2.0
//
// stop: ends a program that broke a precondition. Nothing before the abort waits for another thread (report.hpp).
#include "../interface/boundary.hpp"
#include "report.hpp"

#include <cstdlib>

namespace cudax::runtime {

void stop(char const* sentence, long long value) noexcept {
  // The sentence is a literal of the library with at most one conversion.
  report(sentence, value); // NOLINT(clang-diagnostic-format-nonliteral)
  std::abort();
}

} // namespace cudax::runtime
