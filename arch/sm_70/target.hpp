// SPDX-License-Identifier: Apache-2.0
//
// sm_70 (Volta, Turing): the first generation with the PTX memory model and the floor of this library.
#pragma once

#include "absent.hpp"
#include "atom.hpp"
#include "bfloat16.hpp"
#include "bulk_copy.hpp"
#include "fence.hpp"
#include "ld.hpp"
#include "missing.hpp"
#include "red.hpp"
#include "reduction.hpp"
#include "space.hpp"
#include "sreg.hpp"
#include "st.hpp"
#include "subword.hpp"
#include "sync.hpp"
#include "time.hpp"
#include "tuning.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_70 {

/// A cluster is one block before sm_90, and PTX has no .cluster scope.
constexpr scope cluster_scope = scope::cta;

/// Whether a strong ld or st through a generic pointer may access local memory. PTX defines strong accesses only for
/// global and shared memory, so a generation needs a measurement (sm_90/target.hpp). Elsewhere isspacep.local is
/// queried where the compiler does not know the space.
constexpr bool strong_access_to_local = false;

} // namespace cudax::arch::sm_70

#pragma clang force_cuda_host_device end
