// SPDX-License-Identifier: Apache-2.0
//
// lists: the types, orders and scopes that bodies run over. Include after `import cudax.sync;`.
#pragma once

#include "test.hpp"

namespace cudax_test {
TESTS_BEGIN

// --- types -----------------------------------------------------------------------------------------------------------

using integers = types<signed char, short, int, long, long long, unsigned char, unsigned short, unsigned, unsigned long,
                       unsigned long long, char, char8_t, char16_t, char32_t, wchar_t>;
/// One integer of each width and sign, which is what `machine` distinguishes.
using machine_integers =
    types<signed char, unsigned char, short, unsigned short, int, unsigned, long long, unsigned long long>;
using floats = types<float, double, _Float16, __bf16>;

enum class small_enumeration : unsigned char {};
enum enumeration : int {};
enum class large_enumeration : unsigned long long {};

struct structure_1 {
  char a;
};
struct structure_2 {
  char a[2];
};
struct structure_4 {
  short a;
  char b[2];
};
struct structure_8 {
  int a;
  short b;
  char c[2];
};

/// A type of 3 bytes, so that pointer arithmetic steps by 3.
struct three_bytes {
  char at[3];
};

/// Values of every kind, of 1 to 8 bytes.
using values = types<bool, signed char, short, int, long, long long, unsigned char, unsigned short, unsigned,
                     unsigned long, unsigned long long, char, char8_t, char16_t, char32_t, wchar_t, small_enumeration,
                     enumeration, large_enumeration, float, double, _Float16, __bf16, int*, void const*, void (*)(int),
                     structure_1, structure_2, structure_4, structure_8>;

/// One type of each kind: for functions that only call what other tests run with all values.
using kinds = types<bool, short, int, large_enumeration, float, __bf16, int*, structure_8>;

template <unsigned long Size> struct unsigned_type;
template <> struct unsigned_type<1> {
  using type = unsigned char;
};
template <> struct unsigned_type<2> {
  using type = unsigned short;
};
template <> struct unsigned_type<4> {
  using type = unsigned;
};
template <> struct unsigned_type<8> {
  using type = unsigned long long;
};
template <class T> using bits = typename unsigned_type<sizeof(T)>::type;

/// Returns the bits of a value.
template <class T> bits<T> bits_of(T value) { return __builtin_bit_cast(bits<T>, value); }

/// Converts the number to T, which must represent it exactly. bfloat16 is converted by its bits, because libgcc 12
/// lacks __truncsfbf2.
template <class T> T number(float value) {
  if constexpr (__is_same(T, __bf16)) {
    unsigned const bits = __builtin_bit_cast(unsigned, value);
    return __builtin_bit_cast(__bf16, (unsigned short)(bits >> 16));
  } else {
    return T(value);
  }
}

template <class T>
inline constexpr bool is_floating =
    __is_same(T, float) || __is_same(T, double) || __is_same(T, _Float16) || __is_same(T, __bf16);

/// The number of exponent bits of a floating-point format.
template <class T> inline constexpr int exponent_bits = sizeof(T) == 8 ? 11 : __is_same(T, _Float16) ? 5 : 8;

/// Return a quiet NaN with `payload` in its lowest bits, positive infinity, and -0.0.
template <class T> T quiet_nan(unsigned payload = 0) {
  constexpr int mantissa = 8 * sizeof(T) - 1 - exponent_bits<T>;
  bits<T> const exponent = bits<T>(bits<T>((1ull << exponent_bits<T>)-1) << mantissa);
  return __builtin_bit_cast(T, bits<T>(exponent | bits<T>(1) << (mantissa - 1) | payload));
}
template <class T> T infinity() {
  constexpr int mantissa = 8 * sizeof(T) - 1 - exponent_bits<T>;
  return __builtin_bit_cast(T, bits<T>(bits<T>((1ull << exponent_bits<T>)-1) << mantissa));
}
template <class T> T negative_zero() { return __builtin_bit_cast(T, bits<T>(bits<T>(1) << (8 * sizeof(T) - 1))); }

inline constexpr int samples = 4;

/// Returns the i-th of four different values of T, or of two for bool. None is NaN; only bool's false is zero.
template <class T> T sample(int i) {
  if constexpr (__is_same(T, bool)) {
    return i % 2 != 0;
  } else if constexpr (is_floating<T>) {
    float const numbers[samples] = {0.5f, -1.5f, 96.0f, -0.0625f};
    return number<T>(numbers[i % samples]);
  } else {
    unsigned long long const patterns[samples] = {0x5a69'7887'96a5'b4c3, 0xffff'ffff'ffff'ffff, 0x8000'0000'8000'8080,
                                                  0x0123'4567'89ab'cdef};
    T value;
    __builtin_memcpy(&value, &patterns[i % samples], sizeof(T));
    return value;
  }
}

/// Operands for which integer operations wrap around or change sign.
template <class T> struct integer_samples {
  static constexpr int count = 7;
  T at[count] = {T(0),
                 T(1),
                 T(-1),
                 T(1ull << (8 * sizeof(T) - 1)),
                 T(~(1ull << (8 * sizeof(T) - 1))),
                 T(0x5a69'7887'96a5'b43c),
                 T(0xa596'7887'695a'c37e)};
};

// --- scopes ----------------------------------------------------------------------------------------------------------

/// Calls f.operator()<Scope>() for every scope.
template <class F> void for_each_scope(F f) {
  for_each_value<cudax::thread_scope_system, cudax::thread_scope_device, cudax::thread_scope_cluster,
                 cudax::thread_scope_block, cudax::thread_scope_thread>(f);
}

/// Whether `machine` distinguishes T from the other types: one integer of each width and sign, and the floating-point
/// formats.
template <class T, class... Machine> constexpr bool is_one_of(types<Machine...>) {
  return (__is_same(T, Machine) || ...);
}
template <class T> inline constexpr bool is_machine_type = is_one_of<T>(machine_integers()) || is_floating<T>;

/// Calls f.operator()<T, Scope>() for each type of the list at system scope, and for those that `machine` distinguishes
/// at every scope. Each pair costs compile time: as plain C++ in three presets, and in CUDA on the host, on the device
/// and in ptxas.
template <class... T, class F> void for_each_type_and_scope(types<T...> list, F f) {
  for_each_type(list, [&]<class U>() {
    if constexpr (is_machine_type<U>) {
      for_each_scope([&]<cudax::thread_scope Scope>() { f.template operator()<U, Scope>(); });
    } else {
      f.template operator()<U, cudax::thread_scope_system>();
    }
  });
}

/// Calls f for each type of the list at system scope and at thread scope (plain accesses): for what does not depend on
/// the scope otherwise.
template <class... T, class F> void for_each_type_shared_or_not(types<T...> list, F f) {
  for_each_type(list, [&]<class U>() {
    f.template operator()<U, cudax::thread_scope_system>();
    f.template operator()<U, cudax::thread_scope_thread>();
  });
}

/// Calls f for each type of the list at system scope, and for T at every scope: for functions that call code which
/// other tests run with every pair.
template <class T, class... U, class F> void for_each_type_then_scope(types<U...> list, F f) {
  for_each_type(list, [&]<class V>() { f.template operator()<V, cudax::thread_scope_system>(); });
  for_each_scope([&]<cudax::thread_scope Scope>() { f.template operator()<T, Scope>(); });
}

// --- orders ----------------------------------------------------------------------------------------------------------

/// Calls f(order) for every order that the kind of operation allows. The optimizer cannot see the order: tests/ptx
/// checks that a constant order folds to its instruction, and here constants would only multiply the code.
template <class F, class... Order> void for_orders(F f, Order... order) {
  int const orders[] = {int(order)...};
  for (int at : orders) {
    asm volatile("" : "+r"(at));
    f(cudax::memory_order(at));
  }
}
template <class F> void for_each_load_order(F f) {
  using enum cudax::memory_order;
  for_orders(f, relaxed, consume, acquire, seq_cst);
}
template <class F> void for_each_store_order(F f) {
  using enum cudax::memory_order;
  for_orders(f, relaxed, release, seq_cst);
}
template <class F> void for_each_order(F f) {
  using enum cudax::memory_order;
  for_orders(f, relaxed, consume, acquire, release, acq_rel, seq_cst);
}
/// Calls f(success, failure) for every pair that compare_exchange allows. Since C++17 the failure order may be the
/// stronger one.
template <class F> void for_each_order_pair(F f) {
  for_each_order([&](cudax::memory_order success) {
    for_each_load_order([&](cudax::memory_order failure) { f(success, failure); });
  });
}

TESTS_END
} // namespace cudax_test
