// SPDX-License-Identifier: Apache-2.0
//
// [atomics.types.float], [atomics.ref.float] __half and __nv_bfloat16 of the toolkit's headers
//
// CUDA only: plain C++ has no such headers. The formats themselves are tested everywhere as _Float16 and __bf16.
#include "support/test.hpp"
import cudax.sync;
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "floating.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

template <class T> struct compilers_type;
template <> struct compilers_type<__half> {
  using type = _Float16;
};
template <> struct compilers_type<__nv_bfloat16> {
  using type = __bf16;
};

/// The number with the bits of the compiler's own type.
template <class T> T toolkit_number(float value) {
  return __builtin_bit_cast(T, number<typename compilers_type<T>::type>(value));
}

TEST("an atomic of a toolkit type has the members of a floating-point atomic: every scope") {
  for_each_type(types<__half, __nv_bfloat16>(), [&]<class T>() {
    for_each_scope([&]<thread_scope S>() {
      auto const x = [](float value) { return toolkit_number<T>(value); };
      static_assert(sizeof(atomic<T, S>) == 2 && atomic<T, S>::is_always_lock_free);
      static_assert(__is_same(typename atomic<T, S>::difference_type, T));
      auto& a = make<atomic<T, S>>(test_, x(1.5f));
      CHECK_SAME(a.load(), x(1.5f));
      CHECK_SAME(a.exchange(x(2.0f)), x(1.5f));
      CHECK_SAME(a.fetch_add(x(0.25f)), x(2.0f));
      CHECK_SAME(a.fetch_sub(x(1.0f)), x(2.25f));
      CHECK_SAME(a += x(0.75f), x(2.0f));
      CHECK_SAME(a -= x(4.0f), x(-2.0f));
      CHECK_SAME(a.fetch_max(x(-1.0f)), x(-2.0f));
      CHECK_SAME(a.fetch_min(x(-3.0f)), x(-1.0f));
      CHECK_SAME(a.fetch_fmaximum(x(1.0f)), x(-3.0f));
      CHECK_SAME(a.fetch_fminimum(x(0.5f)), x(1.0f));
      CHECK_SAME(a.fetch_fmaximum_num(x(5.0f)), x(0.5f));
      CHECK_SAME(a.fetch_fminimum_num(x(4.0f)), x(5.0f));
      a.store_add(x(1.0f));
      a.store_sub(x(2.0f));
      CHECK_SAME(a.load(), x(3.0f));
      a.store_max(x(6.0f));
      CHECK_SAME(a.load(), x(6.0f));
      a.store_min(x(2.0f));
      T expected = x(1.0f);
      CHECK(!a.compare_exchange_strong(expected, x(7.0f)));
      CHECK_SAME(expected, x(2.0f));
      CHECK(a.compare_exchange_weak(expected, x(7.0f)));
      a.wait(x(2.0f));
      CHECK(!a.try_wait(x(7.0f)));
      CHECK_SAME((atomic_ref<T, S>(*a.address()).fetch_add(x(1.0f))), x(7.0f));
      CHECK_SAME(a.load(), x(8.0f));
    });
  });
}

/// Many threads add to adjacent objects in one word.
template <class T, thread_scope Scope> struct toolkit_additions {
  static constexpr thread_scope scope = Scope;
  alignas(16) T sums[8];

  toolkit_additions() {
    for (T& sum : sums) sum = toolkit_number<T>(0);
  }
  void run(worker me, context&) {
    if (me.rank < 128) atomic_ref<T, Scope>(sums[me.rank % 8]).fetch_add(toolkit_number<T>(1), memory_order_relaxed);
  }
  void verify(unsigned threads, context& test_) {
    for (unsigned i = 0; i < 8; ++i) {
      int expected = 0;
      for (unsigned rank = 0; rank < threads && rank < 128; ++rank) expected += rank % 8 == i;
      CHECK_SAME(sums[i], toolkit_number<T>(expected));
    }
  }
};
CONCURRENT_TEST("no addition is lost: __half, block", toolkit_additions<__half, thread_scope_block>)
CONCURRENT_TEST("no addition is lost: __half, system", toolkit_additions<__half, thread_scope_system>)
CONCURRENT_TEST("no addition is lost: __nv_bfloat16, device", toolkit_additions<__nv_bfloat16, thread_scope_device>)

TESTS_END
