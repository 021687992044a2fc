// SPDX-License-Identifier: Apache-2.0
//
// faults: what ends a launch: fail(), and signals that emulated code causes.
#pragma once

#include "resident.hpp"

namespace emulator {

/// Once per process: catches SIGSEGV and SIGBUS. What emulated code did not cause goes to the handler that was there before.
void install_signal_handlers();

/// Calls f(data, current), which says which thread runs, and sets `reason` where it failed.
/// Returns: whether it did not
bool run_guarded(void (*f)(void* data, thread* volatile& current), void* data, fault& reason,
                 thread** failed = nullptr);

/// A turn of the block. Sets `reason` where a thread failed.
turn_result run_turn_guarded(resident_block&, fault& reason);

/// "kernel K, block (0, 0, 0), thread (5, 0, 0), file.ptx:12 (file.cu:3): "
std::string describe(thread const&);

} // namespace emulator
