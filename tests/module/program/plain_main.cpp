// SPDX-License-Identifier: Apache-2.0
//
// plain_main: the first plain unit. It defines the shared objects, starts the threads of all units, and checks the
// results.
#include "shared.hpp"

#include <cstdio>

namespace cudax_test {

state shared;

std::vector<std::thread> start_plain_main() { return start(); }
unsigned plain_loads(cudax::atomic<unsigned> const& object, cudax::memory_order order) { return object.load(order); }
cudax::thread_scope plain_scope() { return cudax::thread_scope_cluster; }
addresses plain_addresses() { return my_addresses(); }

/// Lets host and device count on one object in managed memory; returns null, or the reason why that is not possible. In
/// cuda_launcher.cu.
char const* count_on_device_too(bool& holds);

} // namespace cudax_test

int main() {
  using namespace cudax_test;
  int failures = 0;
  auto const check = [&](bool holds, char const* what) {
    if (!holds) ++failures, std::printf("failed: %s\n", what);
  };

  std::vector<std::thread> running;
  for (auto& started : {start_plain_main, start_plain_worker, start_cuda_worker, start_cuda_launcher})
    for (std::thread& each : started()) running.push_back(std::move(each));
  shared.go.test_and_set(cudax::memory_order_release);
  shared.go.notify_all();
  for (std::thread& each : running) each.join();

  constexpr unsigned all = 4 * threads * rounds;
  check(shared.count.load() == all, "an increment of a plain or a CUDA unit was lost");
  check(in_header.load() == all, "an inline variable is one object in all units");
  check(of_template<int>.load() == int(all), "a variable template is one object in all units");
  check(shared.sum.load() == float(all), "an addition was lost");
  check(shared.wide_count.load().low == all && shared.wide_count.load().high == -(unsigned long long)all,
        "an update of 16 bytes is atomic in every unit");
  check(shared.locked_count.load().x == int(all) && shared.locked_count.load().z == -int(all),
        "the lock of an atomic is the same in all units");
  addresses const plain = plain_addresses(), cuda = cuda_addresses();
  check(plain.in_header == cuda.in_header && plain.of_template == cuda.of_template &&
            plain.state_size == cuda.state_size,
        "units agree on where objects are and how large");
  check(cuda_loads(shared.count, cudax::memory_order_acquire) == plain_loads(shared.count, cudax::memory_order_seq_cst),
        "arguments cross the flavours");
  check(cuda_scope() == plain_scope(), "results cross the flavours");
  bool holds = true;
  char const* const skipped = count_on_device_too(holds);
  check(holds, "host and device count on one object");
  if (skipped) std::printf("skipped: the device's part: %s\n", skipped);
  std::printf("four units, %u threads: %d failures\n", 4 * threads, failures);
  return failures != 0;
}
