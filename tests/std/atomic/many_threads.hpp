// SPDX-License-Identifier: Apache-2.0
//
// many_threads: concurrent tests of fetch_key and store_key. `Key::apply(atomic_ref, operand)` is the member. The
// objects are adjacent, so that neighbours in a word change at the same time. Include after `import cudax.sync;`.
#pragma once

#include "support/lists.hpp"

namespace cudax_test {
TESTS_BEGIN

/// Every thread adds Step many times, to all objects in turn. No addition is lost.
template <class Key, class T, cudax::thread_scope Scope, int Step = 1> struct additions {
  static constexpr cudax::thread_scope scope = Scope;
  static constexpr int count = 8;
  static constexpr int rounds = 100;
  alignas(16) T sums[count];

  void run(worker me, context&) {
    for (unsigned i = 0; i < rounds * repeats(me.size); ++i)
      Key::apply(cudax::atomic_ref<T, Scope>(sums[(me.rank + i) % count]), T(1));
  }
  void verify(unsigned threads, context& test_) {
    int expected[count] = {};
    for (unsigned rank = 0; rank < threads; ++rank)
      for (unsigned i = 0; i < rounds * repeats(threads); ++i) expected[(rank + i) % count] += Step;
    for (int i = 0; i < count; ++i) CHECK_EQUAL(sums[i], T(expected[i]));
  }
};

/// Every thread has its own bit, and changes it from Before an odd number of times.
template <class Key, class T, cudax::thread_scope Scope, bool Before, bool Inverted = false, int Times = 1>
struct own_bits {
  static constexpr cudax::thread_scope scope = Scope;
  static constexpr unsigned width = 8 * sizeof(T);
  static constexpr unsigned bits = 1024; // the largest number of threads in any placement
  alignas(16) T words[bits / width];

  own_bits() {
    for (T& word : words) word = Before ? T(~0ull) : T(0);
  }
  void run(worker me, context&) {
    T const bit = T(1ull << me.rank % width);
    for (int i = 0; i < Times; ++i)
      Key::apply(cudax::atomic_ref<T, Scope>(words[me.rank / width]), Inverted ? T(~bit) : bit);
  }
  void verify(unsigned threads, context& test_) {
    for (unsigned i = 0; i < bits; ++i)
      CHECK_EQUAL(bool(words[i / width] >> i % width & 1), i < threads ? !Before : Before);
  }
};

/// Every thread offers numbers. The largest, or the smallest, remains. Floating-point objects with an odd index get
/// numbers of one sign, so that the result is negative where others are positive, and the other way round.
template <class Key, class T, cudax::thread_scope Scope, bool Largest> struct extremes {
  static constexpr cudax::thread_scope scope = Scope;
  static constexpr int count = 16 / sizeof(T);
  static constexpr int rounds = 40;
  alignas(16) T at[count];

  /// The numbers offered, less the object's shift, are strictly between these bounds. For signed types they include
  /// both signs.
  static constexpr int lowest = is_floating<T> || __is_signed(T) ? -64 : 0;
  static constexpr int highest = lowest + 127;
  static int shift(int object) { return is_floating<T> && object % 2 ? (Largest ? -128 : 128) : 0; }
  static int offer(unsigned rank, int round, int object) {
    return shift(object) + lowest + 1 + int((rank * 37 + round * 11 + object * 5) % 121);
  }
  static int first(int object) { return shift(object) + (Largest ? lowest : highest); }

  extremes() {
    for (int i = 0; i < count; ++i) at[i] = number<T>(first(i));
  }
  void run(worker me, context&) {
    for (int round = 0; round < rounds; ++round)
      for (int i = 0; i < count; ++i)
        Key::apply(cudax::atomic_ref<T, Scope>(at[i]), number<T>(offer(me.rank, round, i)));
  }
  void verify(unsigned threads, context& test_) {
    for (int i = 0; i < count; ++i) {
      int expected = first(i);
      for (unsigned rank = 0; rank < threads; ++rank)
        for (int round = 0; round < rounds; ++round) {
          int const value = offer(rank, round, i);
          if (Largest ? value > expected : value < expected) expected = value;
        }
      CHECK_SAME(at[i], number<T>(expected));
    }
  }
};

TESTS_END
} // namespace cudax_test
