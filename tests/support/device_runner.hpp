// SPDX-License-Identifier: Apache-2.0
//
// device_runner: the kernels that run test bodies, and the placements of the threads of a concurrent test.
#pragma once

#include "cluster_launch.hpp"
#include "device_report.hpp"
#include "two_grids.hpp"

#include <cstdio>
#include <new>

namespace cudax_test {

/// Runs the body in one thread, on local, global and shared memory in turn. The body gets a pointer whose address space
/// the optimizer does not know. Code for a known address space is tested by tests/ptx and by tests that declare such
/// objects.
template <void (*Body)(context&)>
__global__ void kernel(report* result, void* global, char const* local_name, char const* global_name,
                       char const* shared_name) {
  alignas(16) __shared__ char shared[context::memory_size];
  alignas(16) char local[context::memory_size];
  for (int space = 0; space < 3; ++space) {
    void* memory = space == 0 ? local : space == 1 ? global : shared;
    asm volatile("" : "+l"(memory) : : "memory");
    context test{result, memory, space == 0 ? local_name : space == 1 ? global_name : shared_name};
    Body(test);
  }
}

template <void (*Body)(context&)>
void run_on_device(report& result) {
  device_report found;
  void* global = nullptr;
  CUDA_MUST(cudaMalloc(&global, context::memory_size));
  kernel<Body><<<1, 1>>>(found.on_device(), global, "local memory", "global memory", "shared memory");
  found.finish(result);
  cudaFree(global);
}

// --- many threads ----------------------------------------------------------------------------------------------------

template <class State>
__global__ void concurrent_kernel(State* state, report* result, unsigned first_rank, unsigned size) {
  context test{result, nullptr, nullptr};
  state->run(worker{first_rank + blockIdx.x * blockDim.x + threadIdx.x, size}, test);
}

template <class State>
__global__ void shared_kernel(State* state, report* result) {
  alignas(State) __shared__ char storage[sizeof(State)];
  for (unsigned i = threadIdx.x; i < sizeof(State); i += blockDim.x) storage[i] = reinterpret_cast<char*>(state)[i];
  __syncthreads();
  context test{result, nullptr, nullptr};
  reinterpret_cast<State*>(storage)->run(worker{threadIdx.x, blockDim.x}, test);
  __syncthreads();
  if constexpr (requires(State& object) { object.end(); }) {
    if (threadIdx.x == 0) reinterpret_cast<State*>(storage)->end();
    __syncthreads();
  }
  for (unsigned i = threadIdx.x; i < sizeof(State); i += blockDim.x) reinterpret_cast<char*>(state)[i] = storage[i];
}

/// An object of the test in device memory. The host makes it, and later checks a copy of its bytes.
template <class State>
struct on_device {
  State* device;

  on_device() {
    State const initial{};
    CUDA_MUST(cudaMalloc(reinterpret_cast<void**>(&device), sizeof(State)));
    CUDA_MUST(cudaMemcpy(static_cast<void*>(device), &initial, sizeof(State), cudaMemcpyHostToDevice));
    // A copy from pageable memory may end after cudaMemcpy returns, and the grids of two_grids do not wait for it.
    CUDA_MUST(cudaDeviceSynchronize());
  }
  ~on_device() { cudaFree(device); }
  on_device(on_device const&) = delete;
  on_device& operator=(on_device const&) = delete;

