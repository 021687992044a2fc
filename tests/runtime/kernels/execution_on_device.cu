// SPDX-License-Identifier: Apache-2.0
//
// Waiting for running kernels, launching grids whose blocks wait for one another, loading, peer access, and memory
// resources that kernels access: with a real device, or the emulator's.
#include "support/test.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <memory_resource>
#include <string>
#include <system_error>
#include <thread>
#include <vector>
import cudax.sync;
import cudax.sync.host;

using namespace cudax_test;
using namespace std::chrono_literals;
using cudax::progress;
using cudax::wait_reason;

using flag = cudax::atomic<unsigned>;

// Not in an unnamed namespace: there the extern array would have internal linkage and no definition.
static __global__ void take_shared(flag* f) {
  extern __shared__ unsigned words[];
  words[threadIdx.x] = threadIdx.x;
  if (words[threadIdx.x] == 0) f->store(1);
}

namespace {

__global__ void set(flag* f, unsigned value) { f->store(value, cudax::memory_order_release); }
__global__ void nothing() {}

/// Runs until the host sets the stop flag; gives up after 20 s.
__global__ void run_until(flag* stop) {
  auto const start = cudax::steady_clock::now();
  while (stop->load(cudax::memory_order_relaxed) == 0)
    if ((cudax::steady_clock::now() - start).count() > 20'000'000'000) return;
}

/// Every block waits for every other block: returns only if all run at the same time.
__global__ void meet(flag* arrived, unsigned blocks, unsigned* met) {
  arrived->fetch_add(1, cudax::memory_order_acq_rel);
  auto const start = cudax::steady_clock::now();
  while (arrived->load(cudax::memory_order_acquire) < blocks)
    if ((cudax::steady_clock::now() - start).count() > 20'000'000'000) return;
  cudax::atomic_ref<unsigned>(*met).fetch_add(1, cudax::memory_order_relaxed);
}

/// Counts the blocks that have each rank in their cluster.
__global__ void count_ranks(unsigned* blocks) {
  if (threadIdx.x == 0) atomicAdd(&blocks[cudax::this_cluster.thread_rank() / blockDim.x], 1u);
}

/// Stores a value to the own block by an asynchronous store, which is an illegal instruction in a launch that names no
/// size of clusters.
__global__ void tell_itself(unsigned* told) {
  __shared__ cudax::barrier<cudax::thread_scope_block> ready;
  __shared__ unsigned inbox;
  init(&ready, 1);
  auto token = cudax::device::barrier_arrive_tx(ready, 1, sizeof(inbox));
  cudax::device::store_async_tx_remote(&inbox, 7u, ready);
  cudax::device::barrier_wait_cluster(ready, std::move(token));
  *told += inbox;
}

/// Doubles and rotates. The work after let_dependents_start() takes long, so a dependent grid that does not wait reads
/// numbers that are not written yet.
__global__ void rotate(unsigned const* in, unsigned* out, unsigned count) {
  cudax::this_grid.let_dependents_start();
  unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned const next = i + 1 < count ? i + 1 : 0;
  cudax::this_grid.wait_for_prerequisites();
  cudax::this_thread::sleep_for(std::chrono::microseconds(20));
  out[i] = in[next] * 2 + 1;
}

__global__ void raise_all(flag* const* flags, unsigned count) {
  unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) flags[i]->store(i + 1, cudax::memory_order_release);
}

__global__ void add_to_each(int* numbers, unsigned count) {
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x) numbers[i] += 1;
}

/// What host threads wait for, besides atomic objects.
struct to_wait_for {
  cudax::latch<> latch{1};
  cudax::barrier<> barrier{1};
  cudax::binary_semaphore<> semaphore{0};
  cudax::stop_state<> stop{};
};
__global__ void end(to_wait_for* all) {
  all->latch.count_down();
  (void)all->barrier.arrive();
  all->semaphore.release();
  cudax::stop_source(all->stop).request_stop();
}

double microseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

struct stream {
  cudaStream_t handle = nullptr;
  stream() { CUDA_MUST(cudaStreamCreateWithFlags(&handle, cudaStreamNonBlocking)); }
  ~stream() { cudaStreamDestroy(handle); }
};

} // namespace

