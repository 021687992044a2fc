// SPDX-License-Identifier: Apache-2.0
//
// atomicity() on a simulated machine: how it classifies a pointer, which devices it queries, and what it reports when
// CUDA fails. The rules that it applies to these facts: atomicity_rules.cpp.
#include "../../../runtime/atomicity/atomicity.hpp"
#include "../simulated/failing_heap.hpp"
#include "../simulated/simulated_machine.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>
#include <vector>

import cudax.sync;
import cudax.sync.host;

namespace cuda = cudax::runtime::cuda;
using cudax::atomicity_answer;
using cudax::memory_type;
using cudax::runtime::memory_owner;

namespace {

constexpr auto load_store = cudax::atomic_operation::load_store;
constexpr auto modify = cudax::atomic_operation::read_modify_write;
constexpr auto system_scope = cudax::thread_scope_system;

/// GPUs on PCIe; tests change the attributes as needed.
struct fixture : cudax_test::simulated_machine {
  fixture() { make_devices(1); }
  void make_devices(int count) {
    devices = count;
    for (int i = 0; i < count; ++i) {
      auto& d = described[i] = {};
      d.compute_capability_major = 9;
      d.unified_addressing = d.can_map_host_memory = d.can_use_host_pointer_for_registered_mem = 1;
      d.concurrent_managed_access = 1;
    }
  }
};

bool has(std::string const& text, char const* part) { return text.find(part) != text.npos; }

} // namespace

BOOST_FIXTURE_TEST_SUITE(atomicity, fixture)

BOOST_AUTO_TEST_CASE(the_kind_of_memory_is_determined_from_the_pointer) {
  int object = 0;
  auto const before = cudax::atomicity(&object, sizeof(object), modify);
  BOOST_TEST((before.memory == memory_type::unregistered && before.answer == atomicity_answer::host_only));
  {
    cudax::registered<int> const r(object);
    auto const found = cudax::atomicity(&object, sizeof(object), modify);
    BOOST_TEST((found.memory == memory_type::registered && found.answer == atomicity_answer::one_device_only));
    BOOST_TEST(has(found.reason, "host_native_atomic_supported 0"), found.reason);
    BOOST_TEST(bool(cudax::atomicity(&object, sizeof(object), load_store)));
    BOOST_TEST(!found);
  }
  BOOST_TEST((cudax::atomicity(&object, sizeof(object), modify).memory == memory_type::unregistered));

  auto const mapped = cudax::make_mapped<int[]>(100);
  auto const in_mapped = cudax::atomicity(&mapped[99], sizeof(int), modify);
  BOOST_TEST((in_mapped.memory == memory_type::mapped && in_mapped.answer == atomicity_answer::one_device_only));
  auto const managed = cudax::make_managed<long long>(1);
  auto const in_managed = cudax::atomicity(managed.get(), sizeof(long long), modify);
  BOOST_TEST((in_managed.memory == memory_type::managed && in_managed.answer == atomicity_answer::yes));
  BOOST_TEST(bool(in_managed));

  alignas(4096) static char page[4096];
  others_register(reinterpret_cast<address>(page), sizeof(page)); // CUDA does not distinguish it from its own
  BOOST_TEST((cudax::atomicity(page + 8, 8, load_store).memory == memory_type::mapped));
  others_unregister(reinterpret_cast<address>(page));
  others_own(reinterpret_cast<address>(page), sizeof(page), memory_owner::device);
  auto const on_device = cudax::atomicity(page + 8, 8, modify);
  BOOST_TEST((on_device.memory == memory_type::device && on_device.answer == atomicity_answer::devices_only));

  auto const null = cudax::atomicity(static_cast<int*>(nullptr), 4, load_store);
  BOOST_TEST((null.memory == memory_type::null && null.answer == atomicity_answer::no));
  BOOST_TEST(has(cudax::atomicity(page + 2, 4, load_store).reason, "not aligned to its 4 bytes"));
}

