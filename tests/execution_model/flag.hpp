// SPDX-License-Identifier: Apache-2.0
//
// flag: what the examples with a flag in host memory share. In the text, kernels name the host's variable; a kernel
// needs the variable's device address, which a registration returns.
#pragma once

#include "example.hpp"
#include <system_error>
#include <vector>
import cudax.sync;
import cudax.sync.host;

namespace execution_model {

using system_flag = cudax::atomic<int, cudax::thread_scope_system>;

} // namespace execution_model
