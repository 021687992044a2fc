// SPDX-License-Identifier: Apache-2.0
//
// dependent: launches that may overlap with the kernel before them in the stream.
//
// Such launches save a few microseconds each, so nothing is queried before the launch. If it fails, the limits of the
// kernel are queried for the sentence.
#include "launch_limits.hpp"

#include <cstdio>

namespace cudax::runtime {
namespace {

constexpr auto const* name = "launch_dependent";

/// Whether the limits of the kernel explain the failure; then `why` has the sentence.
bool explain_limits(launch_request const& r, failure& why) noexcept {
  execution_calls const& cuda = execution();
  kernel_description kernel{};
  int device = 0;
  if (!check_grid(name, r.grid, why) || !check_cluster(name, r.grid, r.cluster, why)) return true;
  if (cuda.current_device(&device) != cuda::success || cuda.describe_kernel(&kernel, r.kernel) != cuda::success)
    return false;
  return !check_code(name, kernel, r.cluster, why) || !check_block(name, kernel, device, r.block, r.shared, why);
}

} // namespace

void launch_dependent(launch_request const& r, failure& why) noexcept {
  // CUDA's parameter for shared memory has 32 bits.
  int const code = r.shared > 0xffffffff ? cuda::invalid_value : execution().launch_programmatic(&r);
  if (code == cuda::success) return;
  if ((code == cuda::invalid_value || code == cuda::invalid_cluster_size) && explain_limits(r, why)) return;
  if (code == cuda::invalid_cluster_size) return fail_large_cluster(name, r.cluster, why);
  char clusters[64] = "";
  if (r.names_cluster)
    std::snprintf(clusters, sizeof clusters, " in clusters of %u x %u x %u", r.cluster.x, r.cluster.y, r.cluster.z);
  fail_in_cuda(
      why, code,
      "launch_dependent: the launch of %u x %u x %u blocks of %u x %u x %u threads%s with %zu bytes of dynamic "
      "shared memory failed",
      r.grid.x, r.grid.y, r.grid.z, r.block.x, r.block.y, r.block.z, clusters, r.shared);
}

} // namespace cudax::runtime
