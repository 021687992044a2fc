// SPDX-License-Identifier: Apache-2.0
//
// experiment: host threads and a kernel operate on one word at system scope until they are told to stop.
//
// Read-modify-writes: each side counts its increments, and what the word lacks in the end was lost. Loads and stores:
// one side writes 64-bit words of which one half is the other's complement, and the other side counts those that are not:
// halves of two stores. Flags between the sides lie in mapped memory of their own, by loads and stores.
#include "experiment.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <cuda_runtime.h>
import cudax.sync;
import cudax.sync.host;

namespace machine_info {
namespace {

using word = unsigned long long;
template <class T> using system_ref = cudax::atomic_ref<T, cudax::thread_scope_system>;

constexpr unsigned blocks = 8, threads = 32, host_threads = 2;
constexpr unsigned batch = 16; // operations between two looks at the flag

void must(cudaError_t error, char const* call) {
  if (error != cudaSuccess)
    throw std::runtime_error(std::string("experiment: ") + call + ": " + cudaGetErrorString(error) +
                             "; see what nvidia-smi says of the device");
}
#define CUDA_MUST(...) must(__VA_ARGS__, #__VA_ARGS__)

/// What the sides tell each other.
struct flags {
  unsigned started = 0; // by the kernel
  unsigned stop = 0;    // by the host
  word by_device[blocks * threads] = {};
  word wrong_on_device = 0;
};

__host__ __device__ bool goes_on(flags& f) {
  return system_ref<unsigned>(f.stop).load(cudax::memory_order_relaxed) == 0;
}

/// Where pages wander between the sides, neither shall keep them for ever.
__device__ void rest() { cudax::this_thread::sleep_for(std::chrono::microseconds(20)); }

__global__ void add(word* at, flags* f) {
  system_ref<unsigned>(f->started).store(1, cudax::memory_order_relaxed);
  word done = 0;
  while (goes_on(*f)) {
    for (unsigned i = 0; i < batch; ++i) system_ref<word>(*at).fetch_add(1, cudax::memory_order_relaxed);
    done += batch;
    rest();
  }
  f->by_device[blockIdx.x * blockDim.x + threadIdx.x] = done;
}

word add_on_host(word& at, flags& f) {
  word done = 0;
  for (; goes_on(f); done += batch)
    for (unsigned i = 0; i < batch; ++i) system_ref<word>(at).fetch_add(1, cudax::memory_order_relaxed);
  return done;
}

__host__ __device__ word made_of(std::uint32_t half) { return word(half) << 32 | std::uint32_t(~half); }
__host__ __device__ bool is_whole(word value) { return value == made_of(std::uint32_t(value >> 32)); }

__host__ __device__ void write_words(word& at, flags& f) {
  for (std::uint32_t value = 0; goes_on(f);)
    for (unsigned i = 0; i < batch; ++i) system_ref<word>(at).store(made_of(value++), cudax::memory_order_relaxed);
}
__host__ __device__ word read_words(word& at, flags& f, word& wrong) {
  word seen = 0;
  for (; goes_on(f); seen += batch)
    for (unsigned i = 0; i < batch; ++i) wrong += !is_whole(system_ref<word>(at).load(cudax::memory_order_relaxed));
  return seen;
}
__global__ void write_on_device(word* at, flags* f) {
  system_ref<unsigned>(f->started).store(1, cudax::memory_order_relaxed);
  write_words(*at, *f);
}
__global__ void read_on_device(word* at, flags* f) {
  system_ref<unsigned>(f->started).store(1, cudax::memory_order_relaxed);
  word wrong = 0;
  f->by_device[0] = read_words(*at, *f, wrong);
  f->wrong_on_device = wrong;
}

/// One word in memory of a kind.
struct place {
  word* on_host; // null for device memory
  word* on_device;
};

/// Ends a kernel on every way out: what follows may wait for it, memory that is given back, too.
struct stopper {
  flags& f;
  ~stopper() { system_ref<unsigned>(f.stop).store(1, cudax::memory_order_relaxed); }
};

/// Returns whether the kernel has begun.
bool wait_for_start(flags& f) {
  auto const deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (system_ref<unsigned>(f.started).load(cudax::memory_order_relaxed) == 0) {
    (void)cudaStreamQuery(nullptr); // a launch may wait for the next call
    (void)cudaGetLastError();       // which finds it not ready, as it should be
    if (std::chrono::steady_clock::now() > deadline) return false;
  }
  return true;
}

/// Runs `on_host` in threads and what `launch` starts, for a while.
template <class Launch, class OnHost>
void run_together(flags& f, double seconds, Launch launch, unsigned host_count, OnHost on_host) {
  f = {};
  bool started = false;
  {
    std::vector<std::jthread> running;
    stopper const stop{f}; // first to go
    launch();
    CUDA_MUST(cudaGetLastError());
    started = wait_for_start(f);
    for (unsigned i = 0; started && i < host_count; ++i) running.emplace_back([&, i] { on_host(i); });
    if (started) std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  }
  CUDA_MUST(cudaDeviceSynchronize());
  if (!started) throw std::runtime_error("experiment: the kernel did not begin within 20 s; is the device busy?");
}

void store(place const& at, word value) {
  if (at.on_host) *at.on_host = value;
  else CUDA_MUST(cudaMemcpy(at.on_device, &value, sizeof(value), cudaMemcpyHostToDevice));
}
word load(place const& at) {
  if (at.on_host) return *at.on_host;
  word value;
  CUDA_MUST(cudaMemcpy(&value, at.on_device, sizeof(value), cudaMemcpyDeviceToHost));
  return value;
}

void try_adding(trial& t, place const& at, flags& on_host, flags* on_device, double seconds) {
  store(at, 0);
  bool const kernel = t.who != participants::host;
  word by_host[host_threads] = {};
  run_together(
      on_host, seconds,
      [&] {
        if (kernel) add<<<blocks, threads>>>(at.on_device, on_device);
        else on_host.started = 1;
      },
      t.who == participants::device ? 0 : host_threads,
      [&](unsigned i) { by_host[i] = add_on_host(*at.on_host, on_host); });
  for (word const each : by_host) t.by_host += each;
  for (word const each : on_host.by_device) t.by_device += each;
  t.wrong = t.by_host + t.by_device - load(at);
}

/// Half of the time the host writes, half of the time the device.
void try_reading(trial& t, place const& at, flags& on_host, flags* on_device, double seconds) {
  store(at, made_of(0));
  word wrong = 0;
  run_together(
      on_host, seconds / 2, [&] { read_on_device<<<1, 1>>>(at.on_device, on_device); }, 1,
      [&](unsigned) { write_words(*at.on_host, on_host); });
  t.by_device = on_host.by_device[0];
  t.wrong = on_host.wrong_on_device;
  run_together(
      on_host, seconds / 2, [&] { write_on_device<<<1, 1>>>(at.on_device, on_device); }, 1,
      [&](unsigned) { t.by_host = read_words(*at.on_host, on_host, wrong); });
  t.wrong += wrong;
}

bool is_promised(participants who, cudax::atomicity_answer answer) {
  using enum cudax::atomicity_answer;
  switch (who) {
  case participants::host_and_device: return answer == yes;
  case participants::device: return answer == yes || answer == devices_only || answer == one_device_only;
  default: return answer == yes || answer == host_only || answer == one_device_only;
  }
}

} // namespace

std::vector<trial> run_experiment(double seconds) {
  constexpr auto load_store = cudax::atomic_operation::load_store;
  constexpr auto modify = cudax::atomic_operation::read_modify_write;
  cudax::device_info const device = cudax::devices().front();
  CUDA_MUST(cudaSetDevice(device.ordinal));
  auto const shared = cudax::make_mapped<flags>();
  auto const mapped = cudax::make_mapped<word>(0u);
  auto const managed = cudax::make_managed<word>(0u);
  alignas(64) static word registered_word = 0;
  cudax::registered<word> const registered(registered_word);
  alignas(4096) static word system_words[512] = {};
  word* on_device = nullptr;
  CUDA_MUST(cudaMalloc(&on_device, sizeof(word)));

  std::vector<trial> trials;
  auto const one = [&](place const& at, cudax::atomic_operation operation, participants who) {
    auto const table = cudax::atomicity(at.on_host ? at.on_host : at.on_device, sizeof(word), operation,
                                        cudax::thread_scope_system, {device.ordinal});
    trial t{to_string(table.memory), to_string(operation),           who, 0, 0, 0,
            to_string(table.answer), is_promised(who, table.answer), ""};
    if (table.memory == cudax::memory_type::managed && !device.concurrent_managed_access &&
        who == participants::host_and_device)
      t.skipped = "host and device may not use managed memory at the same time (concurrent_managed_access 0)";
    else if (table.memory == cudax::memory_type::unregistered)
      t.skipped = "the device does not reach it (pageable_memory_access 0)";
    else if (operation == modify) try_adding(t, at, *shared, shared.device_pointer(), seconds);
    else try_reading(t, at, *shared, shared.device_pointer(), seconds);
    trials.push_back(t);
  };
  place const places[] = {{system_words, system_words},
                          {registered.get(), registered.device_pointer()},
                          {mapped.get(), mapped.device_pointer()},
                          {managed.get(), managed.device_pointer()}};
  for (place const& at : places) one(at, load_store, participants::host_and_device);
  for (place const& at : places) one(at, modify, participants::host_and_device);
  for (place const& at : {places[2], places[3], place{nullptr, on_device}}) one(at, modify, participants::device);
  one(places[2], modify, participants::host);
  CUDA_MUST(cudaFree(on_device));
  return trials;
}

} // namespace machine_info
