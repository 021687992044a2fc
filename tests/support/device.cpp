// SPDX-License-Identifier: Apache-2.0
//
// device: whether the CUDA tests have a device to run on. CUDAX_TEST_SM names the SMs that they are built for, as "80 90".
#include <sstream>
#include <string>
import cudax.sync.host;

namespace cudax_test {

/// An SM's code runs on its major generation, from its minor one on; that of 90a and the like on this very SM.
static bool runs_on(std::string const& sm, int major, int minor) {
  int const built_for = std::stoi(sm);
  bool const same_generation = built_for / 10 == major;
  return same_generation && (sm.back() == 'a' ? built_for % 10 == minor : built_for % 10 <= minor);
}

static std::string reason_for_none() {
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
  static std::string const reason = reason_for_none();
  return reason.empty() ? nullptr : reason.c_str();
}

} // namespace cudax_test
