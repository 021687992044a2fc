// SPDX-License-Identifier: Apache-2.0
//
// machine_code: the machine code that ptxas made of the kernels: keeps that of a kernel that failed, and compares
// tests.
//
// A mutant whose machine code is that of its program cannot be observed: the GPU cannot tell them apart. The
// instructions are compared bit by bit. Their text would not do: ld.acquire.cta and ld.relaxed.cta are the same
// instruction, but after the acquire the next access waits for the value, which only the bits that control the pipeline
// say.
#pragma once

#include <map>
#include <string>

namespace litmus_runner {

/// Writes the SASS of a kernel to KERNEL.sass in the working directory, by cuobjdump. Returns a sentence that says
/// where it is, or why there is none.
std::string keep_machine_code(std::string const& kernel);

/// The instructions of the kernels that the generator made for comparison (`--code`), by name. Empty if the program
/// holds only PTX, or compressed code. Of several SMs the last one counts.
std::map<std::string, std::string> codes_of_tests();

} // namespace litmus_runner
