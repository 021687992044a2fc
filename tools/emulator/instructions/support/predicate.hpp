// SPDX-License-Identifier: Apache-2.0
//
// predicate: a source that may be written !p.
#pragma once

#include "function.hpp"

namespace emulator {

inline bool inverse(bool p) { return !p; }

inline slot predicate(decoder& d, std::size_t index) {
  ptx::operand p = d.operand(index);
  bool const negated = p.negated;
  p.negated = false;
  slot const plain = d.source(p, scalar::pred);
  if (!negated) return plain;
  slot const result = d.scratch();
  d.emit(function_handler<inverse>, result, plain);
  return result;
}

} // namespace emulator
