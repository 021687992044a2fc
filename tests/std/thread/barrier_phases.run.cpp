// SPDX-License-Identifier: Apache-2.0
//
// [thread.barrier] barrier: no phase is lost, however fast phases follow each other.
// Includes the two programs with which libcu++'s barrier hangs: it begins a phase and sets its count in two operations,
// and another phase fits between them. CUDAX_TEST_PHASES=1000000 in the environment runs more phases.
#include "support/test.hpp"
import cudax.sync;
#include "arriving.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

#if !defined(CUDAX_CHECKED) // a checked build rejects such an old token: arriving.death.cpp
/// A waiter does not run between its arrival and its next poll. Meanwhile other threads complete exactly 65,536 phases,
/// and then no more. An mbarrier does not accept such an old token. On a device the test uses one kind of memory only,
/// because of the many phases.
TEST("a token's phase is complete exactly 65,536 phases later, when the barrier rests") {
#if defined(__CUDA_ARCH__)
  note_check(test_);
  if (!__isGlobal(test_.memory)) return;
#endif
  for_each_value<thread_scope_device, thread_scope_system>([&]<thread_scope S>() {
    auto& b = make<barrier<S>>(test_, 1);
    auto token = b.arrive();
    for (int phase = 1; phase < 65'536; ++phase) (void)b.arrive();
    CHECK(b.try_wait(token));
    CHECK(b.try_wait_for(token, nanoseconds(0)));
  });
}
#endif

/// The two threads of a pair end phases in turn, each alone, and wait for the other's phases by parity. Each passes on
/// the value that it received, plainly. Two pairs, whose threads are as far apart as possible.
template <thread_scope Scope> struct ping_pong {
  static constexpr thread_scope scope = Scope;
  struct channel {
    barrier<Scope> b;
    unsigned value;
  };
  static constexpr unsigned pairs = 2;
  unsigned phases = phases_wanted();
  shared_objects<Scope> objects;
  channel channels[pairs];

  void run(worker me, context& test_) {
    unsigned const half = me.size / 2;
    if (!objects.make(me, test_, [&] {
          for (channel& each : channels) init(&each.b, 1);
        }))
      return;
    note_check(test_);
    if (me.rank % half >= pairs) return;
    channel& mine = channels[me.rank % half];
    bool const first = me.rank < half;
    unsigned wrong = 0;
    for (unsigned phase = 0; phase < phases; ++phase) {
      if (first == (phase % 2 == 0)) {
        wrong += mine.value != phase;
        mine.value = phase + 1;
        (void)mine.b.arrive();
      } else {
        mine.b.wait_parity(phase % 2);
      }
    }
    CHECK_EQUAL(wrong, 0u);
  }
  void end() {
    for (channel& each : channels) destroy(&each.b);
  }
  void verify(unsigned, context& test_) {
    for (channel& each : channels) CHECK_EQUAL(each.value, phases);
  }
};
CONCURRENT_TEST("two threads that end phases in turn lose no phase: block", ping_pong<thread_scope_block>)
CONCURRENT_TEST("two threads that end phases in turn lose no phase: cluster", ping_pong<thread_scope_cluster>)
CONCURRENT_TEST("two threads that end phases in turn lose no phase: device", ping_pong<thread_scope_device>)
CONCURRENT_TEST("two threads that end phases in turn lose no phase: system", ping_pong<thread_scope_system>)

/// Splits 2 * each arrivals between two threads.
inline unsigned share(unsigned player, unsigned phase, unsigned each) {
  unsigned const part = 1 + (phase * 2654435761u >> 16) % (2 * each - 1);
  return player % 2 ? part : 2 * each - part;
}

/// Threads arrive on behalf of others, with a number that changes in every phase. Only four threads, so that phases
/// follow each other closely: the first two and the last two of a placement.
template <thread_scope Scope> struct varying {
  static constexpr thread_scope scope = Scope;
  static constexpr unsigned players = 4;
  static constexpr unsigned each = 8; // arrivals per thread, on average
  unsigned phases = phases_wanted();
  shared_objects<Scope> objects;
  barrier<Scope> b;
  unsigned total[players];

  void run(worker me, context& test_) {
    if (!objects.make(me, test_, [&] { init(&b, players * each); })) return;
    note_check(test_);
    // On host and device: the first two threads of the host, the last two of the device.
    unsigned const player = me.rank < players / 2 ? me.rank : me.rank + players - me.size;
    if (player >= players || (me.rank >= players / 2 && me.rank < me.size - players / 2)) return;
    unsigned arrived = 0;
    for (unsigned phase = 0; phase < phases; ++phase) {
      unsigned const mine = share(player, phase, each);
      arrived += mine;
      auto token = b.arrive(mine);
      b.wait(static_cast<decltype(token)&&>(token));
    }
    total[player] = arrived;
  }
  void end() { destroy(&b); }
  void verify(unsigned, context& test_) {
    unsigned sum = 0;
    for (unsigned arrived : total) sum += arrived;
    CHECK_EQUAL(sum, phases * players * each);
  }
};
CONCURRENT_TEST("threads that arrive on behalf of others lose no phase: block", varying<thread_scope_block>)
CONCURRENT_TEST("threads that arrive on behalf of others lose no phase: cluster", varying<thread_scope_cluster>)
CONCURRENT_TEST("threads that arrive on behalf of others lose no phase: device", varying<thread_scope_device>)
CONCURRENT_TEST("threads that arrive on behalf of others lose no phase: system", varying<thread_scope_system>)

TESTS_END

#if defined(__CUDA__)
// Host and device take turns, in mapped memory. An object in managed memory migrates at each access, and a phase of the
// tests above takes half a millisecond. In mapped memory, read-modify-write operations of the two sides are not atomic
// to each other over PCIe; loads and stores are. These programs need no more: in each phase one side arrives and the
// other waits, and a wait only loads. A side arrives after it has acquired the store that ended the previous phase,
// which is the last modification by the other side. So modifications by different sides are never concurrent.

struct by_turns {
  static constexpr unsigned players = 2; // of each side
  static constexpr unsigned each = 8;    // arrivals per thread, on average
  /// Alone in the granule that a device may write at once.
  struct alignas(256) channel {
    barrier<> b{1};
    unsigned value = 0;
  };
  channel channels[players];
  alignas(256) barrier<> shared{players * each};
  alignas(256) unsigned arrived[2][players] = {};
  unsigned wrong[2][players] = {};
  unsigned phases = phases_wanted();

  /// Like ping_pong.
  __host__ __device__ void one_thread(unsigned side, unsigned player) {
    channel& mine = channels[player];
    unsigned bad = 0;
    for (unsigned phase = 0; phase < phases; ++phase) {
      if (phase % 2 == side) {
        bad += mine.value != phase;
        mine.value = phase + 1;
        (void)mine.b.arrive();
      } else {
        mine.b.wait_parity(phase % 2);
      }
    }
    wrong[side][player] = bad;
  }

  /// Like varying, for the threads of the side whose phase it is.
  __host__ __device__ void several_threads(unsigned side, unsigned player) {
    unsigned sum = 0;
    for (unsigned phase = 0; phase < phases; ++phase) {
      if (phase % 2 == side) {
        unsigned const mine = share(player, phase, each);
        sum += mine;
        shared.wait(shared.arrive(mine));
      } else {
        shared.wait_parity(phase % 2);
      }
    }
    arrived[side][player] = sum;
  }
};

__global__ void by_turns_one(by_turns* all) { all->one_thread(1, threadIdx.x); }
__global__ void by_turns_several(by_turns* all) { all->several_threads(1, threadIdx.x); }

/// The object in mapped memory, and the two threads of each side.
template <void (*Kernel)(by_turns*), void (by_turns::*Member)(unsigned, unsigned)>
struct turns_run {
  by_turns* host = nullptr;

  static void body(void* context, unsigned rank) { (static_cast<turns_run*>(context)->host->*Member)(0, rank); }

  turns_run() {
    by_turns* device = nullptr;
    CUDA_MUST(cudaHostAlloc(reinterpret_cast<void**>(&host), sizeof(by_turns), cudaHostAllocMapped));
    CUDA_MUST(cudaHostGetDevicePointer(reinterpret_cast<void**>(&device), host, 0));
    new (host) by_turns;
    Kernel<<<1, by_turns::players>>>(device);
    CUDA_MUST(cudaGetLastError());
    run_host_threads(by_turns::players, body, this);
    CUDA_MUST(cudaDeviceSynchronize());
  }
  ~turns_run() { cudaFreeHost(host); }
};

WITH_DEVICE("host and device that end phases in turn lose no phase", "mapped memory", turns_of_one) {
  turns_run<by_turns_one, &by_turns::one_thread> const run;
  for (unsigned player = 0; player < by_turns::players; ++player) {
    CHECK_EQUAL(run.host->channels[player].value, run.host->phases);
    for (auto const& side : run.host->wrong) CHECK_EQUAL(side[player], 0u);
  }
}

WITH_DEVICE("host and device threads that arrive on behalf of others, in turn, lose no phase", "mapped memory",
            turns_of_several) {
  turns_run<by_turns_several, &by_turns::several_threads> const run;
  unsigned sum = 0;
  for (auto const& side : run.host->arrived)
    for (unsigned arrived : side) sum += arrived;
  CHECK_EQUAL(sum, run.host->phases * by_turns::players * by_turns::each);
}
#endif