  void verify(unsigned threads, report& result) const {
    alignas(State) char bytes[sizeof(State)];
    if (cudaMemcpy(bytes, device, sizeof(State), cudaMemcpyDeviceToHost) != cudaSuccess)
      return; // finish() has reported the error
    context test{&result, nullptr, nullptr};
    reinterpret_cast<State*>(bytes)->verify(threads, test);
  }
};

template <class State, unsigned Blocks, unsigned Threads>
void run_in_blocks(report& result) {
  device_report found;
  on_device<State> object;
  concurrent_kernel<<<Blocks, Threads>>>(object.device, found.on_device(), 0, Blocks * Threads);
  found.finish(result);
  object.verify(Blocks * Threads, result);
}

template <class State, unsigned Threads>
void run_in_shared_memory(report& result) {
  device_report found;
  on_device<State> object;
  shared_kernel<<<1, Threads>>>(object.device, found.on_device());
  found.finish(result);
  object.verify(Threads, result);
}

/// Runs the test in a cluster of blocks; before sm_90 a cluster is one block.
template <class State, unsigned Blocks, unsigned Threads>
void run_in_cluster(report& result) {
  int major = 0;
  CUDA_MUST(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  unsigned const blocks = major >= 9 ? Blocks : 1;
  device_report found;
  on_device<State> object;
  launch_in_clusters(concurrent_kernel<State>, blocks, Threads, blocks, object.device, found.on_device(), 0u,
                     blocks * Threads);
  found.finish(result);
  object.verify(blocks * Threads, result);
}

/// An object in managed memory, which host threads can access while kernels run. If that is impossible, it prints the
/// reason and `run` stays null.
template <class State>
struct in_managed_memory {
  device_report found;
  host_run<State>* run = nullptr;

  in_managed_memory(int devices, unsigned size) {
    for (int device = 0; device < devices; ++device) {
      int concurrent = 0;
      CUDA_MUST(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, device));
      if (concurrent) continue;
      std::printf("skipped: host and device together: device %d has no concurrentManagedAccess\n", device);
      return;
    }
    CUDA_MUST(cudaMallocManaged(reinterpret_cast<void**>(&run), sizeof(*run)));
    new (run) host_run<State>{State(), context{found.host, nullptr, nullptr}, 0, size};
  }
  ~in_managed_memory() {
    if (!run) return;
    run->~host_run<State>();
    cudaFree(run);
  }
  in_managed_memory(in_managed_memory const&) = delete;
  in_managed_memory& operator=(in_managed_memory const&) = delete;

  /// `finish` waits for the devices other than the current one.
  template <class Finish>
  void run_host_side_and_verify(report& result, Finish finish) {
    run_host_threads(host_threads, host_run<State>::body, run);
    found.finish(result, finish());
    run->test.result = &result;
    run->state.verify(run->size, run->test);
  }
};

/// Runs the test in host threads and device threads at the same time.
template <class State, unsigned Blocks, unsigned Threads>
void run_on_both_sides(report& result) {
  constexpr unsigned size = host_threads + Blocks * Threads;
  in_managed_memory<State> object(1, size);
  result.checked |= !object.run;
  if (!object.run) return;
  concurrent_kernel<<<Blocks, Threads>>>(&object.run->state, object.found.on_device(), host_threads, size);
  CUDA_MUST(cudaGetLastError());
  object.run_host_side_and_verify(result, [] { return cudaSuccess; });
}

/// Runs the test in two grids, on an object in the memory of the first grid's device.
template <class State, unsigned Blocks, unsigned Threads>
void run_in_two_grids(report& result) {
  constexpr unsigned size = 2 * Blocks * Threads;
  two_grids grids;
  if (!grids.share_memory()) {
    std::printf("skipped: two grids: devices 0 and 1 have no native atomics in each other's memory\n");
    result.checked = 1;
    return;
  }
  device_report found;
  on_device<State> object;
  grids.launch<concurrent_kernel<State>>(Blocks, Threads, object.device, found.on_device(), 0, size);
  found.finish(result, grids.finish());
  object.verify(size, result);
}

/// Runs the test in two grids and host threads, on an object in managed memory.
template <class State, unsigned Blocks, unsigned Threads>
void run_in_two_grids_and_host(report& result) {
  constexpr unsigned size = host_threads + 2 * Blocks * Threads;
  two_grids grids;
  in_managed_memory<State> object(grids.devices(), size);
  result.checked |= !object.run;
  if (!object.run) return;
  grids.launch<concurrent_kernel<State>>(Blocks, Threads, &object.run->state, object.found.on_device(), host_threads,
                                         size);
  object.run_host_side_and_verify(result, [&] { return grids.finish(); });
}

/// Where the threads of a concurrent test run on devices.
enum class thread_placement {
  one_warp,
  one_block,
  one_cluster,
  several_blocks,
  host_and_device,
  two_grids,
  two_grids_and_host
};

/// cudax::thread_scope, which is not declared here: bodies import the library after this header.
enum class shared_scope : int { system, device, block, thread, cluster };

/// Whether threads in this placement may share an object of a scope.
template <shared_scope Scope, thread_placement Placement>
inline constexpr bool scope_allows =
    Placement == thread_placement::one_warp         ? true
    : Placement == thread_placement::one_block      ? Scope == shared_scope::block
    : Placement == thread_placement::one_cluster    ? Scope == shared_scope::cluster
    : Placement == thread_placement::several_blocks ? Scope != shared_scope::block && Scope != shared_scope::cluster
                                                    : Scope == shared_scope::system;

template <class State, thread_placement Placement>
void run_placed(report& result) {
  using enum thread_placement;
  if constexpr (Placement == one_warp) run_in_blocks<State, 1, 32>(result);
  else if constexpr (Placement == one_block) run_in_shared_memory<State, 256>(result);
  else if constexpr (Placement == one_cluster) run_in_cluster<State, 4, 64>(result);
  else if constexpr (Placement == several_blocks) run_in_blocks<State, 8, 96>(result);
  else if constexpr (Placement == host_and_device) run_on_both_sides<State, 2, 32>(result);
  else if constexpr (Placement == two_grids) run_in_two_grids<State, 4, 32>(result);
  else run_in_two_grids_and_host<State, 1, 32>(result);
}

/// Registers the test in one placement if the scope allows the placement.
template <class State, thread_placement Placement>
struct placed_case {
  placed_case(char const* file, int line, char const* title, char const* placement) {
    if constexpr (scope_allows<static_cast<shared_scope>(State::scope), Placement>)
      new test_case(file, line, title, placement, side::device, run_placed<State, Placement>);
  }
};

/// Runs the body of a WITH_DEVICE test on the host.
template <void (*Body)(context&)> void run_with_device(report& result) {
  context test{&result, nullptr, nullptr};
  Body(test);
}

} // namespace cudax_test

