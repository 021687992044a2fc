// SPDX-License-Identifier: Apache-2.0
//
// device_faults: faults of the device, each in a separate process.
//
//   device_faults stream|event|device|callable   a kernel traps while the host waits through that source
//   device_faults refused                        a wait after a launch that failed
//   device_faults reset                          registrations around cudaDeviceReset
//   device_faults freed                          freed memory is registered
//   device_faults exit                           the process ends with live registrations and objects
//
// 77: there is no device.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory_resource>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>
import cudax.sync;
import cudax.sync.host;

using namespace std::chrono_literals;
using cudax::progress;
using cudax::wait_reason;
using flag = cudax::atomic<unsigned>;
using steady = std::chrono::steady_clock;

static int failures = 0;
static void check(bool right, char const* what, int line) {
  if (right) return;
  std::printf("device_faults.cu:%d: %s\n", line, what);
  ++failures;
}
#define CHECK(...) check(bool(__VA_ARGS__), #__VA_ARGS__, __LINE__)

__global__ void trap_after(flag* go, flag* seen) {
  while (go->load(cudax::memory_order_relaxed) == 0) {}
  seen->store(1);
  __trap();
}
__global__ void set(flag* f) { f->store(1, cudax::memory_order_release); }
__global__ void add(unsigned* at) { *at += 1; }

static double milliseconds_since(steady::time_point start) {
  return std::chrono::duration<double, std::milli>(steady::now() - start).count();
}

/// The kernel traps while the host is parked.
static void trap(std::string_view source) {
  static flag go = 0, seen = 0, never = 0;
  cudax::registered rg(go), rs(seen), rn(never);
  cudaStream_t stream;
  cudaEvent_t event;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  CHECK(cudaEventCreate(&event) == cudaSuccess);
  trap_after<<<1, 1, 0, stream>>>(rg.device_pointer(), rs.device_pointer());
  CHECK(cudaEventRecord(event, stream) == cudaSuccess);
  CHECK(cudax::wait_for(never, 0u, stream, 30ms) == wait_reason::timed_out);

  steady::time_point detected{};
  int failures_seen = 0;
  auto const query = [&] {
    cudaError_t const error = cudaStreamQuery(stream);
    if (error != cudaSuccess && error != cudaErrorNotReady && ++failures_seen == 1) detected = steady::now();
    return error;
  };
  progress const by = source == "stream"   ? progress(stream)
                      : source == "event"  ? progress(event)
                      : source == "device" ? progress::of_device(0)
                                           : progress(query);
  auto const start = steady::now();
  go.store(1);
  auto const result = cudax::wait_for(never, 0u, by, 300s);
  double const took = milliseconds_since(start);
  CHECK(result == wait_reason::device_error);
  CHECK(result.error && result.error.category() == cudax::cuda_category());
  std::printf("a kernel that traps, waited for by its %s: %s, after %.2f ms\n", std::string(source).c_str(),
              result.error.message().c_str(), took);
  if (source == "callable") {
    std::printf("reported %.3f ms after CUDA did\n", milliseconds_since(detected));
    CHECK(failures_seen == 1); // the first failing answer ends the wait
  }
  auto const again = cudax::wait(never, 0u, by); // the device has failed: the wait returns immediately
  CHECK(again == wait_reason::device_error);
  try {
    again.or_throw();
    CHECK(!"nothing was thrown");
  } catch (cudax::cuda_error const& e) {
    std::printf("%s\n", e.what());
  }
}

static void refused() {
  auto const m = cudax::make_mapped<flag>(0u);
  set<<<1, 4096>>>(m.device_pointer());
  auto const result = cudax::wait(*m, 0u, cudaStreamLegacy);
  CHECK(result == wait_reason::device_error);
  CHECK(result.error.value() == cudaErrorInvalidConfiguration || result.error.value() == cudaErrorInvalidValue);
  std::printf("a launch that was refused: %s\n", result.error.message().c_str());
  CHECK(cudaGetLastError() == result.error.value()); // the program can still query it
  set<<<1, 1>>>(m.device_pointer());
  CHECK(cudax::wait(*m, 0u, cudaStreamLegacy) == wait_reason::changed);
}

