// SPDX-License-Identifier: Apache-2.0
//
// mbarrier: barriers in shared memory.  [PTX ISA, "mbarrier"]
// support/waiting/mbarrier does the work. A wait that finds its phase unfinished lets other threads run before it
// answers no: try_wait may return at any time before its limit, so it does not keep the thread for longer.
#include "support/waiting/mbarrier.hpp"
#include "support/memory/access.hpp"
#include "support/memory/address_operand.hpp"
#include "support/memory/qualifiers.hpp"

#include "../machine/waiters.hpp"

namespace emulator {

namespace {

struct side_table {
  address_operand barrier;
  bool drops = false, completes = true;
  slot count = 0, bytes = 0;
};

side_table const& table_of(operation const& o) { return *static_cast<side_table const*>(o.pointer); }

void run_init(thread& t, std::uint64_t* r, operation const& o) {
  std::byte* const where = mbarrier_at(t, r, table_of(o).barrier);
  if (is_checked_run()) the_memory_observer().mbarrier_began(t, where);
  init_mbarrier(t, where, get<u32>(r, table_of(o).count));
}

void run_inval(thread& t, std::uint64_t* r, operation const& o) {
  std::byte* const where = mbarrier_at(t, r, table_of(o).barrier);
  if (is_checked_run()) the_memory_observer().mbarrier_ended(t, where);
  invalidate_mbarrier(t, where);
}

void run_arrive(thread& t, std::uint64_t* r, operation const& o) {
  side_table const& s = table_of(o);
  arrival const a{get<u32>(r, s.count), get<u32>(r, s.bytes), s.drops, s.completes};
  std::byte* const where = mbarrier_at(t, r, s.barrier);
  if (is_checked_run()) the_memory_observer().arrives_at_mbarrier(t, where, ordering_of(o), a.bytes != 0);
  r[o.d] = arrive(t, where, a);
}

void run_expect(thread& t, std::uint64_t* r, operation const& o) {
  std::byte* const where = mbarrier_at(t, r, table_of(o).barrier);
  if (is_checked_run()) the_memory_observer().expects_at_mbarrier(t, where, ordering_of(o));
  expect_bytes(t, where, get<u32>(r, table_of(o).bytes));
}

void run_complete(thread& t, std::uint64_t* r, operation const& o) {
  std::byte* const where = mbarrier_at(t, r, table_of(o).barrier);
  u32 const bytes = get<u32>(r, table_of(o).bytes);
  if (is_checked_run()) the_memory_observer().completes_at_mbarrier(t, where, ordering_of(o), bytes);
  complete_bytes(t, where, bytes);
}

void run_pending_count(std::uint64_t* r, operation const& o) { put(r, o.d, mbarrier::unpacked(r[o.a]).pending); }

template <bool Parity>
bool test(thread& t, std::uint64_t* r, operation const& o) {
  std::byte* const where = mbarrier_at(t, r, table_of(o).barrier);
  u64 const phase = Parity ? get<u32>(r, o.b) : get<u64>(r, o.b);
  if (is_checked_run()) the_memory_observer().waits_at_mbarrier(t, where, Parity, phase);
  bool over = Parity ? is_parity_over(t, where, u32(phase)) : is_over(t, where, phase);
  if (over && is_checked_run()) over = the_memory_observer().leaves_mbarrier(t, where, ordering_of(o), Parity, phase);
  t.awaited = over ? nullptr : where;
  t.awaited_at = &o;
  return over;
}

template <bool Parity>
void run_test_wait(thread& t, std::uint64_t* r, operation const& o) {
  r[o.d] = test<Parity>(t, r, o);
}

template <bool Parity>
operation const* run_try_wait(thread& t, operation const* o, std::uint64_t* r) {
  bool const over = test<Parity>(t, r, *o);
  r[o->d] = over;
  if (over) return is_checked_run() ? next_unless_turn_is_over(t, o) : o + 1;
  t.pc = o + 1;
  t.state = state::ready;
  t.budget = -1; // others first
  return nullptr;
}

/// The semantics that an operation may name, with a scope; neither, or both.
ordering take_order(decoder& d, semantics usual) {
  std::string_view const order = d.take_one_of({"relaxed", usual == semantics::acquire ? "acquire" : "release"});
  scope const s = take_scope(d);
  if (s == scope::gpu || s == scope::sys) d.reject("an mbarrier's scope is .cta or .cluster");
  if (order.empty() != (s == scope::none)) d.reject("a semantics and a scope belong together: write both or neither");
  if (!order.empty()) needs_sm(d, 90, "a semantics of mbarrier");
  return {.semantics = order == "relaxed" ? semantics::relaxed : usual,
          .scope = s == scope::none ? scope::cta : s,
          .space = ptx::space::shared};
}

/// Takes .shared and its kin and the address.
/// Returns: whether it is .shared::cluster
bool take_place(decoder& d, side_table& s, std::size_t index) {
  std::string_view const space = d.take_one_of({"shared", "shared::cta", "shared::cluster"});
  if (space == "shared::cluster") needs_sm(d, 90, ".shared::cluster");
  s.barrier = {d.address(index), !space.empty()};
  return space == "shared::cluster";
}

void decode_init(decoder& d) {
  side_table s;
  if (take_place(d, s, 0)) d.reject("another block's barrier cannot be initialised");
  s.count = d.source(1, ptx::scalar::u32);
  d.emit(interruptible_handler<run_init>()).pointer = d.keep(s);
}

void decode_inval(decoder& d) {
  side_table s;
  if (take_place(d, s, 0)) d.reject("another block's barrier cannot be invalidated");
  d.emit(interruptible_handler<run_inval>()).pointer = d.keep(s);
}

void decode_arrive(decoder& d, bool drops) {
  side_table s;
  s.drops = drops;
  bool const expects = d.take("expect_tx");
  s.completes = !d.take("noComplete");
  ordering const order = take_order(d, semantics::release);
  bool const remote = take_place(d, s, 1);
  if (remote && d.operand(0).kind != ptx::operand_kind::sink)
    d.reject("an arrival at .shared::cluster returns no state: write _");
  if (expects && !s.completes) d.reject(".expect_tx and .noComplete exclude each other");
  if (expects) needs_sm(d, 90, ".expect_tx");
  if (!s.completes) needs_operands(d, 3, 3);
  s.bytes = expects ? d.source(2, ptx::scalar::u32) : d.slot_of(0);
  s.count = !expects && d.operands() > 2 ? d.source(2, ptx::scalar::u32) : d.slot_of(1);
  auto& o = d.emit(interruptible_handler<run_arrive>(), d.destination(0));
  o.extra = order.packed();
  o.pointer = d.keep(s);
}

void decode_transaction(decoder& d, handler run) {
  needs_sm(d, 90, "an mbarrier's bytes");
  side_table s;
  ordering const order = take_order(d, semantics::relaxed);
  take_place(d, s, 0);
  s.bytes = d.source(1, ptx::scalar::u32);
  auto& o = d.emit(run);
  o.extra = order.packed();
  o.pointer = d.keep(s);
}

void decode_wait(decoder& d, bool tries) {
  if (tries) needs_sm(d, 90, "try_wait");
  side_table s;
  bool const parity = d.take("parity");
  ordering const order = take_order(d, semantics::acquire);
  if (take_place(d, s, 1)) d.reject("only a barrier of the own block can be waited for");
  slot const phase = d.source(2, parity ? ptx::scalar::u32 : ptx::scalar::b64);
  if (tries && d.operands() > 3) d.source(3, ptx::scalar::u32); // at most so many nanoseconds
  slot const destination = d.destination(0);
  auto& o = tries ? d.emit(parity ? returns_next<run_try_wait<true>> : returns_next<run_try_wait<false>>, destination,
                           0, phase)
                  : d.emit(parity ? interruptible_handler<run_test_wait<true>>()
                                  : interruptible_handler<run_test_wait<false>>(),
                           destination, 0, phase);
  o.extra = order.packed();
  o.pointer = d.keep(s);
}

void decode(decoder& d) {
  needs_sm(d, 80, "mbarrier");
  d.take_type({ptx::scalar::b64});
  std::string_view const what = d.take_one_of(
      {"init", "inval", "arrive", "arrive_drop", "test_wait", "try_wait", "pending_count", "complete_tx"});
  if (what == "init") decode_init(d);
  else if (what == "inval") decode_inval(d);
  else if (what == "arrive") decode_arrive(d, false);
  else if (what == "arrive_drop") decode_arrive(d, true);
  else if (what == "test_wait") decode_wait(d, false);
  else if (what == "try_wait") decode_wait(d, true);
  else if (what == "pending_count")
    d.emit(computes<run_pending_count>, d.destination(0), d.source(1, ptx::scalar::b64));
  else if (what == "complete_tx") decode_transaction(d, interruptible_handler<run_complete>());
  else if (d.take("expect_tx")) decode_transaction(d, interruptible_handler<run_expect>());
  else d.reject("names no operation that the emulator knows");
}

definition const definition_of_mbarrier(
    "mbarrier",
    ".init .inval .arrive .arrive_drop (.expect_tx, .noComplete, count, .shared::cluster) .expect_tx .complete_tx "
    ".test_wait .try_wait (.parity, time limit) .pending_count; generic .shared .shared::cta; .relaxed .acquire "
    ".release "
    ".cta .cluster",
    decode);

/// For reports of threads that wait.
std::string describe(std::byte const* where) {
  mbarrier const b = mbarrier::unpacked(read<__ATOMIC_RELAXED, u64>(where));
  if (!b.exists) return {};
  std::string text = "of parity " + std::to_string(b.phase & 1) + " lacks ";
  if (b.pending || b.bytes <= 0)
    text += std::to_string(b.pending) + " of " + std::to_string(b.expected) +
            (b.expected == 1 ? " arrival" : " arrivals") + (b.bytes > 0 ? " and " : "");
  if (b.bytes > 0) text += std::to_string(b.bytes) + " bytes";
  if (b.bytes < 0) text += ", and has " + std::to_string(-b.bytes) + " bytes more than it expects";
  return text;
}
[[maybe_unused]] bool const is_provided = (describe_mbarrier = &describe, true);

} // namespace

} // namespace emulator
