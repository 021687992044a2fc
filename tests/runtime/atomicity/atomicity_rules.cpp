// SPDX-License-Identifier: Apache-2.0
//
// The rules of atomicity, over a table of machines and against the conditions of the memory model.
#include "../../../runtime/atomicity/atomicity.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <string>
#include <vector>

using namespace cudax;
using namespace cudax::runtime;

namespace {

constexpr auto load_store = atomic_operation::load_store;
constexpr auto modify = atomic_operation::read_modify_write;
using type = memory_type;
using answer = atomicity_answer;

/// What a device has, as a set of bits.
using features = unsigned;
constexpr features host_atomics = 1;          // native atomics with the host
constexpr features some_host_atomics = 2;     // some of them
constexpr features concurrent_managed = 4;    // concurrent managed access
constexpr features pageable = 8;              // pageable memory access
constexpr features host_page_tables = 16;     // pageable memory access by the host's page tables
constexpr features host_mapping = 32;         // mapped host memory
constexpr features compute_capability_9 = 64; // compute capability 9.0 instead of 8.0
constexpr features all_features = 127;

device_facts device(int ordinal, features has) {
  device_facts made{ordinal, {}};
  auto& d = made.attributes;
  d.compute_capability_major = has & compute_capability_9 ? 9 : 8;
  d.host_native_atomic_supported = (has & host_atomics) != 0;
  d.only_partial_host_native_atomic_supported = (has & some_host_atomics) != 0;
  d.concurrent_managed_access = (has & concurrent_managed) != 0;
  d.pageable_memory_access = (has & pageable) != 0;
  d.pageable_memory_access_uses_host_page_tables = (has & host_page_tables) != 0;
  d.can_map_host_memory = (has & host_mapping) != 0;
  return made;
}

// A GPU on PCIe: H100, A100.
constexpr features bus = concurrent_managed | host_mapping | compute_capability_9;
// The same if the kernel migrates pages.
constexpr features hmm = bus | pageable;
// A cache-coherent link: Grace Hopper, POWER9.
constexpr features coherent = hmm | host_atomics | host_page_tables;
// Managed memory for one side at a time: Windows, Maxwell.
constexpr features old_driver = host_mapping | compute_capability_9;
// A link that has some of the operations.
constexpr features some = bus | some_host_atomics;
// The same devices as compute capability 8.0, and one that cannot map host memory.
constexpr features bus_8 = bus & ~compute_capability_9, coherent_8 = coherent & ~compute_capability_9;
constexpr features no_mapping = bus & ~host_mapping;

struct machine {
  std::vector<features> devices;
  std::vector<link_facts> links{};
  int resident = 0;
  bool file = false;
};

atomicity_description decide_on(machine const& m, type memory, atomic_operation operation, size_t size, wording by,
                                bool aligned = true, bool narrower = false) {
  std::vector<device_facts> devices;
  devices.reserve(m.devices.size());
  for (features const has : m.devices) devices.push_back(device(int(devices.size()), has));
  atomicity_description result;
  decide({operation, size, aligned, narrower}, {memory, m.resident, m.file ? backing::file : backing::process}, devices,
         m.links, by, result);
  return result;
}

struct row {
  type memory;
  atomic_operation operation;
  size_t size;
  machine on;
  answer current;
  answer first;
  char const* reason; // part of the reason under the current wording
};

constexpr link_facts unlinked{1, 0, {0, 0, 0}}, out_of_reach{1, 0, {0, 1, 0}}, reached{1, 0, {1, 0, 0}},
    partly{1, 0, {1, 0, 1}}, linked{1, 0, {1, 1, 0}}, second_reached{2, 0, {1, 0, 0}}, second_linked{2, 0, {1, 1, 0}};

// clang-format off
std::vector<row> const table = {
  // one device on a bus
  {type::mapped,     load_store,  1, {{bus}}, answer::yes, answer::yes, "loads and stores of 1, 2, 4, 8 and 16 aligned bytes are atomic (device 0: host_native_atomic_supported 0)"},
  {type::mapped,     load_store,  8, {{bus}}, answer::yes, answer::yes, "loads and stores"},
  {type::mapped,     load_store, 16, {{bus}}, answer::yes, answer::one_device_only, "16 bytes at once need support by the system"},
  {type::mapped,     modify,      4, {{bus}}, answer::one_device_only, answer::one_device_only, "mapped memory: a read-modify-write is atomic only where the link between host and device supports native atomics; use managed memory, or let only the host or only one device modify the object (device 0: host_native_atomic_supported 0)"},
  {type::mapped,     modify,     16, {{bus}}, answer::one_device_only, answer::one_device_only, "host_native_atomic_supported 0"},
  {type::registered, load_store,  4, {{bus}}, answer::yes, answer::yes, "registered memory: loads and stores"},
  {type::registered, modify,      4, {{bus}}, answer::one_device_only, answer::one_device_only, "registered memory: a read-modify-write"},
  {type::managed,    load_store,  4, {{bus}}, answer::yes, answer::yes, "managed memory: every operation is atomic where host and device may use it at the same time (device 0: concurrent_managed_access 1)"},
  {type::managed,    load_store, 16, {{bus}}, answer::yes, answer::yes, "16 bytes at once need support by the system"},
  {type::managed,    modify,      2, {{bus}}, answer::yes, answer::yes, "concurrent_managed_access 1"},
  {type::managed,    modify,     16, {{bus}}, answer::yes, answer::yes, "concurrent_managed_access 1"},
  {type::device,     load_store,  4, {{bus}}, answer::devices_only, answer::devices_only, "it resides on device 0, the only device that takes part"},
  {type::device,     modify,      4, {{bus}}, answer::devices_only, answer::devices_only, "the host does not reach it"},
  {type::shared,     modify,      4, {{bus}}, answer::one_device_only, answer::one_device_only, "the host has no pointer to it"},
  {type::system_allocated, load_store, 4, {{bus}}, answer::host_only, answer::host_only, "unregistered host memory: no device reaches it; make it accessible with registered<T> (device 0: pageable_memory_access 0)"},
  {type::unregistered,     modify,     4, {{bus}}, answer::host_only, answer::host_only, "pageable_memory_access 0"},
  // other devices
  {type::mapped,     modify,      4, {{some}}, answer::one_device_only, answer::one_device_only, "(device 0: host_native_atomic_supported 0); only_partial_host_native_atomic_supported is 1: cudaDeviceGetHostAtomicCapabilities names"},
  {type::mapped,     modify,      4, {{coherent}}, answer::yes, answer::yes, "supports native atomics (device 0: host_native_atomic_supported 1)"},
  {type::mapped,     load_store, 16, {{coherent}}, answer::yes, answer::yes, "host_native_atomic_supported 1"},
  {type::mapped,     load_store,  4, {{no_mapping}}, answer::host_only, answer::host_only, "not every device reaches it (device 0: can_map_host_memory 0)"},
  {type::managed,    load_store,  4, {{old_driver}}, answer::one_device_only, answer::one_device_only, "(device 0: concurrent_managed_access 0)"},
  {type::managed,    modify,      4, {{old_driver}}, answer::one_device_only, answer::one_device_only, "wait for the kernels before the host touches it"},
  {type::system_allocated, modify,      8, {{hmm}}, answer::yes, answer::one_device_only, "system-allocated memory: every operation is atomic where devices access pageable memory (device 0: pageable_memory_access 1)"},
  {type::system_allocated, load_store, 16, {{hmm}}, answer::yes, answer::one_device_only, "16 bytes at once need support by the system"},
  {type::system_allocated, load_store,  4, {{hmm}, {}, 0, true}, answer::no, answer::one_device_only, "hugetlbfs operations are atomic only where devices use the host's page tables; use memory of the process's own (device 0: pageable_memory_access_uses_host_page_tables 0)"},
  {type::system_allocated, modify,      4, {{hmm}, {}, 0, true}, answer::no, answer::one_device_only, "pageable_memory_access_uses_host_page_tables 0"},
  {type::system_allocated, modify,      4, {{coherent}, {}, 0, true}, answer::yes, answer::yes, "pageable_memory_access 1"},
  {type::system_allocated, modify,      4, {{coherent}}, answer::yes, answer::yes, "pageable_memory_access 1"},
  {type::unregistered,     modify,      4, {{coherent}}, answer::yes, answer::yes, "system-allocated memory"},
  // 16 bytes in an SM that cannot modify them
  {type::mapped,     modify,     16, {{coherent_8}}, answer::no, answer::no, "a read-modify-write of 16 bytes needs compute capability 9.0 (device 0: 8.0)"},
  {type::managed,    modify,     16, {{coherent_8}}, answer::no, answer::no, "compute capability 9.0"},
  {type::managed,    load_store, 16, {{coherent_8}}, answer::yes, answer::yes, "concurrent_managed_access 1"},
  {type::device,     modify,     16, {{bus, bus_8}, {linked}}, answer::no, answer::no, "(device 1: 8.0)"},
  // several devices
  {type::device,     modify,      4, {{bus, bus}, {linked}}, answer::devices_only, answer::devices_only, "only GPU threads reach it, by links that support native atomics (from device 1 to device 0: native_atomic_supported 1)"},
  {type::device,     modify,      4, {{bus, bus}, {reached}}, answer::one_device_only, answer::devices_only, "(from device 1 to device 0: native_atomic_supported 0)"},
  {type::device,     load_store,  4, {{bus, bus}, {reached}}, answer::one_device_only, answer::devices_only, "native_atomic_supported 0"},
  {type::device,     modify,      4, {{bus, bus}, {partly}}, answer::one_device_only, answer::devices_only, "only_partial_native_atomic_supported is 1: cudaDeviceGetP2PAtomicCapabilities names"},
  {type::device,     modify,      4, {{bus, bus}, {unlinked}}, answer::one_device_only, answer::devices_only, "not every device reaches it (from device 1 to device 0: access_supported 0)"},
  {type::device,     modify,      4, {{bus, bus}, {out_of_reach}}, answer::one_device_only, answer::devices_only, "access_supported 0"},
  {type::device,     modify,      4, {{bus, bus, bus}, {linked, second_linked}}, answer::devices_only, answer::devices_only, "from device 2 to device 0: native_atomic_supported 1"},
  {type::device,     modify,      4, {{bus, bus, bus}, {linked, second_reached}}, answer::one_device_only, answer::devices_only, "from device 2 to device 0: native_atomic_supported 0"},
  {type::mapped,     modify,      4, {{coherent, bus}}, answer::one_device_only, answer::one_device_only, "(device 1: host_native_atomic_supported 0)"},
  {type::mapped,     modify,      4, {{coherent, coherent}}, answer::yes, answer::yes, "(device 0: host_native_atomic_supported 1, device 1: host_native_atomic_supported 1)"},
  {type::managed,    modify,      4, {{bus, old_driver}}, answer::one_device_only, answer::one_device_only, "(device 1: concurrent_managed_access 0)"},
  {type::system_allocated, load_store, 4, {{hmm, bus}}, answer::host_only, answer::host_only, "not every device reaches it; make it accessible with registered<T> (device 1: pageable_memory_access 0)"},
  // none
  {type::system_allocated, modify,     4, {{}}, answer::yes, answer::yes, "no device takes part"},
  {type::unregistered,     modify,    16, {{}}, answer::yes, answer::yes, "host threads share one coherent memory"},
  {type::mapped,           load_store, 4, {{}}, answer::no, answer::no, "without one there is no such memory"},
  // no atomic access at all
  {type::null,   load_store, 4, {{bus}}, answer::no, answer::no, "the pointer is null"},
  {type::mapped, load_store, 3, {{bus}}, answer::no, answer::no, "an access of 3 bytes is not an atomic access; the sizes are 1, 2, 4, 8 and 16 bytes"},
  {type::mapped, load_store, 0, {{bus}}, answer::no, answer::no, "an access of 0 bytes"},
  {type::managed, modify,   32, {{bus}}, answer::no, answer::no, "an access of 32 bytes"},
};
// clang-format on

template <class F> void for_all_accesses(F f) {
  for (type const memory : {type::system_allocated, type::registered, type::mapped, type::managed, type::device})
    for (atomic_operation const operation : {load_store, modify})
      for (size_t const size : {1, 2, 4, 8, 16})
        for (bool const file : {false, true}) f(memory, operation, size, file);
}

} // namespace

