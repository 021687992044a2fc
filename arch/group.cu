// SPDX-License-Identifier: Apache-2.0
//
// group: the device entry points of abi.hpp for groups of threads: their barriers, what lanes tell each other,
// sizes and ranks.
#if defined(__CUDA_ARCH__)
#include "grid_sync.hpp"
#include "select.hpp"

namespace arch = cudax::arch;
namespace target = cudax::arch::target;
using namespace cudax::abi;

CUDAX_ENTRY void cudax_block_sync() { target::barrier_sync(); }
CUDAX_ENTRY void cudax_block_sync_together() { target::barrier_sync_aligned(); }
CUDAX_ENTRY void cudax_warp_sync(u32 mask) { target::bar_warp_sync(mask); }
CUDAX_ENTRY void cudax_named_barrier_arrive(u32 id, u32 threads, bool aligned) {
  if (aligned) target::barrier_arrive_named_aligned(id, threads);
  else target::barrier_arrive_named(id, threads);
}
CUDAX_ENTRY void cudax_named_barrier_sync(u32 id, u32 threads, bool aligned) {
  if (aligned) target::barrier_sync_named_aligned(id, threads);
  else target::barrier_sync_named(id, threads);
}
CUDAX_ENTRY u32 cudax_named_barrier_reduce(u32 id, u32 threads, bool predicate, int how) {
  switch (how) {
  case 0: return target::barrier_red_popc(id, threads, predicate);
  case 1: return target::barrier_red_and(id, threads, predicate);
  case 2: return target::barrier_red_or(id, threads, predicate);
  default:
    arch::stop("cudax.sync: named_barrier_reduce: reduction %lld does not exist; 0, 1, 2 are popc, and, or\n", how);
    return 0;
  }
}
CUDAX_ENTRY bool cudax_elect(u32 mask) { return target::elect_sync(mask); }
CUDAX_ENTRY void cudax_cluster_sync() { target::barrier_cluster(); }
CUDAX_ENTRY void cudax_cluster_arrive() { target::barrier_cluster_arrive(); }
CUDAX_ENTRY void cudax_cluster_arrive_relaxed() { target::barrier_cluster_arrive_relaxed(); }
CUDAX_ENTRY void cudax_cluster_wait() { target::barrier_cluster_wait(); }
CUDAX_ENTRY void cudax_grid_sync() { arch::grid_sync(); }
CUDAX_ENTRY u32 cudax_grid_arrive() { return arch::grid_arrive(); }
CUDAX_ENTRY void cudax_grid_wait(u32 token) { arch::grid_wait(token); }
CUDAX_ENTRY bool cudax_grid_is_valid() { return arch::grid_workspace_address() != 0; }
CUDAX_ENTRY void cudax_grid_wait_for_prerequisites() { target::griddepcontrol_wait(); }
CUDAX_ENTRY void cudax_grid_let_dependents_start() { target::griddepcontrol_launch_dependents(); }

CUDAX_ENTRY void cudax_shuffle_down(u32* word, u32 delta, u32 mask) { target::shfl_sync_down(*word, delta, mask); }
CUDAX_ENTRY void cudax_shuffle_from(u32* word, u32 lane, u32 mask) { target::shfl_sync_idx(*word, lane, mask); }
CUDAX_ENTRY u32 cudax_match(u64 key, u32 mask) { return target::match_any_sync_b64(key, mask); }
CUDAX_ENTRY u32 cudax_ballot(bool predicate, u32 mask) { return target::vote_sync_ballot(predicate, mask); }

CUDAX_ENTRY bool cudax_has_lane_reduction() { return target::has_redux; }
CUDAX_ENTRY u32 cudax_lanes_add_u32(u32 word, u32 mask) { return target::redux_sync_add_u32(word, mask); }
CUDAX_ENTRY u32 cudax_lanes_max_u32(u32 word, u32 mask) { return target::redux_sync_max_u32(word, mask); }
CUDAX_ENTRY s32 cudax_lanes_max_s32(s32 word, u32 mask) { return target::redux_sync_max_s32(word, mask); }
CUDAX_ENTRY u32 cudax_lanes_min_u32(u32 word, u32 mask) { return target::redux_sync_min_u32(word, mask); }
CUDAX_ENTRY s32 cudax_lanes_min_s32(s32 word, u32 mask) { return target::redux_sync_min_s32(word, mask); }
CUDAX_ENTRY u32 cudax_lanes_and_u32(u32 word, u32 mask) { return target::redux_sync_and_b32(word, mask); }
CUDAX_ENTRY u32 cudax_lanes_or_u32(u32 word, u32 mask) { return target::redux_sync_or_b32(word, mask); }
CUDAX_ENTRY u32 cudax_lanes_xor_u32(u32 word, u32 mask) { return target::redux_sync_xor_b32(word, mask); }

CUDAX_ENTRY u32 cudax_active_mask() { return target::activemask(); }
CUDAX_ENTRY u32 cudax_lane() { return target::laneid(); }

CUDAX_ENTRY u64 cudax_group_size(int level) {
  switch (level) {
  case 0: return 1;
  case 1: return arch::warp_size();
  case 2: return arch::block_size();
  case 3: return u64(target::cluster_nctarank()) * arch::block_size();
  case 4: return arch::blocks() * arch::block_size();
  case 5: return target::cluster_nctarank();
  default:
    arch::stop(
        "cudax.sync: group_size: level %lld does not exist; 0 to 5 are thread, warp, block, cluster, grid, blocks "
        "of a cluster\n",
        level);
    return 0;
  }
}

CUDAX_ENTRY u64 cudax_group_rank(int level) {
  switch (level) {
  case 0: return 0;
  case 1: return target::laneid();
  case 2: return arch::block_rank();
  case 3: return u64(target::cluster_ctarank()) * arch::block_size() + arch::block_rank();
  case 4: return arch::rank_of_block() * arch::block_size() + arch::block_rank();
  case 5: return target::cluster_ctarank();
  default:
    arch::stop(
        "cudax.sync: group_rank: level %lld does not exist; 0 to 5 are thread, warp, block, cluster, grid, blocks "
        "of a cluster\n",
        level);
    return 0;
  }
}

CUDAX_ENTRY u32 cudax_block_index(int dimension) {
  return arch::component(dimension, target::ctaid_x(), target::ctaid_y(), target::ctaid_z());
}
CUDAX_ENTRY u32 cudax_grid_extent(int dimension) {
  return arch::component(dimension, target::nctaid_x(), target::nctaid_y(), target::nctaid_z());
}
CUDAX_ENTRY u32 cudax_cluster_extent(int dimension) {
  return arch::component(dimension, target::cluster_nctaid_x(), target::cluster_nctaid_y(), target::cluster_nctaid_z());
}
CUDAX_ENTRY void* cudax_cluster_shared(void* shared, u32 block) { return target::mapa(shared, block); }
#endif
