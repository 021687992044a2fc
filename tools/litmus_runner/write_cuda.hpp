// SPDX-License-Identifier: Apache-2.0
//
// write_cuda: from a program at a placement to the type of a test in CUDA (kernel.hpp), in one of two forms.
//
// Orders and scopes are constants. Weak accesses of the form `library` are plain C++; those of the form `ptx` are
// ld.weak and st.weak.
#pragma once

#include <string>

#include "outcome.hpp"

namespace litmus_runner {

enum class form { library, ptx };

/// A test's type without its name: programs with equal text share a kernel.
struct kernel_text {
  bool with_host;    ///< a test of host_kernel.hpp
  std::string shape; ///< the constants
  std::string body;
  std::string memory; ///< a letter for each location that is no part of another one: table.hpp
  bool barriers;      ///< whether threads meet at barriers
  bool may_not_end;   ///< whether the models let an await poll indefinitely
  unsigned cell;      ///< bytes of a cell, at most
};

/// Throws not_runnable if the program has something that the form has not.
kernel_text write_kernel(litmus::program const&, litmus::placement const&, outcome const&, form);

} // namespace litmus_runner