DEVICE_TEST("a host thread can wait for a kernel by its stream, an event, its device or any query") {
  stream s;
  cudaEvent_t event;
  CUDA_MUST(cudaEventCreate(&event));
  auto const query = [&] { return cudaStreamQuery(s.handle); };
  flag on_stack = 0;
  cudax::registered r(on_stack);
  unsigned value = 0;
  double longest = 0;
  for (int round = 0; round < 50; ++round)
    for (progress const& by : {progress(s.handle), progress(event), progress::of_device(0),
                               progress::of_current_device(), progress(query)}) {
      auto const start = std::chrono::steady_clock::now();
      set<<<1, 1, 0, s.handle>>>(r.device_pointer(), value + 1);
      CUDA_MUST(cudaEventRecord(event, s.handle));
      auto const result = cudax::wait(on_stack, value, by, cudax::memory_order_acquire);
      longest = std::max(longest, microseconds_since(start));
      CHECK(result == wait_reason::changed);
      CHECK_EQUAL(on_stack.load(), ++value);
    }
  (void)cudaGetLastError(); // the test's own queries leave cudaErrorNotReady
  CUDA_MUST(cudaDeviceSynchronize());
  CUDA_MUST(cudaEventDestroy(event));
  std::printf("launch to wake: at most %.0f us\n", longest);
}

DEVICE_TEST("a host thread can wait for a kernel by every primitive") {
  stream s;
  for (int round = 0; round < 20; ++round) {
    auto const all = cudax::make_mapped<to_wait_for>();
    using token = cudax::barrier<>::arrival_token;
    token const first = cudax::barrier<>(1).arrive(); // of the first phase, as every new barrier's
    end<<<1, 1, 0, s.handle>>>(all.device_pointer());
    CHECK(cudax::wait(all->latch, s.handle) == wait_reason::changed);
    CHECK(cudax::wait(all->barrier, first, s.handle) == wait_reason::changed);
    CHECK(cudax::acquire(all->semaphore, s.handle) == wait_reason::changed);
    CHECK(!all->semaphore.try_acquire());
    CHECK(cudax::wait(cudax::stop_source(all->stop).get_token(), s.handle) == wait_reason::changed);
    CHECK(cudax::acquire(all->semaphore, s.handle) == wait_reason::finished);
  }
  CUDA_MUST(cudaDeviceSynchronize());
}

DEVICE_TEST("a wait ends if the stream finishes without the change") {
  stream s;
  auto const m = cudax::make_mapped<flag>(0u);
  CHECK(cudax::wait(*m, 0u, s.handle) == wait_reason::finished); // the stream is idle
  nothing<<<1, 1, 0, s.handle>>>();
  CHECK(cudax::wait(*m, 0u, s.handle) == wait_reason::finished);
  set<<<1, 1, 0, s.handle>>>(m.device_pointer(), 1); // changes the object and ends, maybe before the first query
  CHECK(cudax::wait(*m, 0u, s.handle) == wait_reason::changed);
  CUDA_MUST(cudaDeviceSynchronize());
}

DEVICE_TEST("a wait for a running kernel can time out, or be ended by a host thread") {
  stream s;
  auto const stop = cudax::make_mapped<flag>(0u);
  auto const m = cudax::make_mapped<flag>(0u);
  run_until<<<1, 1, 0, s.handle>>>(stop.device_pointer());
  CHECK(cudax::wait_for(*m, 0u, s.handle, 30ms) == wait_reason::timed_out);
  double longest = 0;
  for (unsigned round = 0; round < 10; ++round) {
    std::chrono::steady_clock::time_point notified;
    std::jthread const notifier([&] {
      std::this_thread::sleep_for(5ms);
      notified = std::chrono::steady_clock::now();
      m->store(round + 1);
      m->notify_all();
    });
    CHECK(cudax::wait(*m, round, s.handle) == wait_reason::changed);
    longest = std::max(longest, microseconds_since(notified));
  }
  std::printf("a host thread's notify to wake: at most %.0f us\n", longest);
  stop->store(1);
  CUDA_MUST(cudaDeviceSynchronize());
}

