// SPDX-License-Identifier: Apache-2.0
//
// Extension: contended_ref and contended. Lanes of a warp that call together for one object combine their operations.
// On the emulator, lanes call together only in a checked run (tools/emulate --check), which CTest makes, too.
#include "support/test.hpp"
import cudax.sync;
#include "chained.hpp"
#include "std/atomic/many_threads.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

// --- one thread: the members do what those of atomic_ref do; on a device also for an automatic object
// -----------------

template <class T, class Operation>
void check_as_atomic(context& test_, T before, T operand, Operation operation) {
  atomic<T> wanted = before;
  auto& a = make<contended<T>>(test_, before);
  CHECK_SAME(operation(a), operation(wanted));
  CHECK_SAME(a.load(memory_order_relaxed), wanted.load(memory_order_relaxed));
  (void)operand;
}

TEST("every member of contended does what the member of atomic does: integers") {
  for_each_type(machine_integers(), [&]<class T>() {
    for (T const before : integer_samples<T>().at)
      for (T const operand : integer_samples<T>().at) {
        auto const same = [&](auto operation) { check_as_atomic<T>(test_, before, operand, operation); };
        same([=](auto& a) { return a.fetch_add(operand); });
        same([=](auto& a) { return a.fetch_sub(operand, memory_order_acq_rel); });
        same([=](auto& a) { return a.fetch_and(operand, memory_order_relaxed); });
        same([=](auto& a) { return a.fetch_or(operand, memory_order_release); });
        same([=](auto& a) { return a.fetch_xor(operand, memory_order_acquire); });
        same([=](auto& a) { return a.fetch_max(operand); });
        same([=](auto& a) { return a.fetch_min(operand); });
        same([=](auto& a) { return a.exchange(operand); });
        same([=](auto& a) { return a += operand; });
        same([=](auto& a) { return a -= operand; });
        same([=](auto& a) { return a &= operand; });
        same([=](auto& a) { return a |= operand; });
        same([=](auto& a) { return a ^= operand; });
        same([=](auto& a) { return a++; });
        same([=](auto& a) { return ++a; });
        same([=](auto& a) { return a--; });
        same([=](auto& a) { return --a; });
        same([=](auto& a) { return a = operand; });
        same([=](auto& a) {
          a.store_add(operand);
          a.store_sub(1, memory_order_relaxed);
          a.store_or(operand, memory_order_release);
          a.store_and(T(~operand));
          a.store_xor(T(77));
          return a.load();
        });
        same([=](auto& a) {
          a.store_max(operand);
          T const largest = a.load();
          a.store_min(T(5));
          return largest;
        });
      }
  });
}

TEST("every member of contended does what the member of atomic does: floating point") {
  for_each_type(floats(), [&]<class T>() {
    T const numbers[] = {number<T>(0),  negative_zero<T>(), number<T>(1.5f),
                         number<T>(-3), infinity<T>(),      quiet_nan<T>()};
    for (T const before : numbers)
      for (T const operand : numbers) {
        auto const same = [&](auto operation) { check_as_atomic<T>(test_, before, operand, operation); };
        same([=](auto& a) { return a.fetch_max(operand); });
        same([=](auto& a) { return a.fetch_min(operand); });
        same([=](auto& a) { return a.fetch_fmaximum(operand); });
        same([=](auto& a) { return a.fetch_fminimum(operand, memory_order_relaxed); });
        same([=](auto& a) { return a.fetch_fmaximum_num(operand); });
        same([=](auto& a) { return a.fetch_fminimum_num(operand); });
        same([=](auto& a) { return a++; });
        same([=](auto& a) { return --a; });
        same([=](auto& a) { return atomic_fetch_add(&a, operand); });
        same([=](auto& a) {
          a.store_fmaximum(operand);
          a.store_fminimum(number<T>(2));
          a.store_fmaximum_num(number<T>(1));
          a.store_fminimum_num(operand);
          a.store_max(number<T>(1));
          a.store_min(number<T>(1));
          return a.load();
        });
      }
    auto& a = make<contended<T>>(test_, number<T>(1));
    CHECK_SAME(a.fetch_add(number<T>(2)), number<T>(1));
    CHECK_SAME(a.fetch_sub(number<T>(4)), number<T>(3));
    a.store_add(number<T>(8));
    a.store_sub(number<T>(1));
    CHECK_SAME(a.load(), number<T>(6));
  });
}

