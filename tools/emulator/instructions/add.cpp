// SPDX-License-Identifier: Apache-2.0
//
// add: sums.  [PTX ISA, "add", "add.cc"]
#include "support/numbers/sum.hpp"

namespace emulator {
namespace {

definition const add("add", sum_forms, decode_sum<false>);

} // namespace
} // namespace emulator
