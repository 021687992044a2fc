// SPDX-License-Identifier: Apache-2.0
//
// load: from memory to registers.
// A register may be wider than what is loaded: unsigned values and bits are extended with zeros, signed ones with their
// sign.
#pragma once

#include "access.hpp"

namespace emulator {

/// What a load of several elements needs in addition to its address, in operation::pointer.
struct vector_access {
  std::int64_t offset;
  int count;
  slot parts[8];
};

/// R: what the register holds.
template <class Where, int Order, class T, class R>
struct load {
  template <class Access>
  static void run(thread& t, std::uint64_t* r, operation const& o) {
    put(r, o.d, R(Access::template load<Order, T>(t, o, locate<Where>(t, r[o.a] + u64(o.offset), sizeof(T)))));
  }
};

/// All elements are there before a register changes, since one of them may hold the address.
template <class Where, int Order, class T, class R>
struct load_vector {
  template <class Access>
  static void run(thread& t, std::uint64_t* r, operation const& o) {
    auto const& v = *static_cast<vector_access const*>(o.pointer);
    std::byte const* const where = locate<Where>(t, r[o.a] + u64(v.offset), sizeof(T) * u64(v.count));
    T values[8];
    for (int i = 0; i < v.count; ++i)
      values[i] = Access::template load<Order, T>(t, o, where + sizeof(T) * u64(i), u32(sizeof(T)) * u32(v.count));
    for (int i = 0; i < v.count; ++i) put(r, v.parts[i], R(values[i]));
  }
};

/// Emits a load of `count` elements of a type from operand 1 into operand 0.
void emit_load(decoder&, ordering, int count, ptx::scalar);

} // namespace emulator
