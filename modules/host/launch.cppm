// SPDX-License-Identifier: Apache-2.0
//
// launch: grids whose blocks may wait for one another, because all of them run at once.
module;
#include "../../runtime/execution_boundary.hpp"
export module cudax.sync.host:launch;
import :error;

namespace cudax {

template <class T> struct itself {
  using type = T;
};
/// A parameter that no template argument is deduced from: what is given converts to it.
template <class T> using as_declared = typename itself<T>::type;

} // namespace cudax

export namespace cudax {

/// How many blocks, or threads of a block, in each dimension. Converts from a number and from dim3.
class launch_extent {
public:
  constexpr launch_extent(unsigned x, unsigned y = 1, unsigned z = 1) noexcept : value_{x, y, z} {}
  template <class D>
    requires requires(D const& d) { d.x, d.y, d.z; }
  constexpr launch_extent(D const& d) noexcept : value_{unsigned(d.x), unsigned(d.y), unsigned(d.z)} {}

  constexpr unsigned x() const noexcept { return value_.x; }
  constexpr unsigned y() const noexcept { return value_.y; }
  constexpr unsigned z() const noexcept { return value_.z; }

private:
  runtime::extent value_;
};

} // namespace cudax

namespace cudax {

constexpr runtime::extent to_extent(launch_extent e) noexcept { return {e.x(), e.y(), e.z()}; }

template <class... Parameter>
void launch_with(runtime::failure& why, void (*kernel)(Parameter...), launch_extent grid, launch_extent block,
                 size_t shared, CUstream_st* stream, Parameter&... arguments) {
  void* addresses[] = {(void*)__builtin_addressof(arguments)..., nullptr};
  runtime::launch_coresident({(void const*)kernel, to_extent(grid), to_extent(block), shared, stream, addresses}, why);
}

} // namespace cudax

export namespace cudax {

/// Launches a kernel on the current device if all of its blocks run there at once, so that they may wait for one
/// another (barriers, locks, this_grid.sync() of cooperative groups); else refuses with the numbers: what was asked
/// for, how many blocks fit on a multiprocessor, which of its resources is too small, how many fit in all.
/// Makes the device's context current where the thread has none, as any launch does. A refusal leaves no error for
/// cudaGetLastError; an older one stays, but where `kernel` is no kernel with code for the device.
/// Source:   cuLaunchCooperativeKernel, cuOccupancyMaxActiveBlocksPerMultiprocessor
/// Units:    `shared`: bytes of dynamic shared memory. `stream`: null is the legacy default stream
/// Requires: the arguments convert to the kernel's parameters; other kernels that hold the device do end. Not for
///           kernels with clusters, whose occupancy is another
/// Errors:   cuda_error: cudaErrorCooperativeLaunchTooLarge where the grid does not fit, std::errc::invalid_argument
///           where no launch of the kernel could have such a block, std::errc::not_supported without cooperative
///           launches, and what CUDA says; the twin try_launch_coresident stores the code. What the kernel does wrong
///           later comes from a later call, such as wait()
template <class... Parameter>
void launch_coresident(void (*kernel)(Parameter...), launch_extent grid, launch_extent block, size_t shared,
                       CUstream_st* stream, as_declared<Parameter>... arguments) {
  runtime::failure why;
  launch_with<Parameter...>(why, kernel, grid, block, shared, stream, arguments...);
  runtime::raise(why);
}
template <class... Parameter>
void try_launch_coresident(error_code& error, void (*kernel)(Parameter...), launch_extent grid, launch_extent block,
                           size_t shared, CUstream_st* stream, as_declared<Parameter>... arguments) {
  runtime::failure why;
  launch_with<Parameter...>(why, kernel, grid, block, shared, stream, arguments...);
  store(why, error);
}

/// Returns how many blocks of a kernel the current device holds at once: the largest grid that launch_coresident
/// takes, and 0 where not even one fits.
/// Errors:   as launch_coresident; the twin stores the code and returns 0
template <class... Parameter>
int coresident_blocks(void (*kernel)(Parameter...), launch_extent block, size_t shared = 0) {
  runtime::failure why;
  int const blocks = runtime::coresident_blocks((void const*)kernel, to_extent(block), shared, why);
  runtime::raise(why);
  return blocks;
}
template <class... Parameter>
int coresident_blocks(void (*kernel)(Parameter...), launch_extent block, size_t shared, error_code& error) noexcept {
  runtime::failure why;
  int const blocks = runtime::coresident_blocks((void const*)kernel, to_extent(block), shared, why);
  store(why, error);
  return blocks;
}

} // namespace cudax
