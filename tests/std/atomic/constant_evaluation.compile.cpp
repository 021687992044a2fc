// SPDX-License-Identifier: Apache-2.0
//
// [atomics] The operations of atomic, atomic_ref and atomic_flag in constant evaluation (P3309), and those of contended
// and contended_ref.
import cudax.sync;

using namespace cudax;

/// What every value type has. The values differ from each other.
template <class A, class T>
constexpr bool every_value(A&& a, T zero, T one) {
  bool right = a.load() == zero && T(a) == zero;
  a.store(one, memory_order_release);
  right = right && a.load(memory_order_acquire) == one && (a = zero) == zero;
  right = right && a.exchange(one) == zero && a.exchange(zero, memory_order_relaxed) == one;
  T expected = one;
  right = right && !a.compare_exchange_strong(expected, one) && expected == zero;
  right = right && a.compare_exchange_weak(expected, one, memory_order_acq_rel, memory_order_relaxed) &&
          a.load() == one && expected == zero;
  right = right && a.try_wait(zero) && !a.try_wait(one);
  a.wait(zero);
  a.notify_one();
  a.notify_all();
  a.store(zero);
  return right;
}
template <class T, thread_scope Scope>
constexpr bool both(T zero, T one) {
  atomic<T, Scope> object(zero);
  T referred = zero;
  atomic_ref<T, Scope> const reference(referred);
  contended<T, Scope> combined(zero);
  bool const right = every_value(object, zero, one) && every_value(reference, zero, one) &&
                     every_value(combined, zero, one) && every_value(contended_ref(reference), zero, one);
  return right && reference.address() == &referred && atomic_ref<T const, Scope>(referred).load() == zero;
}
struct pair {
  short first, second;
  constexpr bool operator==(pair const&) const = default;
};
enum class colour { red, blue };
constexpr int array[5] = {};
template <thread_scope S>
constexpr bool at_scope =
    both<int, S>(0, 1) && both<unsigned char, S>(0, 255) && both<long long, S>(0, -1) && both<bool, S>(false, true) &&
    both<float, S>(0.0f, 1.5f) && both<double, S>(0.0, -1.5) && both<int const*, S>(array, array + 3) &&
    both<colour, S>(colour::red, colour::blue) && both<pair, S>({1, 2}, {3, 4}) && both<unsigned __int128, S>(0, 1);
static_assert(at_scope<thread_scope_system> && at_scope<thread_scope_device> && at_scope<thread_scope_cluster> &&
              at_scope<thread_scope_block> && at_scope<thread_scope_thread>);

template <class A>
constexpr bool integers(A&& a) { // of 8 bits, signed, 5
  bool right = a.fetch_add(3) == 5 && a.fetch_sub(1) == 8 && a.fetch_and(6) == 7 && a.fetch_or(9) == 6;
  right = right && a.fetch_xor(2) == 15 && a.fetch_max(20) == 13 && a.fetch_max(3) == 20 && a.fetch_min(-4) == 20;
  right = right && a++ == -4 && ++a == -2 && a-- == -2 && --a == -4 && (a += 10) == 6 && (a -= 2) == 4;
  right = right && (a |= 3) == 7 && (a &= 5) == 5 && (a ^= 1) == 4;
  a.store_add(120);
  right = right && a.load() == 124 && a.fetch_add(4) == 124 && a.load() == -128; // wraps round
  a.store_sub(1), a.store_and(0x3c), a.store_or(1), a.store_xor(0x10), a.store_max(50), a.store_min(49);
  return right && a.load() == 49;
}
template <class A>
constexpr bool floats(A&& a) { // 1.5
  bool right = a.fetch_add(1) == 1.5 && a.fetch_sub(0.5) == 2.5 && (a += 1) == 3 && (a -= 2) == 1;
  right = right && a++ == 1 && ++a == 3 && a-- == 3 && --a == 1;
  right = right && a.fetch_max(4) == 1 && a.fetch_max(-8) == 4 && a.fetch_min(-2) == 4 && a.load() == -2;
  right = right && a.fetch_fmaximum(3) == -2 && a.fetch_fminimum(1) == 3 && a.fetch_fmaximum_num(2) == 1;
  a.store_add(1), a.store_fminimum_num(2.5f), a.store_max(2.75f), a.store_min(9);
  return right && a.load() == 2.75;
}
template <class A>
constexpr bool pointers(A&& a) { // array + 1
  bool right = a.fetch_add(3) == array + 1 && a.fetch_sub(2) == array + 4 && a++ == array + 2 && --a == array + 2;
  right = right && (a += 2) == array + 4 && (a -= 1) == array + 3 && a.fetch_max(array + 1) == array + 3;
  right = right && a.fetch_min(array) == array + 3 && a.load() == array;
  a.store_add(4), a.store_sub(3), a.store_max(array + 2), a.store_min(array + 3);
  return right && a.load() == array + 2;
}
constexpr bool by_reference() {
  signed char i = 5;
  double d = 1.5;
  int const* p = array + 1;
  bool const right = integers(atomic_ref(i)) && floats(atomic_ref(d)) && pointers(atomic_ref(p));
  i = 5, d = 1.5, p = array + 1;
  return right && integers(contended_ref(i)) && floats(contended_ref(d)) && pointers(contended_ref(p));
}
static_assert(integers(atomic<signed char>(5)));
static_assert(floats(atomic(1.5f)) && floats(atomic<double>(1.5)) && pointers(atomic<int const*>(array + 1)) &&
              by_reference());
static_assert(integers(contended<signed char>(5)) && floats(contended(1.5f)) && floats(contended<double>(1.5)) &&
              pointers(contended<int const*>(array + 1)));

constexpr bool flags() {
  atomic_flag f;
  bool right = !f.test() && !f.test_and_set() && f.test_and_set() && f.test();
  f.wait(false);
  f.notify_all();
  f.clear();
  return right && !f.test() && !atomic_flag_test_and_set(&f) && atomic_flag_test(&f);
}
static_assert(flags());

template <class A>
constexpr int functions() {
  A a(1);
  atomic_store(&a, 2);
  int expected = 2;
  bool const right = atomic_compare_exchange_strong(&a, &expected, 3) && atomic_exchange(&a, 4) == 3;
  atomic_store_add(&a, 1);
  atomic_thread_fence(memory_order_seq_cst);
  atomic_signal_fence(memory_order_acquire);
  return right ? atomic_fetch_max_explicit(&a, 9, memory_order_relaxed) + atomic_load(&a) : -1;
}
static_assert(functions<atomic<int>>() == 14 && functions<contended<int>>() == 14);
