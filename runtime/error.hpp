// SPDX-License-Identifier: Apache-2.0
//
// error: how this library reports what the world refused. One exception type, which is a std::system_error
// that carries the value of cudaError_t, and the error category of these values.
//
// The declarations belong to the global module: the archive defines them without a module, and
// cudax.sync.host exports them. Only the archive throws, so that programs compiled with -fno-exceptions can
// import the interface.
#pragma once

#include <stdexcept>
#include <system_error>

namespace cudax {

/// The category of CUDA's errors. A code's value is the cudaError_t; -1 stands for "cudax.sync was built
/// without CUDA", -2 for "the work that was waited for has finished without the change", -3 for "timed out". The
/// message is CUDA's text and the enumerator's name. Codes compare equal to what they mean
/// in general: std::errc::not_enough_memory, invalid_argument, no_such_device, operation_not_permitted, not_supported,
/// function_not_supported (-1), operation_canceled (-2), timed_out (-3).
std::error_category const& cuda_category() noexcept;

/// What every function of the host runtime throws when CUDA, the driver or the machine refuses. code() is in
/// cuda_category(), but for a wait that a callable ended with a std::error_code: then it is that code. what() is one
/// sentence: where, what with its values, why, what to do.
class cuda_error : public std::system_error {
public:
  cuda_error(std::error_code code, char const* sentence);
  char const* what() const noexcept override;

private:
  std::runtime_error sentence_; // a string whose copies cannot throw
};

namespace runtime {

struct failure;

std::error_code to_error_code(failure const& why) noexcept;

} // namespace runtime
} // namespace cudax
