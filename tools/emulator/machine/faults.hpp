// SPDX-License-Identifier: Apache-2.0
//
// faults: what ends a launch: fail(), and signals that emulated code causes.
#pragma once

#include "resident.hpp"

namespace emulator {

/// Once per process: catches SIGSEGV and SIGBUS. A signal that emulated code did not cause goes to the previous
/// handler.
void install_signal_handlers();

/// Calls f(data, current), which sets `current` to the thread that runs. Sets `reason` where the thread failed.
/// Returns: whether no thread failed
bool run_guarded(void (*f)(void* data, thread* volatile& current), void* data, fault& reason,
                 thread** failed = nullptr);

/// A turn of the block. Sets `reason` where a thread failed.
turn_result run_turn_guarded(resident_block&, fault& reason);

/// "kernel K, block (0, 0, 0), thread (5, 0, 0), file.ptx:12 (file.cu:3): instruction: "
std::string describe(thread const&);

/// "bar.sync 0 (file.cu:3; file.ptx:12)" of an operation of this function, which the thread is in.
std::string describe_place(thread const&, function const&, operation const*);

} // namespace emulator
