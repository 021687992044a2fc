// SPDX-License-Identifier: Apache-2.0
//
// resources: mapped and managed memory as std::pmr::memory_resource, declared in runtime/interface/resources.hpp.
// [mem.res] The partition :error includes that header.
export module cudax.sync.host:resources;
import :error;

export namespace cudax {

/// Memory resources for containers that both host and devices can access (runtime/interface/resources.hpp).
/// Example:
///     cudax::system_resource& memory = *cudax::mapped_resource();
///     memory.reserve(1 << 20); // before the program launches a kernel that polls
///     std::pmr::vector<int> data({1, 2, 3}, &memory);
///     int* const for_a_kernel = memory.device_pointer(data.data());
using cudax::cuda_bad_alloc;
using cudax::managed_resource;
using cudax::mapped_resource;
using cudax::resource_statistics;
using cudax::system_resource;

} // namespace cudax
