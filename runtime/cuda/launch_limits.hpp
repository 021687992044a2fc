// SPDX-License-Identifier: Apache-2.0
//
// launch_limits: the extents that no launch of a kernel can have, as sentences. `name` is the function that was called.
#pragma once

#include "execution_calls.hpp"

#include <cstddef>

namespace cudax::runtime {

/// The number of threads or blocks. Saturates: a number that does not fit in 64 bits does not fit on a device.
inline unsigned long long size_of(extent e) noexcept {
  unsigned long long all = 0;
  return __builtin_mul_overflow(static_cast<unsigned long long>(e.x) * e.y, static_cast<unsigned long long>(e.z), &all)
             ? ~0ull
             : all;
}

/// Rejects a grid without blocks.
inline bool check_grid(char const* name, extent grid, failure& why) noexcept {
  if (size_of(grid) != 0) return true;
  fail(why, cuda::invalid_value, "%s: a grid of %u x %u x %u blocks is empty; launch one or more", name, grid.x, grid.y,
       grid.z);
  return false;
}

/// Rejects a cluster without blocks, and one of which the grid is no multiple.
inline bool check_cluster(char const* name, extent grid, extent cluster, failure& why) noexcept {
  if (size_of(cluster) == 0)
    fail(why, cuda::invalid_value, "%s: a cluster of %u x %u x %u blocks is empty; clusters have one block or more",
         name, cluster.x, cluster.y, cluster.z);
  else if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0)
    fail(why, cuda::invalid_cluster_size,
         "%s: a grid of %u x %u x %u blocks is no multiple of the cluster of %u x %u x %u; round it up", name, grid.x,
         grid.y, grid.z, cluster.x, cluster.y, cluster.z);
  else return true;
  return false;
}

/// Rejects a preferred size of clusters that is no multiple of the other one, and one of which the grid is no multiple.
inline bool check_preferred(char const* name, launch_request const& r, failure& why) noexcept {
  extent const &p = r.preferred, &c = r.cluster;
  if (!r.names_preferred) return true;
  if (size_of(p) == 0 || p.x % c.x != 0 || p.y % c.y != 0 || p.z % c.z != 0)
    fail(why, cuda::invalid_cluster_size,
         "%s: a preferred cluster of %u x %u x %u blocks is no multiple of the cluster of %u x %u x %u; make it one in "
         "each dimension",
         name, p.x, p.y, p.z, c.x, c.y, c.z);
  else return check_cluster(name, r.grid, p, why);
  return false;
}

/// Rejects clusters of a kernel whose code has none: it takes each block for a cluster, so it would compute something
/// else.
inline bool check_code(char const* name, kernel_description const& kernel, extent cluster, failure& why) noexcept {
  if (size_of(cluster) == 1 || kernel.sm >= 90) return true;
  fail(why, cuda::not_supported,
       "%s: clusters of %llu blocks; the code of this kernel was compiled for sm_%d, where each block is a cluster: "
       "compile it for the device's SM (sm_90 or later), or launch without clusters",
       name, size_of(cluster), kernel.sm);
  return false;
}

/// Whether CUDA is told the size of the clusters, be it 1. Code before sm_90 has no use for it, and its devices do not
/// know the attribute: there each block is a cluster.
inline bool has_clusters(launch_request const& r, int sm_of_code) noexcept {
  return r.names_cluster && sm_of_code >= 90;
}

/// The sentence for clusters that CUDA rejects because of their size.
inline void fail_large_cluster(char const* name, extent cluster, failure& why) noexcept {
  fail(why, cuda::invalid_cluster_size,
       "%s: a cluster of %u x %u x %u blocks; every kernel can have 8, and on some devices 16, by "
       "launch_cluster(...).non_portable()",
       name, cluster.x, cluster.y, cluster.z);
}

/// Rejects block sizes that no launch of this kernel can have.
inline bool check_block(char const* name, kernel_description const& kernel, int device, extent block,
                        std::size_t shared, failure& why) noexcept {
  unsigned long long const threads = size_of(block);
  if (threads == 0 || threads > static_cast<unsigned long long>(kernel.block_limit))
    fail(why, cuda::invalid_value,
         "%s: a block of %llu threads; this kernel takes 1 to %d on device %d: choose a smaller block", name, threads,
         kernel.block_limit, device);
  else if (shared > kernel.dynamic_shared_limit)
    fail(why, cuda::invalid_value,
         "%s: %zu bytes of dynamic shared memory; this kernel takes %zu on device %d: raise the limit with "
         "cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)",
         name, shared, kernel.dynamic_shared_limit, device);
  else return true;
  return false;
}

} // namespace cudax::runtime
