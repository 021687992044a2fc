// SPDX-License-Identifier: Apache-2.0
//
// sm_90 (Hopper): clusters, one-sided fences, 128-bit read-modify-write, addition of bfloat16, transactions of
// barriers, bulk copies, copies of tensors.
#pragma once

#include "../sm_80/target.hpp"
#include "async_store.hpp"
#include "atom.hpp"
#include "bulk_copy.hpp"
#include "bulk_reduction.hpp"
#include "cluster.hpp"
#include "cluster_address.hpp"
#include "elect.hpp"
#include "fence.hpp"
#include "griddepcontrol.hpp"
#include "mbarrier.hpp"
#include "red.hpp"
#include "tensor_copy.hpp"

namespace cudax::arch::sm_90 {
using namespace sm_80;

constexpr scope cluster_scope = scope::cluster;

/// A strong generic access to local memory is the plain access. PTX does not define it. Measured on an H200, with
/// objects of 1 to 8 bytes and weak accesses, strong accesses and read-modify-writes mixed: no wrong value in 200
/// rounds of 264 blocks of 1,024 threads. Likewise exchange, compare-and-swap of 16 to 64 bits and floating-point
/// addition (f16, bf16, f32, f64, with and without a result), with the lanes of a warp on one address or several: none
/// in three times 2,600 rounds.
constexpr bool strong_access_to_local = true;

} // namespace cudax::arch::sm_90
