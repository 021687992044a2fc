// SPDX-License-Identifier: Apache-2.0
//
// error: the exception and the error category of the host runtime, which runtime/error.hpp declares. [syserr]
// Functions that can fail come in pairs, as in std::filesystem: one throws cuda_error, its twin stores the
// code in a std::error_code, which it clears on success.
//
// The other partitions take the standard library's types from here, so that the headers are read, and kept in
// a BMI, once.
module;
#include "../../runtime/error.hpp"
#include "../../runtime/host_boundary.hpp"
#include "../../runtime/resources.hpp"
#include <cstddef>
#include <string>
#include <vector>
export module cudax.sync.host:error;

export namespace cudax {

using cudax::cuda_category;
using cudax::cuda_error;

} // namespace cudax

namespace cudax {

using std::errc;
using std::error_code;
using std::make_error_code;
using std::size_t;
using std::string;
using std::vector;

// What :resources exports.
using cudax::cuda_bad_alloc;
using cudax::managed_resource;
using cudax::mapped_resource;
using cudax::resource_statistics;
using cudax::system_resource;

/// What a twin does with the failure that the throwing function raises.
inline void store(runtime::failure const& why, error_code& error) noexcept { error = runtime::to_error_code(why); }

/// An error code from the runtime's parts of one: `category` is a std::error_category, or null for cuda_category().
inline error_code to_error_code(int code, void const* category) noexcept {
  return {code, category ? *(std::error_category const*)category : cuda_category()};
}

} // namespace cudax
