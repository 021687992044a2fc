// SPDX-License-Identifier: Apache-2.0
//
// An allocator of nodes: a stack of free nodes, linked by their indices. The head has a tag, which each change
// increments, so that a compare-and-swap fails if the node on top was taken and put back in between.
//
// Source: pmodels/argobots#178: a pool with an untagged stack of free descriptors handed one out twice
// Source: ICLDisco/parsec#21: why free lists meet the ABA problem often: they hand out the same node again at once
// Source: llvm/llvm-project#83026: a stack of free indices for GPUs, where a mutex is no option
// Form: right
// Form: untagged_head: race
// Form: relaxed_put: race
// Form: relaxed_get: race
// Form: plain_next: race
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form { right, untagged_head, relaxed_put, relaxed_get, plain_next };

constexpr int threads = 32, rounds = 4;
constexpr unsigned none = ~0u;

using namespace cudax;
using u64 = unsigned long long;
using tagged = atomic_ref<u64, thread_scope_device>;
using word = atomic_ref<unsigned, thread_scope_device>;

struct node {
  unsigned next, owner;
};

template <form f> __device__ u64 changed(u64 head, unsigned index) {
  return (f == untagged_head ? 0 : (head >> 32) + 1) << 32 | index;
}

template <form f> __device__ unsigned get(u64* head, node* nodes) {
  auto const order = f == relaxed_get ? memory_order_relaxed : memory_order_acquire;
  for (u64 seen = tagged(*head).load(order);;) {
    unsigned const index = unsigned(seen);
    if (index == none) return none;
    unsigned next;
    if constexpr (f == plain_next) next = nodes[index].next; // found: plain_next
    else next = word(nodes[index].next).load(memory_order_relaxed);
    if (tagged(*head).compare_exchange_weak(seen, changed<f>(seen, next), order, order)) return index;
  }
}

template <form f> __device__ void put(u64* head, node* nodes, unsigned index) {
  for (u64 seen = tagged(*head).load(memory_order_relaxed);;) {
    if constexpr (f == plain_next) nodes[index].next = unsigned(seen); // found: plain_next
    else word(nodes[index].next).store(unsigned(seen), memory_order_relaxed);
    auto const order = f == relaxed_put ? memory_order_relaxed : memory_order_release;
    if (tagged(*head).compare_exchange_weak(seen, changed<f>(seen, index), order, memory_order_relaxed)) return;
  }
}

template <form f> __global__ void use(u64* head, node* nodes, unsigned* twice, unsigned* failed) {
  unsigned const me = blockIdx.x * threads + threadIdx.x;
  for (int round = 0; round < rounds; ++round) {
    unsigned const first = get<f>(head, nodes), second = get<f>(head, nodes);
    if (first == none || second == none) atomicAdd(failed, 1);
    if (first != none) nodes[first].owner = me;   // found: untagged_head, relaxed_put, relaxed_get
    if (second != none) nodes[second].owner = me; // found: untagged_head, relaxed_put, relaxed_get
    if (first != none && nodes[first].owner != me) atomicAdd(twice, 1); // found: untagged_head
    if (first != none) put<f>(head, nodes, first);
    if (second != none) put<f>(head, nodes, second);
  }
}

template <form f> bool run(int scale) {
  int const blocks = 2 * scale, count = blocks * threads * 2; // enough for all
  foreign::memory<node> nodes(count);
  foreign::memory<u64> head;
  foreign::memory<unsigned> twice, failed;
  for (int i = 0; i < count; ++i) nodes[i] = {i + 1 < count ? unsigned(i) + 1 : none, 0};
  nodes.to_device();
  foreign::launch(blocks, threads, use<f>, head.data(), nodes.data(), twice.data(), failed.data());
  nodes.to_host(), head.to_host(), twice.to_host(), failed.to_host();
  int length = 0;
  for (unsigned i = unsigned(head[0]); i != none && length <= count; i = nodes[int(i)].next) ++length;
  return length == count && twice[0] == 0 && failed[0] == 0;
}

foreign::program const program({{"right", run<right>},
                                {"untagged_head", run<untagged_head>},
                                {"relaxed_put", run<relaxed_put>},
                                {"relaxed_get", run<relaxed_get>},
                                {"plain_next", run<plain_next>}});

} // namespace