BOOST_AUTO_TEST_SUITE(atomicity_rules)

BOOST_AUTO_TEST_CASE(the_answers_match_the_table_of_machines) {
  for (size_t i = 0; i < table.size(); ++i) {
    row const& r = table[i];
    auto const current = decide_on(r.on, r.memory, r.operation, r.size, wording::current);
    auto const first = decide_on(r.on, r.memory, r.operation, r.size, wording::first);
    std::string const reason = current.reason;
    BOOST_TEST(int(current.answer) == int(r.current), "row " << i << " is " << int(current.answer) << ": " << reason);
    BOOST_TEST(int(first.answer) == int(r.first),
               "row " << i << ", first wording: " << int(first.answer) << ": " << first.reason);
    BOOST_TEST(reason.find(r.reason) != reason.npos, "row " << i << ": " << reason);
  }
}

BOOST_AUTO_TEST_CASE(pages_of_unknown_backing_count_as_a_file) {
  for (auto const& [has, is] : {std::pair(hmm, answer::no), std::pair(coherent, answer::yes)}) {
    device_facts const devices[] = {device(0, has)};
    atomicity_description d;
    decide({modify, 4, true, false}, {type::system_allocated, -1, backing::unknown}, devices, {}, wording::current, d);
    BOOST_TEST((d.answer == is), d.reason);
    BOOST_TEST((std::string(d.reason).find("make /proc/self/maps and smaps readable") != std::string::npos) ==
               (is == answer::no));
  }
}

