// SPDX-License-Identifier: Apache-2.0
//
// without_cuda: the tables of a build without a CUDA toolkit. Every call returns built_without. The texts are those of
// the errors that the library itself detects.
#include "cuda_calls.hpp"
#include "execution_calls.hpp"

#include <type_traits>

namespace cudax::runtime {
namespace {

/// Memory whose context is asked for does not exist: its number is 0, and it is not alive.
template <class Result, class... Argument> Result refuse(Argument...) {
  if constexpr (std::is_same_v<Result, int>) return cuda::built_without;
  else return Result{};
}

char const* error_name(int code) {
  switch (code) {
  case cuda::success: return "cudaSuccess";
  case cuda::invalid_value: return "cudaErrorInvalidValue";
  case cuda::memory_allocation: return "cudaErrorMemoryAllocation";
  case cuda::invalid_device: return "cudaErrorInvalidDevice";
  case cuda::not_registered: return "cudaErrorHostMemoryNotRegistered";
  case cuda::built_without: return "built without CUDA";
  default: return "a value of cudaError_t";
  }
}

char const* error_text(int code) {
  switch (code) {
  case cuda::success: return "no error";
  case cuda::invalid_value: return "invalid argument";
  case cuda::memory_allocation: return "out of memory";
  case cuda::invalid_device: return "invalid device ordinal";
  case cuda::not_registered: return "the memory is not registered";
  case cuda::built_without: return "cudax.sync was built without CUDA";
  default: return "a CUDA error that is unknown to this build";
  }
}

} // namespace

constinit cuda_calls const calls_without_cuda = [] {
  cuda_calls calls{
#define CUDAX_MEMORY_CALL(result, name, parameters) .name = refuse,
#include "calls.def"
  };
  calls.error_name = error_name;
  calls.error_text = error_text;
  return calls;
}();

constinit execution_calls const execution_calls_without_cuda = [] {
  execution_calls calls{
#define CUDAX_EXECUTION_CALL(result, name, parameters) .name = refuse,
#include "calls.def"
  };
  calls.last_error = [] { return cuda::success; };
  return calls;
}();

} // namespace cudax::runtime
