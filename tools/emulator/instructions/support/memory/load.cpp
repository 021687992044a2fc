// SPDX-License-Identifier: Apache-2.0
//
// load: choosing the function.
#include "load.hpp"
#include "../../../machine/function_decoder.hpp"
#include "../numbers/types.hpp"
#include "qualifiers.hpp"

namespace emulator {

namespace {

template <class Where, int Order, class T, class R>
void emit(decoder& d, ordering order, int count, memory_operand address) {
  if (count == 1) {
    auto& o = d.emit(access_handler<load<Where, Order, T, R>>(is_checked(order)), d.destination(0), address.base);
    o.offset = address.offset;
    o.extra = order.packed();
    return;
  }
  if (count * sizeof(T) > 32) d.reject("a vector has at most 32 bytes");
  vector_access v{address.offset, count, {}};
  for_each_part(d, 0, count, [&](int i, ptx::operand const& part) { v.parts[i] = d.destination(part); });
  auto& o = d.emit(access_handler<load_vector<Where, Order, T, R>>(is_checked(order)), 0, address.base);
  o.pointer = d.keep(v);
  o.extra = order.packed();
}

/// Bytes of the register that is operand 0, or of the first one in its braces; 8 where all are _.
int register_bytes(decoder& d, int count) {
  int bytes = 0;
  for_each_part(d, 0, count, [&](int, ptx::operand const& part) {
    auto const found = d.function().find_register(part.name);
    if (found && !bytes) bytes = ptx::size_of(found->type);
  });
  return bytes ? bytes : 8;
}

} // namespace

void emit_load(decoder& d, ordering order, int count, ptx::scalar type) {
  memory_operand const address = d.address(1);
  auto const with_where = [&]<class Where, int Order> {
    if (type == ptx::scalar::f32) type = ptx::scalar::b32;
    if (type == ptx::scalar::f64) type = ptx::scalar::b64;
    for_type<u8, u16, u32, u64, u128, s8, s16, s32, s64>(d, type, [&]<class T> {
      if constexpr (T(-1) > T(0)) {
        emit<Where, Order, T, T>(d, order, count, address);
      } else {
        int const bytes = register_bytes(d, count);
        if (bytes == 2) emit<Where, Order, T, u16>(d, order, count, address);
        else if (bytes == 4) emit<Where, Order, T, u32>(d, order, count, address);
        else emit<Where, Order, T, u64>(d, order, count, address);
      }
    });
  };
  if (order.space == ptx::space::param && d.function().find_register(d.operand(1).name))
    return with_where.template operator()<parameter_address, __ATOMIC_RELAXED>();
  bool const shared = order.space == ptx::space::shared, acquire = order.semantics == semantics::acquire;
  if (shared && acquire) with_where.template operator()<shared_address, __ATOMIC_ACQUIRE>();
  else if (shared) with_where.template operator()<shared_address, __ATOMIC_RELAXED>();
  else if (acquire) with_where.template operator()<host_address, __ATOMIC_ACQUIRE>();
  else with_where.template operator()<host_address, __ATOMIC_RELAXED>();
}

} // namespace emulator
