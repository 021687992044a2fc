// SPDX-License-Identifier: Apache-2.0
//
// launch: launches grids in clusters, grids whose blocks may wait for one another, because all blocks run at the same
// time, and grids that may start before the grid before them has completed.
module;
#include "../../runtime/interface/execution_boundary.hpp"
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

/// Holds the size of the clusters of a grid, in blocks for each dimension. A launch with it names the size, also if the
/// size is 1: from sm_90, device::store_async_tx_remote and device::reduce_async_tx_remote to the caller's own block
/// need that. On older devices, and for older code, launch_cluster(1) changes nothing. Larger clusters need a device of
/// sm_90 or later, and code that was compiled for such a device: older code takes each block for a cluster, and the
/// launch is rejected. All devices that have clusters accept 8 blocks, some 16: non_portable() permits more than 8.
/// Example:
///     __global__ void add(unsigned* sum) { atomicAdd(sum, unsigned(cudax::this_cluster.size())); }
///     inline void start(unsigned* sum, cudaStream_t stream) { // 4 clusters of 2 blocks
///       cudax::launch_coresident(add, 8, 32, cudax::launch_cluster(2), 0, stream, sum);
///     }
class launch_cluster {
public:
  explicit constexpr launch_cluster(launch_extent blocks) noexcept : value_(blocks) {}
  explicit constexpr launch_cluster(unsigned x, unsigned y = 1, unsigned z = 1) noexcept : value_(x, y, z) {}
  constexpr launch_extent extent() const noexcept { return value_; }

  /// Returns the same cluster, which may have more than 8 blocks. A launch with it sets the kernel's attribute
  /// cudaFuncAttributeNonPortableClusterSizeAllowed, which stays set.
  [[nodiscard]] constexpr launch_cluster non_portable() const noexcept {
    launch_cluster result = *this;
    result.large_ = true;
    return result;
  }

  /// Returns the same cluster, for a grid whose blocks form clusters of `blocks` where the device has room for them,
  /// and clusters of extent() elsewhere. Each kind numbers its clusters as if the grid had no other. Machine code
  /// before sm_100, and a library built with a toolkit before 12.8, take extent() alone. Not for launch_coresident.
  /// Source:   CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION
  /// Requires: `blocks` is a multiple of extent(), and the grid is one of `blocks`, in each dimension
  [[nodiscard]] constexpr launch_cluster preferred(launch_extent blocks) const noexcept {
    launch_cluster result = *this;
    result.preferred_ = blocks;
    result.has_preferred_ = true;
    return result;
  }

  constexpr launch_extent preferred_extent() const noexcept { return has_preferred_ ? preferred_ : value_; }
  constexpr bool has_preferred() const noexcept { return has_preferred_; }
  constexpr bool is_non_portable() const noexcept { return large_; }

private:
  launch_extent value_;
  launch_extent preferred_ = 1;
  bool has_preferred_ = false, large_ = false;
};

} // namespace cudax

namespace cudax {

constexpr runtime::extent to_extent(launch_extent e) noexcept { return {e.x(), e.y(), e.z()}; }

/// The request of a launch that names the size of its clusters, or, if `cluster` is null, of one that does not.
inline runtime::launch_request request_of(void const* kernel, launch_extent grid, launch_extent block,
                                          launch_cluster const* cluster, size_t shared, CUstream_st* stream,
                                          void** arguments) noexcept {
  return {kernel,
          to_extent(grid),
          to_extent(block),
          shared,
          stream,
          arguments,
          cluster ? to_extent(cluster->extent()) : runtime::extent(),
          cluster != nullptr,
          cluster ? to_extent(cluster->preferred_extent()) : runtime::extent(),
          cluster && cluster->has_preferred(),
          cluster && cluster->is_non_portable()};
}

/// Launches by `how`: runtime::launch_any, launch_coresident or launch_dependent.
template <class... Parameter>
void launch_with(void (*how)(runtime::launch_request const&, runtime::failure&) noexcept, runtime::failure& why,
                 void (*kernel)(Parameter...), launch_extent grid, launch_extent block, launch_cluster const* cluster,
                 size_t shared, CUstream_st* stream, Parameter&... arguments) {
  void* addresses[] = {(void*)__builtin_addressof(arguments)..., nullptr};
  how(request_of((void const*)kernel, grid, block, cluster, shared, stream, addresses), why);
}

inline int blocks_at_once(void const* kernel, launch_extent block, launch_cluster const* cluster, size_t shared,
                          runtime::failure& why) noexcept {
  return runtime::coresident_blocks(request_of(kernel, 1, block, cluster, shared, nullptr, nullptr), why);
}

} // namespace cudax

