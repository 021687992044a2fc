// SPDX-License-Identifier: Apache-2.0
//
// cells: the memory of the locations of many instances, by kind.
#pragma once

#include <map>
#include <utility>

namespace litmus_runner {

class cells {
public:
  /// Bytes of a location in global memory, and in memory of the host or managed memory.
  cells(unsigned long long of_global, unsigned long long of_others) : of_global_(of_global), of_others_(of_others) {}
  ~cells();
  cells(cells const&) = delete;
  cells& operator=(cells const&) = delete;

  /// The cells of a location, initially 0, in global ('g'), mapped ('m') or managed ('u') memory; null for shared
  /// memory ('s'). The first call allocates them. Throws machine_error if there is no memory.
  char* of(unsigned location, char memory);

private:
  unsigned long long of_global_, of_others_;
  std::map<std::pair<char, unsigned>, char*> known_;
};

} // namespace litmus_runner
