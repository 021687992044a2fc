// SPDX-License-Identifier: Apache-2.0
//
// bulk_copy: copies of arrays in one dimension.  [PTX ISA, "cp.async.bulk", "cp.reduce.async.bulk"]
// Which way a copy goes follows from how it says that it is done: by bytes at an mbarrier where shared memory is
// written, by groups where global memory is.
#include "bulk_copy.hpp"
#include "../memory/access.hpp"
#include "../memory/address_operand.hpp"
#include "../memory/atomic.hpp"
#include "../memory/qualifiers.hpp"
#include "../memory/read_modify_write.hpp"
#include "asynchronous.hpp"

#include <algorithm>

namespace emulator {

namespace {

struct bulk_copy {
  address_operand to, from, barrier;
  slot size = 0, mask = 0;
  bool has_barrier = false, multicasts = false, masks_bytes = false;
  void (*reduce)(std::byte* to, std::byte const* from, u32 size) = nullptr;
};

void multicast(thread& t, std::uint64_t* r, bulk_copy const& c, asynchronous_write w) {
  for_each_block(t, get<u16>(r, c.mask), "cp.async.bulk", [&](u32 rank) {
    w.to = c.to.at(t, in_block(c.to.address(r), rank), w.size, 16);
    w.barrier = c.barrier.at(t, in_block(c.barrier.address(r), rank), 8, 8);
    issue(t, w);
  });
}

void run(thread& t, std::uint64_t* r, operation const& o) {
  auto const& c = *static_cast<bulk_copy const*>(o.pointer);
  u32 const size = get<u32>(r, c.size);
  if (size % 16) misaligned_address(t, c.from.address(r), size, 16);
  if (!size) return;
  asynchronous_write w{.from = c.from.at(t, r, size, 16), .size = size, .async_proxy = true, .reduce = c.reduce};
  if (c.masks_bytes) w.mask = get<u16>(r, c.mask);
  if (c.multicasts) return multicast(t, r, c, w);
  w.to = c.to.at(t, r, size, 16);
  if (c.has_barrier) w.barrier = mbarrier_at(t, r, c.barrier);
  issue(t, w);
}

void run_prefetch(thread& t, std::uint64_t* r, operation const& o) {
  u64 const address = r[o.a] + u64(o.offset);
  u32 const size = get<u32>(r, o.b);
  if (address % 16 || size % 16) misaligned_address(t, address, size, 16);
}

/// The state spaces and how the end is told; fills in all that copies and reductions share, from the operands.
bulk_copy take_copy(decoder& d, bool reduces) {
  bulk_copy c;
  bool const global = d.take("global"), cta = d.take("shared::cta"), cluster = d.take("shared::cluster");
  bool const policy = take_cache_hints(d);
  std::size_t next = 3;
  if (d.take("bulk_group")) {
    if (!global || !cta || cluster) d.reject(".bulk_group is for copies from .shared::cta to .global");
    c.to = {d.address(0), false};
    c.from = {d.address(1), true};
  } else if (d.take("mbarrier::complete_tx::bytes")) {
    bool const from_global = global && (cta != cluster) && !reduces, from_cta = !global && cta && cluster;
    if (!from_global && !from_cta)
      d.reject("an mbarrier is for copies to .shared::cluster or, from .global, to .shared::cta");
    c.to = {d.address(0), true};
    c.from = {d.address(1), !from_global};
    c.barrier = {d.address(next++), true};
    c.has_barrier = true;
    c.multicasts = !reduces && d.take("multicast::cluster");
    if (c.multicasts && (!from_global || !cluster)) d.reject(".multicast::cluster is from .global to .shared::cluster");
    if (c.multicasts) c.mask = d.source(next++, ptx::scalar::u16);
    if (policy && !from_global) d.reject(".L2::cache_hint without global memory");
  } else d.reject("does not say how it tells that it is done: .mbarrier::complete_tx::bytes or .bulk_group");
  c.size = d.source(2, ptx::scalar::u32);
  if (policy) take_cache_policy(d, next++);
  if (!c.has_barrier && !reduces && d.take("cp_mask")) {
    needs_sm(d, 100, ".cp_mask");
    c.masks_bytes = true;
    c.mask = d.source(next++, ptx::scalar::u16);
  }
  return c;
}

template <class Operation>
void reduce_all(std::byte* to, std::byte const* from, u32 size) {
  using type = typename Operation::type;
  for (u32 i = 0; i < size; i += sizeof(type)) Operation::apply(to + i, read<__ATOMIC_RELAXED, type>(from + i));
}

/// What PTX has beyond what atomic::with_operation says no to.
void check_reduction(decoder& d, bulk_copy const& c, std::string_view name, ptx::scalar type, bool noftz) {
  using ptx::scalar;
  bool const half = type == scalar::f16 || type == scalar::bf16;
  if (noftz != (half && name == "add")) d.reject(".noftz belongs to .add of .f16 and .bf16, which need it");
  if (type == scalar::s64 && name == "add") d.reject("add has no .s64: write .u64");
  if (type == scalar::f16x2 || type == scalar::bf16x2) d.reject("pairs are not reduced: write .f16 or .bf16");
  bool const wide = type == scalar::b64 || type == scalar::s64 || (type == scalar::u64 && name != "add");
  if (c.has_barrier && (wide || half || type == scalar::f32 || type == scalar::f64))
    d.reject("in shared memory there are only 32-bit integers, and .add.u64");
}

} // namespace

void decode_bulk_copy(decoder& d) {
  if (d.take("prefetch")) {
    if (!d.take("L2") || !d.take("global")) d.reject("prefetches .L2.global only");
    bool const policy = take_cache_hints(d);
    memory_operand const address = d.address(0);
    slot const size = d.source(1, ptx::scalar::u32);
    if (policy) take_cache_policy(d, 2);
    d.emit(accesses<run_prefetch>, 0, address.base, size).offset = address.offset;
    return;
  }
  bulk_copy const c = take_copy(d, false);
  d.emit(interruptible_handler<run>()).pointer = d.keep(c);
}

void decode_bulk_reduction(decoder& d) {
  bulk_copy c = take_copy(d, true);
  std::string_view const name = d.take_one_of({"add", "min", "max", "inc", "dec", "and", "or", "xor"});
  bool const noftz = d.take("noftz");
  ptx::scalar const type = d.take_type();
  check_reduction(d, c, name, type, noftz);
  // Sums of f32 lose subnormal numbers, as all in global memory.
  using flushing = atomic::real<float, u32, add_f32_flushing>;
  if (name == "add" && type == ptx::scalar::f32) c.reduce = reduce_all<flushing>;
  else if (!atomic::with_operation(name, type, [&]<class Operation> { c.reduce = reduce_all<Operation>; }))
    d.reject("." + std::string(name) + " has no such type");
  d.emit(interruptible_handler<run>()).pointer = d.keep(c);
}

} // namespace emulator
