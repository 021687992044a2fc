// SPDX-License-Identifier: Apache-2.0
//
// subword: read-modify-write operations on 8 and 16 bits, made of operations on the aligned 32-bit word around them.
// The bitwise ones are one native instruction each: the bits of the neighbours are neutral (1 for and, 0 for or, xor).
// So is addition in the highest part of the word, which has no neighbour to carry into. The others are loops of
// compare-and-swap on the word; 16-bit compare-and-swap is PTX's own (atom.cas.b16). Why accesses of different sizes
// may be mixed is argued in arch/README.md, "Sub-word objects", which also says what they do to the neighbours of an
// object that the host accesses over a bus.
#pragma once

#include "atom.hpp"
#include "ld.hpp"
#include "red.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_70 {

/// The aligned word around a sub-word object.
struct word_around {
  void* word;
  u32 shift; // of the object in the word, bits

  explicit word_around(void* object)
    : word((void*)((unsigned long long)object & ~3ull)), shift(8 * u32((unsigned long long)object & 3)) {}

  template <class U>
  U extract(u32 whole) const {
    return U(whole >> shift);
  }
  template <class U>
  u32 insert(u32 whole, U part) const {
    return (whole & ~(u32(U(-1)) << shift)) | (u32(part) << shift);
  }
  template <class U>
  u32 among_zeros(U part) const {
    return u32(part) << shift;
  }
  template <class U>
  u32 among_ones(U part) const {
    return insert(~0u, part);
  }
};

template <class Q, class U>
U atom_and_subword(void* a, U b) {
  word_around const at(a);
  return at.extract<U>(atom_and_b32<Q>(at.word, at.among_ones(b)));
}

template <class Q, class U>
U atom_or_subword(void* a, U b) {
  word_around const at(a);
  return at.extract<U>(atom_or_b32<Q>(at.word, at.among_zeros(b)));
}

template <class Q, class U>
U atom_xor_subword(void* a, U b) {
  word_around const at(a);
  return at.extract<U>(atom_xor_b32<Q>(at.word, at.among_zeros(b)));
}

template <class Q, class U>
void red_and_subword(void* a, U b) {
  word_around const at(a);
  red_and_b32<Q>(at.word, at.among_ones(b));
}

template <class Q, class U>
void red_or_subword(void* a, U b) {
  word_around const at(a);
  red_or_b32<Q>(at.word, at.among_zeros(b));
}

template <class Q, class U>
void red_xor_subword(void* a, U b) {
  word_around const at(a);
  red_xor_b32<Q>(at.word, at.among_zeros(b));
}

/// Replaces the object by modify(object) and returns the value before. Takes one round where no other thread writes to
/// the word in between. The first load may be relaxed: the round that succeeds reads the word again, with Q's order.
template <class Q, class U, class Modify>
U atom_modify_subword(void* a, Modify modify) {
  word_around const at(a);
  u32 seen = ld_u32<typename Q::template with<sem::relaxed>>(at.word);
  for (;;) {
    U const before = at.extract<U>(seen);
    u32 const found = atom_cas_b32<Q>(at.word, seen, at.insert(seen, U(modify(before))));
    if (found == seen) return before;
    seen = found;
  }
}

template <class Q, class U>
U atom_exch_subword(void* a, U b) {
  return atom_modify_subword<Q, U>(a, [=](U) { return b; });
}

template <class Q, class U>
U atom_add_subword(void* a, U b) {
  word_around const at(a);
  if (at.shift == 32 - 8 * sizeof(U)) return at.extract<U>(atom_add_u32<Q>(at.word, at.among_zeros(b)));
  return atom_modify_subword<Q, U>(a, [=](U before) { return U(before + b); });
}

// V: the signed or unsigned type whose comparison applies.
template <class Q, class V>
V atom_max_subword(void* a, V b) {
  using U = __make_unsigned(V);
  return V(atom_modify_subword<Q, U>(a, [=](U before) { return U(V(before) < b ? b : V(before)); }));
}

template <class Q, class V>
V atom_min_subword(void* a, V b) {
  using U = __make_unsigned(V);
  return V(atom_modify_subword<Q, U>(a, [=](U before) { return U(b < V(before) ? b : V(before)); }));
}

/// 8-bit compare-and-swap. The first load of the word is relaxed, since a compare-and-swap that succeeds needs no more.
/// Where it returns another value than expected, a second load, which decides failure, has Q's order, so that the
/// failing path acquires where the failure order does. A neighbour that changes in between costs another round.
template <class Q>
u8 atom_cas_u8(void* a, u8 b, u8 c) {
  using relaxed = typename Q::template with<sem::relaxed>;
  word_around const at(a);
  u32 seen = ld_u32<relaxed>(at.word);
  if constexpr (Q::acquires)
    if (at.extract<u8>(seen) != b) seen = ld_u32<typename Q::template with<sem::acquire>>(at.word);
  while (at.extract<u8>(seen) == b) {
    u32 const before = atom_cas_b32<Q>(at.word, seen, at.insert(seen, c));
    if (before == seen) return b;
    seen = before; // read with Q's order, as it must be if it decides failure
  }
  return at.extract<u8>(seen);
}

} // namespace cudax::arch::sm_70

#pragma clang force_cuda_host_device end
