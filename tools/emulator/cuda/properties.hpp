// SPDX-License-Identifier: Apache-2.0
//
// properties: the emulated device.
#pragma once

#include "../machine/device.hpp"

namespace emulator::cuda {

/// Returns the device, which the first call creates.
/// Errors: std::invalid_argument with a sentence, if the environment names a device that does not exist
device& the_device();

/// Whether the device may access all memory of the host: not with CUDAX_EMULATOR_PAGEABLE=0.
bool pageable_memory_access();
/// Whether the device reports that read-modify-writes of host and device on one word are atomic: not with
/// CUDAX_EMULATOR_HOST_ATOMICS=0.
bool host_native_atomics();

} // namespace emulator::cuda
