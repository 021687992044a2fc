// SPDX-License-Identifier: Apache-2.0
//
// host_machine: runs of tests that have threads of the host, or of two devices.
//
// The batch of a round is small: a thread of the host runs its instances one after the other, and a thread of the grid
// runs one. Only in the first microseconds of a round do both run the same instances.
#include <algorithm>
#include <chrono>
#include <thread>

#include "cuda_calls.hpp"
#include "host_memory.hpp"
#include "host_threads.hpp"
#include "machine.hpp"
#include "report.hpp"

namespace litmus_runner {

namespace {

constexpr unsigned most_workers = 12;
/// Nanoseconds. A worker comes late to its last instances, and managed memory moves meanwhile.
constexpr unsigned long long await_limit = 2'000'000'000;
constexpr double milliseconds_of_launch = 10;

int attribute(cudaDeviceAttr which) {
  int value = 0;
  must(cudaDeviceGetAttribute(&value, which, 0), "cudaDeviceGetAttribute");
  return value;
}

/// Throws device_lacks if host and device cannot run the test at the same time.
void require(row const& r, host_code const& code) {
  if (std::string(r.memory).find('u') != std::string::npos && !attribute(cudaDevAttrConcurrentManagedAccess))
    throw device_lacks("host and device cannot access managed memory at the same time: concurrentManagedAccess is 0");
  if (code.native_atomics && !attribute(cudaDevAttrHostNativeAtomicSupported))
    throw device_lacks("a read-modify-write of the device in mapped memory is not atomic towards a write of the host: "
                       "hostNativeAtomicSupported is 0");
  int devices = 0;
  if (devices_of(r).size() > 1) must(cudaGetDeviceCount(&devices), "cudaGetDeviceCount");
  if (devices < 2 || !code.peer_atomics) return;
  int native = 0;
  must(cudaDeviceGetP2PAttribute(&native, cudaDevP2PAttrNativeAtomicSupported, 1, 0), "cudaDeviceGetP2PAttribute");
  if (!native)
    throw device_lacks("read-modify-writes of device 1 in the memory of device 0 are not atomic: "
                       "cudaDevP2PAttrNativeAtomicSupported is 0");
}

/// A grid for the threads of one device.
struct grid {
  int device;
  launch all;
  unsigned threads;
  capacity room;
};

/// Makes a device current for a scope.
class on_device {
public:
  explicit on_device(int device) { must(cudaSetDevice(device), "cudaSetDevice"); }
  ~on_device() { cudaSetDevice(0); }
  on_device(on_device const&) = delete;
  on_device& operator=(on_device const&) = delete;
};

/// Waits until the kernels and the workers have ended. Throws machine_error if one of them does not.
void wait_for(host_threads& workers, std::vector<grid> const& grids, unsigned patience, unsigned const& stuck) {
  auto const hang = [&] {
    return machine_error("threads of host and devices wait for each other for more than " + std::to_string(patience) +
                         " s, after meeting " + std::to_string(workers.meetings()) + ": " + text_of(grids[0].all));
  };
  using clock = std::chrono::steady_clock;
  auto since = clock::now();
  for (unsigned meetings = 0;;) {
    bool ended = workers.done();
    for (auto const& g : grids) {
      on_device const current(g.device);
      cudaError_t const error = cudaStreamQuery(nullptr);
      ended &= error == cudaSuccess;
      if (error == cudaSuccess || error == cudaErrorNotReady) continue;
      workers.give_up();
      if (stuck) throw hang();
      must(error, "cudaStreamQuery");
    }
    if (ended) return;
    if (unsigned const now = workers.meetings(); now != meetings) {
      meetings = now;
      since = clock::now();
    } else if (patience && clock::now() - since > std::chrono::seconds(patience)) {
      workers.give_up();
      throw hang();
    }
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

} // namespace

result machine::run_beside_host(row const& r, registered_host_test const& test, arguments const& a,
                                std::function<void(launch const&, result const&)> const& launched) {
  host_code const& code = test.code;
  require(r, code);
  if (!with_host_) with_host_ = std::make_unique<memory_with_host>();
  auto const* const kernel = reinterpret_cast<void const*>(test.kernel.function);

  launch all;
  all.which = r.which;
  all.bits = r.bits;
  std::string const memory = r.memory;
  for (unsigned l = 0; l < memory.size(); ++l)
    all.cells[l] = (memory[l] == 'g' ? cells_ : with_host_->cells()).of(l, memory[l]);
  all.results = with_host_->results();
  all.scratch = scratch_;
  all.arrived = arrived_;
  all.stuck = stuck_;
  all.host.meeting = &with_host_->meeting();
  all.patience = a.patience * 1'000'000'000ull;
  all.await_limit = await_limit;
  unsigned const roles = std::max(threads_on_host(code), 1u);
  unsigned const processors = std::max(std::thread::hardware_concurrency(), 2u);
  all.host.workers = std::max(std::min(processors - 1, most_workers) / roles, 1u) * roles;
  std::vector<grid> grids;
  for (int const device : devices_of(r)) {
    grids.push_back({int(grids.size()), all, 0, {}});
    launch& own = grids.back().all;
    own.layout = slots_of(r, device);
    own.host.grid = unsigned(grids.size()) - 1;
    if (grids.size() == 1) continue;
    auto const& second = with_host_->second_device();
    own.arrived = second.arrived;
    own.scratch = second.scratch;
  }

  result total;
  total.counts.resize(1u << r.bits);
  auto const begin = std::chrono::steady_clock::now();
  auto const elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  double rate = 1e6; // instances per second
  tuning_.begin(kin_of(r), "host " + memory + std::to_string(grids.size()));
  auto const is_seen = [&] { return a.until_seen && *r.mutant_of && noticed(r, total); };
  while (a.launches ? total.launches < a.launches : total.launches == 0 || (elapsed() < a.seconds && !is_seen())) {
    unsigned const seed = a.launches ? a.seed + total.launches : tuning_.next();
    std::mt19937 random(seed);
    unsigned const of_worker = a.plain ? 64 : pick(random, {8, 32, 64, 128});
    unsigned const threads = a.plain || code.waits ? 512 : pick(random, {32, 64, 256});
    unsigned instances = ~0u;
    for (auto& g : grids) {
      layout& l = g.all.layout;
      g.threads = std::max(std::min(threads, a.threads), 32 * l.slots[warp_level]);
      {
        on_device const current(g.device);
        g.room = capacity_of(r, l, kernel, g.threads, 0);
      }
      unsigned const set = l.slots[cluster_level] * l.blocks_per_cluster;
      if (a.blocks) g.room.blocks = std::max(std::min(g.room.blocks, a.blocks) / set * set, set);
      fill_beside_host(l, g.room, all.host.workers / roles * of_worker, code.waits);
      if (r.barriers && l.units[warp_level] * l.slots[warp_level] * 32 != l.threads_per_block)
        throw std::runtime_error("some threads of a block run no test, so a barrier would wait for them; place a power "
                                 "of two of threads in a block");
      instances = std::min(instances, l.instances);
    }
    if (2ull * (r.threads.size() + 1) * instances * 4 > memory_with_host::bytes_of_results)
      throw std::runtime_error("too many instances for the memory of results");
    for (auto& g : grids) {
      g.all.layout.instances = instances;
      choose(g.all, a, random, r.cell, bytes_with_host);
      launch& first = grids[0].all;
      first.turns = 1;
      g.all.turns = 1;
      std::copy_n(first.place, most_locations, g.all.place); // all see the same locations
      g.all.stride = first.stride;
      g.all.host.grids = unsigned(grids.size());
      g.all.host.paced = first.host.paced = a.plain ? 0 : seed & 1;
      unsigned const disturbing = !a.plain && random() % 3 == 0 ? 8 : 0;
      g.all.stress.blocks = std::min(disturbing, g.room.blocks - g.all.layout.blocks) /
                            g.all.layout.blocks_per_cluster * g.all.layout.blocks_per_cluster;
      g.all.rounds =
          a.rounds ? a.rounds : std::clamp(unsigned(rate * milliseconds_of_launch / 1e3 / instances), 16u, 4096u);
    }

    *all.host.meeting = {};
    for (auto& g : grids) {
      on_device const current(g.device);
      MUST(cudaMemset(g.all.arrived, 0, sizeof(unsigned)));
      MUST(cudaDeviceSynchronize());
    }
    auto const before = elapsed();
    host_threads workers(grids[0].all, code);
    for (auto& g : grids) {
      on_device const current(g.device);
      configuration where(g.all.layout, g.all.layout.blocks + g.all.stress.blocks, g.all.layout.threads_per_block, 0);
      void* arguments[] = {&g.all};
      MUST(cudaLaunchKernelExC(&where.config, kernel, arguments));
    }
    wait_for(workers, grids, a.patience, *stuck_);
    double const took = elapsed() - before;

    result one = result_from(workers.counts(), r.bits);
    one.instances = 1ull * instances * grids[0].all.rounds;
    one.seconds = took;
    one.launches = 1;
    add(total, one);
    if (launched) launched(grids[0].all, one);
    rate = double(one.instances) / std::max(took, 1e-5);
    tuning_.note(seed, double(positive(r, one)) / std::max(took, 1e-5));
  }
  tuning_.end();
  return total;
}

} // namespace litmus_runner
