// SPDX-License-Identifier: Apache-2.0
//
// subword: bitwise operations on 8 and 16 bits and compare-and-swap on 8 bits, made of operations on the aligned 32-bit
// word around them. The bitwise ones are one native instruction each: the bits of the neighbours are neutral (1 for
// and, 0 for or, xor). 16-bit compare-and-swap is PTX's own (atom.cas.b16). Why accesses of different sizes may be
// mixed is argued in arch/README.md, "Sub-word objects", which also says what they do to the neighbours of an object
// that the host accesses over a bus. Other read-modify-writes are loops in modules/machine/loop.cppm.
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

  // A subtraction, and not a mask, keeps the state space of the pointer known to the compiler.
  explicit word_around(void* object)
    : word((char*)object - ((unsigned long long)object & 3)), shift(8 * u32((unsigned long long)object & 3)) {}

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

/// 8-bit compare-and-swap. The first load of the word is relaxed, since a compare-and-swap that succeeds needs no more.
/// Where it returns another value than expected, a second load, which decides failure, has Q's order, so that the
/// failing path acquires where the failure order does. A neighbour that changes in between costs another round.
template <class Q>
u8 atom_cas_u8(void* a, u8 b, u8 c) {
  using relaxed = typename Q::template with<sem::relaxed>;
  word_around const at(a);
  u32 seen = ld_b32<relaxed>(at.word);
  if constexpr (Q::acquires)
    if (at.extract<u8>(seen) != b) seen = ld_b32<typename Q::template with<sem::acquire>>(at.word);
  while (at.extract<u8>(seen) == b) {
    u32 const before = atom_cas_b32<Q>(at.word, seen, at.insert(seen, c));
    if (before == seen) return b;
    seen = before; // read with Q's order, as it must be if it decides failure
  }
  return at.extract<u8>(seen);
}

} // namespace cudax::arch::sm_70

#pragma clang force_cuda_host_device end
