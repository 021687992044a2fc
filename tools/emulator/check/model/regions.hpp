// SPDX-License-Identifier: Apache-2.0
//
// regions: the memory of a program: what CUDA allocated for it, and the shared memory of blocks. Of memory that begins
// without a value it is also known which bytes were written. What is gone is remembered until its place is used again,
// so that a report can say what it was.
#pragma once

#include "clock.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace emulator::check {

/// Which bytes of a region were written: a bit for each, in memory that costs nothing before it is used.
class written_bytes {
public:
  /// From now on it is kept which are; none is.
  void begin(std::size_t size) {
    bits_.reset(static_cast<u64*>(std::calloc(size / 64 + 1, sizeof(u64))));
    if (!bits_) throw std::bad_alloc();
  }
  void forget() { bits_ = nullptr; }
  bool are_kept() const { return bits_ != nullptr; }

  bool any(std::size_t from, std::size_t size) const {
    bool result = false;
    for_words(from, size, [&](std::size_t word, u64 mask) { result |= (bits_[word] & mask) != 0; });
    return result;
  }
  void add(std::size_t from, std::size_t size) {
    for_words(from, size, [&](std::size_t word, u64 mask) { bits_[word] |= mask; });
  }

private:
  template <class F>
  static void for_words(std::size_t from, std::size_t size, F f) {
    while (size) {
      std::size_t const bit = from % 64, count = std::min(64 - bit, size);
      f(from / 64, (count == 64 ? ~u64(0) : (u64(1) << count) - 1) << bit);
      from += count;
      size -= count;
    }
  }

  struct release {
    void operator()(u64* p) const { std::free(p); }
  };
  std::unique_ptr<u64[], release> bits_;
};

struct region {
  std::uintptr_t start = 0;
  std::size_t size = 0;
  std::string name;
  bool is_gone = false;
  bool is_shadowed = true; ///< false: it is not written while kernels run
  bool is_of_host = false; ///< the host's program can write it without a copy
  bool is_shared = false;  ///< of a block
  u32 owner = 0;           ///< its number (agents.hpp)
  written_bytes written{}; ///< of shared memory, and of device memory that the program allocates
  std::uintptr_t end() const { return start + size; }
};

class regions {
public:
  region& add(std::uintptr_t start, std::size_t size, std::string name);
  /// Returns: the region that starts there and now is gone; null where there is none
  region const* remove(std::uintptr_t start);

  /// The region, present or gone, that holds this address; null where there is none.
  region* holding(std::uintptr_t address);
  region const* holding(std::uintptr_t address) const { return const_cast<regions*>(this)->holding(address); }
  /// Calls f for each region, present or gone, that overlaps these bytes.
  template <class F>
  void for_overlapping(std::uintptr_t start, std::size_t size, F f);
  /// The one that ends closest before this address.
  region const* before(std::uintptr_t address) const;
  void forget_gone();

private:
  std::map<std::uintptr_t, region> all_;
  region* last_ = nullptr;
};

template <class F>
void regions::for_overlapping(std::uintptr_t start, std::size_t size, F f) {
  auto i = all_.upper_bound(start);
  if (i != all_.begin() && std::prev(i)->second.end() > start) --i;
  for (; i != all_.end() && i->first < start + size; ++i) f(i->second);
}

} // namespace emulator::check
