// SPDX-License-Identifier: Apache-2.0
//
// two_kernels: the kernels of the examples with streams: `second` polls for the store of `first`.
#pragma once

#include "flag.hpp"

namespace execution_model {

[[maybe_unused]] static __global__ void first(system_flag* flag) { flag->store(1, cudax::memory_order_relaxed); }
static __global__ void second(system_flag* flag) {
  while (flag->load(cudax::memory_order_relaxed) == 0) {}
}

} // namespace execution_model
