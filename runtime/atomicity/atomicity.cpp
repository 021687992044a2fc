// SPDX-License-Identifier: Apache-2.0
//
// atomicity: collects the facts of this machine that decide whether an operation is atomic, and applies the rules to
// them.
#include "atomicity.hpp"
#include "../memory/shared_ranges.hpp"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>
#include <vector>

namespace cudax::runtime {
namespace {

constexpr char const* where = "atomicity";

char const* name(atomicity_answer answer) noexcept {
  switch (answer) {
  case atomicity_answer::no: return "no";
  case atomicity_answer::host_only: return "among host threads only";
  case atomicity_answer::one_device_only: return "on one GPU only";
  case atomicity_answer::devices_only: return "among GPU threads only";
  default: return "yes";
  }
}

/// Collects facts from CUDA. After a failure, the facts collected so far remain.
struct facts {
  failure& why;
  std::vector<device_facts> devices{};
  std::vector<link_facts> links{};

  bool worked() const noexcept { return why.code == cuda::success; }

  void gather_devices(atomicity_query const& question) {
    size_t const count = question.device_count ? question.device_count : static_cast<size_t>(count_devices(why));
    for (size_t i = 0; i < count && worked(); ++i) {
      int const ordinal = question.device_count ? question.devices[i] : static_cast<int>(i);
      device_facts& device = devices.emplace_back();
      device.ordinal = ordinal;
      if (int const code = calls().describe_device(&device.attributes, ordinal))
        fail_in_cuda(why, code, "%s: the attributes of device %d cannot be queried", where, ordinal);
    }
  }

  void gather_links(int destination) {
    for (device_facts const& device : devices) {
      if (device.ordinal == destination) continue;
      link_facts& link = links.emplace_back();
      link.source = device.ordinal;
      link.destination = destination;
      if (int const code = calls().describe_peer(&link.attributes, device.ordinal, destination))
        return fail_in_cuda(why, code, "%s: the attributes of the link from device %d to device %d cannot be queried",
                            where, device.ordinal, destination);
    }
  }

  memory_facts memory_at(void const* address) {
    if (!address) return {memory_type::null};
    if (devices.empty()) return {memory_type::unregistered}; // there is no CUDA to query
    memory_owner owner = memory_owner::unregistered;
    int device = -1;
    if (int const code = calls().owner(&owner, &device, address)) {
      fail_in_cuda(why, code, "%s: %p: CUDA cannot report the owner of this memory", where, address);
      return {memory_type::null};
    }
    switch (owner) {
    case memory_owner::managed: return {memory_type::managed};
    case memory_owner::device: return {memory_type::device, device};
    case memory_owner::host:
      return {find_shared(address).kind == sharing::registered ? memory_type::registered : memory_type::mapped};
    default: break;
    }
    // Read the map of the process only if the result depends on it: reading it is slow.
    bool may_matter = false;
    for (device_facts const& each : devices)
      may_matter |=
          each.attributes.pageable_memory_access && !each.attributes.pageable_memory_access_uses_host_page_tables;
    return {.type = memory_type::system_allocated, .pages = may_matter ? backing_of(address) : backing::process};
  }
};

/// The values of cudax::thread_scope, as in arch/select.hpp; tests/std/atomic/aliases.compile.cpp states them.
enum thread_scope : int { scope_system, scope_device, scope_block, scope_thread, scope_cluster };
bool is_scope(int scope) noexcept { return scope >= scope_system && scope <= scope_cluster; }

/// Devices have no read-modify-write of 1 or 2 bytes and use the word around the object; at the scope of one thread
/// they load and store the object itself.
bool is_by_word(atomicity_query const& question) noexcept {
  return question.operation == atomic_operation::read_modify_write && (question.size == 1 || question.size == 2) &&
         question.scope != scope_thread;
}

bool check(atomicity_query const& question, failure& why) noexcept {
  if (is_scope(question.scope) &&
      (question.operation == atomic_operation::load_store || question.operation == atomic_operation::read_modify_write))
    return true;
  fail(why, cuda::invalid_value,
       "%s: operation %d at scope %d does not exist; use the enumerators of atomic_operation and thread_scope", where,
       static_cast<int>(question.operation), question.scope);
  return false;
}

/// `address` is 0 if there is no object.
template <class Memory>
void find(atomicity_query const& question, std::uintptr_t address, atomicity_description& description, failure& why,
          Memory memory_of) noexcept {
  bool const aligned = question.size == 0 || address % question.size == 0;
  if (!check(question, why)) return;
  try {
    facts found{why};
    found.gather_devices(question);
    memory_facts const memory = found.worked() ? memory_of(found) : memory_facts{memory_type::null};
    if (found.worked() && memory.type == memory_type::device && !found.devices.empty())
      found.gather_links(memory.device);
    if (!found.worked()) return;
    access_facts const access{.operation = question.operation,
                              .size = question.size,
                              .aligned = aligned,
                              .narrower = question.scope != scope_system,
                              .by_word = aligned && is_by_word(question),
                              .address = address};
    decide(access, memory, found.devices, found.links, wording::current, description);
    atomicity_description first;
    decide(access, memory, found.devices, found.links, wording::first, first);
    auto const append = [&](char const* before, char const* text) {
      size_t const used = std::strlen(description.reason);
      std::snprintf(description.reason + used, sizeof(description.reason) - used, "%s%s", before, text);
    };
    if (first.answer != description.answer)
      append("; by the first wording of the memory model, which is HIP's: ", name(first.answer));
    if (description.neighbours != word_neighbours::unaffected) append("; ", description.about_neighbours);
  } catch (std::bad_alloc const&) {
    fail(why, cuda::memory_allocation, "%s: no memory for the attributes of the devices; free memory", where);
  }
}

} // namespace

void find_atomicity(void const volatile* address, atomicity_query const& question, atomicity_description& description,
                    failure& why) noexcept {
  auto const number = reinterpret_cast<std::uintptr_t>(address);
  find(question, number, description, why, [&](facts& found) {
    memory_facts memory = found.memory_at(const_cast<void const*>(address));
    if (is_by_word(question)) memory.beside = beside(number, question.size, find_shared(address));
    return memory;
  });
}

void find_atomicity(memory_type type, atomicity_query const& question, atomicity_description& description,
                    failure& why) noexcept {
  find(question, 0, description, why, [&](facts& found) {
    bool const lies_on_device = type == memory_type::device && !found.devices.empty();
    return memory_facts{type, lies_on_device ? found.devices.front().ordinal : -1};
  });
}

} // namespace cudax::runtime
