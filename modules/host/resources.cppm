// SPDX-License-Identifier: Apache-2.0
//
// resources: mapped and managed memory as std::pmr::memory_resource, which runtime/resources.hpp declares. [mem.res]
// Its headers are read in :error.
export module cudax.sync.host:resources;
import :error;

export namespace cudax {

using cudax::cuda_bad_alloc;
using cudax::managed_resource;
using cudax::mapped_resource;
using cudax::resource_statistics;
using cudax::system_resource;

} // namespace cudax
