// SPDX-License-Identifier: Apache-2.0
//
// load: choosing the function.
#include "load.hpp"
#include "qualifiers.hpp"

namespace emulator {

namespace {

template <class Where, int Order, class T>
void emit(decoder& d, ordering order, int count, ptx::scalar type, memory_operand address) {
  if (count == 1) {
    auto& o = d.emit(accesses<load<Where, Order, T>>, d.destination(0), address.base);
    o.offset = address.offset;
    o.extra = order.packed();
    return;
  }
  if (count * ptx::size_of(type) > 32) d.refuse("a vector has at most 32 bytes");
  vector_access v{address.offset, count, {}};
  for_each_part(d, 0, count, [&](int i, ptx::operand const& part) { v.parts[i] = d.destination(part); });
  auto& o = d.emit(accesses<load_vector<Where, Order, T>>, 0, address.base);
  o.pointer = d.keep(v);
  o.extra = order.packed();
}

} // namespace

void emit_load(decoder& d, ordering order, int count, ptx::scalar type) {
  memory_operand const address = d.address(1);
  auto const with_where = [&]<class Where, int Order> {
    if (type == ptx::scalar::f32) return emit<Where, Order, u32>(d, order, count, type, address);
    if (type == ptx::scalar::f64) return emit<Where, Order, u64>(d, order, count, type, address);
    with_type<u8, u16, u32, u64, u128, s8, s16, s32, s64>(
        d, type, [&]<class T> { emit<Where, Order, T>(d, order, count, type, address); });
  };
  bool const shared = order.space == ptx::space::shared, acquire = order.semantics == semantics::acquire;
  if (shared && acquire) with_where.template operator()<shared_address, __ATOMIC_ACQUIRE>();
  else if (shared) with_where.template operator()<shared_address, __ATOMIC_RELAXED>();
  else if (acquire) with_where.template operator()<host_address, __ATOMIC_ACQUIRE>();
  else with_where.template operator()<host_address, __ATOMIC_RELAXED>();
}

} // namespace emulator
