// SPDX-License-Identifier: Apache-2.0
//
// errors: how accesses to memory end a launch.
// The numbers are values of cudaError_t, which the host program receives.
#pragma once

#include "../../../machine/thread.hpp"

namespace emulator {

inline constexpr int error_illegal_address = 700;
inline constexpr int error_illegal_instruction = 715;
inline constexpr int error_misaligned_address = 716;
inline constexpr int error_launch_failure = 719;

[[noreturn, gnu::cold, gnu::noinline]] void illegal_address(thread const&, std::uint64_t address, std::uint64_t size);
/// Where an address from absent_block on lies, or the error: that and null are no addresses of the host.
[[gnu::cold, gnu::noinline]] std::byte* unusual_address(thread const&, std::uint64_t address, std::uint64_t size);
[[noreturn, gnu::cold, gnu::noinline]] void no_parameter(thread const&, std::uint64_t address, std::uint64_t size);
[[noreturn, gnu::cold, gnu::noinline]] void misaligned_address(thread const&, std::uint64_t address, std::uint64_t size,
                                                               std::uint64_t alignment);

} // namespace emulator
