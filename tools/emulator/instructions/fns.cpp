// SPDX-License-Identifier: Apache-2.0
//
// fns: the position of the n-th one, from a bit upwards or, for negative n, downwards.  [PTX ISA, "fns"]
//
// The least n has no negation, and PTX does not define the result: an H100 gives 0, whatever the mask and the base.
#include "support/numbers/function.hpp"

#include <limits>

namespace emulator {
namespace {

u32 find(u32 mask, u32 base, s32 n) {
  if (n == std::numeric_limits<s32>::min()) return 0;
  if (n == 0) return base < 32 && mask >> base & 1 ? base : ~0u;
  s64 const step = n > 0 ? 1 : -1;
  s64 left = n > 0 ? s64(n) : -s64(n);
  for (s64 bit = base; bit >= 0 && bit < 32; bit += step)
    if (mask >> bit & 1 && --left == 0) return u32(bit);
  return ~0u;
}

void decode(decoder& d) {
  d.take_type({scalar::b32});
  emit<find>(d);
}

definition const fns("fns", ".b32", decode);

} // namespace
} // namespace emulator
