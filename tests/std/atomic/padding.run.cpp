// SPDX-License-Identifier: Apache-2.0
//
// [atomics.types.operations], [atomics.ref.ops] values with padding bits, which are not part of the value
#include "support/test.hpp"
import cudax.sync;
#include "support/lists.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

struct padded_2 {
  alignas(2) char a;
};
struct padded_4 {
  short a;
  char b;
};
struct padded_8 {
  int a;
  char b;
};
struct padded_8_in_the_middle {
  char a;
  int b;
};
struct padded_8_nested {
  struct {
    char x;
    short y;
  } a;
  int b;
};
class padded_8_private : padded_4 {
  int c;

public:
  friend void set(padded_8_private& object, int i) {
    static_cast<padded_4&>(object).a = short(i);
    static_cast<padded_4&>(object).b = char(i + 1);
    object.c = i + 2;
  }
};
struct padded_8_array {
  padded_4 a[2];
};
struct padded_8_float {
  float a;
  char b;
};

/// Its members are private, and one of them is a class whose members are private, too.
class padded_8_with_private_class {
  class inner {
    short s = 0;
    friend class padded_8_with_private_class;
  } a;
  int b = 0;

public:
  friend void set(padded_8_with_private_class& object, int i) {
    object.a.s = short(i);
    object.b = i + 1;
  }
};

void set(padded_2& object, int i) { object.a = char(i); }
template <class T> void set(T& object, int i) {
  object.a = i;
  object.b = i + 1;
}
void set(padded_8_nested& object, int i) {
  object.a.x = char(i);
  object.a.y = short(i + 1);
  object.b = i + 2;
}
void set(padded_8_array& object, int i) {
  set(object.a[0], i);
  set(object.a[1], i + 2);
}

using padded_types = types<padded_2, padded_4, padded_8, padded_8_in_the_middle, padded_8_nested, padded_8_private,
                           padded_8_array, padded_8_float, padded_8_with_private_class>;

/// Sets the object to the i-th value, and all its padding bits to `padding`.
template <class T> void put(T& object, int i, int padding) {
  __builtin_memset(static_cast<void*>(&object), padding, sizeof(T));
  set(object, i);
}

/// Tells whether the object holds the i-th value. With equal padding, values are equal if their bytes are.
template <class T> bool has(T const& object, int i) {
  T same = object;
  set(same, i);
  bool equal = true;
  for (unsigned at = 0; at < sizeof(T); ++at)
    equal &= reinterpret_cast<char const*>(&object)[at] == reinterpret_cast<char const*>(&same)[at];
  return equal;
}

TEST("padding does not make compare_exchange fail") {
  for_each_type_shared_or_not(padded_types(), [&]<class T, thread_scope S>() {
    struct memory {
      alignas(8) T object;
    };
    T& object = make<memory>(test_).object;
    atomic_ref<T, S> const a(object);
    for (int padding = 0; padding < 256; padding += 51) {
      T expected, desired;
      put(object, 1, padding);
      put(expected, 1, ~padding);
      put(desired, 2, padding);
      CHECK(a.compare_exchange_strong(expected, desired));
      CHECK(has(object, 2));

      put(object, 1, padding);
      put(expected, 1, ~padding);
      CHECK(a.compare_exchange_weak(expected, desired, memory_order_acq_rel, memory_order_acquire));
      CHECK(has(object, 2));
    }
  });
}

TEST("a value that differs makes compare_exchange fail, whatever the padding") {
  for_each_type_shared_or_not(padded_types(), [&]<class T, thread_scope S>() {
    struct memory {
      alignas(8) T object;
    };
    T& object = make<memory>(test_).object;
    atomic_ref<T, S> const a(object);
    T expected, desired;
    put(desired, 3, 0);
    for (int padding = 0; padding < 256; padding += 51) {
      put(object, 1, padding);
      put(expected, 2, padding);
      CHECK(!a.compare_exchange_strong(expected, desired));
      CHECK(has(expected, 1));
      CHECK(has(object, 1));
      put(expected, 2, ~padding);
      CHECK(!a.compare_exchange_weak(expected, desired));
      CHECK(has(expected, 1));
      CHECK(has(object, 1));
    }
  });
}

TEST("a difference in padding does not end a wait") {
  for_each_type_shared_or_not(padded_types(), [&]<class T, thread_scope S>() {
    struct memory {
      alignas(8) T object;
    };
    T& object = make<memory>(test_).object;
    atomic_ref<T, S> const a(object);
    for (int padding = 0; padding < 256; padding += 51) {
      T old;
      put(object, 1, padding);
      put(old, 1, ~padding);
      CHECK(!a.try_wait(old));
      put(old, 2, padding);
      CHECK(a.try_wait(old));
      a.wait(old);
    }
  });
}

/// A loop of compare_exchange among threads whose expected values have different padding.
template <thread_scope Scope> struct padded_increments {
  static constexpr thread_scope scope = Scope;
  static constexpr int rounds = 20;
  alignas(8) padded_8 object = {0, 0};

  void run(worker me, context& test_) {
    atomic_ref<padded_8, Scope> const a(object);
    for (unsigned i = 0; i < rounds * repeats(me.size); ++i) {
      padded_8 expected = a.load(memory_order_relaxed);
      AWAIT([&] {
        padded_8 mine;
        put(mine, 0, int(me.rank));
        mine.a = expected.a;
        mine.b = expected.b;
        padded_8 desired;
        put(desired, 0, int(~me.rank));
        desired.a = expected.a + 1;
        desired.b = char(expected.a + 1);
        bool const exchanged = a.compare_exchange_weak(mine, desired);
        expected = mine;
        return exchanged;
      }());
    }
  }
  void verify(unsigned threads, context& test_) {
    CHECK_EQUAL(object.a, int(threads * rounds * repeats(threads)));
    CHECK_EQUAL(object.b, char(threads * rounds * repeats(threads)));
  }
};
CONCURRENT_TEST("no increment of a value with padding is lost: block", padded_increments<thread_scope_block>)
CONCURRENT_TEST("no increment of a value with padding is lost: device", padded_increments<thread_scope_device>)
CONCURRENT_TEST("no increment of a value with padding is lost: system", padded_increments<thread_scope_system>)

TESTS_END
