// SPDX-License-Identifier: Apache-2.0
//
// An allocator of pages with a bit for each page. A thread claims a page by setting its bit, writes the page, reads it,
// and clears the bit. What the last owner did to the page comes before what the next one does.
//
// Source: llvm/llvm-project#182388: the fences at the bits of an allocator were removed
// Source: alpaka-group/mallocMC#69: threads found no free page: the words of the bits were read by plain loads
// Source: alpaka-group/mallocMC#241: a page was given to two threads; the bits were reset by plain stores
// Form: right
// Form: relaxed_claim: race
// Form: relaxed_free: race
// Form: weak_scan: race
// Form: old_bit_ignored: race
// Form: weak_clear: race
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form { right, relaxed_claim, relaxed_free, weak_scan, old_bit_ignored, weak_clear };

constexpr int pages = 4, words = 4; // of a page

struct heap {
  unsigned bits;
  int wrong, data[pages][words];
};

using namespace cudax;
using bits = atomic_ref<unsigned, thread_scope_device>;

template <form f> __device__ int claim(heap& h) {
  for (;;) {
    unsigned seen;
    if constexpr (f == weak_scan) seen = static_cast<heap const&>(h).bits; // found: race
    else seen = bits(h.bits).load(memory_order_relaxed);
    int const page = __ffs(int(~seen)) - 1;
    if (page < 0 || page >= pages) continue;
    unsigned const bit = 1u << page,
                   old = bits(h.bits).fetch_or(bit, f == relaxed_claim ? memory_order_relaxed : memory_order_acquire);
    if (f == old_bit_ignored || !(old & bit)) return page;
  }
}

template <form f> __device__ void release(heap& h, int page) {
  if constexpr (f == weak_clear) h.bits &= ~(1u << page); // found: race
  else bits(h.bits).fetch_and(~(1u << page), f == relaxed_free ? memory_order_relaxed : memory_order_release);
}

template <form f> __global__ void use_pages(heap* h, int rounds) { // blocks of one thread
  for (int round = 0; round < rounds; ++round) {
    int const page = claim<f>(*h), tag = int(blockIdx.x) * 1000 + round;
    int* const data = h->data[page];
    for (int w = 0; w < words; ++w) data[w] = tag + w; // found: race
    int wrong = 0;
    for (int w = 0; w < words; ++w) wrong += data[w] != tag + w; // found: race
    if (wrong) atomicAdd(&h->wrong, 1);
    release<f>(*h, page);
  }
}

template <form f> bool run(int scale) {
  constexpr int blocks = 6;
  foreign::memory<heap> h;
  foreign::launch(blocks, 1, use_pages<f>, h.data(), 5 * scale);
  h.to_host();
  return h[0].wrong == 0 && h[0].bits == 0;
}

foreign::program const program({{"right", run<right>},
                                {"relaxed_claim", run<relaxed_claim>},
                                {"relaxed_free", run<relaxed_free>},
                                {"weak_scan", run<weak_scan>},
                                {"old_bit_ignored", run<old_bit_ignored>},
                                {"weak_clear", run<weak_clear>}});

} // namespace
