// SPDX-License-Identifier: Apache-2.0
//
// atom: read-modify-writes that return the value before.  [PTX ISA, "atom"]
#include "support/memory/read_modify_write.hpp"
#include "support/numbers/types.hpp"

namespace emulator {

namespace {

template <class Where, class T>
struct compare_and_swap {
  template <class Access>
  static void run(thread& t, std::uint64_t* r, operation const& o) {
    std::byte* const where = locate<Where>(t, r[o.a] + u64(o.offset), sizeof(T));
    put(r, o.d, Access::template compare_and_swap<T>(t, o, where, get<T>(r, o.b), get<T>(r, o.c)));
  }
};

void decode_cas(decoder& d, ordering order) {
  using enum ptx::scalar;
  ptx::scalar const type = d.take_type({b16, b32, b64, b128});
  memory_operand const address = d.address(1);
  for_type<emulator::u16, emulator::u32, emulator::u64, u128>(d, type, [&]<class T> {
    auto& o =
        d.emit(order.space == ptx::space::shared ? access_handler<compare_and_swap<shared_address, T>>(is_checked_run())
                                                 : access_handler<compare_and_swap<host_address, T>>(is_checked_run()),
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
