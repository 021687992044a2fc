// SPDX-License-Identifier: Apache-2.0
#include "registry.hpp"

namespace litmus_runner {

namespace {
registered_kernel const* first = nullptr; // constant-initialized: before all registrations
}

registered_kernel::registered_kernel(char const* name, kernel_function function) noexcept
  : name(name), function(function), next(first) {
  first = this;
}

registered_kernel const* find_kernel(std::string_view name) {
  for (auto const* k = first; k; k = k->next)
    if (k->name == name) return k;
  return nullptr;
}

} // namespace litmus_runner
