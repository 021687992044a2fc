// SPDX-License-Identifier: Apache-2.0
//
// libcuxx_version: the version of a side's libcu++.
#include "library.hpp"

namespace CUDAX_BENCH_SIDE {
extern int const version;
int const version = CCCL_VERSION; // major * 1'000'000 + minor * 1'000 + patch
} // namespace CUDAX_BENCH_SIDE