#define TEST_DEVICE_CASES_(title, body)                                                                                \
  TEST_CASE_(d, title, "", ::cudax_test::side::device, ::cudax_test::run_on_device<body>)
#define TEST_PLACED_(placement, title, text, ...)                                                                      \
  static ::cudax_test::placed_case<__VA_ARGS__, ::cudax_test::thread_placement::placement> TEST_CONCAT(                \
      TEST_CONCAT(case_, __LINE__), placement)(__FILE__, __LINE__, title, text);
#define TEST_DEVICE_CONCURRENT_CASES_(title, ...)                                                                      \
  TEST_PLACED_(one_warp, title, "one warp", __VA_ARGS__)                                                               \
  TEST_PLACED_(one_block, title, "one block in shared memory", __VA_ARGS__)                                            \
  TEST_PLACED_(one_cluster, title, "a cluster", __VA_ARGS__)                                                           \
  TEST_PLACED_(several_blocks, title, "several blocks", __VA_ARGS__)                                                   \
  TEST_PLACED_(host_and_device, title, "host and device", __VA_ARGS__)                                                 \
  TEST_PLACED_(two_grids, title, "two grids", __VA_ARGS__)                                                             \
  TEST_PLACED_(two_grids_and_host, title, "two grids and host", __VA_ARGS__)

/// A test on the host that launches its own kernels: WITH_DEVICE("title", "memory of the objects", name) { body }
#define WITH_DEVICE(title, placement, name)                                                                            \
  static void name(::cudax_test::context&);                                                                            \
  static ::cudax_test::test_case name##_case(__FILE__, __LINE__, title, placement, ::cudax_test::side::device,         \
                                             ::cudax_test::run_with_device<name>);                                     \
  static void name([[maybe_unused]] ::cudax_test::context& test_)

/// The same without a memory and a name: DEVICE_TEST("title") { body }
#define DEVICE_TEST(title) DEVICE_TEST_(title, TEST_CONCAT(with_device_, __LINE__))
#define DEVICE_TEST_(title, name) WITH_DEVICE(title, "", name)
