// SPDX-License-Identifier: Apache-2.0
//
// store: from registers to memory.
#pragma once

#include "load.hpp"

namespace emulator {

template <class Where, int Order, class T>
struct store {
  template <class Access>
  static void run(thread& t, std::uint64_t* r, operation const& o) {
    Access::template store<Order, T>(t, o, locate<Where>(t, r[o.a] + u64(o.offset), sizeof(T)), get<T>(r, o.b));
  }
};

template <class Where, int Order, class T>
struct store_vector {
  template <class Access>
  static void run(thread& t, std::uint64_t* r, operation const& o) {
    auto const& v = *static_cast<vector_access const*>(o.pointer);
    std::byte* const where = locate<Where>(t, r[o.a] + u64(v.offset), sizeof(T) * u64(v.count));
    for (int i = 0; i < v.count; ++i)
      Access::template store<Order, T>(t, o, where + sizeof(T) * u64(i), get<T>(r, v.parts[i]),
                                       u32(sizeof(T)) * u32(v.count));
  }
};

/// Emits a store of operand 1, `count` elements of a type, at operand 0.
void emit_store(decoder&, ordering, int count, ptx::scalar);

/// st.async, for st.cpp.  (asynchronous_store.cpp)
void decode_st_async(decoder&);

} // namespace emulator