TEST("contended pointers count elements; structures, bool and pointers exchange") {
  three_bytes values[6] = {};
  auto& a = make<contended<three_bytes*>>(test_, values);
  CHECK(a.fetch_add(3) == values);
  CHECK(a.fetch_sub(1) == values + 3);
  CHECK(a.fetch_max(values + 5) == values + 2);
  a.store_add(-4);
  CHECK(++a == values + 2);
  CHECK(a.exchange(values) == values + 2);
  CHECK(a.load() == values);

  auto& b = make<contended<bool>>(test_, false);
  CHECK(!b.exchange(true));
  CHECK(b.load());
  auto& s = make<contended<structure_8>>(test_, structure_8{1, 2, {3, 4}});
  CHECK_EQUAL(s.exchange(structure_8{5, 6, {7, 8}}).b, 2);
  CHECK_EQUAL(s.load().b, 6);
}

TEST("what does not combine is that of atomic: load, store, compare_exchange, wait") {
  auto& a = make<contended<int, thread_scope_device>>(test_, 3);
  int expected = 3;
  CHECK(a.compare_exchange_strong(expected, 4));
  a.store(5);
  CHECK(!a.compare_exchange_weak(expected, 6));
  CHECK_EQUAL(expected, 5);
  a.wait(4);
  CHECK(a.try_wait(4));
  a.notify_all();
  CHECK_EQUAL(int(a), 5);
}

TEST("references of all types refer to one object") {
  auto& value = make<unsigned>(test_, 1u);
  atomic_ref<unsigned> plain(value);
  contended_ref<unsigned> const a(plain);
  contended_ref b(value);
  contended_ref<unsigned> const c = b;
  CHECK_EQUAL(a.fetch_add(1), 1u);
  CHECK_EQUAL(c.fetch_add(1), 2u);
  CHECK_EQUAL(plain.fetch_add(1), 3u);
  CHECK(b.address() == &value);
}

// --- many threads ----------------------------------------------------------------------------------------------------

inline constexpr memory_order every_order[] = {memory_order_relaxed, memory_order_acquire, memory_order_release,
                                               memory_order_acq_rel, memory_order_seq_cst};

/// Every thread performs one operation on each object, all lanes on the same object or neighbouring lanes on different
/// objects. Results are those of single operations.
template <class Key, class T, thread_scope Scope, unsigned Objects = 1> struct chained {
  static constexpr thread_scope scope = Scope;
  T objects[Objects];
  chain<T> results[Objects];

  chained() {
    for (T& object : objects) object = Key::template first<T>();
    __builtin_memset(static_cast<void*>(results), 0, sizeof(results));
  }
  void run(worker me, context&) {
    T const operand = Key::template operand<T>(me.rank);
    for (unsigned i = 0; i < Objects; ++i) {
      unsigned const at = (me.rank + i) % Objects;
      results[at].note(me.rank, operand,
                       Key::apply(contended_ref<T, Scope>(objects[at]), operand, memory_order_relaxed));
    }
  }
  void verify(unsigned threads, context& test_) {
    for (unsigned i = 0; i < Objects; ++i)
      results[i].check(test_, threads, Key::template first<T>(), objects[i], Key::template after<T>);
  }
};
CONCURRENT_TEST("results are those of single operations: add, 32 bits", chained<adding, unsigned, thread_scope_device>)
CONCURRENT_TEST("results are those of single operations: add, 32 bits, in shared memory",
                chained<adding, int, thread_scope_block>)
