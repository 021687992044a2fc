// SPDX-License-Identifier: Apache-2.0
//
// bra: a jump, taken if its guard is true. Guard and jump are one operation.
//
// Every loop contains a jump, so a jump checks whether the thread's budget is used up and another thread gets its turn.
#include "../machine/decoder.hpp"
#include "../machine/thread.hpp"

namespace emulator {
namespace {

enum class when { always, predicate, not_predicate };

template <when When>
void bra(thread& t, operation const* o, std::uint64_t* registers) {
  if constexpr (When != when::always) {
    if ((registers[o->a] != 0) != (When == when::predicate)) [[clang::musttail]]
      return o[1].run(t, o + 1, registers);
  }
  auto const* const target = static_cast<operation const*>(o->pointer);
  if (--t.budget < 0) [[unlikely]] {
    t.pc = target;
    return;
  }
  [[clang::musttail]] return target->run(t, target, registers);
}

void decode(decoder& d) {
  d.take("uni");
  auto const guard = d.take_guard();
  if (d.operands() != 1) d.reject("it needs one label");
  operation& o = !guard           ? d.emit(bra<when::always>)
                 : guard->negated ? d.emit(bra<when::not_predicate>, 0, guard->predicate)
                                  : d.emit(bra<when::predicate>, 0, guard->predicate);
  d.jumps_to(o, d.operand(0));
}

definition const bra_definition("bra", "label; .uni", decode);

} // namespace
} // namespace emulator
