// SPDX-License-Identifier: Apache-2.0
//
// dependent: launches of grids that need not run at once: ordinary ones, and those that may overlap with the kernel
// before them in the stream.
//
// A launch takes a few microseconds, so nothing is queried before the launch. If it fails, the limits of the kernel are
// queried for the sentence.
#include "../cuda/launch_limits.hpp"

#include <cstdio>

namespace cudax::runtime {
namespace {

/// Whether the limits of the kernel explain the failure; then `why` has the sentence.
bool explain_limits(char const* name, launch_request const& r, failure& why) noexcept {
  execution_calls const& cuda = execution();
  kernel_description kernel{};
  int device = 0;
  if (!check_grid(name, r.grid, why) || !check_cluster(name, r.grid, r.cluster, why) || !check_preferred(name, r, why))
    return true;
  if (cuda.current_device(&device) != cuda::success || cuda.describe_kernel(&kernel, r.kernel) != cuda::success)
    return false;
  return !check_code(name, kernel, r.cluster, why) || !check_block(name, kernel, device, r.block, r.shared, why);
}

void launch(char const* name, int (*how)(launch_request const*), launch_request const& r, failure& why) noexcept {
  // CUDA's parameter for shared memory has 32 bits.
  int const code = r.shared > 0xffffffff ? cuda::invalid_value : how(&r);
  if (code == cuda::success) return;
  if ((code == cuda::invalid_value || code == cuda::invalid_cluster_size) && explain_limits(name, r, why)) return;
  if (code == cuda::invalid_cluster_size)
    return fail_large_cluster(name, r.names_preferred ? r.preferred : r.cluster, why);
  char clusters[64] = "";
  if (r.names_cluster)
    std::snprintf(clusters, sizeof clusters, " in clusters of %u x %u x %u", r.cluster.x, r.cluster.y, r.cluster.z);
  fail_in_cuda(
      why, code,
      "%s: the launch of %u x %u x %u blocks of %u x %u x %u threads%s with %zu bytes of dynamic shared memory failed",
      name, r.grid.x, r.grid.y, r.grid.z, r.block.x, r.block.y, r.block.z, clusters, r.shared);
}

} // namespace

void launch_any(launch_request const& r, failure& why) noexcept { launch("launch", execution().launch_plain, r, why); }

void launch_dependent(launch_request const& r, failure& why) noexcept {
  launch("launch_dependent", execution().launch_programmatic, r, why);
}

} // namespace cudax::runtime