DEVICE_TEST("a wait does not end a stream capture, and does not wait for a capturing stream") {
  stream s;
  cudaStream_t captured = nullptr; // a stream that the legacy default stream synchronizes with
  CUDA_MUST(cudaStreamCreate(&captured));
  CUDA_MUST(cudaStreamBeginCapture(captured, cudaStreamCaptureModeGlobal));
  cudaEvent_t event;
  CUDA_MUST(cudaEventCreate(&event));
  flag never = 0;
  auto const wait = [&](progress const& by) { return cudax::wait_for(never, 0u, by, 5ms); };
  for (bool const another_thread : {false, true}) {
    auto const check_waits = [&] {
      CHECK(wait(s.handle) == wait_reason::finished);
      CHECK(wait(event) == wait_reason::finished);
      CHECK(wait(progress::of_device(0)) == wait_reason::timed_out);
      CHECK(wait(cudaStreamLegacy) == wait_reason::timed_out); // not queried during the capture: it may have work
      auto const of_captured = wait(captured);
      CHECK(of_captured == wait_reason::device_error);
      CHECK_EQUAL(of_captured.error.value(), int(cudaErrorStreamCaptureUnsupported));
    };
    if (another_thread) std::jthread(check_waits).join();
    else check_waits();
  }
  nothing<<<1, 1, 0, captured>>>();
  cudaGraph_t graph = nullptr;
  CHECK_EQUAL(int(cudaStreamEndCapture(captured, &graph)), 0);
  CHECK(graph != nullptr);
  CUDA_MUST(cudaGraphDestroy(graph));
  CUDA_MUST(cudaEventDestroy(event));
  CUDA_MUST(cudaStreamDestroy(captured));
}

DEVICE_TEST("launch_coresident runs the largest grid concurrently, and rejects one block more") {
  stream s;
  int const most = cudax::coresident_blocks(meet, 64);
  CHECK(most > 0);
  auto const arrived = cudax::make_managed<flag>(0u);
  auto const met = cudax::make_managed<unsigned>(0u);
  cudax::launch_coresident(meet, unsigned(most), dim3(64, 1, 1), 0, s.handle, arrived.device_pointer(),
                           64u * unsigned(most), met.device_pointer());
  CHECK_EQUAL(int(cudaStreamSynchronize(s.handle)), 0);
  CHECK_EQUAL(*met, 64u * unsigned(most));

  std::error_code error;
  cudax::try_launch_coresident(error, meet, unsigned(most) + 1, 64, 0, s.handle, arrived.device_pointer(), 1u,
                               met.device_pointer());
  CHECK_EQUAL(error.value(), int(cudaErrorCooperativeLaunchTooLarge));
  try {
    cudax::launch_coresident(meet, unsigned(most) + 1, 64, 0, s.handle, arrived.device_pointer(), 1u,
                             met.device_pointer());
    CHECK(!"nothing was thrown");
  } catch (cudax::cuda_error const& e) {
    std::printf("%s\n", e.what());
    CHECK(std::string(e.what()).find(std::to_string(most) + " in all") != std::string::npos);
  }
  cudax::try_launch_coresident(error, nothing, 1, 1025, 0, s.handle);
  CHECK(error == std::errc::invalid_argument);
  CHECK_EQUAL(int(cudaGetLastError()), 0); // no last error remains for the program
}

DEVICE_TEST("launch_coresident runs the largest grid of clusters concurrently, and rejects one cluster more") {
  stream s;
  std::error_code error;
  cudaDeviceProp properties;
  CUDA_MUST(cudaGetDeviceProperties(&properties, 0));
  if (properties.clusterLaunch == 0) {
    CHECK_EQUAL(cudax::coresident_blocks(meet, 64, cudax::launch_cluster(2), 0, error), 0);
    CHECK(error == std::errc::not_supported);
    return;
  }
  for (unsigned const size : {2u, 4u, 8u}) {
    cudax::launch_cluster const cluster(size);
    unsigned const most = unsigned(cudax::coresident_blocks(meet, 1024, cluster));
    CHECK(most >= size && most % size == 0 && most <= unsigned(cudax::coresident_blocks(meet, 1024)));
    auto const arrived = cudax::make_managed<flag>(0u);
    auto const met = cudax::make_managed<unsigned>(0u);
    cudax::launch_coresident(meet, most, 1024, cluster, 0, s.handle, arrived.device_pointer(), 1024 * most,
                             met.device_pointer());
    CHECK_EQUAL(int(cudaStreamSynchronize(s.handle)), 0);
    CHECK_EQUAL(*met, 1024 * most);
    cudax::try_launch_coresident(error, meet, most + size, 1024, cluster, 0, s.handle, arrived.device_pointer(), 1u,
                                 met.device_pointer());
    CHECK_EQUAL(error.value(), int(cudaErrorCooperativeLaunchTooLarge));
    auto const rank = cudax::make_managed<std::array<unsigned, 16>>();
    cudax::launch_dependent(count_ranks, 16, 32, cluster, 0, s.handle, rank.device_pointer()->data());
    CHECK_EQUAL(int(cudaStreamSynchronize(s.handle)), 0);
    for (unsigned i = 0; i < 16; ++i) CHECK_EQUAL((*rank)[i], i < size ? 16 / size : 0u);
  }
  CHECK_EQUAL(int(cudaGetLastError()), 0); // no last error remains for the program
}

