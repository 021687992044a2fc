// SPDX-License-Identifier: Apache-2.0
//
// scopes: which threads a scope includes, and which memory a placement means.
#include "program.hpp"

namespace litmus {

bool includes(scope s, where const& a, where const& b) {
  if (s == scope::system) return true;
  if (a.host || b.host) return a.host && b.host && s == scope::device; // the host's threads are as those of one device
  switch (s) {
  case scope::block: return a.block == b.block;
  case scope::cluster: return a.cluster == b.cluster;
  default: return a.device == b.device;
  }
}

scope narrowest_scope(std::vector<where> const& threads) {
  for (scope const s : {scope::block, scope::cluster, scope::device}) {
    bool all = true;
    for (where const& a : threads)
      for (where const& b : threads) all &= includes(s, a, b);
    if (all) return s;
  }
  return scope::system;
}

memory_kind memory_of(program const& p, placement const& where, int location) {
  return p.locations[size_t(whole_of(p, location))].memory.value_or(where.memory);
}

int whole_of(program const& p, int location) {
  auto const& part = p.locations[size_t(location)].part_of;
  return part ? part->parent : location;
}

} // namespace litmus
