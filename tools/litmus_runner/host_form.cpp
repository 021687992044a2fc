// SPDX-License-Identifier: Apache-2.0
#include "host_form.hpp"

#include <map>
#include <set>

namespace litmus_runner {

namespace {

using namespace litmus;

/// The location that has all bytes of another one.
int root_of(program const& p, int location) {
  auto const& l = p.locations[std::size_t(location)];
  return l.part_of ? l.part_of->parent : location;
}

bool modifies(operation o) {
  return o == operation::exchange || o == operation::fetch_add || o == operation::store_add ||
         o == operation::compare_exchange;
}

} // namespace

std::string host_form::load(access const& a) {
  if (a.elements > 1 && a.size == 16) return a.result + " = load_by_vector(" + a.address + ");";
  return library_form::load(a);
}

std::string host_form::store(access const& a) {
  if (a.elements > 1 && a.size == 16) return "store_by_vector(" + a.address + ", " + a.value + ");";
  return library_form::store(a);
}

needs_of_host needs_of(program const& p, placement const& where) {
  needs_of_host needs;
  std::set<int> by_device, by_host;     // locations in mapped memory that the device modifies, and that the host writes
  std::map<int, std::set<int>> writers; // of locations in global memory: devices
  std::set<int> modified;               // locations in global memory
  for (std::size_t t = 0; t < p.threads.size(); ++t) {
    bool const host = where.threads[t].host;
    for (auto const& i : p.threads[t].instructions) {
      needs.waits |= !host && (i.until || i.operation == operation::wait || i.operation == operation::call);
      if (i.location < 0) continue;
      int const root = root_of(p, i.location);
      bool const writes = i.operation == operation::store || modifies(i.operation);
      if (memory_of(p, where, root) == memory_kind::global) {
        if (writes) writers[root].insert(where.threads[t].device);
        if (modifies(i.operation)) modified.insert(root);
      }
      if (memory_of(p, where, root) != memory_kind::mapped) continue;
      if (host && writes) by_host.insert(root);
      if (!host && modifies(i.operation)) by_device.insert(root);
    }
  }
  for (int const location : by_device) needs.native_atomics |= by_host.count(location) != 0;
  for (int const location : modified) needs.peer_atomics |= writers[location].size() > 1;
  needs.native_atomics |= !p.objects.empty() && where.memory == memory_kind::mapped;
  needs.peer_atomics |= !p.objects.empty() && where.memory == memory_kind::global;
  return needs;
}

} // namespace litmus_runner