BOOST_AUTO_TEST_CASE(system_allocated_memory_is_not_atomic_in_a_mapped_file) {
  described[0].pageable_memory_access = 1;
  int object = 0;
  auto const on_stack = cudax::atomicity(&object, sizeof(object), modify);
  BOOST_TEST((on_stack.memory == memory_type::system_allocated && on_stack.answer == atomicity_answer::yes));
  BOOST_TEST(has(on_stack.reason, "by the first wording of the memory model, which is HIP's: on one GPU only"),
             on_stack.reason);
  static int variable = 1; // in a private mapping of the executable
  BOOST_TEST(bool(cudax::atomicity(&variable, sizeof(variable), modify)));

  std::FILE* const file = std::tmpfile();
  BOOST_REQUIRE(file);
  BOOST_REQUIRE(ftruncate(fileno(file), 4096) == 0);
  void* const mapping = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
  BOOST_REQUIRE(mapping != MAP_FAILED);
  auto const in_file = cudax::atomicity(mapping, 4, modify);
  BOOST_TEST((in_file.memory == memory_type::system_allocated && in_file.answer == atomicity_answer::no));
  BOOST_TEST(has(in_file.reason, "pageable_memory_access_uses_host_page_tables 0"), in_file.reason);
  described[0].pageable_memory_access_uses_host_page_tables = 1;
  BOOST_TEST(bool(cudax::atomicity(mapping, 4, modify)));
  munmap(mapping, 4096);
  std::fclose(file);
}

BOOST_AUTO_TEST_CASE(thousands_of_registered_objects_are_recognized) {
  std::vector<int> objects(5000);
  std::vector<cudax::registered<int>> registrations;
  for (int& object : objects) registrations.emplace_back(object);
  int registered = 0;
  for (int const& object : objects)
    registered += cudax::atomicity(&object, sizeof(object), modify).memory == memory_type::registered;
  BOOST_TEST(registered == 5000);
}

BOOST_AUTO_TEST_CASE(only_the_named_devices_count) {
  make_devices(3);
  for (int i : {1, 2}) described[i].host_native_atomic_supported = 1;
  auto const mapped = cudax::make_mapped<int>(1);
  auto const answer = [&](std::vector<int> const& which) {
    return cudax::atomicity(mapped.get(), sizeof(int), modify, system_scope, which).answer;
  };
  BOOST_TEST((answer({}) == atomicity_answer::one_device_only));
  BOOST_TEST((answer({0}) == atomicity_answer::one_device_only));
  BOOST_TEST((answer({1}) == atomicity_answer::yes));
  BOOST_TEST((answer({2, 1}) == atomicity_answer::yes));
  BOOST_TEST((answer({2, 0}) == atomicity_answer::one_device_only));
}

BOOST_AUTO_TEST_CASE(links_are_queried_from_each_device_to_the_device_of_the_memory) {
  make_devices(3);
  alignas(8) static char memory[64];
  others_own(reinterpret_cast<address>(memory), sizeof(memory), memory_owner::device, 1);
  auto const answer = [&](std::vector<int> const& which) {
    return cudax::atomicity(memory, 4, modify, system_scope, which).answer;
  };
  BOOST_TEST((answer({1}) == atomicity_answer::devices_only));
  BOOST_TEST((answer({0, 1}) == atomicity_answer::one_device_only));
  peer_links[{0, 1}] = {1, 1, 0};
  BOOST_TEST((answer({0, 1}) == atomicity_answer::devices_only));
  BOOST_TEST((answer({0}) == atomicity_answer::devices_only)); // its own link counts, too
  BOOST_TEST((answer({}) == atomicity_answer::one_device_only));
  peer_links[{1, 2}] = {1, 1, 0}; // the opposite direction
  BOOST_TEST((answer({}) == atomicity_answer::one_device_only));
  peer_links[{2, 1}] = {1, 1, 0};
  BOOST_TEST((answer({}) == atomicity_answer::devices_only));
}

BOOST_AUTO_TEST_CASE(a_kind_of_memory_can_be_queried_before_any_allocation) {
  make_devices(2);
  peer_links[{1, 0}] = {1, 1, 0};
  BOOST_TEST((cudax::atomicity(memory_type::mapped, 4, modify).answer == atomicity_answer::one_device_only));
  BOOST_TEST((cudax::atomicity(memory_type::managed, 16, modify).answer == atomicity_answer::yes));
  BOOST_TEST((cudax::atomicity(memory_type::system_allocated, 4, modify).memory == memory_type::unregistered));
  BOOST_TEST((cudax::atomicity(memory_type::shared, 4, modify).answer == atomicity_answer::one_device_only));
  // Device memory is taken to be on the first device named.
  BOOST_TEST((cudax::atomicity(memory_type::device, 4, modify).answer == atomicity_answer::devices_only));
  BOOST_TEST((cudax::atomicity(memory_type::device, 4, modify, system_scope, {1, 0}).answer ==
              atomicity_answer::one_device_only));
}

BOOST_AUTO_TEST_CASE(every_scope_but_the_system_s_is_atomic) {
  auto const mapped = cudax::make_mapped<int>(1);
  for (auto const scope :
       {cudax::thread_scope_device, cudax::thread_scope_cluster, cudax::thread_scope_block, cudax::thread_scope_thread})
    BOOST_TEST(bool(cudax::atomicity(mapped.get(), sizeof(int), modify, scope)));
  BOOST_TEST(!cudax::atomicity(mapped.get(), sizeof(int), modify, system_scope));
}

