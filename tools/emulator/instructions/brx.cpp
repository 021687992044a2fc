// SPDX-License-Identifier: Apache-2.0
//
// brx.idx: a jump to one of the labels of a .branchtargets list.
#include "../machine/function_decoder.hpp"

namespace emulator {
namespace {

struct targets {
  std::vector<operation const*> labels;
};

operation const* brx(thread& t, operation const* o, std::uint64_t* registers) {
  auto const& table = *static_cast<targets const*>(o->pointer);
  u32 const index = get<u32>(registers, o->a);
  if (index >= table.labels.size()) {
    fail(t, 719,
         "brx.idx: index " + std::to_string(index) + " of a list of " + std::to_string(table.labels.size()) +
             " labels");
  }
  t.pc = table.labels[index];
  return --t.budget < 0 ? nullptr : t.pc;
}

void decode(decoder& d) {
  d.take("uni");
  if (!d.take("idx")) d.reject("it needs .idx");
  function_decoder& function = d.function();
  name const* const list = function.find(d.operand(1).name);
  if (!list || list->what != name::kind::targets) d.reject("its second operand is no label of .branchtargets");
  auto const& labels = function.statement(list->statement).targets;
  auto* const table = d.keep(targets{std::vector<operation const*>(labels.size())});
  d.emit(returns_next<brx>, 0, d.source(0, ptx::scalar::u32)).pointer = table;
  for (std::size_t i = 0; i < labels.size(); ++i) function.resolve_later(&table->labels[i], labels[i]);
}

definition const brx_definition("brx", ".idx with .branchtargets; .uni", decode);

} // namespace
} // namespace emulator
