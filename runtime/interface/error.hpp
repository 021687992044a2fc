// SPDX-License-Identifier: Apache-2.0
//
// error: how this library reports failures of CUDA, the driver and the machine. There is one exception type, a
// std::system_error that carries the value of cudaError_t, and the error category of these values.
//
// The declarations belong to the global module: the archive defines them without a module, and cudax.sync.host exports
// them. Only the archive throws, so that programs compiled with -fno-exceptions can import the interface.
#pragma once

#include <stdexcept>
#include <system_error>

namespace cudax {

/// The category of CUDA's errors. The value of a code is the cudaError_t; -1 means "cudax.sync was built without CUDA",
/// -2 "the work that was waited for has finished without the change", -3 "timed out". The message is CUDA's text and
/// the enumerator's name. Codes compare equal to the corresponding generic conditions: std::errc::not_enough_memory,
/// invalid_argument, no_such_device, operation_not_permitted, not_supported, function_not_supported (-1),
/// operation_canceled (-2), timed_out (-3).
std::error_category const& cuda_category() noexcept;

/// The exception that every function of the host runtime throws when CUDA, the driver or the machine reports an error.
/// code() is in cuda_category(), except after a wait that a callable ended with a std::error_code: then it is that
/// code. what() is one sentence: where, what with its values, why, what to do.
class cuda_error : public std::system_error {
public:
  cuda_error(std::error_code code, char const* sentence);
  char const* what() const noexcept override;

private:
  std::runtime_error sentence_; // a string that copies without throwing
};

namespace runtime {

struct failure;

std::error_code to_error_code(failure const& why) noexcept;

} // namespace runtime
} // namespace cudax