__global__ void count_in_clusters(unsigned* sums) {
  if (threadIdx.x == 0) atomicAdd(&sums[cudax::this_cluster.block_rank()], cudax::this_cluster.num_blocks());
}

DEVICE_TEST("a launch may have more clusters than run at once, large ones, and preferred ones") {
  stream s;
  cudaDeviceProp properties;
  CUDA_MUST(cudaGetDeviceProperties(&properties, 0));
  auto const sums = cudax::make_managed<std::array<unsigned, 16>>();
  unsigned* const on_device = sums.device_pointer()->data();
  std::error_code error;
  if (properties.clusterLaunch == 0) {
    cudax::launch(count_in_clusters, 5, 32, cudax::launch_cluster(1), 0, s.handle, on_device);
    CHECK_EQUAL(int(cudaStreamSynchronize(s.handle)), 0);
    CHECK_EQUAL((*sums)[0], 5u);
    cudax::try_launch(error, count_in_clusters, 4, 32, cudax::launch_cluster(2), 0, s.handle, on_device);
    CHECK(error);
    return;
  }
  unsigned const blocks = 2 * unsigned(cudax::coresident_blocks(count_in_clusters, 1024, cudax::launch_cluster(2)));
  cudax::launch(count_in_clusters, blocks, 1024, cudax::launch_cluster(2), 0, s.handle, on_device);
  CHECK_EQUAL(int(cudaStreamSynchronize(s.handle)), 0);
  for (unsigned i = 0; i < 16; ++i) CHECK_EQUAL((*sums)[i], i < 2 ? blocks : 0u);
  *sums = {};
  cudax::try_launch(error, count_in_clusters, 32, 32, cudax::launch_cluster(16), 0, s.handle, on_device);
  CHECK_EQUAL(error.value(), int(cudaErrorInvalidClusterSize));
  cudax::launch(count_in_clusters, 32, 32, cudax::launch_cluster(16).non_portable(), 0, s.handle, on_device);
  CHECK_EQUAL(int(cudaStreamSynchronize(s.handle)), 0);
  for (unsigned i = 0; i < 16; ++i) CHECK_EQUAL((*sums)[i], 32u);
  *sums = {};
  // Each block adds the size of its cluster, whichever of the two it is.
  cudax::launch(count_in_clusters, 64, 32, cudax::launch_cluster(2).preferred(4), 0, s.handle, on_device);
  CHECK_EQUAL(int(cudaStreamSynchronize(s.handle)), 0);
  unsigned sum = 0;
  for (unsigned i = 0; i < 16; ++i) sum += (*sums)[i];
  CHECK(sum >= 2 * 64 && sum <= 4 * 64);
  CHECK_EQUAL((*sums)[2], (*sums)[3]);
  CHECK_EQUAL(int(cudaGetLastError()), 0); // no last error remains for the program
}

DEVICE_TEST("a launch can name clusters of one block, which asynchronous stores to the own block need") {
  stream s;
  cudax::launch_cluster const one(1);
  auto const rank = cudax::make_managed<std::array<unsigned, 16>>();
  cudax::launch_dependent(count_ranks, 5, 32, one, 0, s.handle, rank.device_pointer()->data());
  CHECK_EQUAL(int(cudaStreamSynchronize(s.handle)), 0);
  CHECK_EQUAL((*rank)[0], 5u);
  int const most = cudax::coresident_blocks(meet, 1024, one);
  CHECK(most >= 1 && most <= cudax::coresident_blocks(meet, 1024));
  cudaDeviceProp properties;
  CUDA_MUST(cudaGetDeviceProperties(&properties, 0));
  if (properties.clusterLaunch == 0) return; // has no asynchronous stores
  auto const told = cudax::make_managed<unsigned>(0u);
  cudax::launch_coresident(tell_itself, 1, 1, one, 0, s.handle, told.device_pointer());
  cudax::launch_dependent(tell_itself, 1, 1, one, 0, s.handle, told.device_pointer());
  CHECK_EQUAL(int(cudaStreamSynchronize(s.handle)), 0);
  CHECK_EQUAL(*told, 14u);
}

