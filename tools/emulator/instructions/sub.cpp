// SPDX-License-Identifier: Apache-2.0
//
// sub: differences.  [PTX ISA, "sub", "sub.cc"]
#include "support/numbers/sum.hpp"

namespace emulator {
namespace {

definition const sub("sub", sum_forms, decode_sum<true>);

} // namespace
} // namespace emulator
