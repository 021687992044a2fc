// SPDX-License-Identifier: Apache-2.0
//
// fetch_or: setting bits, as in bitmaps and marks.
#include "../support/kernel.hpp"

namespace CUDAX_BENCH_SIDE {

struct set_bit_of_word : operation<unsigned, unsigned> {
  __device__ static unsigned apply(unsigned* object, unsigned, unsigned step) {
    return device_ref<unsigned>(*object).fetch_or(1u << (step % 32), relaxed);
  }
  static expected expect(unsigned threads, bench::work const& work) {
    return alone<unsigned, unsigned>(0, threads ? work.steps() : 0, [](unsigned& object, unsigned step) {
      unsigned const before = object;
      object |= 1u << (step % 32);
      return before;
    });
  }
};

/// The threads of a byte set all its bits in the first step: among 64 bytes, they differ in (thread / 64)
/// % 8.
struct set_bit_of_byte : operation<unsigned char, unsigned> {
  __device__ static unsigned apply(unsigned char* object, unsigned thread, unsigned step) {
    unsigned const bit = (thread / 64 + step) % 8;
    return device_ref<unsigned char>(*object).fetch_or((unsigned char)(1u << bit), relaxed);
  }
  static expected expect(unsigned, bench::work const&) { return {0xff, false, 0}; }
};

bench::rows rows_of_fetch_or() {
  return {
      make_row<set_bit_of_word, spread<>>("fetch_or u32, spread"),
      make_row<set_bit_of_byte, among<64>>("fetch_or u8, 64 bytes"),
  };
}

} // namespace CUDAX_BENCH_SIDE