static void reset() {
  static unsigned object = 0;
  static flag other = 0;
  cudax::registered before(object);
  add<<<1, 1>>>(before.device_pointer());
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(cudaDeviceReset() == cudaSuccess);
  std::error_code error;
  before.reset(error); // CUDA has forgotten the registration
  std::printf("a registration that ends after cudaDeviceReset: %s\n", error ? error.message().c_str() : "no error");
  cudax::registered after(object);
  cudax::registered r(other);
  add<<<1, 1>>>(after.device_pointer());
  set<<<1, 1>>>(r.device_pointer());
  CHECK(cudax::wait(other, 0u, cudaStreamLegacy) == wait_reason::changed);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(object == 2);

  // Resources do not hand out memory of the destroyed context, and accept it when it is freed.
  for (cudax::system_resource* const resource : {cudax::mapped_resource(), cudax::managed_resource()})
    for (std::size_t const size : {64, 100'000}) {
      void* const free = resource->allocate(size);
      void* const past = resource->allocate(size);
      resource->deallocate(free, size);
      cudax::registered again(object);
      CHECK(cudaDeviceReset() == cudaSuccess);
      auto* const now = static_cast<unsigned*>(resource->allocate(size));
      CHECK(now != past);
      *now = 1;
      cudax::registered another(object); // in the same page as `again`
      unsigned const before = object;
      add<<<1, 1>>>(resource->device_pointer(now));
      add<<<1, 1>>>(another.device_pointer());
      CHECK(cudaDeviceSynchronize() == cudaSuccess);
      CHECK(*now == 2);
      CHECK(object == before + 1);
      resource->deallocate(past, size);
      CHECK(static_cast<unsigned*>(resource->allocate(size)) != now);
      CHECK(*now == 2);
      resource->deallocate(now, size);
    }
}

static void freed() {
  static char first = 0;
  (void)cudax::registered(first); // so that the library's own mappings do not land in the hole
  auto const page = std::size_t(sysconf(_SC_PAGESIZE));
  auto* const pages =
      static_cast<char*>(mmap(nullptr, 4 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  CHECK(munmap(pages + page, 2 * page) == 0);
  for (auto const& [first, count] : {std::pair(1, 1), std::pair(0, 4), std::pair(2, 2)}) {
    std::error_code error;
    cudax::registered<char[]> const r(pages + std::size_t(first) * page, std::size_t(count) * page, error);
    CHECK(error && !r);
    std::printf("freed memory: %s\n", error ? error.message().c_str() : "registered");
  }
  cudax::registered<char> const alive(pages[0]); // nothing of the earlier registrations remains
  CHECK(alive.device_pointer() != nullptr);
  cudaPointerAttributes attributes;
  CHECK(cudaPointerGetAttributes(&attributes, pages + 3 * page) == cudaSuccess &&
        attributes.type == cudaMemoryTypeUnregistered);
  CHECK(cudaGetLastError() == cudaSuccess);
}

static void live_at_exit() {
  static unsigned objects[3] = {};
  static cudax::registered const whole(objects);
  static cudax::registered const nested(objects[1]);
  static auto const mapped = cudax::make_mapped<unsigned>(1u);
  static std::pmr::vector<std::pmr::string> words({"words that do not fit into a string itself", "more"},
                                                  cudax::mapped_resource());
  static std::pmr::vector<int> numbers(100'000, 1, cudax::managed_resource());
  add<<<1, 1>>>(nested.device_pointer());
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(objects[1] == 1 && words.size() == 2 && numbers.size() == 100'000);
}

int main(int count, char** arguments) {
  std::string_view const wanted = count == 2 ? arguments[1] : "";
  if (std::string const reason = cudax::no_device_reason(); !reason.empty()) {
    std::printf("skipped: %s\n", reason.c_str());
    return 77;
  }
  if (wanted == "refused") refused();
  else if (wanted == "reset") reset();
  else if (wanted == "freed") freed();
  else if (wanted == "exit") live_at_exit();
  else if (wanted == "stream" || wanted == "event" || wanted == "device" || wanted == "callable") trap(wanted);
  else {
    std::fputs("device_faults.cu: name a fault: stream, event, device, callable, refused, reset, freed or exit\n",
               stderr);
    return 2;
  }
  std::printf("%s: %s\n", std::string(wanted).c_str(), failures ? "failed" : "passed");
  return failures != 0;
}