BOOST_AUTO_TEST_CASE(without_a_device_only_host_threads_count) {
  devices = 0;
  int object = 0;
  auto const found = cudax::atomicity(&object, sizeof(object), modify);
  BOOST_TEST((found.answer == atomicity_answer::yes && found.memory == memory_type::unregistered), found.reason);
  BOOST_TEST(has(found.reason, "no device takes part"));
  BOOST_CHECK_THROW(cudax::atomicity(&object, sizeof(object), modify, system_scope, {0}), cudax::cuda_error);
}

BOOST_AUTO_TEST_CASE(a_device_that_does_not_exist_is_an_error) {
  int object = 0;
  std::error_code error;
  for (int const ordinal : {-1, 1, 1000}) {
    auto const found = cudax::atomicity(&object, sizeof(object), modify, system_scope, {0, ordinal}, error);
    BOOST_CHECK(error == std::errc::invalid_argument);
    BOOST_TEST(!found);
    BOOST_TEST(has(found.reason, ("device " + std::to_string(ordinal)).c_str()), found.reason);
    BOOST_TEST(has(found.reason, "see cudax::devices()"), found.reason);
  }
  (void)cudax::atomicity(&object, sizeof(object), modify, cudax::thread_scope(17), error);
  BOOST_CHECK(error == std::errc::invalid_argument);
  BOOST_CHECK_THROW(cudax::atomicity(&object, sizeof(object), cudax::atomic_operation(9)), cudax::cuda_error);
  BOOST_TEST(bool(cudax::atomicity(memory_type::managed, 4, modify, system_scope, error)));
  BOOST_CHECK(!error);
}

BOOST_AUTO_TEST_CASE(a_failure_of_each_call_of_cuda_is_reported) {
  make_devices(3);
  alignas(8) static char memory[64];
  others_own(reinterpret_cast<address>(memory), sizeof(memory), memory_owner::device, 0);
  int const calls_before = calls();
  (void)cudax::atomicity(memory, 4, modify);
  int const needed = calls() - calls_before;
  BOOST_TEST(needed == 1 + 3 + 1 + 2); // the count, the devices, the pointer, the links
  for (int k = 1; k <= needed; ++k) {
    std::error_code error;
    fail_call(k, cuda::memory_allocation);
    auto const found = cudax::atomicity(memory, 4, modify, system_scope, error);
    BOOST_TEST(failed());
    BOOST_CHECK(error == std::errc::not_enough_memory);
    BOOST_TEST((found.answer == atomicity_answer::no && has(found.reason, "out of memory")), found.reason);
    fail_call(k, cuda::memory_allocation);
    try {
      (void)cudax::atomicity(memory, 4, modify);
      BOOST_ERROR("nothing was thrown");
    } catch (cudax::cuda_error const& e) {
      BOOST_TEST(std::string(e.what()) == found.reason);
      BOOST_CHECK(e.code() == error);
    }
  }
  std::error_code error = std::make_error_code(std::errc::io_error);
  (void)cudax::atomicity(memory, 4, modify, system_scope, error);
  BOOST_CHECK(!error);
}

BOOST_AUTO_TEST_CASE(exhaustion_of_the_heap_is_reported) {
  using namespace cudax::runtime;
  make_devices(2);
  int k = 1;
  for (;; ++k) {
    atomicity_description found;
    failure why;
    bool failed = false;
    {
      cudax_test::failing_heap const heap(k);
      find_atomicity(memory_type::device, {4, modify, 0, nullptr, 0}, found, why);
      failed = heap.failed();
    }
    BOOST_TEST((why.code == cuda::memory_allocation) == failed);
    if (!failed) break;
  }
  BOOST_TEST(k > 2);
}

BOOST_AUTO_TEST_CASE(enumerators_have_names) {
  BOOST_TEST(to_string(memory_type::system_allocated) == "system_allocated");
  BOOST_TEST(to_string(modify) == "read_modify_write");
  BOOST_TEST(to_string(load_store) == "load_store");
  for (auto const& [answer, name] : {std::pair(atomicity_answer::no, "no"),
                                     {atomicity_answer::host_only, "host_only"},
                                     {atomicity_answer::one_device_only, "one_device_only"},
                                     {atomicity_answer::devices_only, "devices_only"},
                                     {atomicity_answer::yes, "yes"}})
    BOOST_TEST(to_string(answer) == name);
}

BOOST_AUTO_TEST_SUITE_END()
