// SPDX-License-Identifier: Apache-2.0
//
// chained: read-modify-writes of one object by many threads have the results of single operations in some order.
// Include after `import cudax.sync;`.
#pragma once

#include "support/lists.hpp"

namespace cudax_test {
TESTS_BEGIN

inline constexpr unsigned most_links = 1024; // in any placement

/// The results of one operation by each of `threads` threads on one object. Finds the order of the operations: the next
/// one is an operation whose result is the object's value. With operands for which a value that has been replaced does
/// not return, there is at most one such order, apart from operations that change nothing.
template <class T> struct chain {
  T operand[most_links];
  T before[most_links];
  bool takes_part[most_links];

  void note(unsigned rank, T with, T result) {
    operand[rank] = with;
    before[rank] = result;
    takes_part[rank] = true;
  }

  /// `after(value, operand)` is the value after one operation.
  template <class After> void check(context& test_, unsigned threads, T value, T last, After after) {
    unsigned left = 0;
    for (unsigned i = 0; i < threads; ++i) left += takes_part[i];
    for (bool found = true; left != 0 && found;) {
      found = false;
      unsigned next = threads;
      for (unsigned i = 0; i < threads; ++i)
        if (takes_part[i] && bits_of(before[i]) == bits_of(value)) {
          found = true;
          if (bits_of(after(value, operand[i])) == bits_of(value)) {
            takes_part[i] = false;
            --left;
          } else {
            next = i;
          }
        }
      if (next != threads) {
        value = after(value, operand[next]);
        takes_part[next] = false;
        --left;
      }
    }
    CHECK_EQUAL(left, 0u);
    CHECK_SAME(value, last);
  }
};

/// Operations for which no value returns: each thread adds its own number, sets, clears or inverts its own bit, or
/// offers its own value.
struct adding {
  template <class T> static T first() { return T(0); }
  template <class T> static T operand(unsigned rank) { return T(1 + rank % 5); }
  template <class R, class T> static T apply(R a, T operand, cudax::memory_order order) {
    return a.fetch_add(operand, order);
  }
  template <class T> static T after(T value, T operand) { return T(value + operand); }
};
struct subtracting : adding {
  template <class R, class T> static T apply(R a, T operand, cudax::memory_order order) {
    return a.fetch_sub(operand, order);
  }
  template <class T> static T after(T value, T operand) { return T(value - operand); }
};
struct setting {
  template <class T> static T first() { return T(0); }
  template <class T> static T operand(unsigned rank) { return T(1ull << rank % (8 * sizeof(T))); }
  template <class R, class T> static T apply(R a, T operand, cudax::memory_order order) {
    return a.fetch_or(operand, order);
  }
  template <class T> static T after(T value, T operand) { return T(value | operand); }
};
struct clearing {
  template <class T> static T first() { return T(~0ull); }
  template <class T> static T operand(unsigned rank) { return T(~(1ull << rank % (8 * sizeof(T)))); }
  template <class R, class T> static T apply(R a, T operand, cudax::memory_order order) {
    return a.fetch_and(operand, order);
  }
  template <class T> static T after(T value, T operand) { return T(value & operand); }
};
/// The upper bits that a thread inverts are those in which its rank differs from the rank before: no prefix repeats as
/// long as each thread also has a bit of its own, which the first 64 threads have.
struct inverting {
  template <class T> static T first() { return T(0); }
  template <class T> static T operand(unsigned rank) {
    return rank < 8 * sizeof(T) ? T(1ull << rank) : T(0); // the other threads change nothing
  }
  template <class R, class T> static T apply(R a, T operand, cudax::memory_order order) {
    return a.fetch_xor(operand, order);
  }
  template <class T> static T after(T value, T operand) { return T(value ^ operand); }
};
struct raising {
  template <class T> static T first() { return number<T>(-10); }
  template <class T> static T operand(unsigned rank) {
    if constexpr (is_floating<T>) {
      if (rank % 7 == 3) return quiet_nan<T>();
      if (rank % 11 == 5) return negative_zero<T>();
    }
    return number<T>(int(rank * 37 % 101) - 50);
  }
  template <class R, class T> static T apply(R a, T operand, cudax::memory_order order) {
    return a.fetch_max(operand, order);
  }
  template <class T> static T after(T value, T operand) {
    if constexpr (is_floating<T>) {
      if (bits_of(value) == bits_of(negative_zero<T>()) && operand == value) return operand;
    }
    return value < operand ? operand : value;
  }
};
struct lowering : raising {
  template <class T> static T first() { return number<T>(10); }
  template <class R, class T> static T apply(R a, T operand, cudax::memory_order order) {
    return a.fetch_min(operand, order);
  }
  template <class T> static T after(T value, T operand) {
    if constexpr (is_floating<T>) {
      if (bits_of(operand) == bits_of(negative_zero<T>()) && operand == value) return operand;
    }
    return operand < value ? operand : value;
  }
};
/// maximum: NaN wins, and all NaN here have the same bits.
struct raising_to_nan : raising {
  template <class T> static T operand(unsigned rank) {
    return rank == 9 ? quiet_nan<T>() : number<T>(int(rank * 37 % 101) - 50);
  }
  template <class R, class T> static T apply(R a, T operand, cudax::memory_order order) {
    return a.fetch_fmaximum(operand, order);
  }
  template <class T> static T after(T value, T operand) { return value != value || value > operand ? value : operand; }
};
struct lowering_number : lowering {
  template <class R, class T> static T apply(R a, T operand, cudax::memory_order order) {
    return a.fetch_fminimum_num(operand, order);
  }
};
struct exchanging {
  template <class T> static T first() { return T(2 * most_links); }
  template <class T> static T operand(unsigned rank) { return T(rank); }
  template <class R, class T> static T apply(R a, T operand, cudax::memory_order order) {
    return a.exchange(operand, order);
  }
  template <class T> static T after(T, T operand) { return operand; }
};

TESTS_END
} // namespace cudax_test
