// SPDX-License-Identifier: Apache-2.0
//
// prefetch: loads memory into a cache, which changes no result.  [PTX ISA, "prefetch"]
// As on an H100, any address will do, also one without memory or of no map, but that of a map must be aligned.
#include "support/memory/access.hpp"
#include "support/memory/qualifiers.hpp"

namespace emulator {

namespace {

constexpr u64 map_size = 128, map_alignment = 64;

void run_map(thread& t, std::uint64_t* r, operation const& o) {
  u64 const address = r[o.a] + u64(o.offset);
  if (address % map_alignment) misaligned_address(t, address, map_size, map_alignment);
}

void decode(decoder& d) {
  bool const tensormap = d.take("tensormap");
  std::string_view const level = d.take_one_of({"L1", "L2", "L2::evict_last", "L2::evict_normal"});
  if (level.empty() != tensormap)
    d.reject("needs a level: .L1, .L2, .L2::evict_last, .L2::evict_normal, or .tensormap");
  if (tensormap) take_space(d, {ptx::space::constant, ptx::space::param});
  else take_space(d, {ptx::space::global, ptx::space::local});
  memory_operand const address = d.address(0);
  if (tensormap) d.emit(accesses<run_map>, 0, address.base).offset = address.offset;
}

definition const definition_of_prefetch(
    "prefetch", "generic .global .local .L1 .L2, .L2::evict_last .L2::evict_normal; .tensormap, .const .param", decode);

} // namespace

} // namespace emulator
