// SPDX-License-Identifier: Apache-2.0
//
// The table of registered memory on a simulated machine: sharing of pages, and every order of release.
#include "../../../runtime/memory/registration_table.hpp"
#include "../simulated/simulated_machine.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace cudax::runtime;
using cudax_test::simulated_machine;

namespace {

constexpr std::size_t page = 4096;
constexpr std::uintptr_t base = 0x5000'0000;

/// A table and the machine that it uses. At the end nothing may be registered.
struct fixture {
  simulated_machine machine;
  registration_table table{page};

  unsigned long long add(std::uintptr_t begin, std::size_t size) {
    failure why;
    unsigned long long ticket = 0;
    void* const device = table.add(begin, size, ticket, why);
    BOOST_REQUIRE_MESSAGE(why.code == 0, why.sentence);
    BOOST_TEST(ticket != 0);
    BOOST_TEST(machine.is_registered(begin, size));
    if (!machine.own_addresses) BOOST_TEST(reinterpret_cast<std::uintptr_t>(device) == begin);
    return ticket;
  }
  void remove(unsigned long long ticket) {
    failure why;
    table.remove(ticket, why);
    BOOST_TEST(why.code == 0, why.sentence);
  }
  failure refused(std::uintptr_t begin, std::size_t size) {
    failure why;
    unsigned long long ticket = 0;
    void* const device = table.add(begin, size, ticket, why);
    BOOST_TEST(device == nullptr);
    BOOST_TEST(ticket == 0u);
    BOOST_TEST(why.code != 0);
    return why;
  }

