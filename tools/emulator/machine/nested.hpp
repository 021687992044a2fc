// SPDX-License-Identifier: Apache-2.0
//
// nested: launches by kernels ("dynamic parallelism"), as clang compiles <<<...>>> in device code: a call for a buffer
// for the parameters, and one that launches. A child grid may begin at any time, and no thread of the device can wait
// for it. Here the children begin when their parent's threads have ended, in the order in which they were launched, and
// a grid ends when its children have ended.
#pragma once

#include "thread.hpp"

#include <string_view>

namespace emulator {

/// As find_extern, for the functions of CUDA's device runtime.
void (*find_nested_extern(std::string_view name))(thread&, std::uint64_t const*);

} // namespace emulator
