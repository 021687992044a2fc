// SPDX-License-Identifier: Apache-2.0
//
// occupancy: what a block takes of an SM.
#pragma once

#include "device.hpp"

namespace emulator {

struct block_needs {
  std::uint32_t threads; ///< of whole warps
  std::size_t shared;    ///< with what the system takes
};
block_needs needs_of(function const& kernel, dim3 block, std::size_t dynamic_shared, device_properties const&);

} // namespace emulator
