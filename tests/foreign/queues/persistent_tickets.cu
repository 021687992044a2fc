// SPDX-License-Identifier: Apache-2.0
//
// Persistent blocks take tasks from a bounded queue and put new ones into it: a ticket of the tail or of the head
// chooses a slot, and the slot's turn number says whether it is free or full.
//
// Source: ROCm/librocdxg#68: the write index passed a slot before the slot was published, and the consumer took it
// Source: kavanaghpatrick/gpu-native-os#292: an index is published by a relaxed store before the request's fields
// Source: Kerbl et al., "The Broker Queue" (ICS 2018): tickets, and slots that tell when they are ready
// Form: right
// Form: relaxed_publish: race
// Form: relaxed_take: race
// Form: relaxed_free: race
// Form: ready_when_counted: race
// Form: full_not_checked: race
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form { right, relaxed_publish, relaxed_take, relaxed_free, ready_when_counted, full_not_checked };

constexpr int threads = 32, slots = 8;

using word = cudax::atomic_ref<unsigned, cudax::thread_scope_device>;
using namespace cudax;

struct task {
  unsigned depth, value;
};
struct slot {
  unsigned turn; // even: free for the round turn / 2; odd: full
  task what;
};
struct queue {
  unsigned head, tail, open; // open: tasks that are not done
  slot all[slots];
};

template <form f> __device__ void await(slot& s, unsigned turn) {
  while (word(s.turn).load(f == relaxed_take ? memory_order_relaxed : memory_order_acquire) != turn);
}

template <form f> __device__ void put(queue& q, task t) {
  unsigned const ticket = word(q.tail).fetch_add(1, memory_order_relaxed);
  slot& s = q.all[ticket % slots];
  if constexpr (f != full_not_checked) await<f>(s, ticket / slots * 2);
  s.what = t; // found: race
  word(s.turn).store(ticket / slots * 2 + 1, f == relaxed_publish ? memory_order_relaxed : memory_order_release);
}

/// Takes a task if there is one.
template <form f> __device__ bool take(queue& q, task& t) {
  unsigned ticket = word(q.head).load(memory_order_relaxed);
  for (;;) {
    slot& s = q.all[ticket % slots];
    bool ready;
    if constexpr (f == ready_when_counted) ready = word(q.tail).load(memory_order_acquire) - ticket - 1 < slots;
    else
      ready =
          word(s.turn).load(f == relaxed_take ? memory_order_relaxed : memory_order_acquire) == ticket / slots * 2 + 1;
    if (!ready) {
      unsigned const now = word(q.head).load(memory_order_relaxed);
      if (now == ticket) return false;
      ticket = now;
    } else if (word(q.head).compare_exchange_strong(ticket, ticket + 1, memory_order_relaxed, memory_order_relaxed)) {
      t = s.what; // found: race
      word(s.turn).store(ticket / slots * 2 + 2, f == relaxed_free ? memory_order_relaxed : memory_order_release);
      return true;
    }
  }
}

/// A task of depth d makes two of depth d - 1, one of which its thread does itself.
template <form f> __global__ void work(queue* q, unsigned* sum) {
  if (threadIdx.x % 8 != 0) return; // a worker for 8 lanes
  while (word(q->open).load(memory_order_relaxed) != 0) {
    task t;
    if (!take<f>(*q, t)) continue;
    word(*sum).fetch_add(t.value, memory_order_relaxed);
    if (t.depth > 0) {
      word(q->open).fetch_add(1, memory_order_relaxed);
      put<f>(*q, {t.depth - 1, t.value + 1});
    }
    word(q->open).fetch_sub(1, memory_order_relaxed);
  }
}

template <form f> bool run(int scale) {
  constexpr unsigned depth = 10,
                     first = 4; // tasks at first; there are never more, so no put waits
  foreign::memory<queue> q;
  foreign::memory<unsigned> sum;
  q[0] = {0, first, first, {}};
  for (unsigned i = 0; i < slots; ++i) q[0].all[i] = {i < first, {depth * unsigned(scale), i}};
  q.to_device();
  foreign::launch(foreign::resident(2 * scale, threads, work<f>), threads, work<f>, q.data(), sum.data());
  sum.to_host();
  unsigned expected = 0;
  for (unsigned i = 0; i < first; ++i)
    for (unsigned d = 0; d <= depth * unsigned(scale); ++d) expected += i + d;
  return sum[0] == expected;
}

foreign::program const program({{"right", run<right>},
                                {"relaxed_publish", run<relaxed_publish>},
                                {"relaxed_take", run<relaxed_take>},
                                {"relaxed_free", run<relaxed_free>},
                                {"ready_when_counted", run<ready_when_counted>},
                                {"full_not_checked", run<full_not_checked>}});

} // namespace