BOOST_AUTO_TEST_CASE(a_misaligned_object_is_never_atomic) {
  for_all_accesses([](type memory, atomic_operation operation, size_t size, bool) {
    auto const d = decide_on({{coherent}}, memory, operation, size, wording::current, false);
    BOOST_TEST((d.answer == answer::no));
    BOOST_TEST(std::string(d.reason) == "the object is not aligned to its " + std::to_string(size) +
                                            " bytes; declare it with alignas(" + std::to_string(size) + ")");
  });
}

BOOST_AUTO_TEST_CASE(a_narrower_scope_is_atomic_where_the_access_exists) {
  for (features has = 0; has <= all_features; ++has)
    for_all_accesses([&](type memory, atomic_operation operation, size_t size, bool file) {
      auto const d = decide_on({{has}, {}, 0, file}, memory, operation, size, wording::current, true, true);
      bool const reached = memory != type::system_allocated || (has & pageable) != 0;
      bool const exists = size != 16 || operation == load_store || (has & compute_capability_9) != 0;
      BOOST_TEST((d.answer == answer::yes) == (exists || !reached), has << ": " << d.reason);
    });
}

// The conditions of the memory model, written out for one device and system scope.
BOOST_AUTO_TEST_CASE(the_answer_is_yes_exactly_if_a_condition_of_the_model_holds) {
  size_t checked = 0;
  for (features has = 0; has <= all_features; ++has)
    for_all_accesses([&](type memory, atomic_operation operation, size_t size, bool file) {
      auto const is = [&](features feature) { return (has & feature) != 0; };
      bool const page_locked = memory == type::mapped || memory == type::registered;
      bool const exists = size != 16 || operation == load_store || is(compute_capability_9);
      // A device that cannot access the memory does not count.
      bool const reaches = page_locked ? is(host_mapping) : memory == type::system_allocated ? is(pageable) : true;

      bool const current = (memory == type::system_allocated && is(pageable) && (is(host_page_tables) || !file)) ||
                           (memory == type::managed && is(concurrent_managed)) || (page_locked && is(host_atomics)) ||
                           (page_locked && operation == load_store);
      bool const cpu_memory = page_locked || memory == type::system_allocated;
      bool const first = (memory == type::managed && is(concurrent_managed)) || (cpu_memory && is(host_atomics)) ||
                         (page_locked && operation == load_store && size <= 8);
      for (auto const& [by, holds] : {std::pair(wording::current, current), std::pair(wording::first, first)}) {
        auto const d = decide_on({{has}, {}, 0, file}, memory, operation, size, by);
        BOOST_TEST((d.answer == answer::yes) == (holds && exists && reaches),
                   has << ", memory " << int(memory) << ", size " << size << ": " << d.reason);
        ++checked;
      }
    });
  BOOST_TEST(checked == 2u * 128 * 5 * 2 * 5 * 2);
}