DEVICE_TEST("a dependent grid that waits sees everything that its prerequisite wrote") {
  constexpr unsigned count = 512, steps = 9;
  stream s;
  auto const a = cudax::make_managed<std::array<unsigned, count>>();
  auto const b = cudax::make_managed<std::array<unsigned, count>>();
  std::array<unsigned, count> expected{};
  for (cudaStream_t const handle : {s.handle, cudaStream_t(nullptr)}) { // the legacy default stream, too
    for (unsigned i = 0; i < count; ++i) expected[i] = (*a)[i] = i;
    for (unsigned step = 0; step < steps; ++step) {
      auto* const in = (step % 2 ? b : a).device_pointer()->data();
      auto* const out = (step % 2 ? a : b).device_pointer()->data();
      cudax::launch_dependent(rotate, count / 64, 64, 0, handle, in, out, count);
      std::ranges::rotate(expected, expected.begin() + 1);
      for (auto& each : expected) each = each * 2 + 1;
    }
    CHECK_EQUAL(int(cudaStreamSynchronize(handle)), 0);
    CHECK(*(steps % 2 ? b : a) == expected);
  }
  std::error_code error;
  cudax::try_launch_dependent(error, rotate, 1, 1025, 0, s.handle, nullptr, nullptr, 0u);
  CHECK(bool(error));
  CHECK_EQUAL(int(cudaGetLastError()), 0); // no last error remains for the program
}

