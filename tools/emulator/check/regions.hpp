// SPDX-License-Identifier: Apache-2.0
//
// regions: what memory a program has: what CUDA gave it, and the shared memory of blocks, of which it is also known which
// bytes were written. What is gone is remembered until its place is used again, so that a report can say what it was.
#pragma once

#include "clock.hpp"

#include <bit>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace emulator::check {

struct region {
  std::uintptr_t start = 0;
  std::size_t size = 0;
  std::string name;
  bool is_gone = false;
  bool is_shadowed = true;     ///< false: nobody writes it while kernels run
  bool is_of_host = false;     ///< the host's program can write it without a copy
  std::vector<bool> written{}; ///< by byte, of shared memory
  std::uintptr_t end() const { return start + size; }
};

class regions {
public:
  region& add(std::uintptr_t start, std::size_t size, std::string name);
  /// Returns: the region that starts there and now is gone; null where there is none
  region const* remove(std::uintptr_t start);

  /// The region, present or gone, that holds this address; null where there is none.
  region* holding(std::uintptr_t address);
  /// The one that ends closest before this address.
  region const* before(std::uintptr_t address) const;
  void forget_gone();

private:
  std::map<std::uintptr_t, region> all_;
  region* last_ = nullptr;
};

} // namespace emulator::check
