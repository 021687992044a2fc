// SPDX-License-Identifier: Apache-2.0
//
// without_cuda: the table of a build without a CUDA toolkit. Every call returns built_without. The texts are those of
// the errors that the library itself detects.
#include "cuda_calls.hpp"

namespace cudax::runtime {
namespace {

template <class... Argument> int refuse(Argument...) { return cuda::built_without; }

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

constinit cuda_calls const calls_without_cuda = {
    .register_memory = refuse,
    .unregister_memory = refuse,
    .device_address = refuse,
    .owner = refuse,
    .allocate_mapped = refuse,
    .free_mapped = refuse,
    .allocate_managed = refuse,
    .free_managed = refuse,
    .context_of = [](void const*) { return 0ull; },
    .is_alive = [](void const*, unsigned long long) { return false; },
    .count_devices = refuse,
    .describe_device = refuse,
    .describe_peer = refuse,
    .versions = refuse,
    .error_name = error_name,
    .error_text = error_text,
};

} // namespace cudax::runtime
