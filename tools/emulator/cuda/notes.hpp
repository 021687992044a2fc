// SPDX-License-Identifier: Apache-2.0
//
// notes: what a program did with the runtime. tools/emulate uses the notes to say why nothing was checked.
//
// CUDAX_EMULATOR_NOTES names a file. Each kind of note is appended to it once, one per line: "runtime" (this library
// was loaded), "kernels" (the program registered kernels), "launch" (it called a launch), "grid" (a launch was
// accepted), "error cudaErrorX" (the first error that a call returned), "atomics" (the program contains CUDA's own
// atomicCAS as clang compiles it).
#pragma once

#include <string_view>

namespace emulator::cuda {

enum class note : unsigned char { runtime, kernels, launch, grid, error, atomics };

/// Writes the note unless one of its kind was written before.
void write_note(note, std::string_view text = {}) noexcept;

/// Whether the PTX contains a compare-and-swap that is sequentially consistent at system scope and not inline assembly.
/// clang compiles CUDA's atomicCAS to that; nvcc compiles it to a relaxed one at device scope.
bool holds_atomics_of_clang(std::string_view ptx);

} // namespace emulator::cuda
