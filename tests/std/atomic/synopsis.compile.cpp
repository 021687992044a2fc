// SPDX-License-Identifier: Apache-2.0
//
// [atomics.syn] Every member and free function exists for exactly the types that the standard gives it, has the
// standard's result type, and is noexcept. The contended forms have all of them, too.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <type_traits>
#include <utility>
import cudax.sync;

using namespace cudax;

#define RETURNS(expression, ...)                                                                                       \
  static_assert(__is_same(decltype(expression), __VA_ARGS__) && noexcept(expression), #expression)

constexpr std::chrono::seconds five_seconds(5);
constexpr std::chrono::system_clock::time_point noon(std::chrono::hours(12));

struct point {
  short x, y;
};
enum class colour { red };

/// What every atomic has. A is cv-qualified or an atomic_ref.
template <class A, class T>
constexpr bool reads(A& a, T t) {
  RETURNS(a.is_lock_free(), bool);
  RETURNS(a.load(), T);
  RETURNS(a.load(memory_order_acquire), T);
  RETURNS(a.load(std::memory_order_acquire), T);
  RETURNS(static_cast<T>(a), T);
  RETURNS(a.wait(t), void);
  RETURNS(a.wait(t, memory_order_relaxed), void);
  RETURNS(a.try_wait(t), bool);
  RETURNS(a.try_wait(t, memory_order_relaxed), bool);
  RETURNS(a.wait_for(t, nanoseconds(5)), bool);
  RETURNS(a.wait_for(t, five_seconds, memory_order_acquire), bool);
  RETURNS(a.wait_until(t, steady_clock::now()), bool);
  RETURNS(a.wait_until(t, noon, memory_order_acquire), bool);
  return true;
}

template <class A, class T>
constexpr bool writes(A& a, T t) {
  RETURNS(a.store(t), void);
  RETURNS(a.store(t, memory_order_release), void);
  RETURNS(a = t, T);
  RETURNS(a.exchange(t), T);
  RETURNS(a.exchange(t, memory_order_acq_rel), T);
  RETURNS(a.compare_exchange_weak(t, t), bool);
  RETURNS(a.compare_exchange_weak(t, t, memory_order_release), bool);
  RETURNS(a.compare_exchange_weak(t, t, memory_order_release, memory_order_relaxed), bool);
  RETURNS(a.compare_exchange_strong(t, t), bool);
  RETURNS(a.compare_exchange_strong(t, t, memory_order_release), bool);
  RETURNS(a.compare_exchange_strong(t, t, std::memory_order_release, std::memory_order_relaxed), bool);
  RETURNS(a.notify_one(), void);
  RETURNS(a.notify_all(), void);
  return true;
}

template <class A, class T, class D>
constexpr bool calculates(A& a, T t, D d) {
  RETURNS(a.fetch_add(d), T);
  RETURNS(a.fetch_add(d, memory_order_relaxed), T);
  RETURNS(a.fetch_sub(d), T);
  RETURNS(a.fetch_sub(d, memory_order_relaxed), T);
  RETURNS(a.fetch_max(t), T);
  RETURNS(a.fetch_max(t, memory_order_relaxed), T);
  RETURNS(a.fetch_min(t), T);
  RETURNS(a.fetch_min(t, memory_order_relaxed), T);
  RETURNS(a.store_add(d), void);
  RETURNS(a.store_add(d, memory_order_release), void);
  RETURNS(a.store_sub(d), void);
  RETURNS(a.store_max(t), void);
  RETURNS(a.store_min(t, memory_order_release), void);
  RETURNS(a += d, T);
  RETURNS(a -= d, T);
  return true;
}

template <class A, class T>
constexpr bool steps(A& a, T) {
  RETURNS(++a, T);
  RETURNS(a++, T);
  RETURNS(--a, T);
  RETURNS(a--, T);
  return true;
}

template <class A, class T>
constexpr bool has_bits(A& a, T t) {
  RETURNS(a.fetch_and(t), T);
  RETURNS(a.fetch_or(t, memory_order_relaxed), T);
  RETURNS(a.fetch_xor(t), T);
  RETURNS(a.store_and(t), void);
  RETURNS(a.store_or(t, memory_order_release), void);
  RETURNS(a.store_xor(t), void);
  RETURNS(a &= t, T);
  RETURNS(a |= t, T);
  RETURNS(a ^= t, T);
  return true;
}

template <class A, class T>
constexpr bool floats(A& a, T t) {
  RETURNS(a.fetch_fmaximum(t), T);
  RETURNS(a.fetch_fminimum(t, memory_order_relaxed), T);
  RETURNS(a.fetch_fmaximum_num(t), T);
  RETURNS(a.fetch_fminimum_num(t), T);
  RETURNS(a.store_fmaximum(t), void);
  RETURNS(a.store_fminimum(t, memory_order_release), void);
  RETURNS(a.store_fmaximum_num(t), void);
  RETURNS(a.store_fminimum_num(t), void);
  return true;
}

template <class A, class T>
void every_value_type(A& a, T t) {
  reads(a, t);
  reads(std::as_const(a), t);
  writes(a, t);
}
template <class A, class T>
void every_object(A& a, T t) {
  every_value_type(a, t);
  RETURNS(a.address(), T*);
}
template <class A, class T>
void every_reference(A& a, T t) {
  every_value_type(a, t);
  RETURNS(a.address(), void*);
}
template <class A, class T, class D>
void every_number(A& a, T t, D d) {
  static_assert(__is_same(typename A::difference_type, D));
  calculates(a, t, d);
}

template <template <class, thread_scope> class Object, template <class, thread_scope> class Reference,
          thread_scope Scope>
void every_type(int i, unsigned char c, bool b, point p, colour e, float f, double d, long* q, void (*g)()) {
  Object<int, Scope> ai;
  every_object(ai, i);
  every_number(ai, i, i);
  steps(ai, i);
  has_bits(ai, i);
  Object<int, Scope> volatile av;
  reads(av, i);
  writes(av, i);
  calculates(av, i, i);
  steps(av, i);
  has_bits(av, i);
  Object<unsigned char, Scope> ac;
  every_object(ac, c);
  every_number(ac, c, c);
  has_bits(ac, c);
  Object<bool, Scope> ab;
  every_object(ab, b);
  Object<point, Scope> ap;
  every_object(ap, p);
  Object<colour, Scope> ae;
  every_object(ae, e);
  Object<float, Scope> af;
  every_object(af, f);
  every_number(af, f, f);
  steps(af, f);
  floats(af, f);
  Object<double, Scope> volatile ad;
  writes(ad, d);
  calculates(ad, d, d);
  steps(ad, d);
  floats(ad, d);
  Object<long*, Scope> aq;
  every_object(aq, q);
  every_number(aq, q, std::ptrdiff_t());
  steps(aq, q);
  Object<void (*)(), Scope> ag;
  every_object(ag, g);

  Reference<int, Scope> const ri(i);
  every_reference(ri, i);
  calculates(ri, i, i);
  steps(ri, i);
  has_bits(ri, i);
  int volatile vi = 0;
  RETURNS((Reference<int volatile, Scope>(vi).address()), void volatile*);
  Reference<float, Scope> const rf(f);
  every_reference(rf, f);
  calculates(rf, f, f);
  steps(rf, f);
  floats(rf, f);
  Reference<long*, Scope> const rq(q);
  every_reference(rq, q);
  calculates(rq, q, std::ptrdiff_t());
  steps(rq, q);
  Reference<point, Scope> const rp(p);
  every_reference(rp, p);
}

template <thread_scope Scope>
void every_type(int i, unsigned char c, bool b, point p, colour e, float f, double d, long* q, void (*g)()) {
  every_type<atomic, atomic_ref, Scope>(i, c, b, p, e, f, d, q, g);
  every_type<contended, contended_ref, Scope>(i, c, b, p, e, f, d, q, g);

  atomic_ref<int const, Scope> const rc(i);
  reads(rc, i);
  RETURNS(rc.address(), void const*);
  int const volatile cvi = 0;
  RETURNS((atomic_ref<int const volatile, Scope>(cvi).address()), void const volatile*);

  basic_atomic_flag<Scope> flag;
  basic_atomic_flag<Scope> const volatile& cv = flag;
  RETURNS(cv.test(), bool);
  RETURNS(cv.test(memory_order_acquire), bool);
  RETURNS(flag.test_and_set(), bool);
  RETURNS(flag.test_and_set(memory_order_acquire), bool);
  RETURNS(flag.clear(), void);
  RETURNS(flag.clear(memory_order_release), void);
  RETURNS(cv.wait(true), void);
  RETURNS(cv.wait(true, memory_order_acquire), void);
  RETURNS(cv.try_wait(true), bool);
  RETURNS(cv.wait_for(true, nanoseconds(5)), bool);
  RETURNS(cv.wait_until(true, steady_clock::now(), memory_order_acquire), bool);
  RETURNS(flag.notify_one(), void);
  RETURNS(flag.notify_all(), void);
}
template void every_type<thread_scope_system>(int, unsigned char, bool, point, colour, float, double, long*,
                                              void (*)());
template void every_type<thread_scope_device>(int, unsigned char, bool, point, colour, float, double, long*,
                                              void (*)());
template void every_type<thread_scope_cluster>(int, unsigned char, bool, point, colour, float, double, long*,
                                               void (*)());
template void every_type<thread_scope_block>(int, unsigned char, bool, point, colour, float, double, long*, void (*)());
template void every_type<thread_scope_thread>(int, unsigned char, bool, point, colour, float, double, long*,
                                              void (*)());

// [atomics.nonmembers]: without a namespace, found by argument-dependent lookup.
namespace elsewhere {

template <class A, class F, class X>
void free_functions(A* a, F* f, int t, X* x) {
  constexpr auto relaxed = cudax::memory_order_relaxed;
  RETURNS(atomic_is_lock_free(a), bool);
  RETURNS(atomic_init(a, t), void);
  RETURNS(atomic_load(a), int);
  RETURNS(atomic_load_explicit(a, relaxed), int);
  RETURNS(atomic_store(a, t), void);
  RETURNS(atomic_store_explicit(a, t, relaxed), void);
  RETURNS(atomic_exchange(a, t), int);
  RETURNS(atomic_exchange_explicit(a, t, relaxed), int);
  RETURNS(atomic_compare_exchange_weak(a, &t, t), bool);
  RETURNS(atomic_compare_exchange_weak_explicit(a, &t, t, relaxed, relaxed), bool);
  RETURNS(atomic_compare_exchange_strong(a, &t, t), bool);
  RETURNS(atomic_compare_exchange_strong_explicit(a, &t, t, relaxed, relaxed), bool);
  RETURNS(atomic_wait(a, t), void);
  RETURNS(atomic_wait_explicit(a, t, relaxed), void);
  RETURNS(atomic_notify_one(a), void);
  RETURNS(atomic_notify_all(a), void);

#define MODIFIES(object, key, T)                                                                                       \
  RETURNS(atomic_fetch_##key(object, T()), T);                                                                         \
  RETURNS(atomic_fetch_##key##_explicit(object, T(), relaxed), T);                                                     \
  RETURNS(atomic_store_##key(object, T()), void);                                                                      \
  RETURNS(atomic_store_##key##_explicit(object, T(), relaxed), void)
  MODIFIES(a, add, int);
  MODIFIES(a, sub, int);
  MODIFIES(a, and, int);
  MODIFIES(a, or, int);
  MODIFIES(a, xor, int);
  MODIFIES(a, max, int);
  MODIFIES(a, min, int);
  MODIFIES(x, add, float);
  MODIFIES(x, fmaximum, float);
  MODIFIES(x, fminimum, float);
  MODIFIES(x, fmaximum_num, float);
  MODIFIES(x, fminimum_num, float);

  RETURNS(atomic_flag_test(f), bool);
  RETURNS(atomic_flag_test_explicit(f, relaxed), bool);
  RETURNS(atomic_flag_test_and_set(f), bool);
  RETURNS(atomic_flag_test_and_set_explicit(f, relaxed), bool);
  RETURNS(atomic_flag_clear(f), void);
  RETURNS(atomic_flag_clear_explicit(f, relaxed), void);
  RETURNS(atomic_flag_wait(f, true), void);
  RETURNS(atomic_flag_wait_explicit(f, true, relaxed), void);
  RETURNS(atomic_flag_notify_one(f), void);
  RETURNS(atomic_flag_notify_all(f), void);
}
template void free_functions(cudax::atomic<int>*, cudax::atomic_flag*, int, cudax::atomic<float>*);
template void free_functions(cudax::atomic<int, thread_scope_block>*, cudax::basic_atomic_flag<thread_scope_block>*,
                             int, cudax::atomic<float>*);
template void free_functions(cudax::atomic<int, thread_scope_device> volatile*, cudax::atomic_flag volatile*, int,
                             cudax::atomic<float>*);
template void free_functions(cudax::contended<int, thread_scope_device>*, cudax::atomic_flag*, int,
                             cudax::contended<float>*);
template void free_functions(cudax::contended<int> volatile*, cudax::atomic_flag*, int,
                             cudax::contended<float, thread_scope_block> volatile*);

} // namespace elsewhere

RETURNS(atomic_thread_fence(memory_order_seq_cst), void);
RETURNS(atomic_thread_fence(memory_order_seq_cst, thread_scope_block), void);
RETURNS(atomic_thread_fence(std::memory_order_seq_cst, thread_scope_block), void);
RETURNS(atomic_signal_fence(memory_order_seq_cst), void);
RETURNS(kill_dependency(5), int);
static_assert(kill_dependency(point{1, 2}).y == 2);

// The value type is deduced from the initializer.
static_assert(__is_same(decltype(atomic(5)), atomic<int>));
int object = 0;
static_assert(__is_same(decltype(atomic_ref(object)), atomic_ref<int>));
static_assert(__is_same(decltype(contended(5)), contended<int>));
static_assert(__is_same(decltype(contended_ref(object)), contended_ref<int>));

// [atomics.ref.ops] A reference converts to one with more cv-qualifiers and the same scope, and to no other.
template <class From, class To>
constexpr bool converts = std::is_convertible_v<From, To> && std::is_nothrow_constructible_v<To, From>;
static_assert(converts<atomic_ref<int>, atomic_ref<int const>>);
static_assert(converts<atomic_ref<int>, atomic_ref<int volatile>>);
static_assert(converts<atomic_ref<int const>, atomic_ref<int const volatile>>);
static_assert(converts<atomic_ref<int*>, atomic_ref<int* const>>);
static_assert(converts<contended_ref<int>, contended_ref<int volatile>>);
static_assert(converts<contended_ref<int>, atomic_ref<int const>>);
static_assert(std::is_base_of_v<atomic_ref<int>, contended_ref<int>> && std::is_base_of_v<atomic<int>, contended<int>>);
static_assert(!std::is_constructible_v<contended_ref<int>, contended_ref<int volatile>>);
static_assert(!std::is_constructible_v<atomic_ref<int>, atomic_ref<int const>>);
static_assert(!std::is_constructible_v<atomic_ref<int const>, atomic_ref<int, thread_scope_device>>);
static_assert(!std::is_constructible_v<atomic_ref<int const* const>, atomic_ref<int*>>);
constexpr atomic_ref<int const> converted(atomic_ref<int>{object});
static_assert(converted.address() == &object);
static_assert(atomic_ref<int const>::required_alignment == atomic_ref<int>::required_alignment);
