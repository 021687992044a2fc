// SPDX-License-Identifier: Apache-2.0
//
// flag: what the examples with a flag of the host's share. The text lets kernels name the host's variable; a kernel needs its
// address on the device, which a registration gives.
#pragma once

#include "example.hpp"
#include <system_error>
#include <vector>
import cudax.sync;
import cudax.sync.host;

namespace execution_model {

using system_flag = cudax::atomic<int, cudax::thread_scope_system>;

} // namespace execution_model
