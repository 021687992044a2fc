// SPDX-License-Identifier: Apache-2.0
//
// signal_flag: the steps from a volatile flag to an atomic flag that threads wait for (O. Giroux, B. A. Lelbach, "The
// CUDA C++ Standard Library"). One thread writes data and signals a flag; another thread polls the flag and reads the
// data. Each step runs `signals` times on fresh flags, between every pair of places that it is meant for, and wrong
// data are counted.
//
// The steps with volatile are what CUDA programs did before there were atomics. They have undefined behavior, run on
// the device only, and their results are shown without being judged. The steps with an atomic must always read the
// right data.
#include "example.hpp"
import cudax.sync;

using namespace std::chrono_literals;

namespace {

constexpr int signals = 10'000;
constexpr auto patience = 60s; // the longest polling

/// Ends a polling loop after `patience`. The talk's examples poll without a limit; a test must not.
class limit {
  int rounds_ = 0;
  cudax::steady_clock::time_point end_ = cudax::steady_clock::now() + patience;

public:
  __host__ __device__ bool reached() { return ++rounds_ % 1024 == 0 && cudax::steady_clock::now() > end_; }
};

// --- before: volatile ------------------------------------------------------------------------------------------------
#if defined(__CUDA__)

struct with_volatile {
  static constexpr char const* name = "volatile";
  using flag = int;
  __device__ static void signal_flag(int volatile& flag) { flag = 1; }
  __device__ static int poll_flag_then_read(int volatile& flag, int volatile& data, limit& bound) {
    while (1 != flag)
      if (bound.reached()) break;
    return data;
  }
};

struct with_volatile_and_fence {
  static constexpr char const* name = "volatile, __threadfence_system()";
  using flag = int;
  __device__ static void signal_flag(int volatile& flag) {
    __threadfence_system();
    flag = 1;
  }
  __device__ static int poll_flag_then_read(int volatile& flag, int volatile& data, limit& bound) {
    while (1 != flag)
      if (bound.reached()) break;
    __threadfence_system(); // easily forgotten: without it the read of data is not ordered after the flag
    return data;
  }
};

struct with_legacy_atomics {
  static constexpr char const* name = "atomicExch(), atomicAdd(0), fences";
  using flag = int;
  __device__ static void signal_flag(int volatile& flag) {
    __threadfence_system();
    atomicExch((int*)&flag, 1);
  }
  __device__ static int poll_flag_then_read(int volatile& flag, int volatile& data, limit& bound) {
    while (1 != atomicAdd((int*)&flag, 0))
      if (bound.reached()) break;
    __threadfence_system();
    return data;
  }
};

#endif
// --- after: atomic ---------------------------------------------------------------------------------------------------

struct better {
  static constexpr char const* name = "better: flag = true";
  using flag = cudax::atomic<bool>;
  __host__ __device__ static void signal_flag(flag& flag) { flag = true; }
  __host__ __device__ static int poll_flag_then_read(flag& flag, int& data, limit& bound) {
    while (!flag)
      if (bound.reached()) break;
    return data;
  }
};

struct even_better {
  static constexpr char const* name = "even better: release, acquire";
  using flag = cudax::atomic<bool>;
  __host__ __device__ static void signal_flag(flag& flag) { flag.store(true, cudax::memory_order_release); }
  __host__ __device__ static int poll_flag_then_read(flag& flag, int& data, limit& bound) {
    while (!flag.load(cudax::memory_order_acquire))
      if (bound.reached()) break;
    return data;
  }
};

struct excellent {
  static constexpr char const* name = "excellent: notify_all(), wait()";
  using flag = cudax::atomic<bool>;
  __host__ __device__ static void signal_flag(flag& flag) {
    flag.store(true, cudax::memory_order_release);
    flag.notify_all();
  }
  __host__ __device__ static int poll_flag_then_read(flag& flag, int& data, limit&) {
    // flag.wait(false, acquire), with the time limit that a test needs
    (void)flag.wait_for(false, patience, cudax::memory_order_acquire);
    return data;
  }
};

// --- running a step --------------------------------------------------------------------------------------------------

template <class Step> struct work {
  typename Step::flag flags[signals];
  int data[signals];
  int wrong;

  __host__ __device__ static int datum(int i) { return 3 * i + 1; }

  __host__ __device__ void produce() {
    for (int i = 0; i < signals; ++i) {
      data[i] = datum(i);
      Step::signal_flag(flags[i]);
    }
  }
  __host__ __device__ void consume() {
    limit bound;
    int errors = 0;
    for (int i = 0; i < signals; ++i) errors += Step::poll_flag_then_read(flags[i], data[i], bound) != datum(i);
    wrong = errors;
  }
};

template <class Step> void between_host_threads(example::report& report) {
  auto const shared = std::make_unique<work<Step>>();
  example::stopwatch time;
  {
    std::jthread consumer([&] { shared->consume(); });
    std::jthread producer([&] { shared->produce(); });
  }
  report.line(Step::name, "host thread -> host thread", shared->wrong, signals, time.seconds());
}

#if defined(__CUDA__)

template <class Step> __global__ void produce(work<Step>* shared) { shared->produce(); }
template <class Step> __global__ void consume(work<Step>* shared) { shared->consume(); }
template <class Step> __global__ void produce_and_consume(work<Step>* shared) {
  if (blockIdx.x == 0) shared->produce();
  else shared->consume();
}

template <class Step> class mapped_work {
  work<Step>* host_ = nullptr;

public:
  mapped_work() {
    CUDA_MUST(cudaHostAlloc(reinterpret_cast<void**>(&host_), sizeof(work<Step>), cudaHostAllocMapped));
    new (host_) work<Step>();
  }
  ~mapped_work() { cudaFreeHost(host_); }
  mapped_work(mapped_work const&) = delete;
  mapped_work& operator=(mapped_work const&) = delete;

  work<Step>* host() { return host_; }
  work<Step>* device() {
    void* pointer = nullptr;
    CUDA_MUST(cudaHostGetDevicePointer(&pointer, host_, 0));
    return static_cast<work<Step>*>(pointer);
  }
};

template <class Step> void between_blocks(example::report& report, bool judged) {
  work<Step>* shared = nullptr;
  CUDA_MUST(cudaMallocManaged(reinterpret_cast<void**>(&shared), sizeof(work<Step>)));
  new (shared) work<Step>();
  example::stopwatch time;
  produce_and_consume<<<2, 1>>>(shared); // two blocks are resident at the same time on any device
  CUDA_MUST(cudaDeviceSynchronize());
  double const seconds = time.seconds();
  if (judged) report.line(Step::name, "block -> block", shared->wrong, signals, seconds);
  else report.line_not_judged(Step::name, "block -> block", shared->wrong, signals, seconds);
  CUDA_MUST(cudaFree(shared));
}

template <class Step> void between_host_and_device(example::report& report) {
  {
    mapped_work<Step> shared;
    example::stopwatch time;
    consume<<<1, 1>>>(shared.device());
    CUDA_MUST(cudaGetLastError());
    shared.host()->produce();
    CUDA_MUST(cudaDeviceSynchronize());
    report.line(Step::name, "host thread -> device", shared.host()->wrong, signals, time.seconds());
  }
  {
    mapped_work<Step> shared;
    example::stopwatch time;
    produce<<<1, 1>>>(shared.device());
    CUDA_MUST(cudaGetLastError());
    // A host that waits for a device must keep it making progress: here a thread that synchronizes with the device does
    // (execution model, example API.1).
    std::jthread progress([] { cudaDeviceSynchronize(); });
    shared.host()->consume();
    progress.join();
    CUDA_MUST(cudaDeviceSynchronize());
    report.line(Step::name, "device -> host thread", shared.host()->wrong, signals, time.seconds());
  }
}

#endif

template <class Step> void run_everywhere(example::report& report, [[maybe_unused]] bool device) {
  between_host_threads<Step>(report);
#if defined(__CUDA__)
  if (!device) return;
  between_host_and_device<Step>(report);
  between_blocks<Step>(report, true);
#endif
}

} // namespace

int main() {
  std::printf("signal_flag / poll_flag_then_read: %d signals each, every datum checked\n", signals);
  example::report report;
  std::string const reason = example::device_missing();
  if (!reason.empty()) report.skipped("volatile steps; host - device, block - block", reason);
#if defined(__CUDA__)
  if (reason.empty()) {
    between_blocks<with_volatile>(report, false);
    between_blocks<with_volatile_and_fence>(report, false);
    between_blocks<with_legacy_atomics>(report, false);
  }
#endif
  run_everywhere<better>(report, reason.empty());
  run_everywhere<even_better>(report, reason.empty());
  run_everywhere<excellent>(report, reason.empty());
  return report.exit_code();
}
