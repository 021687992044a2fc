// SPDX-License-Identifier: Apache-2.0
//
// [atomics.alias] the names of common atomic types
#include "support/test.hpp"
import cudax.sync;
#include "support/lists.hpp"
#include <cstddef>
#include <cstdint>

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

template <class Alias, class T> void check_alias(context& test_) {
  static_assert(__is_same(Alias, atomic<T, thread_scope_system>));
  auto& a = make<Alias>(test_, sample<T>(0));
  CHECK_SAME(a.exchange(sample<T>(1)), sample<T>(0));
  CHECK_SAME(a.load(), sample<T>(1));
}

TEST("each alias names the atomic of its type") {
  check_alias<atomic_bool, bool>(test_);
  check_alias<atomic_char, char>(test_);
  check_alias<atomic_schar, signed char>(test_);
  check_alias<atomic_uchar, unsigned char>(test_);
  check_alias<atomic_short, short>(test_);
  check_alias<atomic_ushort, unsigned short>(test_);
  check_alias<atomic_int, int>(test_);
  check_alias<atomic_uint, unsigned>(test_);
  check_alias<atomic_long, long>(test_);
  check_alias<atomic_ulong, unsigned long>(test_);
  check_alias<atomic_llong, long long>(test_);
  check_alias<atomic_ullong, unsigned long long>(test_);
  check_alias<atomic_char8_t, char8_t>(test_);
  check_alias<atomic_char16_t, char16_t>(test_);
  check_alias<atomic_char32_t, char32_t>(test_);
  check_alias<atomic_wchar_t, wchar_t>(test_);
}

TEST("each alias of a standard integer type names the atomic of that type") {
  check_alias<cudax::atomic_int8_t, std::int8_t>(test_);
  check_alias<cudax::atomic_int_least8_t, std::int_least8_t>(test_);
  check_alias<cudax::atomic_int_fast8_t, std::int_fast8_t>(test_);
  check_alias<cudax::atomic_uint8_t, std::uint8_t>(test_);
  check_alias<cudax::atomic_uint_least8_t, std::uint_least8_t>(test_);
  check_alias<cudax::atomic_uint_fast8_t, std::uint_fast8_t>(test_);
  check_alias<cudax::atomic_int16_t, std::int16_t>(test_);
  check_alias<cudax::atomic_int_least16_t, std::int_least16_t>(test_);
  check_alias<cudax::atomic_int_fast16_t, std::int_fast16_t>(test_);
  check_alias<cudax::atomic_uint16_t, std::uint16_t>(test_);
  check_alias<cudax::atomic_uint_least16_t, std::uint_least16_t>(test_);
  check_alias<cudax::atomic_uint_fast16_t, std::uint_fast16_t>(test_);
  check_alias<cudax::atomic_int32_t, std::int32_t>(test_);
  check_alias<cudax::atomic_int_least32_t, std::int_least32_t>(test_);
  check_alias<cudax::atomic_int_fast32_t, std::int_fast32_t>(test_);
  check_alias<cudax::atomic_uint32_t, std::uint32_t>(test_);
  check_alias<cudax::atomic_uint_least32_t, std::uint_least32_t>(test_);
  check_alias<cudax::atomic_uint_fast32_t, std::uint_fast32_t>(test_);
  check_alias<cudax::atomic_int64_t, std::int64_t>(test_);
  check_alias<cudax::atomic_int_least64_t, std::int_least64_t>(test_);
  check_alias<cudax::atomic_int_fast64_t, std::int_fast64_t>(test_);
  check_alias<cudax::atomic_uint64_t, std::uint64_t>(test_);
  check_alias<cudax::atomic_uint_least64_t, std::uint_least64_t>(test_);
  check_alias<cudax::atomic_uint_fast64_t, std::uint_fast64_t>(test_);
  check_alias<cudax::atomic_intptr_t, std::intptr_t>(test_);
  check_alias<cudax::atomic_uintptr_t, std::uintptr_t>(test_);
  check_alias<cudax::atomic_intmax_t, std::intmax_t>(test_);
  check_alias<cudax::atomic_uintmax_t, std::uintmax_t>(test_);
  check_alias<atomic_size_t, std::size_t>(test_);
  check_alias<atomic_ptrdiff_t, std::ptrdiff_t>(test_);
}

TEST("the lock-free aliases hold a signed and an unsigned integer") {
  check_alias<atomic_signed_lock_free, int>(test_);
  check_alias<atomic_unsigned_lock_free, unsigned>(test_);
  CHECK(atomic_signed_lock_free::is_always_lock_free && atomic_unsigned_lock_free::is_always_lock_free);
}

TESTS_END
