// SPDX-License-Identifier: Apache-2.0
//
// host_memory: accesses of the host, of a size that is known when they happen. The host's program runs meanwhile, so
// whatever a host can do at once is done at once.
#pragma once

#include "../../instructions/support/memory/memory.hpp"

#include <array>

namespace emulator::check {

using bytes_16 = std::array<std::byte, 16>;

inline bool is_aligned(std::byte const* where, std::size_t size) {
  return size <= 16 && (size & (size - 1)) == 0 && reinterpret_cast<std::uintptr_t>(where) % size == 0;
}

template <class F>
void with_host_type(std::size_t size, F f) {
  switch (size) {
  case 1: return f.template operator()<u8>();
  case 2: return f.template operator()<u16>();
  case 4: return f.template operator()<std::uint32_t>();
  case 8: return f.template operator()<std::uint64_t>();
  default: return f.template operator()<u128>();
  }
}

inline void host_read(std::byte const* where, void* value, std::size_t size) {
  if (!is_aligned(where, size)) return void(std::memcpy(value, where, size));
  with_host_type(size, [&]<class T> {
    T const v = read<__ATOMIC_ACQUIRE, T>(where);
    std::memcpy(value, &v, sizeof v);
  });
}

inline void host_write(std::byte* where, void const* value, std::size_t size) {
  if (!is_aligned(where, size)) return void(std::memcpy(where, value, size));
  with_host_type(size, [&]<class T> {
    T v;
    std::memcpy(&v, value, sizeof v);
    write<__ATOMIC_RELEASE, T>(where, v);
  });
}

/// Stores `desired` where `expected` is. Returns: whether it was
inline bool host_exchange(std::byte* where, void const* expected, void const* desired, std::size_t size) {
  if (!is_aligned(where, size)) {
    if (std::memcmp(where, expected, size) != 0) return false;
    std::memcpy(where, desired, size);
    return true;
  }
  bool done = false;
  with_host_type(size, [&]<class T> {
    T e, d;
    std::memcpy(&e, expected, sizeof e);
    std::memcpy(&d, desired, sizeof d);
    if constexpr (sizeof(T) == 16) {
      done = compare_exchange_128(reinterpret_cast<u128*>(where), e, d) == e;
    } else {
      done = __atomic_compare_exchange_n(reinterpret_cast<T*>(where), &e, d, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    }
  });
  return done;
}

} // namespace emulator::check
