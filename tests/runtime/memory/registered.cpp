// SPDX-License-Identifier: Apache-2.0
//
// registered<T> on a simulated machine.
#include "../../../runtime/cuda/cuda_calls.hpp"
#include "../simulated/simulated_machine.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

import cudax.sync.host;

using cudax::registered;
namespace cuda = cudax::runtime::cuda;

namespace {

struct point {
  int x, y;
};

int static_object = 1;

std::uintptr_t number(void const volatile* at) { return reinterpret_cast<std::uintptr_t>(at); }

struct fixture : cudax_test::simulated_machine {
  ~fixture() { BOOST_TEST(registered_ranges() == 0u); }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(registered_objects, fixture)

BOOST_AUTO_TEST_CASE(static_heap_and_stack_objects_are_registered_where_they_are) {
  point on_stack{1, 2};
  auto const on_heap = std::make_unique<point>(3, 4);
  registered a(static_object);
  registered b(on_stack);
  registered c(*on_heap);
  static_assert(std::is_same_v<decltype(c), registered<point>>);
  BOOST_TEST(a.get() == &static_object);
  BOOST_TEST(&*a == &static_object);
  BOOST_TEST(b->y == 2);
  BOOST_TEST(c.get() == on_heap.get());
  BOOST_TEST(c.device_pointer() == on_heap.get());
  BOOST_TEST(bool(c));
  for (void const* at : {(void const*)&static_object, (void const*)&on_stack, (void const*)on_heap.get()})
    BOOST_TEST(is_registered(number(at), 4));
}

BOOST_AUTO_TEST_CASE(the_device_pointer_is_the_device_s) {
  own_addresses = true;
  alignas(4096) static point page[1024];
  registered whole(page);
  static_assert(std::is_same_v<decltype(whole.device_pointer()), point(*)[1024]>);
  registered inner(page[700]);
  BOOST_TEST(number(whole.device_pointer()) != number(page));
  BOOST_TEST(number(inner.device_pointer()) - number(whole.device_pointer()) == 700 * sizeof(point));
}

BOOST_AUTO_TEST_CASE(arrays_are_given_by_pointer_and_count) {
  auto const objects = std::make_unique<point[]>(5000);
  registered r(objects.get(), 5000);
  static_assert(std::is_same_v<decltype(r), registered<point[]>>);
  BOOST_TEST(r.size() == 5000u);
  BOOST_TEST(&r[4999] == &objects[4999]);
  BOOST_TEST(is_registered(number(objects.get()), 5000 * sizeof(point)));
}

BOOST_AUTO_TEST_CASE(const_and_volatile_objects_keep_their_qualifiers) {
  int const c = 1;
  int volatile v = 2;
  registered rc(c);
  registered rv(v);
  static_assert(std::is_same_v<decltype(rc.device_pointer()), int const*>);
  static_assert(std::is_same_v<decltype(rv.device_pointer()), int volatile*>);
  BOOST_TEST(*rc == 1);
  BOOST_TEST(*rv == 2);
}

BOOST_AUTO_TEST_CASE(a_registration_moves_and_does_not_copy) {
  static_assert(!std::is_copy_constructible_v<registered<int>> && !std::is_copy_assignable_v<registered<int>>);
  static_assert(std::is_nothrow_move_constructible_v<registered<int>> &&
                std::is_nothrow_move_assignable_v<registered<int>> &&
                std::is_nothrow_default_constructible_v<registered<int>>);
  static_assert(!std::is_constructible_v<registered<int>, int>); // no temporary object
  static_assert(!std::is_constructible_v<registered<int const>, int>);

  alignas(4096) static char pages[2][4096];
  registered<char> a(pages[0][5]);
  registered<char> b(std::move(a));
  BOOST_TEST(!a);
  BOOST_TEST(a.get() == nullptr);
  BOOST_TEST(a.device_pointer() == nullptr);
  BOOST_TEST(b.get() == &pages[0][5]);
  registered<char> c(pages[1][5]);
  BOOST_TEST(registered_ranges() == 2u);
  c = std::move(b); // releases what c had
  BOOST_TEST(c.get() == &pages[0][5]);
  BOOST_TEST(registered_ranges() == 1u);
  auto& same = c;
  c = std::move(same);
  BOOST_TEST(c.get() == &pages[0][5]);
  registered<char> d(pages[1][7]);
  swap(c, d);
  BOOST_TEST(c.get() == &pages[1][7]);
  BOOST_TEST(d.device_pointer() == &pages[0][5]);
  d.swap(c);
  BOOST_TEST(d.get() == &pages[1][7]);
  c.reset();
  BOOST_TEST(!c);
  c.reset(); // no effect
  BOOST_TEST(registered_ranges() == 1u);
}

BOOST_AUTO_TEST_CASE(misuse_is_rejected_with_a_message) {
  struct {
    point* first;
    std::size_t count;
    char const* sentence;
  } const cases[] = {
      {nullptr, 3,
       "cudax.sync: registered: the pointer to 3 objects of 8 bytes is null; give the address of an object"},
      {reinterpret_cast<point*>(0x1000), 0,
       "cudax.sync: registered: 0 objects of 8 bytes at 0x1000 are empty; register at least one object"},
      {reinterpret_cast<point*>(0x1000), SIZE_MAX / 4,
       "cudax.sync: registered: 4611686018427387903 objects of 8 bytes at 0x1000 do not fit in the address "
       "space; check "
       "the count"},
      {reinterpret_cast<point*>(UINTPTR_MAX - 63), 16,
       "cudax.sync: registered: 16 objects of 8 bytes at 0xffffffffffffffc0 do not fit in the address space; "
       "check the "
       "count"},
      {reinterpret_cast<point*>(UINTPTR_MAX - 63), 4,
       "cudax.sync: registered: 4 objects of 8 bytes at 0xffffffffffffffc0 do not fit in the address space; "
       "check the "
       "count"},
  };
  for (auto const& [first, count, sentence] : cases) {
    try {
      registered<point[]> const r(first, count);
      BOOST_ERROR("nothing was thrown: " << sentence);
    } catch (cudax::cuda_error const& e) {
      BOOST_TEST(e.what() == std::string(sentence));
      BOOST_CHECK(e.code() == std::errc::invalid_argument);
    }
    std::error_code error;
    registered<point[]> const r(first, count, error);
    BOOST_CHECK(error == std::errc::invalid_argument);
    BOOST_TEST(!r);
    BOOST_TEST(r.size() == 0u);
  }
}

BOOST_AUTO_TEST_CASE(an_error_of_cuda_leaves_an_empty_registration) {
  point object{};
  std::error_code error;
  fail_call(2, cuda::memory_allocation);
  registered<point> r(object, error);
  BOOST_CHECK(error == std::errc::not_enough_memory);
  BOOST_TEST(!r);
  r = registered<point>(object, error); // the next registration works
  BOOST_CHECK(!error);
  BOOST_TEST(bool(r));
}

BOOST_AUTO_TEST_CASE(a_failing_release_is_reported_once) {
  point object{};
  registered<point> r(object);
  fail_call(1, cuda::invalid_value);
  BOOST_CHECK_THROW(r.reset(), cudax::cuda_error);
  BOOST_TEST(!r);
  std::error_code error = std::make_error_code(std::errc::io_error);
  r.reset(error);
  BOOST_CHECK(!error);
  others_unregister(number(&object) & ~std::uintptr_t(4095)); // which CUDA had kept
}

BOOST_AUTO_TEST_SUITE_END()
