// SPDX-License-Identifier: Apache-2.0
//
// store: choosing the function.
#include "store.hpp"
#include "qualifiers.hpp"

namespace emulator {

namespace {

template <class Where, int Order, class T>
void emit(decoder& d, ordering order, int count, ptx::scalar type) {
  memory_operand const address = d.address(0);
  if (count == 1) {
    auto& o = d.emit(access_handler<store<Where, Order, T>>(is_checked(order)), 0, address.base, d.source(1, type));
    o.offset = address.offset;
    o.extra = order.packed();
    return;
  }
  if (count * ptx::size_of(type) > 32) d.reject("a vector has at most 32 bytes");
  vector_access v{address.offset, count, {}};
  for_each_part(d, 1, count, [&](int i, ptx::operand const& part) { v.parts[i] = d.source(part, type); });
  auto& o = d.emit(access_handler<store_vector<Where, Order, T>>(is_checked(order)), 0, address.base);
  o.pointer = d.keep(v);
  o.extra = order.packed();
}

} // namespace

void emit_store(decoder& d, ordering order, int count, ptx::scalar type) {
  auto const with_where = [&]<class Where, int Order> {
    switch (ptx::size_of(type)) {
    case 1: return emit<Where, Order, u8>(d, order, count, type);
    case 2: return emit<Where, Order, u16>(d, order, count, type);
    case 4: return emit<Where, Order, u32>(d, order, count, type);
    case 8: return emit<Where, Order, u64>(d, order, count, type);
    case 16: return emit<Where, Order, u128>(d, order, count, type);
    default: d.reject("this type is not supported here");
    }
  };
  bool const shared = order.space == ptx::space::shared, release = order.semantics == semantics::release;
  if (shared && release) with_where.template operator()<shared_address, __ATOMIC_RELEASE>();
  else if (shared) with_where.template operator()<shared_address, __ATOMIC_RELAXED>();
  else if (release) with_where.template operator()<host_address, __ATOMIC_RELEASE>();
  else with_where.template operator()<host_address, __ATOMIC_RELAXED>();
}

} // namespace emulator
