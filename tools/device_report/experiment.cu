// SPDX-License-Identifier: Apache-2.0
//
// experiment: host threads and a kernel operate on one word at system scope until they are told to stop.
//
// Read-modify-writes: each side counts its increments; the difference between their sum and the final value was lost.
// Loads and stores: one side writes 64-bit words of which one half is the complement of the other, and the other side
// counts the words that are not: halves of two stores. Neighbours: the device modifies an object; the host stores to
// the object of the same size after it, and counts the stores that are gone when it reads again. The flags between the
// sides are in mapped memory of their own, and are accessed by loads and stores only.
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

namespace device_report {
namespace {

using word = unsigned long long;
template <class T> using system_ref = cudax::atomic_ref<T, cudax::thread_scope_system>;

constexpr unsigned blocks = 8, threads = 32, host_threads = 2, most_devices = 2;
constexpr unsigned batch = 16; // operations between two checks of the flag

void must(cudaError_t error, char const* call) {
  if (error != cudaSuccess)
    throw std::runtime_error(std::string("experiment: ") + call + ": " + cudaGetErrorString(error) +
                             "; see what nvidia-smi reports about the device");
}
#define CUDA_MUST(...) must(__VA_ARGS__, #__VA_ARGS__)

/// The flags and results that the sides exchange.
struct flags {
  unsigned started[most_devices] = {}; // set by the kernels
  unsigned stop = 0;                   // set by the host
  word by_device[most_devices][blocks * threads] = {};
  word wrong_on_device = 0;
};

__host__ __device__ bool goes_on(flags& f) {
  return system_ref<unsigned>(f.stop).load(cudax::memory_order_relaxed) == 0;
}

/// Pauses, so that no side keeps a migrating page indefinitely.
__device__ void rest() { cudax::this_thread::sleep_for(std::chrono::microseconds(20)); }

__global__ void add(word* at, flags* f, unsigned device) {
  system_ref<unsigned>(f->started[device]).store(1, cudax::memory_order_relaxed);
  word done = 0;
  while (goes_on(*f)) {
    for (unsigned i = 0; i < batch; ++i) system_ref<word>(*at).fetch_add(1, cudax::memory_order_relaxed);
    done += batch;
    rest();
  }
  f->by_device[device][blockIdx.x * blockDim.x + threadIdx.x] = done;
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
  system_ref<unsigned>(f->started[0]).store(1, cudax::memory_order_relaxed);
  write_words(*at, *f);
}
__global__ void read_on_device(word* at, flags* f) {
  system_ref<unsigned>(f->started[0]).store(1, cudax::memory_order_relaxed);
  word wrong = 0;
  f->by_device[0][0] = read_words(*at, *f, wrong);
  f->wrong_on_device = wrong;
}

template <class T> __global__ void modify_beside(word* at, flags* f, bool rests) {
  system_ref<unsigned>(f->started[0]).store(1, cudax::memory_order_relaxed);
  system_ref<T> const object(*reinterpret_cast<T*>(at));
  word done = 0;
  while (goes_on(*f)) {
    for (unsigned i = 0; i < batch; i += 2) { // a bitwise operation, and one that may be implemented as a loop
      object.fetch_xor(T(1), cudax::memory_order_relaxed);
      object.fetch_add(T(1), cudax::memory_order_relaxed);
    }
    done += batch;
    if (rests) rest();
  }
  f->by_device[0][blockIdx.x * blockDim.x + threadIdx.x] = done;
}

/// Returns the number of stores. The time between a store and the load that checks it varies, so that the host does not
/// run in lockstep with the device.
template <class T> word store_beside(word& at, flags& f, word& lost) {
  system_ref<T> const neighbour(reinterpret_cast<T*>(&at)[1]);
  T value = 0;
  word stores = 0;
  neighbour.store(value, cudax::memory_order_relaxed);
  for (; goes_on(f); stores += batch)
    for (unsigned i = 0; i < batch; ++i) {
      neighbour.store(++value, cudax::memory_order_relaxed);
      for (unsigned pause = unsigned(stores / batch + i) % 64; pause != 0; --pause) asm volatile("" ::: "memory");
      lost += neighbour.load(cudax::memory_order_relaxed) != value;
    }
  return stores;
}

/// One word in memory of one kind.
struct shared_word {
  word* on_host; // null for device memory
  word* on_device;
};

/// Stops the kernels on every exit path: the code that follows may wait for them, and so may freeing memory.
struct stopper {
  flags& f;
  ~stopper() { system_ref<unsigned>(f.stop).store(1, cudax::memory_order_relaxed); }
};

/// Calls a function for each participating device, by ordinal. The destructor makes the first device current again.
class devices_in_turn {
public:
  explicit devices_in_turn(unsigned count) : count_(count) {}
  ~devices_in_turn() { (void)cudaSetDevice(0); }

