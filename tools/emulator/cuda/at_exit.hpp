// SPDX-License-Identifier: Apache-2.0
//
// at_exit: kernels that run when the program ends.
// at_exit: kernels that are running when the program ends.
//
// On a GPU it is not defined how far they run. Here the end of the program waits for them, so that their errors are
// reported. A kernel that makes no progress is dropped and named.
#pragma once

namespace emulator::cuda {

/// Makes exit() and the return from main wait for the grids that are in flight. _exit, abort and signals do not wait.
void finish_grids_at_exit();

} // namespace emulator::cuda
