// SPDX-License-Identifier: Apache-2.0
#include "host_test.hpp"

#include <sched.h>

namespace litmus_runner {

namespace {
registered_host_test const* first = nullptr; // constant-initialized: before all registrations
}

bool patience_of_host::polls_again() {
  if (++polls % 64 != 0) return true;
  sched_yield();
  return !__atomic_load_n(given_up, __ATOMIC_RELAXED);
}

registered_host_test::registered_host_test(char const* name, kernel_function function, host_code const& code) noexcept
  : kernel(name, function), code(code), next(first) {
  first = this;
}

registered_host_test const* find_host_test(std::string_view name) {
  for (auto const* t = first; t; t = t->next)
    if (t->kernel.name == name) return t;
  return nullptr;
}

} // namespace litmus_runner
