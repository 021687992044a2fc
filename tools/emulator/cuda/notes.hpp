// SPDX-License-Identifier: Apache-2.0
//
// notes: what a program did with the runtime, for tools/emulate, which says why nothing was checked.
// CUDAX_EMULATOR_NOTES names a file. Each kind of note is appended to it once, a line each: "runtime" (this library was
// loaded), "kernels" (the program registered some), "launch" (it asked for one), "grid" (a launch was accepted), "error
// cudaErrorX" (the first that a call returned), "atomics" (it holds CUDA's own atomicCAS as clang compiles it).
#pragma once

#include <string_view>

namespace emulator::cuda {

enum class note : unsigned char { runtime, kernels, launch, grid, error, atomics };

/// Writes the note, unless one of its kind was written before.
void write_note(note, std::string_view text = {}) noexcept;

/// Whether the PTX holds a compare-and-swap that is sequentially consistent at system scope and not inline assembly: what clang
/// makes of CUDA's atomicCAS, where nvcc makes a relaxed one at device scope.
bool holds_atomics_of_clang(std::string_view ptx);

} // namespace emulator::cuda
