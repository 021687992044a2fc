// SPDX-License-Identifier: Apache-2.0
//
// devices: the device query. A missing driver, no device and a build without CUDA are valid answers, not failures.
#include "cuda_calls.hpp"

#include <cstdio>

namespace cudax::runtime {
namespace {

bool means_none(int code) noexcept {
  return code == cuda::insufficient_driver || code == cuda::stub_library || code == cuda::no_device ||
         code == cuda::built_without;
}

} // namespace

int count_devices(failure& why) noexcept {
  int count = 0;
  int const code = calls().count_devices(&count);
  if (code == cuda::success) return count;
  if (!means_none(code)) fail_in_cuda(why, code, "devices: the devices cannot be counted");
  return 0;
}

void describe_device(int ordinal, device_description& description, failure& why) noexcept {
  if (int const code = calls().describe_device(&description, ordinal))
    fail_in_cuda(why, code, "devices: the attributes of device %d cannot be queried", ordinal);
}

void explain_no_device(char* sentence, size_t size) noexcept {
  int count = 0;
  int const code = calls().count_devices(&count);
  if (code == cuda::success && count > 0) *sentence = 0;
  else explain(code == cuda::success ? cuda::no_device : code, sentence, size);
}

} // namespace cudax::runtime