CONCURRENT_TEST("results are those of single operations: add, 16 bits, 4 neighbours",
                chained<adding, unsigned short, thread_scope_block, 4>)
CONCURRENT_TEST("results are those of single operations: add, 64 bits, 3 objects",
                chained<adding, long long, thread_scope_device, 3>)
CONCURRENT_TEST("results are those of single operations: sub, 64 bits",
                chained<subtracting, long long, thread_scope_block>)
CONCURRENT_TEST("results are those of single operations: or, 8 bits, 4 neighbours",
                chained<setting, unsigned char, thread_scope_device, 4>)
CONCURRENT_TEST("results are those of single operations: or, 64 bits",
                chained<setting, unsigned long long, thread_scope_block>)
CONCURRENT_TEST("results are those of single operations: and, 32 bits, 2 objects",
                chained<clearing, unsigned, thread_scope_block, 2>)
CONCURRENT_TEST("results are those of single operations: and, 16 bits",
                chained<clearing, unsigned short, thread_scope_device>)
CONCURRENT_TEST("results are those of single operations: xor, 64 bits",
                chained<inverting, unsigned long long, thread_scope_block>)
CONCURRENT_TEST("results are those of single operations: xor, 32 bits, 2 objects",
                chained<inverting, unsigned, thread_scope_device, 2>)
CONCURRENT_TEST("results are those of single operations: max, 32 bits", chained<raising, int, thread_scope_device>)
CONCURRENT_TEST("results are those of single operations: max, 8 bits, 4 neighbours",
                chained<raising, signed char, thread_scope_block, 4>)
CONCURRENT_TEST("results are those of single operations: min, 64 bits",
                chained<lowering, long long, thread_scope_block>)
CONCURRENT_TEST("results are those of single operations: max, float with NaN",
                chained<raising, float, thread_scope_device>)
CONCURRENT_TEST("results are those of single operations: max, double with NaN",
                chained<raising, double, thread_scope_block>)
CONCURRENT_TEST("results are those of single operations: min, float with NaN",
                chained<lowering, float, thread_scope_block>)
CONCURRENT_TEST("results are those of single operations: fmaximum, float",
                chained<raising_to_nan, float, thread_scope_block>)
CONCURRENT_TEST("results are those of single operations: fminimum_num, double",
                chained<lowering_number, double, thread_scope_device>)
CONCURRENT_TEST("results are those of single operations: exchange, 32 bits",
                chained<exchanging, unsigned, thread_scope_device>)
CONCURRENT_TEST("results are those of single operations: exchange, 64 bits, 2 objects",
                chained<exchanging, long long, thread_scope_block, 2>)
CONCURRENT_TEST("results are those of single operations: add, 64 bits, system",
                chained<adding, unsigned long long, thread_scope_system>)

/// Lanes in two branches, lanes that have returned, and orders that differ between lanes.
template <thread_scope Scope> struct diverged {
  static constexpr thread_scope scope = Scope;
  unsigned object = 0;
  chain<unsigned> results;

  diverged() { __builtin_memset(static_cast<void*>(&results), 0, sizeof(results)); }
  void run(worker me, context&) {
    if (me.rank % 5 == 0) return;
    contended_ref<unsigned, Scope> a(object);
    memory_order const order = every_order[me.rank / 3 % 5];
    unsigned const operand = 1 + me.rank % 4;
    unsigned before;
    if (me.rank % 2) before = a.fetch_add(operand, memory_order_acquire);
    else before = a.fetch_add(operand, order);
    results.note(me.rank, operand, before);
  }
  void verify(unsigned threads, context& test_) {
    results.check(test_, threads, 0u, object, [](unsigned a, unsigned b) { return a + b; });
  }
};
CONCURRENT_TEST("lanes in two branches, lanes that have returned, different orders: device",
                diverged<thread_scope_device>)
