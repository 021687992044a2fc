// SPDX-License-Identifier: Apache-2.0
//
// machine_code: keeps the machine code of a kernel that failed, so that the failure can be understood later.
#pragma once

#include <string>

namespace litmus_runner {

/// Writes the SASS of a kernel to KERNEL.sass in the working directory, by cuobjdump. Returns a sentence that says
/// where it is, or why there is none.
std::string keep_machine_code(std::string const& kernel);

} // namespace litmus_runner
