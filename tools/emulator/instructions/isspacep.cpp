// SPDX-License-Identifier: Apache-2.0
//
// isspacep: whether a generic address is in a state space.  [PTX ISA, "isspacep"]
//
// Global is every address that no other window contains. Parameters of a kernel are in the launch's buffer.
#include "support/memory/cluster_address.hpp"
#include "support/memory/qualifiers.hpp"

#include "../machine/grid.hpp"

namespace emulator {

namespace {

bool is_cta_shared(thread const& t, u64 address) {
  return address - reinterpret_cast<u64>(t.block->shared) < t.block->shared_size;
}

bool is_of_parameter(thread const& t, u64 address) { return is_parameter(t, address, 1); }

bool is_global(thread const& t, u64 address) {
  return !is_in_cluster_window(t, address) && !is_local(t, address) && !is_of_parameter(t, address);
}

template <bool (*F)(thread const&, u64)>
void run(thread& t, std::uint64_t* r, operation const& o) {
  r[o.d] = F(t, r[o.a]);
}

void decode(decoder& d) {
  std::string_view const space =
      d.take_one_of({"global", "shared", "shared::cta", "shared::cluster", "local", "param", "param::entry"});
  if (space.empty()) d.reject("names no state space that can be asked for");
  if (space == "shared::cluster") needs_sm(d, 90, ".shared::cluster");
  slot const destination = d.destination(0), address = d.source(1, ptx::scalar::u64);
  d.emit(space == "global"            ? accesses<run<is_global>>
         : space == "local"           ? accesses<run<is_local>>
         : space == "shared::cluster" ? accesses<run<is_in_cluster_window>>
         : space.starts_with("param") ? accesses<run<is_of_parameter>>
                                      : accesses<run<is_cta_shared>>,
         destination, address);
}

definition const isspacep("isspacep", ".global .shared .shared::cta .shared::cluster .local .param .param::entry",
                          decode);

} // namespace

} // namespace emulator
