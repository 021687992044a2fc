// SPDX-License-Identifier: Apache-2.0
//
// device: whether the CUDA tests have a device to run on.
#include <string>
import cudax.sync.host;

namespace cudax_test {

char const* device_missing() {
  static std::string const reason = cudax::no_device_reason();
  return reason.empty() ? nullptr : reason.c_str();
}

} // namespace cudax_test
