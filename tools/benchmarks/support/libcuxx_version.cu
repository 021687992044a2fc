// SPDX-License-Identifier: Apache-2.0
//
// libcuxx_version: the version of the toolkit's libcu++.
#include "library.hpp"

namespace libcuxx_side {
extern int const version;
int const version = CCCL_VERSION; // major * 1'000'000 + minor * 1'000 + patch
} // namespace libcuxx_side
