// SPDX-License-Identifier: Apache-2.0
#include "host_form.hpp"

#include <map>
#include <set>

namespace litmus_runner {

using namespace litmus;

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
      int const whole = whole_of(p, i.location);
      bool const modifies = is_read_modify_write(i.operation);
      memory_kind const memory = memory_of(p, where, whole);
      if (memory == memory_kind::global) {
        if (is_write(i.operation)) writers[whole].insert(where.threads[t].device);
        if (modifies) modified.insert(whole);
      }
      if (memory != memory_kind::mapped) continue;
      if (host && is_write(i.operation)) by_host.insert(whole);
      if (!host && modifies) by_device.insert(whole);
    }
  }
  for (int const location : by_device) needs.native_atomics |= by_host.count(location) != 0;
  for (int const location : modified) needs.peer_atomics |= writers[location].size() > 1;
  needs.native_atomics |= !p.objects.empty() && where.memory == memory_kind::mapped;
  needs.peer_atomics |= !p.objects.empty() && where.memory == memory_kind::global;
  return needs;
}

} // namespace litmus_runner
