// SPDX-License-Identifier: Apache-2.0
//
// atomicity_rules: the conditions of the memory model, as a function of facts.
//
// Every branch ends with one sentence and the attribute values that decided: those of the first device that does not
// meet the condition, or those of all devices if all meet it.
#include "atomicity.hpp"

#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace cudax::runtime {
namespace {

using attribute = int device_description::*;
using answer = atomicity_answer;

struct rules {
  access_facts const& access;
  memory_facts const& memory;
  std::span<device_facts const> devices;
  std::span<link_facts const> links;
  wording by;
  atomicity_description& result;
  char* text = result.reason;
  size_t size = sizeof(result.reason), used = 0;

  bool modifies() const { return access.operation == atomic_operation::read_modify_write; }

  // --- the reason ----------------------------------------------------------------------------------------------------

  [[gnu::format(printf, 2, 3)]] void append(char const* format, ...) {
    std::va_list arguments;
    va_start(arguments, format);
    int const length = std::vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
    used += static_cast<size_t>(length);
    if (used >= size) used = size - 1; // with many devices the text is cut
  }

  void conclude(answer is, char const* sentence) {
    result.answer = is;
    append("%s", sentence);
  }

  void value(device_facts const& device, attribute which, char const* name, char const* before) {
    append("%sdevice %d: %s %d", before, device.ordinal, name, device.attributes.*which);
  }
  /// Appends the attribute's values for all devices.
  void values(attribute which, char const* name) {
    char const* before = " (";
    for (device_facts const& device : devices) {
      value(device, which, name, before);
      before = ", ";
    }
    append(")");
  }
  /// Appends the attribute's value for one device.
  void value_of(device_facts const& device, attribute which, char const* name) {
    value(device, which, name, " (");
    append(")");
  }

  device_facts const* first_without(attribute which) const {
    for (device_facts const& device : devices)
      if (!(device.attributes.*which)) return &device;
    return nullptr;
  }

  // --- the conditions ------------------------------------------------------------------------------------------------

  void decide() {
    if (memory.type == memory_type::null)
      return conclude(answer::no, "the pointer is null; give the address of an object");
    switch (access.size) {
    case 1:
    case 2:
    case 4:
    case 8:
    case 16: break;
    default:
      append("an access of %zu bytes is not an atomic access; the sizes are 1, 2, 4, 8 and 16 bytes", access.size);
      return conclude(answer::no, "");
    }
    if (!access.aligned) {
      append("the object is not aligned to its %zu bytes; declare it with alignas(%zu)", access.size, access.size);
      return conclude(answer::no, "");
    }
    if (memory.type == memory_type::shared) return on_device("shared memory", &rules::shared);
    if (devices.empty()) return without_devices();
    switch (memory.type) {
    case memory_type::system_allocated:
    case memory_type::unregistered: return system_allocated();
    case memory_type::registered: return on_device("registered memory", &rules::mapped);
    case memory_type::mapped: return on_device("mapped memory", &rules::mapped);
    case memory_type::managed: return on_device("managed memory", &rules::managed);
    default: return on_device("device memory", &rules::device);
    }
  }

  void without_devices() {
    if (memory.type == memory_type::system_allocated || memory.type == memory_type::unregistered) {
      result.memory = memory_type::unregistered;
      return conclude(answer::yes, "host memory: no device takes part, and host threads share one coherent memory");
    }
    conclude(answer::no, "no device takes part, and without one there is no such memory");
  }

  /// For memory that devices access: the condition that holds for all such memory, then the rule of its kind.
  void on_device(char const* name, void (rules::*rule)()) {
    if (modifies() && access.size == 16)
      for (device_facts const& device : devices)
        if (device.attributes.compute_capability_major < 9) {
          append("%s: a read-modify-write of 16 bytes needs compute capability 9.0 (device %d: %d.%d)", name,
                 device.ordinal, device.attributes.compute_capability_major,
                 device.attributes.compute_capability_minor);
          return conclude(answer::no, "");
        }
    append("%s: ", name);
    if (access.narrower) return narrower();
    (this->*rule)();
  }
  void narrower() {
    conclude(answer::yes, "an operation of a scope other than thread_scope_system is atomic at its scope");
  }

  void shared() {
    conclude(answer::one_device_only,
             "only threads of its block or cluster reach it; the host has no pointer to it, and "
             "only device code can query it (isspacep)");
  }

