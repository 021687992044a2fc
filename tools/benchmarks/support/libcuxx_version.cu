// SPDX-License-Identifier: Apache-2.0
//
// libcuxx_version: which libcu++ the toolkit holds.
#include "library.hpp"

namespace libcuxx_side {
extern char const* const version;
char const* const version = library_version;
} // namespace libcuxx_side
