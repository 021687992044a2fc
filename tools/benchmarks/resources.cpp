// SPDX-License-Identifier: Apache-2.0
//
// resources: the cost of mapped_resource and managed_resource on the host, compared with bounds.
//
//   bench_resources [--simulated]     default: CUDA's memory; --simulated: the heap, no device needed
//
// Each row prints the measured value and a bound; the status is 1 if a bound is exceeded. A row is the median of seven
// samples, so other load on the machine affects the numbers but rarely the status.
#include "../../runtime/interface/resources.hpp"
#include "../../runtime/cuda/cuda_calls.hpp"
#include "support/host_timing.hpp"

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory_resource>
#include <thread>
#include <vector>

namespace {

using bench::clock_type, bench::nanoseconds_since;

template <class Sample> double median(Sample sample) {
  std::vector<double> all;
  for (int i = 0; i < 7; ++i) all.push_back(sample());
  return bench::median(all);
}

/// Returns the nanoseconds of one thread for an allocation and its deallocation, with `threads` threads at once and 64
/// live pieces each.
double pair_of(std::pmr::memory_resource& resource, unsigned threads) {
  constexpr int alive = 64, rounds = 300;
  std::barrier meet(static_cast<std::ptrdiff_t>(threads));
  std::vector<double> took(threads);
  std::vector<std::jthread> all;
  for (unsigned t = 0; t < threads; ++t)
    all.emplace_back([&, t] {
      void* pieces[alive];
      for (void*& each : pieces) each = resource.allocate(64);
      meet.arrive_and_wait();
      auto const start = clock_type::now();
      for (int round = 0; round < rounds; ++round)
        for (void*& each : pieces) {
          resource.deallocate(each, 64);
          each = resource.allocate(64);
        }
      took[t] = nanoseconds_since(start) / (alive * rounds);
      for (void* const each : pieces) resource.deallocate(each, 64);
    });
  all.clear();
  double sum = 0;
  for (double const each : took) sum += each;
  return sum / threads;
}

/// Returns the nanoseconds of a pair that has to find room each time.
double one_pair(std::pmr::memory_resource& resource, std::size_t size) {
  constexpr int times = 1000;
  auto const start = clock_type::now();
  for (int i = 0; i < times; ++i) resource.deallocate(resource.allocate(size), size);
  return nanoseconds_since(start) / times;
}

int broken = 0;
void row(char const* name, double value, double bound, char const* what_bounds) {
  bool const keeps = value <= bound;
  broken += !keeps;
  std::printf("  %-58s %9.0f ns   at most %9.0f (%s)%s\n", name, value, bound, what_bounds, keeps ? "" : "  BROKEN");
}

cudax::runtime::cuda_calls const& of_the_heap() {
  static cudax::runtime::cuda_calls calls = cudax::runtime::calls();
  auto const allocate = [](void** at, std::size_t size) {
    *at = std::aligned_alloc(4096, (size + 4095) / 4096 * 4096);
    return *at ? cudax::runtime::cuda::success : cudax::runtime::cuda::memory_allocation;
  };
  auto const free = [](void* at) {
    std::free(at);
    return cudax::runtime::cuda::success;
  };
  calls.allocate_mapped = calls.allocate_managed = allocate;
  calls.free_mapped = calls.free_managed = free;
  calls.device_address = [](void** device, void* host) {
    *device = host;
    return cudax::runtime::cuda::success;
  };
  calls.context_of = [](void const*) { return 1ull; };
  calls.is_alive = [](void const*, unsigned long long) { return true; };
  return calls;
}

void measure(cudax::system_resource& resource, char const* name) {
  std::printf("%s\n", name);
  for (unsigned const threads : {1u, 2u, 4u, 8u}) {
    std::pmr::synchronized_pool_resource pool;
    double const theirs = median([&] { return pair_of(pool, threads); });
    double const ours = median([&] { return pair_of(resource, threads); });
    char text[80];
    std::snprintf(text, sizeof(text), "a pair of 64 bytes, %u thread%s", threads, threads == 1 ? "" : "s");
    // With few threads, or few processors, that pool has no contention, and the two are alike.
    if (threads < 8 || std::thread::hardware_concurrency() < threads) row(text, ours, 1000, "1 us");
    else row(text, ours, theirs, "std::pmr::synchronized_pool_resource");
  }
  double few = 0;
  for (int const slabs : {10, 4000}) {
    std::vector<void*> pieces(static_cast<std::size_t>(slabs) * 16);
    for (void*& each : pieces) each = resource.allocate(4096);
    for (std::size_t i = 0; i < pieces.size(); i += 2) resource.deallocate(pieces[i], 4096);
    double const took = median([&] { return one_pair(resource, 8192); });
    if (slabs == 10) few = took;
    else
      row("a pair of 8 KiB, 4,000 slabs with holes of 4 KiB", took, 4 * few + 1000, "4 times that with 10, and 1 us");
    for (std::size_t i = 1; i < pieces.size(); i += 2) resource.deallocate(pieces[i], 4096);
    resource.trim();
  }
  std::vector<void*> blocks(10'000);
  for (void*& each : blocks) each = resource.allocate(20'000);
  row("a pair of 20 KB, 10,000 others alive", median([&] { return one_pair(resource, 20'000); }), 5000,
      "a call of CUDA's");
  for (void* const each : blocks) resource.deallocate(each, 20'000);
  row("the same, 10,000 idle", median([&] { return one_pair(resource, 20'000); }), 5000, "a call of CUDA's");
  resource.trim();
}

} // namespace

int main(int argc, char** argv) {
  bool const simulated = argc == 2 && std::strcmp(argv[1], "--simulated") == 0;
  if (argc > 1 && !simulated) {
    std::fprintf(stderr, "usage: bench_resources [--simulated]\n");
    return 2;
  }
  if (simulated) cudax::runtime::exchange_calls(of_the_heap());
  try {
    measure(*cudax::managed_resource(), "managed_resource");
    measure(*cudax::mapped_resource(), "mapped_resource");
  } catch (std::bad_alloc const& e) {
    std::printf("%s\nwithout a device: bench_resources --simulated\n", e.what());
    return 1;
  }
  return broken != 0;
}
