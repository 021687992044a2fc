// SPDX-License-Identifier: Apache-2.0
//
// cvta: converts between generic addresses and those of a state space.  [PTX ISA, "cvta"]
//
// Only shared memory has its own addresses. Pointers past the end of an object are converted, too, and nothing is
// checked.
#include "support/memory/cluster_address.hpp"
#include "support/memory/qualifiers.hpp"

namespace emulator {

namespace {

void same(std::uint64_t* r, operation const& o) { r[o.d] = r[o.a]; }

void shared_to_generic(thread& t, std::uint64_t* r, operation const& o) { r[o.d] = generic_address(t, r[o.a]); }

void generic_to_shared(thread& t, std::uint64_t* r, operation const& o) { r[o.d] = window_address(t, r[o.a]); }

void decode(decoder& d) {
  bool const to = d.take("to");
  ptx::space const space = take_space(
      d, {ptx::space::global, ptx::space::shared, ptx::space::local, ptx::space::constant, ptx::space::param});
  if (space == ptx::space::none) d.reject("names no state space");
  d.take_type({ptx::scalar::u64});
  slot const destination = d.destination(0), source = d.source(1, ptx::scalar::u64);
  if (space != ptx::space::shared) d.emit(computes<same>, destination, source);
  else d.emit(to ? accesses<generic_to_shared> : accesses<shared_to_generic>, destination, source);
}

definition const
    cvta("cvta", ".to; .global .shared .shared::cta .shared::cluster .local .const .param .param::entry; .u64", decode);

} // namespace

} // namespace emulator
