// SPDX-License-Identifier: Apache-2.0
//
// error: the exception and the error category of the host runtime, declared in runtime/interface/error.hpp. [syserr]
// Functions that can fail come in pairs, as in std::filesystem. One throws cuda_error. Its twin stores the code in a
// std::error_code, and clears it on success.
//
// The other partitions use the standard library's types that this partition declares. So the headers are parsed once,
// and one BMI holds them.
module;
#include "../../runtime/interface/error.hpp"
#include "../../runtime/interface/host_boundary.hpp"
#include "../../runtime/interface/resources.hpp"
#include <cstddef>
#include <string>
#include <vector>
export module cudax.sync.host:error;

export namespace cudax {

/// The category of CUDA's errors, and the exception of the host runtime; runtime/interface/error.hpp documents them.
/// Example:
///     try {
///       auto const count = cudax::make_mapped<cudax::atomic<int>>(0);
///     } catch (cudax::cuda_error const& error) {
///       std::puts(error.what());
///       if (error.code() == std::errc::not_enough_memory) std::puts("use a smaller problem");
///     }
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

// :resources exports these names.
using cudax::cuda_bad_alloc;
using cudax::managed_resource;
using cudax::mapped_resource;
using cudax::resource_statistics;
using cudax::system_resource;

/// Stores a failure in `error`. Twins call this function; the functions that throw call runtime::raise.
inline void store(runtime::failure const& why, error_code& error) noexcept { error = runtime::to_error_code(why); }

/// Returns an error code, from its value and its category: a std::error_category, or null for cuda_category().
inline error_code to_error_code(int code, void const* category) noexcept {
  return {code, category ? *(std::error_category const*)category : cuda_category()};
}

} // namespace cudax
