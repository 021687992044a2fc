// SPDX-License-Identifier: Apache-2.0
//
// atom: read-modify-writes that return the value before.  [PTX ISA, "atom"]
#include "../check/hooks.hpp"
#include "support/read_modify_write.hpp"
#include "support/types.hpp"

namespace emulator {

namespace {

template <class Where, class T>
void compare_and_swap(thread& t, std::uint64_t* r, operation const& o) {
  std::byte* const where = locate<Where>(t, r[o.a] + u64(o.offset), sizeof(T));
  T expected = get<T>(r, o.b);
  T const desired = get<T>(r, o.c);
  if constexpr (sizeof(T) == 16) {
    expected = compare_exchange_128(reinterpret_cast<u128*>(where), expected, desired);
  } else {
    __atomic_compare_exchange_n(reinterpret_cast<T*>(where), &expected, desired, false, __ATOMIC_ACQ_REL,
                                __ATOMIC_ACQUIRE);
  }
  put(r, o.d, expected);
}

template <class Where, class T>
operation const* compare_and_swap_checked(thread& t, operation const* o, std::uint64_t* r) {
  std::byte* const where = locate<Where>(t, r[o->a] + u64(o->offset), sizeof(T));
  T const expected = get<T>(r, o->b), desired = get<T>(r, o->c);
  T found;
  check::update(t, where, sizeof(T), check::ordering_of(*o), &found, [&](void* value) {
    T old;
    std::memcpy(&old, value, sizeof(T));
    if (old == expected) std::memcpy(value, &desired, sizeof(T));
    return old == expected;
  });
  put(r, o->d, found);
  return check::next_or_other(t, o);
}

template <class Where, class T>
handler choose() {
  return checks() ? goes_on<compare_and_swap_checked<Where, T>> : accesses<compare_and_swap<Where, T>>;
}

void decode_cas(decoder& d, ordering order) {
  using enum ptx::scalar;
  ptx::scalar const type = d.take_type({b16, b32, b64, b128});
  memory_operand const address = d.address(1);
  for_type<emulator::u16, emulator::u32, emulator::u64, u128>(d, type, [&]<class T> {
    auto& o = d.emit(order.space == ptx::space::shared ? choose<shared_address, T>() : choose<host_address, T>(),
                     d.destination(0), address.base, d.source(2, type), d.source(3, type));
    o.offset = address.offset;
    o.extra = order.packed();
  });
  if (type == b128) needs_sm(d, 90, ".b128");
}

void decode(decoder& d) {
  ordering const order =
      take_atomic(d, {semantics::relaxed, semantics::acquire, semantics::release, semantics::acq_rel},
                  {ptx::space::global, ptx::space::shared});
  bool const policy = take_cache_hints(d);
  bool const cas = d.take("cas");
  if (cas) decode_cas(d, order);
  else emit_read_modify_write(d, order, 1);
  if (policy) take_cache_policy(d, cas ? 4 : 3);
}

definition const
    atom("atom",
         ".relaxed .acquire .release .acq_rel, all scopes; generic .global .shared .shared::cta "
         ".shared::cluster; .exch .cas to .b128, .b16 for .cas; .and .or .xor .b32 .b64; .add .u32 .s32 .u64 "
         ".f32 .f64 and .noftz .f16 .bf16 .f16x2 .bf16x2; .inc .dec .u32; .min .max .u32 .s32 .u64 .s64; "
         ".v2 .v4 .v8 of .f32 and, with .min .max, of 16 bits; .L2::cache_hint",
         decode);

} // namespace

} // namespace emulator
