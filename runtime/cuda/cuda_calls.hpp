// SPDX-License-Identifier: Apache-2.0
//
// cuda_calls: the calls of CUDA about memory and devices, as a table of functions (calls.def).
//
// All other files of runtime/ reach CUDA only through the tables. So they compile and work the same with a toolkit
// (cuda.cpp), without one (without_cuda.cpp), and in tests, which install a simulated machine. Results are values of
// cudaError_t as int.
#pragma once

#include "../interface/host_boundary.hpp"

#include <cstddef>

namespace cudax::runtime {

/// The values of cudaError_t that the library itself uses; cuda.cpp compares them with CUDA's.
namespace cuda {
inline constexpr int success = 0;
inline constexpr int invalid_value = 1;
inline constexpr int memory_allocation = 2;
inline constexpr int not_initialized = 3;
inline constexpr int invalid_configuration = 9;
inline constexpr int stub_library = 34;
inline constexpr int insufficient_driver = 35;
inline constexpr int invalid_device_function = 98;
inline constexpr int no_device = 100;
inline constexpr int invalid_device = 101;
inline constexpr int no_context = 201;
inline constexpr int no_kernel_image = 209;
inline constexpr int invalid_resource_handle = 400;
inline constexpr int illegal_address = 700;
inline constexpr int assertion_failed = 710;
inline constexpr int already_registered = 712;
inline constexpr int not_registered = 713;
inline constexpr int hardware_stack_error = 714;
inline constexpr int illegal_instruction = 715;
inline constexpr int misaligned_address = 716;
inline constexpr int invalid_address_space = 717;
inline constexpr int invalid_program_counter = 718;
inline constexpr int launch_failure = 719;
inline constexpr int not_permitted = 800;
inline constexpr int not_supported = 801;
/// Not a value of CUDA, whose values are not negative.
inline constexpr int built_without = -1;
} // namespace cuda

/// The owner of the memory at an address. `host`: memory that CUDA has page-locked; `unregistered`: memory that CUDA
/// does not know.
enum class memory_owner { unregistered, host, managed, device };

/// The attributes of the same names, as 0 or 1.
struct peer_description {
  int access_supported;
  int native_atomic_supported;
  int only_partial_native_atomic_supported; // 0 before CUDA 13
};

/// The first list of calls.def.
struct cuda_calls {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration
#define CUDAX_MEMORY_CALL(result, name, parameters) result(*name) parameters;
#include "calls.def"
};

extern cuda_calls const calls_without_cuda;
extern cuda_calls const calls_of_cuda; // defined where there is a toolkit

/// Returns the table in use.
cuda_calls const& calls() noexcept;
/// Installs another table and returns the previous one. For tests, while nothing is registered or allocated.
cuda_calls const& exchange_calls(cuda_calls const& calls) noexcept;

/// Forgets memory from allocate() whose context was destroyed: as deallocate(), but without calling CUDA.
void forget(memory_kind kind, void const* base) noexcept;

/// Fills `why` with a sentence: "cudax.sync: ", then the text.
[[gnu::format(printf, 3, 4)]] void fail(failure& why, int code, char const* format, ...) noexcept;
/// As fail(), for a call of CUDA that returned `code`: appends ": " and the explanation of the code.
[[gnu::format(printf, 3, 4)]] void fail_in_cuda(failure& why, int code, char const* format, ...) noexcept;

/// Writes CUDA's own text and name for `code`, and what to do about it.
void explain(int code, char* text, std::size_t size) noexcept;

} // namespace cudax::runtime
