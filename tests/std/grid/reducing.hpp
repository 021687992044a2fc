// SPDX-License-Identifier: Apache-2.0
//
// reducing: values and operations that the tests of reduce share, and the expected result, computed by a loop. Include
// after `import cudax.sync;`.
#pragma once

#include "support/test.hpp"

namespace cudax_test {
TESTS_BEGIN

/// A map x -> a x + b of 32-bit numbers. Composition of maps is associative and not commutative: a value that is
/// missing, duplicated or out of order changes the result.
struct affine {
  unsigned a, b;
  friend bool operator==(affine const&, affine const&) = default;
};
/// The same with another size and alignment, without a default constructor, with padding.
struct large_affine {
  unsigned char before;
  unsigned long long a;
  unsigned b, c;
  unsigned more[3];
  large_affine(unsigned a, unsigned b) : before(7), a(a), b(b), c(a ^ b), more{a, b, a + b} {}
  friend bool operator==(large_affine const& l, large_affine const& r) {
    return l.before == 7 && l.a == r.a && l.b == r.b && l.c == r.c && l.more[0] == r.more[0] &&
           l.more[1] == r.more[1] && l.more[2] == r.more[2];
  }
};
/// Three bytes: the effect of a bracket sequence. ")))(" is 3 closing, 1 opening. Associative, not commutative.
struct brackets {
  unsigned char closing, opening, kind;
  friend bool operator==(brackets const&, brackets const&) = default;
};

struct after {
  affine operator()(affine const& f, affine const& g) const { return {f.a * g.a, f.b * g.a + g.b}; }
  large_affine operator()(large_affine const& f, large_affine const& g) const {
    affine const both = (*this)(affine{unsigned(f.a), f.b}, affine{unsigned(g.a), g.b});
    return large_affine(both.a, both.b);
  }
  brackets operator()(brackets const& f, brackets const& g) const {
    int const met = f.opening < g.closing ? f.opening : g.closing; // with 256 values no count exceeds 255
    return {static_cast<unsigned char>(f.closing + g.closing - met),
            static_cast<unsigned char>(f.opening - met + g.opening), f.kind};
  }
};
struct plus {
  template <class T> T operator()(T const& a, T const& b) const { return static_cast<T>(a + b); }
};
struct largest {
  template <class T> T operator()(T const& a, T const& b) const { return b > a ? b : a; }
};

/// The value of the thread with this rank in this round.
template <class T> T value_of(unsigned long long rank, unsigned round) {
  unsigned const mixed = unsigned(rank) * 2654435761u + round * 40503u + 12345u;
  if constexpr (__is_same(T, brackets)) return {(unsigned char)(mixed >> 31), (unsigned char)(mixed >> 30 & 1), 9};
  else if constexpr (__is_class(T)) return T(mixed | 1u, mixed >> 7);
  else return static_cast<T>(mixed >> 20);
}

/// The result of a loop over the values of `count` threads.
template <class T, class Op> T folded(unsigned long long count, unsigned round, Op op) {
  T result = value_of<T>(0, round);
  for (unsigned long long i = 1; i < count; ++i) result = op(result, value_of<T>(i, round));
  return result;
}

TESTS_END
} // namespace cudax_test
