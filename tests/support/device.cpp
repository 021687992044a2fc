// SPDX-License-Identifier: Apache-2.0
//
// device: whether the CUDA tests have a device to run on. CUDAX_TEST_SM names the SMs that they are built for, as "80
// 90".
#include <sstream>
#include <string>
import cudax.sync.host;

namespace cudax_test {

/// Code for an SM runs on devices of the same major version with at least its minor version. Code for 90a and the like
/// runs only on that SM.
static bool runs_on(std::string const& sm, int major, int minor) {
  int const built_for = std::stoi(sm);
  bool const same_generation = built_for / 10 == major;
  return same_generation && (sm.back() == 'a' ? built_for % 10 == minor : built_for % 10 <= minor);
}

static std::string find_reason() {
  std::string const reason = cudax::no_device_reason();
  if (!reason.empty()) return reason;
  auto const device = cudax::devices().front();
  std::istringstream built_for(CUDAX_TEST_SM);
  for (std::string sm; built_for >> sm;)
    if (runs_on(sm, device.compute_capability_major, device.compute_capability_minor)) return "";
  auto const capability =
      std::to_string(device.compute_capability_major) + "." + std::to_string(device.compute_capability_minor);
  return "the tests are built for SM " CUDAX_TEST_SM ", and the device, " + std::string(device.name.c_str()) +
         ", has compute capability " + capability + "; set CUDAX_SYNC_TEST_SM when configuring";
}

char const* device_missing() {
  static std::string const reason = find_reason();
  return reason.empty() ? nullptr : reason.c_str();
}

} // namespace cudax_test
