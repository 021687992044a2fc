// SPDX-License-Identifier: Apache-2.0
//
// neighbours: what the library must not change: other threads' stream captures, the errors of the program's launches,
// the driver's contexts. Each case needs a separate process, because CUDA is initialized only once:
//
//   neighbours capture     no call ends a capture, of another thread or of the caller
//   neighbours errors      the error of a launch is still there after every call
//   neighbours answers     what a wait reports about an earlier error
//   neighbours untouched   if CUDA is not used, queries and waits create no context
//   neighbours first       the first object creates a context, but not as the thread's current one
//   neighbours borrowed    a thread without a context has none after a call; memory and waits work in it
//   neighbours own         a context that the program made stays current, and remains the only one
//   neighbours other       a program that uses only device 1 gets no context on device 0
//
// 77: there is no device, or, for `other`, only one.
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include <cuda.h>
import cudax.sync;
import cudax.sync.host;

using namespace std::chrono_literals;
using cudax::progress;
using cudax::wait_reason;
using flag = cudax::atomic<unsigned>;

static int failures = 0;
static std::string now; // the current step, for the report
static void check(bool right, char const* what, int line) {
  if (right) return;
  std::printf("neighbours.cu:%d: %s%s%s\n", line, what, now.empty() ? "" : ": ", now.c_str());
  ++failures;
}
#define CHECK(...) check(bool(__VA_ARGS__), #__VA_ARGS__, __LINE__)
#define MUST(...) check((__VA_ARGS__) == cudaSuccess, #__VA_ARGS__, __LINE__)

__global__ void set(flag* f) { f->store(1, cudax::memory_order_release); }
__global__ void run_until(flag* stop) {
  while (stop->load(cudax::memory_order_relaxed) == 0) {}
}
/// Kernels that are not loaded yet.
template <int Number> __global__ void nothing() {}

// --- the driver ------------------------------------------------------------------------------------------------------

template <class Function> static Function* driver(char const* name, unsigned version) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult status{};
  if (cudaGetDriverEntryPointByVersion(name, &found, version, cudaEnableLegacyStream, &status) != cudaSuccess ||
      !found) {
    std::printf("neighbours.cu: the driver has no %s\n", name);
    std::exit(2);
  }
  return reinterpret_cast<Function*>(found);
}
#define DRIVER(name) driver<decltype(::name)>(#name, 12000)

static CUcontext current_context() {
  static auto* const get = DRIVER(cuCtxGetCurrent);
  CUcontext context = nullptr;
  CHECK(get(&context) == CUDA_SUCCESS);
  return context;
}

static bool has_context(int device) { // the primary context
  static auto* const state = DRIVER(cuDevicePrimaryCtxGetState);
  unsigned flags = 0;
  int active = 0;
  CHECK(state(device, &flags, &active) == CUDA_SUCCESS);
  return active != 0;
}

static int device_count() {
  static int const count = [] {
    int found = 0;
    MUST(cudaGetDeviceCount(&found));
    return found;
  }();
  return count;
}

static CUcontext make_context(int device) {
  CHECK(DRIVER(cuInit)(0) == CUDA_SUCCESS);
  // As CUDA 3.2 declares it; later versions take other parameters.
  auto* const create = driver<CUresult(CUcontext*, unsigned, CUdevice)>("cuCtxCreate", 3020);
  CUcontext made = nullptr;
  CHECK(create(&made, 0, device) == CUDA_SUCCESS);
  return made;
}

// --- the library's functions -----------------------------------------------------------------------------------------

enum kind { memory, question, waits, peers, kernels };
struct action {
  char const* name;
  kind what;
  std::function<void()> body;

  void run() const {
    try {
      body();
    } catch (std::exception const& e) {
      std::printf("%s\n", e.what());
      check(false, "nothing was thrown", __LINE__);
    }
  }
};

static flag never = 0;
static void wait_some(progress const& by) { (void)cudax::wait_for(never, 0u, by, 2ms); }