DEVICE_TEST("a dependent launch into a capture becomes a programmatic edge of the graph") {
  constexpr unsigned count = 512, steps = 4, launches = 3;
  stream s;
  auto const a = cudax::make_managed<std::array<unsigned, count>>();
  auto const b = cudax::make_managed<std::array<unsigned, count>>();
  CUDA_MUST(cudaStreamBeginCapture(s.handle, cudaStreamCaptureModeThreadLocal));
  for (unsigned step = 0; step < steps; ++step)
    cudax::launch_dependent(rotate, count / 64, 64, 0, s.handle, (step % 2 ? b : a).device_pointer()->data(),
                            (step % 2 ? a : b).device_pointer()->data(), count);
  cudaGraph_t graph = nullptr;
  CUDA_MUST(cudaStreamEndCapture(s.handle, &graph));
  cudaGraphNode_t from[steps], to[steps];
  cudaGraphEdgeData edges[steps];
  size_t size = steps;
  CUDA_MUST(cudaGraphGetEdges(graph, from, to, edges, &size));
  CHECK_EQUAL(size, steps - 1); // nothing precedes the first launch
  int major = 0;
  CUDA_MUST(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  bool const is_programmatic = major >= 9; // before sm_90 the launches are ordinary ones
  for (size_t i = 0; i < size; ++i) {
    CHECK_EQUAL(edges[i].type == cudaGraphDependencyTypeProgrammatic, is_programmatic);
    CHECK_EQUAL(edges[i].from_port == cudaGraphKernelNodePortProgrammatic, is_programmatic);
  }
  cudaGraphExec_t chain = nullptr;
  CUDA_MUST(cudaGraphInstantiate(&chain, graph, 0));
  std::array<unsigned, count> expected{};
  for (unsigned i = 0; i < count; ++i) expected[i] = (*a)[i] = i;
  for (unsigned launch = 0; launch < launches; ++launch) {
    CUDA_MUST(cudaGraphLaunch(chain, s.handle));
    for (unsigned step = 0; step < steps; ++step) {
      std::ranges::rotate(expected, expected.begin() + 1);
      for (auto& each : expected) each = each * 2 + 1;
    }
  }
  CHECK_EQUAL(int(cudaStreamSynchronize(s.handle)), 0);
  CHECK(*a == expected);
  CUDA_MUST(cudaGraphExecDestroy(chain));
  CUDA_MUST(cudaGraphDestroy(graph));
}

DEVICE_TEST("dynamic shared memory limits a coresident grid, and must be enabled") {
  stream s;
  auto const m = cudax::make_mapped<flag>(0u);
  std::error_code error;
  cudax::try_launch_coresident(error, take_shared, 1, 32, 60'000, s.handle, m.device_pointer());
  CHECK(error == std::errc::invalid_argument);
  CUDA_MUST(cudaFuncSetAttribute(take_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 60'000));
  int const most = cudax::coresident_blocks(take_shared, 32, 60'000);
  CHECK(most > 0 && most < cudax::coresident_blocks(take_shared, 32));
  cudax::launch_coresident(take_shared, unsigned(most), 32, 60'000, s.handle, m.device_pointer());
  CHECK(cudax::wait(*m, 0u, s.handle) == wait_reason::changed);
  CUDA_MUST(cudaDeviceSynchronize());
  try {
    cudax::launch_coresident(take_shared, 10'000, 32, 60'000, s.handle, m.device_pointer());
    CHECK(!"nothing was thrown");
  } catch (cudax::cuda_error const& e) {
    std::printf("%s\n", e.what());
  }
}

DEVICE_TEST("kernels can be preloaded, and the hazard of the others is reported") {
  std::printf("lazy_loading_hazard(): \"%s\"\n", cudax::lazy_loading_hazard().c_str());
  cudax::preload(set, nothing, run_until);
  CHECK(cudax::lazy_loading_hazard(set, nothing, run_until).empty());
  CHECK_EQUAL(cudax::lazy_loading_hazard(set, raise_all).empty(), cudax::lazy_loading_hazard().empty());
}

DEVICE_TEST("peer access is reported for every pair of devices") {
  auto const devices = cudax::devices();
  auto const pairs = cudax::enable_peer_access();
  CHECK_EQUAL(pairs.size(), devices.size() * (devices.size() - 1));
  for (auto const& p : pairs) {
    std::printf("device %d reaches device %d: %d, enabled %d, native atomics %d\n", p.device, p.peer, p.possible,
                p.enabled, p.native_atomics);
    int can = 0;
    CUDA_MUST(cudaDeviceCanAccessPeer(&can, p.device, p.peer));
    CHECK_EQUAL(p.possible, can != 0);
    CHECK_EQUAL(p.enabled, p.possible);
  }
  CHECK_EQUAL(cudax::enable_peer_access().size(), pairs.size()); // a second call
  std::error_code error;
  CHECK(cudax::try_enable_peer_access(error, 0, int(devices.size())).size() <= 1);
  CHECK(bool(error));
  CHECK_EQUAL(int(cudaGetLastError()), 0);
}

DEVICE_TEST("host and device can access thousands of flags from a resource") {
  constexpr unsigned count = 4000;
  for (auto* const resource : {cudax::mapped_resource(), cudax::managed_resource()}) {
    auto const blocks_before = resource->statistics().blocks;
    std::pmr::polymorphic_allocator<> const allocator(resource);
    std::pmr::vector<flag*> flags(resource);
    for (unsigned i = 0; i < count; ++i)
      flags.push_back(std::pmr::polymorphic_allocator<>(allocator).new_object<flag>(0u));
    CHECK(resource->device_pointer(flags.data()) == flags.data()); // unified addressing
    CHECK(resource->statistics().blocks - blocks_before <= 5);
    raise_all<<<(count + 127) / 128, 128>>>(flags.data(), count);
    unsigned wrong = 0;
    for (unsigned i = 0; i < count; ++i) {
      wrong += cudax::wait(*flags[i], 0u, cudaStreamLegacy) != wait_reason::changed;
      wrong += flags[i]->load() != i + 1;
    }
    CHECK_EQUAL(wrong, 0u);
    CHECK_EQUAL(int(cudaDeviceSynchronize()), 0);
    for (flag* const f : flags) std::pmr::polymorphic_allocator<>(allocator).delete_object(f);
  }
}

DEVICE_TEST("containers in a resource can be passed to a kernel") {
  for (auto* const resource : {cudax::mapped_resource(), cudax::managed_resource()}) {
    std::pmr::vector<int> numbers(50'000, 41, resource);
    add_to_each<<<1, 256>>>(resource->device_pointer(numbers.data()), unsigned(numbers.size()));
    CHECK_EQUAL(int(cudaDeviceSynchronize()), 0);
    unsigned wrong = 0;
    for (int const n : numbers) wrong += n != 42;
    CHECK_EQUAL(wrong, 0u);
  }
}
