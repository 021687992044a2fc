// SPDX-License-Identifier: Apache-2.0
//
// stop: a sentence, and the end of the kernel with an error.
#pragma once

#include "ptx.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch {

/// Prints `sentence`, which holds one %lld for `value`, and ends the kernel.
inline void stop(char const* sentence, s64 value) {
  __builtin_printf(sentence, value);
  __builtin_trap();
}

} // namespace cudax::arch

#pragma clang force_cuda_host_device end
