// SPDX-License-Identifier: Apache-2.0
//
// arithmetic: sums, products, quotients and roots of floating-point numbers, with every modifier.
// An operation is a struct of two functions: `native` computes as the host does, which is correct for .rn of f32 and
// f64; `exact` computes in any rounding mode and format. .rn without modifiers gets its own handler, because it is by
// far the most frequent.
#pragma once

#include "floating.hpp"

#include <cmath>

namespace emulator {

struct addition {
  template <class T>
  static T native(T a, T b) {
    return a + b;
  }
  template <class T>
  static T exact(rounding r, T a, T b) {
    return exact_add(r, a, b);
  }
};
struct subtraction {
  template <class T>
  static T native(T a, T b) {
    return a - b;
  }
  template <class T>
  static T exact(rounding r, T a, T b) {
    if (is_nan(a) || is_nan(b)) return nan_from({a, b});
    return exact_add(r, a, negated(b));
  }
};
struct multiplication {
  template <class T>
  static T native(T a, T b) {
    return a * b;
  }
  template <class T>
  static T exact(rounding r, T a, T b) {
    return exact_mul(r, a, b);
  }
};
struct division {
  template <class T>
  static T native(T a, T b) {
    return a / b;
  }
  template <class T>
  static T exact(rounding r, T a, T b) {
    return exact_div(r, a, b);
  }
};
struct square_root {
  template <class T>
  static T native(T a) {
    return std::sqrt(a);
  }
  template <class T>
  static T exact(rounding r, T a) {
    return exact_sqrt(r, a);
  }
};
struct reciprocal {
  template <class T>
  static T native(T a) {
    return T(1) / a;
  }
  template <class T>
  static T exact(rounding r, T a) {
    return exact_div(r, one<T>(), a);
  }
};
struct multiply_add {
  template <class T>
  static T native(T a, T b, T c) {
    return std::fma(a, b, c);
  }
  template <class T>
  static T exact(rounding r, T a, T b, T c) {
    return exact_fma(r, a, b, c);
  }
};

template <class Operation, class T, class... A>
T plain(A... operands) {
  return without_host_nan(Operation::native(operands...), operands...);
}
/// .ftz applies to the exact result: a result below the least normal number becomes zero, even if rounding to a
/// subnormal's precision would return that number. PTX does not define this; an H100 does so in every case that was
/// tried. The cases do not show whether it would keep a result that rounds up with all digits of a normal number.
template <class Operation, class T, class... A>
T general(mode m, A... operands) {
  T result = Operation::exact(m.rounding, flushed(m, operands)...);
  if (m.ftz && magnitude_of(result) == u64(1) << format<T>::mantissa)
    result = Operation::exact(rounding::zero, flushed(m, operands)...);
  return finished(m, result);
}

template <class Operation, int Operands, class T>
consteval auto plain_function() {
  if constexpr (Operands == 1) return plain<Operation, T, T>;
  else if constexpr (Operands == 2) return plain<Operation, T, T, T>;
  else return plain<Operation, T, T, T, T>;
}
template <class Operation, int Operands, class T>
consteval auto general_function() {
  if constexpr (Operands == 1) return general<Operation, T, T>;
  else if constexpr (Operands == 2) return general<Operation, T, T, T>;
  else return general<Operation, T, T, T, T>;
}

/// Emits a floating-point operation with this number of operands, in a C++ type.
template <class Operation, int Operands, class T>
void emit_arithmetic(decoder& d, mode m) {
  if constexpr (is_packed<T>) {
    emit<on_halves<general_function<Operation, Operands, decltype(T::low)>()>>(d, m);
  } else {
    if constexpr (is_native<T>) {
      if (m.is_plain()) {
        emit<plain_function<Operation, Operands, T>()>(d);
        return;
      }
    }
    emit<general_function<Operation, Operands, T>()>(d, m);
  }
}

inline bool is_floating(scalar type) {
  return type == scalar::f16 || type == scalar::f16x2 || type == scalar::bf16 || type == scalar::bf16x2 ||
         type == scalar::f32 || type == scalar::f64;
}
inline bool is_half(scalar type) { return type == scalar::f16 || type == scalar::f16x2; }
inline bool is_bfloat(scalar type) { return type == scalar::bf16 || type == scalar::bf16x2; }

/// Takes the modifiers of an addition, multiplication or fma in this type. A modifier that the type does not have
/// remains, and is rejected.
inline mode take_arithmetic_mode(decoder& d, scalar type) {
  mode m;
  if (type == scalar::f32 || type == scalar::f64) m.rounding = take_rounding(d);
  else d.take("rn");
  if (type == scalar::f32 || is_half(type)) {
    m.ftz = d.take("ftz");
    m.sat = d.take("sat");
  }
  return m;
}

/// add, sub, mul, fma of two packed f32 (sm_100). Returns whether the instruction was one of these.
template <class Operation, int Operands>
bool decode_f32x2(decoder& d) {
  if (!d.take("f32x2")) return false;
  mode m;
  m.rounding = take_rounding(d);
  m.ftz = d.take("ftz");
  emit_arithmetic<Operation, Operands, two<float>>(d, m);
  return true;
}

template <class Operation, int Operands>
void decode_arithmetic(decoder& d, scalar type, mode m) {
  for_type<float, double, f16, bf16, two<f16>, two<bf16>>(
      d, type, [&]<class T> { emit_arithmetic<Operation, Operands, T>(d, m); });
}

} // namespace emulator
