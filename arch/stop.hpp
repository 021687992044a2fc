// SPDX-License-Identifier: Apache-2.0
//
// stop: prints a sentence and ends the kernel with an error.
#pragma once

#include "ptx.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch {

/// Prints `sentence`, in which one %lld stands for `value`, and ends the kernel.
inline void stop(char const* sentence, s64 value) {
  __builtin_printf(sentence, value);
  __builtin_trap();
}

} // namespace cudax::arch

#pragma clang force_cuda_host_device end
