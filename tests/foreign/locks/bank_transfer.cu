// SPDX-License-Identifier: Apache-2.0
//
// Each thread moves an amount from one account to another, and holds the locks of both accounts while it does so.
//
// Source: Fung et al., "Hardware Transactional Memory for GPU Architectures" (MICRO 2011): benchmark ATM
// Source: NVIDIA-Merlin/HierarchicalKV#229: threads of a warp that lock the same or each other's buckets may deadlock
// Form: right
// Form: locks_in_any_order: livelock
// Form: same_account: livelock
// Form: one_lock: race
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form { right, locks_in_any_order, same_account, one_lock };

constexpr int threads = 32, accounts = 6, start = 1000;

struct account {
  int lock, balance;
};

using word = cudax::atomic_ref<int, cudax::thread_scope_device>;

__device__ void lock(account& a) {
  while (word(a.lock).exchange(1, cudax::memory_order_acquire) != 0); // found: locks_in_any_order, same_account
}
__device__ void unlock(account& a) { word(a.lock).store(0, cudax::memory_order_release); }

template <form f> __global__ void transfer(account* all) {
  int const thread = int(blockIdx.x * threads + threadIdx.x);
  int const from = thread % accounts, to = (thread * 5 + 1 + thread / accounts) % accounts, amount = thread % 9;
  if (f != same_account && from == to) return; // a lock is not recursive
  bool const swapped = f != locks_in_any_order && from > to;
  account &first = all[swapped ? to : from], &second = all[swapped ? from : to];
  lock(first);
  if constexpr (f != one_lock) lock(second);
  all[from].balance -= amount; // found: one_lock
  all[to].balance += amount;   // found: one_lock
  if constexpr (f != one_lock) unlock(second);
  unlock(first);
}

template <form f> bool run(int scale) {
  foreign::memory<account> all(accounts);
  for (int i = 0; i < accounts; ++i) all[i] = {0, start};
  all.to_device();
  foreign::launch(4 * scale, threads, transfer<f>, all.data());
  all.to_host();
  int sum = 0;
  for (int i = 0; i < accounts; ++i) sum += all[i].balance;
  return sum == accounts * start;
}

foreign::program const program({{"right", run<right>},
                                {"locks_in_any_order", run<locks_in_any_order>},
                                {"same_account", run<same_account>},
                                {"one_lock", run<one_lock>}});

} // namespace