  void system_allocated() {
    constexpr attribute pageable = &device_description::pageable_memory_access;
    bool reached = false;
    for (device_facts const& device : devices) reached |= device.attributes.*pageable != 0;
    if (!reached) {
      result.memory = memory_type::unregistered;
      append("unregistered host memory: ");
      if (access.narrower) return narrower();
      conclude(answer::host_only, "no device reaches it; make it accessible with registered<T>");
      return values(pageable, "pageable_memory_access");
    }
    result.memory = memory_type::system_allocated;
    on_device("system-allocated memory", &rules::pageable);
  }
  void pageable() {
    constexpr attribute pageable = &device_description::pageable_memory_access;
    constexpr attribute host_tables = &device_description::pageable_memory_access_uses_host_page_tables;
    if (device_facts const* const without = first_without(pageable)) {
      conclude(answer::host_only, "not every device reaches it; make it accessible with registered<T>");
      return value_of(*without, pageable, "pageable_memory_access");
    }
    if (by == wording::first) return cpu_memory();
    if (device_facts const* const without = first_without(host_tables); without && memory.pages != backing::process) {
      conclude(answer::no, memory.pages == backing::file
                               ? "in a mapped file, in shared memory or in hugetlbfs operations are atomic only where "
                                 "devices use the host's page tables; use memory of the process's own"
                               : "whether it is a mapped file, which devices must reach by the host's page tables, "
                                 "cannot be told; make /proc/self/maps and smaps readable");
      return value_of(*without, host_tables, "pageable_memory_access_uses_host_page_tables");
    }
    conclude(answer::yes, "every operation is atomic where devices access pageable memory");
    values(pageable, "pageable_memory_access");
    sixteen_bytes();
  }

  void mapped() {
    constexpr attribute can_map = &device_description::can_map_host_memory;
    if (device_facts const* const without = first_without(can_map)) {
      conclude(answer::host_only, "not every device reaches it");
      return value_of(*without, can_map, "can_map_host_memory");
    }
    cpu_memory();
  }
  /// Host memory that all devices access over the link.
  void cpu_memory() {
    constexpr attribute native = &device_description::host_native_atomic_supported;
    constexpr attribute partial = &device_description::only_partial_host_native_atomic_supported;
    device_facts const* const without = first_without(native);
    if (!without) {
      conclude(answer::yes, "every operation is atomic where the link between host and device supports native atomics");
      return values(native, "host_native_atomic_supported");
    }
    bool const mapped = memory.type == memory_type::mapped || memory.type == memory_type::registered;
    if (mapped && !modifies() && (access.size <= 8 || by == wording::current)) {
      conclude(answer::yes, by == wording::current ? "loads and stores of 1, 2, 4, 8 and 16 aligned bytes are atomic"
                                                   : "loads and stores of 1, 2, 4 and 8 aligned bytes are atomic");
      value_of(*without, native, "host_native_atomic_supported");
      return sixteen_bytes();
    }
    conclude(answer::one_device_only,
             modifies()
                 ? "a read-modify-write is atomic only where the link between host and device supports native "
                   "atomics; use managed memory, or let only the host or only one device modify the object"
                 : "these loads and stores are atomic only where the link between host and device supports native "
                   "atomics");
    value_of(*without, native, "host_native_atomic_supported");
    if (without->attributes.*partial)
      append(
          "; only_partial_host_native_atomic_supported is 1: cudaDeviceGetHostAtomicCapabilities names the operations "
          "that are");
  }

  void managed() {
    constexpr attribute concurrent = &device_description::concurrent_managed_access;
    if (device_facts const* const without = first_without(concurrent)) {
      conclude(answer::one_device_only,
               "host and device may not use it at the same time; wait for the kernels before the "
               "host touches it, or use mapped memory");
      return value_of(*without, concurrent, "concurrent_managed_access");
    }
    conclude(answer::yes, "every operation is atomic where host and device may use it at the same time");
    values(concurrent, "concurrent_managed_access");
    if (by == wording::current) sixteen_bytes();
  }

  /// Appends the model's note on accesses of 16 bytes without native atomics.
  void sixteen_bytes() {
    if (access.size == 16 && !modifies() && first_without(&device_description::host_native_atomic_supported))
      append("; 16 bytes at once need support by the system, which CUDA does not report and no known system lacks");
  }

