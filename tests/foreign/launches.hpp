// SPDX-License-Identifier: Apache-2.0
//
// launches: launches in clusters, and dependent ones.
#pragma once
#include "../support/launch_shape.hpp"
#include "foreign.hpp"

namespace foreign {

/// Starts a kernel, and does not wait for it.
template <class... Parameters, class... Arguments>
void enqueue(cudax_test::launch_shape const& shape, void (*kernel)(Parameters...), Arguments... arguments) {
  FOREIGN_MUST(cudax_test::try_enqueue(shape, kernel, arguments...));
}

/// Waits for all kernels.
inline void finish() { FOREIGN_MUST(cudaDeviceSynchronize()); }

} // namespace foreign
