// SPDX-License-Identifier: Apache-2.0
//
// lists: the types, orders and scopes that bodies run over. Include after `import cudax.sync;`.
#pragma once

#include "test.hpp"

namespace cudax_test {
TESTS_BEGIN

using signed_integers = types<signed char, short, int, long, long long>;
using unsigned_integers = types<unsigned char, unsigned short, unsigned, unsigned long, unsigned long long>;
using character_types = types<char, char8_t, char16_t, char32_t, wchar_t>;
using integers = types<signed char, short, int, long, long long, unsigned char, unsigned short, unsigned, unsigned long,
                       unsigned long long, char, char8_t, char16_t, char32_t, wchar_t>;
using floats = types<float, double, _Float16, __bf16>;

/// The number in T, which must hold it exactly. bfloat16 by its bits: libgcc 12 has no __truncsfbf2.
template <class T>
T number(float value) {
  if constexpr (__is_same(T, __bf16)) {
    unsigned const bits = __builtin_bit_cast(unsigned, value);
    return __builtin_bit_cast(__bf16, (unsigned short)(bits >> 16));
  } else {
    return T(value);
  }
}

template <unsigned long Size>
struct unsigned_type;
template <>
struct unsigned_type<2> {
  using type = unsigned short;
};
template <>
struct unsigned_type<4> {
  using type = unsigned;
};
template <>
struct unsigned_type<8> {
  using type = unsigned long long;
};

/// The bits of a floating-point number: NaN is equal to itself, and the zeros differ.
template <class T>
auto bits_of(T value) {
  return __builtin_bit_cast(typename unsigned_type<sizeof(T)>::type, value);
}

/// f.operator()<Scope>() for every scope.
template <class F>
void for_each_scope(F f) {
  for_each_value<cudax::thread_scope_system, cudax::thread_scope_device, cudax::thread_scope_cluster,
                 cudax::thread_scope_block, cudax::thread_scope_thread>(f);
}

/// f(order) for every order that the kind of operation allows. The order is hidden from the optimiser: that each folds
/// to its instruction where it is a constant is what tests/ptx checks, and here it would only multiply the code.
template <class F, class... Order>
void for_orders(F f, Order... order) {
  int const orders[] = {int(order)...};
  for (int at : orders) {
    asm volatile("" : "+r"(at));
    f(cudax::memory_order(at));
  }
}
template <class F>
void for_each_load_order(F f) {
  using enum cudax::memory_order;
  for_orders(f, relaxed, consume, acquire, seq_cst);
}
template <class F>
void for_each_store_order(F f) {
  using enum cudax::memory_order;
  for_orders(f, relaxed, release, seq_cst);
}
template <class F>
void for_each_order(F f) {
  using enum cudax::memory_order;
  for_orders(f, relaxed, consume, acquire, release, acq_rel, seq_cst);
}

TESTS_END
} // namespace cudax_test
