// SPDX-License-Identifier: Apache-2.0
//
// Readers protect nodes by hazard pointers. A reader announces which node it reads, and checks that the node is still
// current. A writer replaces the current node, and uses the old one again only when no reader has announced it.
//
// Source: M. Michael, "Hazard Pointers" (TPDS 2004): announce a node, then check again that it is current
// Source: Le, Pop, Cohen and Zappa Nardelli (PPoPP 2013): why a store and a load of another word need a full fence
// Source: C++26 [saferecl.hp]: what a protected read promises
// Form: right
// Form: no_fence_of_reader: race
// Form: no_fence_of_writer: race
// Form: fences_acq_rel: race
// Form: no_second_look: race
// Form: relaxed_end: race
// Form: relaxed_scan: race
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form { right, no_fence_of_reader, no_fence_of_writer, fences_acq_rel, no_second_look, relaxed_end, relaxed_scan };

constexpr int readers = 2, nodes = 3, none = -1;

struct node {
  int first, second; // equal
};
struct shared_state {
  int current, hazards[readers], done, wrong[readers];
  node pool[nodes];
};

using namespace cudax;
using word = atomic_ref<int, thread_scope_device>;

template <form f> __device__ void full_fence() {
  atomic_thread_fence(f == fences_acq_rel ? memory_order_acq_rel : memory_order_seq_cst, thread_scope_device);
}

template <form f> __device__ void read(shared_state& s, int reader) {
  int n = word(s.current).load(memory_order_acquire);
  for (;;) {
    word(s.hazards[reader]).store(n, memory_order_relaxed);
    if constexpr (f != no_fence_of_reader) full_fence<f>(); // pairs with the writer's
    if constexpr (f == no_second_look) break;
    int const again = word(s.current).load(memory_order_acquire);
    if (again == n) break;
    n = again;
  }
  int const first = s.pool[n].first, second = s.pool[n].second; // found: race
  if (first != second) ++s.wrong[reader];
  word(s.hazards[reader]).store(none, f == relaxed_end ? memory_order_relaxed : memory_order_release);
}

template <form f> __device__ bool is_announced(shared_state& s, int n) {
  constexpr auto order = f == relaxed_scan ? memory_order_relaxed : memory_order_acquire;
  for (int r = 0; r < readers; ++r)
    if (word(s.hazards[r]).load(order) == n) return true;
  return false;
}

template <form f> __device__ void write(shared_state& s, int rounds) {
  int old = nodes - 1; // no reader has it
  for (int round = 1; round <= rounds; ++round) {
    s.pool[old].first = s.pool[old].second = round; // found: race
    old = word(s.current).exchange(old, memory_order_acq_rel);
    if constexpr (f != no_fence_of_writer) full_fence<f>(); // pairs with the reader's
    while (is_announced<f>(s, old));
  }
}

template <form f> __global__ void exercise(shared_state* s, int rounds) { // blocks of one thread
  if (blockIdx.x == 0) {
    write<f>(*s, rounds);
    word(s->done).store(1, memory_order_relaxed);
  } else {
    while (!word(s->done).load(memory_order_relaxed)) read<f>(*s, int(blockIdx.x) - 1);
  }
}

template <form f> bool run(int scale) {
  foreign::memory<shared_state> s;
  std::memset(&s[0], 0, sizeof(shared_state));
  for (int r = 0; r < readers; ++r) s[0].hazards[r] = none;
  s.to_device();
  if (foreign::resident(1 + readers, 1, exercise<f>) <= readers) return false;
  foreign::launch(1 + readers, 1, exercise<f>, s.data(), 12 * scale);
  s.to_host();
  for (int r = 0; r < readers; ++r)
    if (s[0].wrong[r]) return false;
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"no_fence_of_reader", run<no_fence_of_reader>},
                                {"no_fence_of_writer", run<no_fence_of_writer>},
                                {"fences_acq_rel", run<fences_acq_rel>},
                                {"no_second_look", run<no_second_look>},
                                {"relaxed_end", run<relaxed_end>},
                                {"relaxed_scan", run<relaxed_scan>}});

} // namespace
