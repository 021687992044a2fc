// SPDX-License-Identifier: Apache-2.0
//
// atomic: the operations of atom, red, red.async and cp.reduce.async.bulk.
// Each is a struct whose apply(where, operand) changes memory atomically and returns the previous value. It uses the
// host's instruction if there is one, and a loop of compare-and-swap otherwise.
#pragma once

#include "../numbers/float16.hpp"
#include "memory.hpp"

#include <string_view>

namespace emulator::atomic {

template <class T>
struct add {
  using type = T;
  static T apply(std::byte* where, T operand) {
    return __atomic_fetch_add(reinterpret_cast<T*>(where), operand, __ATOMIC_ACQ_REL);
  }
};

template <class T>
struct bit_and {
  using type = T;
  static T apply(std::byte* where, T operand) {
    return __atomic_fetch_and(reinterpret_cast<T*>(where), operand, __ATOMIC_ACQ_REL);
  }
};

template <class T>
struct bit_or {
  using type = T;
  static T apply(std::byte* where, T operand) {
    return __atomic_fetch_or(reinterpret_cast<T*>(where), operand, __ATOMIC_ACQ_REL);
  }
};

template <class T>
struct bit_xor {
  using type = T;
  static T apply(std::byte* where, T operand) {
    return __atomic_fetch_xor(reinterpret_cast<T*>(where), operand, __ATOMIC_ACQ_REL);
  }
};

template <class T>
struct exchange {
  using type = T;
  static T apply(std::byte* where, T operand) {
    if constexpr (sizeof(T) == 16) return update<T>(where, [operand](T) { return operand; });
    else return __atomic_exchange_n(reinterpret_cast<T*>(where), operand, __ATOMIC_ACQ_REL);
  }
};

template <class T>
struct min {
  using type = T;
  static T apply(std::byte* where, T operand) {
    return update<T>(where, [operand](T old) { return old < operand ? old : operand; });
  }
};

template <class T>
struct max {
  using type = T;
  static T apply(std::byte* where, T operand) {
    return update<T>(where, [operand](T old) { return old < operand ? operand : old; });
  }
};

/// Counts up to the operand and starts again.
template <class T>
struct inc {
  using type = T;
  static T apply(std::byte* where, T limit) {
    return update<T>(where, [limit](T old) { return old >= limit ? T(0) : T(old + 1); });
  }
};

/// Counts down from the operand and starts again.
template <class T>
struct dec {
  using type = T;
  static T apply(std::byte* where, T limit) {
    return update<T>(where, [limit](T old) { return old == 0 || old > limit ? limit : T(old - 1); });
  }
};

/// Operates on the bits of floating-point numbers: one of 32 or 64 bits, or one or two of 16.
template <class Float, class Bits, Float (*F)(Float, Float)>
struct real {
  using type = Bits;
  static Bits apply(std::byte* where, Bits operand) {
    return update<Bits>(where, [operand](Bits old) {
      return std::bit_cast<Bits>(F(std::bit_cast<Float>(old), std::bit_cast<Float>(operand)));
    });
  }
};

inline double add_f64(double a, double b) { return a + b; }

template <class Format, class Bits, float (*F)(float, float)>
using real_16 = real<Bits, Bits, on_16_bits<Format, F, Bits>>;

/// Calls f.operator()<Operation>() for the operation of this name and type.
/// Returns: false if there is none
template <class F>
bool with_operation(std::string_view name, ptx::scalar type, F f) {
  using ptx::scalar;
  auto const on = [&]<class Operation> { return f.template operator()<Operation>(), true; };
  auto const half_words = [&]<float (*G)(float, float)> {
    switch (type) {
    case scalar::f16: return on.template operator()<real_16<format_f16, u16, G>>();
    case scalar::f16x2: return on.template operator()<real_16<format_f16, u32, G>>();
    case scalar::bf16: return on.template operator()<real_16<format_bf16, u16, G>>();
    case scalar::bf16x2: return on.template operator()<real_16<format_bf16, u32, G>>();
    default: return false;
    }
  };
  auto const bits = [&]<template <class> class Operation> {
    if (type == scalar::b32) return on.template operator()<Operation<u32>>();
    if (type == scalar::b64) return on.template operator()<Operation<u64>>();
    return false;
  };
  auto const integers = [&]<template <class> class Operation> {
    switch (type) {
    case scalar::u32: return on.template operator()<Operation<u32>>();
    case scalar::u64: return on.template operator()<Operation<u64>>();
    case scalar::s32: return on.template operator()<Operation<s32>>();
    case scalar::s64: return on.template operator()<Operation<s64>>();
    default: return false;
    }
  };
  if (name == "and") return bits.template operator()<bit_and>();
  if (name == "or") return bits.template operator()<bit_or>();
  if (name == "xor") return bits.template operator()<bit_xor>();
  if (name == "exch")
    return type == scalar::b128 ? on.template operator()<exchange<u128>>() : bits.template operator()<exchange>();
  if (name == "inc") return type == scalar::u32 && on.template operator()<inc<u32>>();
  if (name == "dec") return type == scalar::u32 && on.template operator()<dec<u32>>();
  if (name == "min") return integers.template operator()<min>() || half_words.template operator()<minimum>();
  if (name == "max") return integers.template operator()<max>() || half_words.template operator()<maximum>();
  if (name != "add") return false;
  if (type == scalar::f32) return on.template operator()<real<float, u32, add_f32>>();
  if (type == scalar::f64) return on.template operator()<real<double, u64, add_f64>>();
  return integers.template operator()<add>() || half_words.template operator()<sum_of>();
}

} // namespace emulator::atomic
