// SPDX-License-Identifier: Apache-2.0
//
// host_machine: runs of tests that have threads of the host.
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
}

unsigned pick(std::mt19937& random, std::initializer_list<unsigned> values) {
  return values.begin()[random() % values.size()];
}

/// Waits until the kernel and the workers have ended. Throws machine_error if one of them does not.
void wait_for(host_threads& workers, launch const& all, unsigned patience, unsigned const& stuck) {
  auto const hang = [&] {
    return machine_error("threads of host and device wait for each other for more than " + std::to_string(patience) +
                         " s, in round " + std::to_string(workers.rounds()) + ": " + text_of(all));
  };
  using clock = std::chrono::steady_clock;
  auto since = clock::now();
  for (unsigned rounds = 0;;) {
    cudaError_t const error = cudaStreamQuery(nullptr);
    if (error != cudaSuccess && error != cudaErrorNotReady) {
      workers.give_up();
      if (stuck) throw hang();
      must(error, "cudaStreamQuery");
    }
    if (error == cudaSuccess && workers.done()) return;
    if (unsigned const now = workers.rounds(); now != rounds) {
      rounds = now;
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
  all.layout = slots_of(r);
  std::string const memory = r.memory;
  for (unsigned l = 0; l < memory.size(); ++l)
    all.cells[l] = memory[l] == 'g' ? cells(l, 'g') : with_host_->cells(l, memory[l]);
  all.results = with_host_->results();
  all.scratch = scratch_;
  all.arrived = arrived_;
  all.stuck = stuck_;
  all.host.meeting = &with_host_->meeting();
  all.patience = a.patience * 1'000'000'000ull;
  all.await_limit = await_limit;
  unsigned const roles = threads_on_host(code), processors = std::max(std::thread::hardware_concurrency(), 2u);
  all.host.workers = std::max(std::min(processors - 1, most_workers) / roles, 1u) * roles;

  result total;
  total.counts.resize(1u << r.bits);
  auto const begin = std::chrono::steady_clock::now();
  auto const elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  double rate = 1e6; // instances per second
  tuning_.begin(kin_of(r), "host " + memory);
  auto const is_seen = [&] { return a.until_seen && *r.mutant_of && noticed(r, total); };
  while (a.launches ? total.launches < a.launches : total.launches == 0 || (elapsed() < a.seconds && !is_seen())) {
    unsigned const seed = a.launches ? a.seed + total.launches : tuning_.next();
    std::mt19937 random(seed);
    unsigned const least = 32 * all.layout.slots[warp_level];
    unsigned const threads =
        std::max(std::min(a.plain || code.waits ? 512 : pick(random, {32, 64, 256}), a.threads), least);
    capacity c = capacity_of(r, all.layout, kernel, threads, 0);
    unsigned const set = all.layout.slots[cluster_level] * all.layout.blocks_per_cluster;
    if (a.blocks) c.blocks = std::max(std::min(c.blocks, a.blocks) / set * set, set);
    unsigned const of_worker = a.plain ? 64 : pick(random, {8, 32, 64, 128});
    fill_beside_host(all.layout, c, all.host.workers / roles * of_worker, code.waits);
    choose(all, a, random, r.cell, bytes_with_host);
    all.turns = 1;
    all.host.paced = a.plain ? 0 : pick(random, {0, 1});
    if (r.barriers && all.layout.units[warp_level] * all.layout.slots[warp_level] * 32 != all.layout.threads_per_block)
      throw std::runtime_error("some threads of a block run no test, so a barrier would wait for them; place a power "
                               "of two of threads in a block");
    unsigned const disturbing = !a.plain && random() % 3 == 0 ? 8 : 0;
    all.stress.blocks = std::min(disturbing, c.blocks - all.layout.blocks) / all.layout.blocks_per_cluster *
                        all.layout.blocks_per_cluster;
    all.rounds = a.rounds
                     ? a.rounds
                     : std::clamp(unsigned(rate * milliseconds_of_launch / 1e3 / all.layout.instances), 16u, 4096u);
    if (2ull * r.threads.size() * all.layout.instances * 4 > memory_with_host::bytes_of_results)
      throw std::runtime_error("too many instances for the memory of results");

    MUST(cudaMemset(arrived_, 0, sizeof(unsigned)));
    *all.host.meeting = {};
    configuration where(all.layout, all.layout.blocks + all.stress.blocks, all.layout.threads_per_block, 0);
    auto const before = elapsed();
    host_threads workers(all, code);
    void* arguments[] = {&all};
    MUST(cudaLaunchKernelExC(&where.config, kernel, arguments));
    wait_for(workers, all, a.patience, *stuck_);
    double const took = elapsed() - before;

    result one;
    auto const seen = workers.counts();
    unsigned const beside = 1u << r.bits;
    one.counts.assign(seen.begin(), seen.begin() + beside);
    one.others = seen[beside + other_values];
    one.missing = seen[beside + no_results];
    one.endless = seen[beside + never_ended];
    one.instances = 1ull * all.layout.instances * all.rounds;
    one.seconds = took;
    one.launches = 1;
    add(total, one);
    if (launched) launched(all, one);
    rate = double(one.instances) / std::max(took, 1e-5);
    tuning_.note(seed, double(positive(r, one)) / std::max(took, 1e-5));
  }
  tuning_.end();
  return total;
}

} // namespace litmus_runner