/// `Round`: the kernels of this round are not loaded yet.
template <int Round> static std::vector<action> actions(cudaStream_t stream, cudaEvent_t event) {
  static std::error_code ignored;
  return {
      {"make_mapped", memory, [] { *cudax::make_mapped<int>(1) += 1; }},
      {"make_managed", memory, [] { *cudax::make_managed<int>(1) += 1; }},
      {"make_mapped of too much", memory, [] { (void)cudax::try_make_mapped<char[]>(ignored, std::size_t(1) << 52); }},
      {"make_managed of too much", memory,
       [] { (void)cudax::try_make_managed<char[]>(ignored, std::size_t(1) << 52); }},
      {"registered", memory,
       [] {
         static int object = 0;
         cudax::registered r(object);
         CHECK(r.device_pointer() != nullptr);
         r.reset();
       }},
      {"registered, on the stack", memory,
       [] {
         char object = 'x';
         cudax::registered<char> const r(object);
         CHECK(r.device_pointer() != nullptr);
       }},
      {"registered, memory that does not exist", memory,
       [] { cudax::registered<char[]> const none(reinterpret_cast<char*>(0x7000), 16, ignored); }},
      {"mapped_resource", memory,
       [] {
         cudax::mapped_resource()->deallocate(cudax::mapped_resource()->allocate(100'000), 100'000);
         cudax::mapped_resource()->trim();
       }},
      {"managed_resource", memory,
       [] {
         cudax::managed_resource()->deallocate(cudax::managed_resource()->allocate(100), 100);
         cudax::managed_resource()->trim();
       }},
      {"devices", question, [] { CHECK(!cudax::devices().empty() && cudax::no_device_reason().empty()); }},
      {"atomicity", question,
       [] { (void)cudax::atomicity(&never, sizeof never, cudax::atomic_operation::read_modify_write); }},
      {"atomicity with a device that does not exist", question,
       [] {
         (void)cudax::atomicity(&never, 4, cudax::atomic_operation::load_store, cudax::thread_scope_system, {99},
                                ignored);
       }},
      {"make_tensor_map", question,
       [] {
         // The driver has no context before something else of the program has used CUDA: not an error here.
         using tiles = cudax::tensor_map<float, cudax::tensor_box<16, 4>>;
         alignas(16) static float tensor[64];
         (void)cudax::try_make_tensor_map<tiles>(ignored, tensor, {16, 4});
       }},
      {"make_tensor_map in mode im2col", question,
       [] {
         using columns = cudax::tensor_map<float, cudax::im2col_box<3, 4, 8>>;
         alignas(16) static float tensor[64];
         (void)cudax::try_make_tensor_map<columns>(ignored, tensor, {4, 8, 2}, {});
       }},
      {"make_tensor_map of nothing", question,
       [] { (void)cudax::try_make_tensor_map<cudax::tensor_map<float, cudax::tensor_box<16>>>(ignored, nullptr, 1); }},
      {"lazy_loading_hazard", question, [] { (void)cudax::lazy_loading_hazard(nothing<Round>); }},
      {"a wait for a stream", waits, [=] { wait_some(stream); }},
      {"a wait for an event", waits, [=] { wait_some(event); }},
      {"a wait for the default stream", waits, [] { wait_some(nullptr); }},
      {"a wait for device 0", waits, [] { wait_some(progress::of_device(0)); }},
      {"a wait for the last device", waits, [] { wait_some(progress::of_device(device_count() - 1)); }},
      {"a wait for the current device", waits, [] { wait_some(progress::of_current_device()); }},
      {"a wait for a device that does not exist", waits, [] { wait_some(progress::of_device(99)); }},
      {"enable_peer_access", peers, [] { (void)cudax::enable_peer_access(); }},
      {"enable_peer_access again", peers, [] { (void)cudax::enable_peer_access(); }},
      {"enable_peer_access of no device", peers, [] { (void)cudax::try_enable_peer_access(ignored, 99, 0); }},
      {"preload", kernels, [] { cudax::preload(nothing<Round>); }},
      {"coresident_blocks", kernels, [] { CHECK(cudax::coresident_blocks(nothing<Round + 1>, 32) > 0); }},
      {"launch_coresident", kernels, [=] { cudax::launch_coresident(nothing<Round + 2>, 1, 32, 0, stream); }},
      {"launch", kernels, [=] { cudax::launch(nothing<Round + 4>, 1, 32, cudax::launch_cluster(1), 0, stream); }},
      {"launch_dependent", kernels, [=] { cudax::launch_dependent(nothing<Round + 3>, 1, 32, 0, stream); }},
      {"launch_dependent of too large blocks", kernels,
       [=] { cudax::try_launch_dependent(ignored, nothing<Round>, 1, 2048, 0, stream); }},
      {"launch_coresident of too many", kernels,
       [=] { cudax::try_launch_coresident(ignored, nothing<Round>, 0x7fffffff, 1024, 0, stream); }},
      {"launch_coresident of too large blocks", kernels,
       [=] { cudax::try_launch_coresident(ignored, nothing<Round>, 1, 2048, 0, stream); }},
  };
}

struct handles {
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  handles() {
    MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    MUST(cudaEventCreate(&event));
  }
};

// --- the cases -------------------------------------------------------------------------------------------------------

static void capture() {
  handles const h;
  cudaStream_t captured = nullptr; // a stream that the legacy default stream synchronizes with
  MUST(cudaStreamCreate(&captured));
  int const before = failures;
  auto const try_all = [&](std::vector<action> const& all, bool elsewhere) {
    for (auto const& each : all) {
      now = std::string(each.name) + (elsewhere ? ", of another thread" : ", of the thread that captures");
      MUST(cudaStreamBeginCapture(captured, cudaStreamCaptureModeGlobal));
      if (elsewhere) std::jthread([&] { each.run(); }).join();
      else each.run();
      set<<<1, 1, 0, captured>>>(nullptr); // captured, never run
      cudaGraph_t graph = nullptr;
      cudaError_t const end = cudaStreamEndCapture(captured, &graph);
      CHECK(end == cudaSuccess);
      if (graph) MUST(cudaGraphDestroy(graph));
      MUST(cudaStreamSynchronize(h.stream));
      (void)cudaGetLastError();
    }
  };
  try_all(actions<100>(h.stream, h.event), true);
  try_all(actions<200>(h.stream, h.event), false);
  now = "";
  // A launch into a capturing stream is captured like any other launch.
  auto const f = cudax::make_mapped<flag>(0u);
  MUST(cudaStreamBeginCapture(captured, cudaStreamCaptureModeGlobal));
  cudax::launch_coresident(set, 1, 1, 0, captured, f.device_pointer());
  cudax::launch_dependent(set, 1, 1, 0, captured, f.device_pointer());
  cudaGraph_t graph = nullptr;
  MUST(cudaStreamEndCapture(captured, &graph));
  MUST(cudaDeviceSynchronize());
  CHECK(f->load() == 0);
  if (graph) MUST(cudaGraphDestroy(graph));
  std::printf("captures ended by the library: %d\n", failures - before);
}

static cudaError_t refuse() {
  set<<<1, 4096>>>(nullptr);
  return cudaPeekAtLastError();
}

static void errors() {
  handles const h;
  for (auto const& each : actions<300>(h.stream, h.event)) {
    now = each.name;
    cudaError_t const left = refuse();
    CHECK(left != cudaSuccess);
    each.run();
    CHECK(cudaGetLastError() == left);
    each.run(); // without an earlier error, none appears
    CHECK(cudaGetLastError() == cudaSuccess);
  }
  now = "waits for busy streams and devices";
  auto const stop = cudax::make_mapped<flag>(0u);
  run_until<<<1, 1, 0, h.stream>>>(stop.device_pointer());
  MUST(cudaEventRecord(h.event, h.stream));
  cudaError_t const left = refuse();
  for (progress const& by : {progress(h.stream), progress(h.event), progress::of_device(0)}) {
    CHECK(cudax::wait_for(never, 0u, by, 2ms) == wait_reason::timed_out);
    CHECK(cudaPeekAtLastError() == left);
  }
  stop->store(1);
  CHECK(cudaGetLastError() == left);
  MUST(cudaStreamSynchronize(h.stream));
  // For an address that is not a kernel only the runtime can report the error, which replaces the previous one: an
  // error remains.
  now = "preload of an address that is not a kernel";
  std::error_code error;
  refuse();
  cudax::try_preload(error, +[] {});
  CHECK(error);
  CHECK(cudaGetLastError() != cudaSuccess);
  cudax::try_preload(error, +[] {});
  CHECK(cudaGetLastError() == cudaSuccess);
}

static void answers() {
  handles const h;
  auto const f = cudax::make_mapped<flag>(0u);
  auto const end_of_stream = [&] {
    nothing<0><<<1, 1, 0, h.stream>>>();
    return cudax::wait(*f, 0u, h.stream);
  };
  now = "after a failed cudaMalloc";
  void* p = nullptr;
  CHECK(cudaMalloc(&p, std::size_t(1) << 52) == cudaErrorMemoryAllocation);
  CHECK(end_of_stream() == wait_reason::finished);
  CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);

  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {64, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = 64;
  config.blockDim = 32;
  config.stream = h.stream;
  config.attrs = &cluster;
  config.numAttrs = 1;
  flag* argument = f.device_pointer();
  void* arguments[] = {&argument};
  static int not_a_kernel = 0;
  struct {
    char const* name;
    std::function<void()> launch;
  } const refusals[] = {
      {"a block of 4096 threads", [&] { set<<<1, 4096, 0, h.stream>>>(argument); }},
      {"a grid of 0 blocks", [&] { set<<<0, 1, 0, h.stream>>>(argument); }},
      {"a block of 0 threads", [&] { set<<<1, 0, 0, h.stream>>>(argument); }},
      {"a grid of 70000 in y", [&] { set<<<dim3(1, 70000), 1, 0, h.stream>>>(argument); }},
      {"16 MiB of shared memory", [&] { set<<<1, 1, 16 << 20, h.stream>>>(argument); }},
      {"a cluster of 64 blocks", [&] { (void)cudaLaunchKernelExC(&config, (void const*)set, arguments); }},
      {"a cooperative grid of 2^20 blocks",
       [&] { (void)cudaLaunchCooperativeKernel((void const*)set, 1 << 20, 1024, arguments, 0, h.stream); }},
      {"an address that is not a kernel", [&] { (void)cudaLaunchKernel(&not_a_kernel, 1, 1, arguments, 0, h.stream); }},
  };
  for (auto const& refusal : refusals) {
    now = refusal.name;
    refusal.launch();
    cudaError_t const left = cudaPeekAtLastError();
    CHECK(left != cudaSuccess);
    auto const result = end_of_stream();
    std::printf("%s: %d, and the wait says %s\n", refusal.name, int(left), result.error.message().c_str());
    CHECK(result == wait_reason::device_error);
    CHECK(result.error.value() == int(left));
    CHECK(cudaGetLastError() == left);
    CHECK(end_of_stream() == wait_reason::finished);
  }
}

static void untouched() {
  auto const run = [](action const& each) {
    now = each.name;
    each.run();
    CHECK(current_context() == nullptr);
    for (int device = 0; device < device_count(); ++device) CHECK(!has_context(device));
  };
  CHECK(DRIVER(cuInit)(0) == CUDA_SUCCESS);
  for (bool const fresh : {false, true})
    for (auto const& each : actions<400>(cudaStreamPerThread, nullptr))
      if (each.what == question || (each.what == waits && std::string_view(each.name) != "a wait for an event")) {
        if (fresh) std::jthread(run, each).join();
        else run(each);
      }
  now = "answers";
  CHECK(cudax::wait(never, 0u, nullptr) == wait_reason::finished);
  CHECK(cudax::wait(never, 0u, cudaStreamLegacy) == wait_reason::finished);
  CHECK(cudax::wait_for(never, 0u, progress::of_device(0), 5ms) == wait_reason::timed_out);
  CHECK(cudax::wait_for(never, 0u, progress::of_device(99), 5ms) == wait_reason::device_error);
  CHECK(!has_context(0) && current_context() == nullptr);
}

static void first() {
  CHECK(DRIVER(cuInit)(0) == CUDA_SUCCESS);
  static unsigned object = 0;
  std::jthread([] {
    now = "the first object";
    auto const f = cudax::make_mapped<flag>(0u);
    CHECK(current_context() == nullptr);
    CHECK(has_context(0));
    cudax::registered<unsigned> r(object);
    CHECK(current_context() == nullptr);
    set<<<1, 1>>>(f.device_pointer()); // the runtime uses the same context
    CHECK(cudax::wait(*f, 0u, nullptr) == wait_reason::changed);
    CHECK(current_context() != nullptr);
  }).join();
  now = "the main thread";
  auto const m = cudax::make_managed<flag>(0u);
  CHECK(current_context() == nullptr);
  for (int device = 1; device < device_count(); ++device) CHECK(!has_context(device));
  set<<<1, 1>>>(m.device_pointer());
  MUST(cudaDeviceSynchronize());
  CHECK(m->load() == 1);
}

/// Memory and waits in a thread without a context, while `device` has a primary context.
static void in_a_fresh_thread(handles const& h, int device, auto after) {
  auto const all = actions<500>(h.stream, h.event);
  for (auto const& each : all)
    if (each.what == memory || each.what == question || each.what == waits) {
      now = each.name;
      std::jthread([&] {
        each.run();
        CHECK(current_context() == nullptr);
      }).join();
      after();
    }
  now = "a kernel of another thread";
  auto const f = cudax::make_mapped<flag>(0u);
  struct {
    progress by;
    bool finishes;
  } const sources[] = {{h.stream, true}, {h.event, true}, {progress::of_device(device), false}};
  for (auto const& source : sources) {
    f->store(0);
    set<<<1, 1, 0, h.stream>>>(f.device_pointer());
    MUST(cudaEventRecord(h.event, h.stream));
    std::jthread([&] {
      CHECK(cudax::wait(*f, 0u, source.by) == wait_reason::changed);
      if (source.finishes) CHECK(cudax::wait(never, 0u, source.by) == wait_reason::finished);
      CHECK(current_context() == nullptr);
    }).join();
    MUST(cudaStreamSynchronize(h.stream));
    after();
  }
}

static void borrowed() {
  handles const h;
  in_a_fresh_thread(h, 0, [] {
    for (int device = 1; device < device_count(); ++device) CHECK(!has_context(device));
  });
}

static void other() {
  MUST(cudaSetDevice(1));
  handles const h;
  in_a_fresh_thread(h, 1, [] { CHECK(!has_context(0)); });
}

static void own() {
  CUcontext const mine = make_context(0);
  handles const h;
  CHECK(current_context() == mine);
  for (auto const& each : actions<600>(h.stream, h.event)) {
    now = each.name;
    each.run();
    CHECK(current_context() == mine);
    if (each.what == peers) break; // they need the peers' contexts
    for (int device = 0; device < device_count(); ++device) CHECK(!has_context(device));
  }
  now = "a kernel in a context of the program's own";
  auto const f = cudax::make_mapped<flag>(0u);
  for (progress const& by : {progress(h.stream), progress::of_device(0), progress::of_current_device()}) {
    f->store(0);
    cudax::launch_coresident(set, 1, 1, 0, h.stream, f.device_pointer());
    CHECK(cudax::wait(*f, 0u, by) == wait_reason::changed);
    MUST(cudaStreamSynchronize(h.stream));
    CHECK(current_context() == mine);
  }
  now = "another thread";
  static int object = 0;
  auto m = cudax::make_mapped<int>(1);
  cudax::registered<int> r(object);
  std::jthread(
      [&] { // a thread without a context, with no primary context on any device: streams and memory have their own
        bool const peers_have_some = has_context(0);
        f->store(0);
        CHECK(cudax::wait(*f, 0u, h.stream) == wait_reason::finished);
        CHECK(current_context() == nullptr);
        m.reset();
        r.reset();
        CHECK(current_context() == nullptr);
        CHECK(has_context(0) == peers_have_some);
      })
      .join();
}

int main(int count, char** arguments) {
  std::string_view const wanted = count == 2 ? arguments[1] : "";
  struct {
    char const* name;
    void (*run)();
  } const cases[] = {{"capture", capture}, {"errors", errors},     {"answers", answers}, {"untouched", untouched},
                     {"first", first},     {"borrowed", borrowed}, {"own", own},         {"other", other}};
  for (auto const& each : cases) {
    if (wanted != each.name) continue;
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
      std::printf("skipped: there is no device\n");
      return 77;
    }
    if (wanted == "other" && devices < 2) {
      std::printf("skipped: there is one device\n");
      return 77;
    }
    try {
      each.run();
    } catch (std::exception const& e) {
      std::printf("%s\n", e.what());
      check(false, "nothing was thrown", __LINE__);
    }
    std::printf("%s: %s\n", each.name, failures ? "failed" : "passed");
    return failures != 0;
  }
  std::fputs("neighbours.cu: name a case: capture, errors, answers, untouched, first, borrowed, own or other\n",
             stderr);
  return 2;
}
