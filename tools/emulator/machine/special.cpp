// SPDX-License-Identifier: Apache-2.0
//
// special: one line per special register.
// %clock64 counts nanoseconds, as if the SM ran at 1 GHz.
#include "special.hpp"
#include "grid.hpp"
#include "mode.hpp"
#include "observer.hpp"
#include "resident.hpp"

#include <chrono>
#include <ctime>
#include <unordered_map>
#include <vector>

namespace emulator {
namespace {

using u64 = std::uint64_t;

std::uint32_t mask_below(thread const& t) { return (1u << t.lane) - 1; }
dim3 clusters(thread const& t) {
  auto const& l = t.block->grid->launch;
  return {l.grid.x / l.cluster.x, l.grid.y / l.cluster.y, l.grid.z / l.cluster.z};
}
std::array<std::uint32_t, 3> in_cluster(thread const& t) {
  auto const& l = t.block->grid->launch;
  auto const& b = t.block->ctaid;
  return {b[0] % l.cluster.x, b[1] % l.cluster.y, b[2] % l.cluster.z};
}
launch const& launched(thread const& t) { return t.block->grid->launch; }

/// Never goes backwards, even where the system's clock is set: a monotonic clock.
u64 nanoseconds() {
  if (is_checked_run()) return the_observer().time();
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return u64(now.tv_sec) * 1'000'000'000 + u64(now.tv_nsec);
}

u64 own_shared(thread const& t) { return launched(t).kernel->shared_bytes + launched(t).dynamic_shared; }

u64 address_of_workspace(thread const& t) { return launched(t).cooperative ? u64(&t.block->grid->workspace) : 0; }

special_register const table[] = {
    {"%tid.x", [](thread const& t) -> u64 { return t.tid[0]; }, false},
    {"%tid.y", [](thread const& t) -> u64 { return t.tid[1]; }, false},
    {"%tid.z", [](thread const& t) -> u64 { return t.tid[2]; }, false},
    {"%ntid.x", [](thread const& t) -> u64 { return launched(t).block.x; }, false},
    {"%ntid.y", [](thread const& t) -> u64 { return launched(t).block.y; }, false},
    {"%ntid.z", [](thread const& t) -> u64 { return launched(t).block.z; }, false},
    {"%ctaid.x", [](thread const& t) -> u64 { return t.block->ctaid[0]; }, false},
    {"%ctaid.y", [](thread const& t) -> u64 { return t.block->ctaid[1]; }, false},
    {"%ctaid.z", [](thread const& t) -> u64 { return t.block->ctaid[2]; }, false},
    {"%nctaid.x", [](thread const& t) -> u64 { return launched(t).grid.x; }, false},
    {"%nctaid.y", [](thread const& t) -> u64 { return launched(t).grid.y; }, false},
    {"%nctaid.z", [](thread const& t) -> u64 { return launched(t).grid.z; }, false},
    {"%laneid", [](thread const& t) -> u64 { return t.lane; }, false},
    {"%warpid", [](thread const& t) -> u64 { return t.warp->number; }, false},
    {"%nwarpid", [](thread const& t) -> u64 { return t.block->grid->properties->threads_per_multiprocessor / 32; },
     false},
    {"%smid", [](thread const& t) -> u64 { return t.block->sm; }, false},
    {"%nsmid", [](thread const& t) -> u64 { return u64(t.block->grid->properties->multiprocessors); }, false},
    {"%gridid", [](thread const& t) -> u64 { return t.block->grid->number; }, false},
    {"%lanemask_eq", [](thread const& t) -> u64 { return 1u << t.lane; }, false},
    {"%lanemask_lt", [](thread const& t) -> u64 { return mask_below(t); }, false},
    {"%lanemask_le", [](thread const& t) -> u64 { return mask_below(t) | 1u << t.lane; }, false},
    {"%lanemask_gt", [](thread const& t) -> u64 { return ~(mask_below(t) | 1u << t.lane); }, false},
    {"%lanemask_ge", [](thread const& t) -> u64 { return ~mask_below(t); }, false},
    {"%is_explicit_cluster", [](thread const& t) -> u64 { return launched(t).is_clustered(); }, false},
    {"%clusterid.x", [](thread const& t) -> u64 { return t.block->ctaid[0] / launched(t).cluster.x; }, false},
    {"%clusterid.y", [](thread const& t) -> u64 { return t.block->ctaid[1] / launched(t).cluster.y; }, false},
    {"%clusterid.z", [](thread const& t) -> u64 { return t.block->ctaid[2] / launched(t).cluster.z; }, false},
    {"%nclusterid.x", [](thread const& t) -> u64 { return clusters(t).x; }, false},
    {"%nclusterid.y", [](thread const& t) -> u64 { return clusters(t).y; }, false},
    {"%nclusterid.z", [](thread const& t) -> u64 { return clusters(t).z; }, false},
    {"%cluster_ctaid.x", [](thread const& t) -> u64 { return in_cluster(t)[0]; }, false},
    {"%cluster_ctaid.y", [](thread const& t) -> u64 { return in_cluster(t)[1]; }, false},
    {"%cluster_ctaid.z", [](thread const& t) -> u64 { return in_cluster(t)[2]; }, false},
    {"%cluster_nctaid.x", [](thread const& t) -> u64 { return launched(t).cluster.x; }, false},
    {"%cluster_nctaid.y", [](thread const& t) -> u64 { return launched(t).cluster.y; }, false},
    {"%cluster_nctaid.z", [](thread const& t) -> u64 { return launched(t).cluster.z; }, false},
    {"%cluster_ctarank", [](thread const& t) -> u64 { return t.block->rank; }, false},
    {"%cluster_nctarank", [](thread const& t) -> u64 { return launched(t).cluster.count(); }, false},
    {"%dynamic_smem_size", [](thread const& t) -> u64 { return launched(t).dynamic_shared; }, false},
    {"%total_smem_size", [](thread const& t) -> u64 { return own_shared(t); }, false},
    {"%aggr_smem_size", [](thread const& t) -> u64 { return t.block->shared_size; }, false},
    {"%reserved_smem_offset_begin", [](thread const& t) -> u64 { return reserved_shared_begin(*t.block); }, false},
    {"%reserved_smem_offset_end", [](thread const& t) -> u64 { return t.block->shared_size; }, false},
    {"%reserved_smem_offset_cap", [](thread const& t) -> u64 { return t.block->shared_size; }, false},
    {"%reserved_smem_offset_0", [](thread const& t) -> u64 { return reserved_shared_begin(*t.block); }, false},
    {"%reserved_smem_offset_1", [](thread const& t) -> u64 { return reserved_shared_middle(*t.block); }, false},
    {"%envreg1", [](thread const& t) -> u64 { return address_of_workspace(t) >> 32; }, false},
    {"%envreg2", [](thread const& t) -> u64 { return address_of_workspace(t) & 0xffffffff; }, false},
    {"%clock", [](thread const&) -> u64 { return nanoseconds() & 0xffffffff; }, true},
    {"%clock_hi", [](thread const&) -> u64 { return nanoseconds() >> 32; }, true},
    {"%clock64", [](thread const&) -> u64 { return nanoseconds(); }, true},
    {"%globaltimer", [](thread const&) -> u64 { return global_timer(); }, true},
    {"%globaltimer_lo", [](thread const&) -> u64 { return global_timer() & 0xffffffff; }, true},
    {"%globaltimer_hi", [](thread const&) -> u64 { return global_timer() >> 32; }, true},
};

} // namespace

std::optional<std::uint32_t> find_special(std::string_view name) {
  static auto const* const numbers = [] {
    auto* const map = new std::unordered_map<std::string_view, std::uint32_t>;
    for (std::uint32_t i = 0; i < std::size(table); ++i) map->emplace(table[i].name, i);
    return map;
  }();
  auto const found = numbers->find(name);
  return found == numbers->end() ? std::nullopt : std::optional(found->second);
}

special_register const& special(std::uint32_t number) { return table[number]; }

std::uint64_t global_timer() {
  if (is_checked_run()) return the_observer().time();
  static u64 const start = [] {
    auto const since_1970 = std::chrono::system_clock::now().time_since_epoch();
    return u64(std::chrono::duration_cast<std::chrono::nanoseconds>(since_1970).count()) - nanoseconds();
  }();
  return start + nanoseconds();
}

} // namespace emulator
