// SPDX-License-Identifier: Apache-2.0
//
// make_mapped and make_managed on a simulated machine.
#include "../../../runtime/cuda/cuda_calls.hpp"
#include "../../../runtime/memory/shared_ranges.hpp"
#include "../simulated/simulated_machine.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

import cudax.sync.host;

namespace cuda = cudax::runtime::cuda;

namespace {

std::uintptr_t number(void const* at) { return reinterpret_cast<std::uintptr_t>(at); }

/// Records its lifetime.
struct witness {
  static inline std::vector<int> log;
  static inline int next = 0;
  static inline int throws_at = -1;
  int id;

  witness() : witness(next++) {}
  explicit witness(int id) : id(id) {
    if (id == throws_at) throw std::runtime_error("witness");
    log.push_back(id);
  }
  witness(witness const&) = delete;
  ~witness() { log.push_back(-id); }
};

struct alignas(8192) very_aligned {
  char c = 'x';
};

struct from_error_code {
  std::error_code* given;
  explicit from_error_code(std::error_code& e) : given(&e) {}
};

struct mapped {
  template <class T> using pointer = cudax::mapped_ptr<T>;
  template <class T, class... A> static auto make(A&&... a) { return cudax::make_mapped<T>(std::forward<A>(a)...); }
  template <class T, class... A> static auto try_make(std::error_code& e, A&&... a) {
    return cudax::try_make_mapped<T>(e, std::forward<A>(a)...);
  }
  static constexpr char const* name = "make_mapped";
};
struct managed {
  template <class T> using pointer = cudax::managed_ptr<T>;
  template <class T, class... A> static auto make(A&&... a) { return cudax::make_managed<T>(std::forward<A>(a)...); }
  template <class T, class... A> static auto try_make(std::error_code& e, A&&... a) {
    return cudax::try_make_managed<T>(e, std::forward<A>(a)...);
  }
  static constexpr char const* name = "make_managed";
};

struct fixture : cudax_test::simulated_machine {
  fixture() {
    witness::log.clear();
    witness::next = 1;
    witness::throws_at = -1;
  }
  ~fixture() { BOOST_TEST(allocations() == 0u); }
};

/// Each test runs for both kinds of memory.
template <class F> void for_both(F f) {
  f.template operator()<mapped>();
  f.template operator()<managed>();
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(memory, fixture)

BOOST_AUTO_TEST_CASE(an_object_is_made_from_the_arguments_and_destroyed) {
  for_both([this]<class Kind>() {
    witness::log.clear();
    {
      typename Kind::template pointer<witness> p = Kind::template make<witness>(7);
      BOOST_TEST(p->id == 7);
      BOOST_TEST((*p).id == 7);
      BOOST_TEST(p.get() == p.device_pointer());
      BOOST_TEST(allocations() == 1u);
      BOOST_CHECK(witness::log == std::vector({7}));
    }
    BOOST_CHECK(witness::log == std::vector({7, -7}));
    BOOST_TEST(allocations() == 0u);
  });
}

BOOST_AUTO_TEST_CASE(arrays_are_value_initialised_and_destroyed_backwards) {
  for_both([]<class Kind>() {
    witness::log.clear();
    witness::next = 1;
    {
      auto p = Kind::template make<witness[]>(3);
      BOOST_TEST(p.size() == 3u);
      BOOST_TEST(p[2].id == 3);
    }
    BOOST_CHECK(witness::log == std::vector({1, 2, 3, -3, -2, -1}));
    auto const numbers = Kind::template make<int[]>(1000);
    int sum = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) sum += numbers[i] != 0;
    BOOST_TEST(sum == 0);
  });
}

BOOST_AUTO_TEST_CASE(a_constructor_that_throws_leaves_no_allocation) {
  for_both([this]<class Kind>() {
    witness::log.clear();
    witness::next = 1;
    witness::throws_at = 3;
    BOOST_CHECK_THROW((void)Kind::template make<witness[]>(5), std::runtime_error);
    BOOST_CHECK(witness::log == std::vector({1, 2, -2, -1}));
    BOOST_CHECK_THROW((void)Kind::template make<witness>(3), std::runtime_error);
    std::error_code error;
    BOOST_CHECK_THROW((void)Kind::template try_make<witness>(error, 3), std::runtime_error);
    BOOST_TEST(allocations() == 0u);
    witness::throws_at = -1;
  });
}

BOOST_AUTO_TEST_CASE(alignment_is_respected) {
  for_both([this]<class Kind>() {
    own_addresses = true; // the offset on the device is the same
    auto const p = Kind::template make<very_aligned>();
    BOOST_TEST(number(p.get()) % 8192 == 0u);
    BOOST_TEST(p->c == 'x');
    auto const q = Kind::template make<very_aligned[]>(3);
    BOOST_TEST(number(&q[0]) % 8192 == 0u);
    BOOST_TEST(number(&q[2]) - number(&q[0]) == 2 * 8192u);
    if constexpr (std::is_same_v<Kind, mapped>) BOOST_TEST(number(q.device_pointer()) != number(q.get()));
    BOOST_TEST(number(q.device_pointer()) % 4096 == 0u);
    own_addresses = false;
  });
}

BOOST_AUTO_TEST_CASE(owners_can_be_moved) {
  for_both([this]<class Kind>() {
    auto a = Kind::template make<witness>(1);
    static_assert(!std::is_copy_constructible_v<decltype(a)> && std::is_nothrow_move_constructible_v<decltype(a)>);
    auto* const at = a.get();
    auto b = std::move(a);
    BOOST_TEST(!a);
    BOOST_TEST(a.get() == nullptr);
    BOOST_TEST(b.get() == at);
    auto c = Kind::template make<witness>(2);
    c = std::move(b);
    BOOST_TEST(c.get() == at);
    BOOST_TEST(allocations() == 1u);
    auto d = Kind::template make<witness>(3);
    swap(c, d);
    BOOST_TEST(d.get() == at);
    d.swap(c);
    BOOST_TEST(c.get() == at);
    c.reset();
    c.reset();
    BOOST_TEST(!c);
    BOOST_TEST(allocations() == 1u);
    typename Kind::template pointer<witness[]> none;
    BOOST_TEST(!none);
    BOOST_TEST(none.size() == 0u);
  });
}

BOOST_AUTO_TEST_CASE(no_elements_and_too_many_are_rejected_with_a_message) {
  for_both([]<class Kind>() {
    std::string const where = std::string("cudax.sync: ") + Kind::name + ": ";
    struct {
      std::size_t count;
      char const* sentence;
    } const cases[] = {
        {0, "an array of 0 objects of 8 bytes has no memory to share; request at least one object"},
        {SIZE_MAX / 4, "4611686018427387903 objects of 8 bytes are more than there can be; check the count"}};
    for (auto const& [count, sentence] : cases) {
      try {
        auto const p = Kind::template make<double[]>(count);
        BOOST_ERROR("nothing was thrown");
      } catch (cudax::cuda_error const& e) {
        BOOST_TEST(e.what() == where + sentence);
      }
      std::error_code error;
      BOOST_TEST(!Kind::template try_make<double[]>(error, count));
      BOOST_CHECK(error == std::errc::invalid_argument);
    }
    std::error_code error; // the padding for alignment overflows, too
    BOOST_TEST(!Kind::template try_make<very_aligned[]>(error, SIZE_MAX / 8192));
    BOOST_CHECK(error == std::errc::invalid_argument);
  });
}

BOOST_AUTO_TEST_CASE(a_failure_of_any_call_of_cuda_leaks_nothing) {
  for_both([this]<class Kind>() {
    int const calls = std::is_same_v<Kind, mapped> ? 2 : 1; // mapped memory: plus a query for the device address
    for (int k = 1; k <= calls; ++k) {
      fail_call(k, cuda::memory_allocation);
      BOOST_CHECK_THROW((void)Kind::template make<witness>(1), cudax::cuda_error);
      fail_call(k, cuda::memory_allocation);
      std::error_code error;
      BOOST_TEST(!Kind::template try_make<witness[]>(error, 3));
      BOOST_CHECK(error == std::errc::not_enough_memory);
      BOOST_TEST(allocations() == 0u);
    }
    std::error_code error = std::make_error_code(std::errc::io_error);
    auto p = Kind::template try_make<witness>(error, 1);
    BOOST_CHECK(!error);
    fail_call(1, cuda::invalid_value);
    BOOST_CHECK_THROW(p.reset(), cudax::cuda_error);
    BOOST_TEST(!p);
    fail_call(0, 0);
  });
}

BOOST_AUTO_TEST_CASE(a_constructor_argument_may_be_an_error_code) {
  std::error_code error, argument;
  auto const a = cudax::make_mapped<from_error_code>(argument);
  BOOST_TEST(a->given == &argument);
  auto const b = cudax::try_make_managed<from_error_code>(error, argument);
  BOOST_TEST(b->given == &argument);
}

BOOST_AUTO_TEST_CASE(objects_in_mapped_and_managed_memory_may_be_registered) {
  auto const a = cudax::make_mapped<int>(1);
  auto const b = cudax::make_managed<int>(2);
  cudax::registered ra(*a);
  cudax::registered rb(*b);
  BOOST_TEST(ra.device_pointer() == a.device_pointer());
  BOOST_TEST(rb.device_pointer() == b.get());
  BOOST_TEST(registered_ranges() == 0u); // CUDA had registered them already
}

// After cudaDeviceReset the address may belong to another allocation, which must not be freed instead.
BOOST_AUTO_TEST_CASE(memory_of_a_destroyed_context_is_not_freed) {
  for_both([this]<class Kind>() {
    auto past = Kind::template make<int>(1);
    reset();
    auto const now = Kind::template make<int>(2); // the simulated machine returns the same address
    BOOST_TEST(now.get() == past.get());
    std::error_code error;
    past.reset(error);
    BOOST_CHECK(!error);
    BOOST_TEST(allocations() == 1u);
    BOOST_TEST(*now == 2);
  });
}

// Checked builds must know the object that is now at an address, not an earlier one.
BOOST_AUTO_TEST_CASE(freeing_memory_of_a_destroyed_context_forgets_only_that_memory) {
  for_both([this]<class Kind>() {
    auto past = Kind::template make<char[]>(2 * sizeof(very_aligned)); // as large as the other object with padding
    reset();
    auto now = Kind::template make<very_aligned>();
    past.reset();
    BOOST_TEST(cudax::runtime::find_shared(now.get()).object_size == sizeof(very_aligned));
    now.reset();
  });
}

BOOST_AUTO_TEST_SUITE_END()