  template <class Each> void operator()(Each each) const {
    for (unsigned device = 0; device < count_; ++device) {
      CUDA_MUST(cudaSetDevice(int(device)));
      each(device);
    }
  }

private:
  unsigned count_;
};

/// Returns whether all kernels have begun.
bool wait_for_start(flags& f, unsigned devices) {
  auto const deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  for (unsigned device = 0; device < devices; ++device)
    while (system_ref<unsigned>(f.started[device]).load(cudax::memory_order_relaxed) == 0) {
      // A launch may not start before the next call of CUDA. The query returns "not ready", as expected.
      devices_in_turn{devices}([](unsigned) {
        (void)cudaStreamQuery(nullptr);
        (void)cudaGetLastError();
      });
      if (std::chrono::steady_clock::now() > deadline) return false;
    }
  return true;
}

/// Runs `on_host` in host threads, and the kernels that `launch` starts on the devices, for the given time.
template <class Launch, class OnHost>
void run_together(flags& f, double seconds, unsigned devices, Launch launch, unsigned host_count, OnHost on_host) {
  f = {};
  bool started = false;
  {
    std::vector<std::jthread> running;
    stopper const stop{f}; // destroyed first
    devices_in_turn{devices}([&](unsigned device) {
      launch(device);
      CUDA_MUST(cudaGetLastError());
    });
    started = wait_for_start(f, devices);
    for (unsigned i = 0; started && i < host_count; ++i) running.emplace_back([&, i] { on_host(i); });
    if (started) std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  }
  devices_in_turn{devices}([](unsigned) { CUDA_MUST(cudaDeviceSynchronize()); });
  if (!started)
    throw std::runtime_error("experiment: a kernel did not begin within 20 s; check whether the device is busy");
}

void store(shared_word const& at, word value) {
  if (at.on_host) *at.on_host = value;
  else CUDA_MUST(cudaMemcpy(at.on_device, &value, sizeof(value), cudaMemcpyHostToDevice));
}
word load(shared_word const& at) {
  if (at.on_host) return *at.on_host;
  word value;
  CUDA_MUST(cudaMemcpy(&value, at.on_device, sizeof(value), cudaMemcpyDeviceToHost));
  return value;
}

struct sides {
  unsigned devices, host_threads;
};
sides sides_of(participants who) {
  switch (who) {
  case participants::host_and_device: return {1, host_threads};
  case participants::device: return {1, 0};
  case participants::host: return {0, host_threads};
  case participants::host_and_devices: return {most_devices, host_threads};
  case participants::devices: return {most_devices, 0};
  }
  return {};
}

void try_adding(trial& t, shared_word const& at, flags& on_host, flags* on_device, double seconds) {
  store(at, 0);
  sides const take_part = sides_of(t.who);
  word by_host[host_threads] = {};
  run_together(
      on_host, seconds, take_part.devices,
      [&](unsigned device) { add<<<blocks, threads>>>(at.on_device, on_device, device); }, take_part.host_threads,
      [&](unsigned i) { by_host[i] = add_on_host(*at.on_host, on_host); });
  for (word const each : by_host) t.by_host += each;
  for (auto const& device : on_host.by_device)
    for (word const each : device) t.by_device += each;
  t.wrong = t.by_host + t.by_device - load(at);
}

/// The host writes for half of the time, and the device for the other half.
void try_reading(trial& t, shared_word const& at, flags& on_host, flags* on_device, double seconds) {
  store(at, made_of(0));
  word wrong = 0;
  run_together(
      on_host, seconds / 2, 1, [&](unsigned) { read_on_device<<<1, 1>>>(at.on_device, on_device); }, 1,
      [&](unsigned) { write_words(*at.on_host, on_host); });
  t.by_device = on_host.by_device[0][0];
  t.wrong = on_host.wrong_on_device;
  run_together(
      on_host, seconds / 2, 1, [&](unsigned) { write_on_device<<<1, 1>>>(at.on_device, on_device); }, 1,
      [&](unsigned) { t.by_host = read_words(*at.on_host, on_host, wrong); });
  t.wrong += wrong;
}

template <class T> void try_neighbour(trial& t, shared_word const& at, flags& on_host, flags* on_device,
                                      double seconds) {
  store(at, 0);
  bool const rests = t.memory == "managed";
  run_together(
      on_host, seconds, 1, [&](unsigned) { modify_beside<T><<<blocks, threads>>>(at.on_device, on_device, rests); }, 1,
      [&](unsigned) { t.by_host = store_beside<T>(*at.on_host, on_host, t.wrong); });
  for (word const each : on_host.by_device[0]) t.by_device += each;
}

bool is_promised(participants who, cudax::atomicity_answer answer) {
  using enum cudax::atomicity_answer;
  switch (who) {
  case participants::host_and_device:
  case participants::host_and_devices: return answer == yes;
  case participants::device: return answer == yes || answer == devices_only || answer == one_device_only;
  case participants::devices: return answer == yes || answer == devices_only;
  case participants::host: return answer == yes || answer == host_only || answer == one_device_only;
  }
  return false;
}

/// Returns why a trial would be invalid on this machine, or an empty string.
std::string refused(cudax::memory_type memory, std::vector<int> const& by, bool by_host) {
  auto const devices = cudax::devices();
  bool concurrent = true, connected = true;
  for (int const ordinal : by) concurrent &= devices[ordinal].concurrent_managed_access;
  if (by.size() > 1)
    for (auto const& pair : cudax::enable_peer_access(by[0], by[1])) connected &= pair.enabled;
  using enum cudax::memory_type;
  if (memory == managed && !concurrent && (by_host || by.size() > 1))
    return "managed memory may not be accessed by both at the same time (concurrent_managed_access 0)";
  if (memory == unregistered) return "the device cannot access it (pageable_memory_access 0)";
  if (memory == cudax::memory_type::device && !connected) return "the devices cannot access each other's memory";
  return "";
}

} // namespace

std::vector<trial> run_experiment(double seconds) {
  constexpr auto load_store = cudax::atomic_operation::load_store;
  constexpr auto modify = cudax::atomic_operation::read_modify_write;
  CUDA_MUST(cudaSetDevice(0));
  auto const shared = cudax::make_mapped<flags>();
  auto const mapped = cudax::make_mapped<word>(0u);
  auto const managed = cudax::make_managed<word>(0u);
  alignas(64) static word registered_word = 0;
  cudax::registered<word> const registered(registered_word);
  alignas(4096) static word system_words[512] = {};
  word* on_device = nullptr;
  CUDA_MUST(cudaMalloc(&on_device, sizeof(word)));

  std::vector<trial> trials;
  auto const one = [&](shared_word const& at, cudax::atomic_operation operation, participants who) {
    sides const take_part = sides_of(who);
    std::vector<int> about{0};
    if (take_part.devices == 2) about.push_back(1);
    auto const table = cudax::atomicity(at.on_host ? at.on_host : at.on_device, sizeof(word), operation,
                                        cudax::thread_scope_system, about);
    trial t{to_string(table.memory),
            to_string(operation),
            sizeof(word),
            who,
            0,
            0,
            0,
            to_string(table.answer),
            is_promised(who, table.answer),
            refused(table.memory, about, take_part.host_threads != 0)};
    if (t.skipped.empty()) {
      if (operation == modify) try_adding(t, at, *shared, shared.device_pointer(), seconds);
      else try_reading(t, at, *shared, shared.device_pointer(), seconds);
    }
    trials.push_back(t);
  };
  auto const beside = [&]<class T>(shared_word const& at, T) {
    auto const table = cudax::atomicity(at.on_host, sizeof(T), modify, cudax::thread_scope_system, std::vector<int>{0});
    trial t{to_string(table.memory),
            "neighbour",
            sizeof(T),
            participants::host_and_device,
            0,
            0,
            0,
            to_string(table.neighbours),
            table.neighbours == cudax::word_neighbours::unaffected,
            refused(table.memory, {0}, true)};
    if (t.skipped.empty()) try_neighbour<T>(t, at, *shared, shared.device_pointer(), seconds);
    trials.push_back(t);
  };
  shared_word const places[] = {{system_words, system_words},
                                {registered.get(), registered.device_pointer()},
                                {mapped.get(), mapped.device_pointer()},
                                {managed.get(), managed.device_pointer()}};
  for (shared_word const& at : places) one(at, load_store, participants::host_and_device);
  for (shared_word const& at : places) one(at, modify, participants::host_and_device);
  for (shared_word const& at : places) {
    beside(at, std::uint8_t());
    beside(at, std::uint16_t());
    beside(at, std::uint32_t());
  }
  for (shared_word const& at : {places[2], places[3], shared_word{nullptr, on_device}})
    one(at, modify, participants::device);
  one(places[2], modify, participants::host);
  if (cudax::devices().size() > 1) {
    for (shared_word const& at : {places[2], places[3], shared_word{nullptr, on_device}})
      one(at, modify, participants::devices);
    one(places[3], modify, participants::host_and_devices);
  }
  CUDA_MUST(cudaFree(on_device));
  return trials;
}

} // namespace device_report
