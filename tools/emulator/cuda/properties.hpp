// SPDX-License-Identifier: Apache-2.0
//
// properties: the emulated device.
#pragma once

#include "../machine/device.hpp"

namespace emulator::cuda {

/// The device, made when it is asked for the first time.
/// Errors: std::invalid_argument with a sentence, where the environment asks for a device that there is not
device& the_device();

/// Whether the device may access all memory of the host: CUDAX_EMULATOR_PAGEABLE=0 says no.
bool pageable_memory_access();
/// What it says of read-modify-writes of host and device on one word: CUDAX_EMULATOR_HOST_ATOMICS=0 says that they are not atomic.
bool host_native_atomics();

} // namespace emulator::cuda