  ~fixture() {
    BOOST_TEST(machine.registered_ranges() == 0u);
    BOOST_TEST(table.count().registrations == 0u);
    BOOST_TEST(table.count().segments == 0u);
  }
};

bool contains(failure const& why, char const* text) {
  return std::string(why.sentence).find(text) != std::string::npos;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(registration_table, fixture)

BOOST_AUTO_TEST_CASE(an_object_registers_the_pages_that_hold_it) {
  auto const one = add(base + 100, 8);
  BOOST_TEST(machine.registered_bytes() == page);
  BOOST_TEST(machine.is_registered(base, page));
  remove(one);
  auto const across = add(base + page - 4, 8);
  BOOST_TEST(machine.registered_bytes() == 2 * page);
  remove(across);
  auto const exact = add(base, page);
  BOOST_TEST(machine.registered_bytes() == page);
  remove(exact);
}

BOOST_AUTO_TEST_CASE(two_objects_in_a_page_share_its_registration_in_either_order_of_release) {
  for (bool const first_goes_first : {true, false}) {
    auto const a = add(base + 16, 8);
    auto const b = add(base + 32, 8);
    BOOST_TEST(machine.registered_ranges() == 1u);
    remove(first_goes_first ? a : b);
    BOOST_TEST(machine.is_registered(base + 16, 24));
    remove(first_goes_first ? b : a);
    BOOST_TEST(machine.registered_ranges() == 0u);
  }
}

BOOST_AUTO_TEST_CASE(an_object_may_be_registered_repeatedly) {
  auto const a = add(base, 8), b = add(base, 8), c = add(base, 8);
  BOOST_TEST(machine.registered_ranges() == 1u);
  remove(b);
  remove(a);
  BOOST_TEST(machine.is_registered(base, 8));
  remove(c);
}

BOOST_AUTO_TEST_CASE(an_object_inside_another_shares_its_registration) {
  auto const outer = add(base, 10 * page);
  auto const inner = add(base + 5 * page + 8, 8);
  BOOST_TEST(machine.registered_ranges() == 1u);
  remove(outer);
  BOOST_TEST(machine.is_registered(base + 5 * page + 8, 8));
  remove(inner);
}

BOOST_AUTO_TEST_CASE(an_object_that_contains_registered_ones_registers_only_the_gaps) {
  auto const a = add(base + 2 * page, 8);
  auto const b = add(base + 5 * page + 8, 2 * page);
  auto const outer = add(base + 100, 10 * page);
  // Pages 2 and 5 to 7 were registered; 0 to 1, 3 to 4 and 8 to 10 are new.
  BOOST_TEST(machine.registered_ranges() == 5u);
  BOOST_TEST(machine.registered_bytes() == 11 * page);
  remove(a);
  remove(b);
  BOOST_TEST(machine.is_registered(base, 11 * page));
  remove(outer);
}

BOOST_AUTO_TEST_CASE(overlapping_objects_share_what_they_have_in_common) {
  auto const a = add(base, 4 * page);
  auto const b = add(base + 2 * page, 4 * page);
  BOOST_TEST(machine.registered_ranges() == 2u);
  remove(a);
  BOOST_TEST(machine.is_registered(base + 2 * page, 4 * page));
  remove(b);
}

BOOST_AUTO_TEST_CASE(pages_registered_by_other_code_are_used_and_not_changed) {
  machine.others_register(base + 2 * page, page);
  auto const around = add(base + 8, 6 * page);
  auto const inside = add(base + 2 * page + 8, 8);
  remove(around);
  remove(inside);
  BOOST_TEST(machine.is_registered(base + 2 * page, page));
  auto const again = add(base + 2 * page + 8, 8);
  machine.others_unregister(base + 2 * page);
  remove(again);
}

BOOST_AUTO_TEST_CASE(memory_allocated_by_cuda_is_used_and_not_changed) {
  machine.others_allocate(base, 3 * page);
  auto const all = add(base, 3 * page);
  auto const part = add(base + page + 8, 8);
  BOOST_TEST(machine.registered_ranges() == 0u);
  remove(all);
  remove(part);
  BOOST_TEST(machine.is_registered(base, 3 * page));
  machine.others_unregister(base);
}

BOOST_AUTO_TEST_CASE(every_layout_of_pages_registered_by_other_code_is_handled) {
  for (unsigned others = 0; others < 128; ++others) {
    for (unsigned i = 0; i < 6; ++i)
      if (others >> i & 1) {
        if (others & 64) machine.others_allocate(base + i * page, page);
        else machine.others_register(base + i * page, page);
      }
    auto const all = add(base + 10, 6 * page - 20);
    auto const part = add(base + 2 * page + 10, 3 * page);
    BOOST_TEST(machine.registered_bytes() == (6u - unsigned(__builtin_popcount(others % 64))) * page);
    remove(others % 2 ? all : part);
    remove(others % 2 ? part : all);
    BOOST_TEST(machine.registered_ranges() == 0u);
    for (unsigned i = 0; i < 6; ++i)
      if (others >> i & 1) machine.others_unregister(base + i * page);
  }
}

BOOST_AUTO_TEST_CASE(a_page_partly_registered_by_other_code_is_registered_by_bytes) {
  machine.others_register(base + 100, 80);
  auto const before = add(base, 8);
  auto const after = add(base + 200, 3 * page);
  auto const inside = add(base + 104, 8);
  auto const across = add(base + 90, 20);
  auto const around = add(base + 50, 200);
  remove(before);
  remove(inside);
  remove(after);
  remove(across);
  remove(around);
  machine.others_unregister(base + 100);
}

BOOST_AUTO_TEST_CASE(memory_registered_by_other_code_without_device_access_is_rejected) {
  machine.others_register(base + 100, 80, simulated_machine::reach::from_host_only);
  failure const why = refused(base + 90, 20);
  BOOST_TEST(why.code == cuda::already_registered);
  BOOST_TEST(contains(why, "20 bytes at 0x5000005a: other code has registered byte 10 with CUDA"), why.sentence);
  machine.others_unregister(base + 100);
}

BOOST_AUTO_TEST_CASE(other_code_may_unregister_pages_while_an_object_is_registered_again) {
  machine.others_register(base, page);
  auto const first = add(base + 8, 8);
  machine.others_unregister(base);
  auto const second = add(base + 8, 8); // now with its own segment
  BOOST_TEST(machine.registered_ranges() == 1u);
  remove(first); // has no part in that segment
  BOOST_TEST(machine.is_registered(base + 8, 8));
  remove(second);
}

BOOST_AUTO_TEST_CASE(managed_memory_needs_no_registration) {
  machine.others_own(base, page, memory_owner::managed);
  auto failure_free = failure();
  unsigned long long ticket = 0;
  BOOST_TEST(table.add(base + 8, 8, ticket, failure_free) == reinterpret_cast<void*>(base + 8));
  BOOST_TEST(failure_free.code == 0);
  BOOST_TEST(machine.registered_ranges() == 0u);
  remove(ticket);
}

BOOST_AUTO_TEST_CASE(device_memory_is_rejected) {
  machine.others_own(base, page, memory_owner::device);
  failure const why = refused(base + 8, 8);
  BOOST_TEST(why.code == cuda::invalid_value);
  BOOST_TEST(contains(why, "in a device's memory"), why.sentence);
}

BOOST_AUTO_TEST_CASE(an_object_not_contiguous_on_the_device_is_rejected_without_a_leak) {
  machine.own_addresses = true;
  auto const part = add(base + page, 8);
  failure const why = refused(base, 2 * page);
  BOOST_TEST(why.code == cuda::not_supported);
  BOOST_TEST(contains(why, "8192 bytes at 0x50000000 lie in several registrations"), why.sentence);
  BOOST_TEST(machine.registered_ranges() == 1u);
  remove(part);
  auto const whole = add(base, 2 * page); // in the right order it works
  auto const inner = add(base + page, 8);
  remove(whole);
  remove(inner);
}

BOOST_AUTO_TEST_CASE(an_object_across_registrations_that_are_not_contiguous_on_the_device_is_rejected) {
  machine.own_addresses = true;
  machine.others_register(base + 100, 80);
  machine.others_register(base + 300, 80);
  BOOST_TEST(refused(base + 150, 200).code == cuda::not_supported);
  machine.others_unregister(base + 100);
  machine.others_unregister(base + 300);
}

BOOST_AUTO_TEST_CASE(a_ticket_can_be_released_only_once) {
  auto const a = add(base, 8);
  auto const b = add(base, 8);
  remove(a);
  for (unsigned long long const wrong : {a, 0ull, b + 1000}) {
    failure why;
    table.remove(wrong, why);
    BOOST_TEST(why.code == cuda::not_registered);
    BOOST_TEST(contains(why, "is not alive"), why.sentence);
  }
  BOOST_TEST(machine.is_registered(base, 8));
  remove(b);
}

BOOST_AUTO_TEST_CASE(pages_may_have_any_size) {
  for (std::size_t const size : {std::size_t(4096), std::size_t(16384), std::size_t(65536)}) {
    class registration_table of_size(size);
    failure why;
    unsigned long long ticket = 0;
    of_size.add(base + size - 1, 2, ticket, why);
    BOOST_TEST(machine.registered_bytes() == 2 * size);
    of_size.remove(ticket, why);
    BOOST_TEST(why.code == 0);
  }
}

// cudaDeviceReset ends registrations without telling the table.
BOOST_AUTO_TEST_CASE(memory_is_registered_again_after_a_reset) {
  for (bool const moves : {false, true}) {
    machine.own_addresses = moves;
    auto const past = add(base, 8);
    machine.reset();
    BOOST_TEST(machine.registered_ranges() == 0u);
    auto const beside = add(base + 100, 8);        // in the same page
    BOOST_TEST(machine.is_registered(base, page)); // for both objects
    remove(past);
    BOOST_TEST(machine.is_registered(base, page));
    remove(beside);
    BOOST_TEST(machine.registered_ranges() == 0u);
  }
}

BOOST_AUTO_TEST_CASE(a_failing_second_registration_after_a_reset_is_an_error) {
  auto const past = add(base, 8);
  machine.reset();
  machine.fail_call(2, cuda::memory_allocation); // after the query for the owner
  failure const why = refused(base + 100, 8);
  BOOST_TEST(why.code == cuda::memory_allocation);
  remove(past);
}

BOOST_AUTO_TEST_CASE(registrations_of_other_code_after_a_reset_are_kept) {
  auto const past = add(base, 8);
  machine.reset();
  machine.others_register(base, page);
  remove(past); // the machine aborts if other code's memory is unregistered
  BOOST_TEST(machine.is_registered(base, page));
  machine.others_unregister(base);
}

BOOST_AUTO_TEST_SUITE_END()
