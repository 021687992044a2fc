// SPDX-License-Identifier: Apache-2.0
//
// tensor_copy: copies of boxes of a tensor.  [PTX ISA, "cp.async.bulk.tensor", "cp.reduce.async.bulk.tensor",
// "cp.async.bulk.prefetch.tensor"]
// The map is read when the instruction is executed. The copy becomes one asynchronous write of many parts
// (tensor_map.hpp: for_each_run), so that an mbarrier hears of the whole box at once.
#include "tensor_copy.hpp"
#include "../memory/access.hpp"
#include "../memory/address_operand.hpp"
#include "../memory/qualifiers.hpp"
#include "../memory/read_modify_write.hpp"
#include "asynchronous.hpp"
#include "tensor_map.hpp"

#include <algorithm>

namespace emulator {

namespace {

using reduction = void (*)(std::byte* to, std::byte const* from, u32 size);

struct tensor_copy {
  memory_operand map{};
  slot at[5]{};
  u8 rank = 0;
  bool is_im2col = false;
  std::array<slot, 3> offset{};              ///< of im2col, where it has any
  char const* name = "cp.async.bulk.tensor"; ///< in messages
  address_operand shared{{}, true}, barrier{{}, true};
  slot mask = 0;
  bool multicasts = false;
  std::string_view operation; ///< of a reduction
};

/// Ends the launch with the error of a GPU (tests/emulator/device/h100_tensor.record).
[[noreturn]] void misuse(thread const& t, tensor_copy const& c, std::string const& what,
                         int error = error_illegal_instruction) {
  fail(t, error, std::string(c.name) + ": " + what);
}

std::byte const* place_of_map(thread const& t, std::uint64_t const* r, tensor_copy const& c) {
  return locate<host_address>(t, r[c.map.base] + u64(c.map.offset), sizeof(tensor_map), 64);
}

bool is_shared(thread const& t, u64 address) {
  return std::ranges::any_of(t.block->cluster->blocks,
                             [&](block const* b) { return address - u64(b->shared) < b->shared_size; });
}

tensor_map read_map(thread const& t, std::uint64_t const* r, tensor_copy const& c) {
  std::byte const* const where = place_of_map(t, r, c);
  // An H100 reads maps through global addresses: those of local and of shared memory are illegal ones.
  if (is_local(t, reinterpret_cast<u64>(where)))
    misuse(t, c,
           "the map is in local memory, where a GPU does not read it; declare the kernel's parameter as const "
           "__grid_constant__, and pass its address on",
           error_illegal_address);
  if (is_shared(t, reinterpret_cast<u64>(where)))
    misuse(t, c,
           "the map is in shared memory, where a GPU does not read it; use the parameter, or a copy in global memory",
           error_illegal_address);
  tensor_map m;
  std::memcpy(&m, where, sizeof(m));
  if (m.mark != tensor_map::marked)
    misuse(t, c,
           "the 128 bytes at the map's address are no tensor map; pass what cuTensorMapEncodeTiled made, as a "
           "const __grid_constant__ parameter, or a copy of it in global or constant memory");
  if (m.rank != c.rank)
    misuse(t, c,
           "the instruction has " + std::to_string(c.rank) + " coordinates and the map " + std::to_string(m.rank) +
               " dimensions; use the form ." + std::to_string(m.rank) + "d");
  if (m.is_im2col != c.is_im2col)
    misuse(t, c,
           std::string("the instruction is of .") + (c.is_im2col ? "im2col" : "tile") + " mode and the map of ." +
               (m.is_im2col ? "im2col" : "tile") + " mode; use the other form, or make the map by the other function");
  if (!m.is_usable())
    misuse(t, c,
           "the map has a box, a step or an extent of 0, or rows that are no multiple of 16 bytes or longer than the "
           "swizzle; give tensormap.replace values that cuTensorMapEncodeTiled accepts");
  for (int i = 0; i < m.rank; ++i)
    if (u64(m.extent[i]) > 1ull << 31)
      misuse(t, c,
             "dimension " + std::to_string(i) + " of the map has " + std::to_string(m.extent[i]) +
                 " elements; an H100 makes no copies by maps of such tensors; use at most 2^31");
  return m;
}

std::array<s32, 5> coordinates(thread const& t, std::uint64_t const* r, tensor_copy const& c, tensor_map const& m,
                               bool may_be_negative) {
  std::array<s32, 5> at{};
  for (int i = 0; i < c.rank; ++i) at[i] = s32(u32(r[c.at[i]]));
  if (s64(at[0]) * m.unit() % 16)
    misuse(t, c,
           "coordinate 0 is " + std::to_string(at[0]) + " elements of " + std::to_string(size_of(m.type)) +
               " bytes; a box begins at a multiple of 16 bytes of a row");
  if (!may_be_negative && std::any_of(at.begin(), at.end(), [](s32 x) { return x < 0; }))
    misuse(t, c, "a coordinate is negative; a GPU writes boxes that begin inside the tensor, or beyond it");
  for (int i = 0; i < m.rank; ++i) {
    if (!m.is_of_pixels(i)) continue;
    s64 const begin = m.lower[m.corner(i)], end = s64(m.extent[i]) + m.upper[m.corner(i)];
    if (at[i] < begin || at[i] >= end)
      misuse(t, c,
             "coordinate " + std::to_string(i) + " is " + std::to_string(at[i]) +
                 "; in .im2col mode a copy begins in the box of pixels, from " + std::to_string(begin) + " to " +
                 std::to_string(end - 1));
  }
  return at;
}

/// Of im2col: 0 where the instruction has none.
std::array<u16, 3> offsets(std::uint64_t const* r, tensor_copy const& c) {
  std::array<u16, 3> values{};
  if (!c.is_im2col) return values;
  int const bits = 16 / (c.rank - 2); // 16, 8 or 5: a GPU ignores the rest
  for (std::size_t i = 0; i + 2 < c.rank; ++i) values[i] = u16(get<u16>(r, c.offset[i]) & ((1u << bits) - 1));
  return values;
}

/// Where shared memory holds the box: the address, and the same on the host.
struct place {
  u64 address;
  std::byte* host;
};

place shared_place(thread const& t, tensor_copy const& c, tensor_map const& m, u64 address) {
  if (address % 128)
    misuse(t, c,
           "the address " + std::to_string(address % shared_window) +
               " in shared memory is not a multiple of 128; align the tile to 128 bytes, and to 1024 where a swizzled "
               "tile is read by its offset",
           error_misaligned_address);
  return {address, c.shared.at(t, address, m.shared_bytes(), 128)};
}

template <class Operation>
void reduce_all(std::byte* to, std::byte const* from, u32 size) {
  using type = typename Operation::type;
  for (u32 i = 0; i < size; i += sizeof(type)) Operation::apply(to + i, read<__ATOMIC_RELAXED, type>(from + i));
}

/// A sum of f64 gives back the NaN that it is given: the operand's, else the one in memory.
struct add_f64_with_nan {
  using type = u64;
  static u64 apply(std::byte* where, u64 operand) {
    return update<u64>(where, [operand](u64 old) {
      double const a = std::bit_cast<double>(old), b = std::bit_cast<double>(operand);
      return b != b ? operand : a != a ? old : std::bit_cast<u64>(a + b);
    });
  }
};

/// The operation on the map's type; null where there is none. Only the types ..._ftz lose subnormal numbers.
reduction reduction_of(std::string_view name, tensor_type type) {
  using ptx::scalar;
  using flushing = atomic::real<float, u32, add_f32_flushing>;
  bool const bits = name == "and" || name == "or" || name == "xor";
  scalar s = scalar::none;
  switch (type) {
  case tensor_type::u32: s = bits ? scalar::b32 : scalar::u32; break;
  case tensor_type::s32: s = bits ? scalar::b32 : scalar::s32; break;
  case tensor_type::u64: s = bits ? scalar::b64 : scalar::u64; break;
  case tensor_type::s64: s = bits || name == "add" ? scalar::none : scalar::s64; break;
  case tensor_type::f16: s = scalar::f16; break;
  case tensor_type::bf16: s = scalar::bf16; break;
  case tensor_type::f32:
  case tensor_type::tf32: s = scalar::f32; break;
  case tensor_type::f32_ftz:
  case tensor_type::tf32_ftz: return name == "add" ? reduce_all<flushing> : nullptr;
  case tensor_type::f64: return name == "add" ? reduce_all<add_f64_with_nan> : nullptr;
  default: return nullptr;
  }
  reduction found = nullptr;
  atomic::with_operation(name, s, [&]<class Operation> { found = reduce_all<Operation>; });
  return found;
}

void run_load(thread& t, std::uint64_t* r, operation const& o) {
  auto const& c = *static_cast<tensor_copy const*>(o.pointer);
  tensor_map const m = read_map(t, r, c);
  auto const at = coordinates(t, r, c, m, true);
  auto const load = [&](u64 address, std::byte* barrier) {
    place const to = shared_place(t, c, m, address);
    auto parts = std::make_shared<std::vector<asynchronous_part>>();
    for_each_run(m, at, offsets(r, c), address, false, [&](tensor_run const& run) {
      parts->push_back({.to = to.host + (s64(run.shared) - s64(address)),
                        .from = reinterpret_cast<std::byte const*>(run.global),
                        .size = run.size});
    });
    issue(t, {.size = u32(m.bytes()),
              .async_proxy = true,
              .barrier = barrier,
              .map = place_of_map(t, r, c),
              .parts = std::move(parts),
              .fill = fill_of(m),
              .convert = conversion_of(m)});
  };
  if (!c.multicasts) return load(c.shared.address(r), mbarrier_at(t, r, c.barrier));
  for_each_block(t, get<u16>(r, c.mask), c.name, [&](u32 rank) {
    load(in_block(c.shared.address(r), rank), c.barrier.at(t, in_block(c.barrier.address(r), rank), 8, 8));
  });
}

void run_store(thread& t, std::uint64_t* r, operation const& o) {
  auto const& c = *static_cast<tensor_copy const*>(o.pointer);
  tensor_map const m = read_map(t, r, c);
  reduction const reduce = c.operation.empty() ? nullptr : reduction_of(c.operation, m.type);
  if (!c.operation.empty() && !reduce)
    misuse(t, c,
           "." + std::string(c.operation) + " has no elements of the map's type " + name_of(m.type) +
               "; make the map with a type that the operation has");
  for (int i = 0; i < m.rank; ++i) {
    if (!m.is_of_pixels(i)) continue;
    int const lower = m.lower[m.corner(i)], upper = m.upper[m.corner(i)];
    if (lower < 0 || upper > 0)
      misuse(t, c,
             "the box of pixels is from " + std::to_string(lower) + " to " + std::to_string(upper) + " in dimension " +
                 std::to_string(i) +
                 ", which is beyond the tensor; where the tensor is written, use a map with corners of 0, or inside");
  }
  if (m.swizzle == tensor_swizzle::of_128_atoms_32_flip_8)
    misuse(t, c,
           "the map's swizzle flips 8 bytes, which PTX ISA allows only for copies to shared memory; use "
           "CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B, or none");
  u64 const address = c.shared.address(r);
  place const from = shared_place(t, c, m, address);
  auto parts = std::make_shared<std::vector<asynchronous_part>>();
  u32 size = 0;
  for_each_run(m, coordinates(t, r, c, m, false), offsets(r, c), address, true, [&](tensor_run const& run) {
    if (!run.global) return; // out of bounds
    parts->push_back({.to = reinterpret_cast<std::byte*>(run.global),
                      .from = from.host + (s64(run.shared) - s64(address)),
                      .size = run.size});
    size += run.size;
  });
  issue(t,
        {.size = size, .async_proxy = true, .reduce = reduce, .map = place_of_map(t, r, c), .parts = std::move(parts)});
}

/// A prefetch checks the map and changes nothing.
void run_prefetch(thread& t, std::uint64_t* r, operation const& o) {
  auto const& c = *static_cast<tensor_copy const*>(o.pointer);
  coordinates(t, r, c, read_map(t, r, c), true);
}

void take_rank(decoder& d, tensor_copy& c, bool is_store) {
  std::string_view const rank = d.take_one_of({"1d", "2d", "3d", "4d", "5d"});
  if (rank.empty()) d.reject("needs a number of dimensions: .1d to .5d");
  c.rank = u8(rank[0] - '0');
  c.offset.fill(d.slot_of(0));
  if (!d.take_one_of({"im2col::w", "im2col::w::128", "tile::gather4", "tile::scatter4"}).empty())
    d.reject("the emulator knows .tile, .im2col and .im2col_no_offs only");
  c.is_im2col = d.take(is_store ? "im2col_no_offs" : "im2col");
  if (c.is_im2col && c.rank < 3) d.reject(".im2col needs .3d to .5d");
  if (c.is_im2col) return;
  d.take("tile");
}

/// [map, {c0, c1, ...}]
void take_map(decoder& d, std::size_t index, tensor_copy& c) { c.map = d.tensor_address(index, {c.at, c.rank}); }

/// {w, h, d}: the offsets of im2col.
void take_offsets(decoder& d, std::size_t& next, tensor_copy& c) {
  if (!c.is_im2col) return;
  for_each_part(d, next++, c.rank - 2,
                [&](int i, ptx::operand const& part) { c.offset[std::size_t(i)] = d.source(part, ptx::scalar::u16); });
}

void take_store(decoder& d, tensor_copy& c) {
  take_rank(d, c, true);
  bool const policy = take_cache_hints(d);
  if (!d.take("global") || !d.take("shared::cta") || !d.take("bulk_group"))
    d.reject(
        "is from .shared::cta to .global with .bulk_group, or to shared memory with .mbarrier::complete_tx::bytes");
  take_map(d, 0, c);
  c.shared.operand = d.address(1);
  if (policy) take_cache_policy(d, 2);
  d.emit(interruptible_handler<run_store>()).pointer = d.keep(c);
}

} // namespace

void decode_tensor_copy(decoder& d) {
  tensor_copy c;
  if (d.take("prefetch")) {
    c.name = "cp.async.bulk.prefetch.tensor";
    take_rank(d, c, false);
    if (!d.take("L2") || !d.take("global")) d.reject("prefetches .L2.global only");
    bool const policy = take_cache_hints(d);
    take_map(d, 0, c);
    std::size_t next = 1;
    take_offsets(d, next, c);
    if (policy) take_cache_policy(d, next);
    d.emit(interruptible_handler<run_prefetch>()).pointer = d.keep(c);
    return;
  }
  if (!d.take("mbarrier::complete_tx::bytes")) return take_store(d, c);
  take_rank(d, c, false);
  std::string_view const to = d.take_one_of({"shared::cluster", "shared::cta"});
  if (to.empty() || !d.take("global"))
    d.reject("with an mbarrier it is from .global to .shared::cluster or .shared::cta");
  bool const policy = take_cache_hints(d);
  std::size_t next = 3;
  c.shared.operand = d.address(0);
  take_map(d, 1, c);
  c.barrier.operand = d.address(2);
  take_offsets(d, next, c);
  if (d.take("multicast::cluster")) {
    if (to != "shared::cluster") d.reject(".multicast::cluster is from .global to .shared::cluster");
    c.multicasts = true;
    c.mask = d.source(next++, ptx::scalar::u16);
  }
  if (policy) take_cache_policy(d, next);
  d.emit(interruptible_handler<run_load>()).pointer = d.keep(c);
}

void decode_tensor_reduction(decoder& d) {
  tensor_copy c;
  c.name = "cp.reduce.async.bulk.tensor";
  c.operation = d.take_one_of({"add", "min", "max", "inc", "dec", "and", "or", "xor"});
  if (c.operation.empty()) d.reject("needs an operation: .add .min .max .inc .dec .and .or .xor");
  take_store(d, c);
}

} // namespace emulator