CONCURRENT_TEST("lanes in two branches, lanes that have returned, different orders: block",
                diverged<thread_scope_block>)

/// Every thread takes tickets. Each ticket is given once.
template <class T, thread_scope Scope> struct contended_tickets {
  static constexpr thread_scope scope = Scope;
  static constexpr unsigned rounds = 4;
  T next = 0;
  unsigned given[most_links * rounds] = {};

  void run(worker me, context& test_) {
    contended_ref<T, Scope> counter(next);
    for (unsigned i = 0; i < rounds; ++i) {
      T const ticket = i % 2 ? counter++ : counter.fetch_add(1, memory_order_relaxed);
      CHECK(ticket < me.size * rounds);
      atomic_ref<unsigned, Scope>(given[unsigned(ticket)]).fetch_add(1, memory_order_relaxed);
    }
  }
  void verify(unsigned threads, context& test_) {
    CHECK_EQUAL(next, T(threads * rounds));
    for (unsigned i = 0; i < threads * rounds; ++i) CHECK_EQUAL(given[i], 1u);
  }
};
CONCURRENT_TEST("each ticket is given once: 32 bits, device", contended_tickets<unsigned, thread_scope_device>)
CONCURRENT_TEST("each ticket is given once: 64 bits, block", contended_tickets<unsigned long long, thread_scope_block>)

/// A thread's own accesses to the object stay in the order of the program, for relaxed operations, too: the lane that
/// performs the operation for others does not perform it before their earlier accesses, or after their later ones.
template <thread_scope Scope> struct coherent {
  static constexpr thread_scope scope = Scope;
  unsigned long long sum = 0, largest = 0;

  void run(worker me, context& test_) {
    contended_ref<unsigned long long, Scope> total(sum), top(largest);
    atomic_ref<unsigned long long, Scope> plain(largest);
    for (unsigned i = 1; i <= 4; ++i) {
      auto const before = total.fetch_add(i, memory_order_relaxed);
      CHECK(total.load(memory_order_relaxed) >= before + i);
      auto const seen = total.load(memory_order_relaxed);
      total.store_add(i, memory_order_relaxed);
      CHECK(total.load(memory_order_relaxed) >= seen + i);

      unsigned long long const mine = i * 1000 + me.rank;
      plain.store_max(mine, memory_order_relaxed);
      CHECK(top.fetch_max(0, memory_order_relaxed) >= mine);
    }
  }
  void verify(unsigned threads, context& test_) { CHECK_EQUAL(sum, 20ull * threads); }
};
CONCURRENT_TEST("a thread's accesses to the object stay in order: device", coherent<thread_scope_device>)
CONCURRENT_TEST("a thread's accesses to the object stay in order: block", coherent<thread_scope_block>)

/// Automatic objects of several lanes have one address and are different objects.
template <thread_scope Scope> struct automatic_objects {
  static constexpr thread_scope scope = Scope;

  void run(worker me, context& test_) {
    unsigned mine = me.rank;
    unsigned* volatile hidden = &mine; // the compiler does not know the state space
    contended_ref<unsigned, Scope> a(*hidden);
    CHECK_EQUAL(a.fetch_add(1 + me.rank, memory_order_relaxed), me.rank);
    a.store_add(1);
    CHECK_EQUAL(a.exchange(7), 2 * me.rank + 2);
    CHECK_EQUAL(mine, 7u);
  }
  void verify(unsigned, context&) {}
};
CONCURRENT_TEST("automatic objects of several lanes are different objects", automatic_objects<thread_scope_device>)

