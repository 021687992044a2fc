// SPDX-License-Identifier: Apache-2.0
//
// stop: the end of a program that broke a precondition.
#include "boundary.hpp"

#include <cstdio>
#include <cstdlib>

namespace cudax::runtime {

void stop(char const* sentence, long long value) noexcept {
  std::fflush(stdout);
  // The sentence is a literal of the library with one conversion, or none.
  std::fprintf(stderr, sentence, value); // NOLINT(clang-diagnostic-format-nonliteral)
  std::fflush(stderr);
  std::abort();
}

} // namespace cudax::runtime