export namespace cudax {

/// Launches a kernel on the current device in clusters. The grid may have more clusters than the device holds at once:
/// further ones start when others have ended. Without clusters, a launch by <<<...>>> does the same. Contexts and the
/// last error are treated as by launch_coresident.
/// Source:   cuLaunchKernelEx, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
/// Units:    `shared`: bytes of dynamic shared memory. `stream`: null is the legacy default stream. `cluster`: blocks
/// Requires: the arguments convert to the kernel's parameters; the kernel declares no cluster size of its own
/// Errors:   cuda_error: cudaErrorInvalidClusterSize if the grid is no multiple of the cluster, or the cluster is too
///           large, std::errc::invalid_argument for a block that the kernel cannot have, std::errc::not_supported for
///           clusters of a kernel that was compiled for an SM without them, and any error that CUDA reports. The twin
///           try_launch stores the code. A later call reports an error of the running kernel
/// Example:
///     __global__ void number(unsigned* ranks) {
///       ranks[blockIdx.x] = cudax::this_cluster.block_rank();
///     }
///     inline void start(unsigned* ranks, cudaStream_t stream) { // on sm_100 in clusters of 4 where they fit
///       auto const cluster = cudax::launch_cluster(2).preferred(4);
///       cudax::launch(number, 4096, 32, cluster, 0, stream, ranks);
///     }
template <class... Parameter>
void launch(void (*kernel)(Parameter...), launch_extent grid, launch_extent block, launch_cluster cluster,
            size_t shared, CUstream_st* stream, non_deduced<Parameter>... arguments) {
  runtime::failure why;
  launch_with<Parameter...>(runtime::launch_any, why, kernel, grid, block, &cluster, shared, stream, arguments...);
  runtime::raise(why);
}
template <class... Parameter>
void try_launch(error_code& error, void (*kernel)(Parameter...), launch_extent grid, launch_extent block,
                launch_cluster cluster, size_t shared, CUstream_st* stream, non_deduced<Parameter>... arguments) {
  runtime::failure why;
  launch_with<Parameter...>(runtime::launch_any, why, kernel, grid, block, &cluster, shared, stream, arguments...);
  store(why, error);
}

/// Launches a kernel on the current device if all its blocks run there at the same time. So the blocks may wait for one
/// another (barriers, locks, this_grid.sync() of cooperative groups). Otherwise fails; the message gives the numbers:
/// the requested grid, the blocks that fit on a multiprocessor, the resource that is too small, and the blocks that fit
/// in all.
/// Makes the device's context current if the thread has none, as any launch does. A failure leaves no error for
/// cudaGetLastError, and an older error of the program stays there. The exception: if `kernel` is not a kernel with
/// code for the device, the error of this call replaces an older error.
/// Source:   cuLaunchKernelEx, CU_LAUNCH_ATTRIBUTE_COOPERATIVE; cuOccupancyMaxActiveBlocksPerMultiprocessor,
///           cuOccupancyMaxActiveClusters
/// Units:    `shared`: bytes of dynamic shared memory. `stream`: null is the legacy default stream. `cluster`: blocks
/// Requires: the arguments convert to the kernel's parameters; any kernel that already occupies the device will end;
///           the kernel declares no cluster size of its own (__cluster_dims__): pass the size
/// Errors:   cuda_error: cudaErrorCooperativeLaunchTooLarge if the grid does not fit, std::errc::invalid_argument if no
///           launch of the kernel could have such a block, cudaErrorInvalidClusterSize if the grid is no multiple of
///           the cluster, std::errc::not_supported without cooperative launches, without clusters, or if the kernel was
///           compiled for an SM that has none, and any error that CUDA reports. The twin try_launch_coresident
///           stores the code. A later call, such as wait(), reports an error of the running kernel
/// Example:
///     __global__ void relax(cudax::barrier<cudax::thread_scope_device>* all) { all->arrive_and_wait(); }
///     inline void start(cudax::barrier<cudax::thread_scope_device>* all, cudaStream_t stream) {
///       cudax::launch_extent const block = 256;
///       int const blocks = cudax::coresident_blocks(relax, block);
///       init(all, blocks * 256); // `all` is in managed memory
///       cudax::launch_coresident(relax, blocks, block, 0, stream, all);
///     }
template <class... Parameter>
void launch_coresident(void (*kernel)(Parameter...), launch_extent grid, launch_extent block, launch_cluster cluster,
                       size_t shared, CUstream_st* stream, non_deduced<Parameter>... arguments) {
  runtime::failure why;
  launch_with<Parameter...>(runtime::launch_coresident, why, kernel, grid, block, &cluster, shared, stream,
                            arguments...);
  runtime::raise(why);
}
template <class... Parameter>
void launch_coresident(void (*kernel)(Parameter...), launch_extent grid, launch_extent block, size_t shared,
                       CUstream_st* stream, non_deduced<Parameter>... arguments) {
  runtime::failure why;
  launch_with<Parameter...>(runtime::launch_coresident, why, kernel, grid, block, nullptr, shared, stream,
                            arguments...);
  runtime::raise(why);
}
template <class... Parameter>
void try_launch_coresident(error_code& error, void (*kernel)(Parameter...), launch_extent grid, launch_extent block,
                           launch_cluster cluster, size_t shared, CUstream_st* stream,
                           non_deduced<Parameter>... arguments) {
  runtime::failure why;
  launch_with<Parameter...>(runtime::launch_coresident, why, kernel, grid, block, &cluster, shared, stream,
                            arguments...);
  store(why, error);
}
template <class... Parameter>
void try_launch_coresident(error_code& error, void (*kernel)(Parameter...), launch_extent grid, launch_extent block,
                           size_t shared, CUstream_st* stream, non_deduced<Parameter>... arguments) {
  runtime::failure why;
  launch_with<Parameter...>(runtime::launch_coresident, why, kernel, grid, block, nullptr, shared, stream,
                            arguments...);
  store(why, error);
}

/// Returns how many blocks of a kernel the current device can run at the same time. This is the largest grid that
/// launch_coresident accepts; it is 0 if not even one block fits. With clusters it can be less than without: a cluster
/// lies in a group of multiprocessors. An H100 runs 264 blocks of 1,024 threads, and 240 in clusters of 8.
/// Errors:   as launch_coresident; the twin stores the code and returns 0
template <class... Parameter>
int coresident_blocks(void (*kernel)(Parameter...), launch_extent block, launch_cluster cluster, size_t shared = 0) {
  runtime::failure why;
  int const blocks = blocks_at_once((void const*)kernel, block, &cluster, shared, why);
  runtime::raise(why);
  return blocks;
}
template <class... Parameter>
int coresident_blocks(void (*kernel)(Parameter...), launch_extent block, size_t shared = 0) {
  runtime::failure why;
  int const blocks = blocks_at_once((void const*)kernel, block, nullptr, shared, why);
  runtime::raise(why);
  return blocks;
}
template <class... Parameter>
int coresident_blocks(void (*kernel)(Parameter...), launch_extent block, launch_cluster cluster, size_t shared,
                      error_code& error) noexcept {
  runtime::failure why;
  int const blocks = blocks_at_once((void const*)kernel, block, &cluster, shared, why);
  store(why, error);
  return blocks;
}
template <class... Parameter>
int coresident_blocks(void (*kernel)(Parameter...), launch_extent block, size_t shared, error_code& error) noexcept {
  runtime::failure why;
  int const blocks = blocks_at_once((void const*)kernel, block, nullptr, shared, why);
  store(why, error);
  return blocks;
}

/// Launches a kernel on the current device such that it may start before the kernel before it in the stream, its
/// prerequisite, has completed: as soon as every block of the prerequisite has called this_grid.let_dependents_start()
/// or has ended. Then its preamble overlaps with the end of the prerequisite, and the time between two kernels is
/// hidden. The kernel calls this_grid.wait_for_prerequisites() before it uses what the prerequisite produces. CUDA
/// permits the early start and does not promise it. A kernel that was compiled for an SM before sm_90 is launched as
/// usual, on any device: its wait_for_prerequisites() does nothing. In the legacy default stream the launch is as in
/// any other. A launch into a captured stream, after a kernel, becomes a programmatic edge of the graph. Contexts and
/// the last error are treated as by launch_coresident.
/// Source:   cuLaunchKernelEx, CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION; CUDA Programming Guide,
///           "Programmatic Dependent Launch and Synchronization"
/// Order:    an ordinary launch orders everything of the kernel after everything before it in the stream. This launch
///           orders only what follows wait_for_prerequisites(). What precedes that call races with the prerequisite
/// Units:    `shared`: bytes of dynamic shared memory. `stream`: null is the legacy default stream
/// Requires: the arguments convert to the kernel's parameters. A thread of the kernel calls wait_for_prerequisites() if
///           a later dependent grid relies on what came before this kernel
/// Errors:   cuda_error: any error that CUDA reports; the message gives the extents. std::errc::not_supported for
///           clusters of a kernel that was compiled for an SM without them. The twin try_launch_dependent stores the
///           code. A later call reports an error of the running kernel
/// Example:
///     __global__ void smooth(float const* in, float* out, unsigned n) {
///       cudax::this_grid.let_dependents_start();
///       unsigned const i = blockIdx.x * blockDim.x + threadIdx.x; // the preamble
///       cudax::this_grid.wait_for_prerequisites(); // `in` is written, and `out` is no longer read
///       if (i < n) out[i] = (in[i] + in[(i + 1) % n]) / 2;
///     }
///     inline void run(float* a, float* b, cudaStream_t s) { cudax::launch_dependent(smooth, 1, 64, 0, s, a, b, 64); }
template <class... Parameter>
void launch_dependent(void (*kernel)(Parameter...), launch_extent grid, launch_extent block, launch_cluster cluster,
                      size_t shared, CUstream_st* stream, non_deduced<Parameter>... arguments) {
  runtime::failure why;
  launch_with<Parameter...>(runtime::launch_dependent, why, kernel, grid, block, &cluster, shared, stream,
                            arguments...);
  runtime::raise(why);
}
template <class... Parameter>
void launch_dependent(void (*kernel)(Parameter...), launch_extent grid, launch_extent block, size_t shared,
                      CUstream_st* stream, non_deduced<Parameter>... arguments) {
  runtime::failure why;
  launch_with<Parameter...>(runtime::launch_dependent, why, kernel, grid, block, nullptr, shared, stream, arguments...);
  runtime::raise(why);
}
template <class... Parameter>
void try_launch_dependent(error_code& error, void (*kernel)(Parameter...), launch_extent grid, launch_extent block,
                          launch_cluster cluster, size_t shared, CUstream_st* stream,
                          non_deduced<Parameter>... arguments) {
  runtime::failure why;
  launch_with<Parameter...>(runtime::launch_dependent, why, kernel, grid, block, &cluster, shared, stream,
                            arguments...);
  store(why, error);
}
template <class... Parameter>
void try_launch_dependent(error_code& error, void (*kernel)(Parameter...), launch_extent grid, launch_extent block,
                          size_t shared, CUstream_st* stream, non_deduced<Parameter>... arguments) {
  runtime::failure why;
  launch_with<Parameter...>(runtime::launch_dependent, why, kernel, grid, block, nullptr, shared, stream, arguments...);
  store(why, error);
}

} // namespace cudax
