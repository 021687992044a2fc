// SPDX-License-Identifier: Apache-2.0
//
// sm_90 (Hopper): clusters, one-sided fences, 128-bit read-modify-write, addition of bfloat16, transactions of
// barriers, bulk copies.
#pragma once

#include "../sm_80/target.hpp"
#include "atom.hpp"
#include "bulk_copy.hpp"
#include "cluster.hpp"
#include "fence.hpp"
#include "mbarrier.hpp"
#include "red.hpp"

namespace cudax::arch::sm_90 {
using namespace sm_80;

constexpr scope cluster_scope = scope::cluster;

} // namespace cudax::arch::sm_90
