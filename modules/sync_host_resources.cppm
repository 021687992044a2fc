// SPDX-License-Identifier: Apache-2.0
//
// resources: mapped and managed memory as std::pmr::memory_resource, which runtime/resources.hpp declares. [mem.res]
module;
#include "../runtime/resources.hpp"
export module cudax.sync.host:resources;

export namespace cudax {

using cudax::cuda_bad_alloc;
using cudax::managed_resource;
using cudax::mapped_resource;
using cudax::resource_statistics;
using cudax::system_resource;

} // namespace cudax
