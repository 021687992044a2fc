// SPDX-License-Identifier: Apache-2.0
//
// coresident: launches whose blocks all run at once, or none.
//
// Blocks that wait for one another must all run. If a grid is larger than the device holds, the running blocks wait
// indefinitely for blocks that cannot start. CUDA's cooperative launch guarantees that all run, and fails with only an
// error code if they cannot; this file adds the numbers. Whether the launch fits is CUDA's own arithmetic, the
// occupancy query. Which resource is exhausted is computed here: the one that alone would allow the fewest blocks.
#include "../cuda/launch_limits.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <tuple>

namespace cudax::runtime {
namespace {

using count = unsigned long long;

constexpr auto const* name = "launch_coresident"; // in the sentences about limits

count round_up(count value, count unit) noexcept { return (value + unit - 1) / unit * unit; }

struct facts {
  int device = 0;
  kernel_description kernel{};
  multiprocessor_description sm{};
  int per_sm = 0;           // resident blocks, where there are no clusters
  int clusters = 0;         // resident on the device
  count cluster = 1;        // in blocks
  bool in_clusters = false; // whether CUDA is told their size

  count limit() const noexcept {
    return in_clusters ? count(std::max(clusters, 0)) * cluster : count(std::max(per_sm, 0)) * count(sm.count);
  }
};

/// Writes which resource limits the number of these blocks on a multiprocessor.
void explain_limit(facts const& f, count threads, size_t shared, char* text, size_t size) noexcept {
  constexpr count register_unit = 256; // the allocation unit for a warp
  constexpr count shared_unit = 128;
  count const warps = round_up(threads, count(f.sm.warp_size)) / count(f.sm.warp_size);
  count const registers = warps * round_up(count(f.kernel.registers) * count(f.sm.warp_size), register_unit);
  count const bytes = round_up(f.kernel.static_shared + shared + count(f.sm.reserved_shared), shared_unit);
  struct {
    count blocks;
    char const* resource;
    count used, has;
  } const limits[] = {
      {count(f.sm.blocks), "blocks", 1, count(f.sm.blocks)},
      {count(f.sm.threads) / (warps * count(f.sm.warp_size)), "threads", warps * count(f.sm.warp_size),
       count(f.sm.threads)},
      {registers ? count(f.sm.registers) / registers : ~0ull, "registers", registers, count(f.sm.registers)},
      {bytes ? count(f.sm.shared) / bytes : ~0ull, "bytes of shared memory", bytes, count(f.sm.shared)},
  };
  auto const& least =
      *std::min_element(std::begin(limits), std::end(limits), [](auto& a, auto& b) { return a.blocks < b.blocks; });
  // The query is authoritative: if it returns a different number, no resource is named.
  if (least.blocks == count(f.per_sm))
    std::snprintf(text, size, "each needs %llu of the %llu %s", least.used, least.has, least.resource);
  else std::snprintf(text, size, "by CUDA's occupancy query");
}

bool query_limits(launch_request const& r, facts& f, failure& why) noexcept {
  execution_calls const& cuda = execution();
  auto const& [kernel, grid, block, shared] = std::tie(r.kernel, r.grid, r.block, r.shared);
  extent const& cluster = r.cluster;
  if (!check_cluster(name, grid, cluster, why)) return false;
  if (r.names_preferred) {
    fail(why, cuda::not_supported,
         "launch_coresident: a preferred cluster of %u x %u x %u blocks: which size the device takes decides how many "
         "blocks run at once; name one size",
         r.preferred.x, r.preferred.y, r.preferred.z);
    return false;
  }
  f.cluster = size_of(cluster);
  int code = cuda.current_device(&f.device);
  if (code == cuda::success) code = cuda.describe_kernel(&f.kernel, kernel);
  if (code == cuda::success) code = cuda.describe_multiprocessor(&f.sm, f.device);
  if (code == cuda::success && !check_block(name, f.kernel, f.device, block, shared, why)) return false;
  if (code == cuda::success && f.cluster > 1 && f.sm.cluster_launch == 0) {
    fail(why, cuda::not_supported,
         "launch_coresident: device %d has no clusters, which need sm_90; launch without a cluster, or choose another "
         "device (cudax::devices())",
         f.device);
    return false;
  }
  if (code == cuda::success && !check_code(name, f.kernel, cluster, why)) return false;
  f.in_clusters = has_clusters(r, f.kernel.sm);
  if (code == cuda::success)
    code = f.in_clusters ? cuda.resident_clusters(&f.clusters, &r)
                         : cuda.resident_blocks(&f.per_sm, kernel, static_cast<int>(size_of(block)), shared);
  if (code == cuda::success) return true;
  if (code == cuda::invalid_cluster_size) {
    fail_large_cluster(name, cluster, why);
    return false;
  }
  fail_in_cuda(
      why, code,
      "launch_coresident: the limits of the kernel at %p and of device %d, for clusters of %llu blocks, cannot "
      "be queried",
      kernel, f.device, f.cluster);
  return false;
}

} // namespace

int coresident_blocks(launch_request const& request, failure& why) noexcept {
  facts f;
  launch_request one_cluster = request;
  one_cluster.grid = request.cluster;
  if (!query_limits(one_cluster, f, why)) return 0;
  return static_cast<int>(std::min<count>(f.limit(), 0x7fffffff));
}

void launch_coresident(launch_request const& request, failure& why) noexcept {
  count const blocks = size_of(request.grid), threads = size_of(request.block);
  facts f;
  if (!check_grid(name, request.grid, why)) return;
  if (!query_limits(request, f, why)) return;
  if (f.sm.cooperative_launch == 0) {
    fail(
        why, cuda::not_supported,
        "launch_coresident: device %d has no cooperative launches, so nothing guarantees that %llu blocks run at once; "
        "choose another device (cudax::devices())",
        f.device, blocks);
    return;
  }
  if (blocks > f.limit() && f.in_clusters) {
    fail(why, cuda::cooperative_launch_too_large,
         "launch_coresident: %llu blocks of %llu threads with %zu bytes of dynamic shared memory, in clusters of %llu, "
         "cannot run at once on device %d: %d clusters fit (by CUDA's occupancy query), %llu blocks in all; launch at "
         "most so many, or smaller ones",
         blocks, threads, request.shared, f.cluster, f.device, f.clusters, f.limit());
    return;
  }
  if (blocks > f.limit()) {
    char limit[128];
    explain_limit(f, threads, request.shared, limit, sizeof(limit));
    fail(why, cuda::cooperative_launch_too_large,
         "launch_coresident: %llu blocks of %llu threads with %zu bytes of dynamic shared memory cannot run at once on "
         "device %d: %d fit on each of its %d multiprocessors (%s), %llu in all; launch at most so many, or smaller "
         "ones",
         blocks, threads, request.shared, f.device, f.per_sm, f.sm.count, limit, f.limit());
    return;
  }
  launch_request launched = request;
  launched.names_cluster = f.in_clusters;
  if (int const code = execution().launch_cooperative(&launched))
    fail_in_cuda(why, code,
                 "launch_coresident: the launch of %llu blocks of %llu threads failed, though device %d holds %llu",
                 blocks, threads, f.device, f.limit());
}

} // namespace cudax::runtime
