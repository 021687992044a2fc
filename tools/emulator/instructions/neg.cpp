// SPDX-License-Identifier: Apache-2.0
//
// neg: negation.  [PTX ISA, "neg"]
#include "support/numbers/sign.hpp"

namespace emulator {
namespace {

struct opposite {
  template <class T>
  static T integer(T a) {
    return wrapping_difference(T(0), a);
  }
  template <class T>
  static T number(T a) {
    return negated(a);
  }
};

definition const neg("neg", sign_forms, decode_sign<opposite>);

} // namespace
} // namespace emulator
