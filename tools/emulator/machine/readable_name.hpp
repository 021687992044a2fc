// SPDX-License-Identifier: Apache-2.0
//
// readable_name: names of kernels and variables as the program spells them.  [Itanium C++ ABI, "External Names"]
// The C++ runtime can do that only for names without modules, as of GCC 12. Parameters of functions, return types and
// modules are left out.
#pragma once

#include <string>
#include <string_view>

namespace emulator {

/// _ZN1a1kIiEEvT_ -> a::k<int>. A name that is not mangled, or in a way that is not known here, stays as it is.
std::string readable_name(std::string_view);

} // namespace emulator
