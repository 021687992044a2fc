// SPDX-License-Identifier: Apache-2.0
//
// value_hash: hashes and compares keys by their value representation, as compare_exchange and wait compare values:
// padding bits are ignored, a NaN equals itself, and -0.0 differs from 0.0. So the two agree for every trivially
// copyable type, and host and device agree about the hash.
module;
#include "../base/macros.hpp"
export module cudax.sync:value_hash;
import :bits;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::container_detail {

/// Distributes the bits of a number: two rounds of an exclusive OR with the upper bits and a multiplication by 2^64
/// divided by the golden ratio. It is a bijection, so different numbers have different results.
constexpr u64 mix(u64 number) noexcept {
  constexpr u64 factor = 0x9e37'79b9'7f4a'7c15;
  number = (number ^ (number >> 32)) * factor;
  number = (number ^ (number >> 29)) * factor;
  return number ^ (number >> 32);
}

/// Returns bytes First to First + 7 of the value representation, with padding bits and bytes past the end cleared.
template <size_t First, class T>
u64 part_of_value(T const& value) noexcept {
  constexpr size_t size = sizeof(T) - First < 8 ? sizeof(T) - First : 8;
  u64 part = 0;
  __builtin_memcpy(&part, (char const*)__builtin_addressof(value) + First, size);
  if constexpr (padded<T>) {
    bytes<sizeof(T)> const of_value = value_mask<T>();
    u64 mask = 0;
    __builtin_memcpy(&mask, of_value.at + First, size);
    part &= mask;
  }
  return part;
}

template <class T, size_t First = 0>
u64 hash_of_value(T const& value, u64 before = 0) noexcept {
  u64 const hash = mix(before ^ part_of_value<First>(value));
  if constexpr (First + 8 < sizeof(T)) return hash_of_value<T, First + 8>(value, hash);
  else return hash;
}

} // namespace cudax::container_detail

export namespace cudax {

/// Hashes the value representation of a key of any trivially copyable type.
/// Source:   extension
/// Requires: T has no bit-fields beside padding bits
/// Example:
///     struct cell { short row; int column; }; // has padding, which the hash ignores
///     unsigned long long const hash = cudax::value_hash()(cell{1, 2});
///     bool const same = cudax::value_equal()(cell{1, 2}, cell{1, 2});
struct value_hash {
  template <class T>
  u64 operator()(T const& value) const noexcept {
    static_assert(__is_trivially_copyable(T),
                  "cudax.sync: value_hash: the type is not trivially copyable; write a hash and an equality for it");
    return container_detail::hash_of_value(value);
  }
};

/// Compares the value representations of two keys of any trivially copyable type.
/// Source:   extension
/// Requires: T has no bit-fields beside padding bits
struct value_equal {
  template <class T>
  bool operator()(T const& a, T const& b) const noexcept {
    static_assert(__is_trivially_copyable(T),
                  "cudax.sync: value_equal: the type is not trivially copyable; write a hash and an equality for it");
    return same_value(a, b);
  }
};

} // namespace cudax

CUDAX_EVERYWHERE_END
