// SPDX-License-Identifier: Apache-2.0
//
// fetch_or: setting bits, as in bitmaps and marks.
#include "../support/operations.hpp"

namespace CUDAX_BENCH_SIDE {

template <class T> inline constexpr bool has_fetch_or = requires(device_ref<T> r) { r.fetch_or(T(1), relaxed); };

struct set_bit_of_word : operation<unsigned, unsigned> {
  static constexpr bool exists = true;
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
template <class Byte> struct set_bit_of_byte : operation<Byte, unsigned> {
  static constexpr bool exists = has_fetch_or<Byte>;
  __device__ static unsigned apply(Byte* object, unsigned thread, unsigned step) {
    unsigned const bit = (thread / 64 + step) % 8;
    return device_ref<Byte>(*object).fetch_or(Byte(1u << bit), relaxed);
  }
  static auto expect(unsigned, bench::work const&) {
    return typename operation<Byte, unsigned>::expected{0xff, false, 0};
  }
};

bench::rows rows_of_fetch_or() {
  table all;
  all.both<set_bit_of_word, spread<>>("fetch_or u32, spread");
  all.both<set_bit_of_byte<unsigned char>, among<64>>("fetch_or u8, 64 bytes");
  return all.rows;
}

} // namespace CUDAX_BENCH_SIDE
