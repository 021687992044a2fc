// SPDX-License-Identifier: Apache-2.0
//
// registry: the kernels of the generated sources, by name.
#pragma once

#include <string_view>

#include "layout.hpp"

namespace litmus_runner {

using kernel_function = void (*)(launch);

/// A kernel of a generated source. Objects of this type have static storage and form a list.
struct registered_kernel {
  char const* name;
  kernel_function function;
  registered_kernel const* next;

  registered_kernel(char const* name, kernel_function function) noexcept;
};

/// Null if no source has the kernel.
registered_kernel const* find_kernel(std::string_view name);

} // namespace litmus_runner
