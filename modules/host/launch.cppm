// SPDX-License-Identifier: Apache-2.0
//
// launch: launches grids whose blocks may wait for one another, because all blocks run at the same time, and grids that
// may start before the grid before them has completed.
module;
#include "../../runtime/execution_boundary.hpp"
export module cudax.sync.host:launch;
import :error;

namespace cudax {

template <class T> struct type_identity {
  using type = T;
};
/// A parameter type from which no template argument is deduced: the argument converts to it.
template <class T> using non_deduced = typename type_identity<T>::type;

} // namespace cudax

export namespace cudax {

/// Holds a number of blocks, or of threads of a block, for each dimension. A number and a dim3 convert to it.
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

/// Launches by `how`: runtime::launch_coresident or runtime::launch_dependent.
template <class... Parameter>
void launch_with(void (*how)(runtime::launch_request const&, runtime::failure&) noexcept, runtime::failure& why,
                 void (*kernel)(Parameter...), launch_extent grid, launch_extent block, size_t shared,
                 CUstream_st* stream, Parameter&... arguments) {
  void* addresses[] = {(void*)__builtin_addressof(arguments)..., nullptr};
  how({(void const*)kernel, to_extent(grid), to_extent(block), shared, stream, addresses}, why);
}

} // namespace cudax

export namespace cudax {

/// Launches a kernel on the current device if all its blocks run there at the same time. So the blocks may wait for one
/// another (barriers, locks, this_grid.sync() of cooperative groups). Otherwise fails; the message gives the numbers:
/// the requested grid, the blocks that fit on a multiprocessor, the resource that is too small, and the blocks that fit
/// in all.
/// Makes the device's context current if the thread has none, as any launch does. A failure leaves no error for
/// cudaGetLastError, and an older error of the program stays there. The exception: if `kernel` is not a kernel with
/// code for the device, the error of this call replaces an older error.
/// Source:   cuLaunchCooperativeKernel, cuOccupancyMaxActiveBlocksPerMultiprocessor
/// Units:    `shared`: bytes of dynamic shared memory. `stream`: null is the legacy default stream
/// Requires: the arguments convert to the kernel's parameters; any kernel that already occupies the device will end;
///           `kernel` has no clusters, because their occupancy is different
/// Errors:   cuda_error: cudaErrorCooperativeLaunchTooLarge if the grid does not fit, std::errc::invalid_argument if no
///           launch of the kernel could have such a block, std::errc::not_supported without cooperative launches, and
///           any error that CUDA reports. The twin try_launch_coresident stores the code. A later call, such as wait(),
///           reports an error of the running kernel
/// Example:
///     __global__ void relax(cudax::barrier<cudax::thread_scope_device>* all) { all->arrive_and_wait(); }
///     inline void start(cudax::barrier<cudax::thread_scope_device>* all, cudaStream_t stream) {
///       cudax::launch_extent const block = 256;
///       int const blocks = cudax::coresident_blocks(relax, block);
///       init(all, blocks * 256); // `all` is in managed memory
///       cudax::launch_coresident(relax, blocks, block, 0, stream, all);
///     }
template <class... Parameter>
void launch_coresident(void (*kernel)(Parameter...), launch_extent grid, launch_extent block, size_t shared,
                       CUstream_st* stream, non_deduced<Parameter>... arguments) {
  runtime::failure why;
  launch_with<Parameter...>(runtime::launch_coresident, why, kernel, grid, block, shared, stream, arguments...);
  runtime::raise(why);
}
template <class... Parameter>
void try_launch_coresident(error_code& error, void (*kernel)(Parameter...), launch_extent grid, launch_extent block,
                           size_t shared, CUstream_st* stream, non_deduced<Parameter>... arguments) {
  runtime::failure why;
  launch_with<Parameter...>(runtime::launch_coresident, why, kernel, grid, block, shared, stream, arguments...);
  store(why, error);
}

/// Returns how many blocks of a kernel the current device can run at the same time. This is the largest grid that
/// launch_coresident accepts; it is 0 if not even one block fits.
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

/// Launches a kernel on the current device such that it may start before the kernel before it in the stream, its
/// prerequisite, has completed: as soon as every block of the prerequisite has called this_grid.let_dependents_start()
/// or has ended. Then its preamble overlaps with the end of the prerequisite, and the time between two kernels is
/// hidden. The kernel calls this_grid.wait_for_prerequisites() before it uses what the prerequisite produces. CUDA
/// permits the early start and does not promise it. On a device before sm_90 the launch is an ordinary one. In the
/// legacy default stream it is as in any other. A launch into a captured stream, after a kernel, becomes a programmatic
/// edge of the graph. Contexts and the last error are treated as by launch_coresident.
/// Source:   cuLaunchKernelEx, CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION; CUDA Programming Guide,
///           "Programmatic Dependent Launch and Synchronization"
/// Order:    an ordinary launch orders everything of the kernel after everything before it in the stream. This launch
///           orders only what follows wait_for_prerequisites(). What precedes that call races with the prerequisite
/// Units:    `shared`: bytes of dynamic shared memory. `stream`: null is the legacy default stream
/// Requires: the arguments convert to the kernel's parameters. A thread of the kernel calls wait_for_prerequisites() if
///           a later dependent grid relies on what came before this kernel
/// Errors:   cuda_error: any error that CUDA reports; the message gives the extents. The twin try_launch_dependent stores
///           the code. A later call reports an error of the running kernel
/// Example:
///     __global__ void smooth(float const* in, float* out, unsigned n) {
///       cudax::this_grid.let_dependents_start();
///       unsigned const i = blockIdx.x * blockDim.x + threadIdx.x; // the preamble
///       cudax::this_grid.wait_for_prerequisites(); // `in` is written, and `out` is no longer read
///       if (i < n) out[i] = (in[i] + in[(i + 1) % n]) / 2;
///     }
///     inline void run(float* a, float* b, cudaStream_t s) { cudax::launch_dependent(smooth, 1, 64, 0, s, a, b, 64); }
template <class... Parameter>
void launch_dependent(void (*kernel)(Parameter...), launch_extent grid, launch_extent block, size_t shared,
                      CUstream_st* stream, non_deduced<Parameter>... arguments) {
  runtime::failure why;
  launch_with<Parameter...>(runtime::launch_dependent, why, kernel, grid, block, shared, stream, arguments...);
  runtime::raise(why);
}
template <class... Parameter>
void try_launch_dependent(error_code& error, void (*kernel)(Parameter...), launch_extent grid, launch_extent block,
                          size_t shared, CUstream_st* stream, non_deduced<Parameter>... arguments) {
  runtime::failure why;
  launch_with<Parameter...>(runtime::launch_dependent, why, kernel, grid, block, shared, stream, arguments...);
  store(why, error);
}

} // namespace cudax
