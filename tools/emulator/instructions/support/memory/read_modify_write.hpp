// SPDX-License-Identifier: Apache-2.0
//
// read_modify_write: what atom and red have in common: an operation of atomic.hpp at an address.
#pragma once

#include "access.hpp"
#include "qualifiers.hpp"

namespace emulator {

/// Applies an operation. Sums of f32 lose subnormal numbers in global memory and keep them in shared memory; a generic
/// address tells which only now.  [PTX ISA, "atom"]
template <class Access, class Where, class Operation, bool Returns>
typename Operation::type apply(thread& t, operation const& o, std::byte* where, typename Operation::type operand) {
  using keeping = atomic::real<float, u32, add_f32>;
  using flushing = atomic::real<float, u32, add_f32_flushing>;
  if constexpr (__is_same(Operation, keeping) && __is_same(Where, host_address))
    if (!shared_owner(t, reinterpret_cast<u64>(where)))
      return Access::template update<flushing, Returns>(t, o, where, operand);
  return Access::template update<Operation, Returns>(t, o, where, operand);
}

/// The vector forms: each element is an atomic operation of its own.
struct vector_update {
  std::int64_t offset;
  int count;
  slot destinations[8], operands[8];
};

/// Emits the operation that the remaining modifiers name: on the address that is operand `index`, with the operand
/// after it. If `index` is 1, the value before goes to operand 0; if it is 0, it goes nowhere.
void emit_read_modify_write(decoder&, ordering, std::size_t index);
/// Emits the operation of this name and type without a result: on operand 0, with operand 1.
void emit_reduction(decoder&, ordering, std::string_view name, ptx::scalar);

/// red.async, for red.cpp.  (asynchronous_store.cpp)
void decode_red_async(decoder&);

} // namespace emulator
