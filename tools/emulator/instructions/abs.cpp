// SPDX-License-Identifier: Apache-2.0
//
// abs: absolute values; the absolute value of the least signed integer is itself.  [PTX ISA, "abs"]
#include "support/numbers/sign.hpp"

namespace emulator {
namespace {

struct absolute {
  template <class T>
  static T integer(T a) {
    return a < 0 ? wrapping_difference(T(0), a) : a;
  }
  template <class T>
  static T number(T a) {
    return from_bits<T>(magnitude_of(a));
  }
};

definition const abs_("abs", sign_forms, decode_sign<absolute>);

} // namespace
} // namespace emulator
