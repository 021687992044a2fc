// SPDX-License-Identifier: Apache-2.0
#include "cells.hpp"

#include "cuda_calls.hpp"

namespace litmus_runner {

cells::~cells() {
  for (auto const& [kind, memory] : known_) kind.first == 'm' ? cudaFreeHost(memory) : cudaFree(memory);
}

char* cells::of(unsigned location, char memory) {
  if (memory == 's') return nullptr;
  char*& found = known_[{memory, location}];
  if (found) return found;
  if (memory == 'g') return found = allocate<char>(of_global_);
  if (memory == 'm') return found = static_cast<char*>(allocate_mapped(of_others_));
  void* there = nullptr;
  must(cudaMallocManaged(&there, of_others_), "cudaMallocManaged");
  std::memset(there, 0, of_others_);
  return found = static_cast<char*>(there);
}

} // namespace litmus_runner