BOOST_AUTO_TEST_CASE(a_load_or_store_is_atomic_wherever_a_read_modify_write_is) {
  for (features has = 0; has <= all_features; ++has)
    for_all_accesses([&](type memory, atomic_operation, size_t size, bool file) {
      for (wording const by : {wording::first, wording::current}) {
        auto const modified = decide_on({{has}, {}, 0, file}, memory, modify, size, by);
        auto const loaded = decide_on({{has}, {}, 0, file}, memory, load_store, size, by);
        BOOST_TEST(int(loaded.answer) >= int(modified.answer),
                   has << ": " << modified.reason << " / " << loaded.reason);
      }
    });
}

BOOST_AUTO_TEST_CASE(an_additional_attribute_never_weakens_the_answer) {
  for (features has = 0; has <= all_features; ++has)
    for (features const added :
         {host_atomics, concurrent_managed, pageable, host_page_tables, host_mapping, compute_capability_9}) {
      if (has & added) continue;
      if (added == pageable) continue; // a device that can access more memory counts in more cases
      if (added == host_mapping) continue;
      for_all_accesses([&](type memory, atomic_operation operation, size_t size, bool file) {
        auto const less = decide_on({{has}, {}, 0, file}, memory, operation, size, wording::current);
        auto const more = decide_on({{has | added}, {}, 0, file}, memory, operation, size, wording::current);
        BOOST_TEST(int(more.answer) >= int(less.answer), has << " + " << added << ": " << more.reason);
      });
    }
}

BOOST_AUTO_TEST_CASE(the_reason_for_many_devices_is_truncated_and_terminated) {
  machine many;
  for (int i = 0; i < 64; ++i) many.devices.push_back(bus);
  auto const d = decide_on(many, type::managed, modify, 4, wording::current);
  BOOST_TEST((d.answer == answer::yes));
  BOOST_TEST(std::string(d.reason).size() == sizeof(d.reason) - 1);
}

BOOST_AUTO_TEST_SUITE_END()
