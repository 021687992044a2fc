// SPDX-License-Identifier: Apache-2.0
//
// cp: asynchronous copies: of 4, 8 or 16 bytes by each thread, here; of whole arrays, in support/copies/bulk_copy; of
// boxes of tensors, in support/copies/tensor_copy. [PTX ISA, "cp.async"]
#include "../machine/function_decoder.hpp"
#include "support/copies/asynchronous.hpp"
#include "support/copies/bulk_copy.hpp"
#include "support/copies/tensor_copy.hpp"
#include "support/memory/access.hpp"
#include "support/memory/address_operand.hpp"
#include "support/memory/qualifiers.hpp"
#include "support/waiting/mbarrier.hpp"

#include <algorithm>

namespace emulator {

namespace {

struct small_copy {
  address_operand to, from;
  u32 size;
  slot from_size; ///< bytes to read; the rest of `size` are zeros
  slot ignores;   ///< a predicate: read nothing
};

void run_copy(thread& t, std::uint64_t* r, operation const& o) {
  auto const& c = *static_cast<small_copy const*>(o.pointer);
  asynchronous_write w{.to = c.to.at(t, r, c.size, c.size), .size = c.size, .unit = c.size == 4 ? 4u : 8u};
  u32 const bytes = r[c.ignores] ? 0 : get<u32>(r, c.from_size);
  if (bytes > c.size)
    fail(t, error_launch_failure, "cp.async: src-size is greater than cp-size; make it at most cp-size");
  w.zeros = c.size - bytes;
  // An address that nothing is read from may be any.
  if (bytes) w.from = c.from.at(t, r, bytes, c.size);
  issue(t, w);
}

template <group_kind Kind>
void run_commit(thread& t, std::uint64_t*, operation const&) {
  commit_group(t, Kind);
}

template <group_kind Kind>
void run_wait(thread& t, std::uint64_t*, operation const& o) {
  wait_for_groups(t, Kind, o.extra, o.a != 0);
}

template <bool Increments>
void run_arrive(thread& t, std::uint64_t* r, operation const& o) {
  std::byte* const barrier = mbarrier_at(t, r, *static_cast<address_operand const*>(o.pointer));
  if (Increments) add_pending(t, barrier);
  arrive_after_copies(t, barrier);
}

/// After the size: whether to read nothing (a predicate), or how much to read.
void take_source_size(decoder& d, small_copy& c, std::size_t operands) {
  c.from_size = d.slot_of(c.size);
  c.ignores = d.slot_of(0);
  if (operands < 4) return;
  ptx::operand const& o = d.operand(3);
  auto const reg = o.kind == ptx::operand_kind::reg ? d.function().find_register(o.name) : std::nullopt;
  if (reg && reg->type == ptx::scalar::pred) c.ignores = d.source(3, ptx::scalar::pred);
  else c.from_size = d.source(3, ptx::scalar::u32);
}

void decode_copy(decoder& d) {
  bool const l1 = d.take("ca");
  if (!l1 && !d.take("cg")) d.reject("needs .ca or .cg");
  if (!d.take("global") || d.take_one_of({"shared", "shared::cta"}).empty()) d.reject("copies from .global to .shared");
  bool const policy = take_cache_hints(d);
  small_copy c{.to = {d.address(0), true},
               .from = {d.address(1), false},
               .size = u32(d.constant(2)),
               .from_size = 0,
               .ignores = 0};
  if (c.size != 16 && (!l1 || (c.size != 4 && c.size != 8))) d.reject("the size is 4, 8 or 16, and with .cg 16");
  needs_operands(d, 3u + policy, 4u + policy);
  take_source_size(d, c, d.operands() - policy);
  if (policy) take_cache_policy(d, d.operands() - 1);
  d.emit(interruptible_handler<run_copy>()).pointer = d.keep(c);
}

template <group_kind Kind>
bool decode_group(decoder& d) {
  if (d.take("commit_group")) {
    d.emit(accesses<run_commit<Kind>>);
    return true;
  }
  bool const all = Kind == group_kind::copies && d.take("wait_all");
  if (!all && !d.take("wait_group")) return false;
  bool const reads = Kind == group_kind::bulk_copies && d.take("read"); // the sources only
  u32 const pending = all ? ~u32(0) : u32(d.constant(0));
  d.emit(interruptible_handler<run_wait<Kind>>(), 0, reads).extra = pending;
  return true;
}

void decode_arrive(decoder& d) {
  bool const increments = !d.take("noinc");
  bool const is_arrive = d.take("arrive");
  if (!is_arrive || d.take_type() != ptx::scalar::b64) d.reject("knows .mbarrier.arrive.b64 only");
  address_operand const barrier{d.address(0), !d.take_one_of({"shared", "shared::cta"}).empty()};
  d.emit(increments ? interruptible_handler<run_arrive<true>>() : interruptible_handler<run_arrive<false>>()).pointer =
      d.keep(barrier);
}

void decode(decoder& d) {
  bool const reduces = d.take("reduce");
  if (!d.take("async")) d.reject("knows cp.async and cp.reduce.async only");
  needs_sm(d, 80, "cp.async");
  bool const bulk = d.take("bulk");
  if (bulk) needs_sm(d, 90, "a bulk copy");
  if (reduces) {
    if (!bulk) d.reject("a reduction is a bulk copy");
    return d.take("tensor") ? decode_tensor_reduction(d) : decode_bulk_reduction(d);
  }
  if (bulk && d.take("tensor")) return decode_tensor_copy(d);
  if (bulk) return decode_group<group_kind::bulk_copies>(d) ? void() : decode_bulk_copy(d);
  if (decode_group<group_kind::copies>(d)) return;
  if (d.take("mbarrier")) return decode_arrive(d);
  decode_copy(d);
}

definition const
    cp("cp",
       "cp.async .ca .cg, sizes, ignore-src, src-size; .commit_group .wait_group .wait_all; .mbarrier.arrive "
       ".noinc; cp.async.bulk: .global to .shared::cta or .shared::cluster, .shared::cta to "
       ".global or .shared::cluster, .multicast::cluster, .cp_mask, .prefetch.L2, .commit_group .wait_group "
       ".read; cp.reduce.async.bulk .add .min .max .inc .dec .and .or .xor; cp.async.bulk.tensor .1d to .5d, .tile "
       ".im2col "
       ".multicast::cluster, .prefetch.tensor; cp.reduce.async.bulk.tensor; .L2::cache_hint",
       decode);

} // namespace

} // namespace emulator