  void device() {
    if (by == wording::first) return conclude(answer::devices_only, "only GPU threads reach it");
    bool others = false;
    for (device_facts const& device : devices) others |= device.ordinal != memory.device;
    if (!others) {
      append("it resides on device %d, the only device that takes part, and the host does not reach it", memory.device);
      return conclude(answer::devices_only, "");
    }
    for (link_facts const& link : links) {
      peer_description const& peer = link.attributes;
      if (peer.native_atomic_supported && peer.access_supported) continue;
      bool const reaches = peer.access_supported != 0;
      append("%s (from device %d to device %d: %s 0)",
             reaches
                 ? "operations of several devices on one object are atomic only where the link between them supports "
                   "native atomics"
                 : "not every device reaches it",
             link.source, link.destination, reaches ? "native_atomic_supported" : "access_supported");
      if (reaches && peer.only_partial_native_atomic_supported)
        append(
            "; only_partial_native_atomic_supported is 1: cudaDeviceGetP2PAtomicCapabilities names the operations that "
            "are");
      return conclude(answer::one_device_only, "");
    }
    conclude(answer::devices_only, "only GPU threads reach it, by links that support native atomics");
    char const* before = " (";
    for (link_facts const& link : links) {
      append("%sfrom device %d to device %d: native_atomic_supported 1", before, link.source, link.destination);
      before = ", ";
    }
    append(")");
  }
};

// --- the neighbours in the word --------------------------------------------------------------------------------------

struct neighbour_rules : rules {
  /// A device's read-modify-write of 1 or 2 bytes reads the whole word and writes it back. If that is not atomic with
  /// respect to another thread that stores to the word, a store to the other bytes of the word may be lost. This
  /// happens even if the object is used by one device alone or at a narrow scope, and the neighbour need not be atomic.
  /// Loads and stores access only their own bytes.
  void decide() {
    text = result.about_neighbours;
    size = sizeof(result.about_neighbours);
    if (!access.by_word || memory.beside == word_neighbours::unaffected) return;
    switch (result.memory) {
    case memory_type::registered:
    case memory_type::mapped:
      for (device_facts const& device : devices)
        if (device.attributes.can_map_host_memory && !device.attributes.host_native_atomic_supported) {
          lost("the host stores");
          return value_of(device, &device_description::host_native_atomic_supported, "host_native_atomic_supported");
        }
      return;
    case memory_type::system_allocated:
      if (memory.pages == backing::process) return;
      for (device_facts const& device : devices)
        if (device.attributes.pageable_memory_access &&
            !device.attributes.pageable_memory_access_uses_host_page_tables) {
          lost("the host stores");
          return value_of(device, &device_description::pageable_memory_access_uses_host_page_tables,
                          "pageable_memory_access_uses_host_page_tables");
        }
      return;
    case memory_type::device:
      for (link_facts const& link : links)
        if (link.attributes.access_supported && !link.attributes.native_atomic_supported) {
          lost("other devices store");
          return append(" (from device %d to device %d: native_atomic_supported 0)", link.source, link.destination);
        }
      return;
    default: return;
    }
  }

  void lost(char const* others_store) {
    result.neighbours = memory.beside;
    append("a device's read-modify-write of the object is one of the whole word of 4 bytes");
    if (access.address != 0) append(" at %#llx", static_cast<unsigned long long>(access.address & ~std::uintptr_t{3}));
    append(", and what %s to the word's other %zu bytes in the meantime may be lost; they %s give the object 4 bytes, "
           "or a struct alignas(4) around it, or managed memory",
           others_store, 4 - access.size,
           memory.beside == word_neighbours::other_objects ? "hold other objects:"
           : memory.beside == word_neighbours::same_object ? "belong to the same object or allocation: where they hold "
                                                             "anything,"
                                                           : "are unknown: where they hold anything,");
  }
};

} // namespace

word_neighbours beside(std::uintptr_t address, size_t size, shared_range const& range) noexcept {
  if (range.kind == sharing::none || range.object_size == 0) return word_neighbours::unknown;
  auto const object_at = [&](std::uintptr_t at) { return (at - range.begin) / range.object_size; };
  auto found = word_neighbours::unaffected;
  for (std::uintptr_t at = address & ~std::uintptr_t{3}, end = at + 4; at != end; ++at) {
    if (at >= address && at < address + size) continue;
    bool const is_in = at >= range.begin && at < range.end;
    // Beyond a registered range the program's other objects may follow; beyond an allocation of this library nothing
    // does.
    if (is_in ? object_at(at) != object_at(address) : range.kind == sharing::registered)
      return word_neighbours::other_objects;
    if (is_in) found = word_neighbours::same_object;
  }
  return found;
}

void decide(access_facts const& access, memory_facts const& memory, std::span<device_facts const> devices,
            std::span<link_facts const> links, wording by, atomicity_description& description) noexcept {
  description.memory = memory.type;
  description.reason[0] = description.about_neighbours[0] = 0;
  description.neighbours = word_neighbours::unaffected;
  rules{access, memory, devices, links, by, description}.decide();
  neighbour_rules{{access, memory, devices, links, by, description}}.decide();
}

} // namespace cudax::runtime