/// The operations without a result.
template <class T, thread_scope Scope> struct without_result {
  static constexpr thread_scope scope = Scope;
  static constexpr unsigned rounds = 2;
  alignas(16) T sum = 0;
  T difference = 0, ones = 0, zeros = T(~0ull), parity = 0, largest = 0, smallest = T(100);

  static T bit(unsigned i) { return T(1ull << i % (8 * sizeof(T) - 1)); }
  void run(worker me, context&) {
    for (unsigned i = 0; i < rounds; ++i) {
      contended_ref<T, Scope>(sum).store_add(T(1 + me.rank % 3), memory_order_relaxed);
      contended_ref<T, Scope>(difference).store_sub(1, memory_order_relaxed);
      contended_ref<T, Scope>(ones).store_or(bit(me.rank), memory_order_relaxed);
      contended_ref<T, Scope>(zeros).store_and(T(~bit(me.rank)), memory_order_relaxed);
      contended_ref<T, Scope>(parity).store_xor(bit(me.rank + i), memory_order_relaxed);
      contended_ref<T, Scope>(largest).store_max(T(me.rank % 100), memory_order_relaxed);
      contended_ref<T, Scope>(smallest).store_min(T(100 - me.rank % 100), memory_order_relaxed);
    }
  }
  void verify(unsigned threads, context& test_) {
    T a = 0, o = 0, x = 0, m = 0;
    for (unsigned i = 0; i < threads; ++i) {
      a = T(a + rounds * (1 + i % 3));
      o |= bit(i);
      for (unsigned j = 0; j < rounds; ++j) x ^= bit(i + j);
      if (T(i % 100) > m) m = T(i % 100);
    }
    CHECK_EQUAL(sum, a);
    CHECK_EQUAL(difference, T(T(0) - T(rounds * threads)));
    CHECK_EQUAL(ones, o);
    CHECK_EQUAL(zeros, T(~o));
    CHECK_EQUAL(parity, x);
    CHECK_EQUAL(largest, m);
    CHECK_EQUAL(smallest, T(100 - m));
  }
};
CONCURRENT_TEST("nothing is lost: store_add to store_min, 8 bits, block",
                without_result<signed char, thread_scope_block>)
CONCURRENT_TEST("nothing is lost: store_add to store_min, 16 bits, device",
                without_result<unsigned short, thread_scope_device>)
CONCURRENT_TEST("nothing is lost: store_add to store_min, 32 bits, device", without_result<int, thread_scope_device>)
CONCURRENT_TEST("nothing is lost: store_add to store_min, 32 bits unsigned, block",
                without_result<unsigned, thread_scope_block>)
CONCURRENT_TEST("nothing is lost: store_add to store_min, 64 bits, block",
                without_result<unsigned long long, thread_scope_block>)

/// Sums of floating-point numbers: store_add is regrouped, fetch_add is not.
template <class T, thread_scope Scope> struct sums {
  static constexpr thread_scope scope = Scope;
  alignas(16) T exact = number<T>(0);
  T large;
  T most; // adding 1 to it changes nothing: the sum of several ones would

  sums() {
    most = number<T>(1);
    for (int i = 0; i < 8 * int(sizeof(T)) - exponent_bits<T>; ++i) most = T(most + most);
    large = most;
  }
  void run(worker, context&) {
    contended_ref<T, Scope>(exact).store_add(number<T>(0.5f), memory_order_relaxed);
    contended_ref<T, Scope>(exact).store_sub(number<T>(0.25f), memory_order_relaxed);
    contended_ref<T, Scope>(large).fetch_add(number<T>(1), memory_order_relaxed);
  }
  void verify(unsigned threads, context& test_) {
    CHECK_SAME(exact, number<T>(float(threads) / 4));
    CHECK_SAME(large, most);
  }
};
CONCURRENT_TEST("store_add sums all numbers, fetch_add rounds each sum: float", sums<float, thread_scope_device>)
CONCURRENT_TEST("store_add sums all numbers, fetch_add rounds each sum: double", sums<double, thread_scope_block>)
CONCURRENT_TEST("store_add sums all numbers, fetch_add rounds each sum: half", sums<_Float16, thread_scope_block>)

TESTS_END
