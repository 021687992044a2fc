// SPDX-License-Identifier: Apache-2.0
//
// [semaphore.syn], [mutex.syn], [thread.stoptoken.syn] Every member and free function exists, has the standard's result
// type and is noexcept; objects can be variables in shared memory, and constants.
#include <chrono>
#include <cstddef>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <type_traits>
#include <utility>
import cudax.sync;

using namespace cudax;

#define RETURNS(expression, ...)                                                                                       \
  static_assert(__is_same(decltype(expression), __VA_ARGS__) && noexcept(expression), #expression)

constexpr std::chrono::seconds five_seconds(5);
constexpr std::chrono::system_clock::time_point noon(std::chrono::hours(12));

/// The scope of an object.
template <class T>
constexpr thread_scope scope_of = thread_scope_system;
template <template <thread_scope> class T, thread_scope S>
constexpr thread_scope scope_of<T<S>> = S;
template <thread_scope S, std::ptrdiff_t LeastMax>
constexpr thread_scope scope_of<counting_semaphore<S, LeastMax>> = S;
template <class M, thread_scope S>
constexpr thread_scope scope_of<cohort_mutex<M, S>> = S;

/// Construction without an initializer initializes at system and device scope. At the other scopes it is trivial, as a
/// variable in __shared__ memory needs it. No object needs a destructor. A cohort_mutex cannot be used without init,
/// and its construction is trivial at every scope.
template <class T>
constexpr bool primitive =
    std::is_nothrow_default_constructible_v<T> && std::is_trivially_destructible_v<T> && std::is_standard_layout_v<T> &&
    !std::is_copy_constructible_v<T> && !std::is_move_constructible_v<T> && !std::is_copy_assignable_v<T> &&
    !std::is_move_assignable_v<T>;
template <class T>
constexpr bool initializes =
    primitive<T> && std::is_trivially_default_constructible_v<T> ==
                        (scope_of<T> != thread_scope_system && scope_of<T> != thread_scope_device);

template <class S>
constexpr bool semaphores(S& s) {
  static_assert(initializes<S> && std::is_nothrow_constructible_v<S, std::ptrdiff_t>);
  static_assert(!std::is_convertible_v<std::ptrdiff_t, S>);
  RETURNS(S::max(), std::ptrdiff_t);
  RETURNS(init(&s, 1), void);
  RETURNS(cudax::init(&s, 1), void);
  RETURNS(s.release(), void);
  RETURNS(s.release(0), void);
  RETURNS(s.acquire(), void);
  RETURNS(s.try_acquire(), bool);
  RETURNS(s.try_acquire_for(five_seconds), bool);
  RETURNS(s.try_acquire_for(nanoseconds(5)), bool);
  RETURNS(s.try_acquire_until(noon), bool);
  RETURNS(s.try_acquire_until(steady_clock::now()), bool);
  return true;
}

template <class M>
constexpr bool mutexes(M& m) {
  static_assert(initializes<M>);
  RETURNS(init(&m), void);
  RETURNS(cudax::init(&m), void);
  RETURNS(m.lock(), void);
  RETURNS(m.try_lock(), bool);
  RETURNS(m.try_lock_for(five_seconds), bool);
  RETURNS(m.try_lock_for(nanoseconds(5)), bool);
  RETURNS(m.try_lock_until(noon), bool);
  RETURNS(m.try_lock_until(steady_clock::now()), bool);
  RETURNS(m.unlock(), void);
  static_assert(__is_same(typename lock_guard<M>::mutex_type, M) && __is_same(typename scoped_lock<M>::mutex_type, M));
  static_assert(std::is_nothrow_constructible_v<lock_guard<M>, M&>);
  static_assert(std::is_nothrow_constructible_v<lock_guard<M>, M&, adopt_lock_t>);
  static_assert(std::is_nothrow_constructible_v<scoped_lock<M>, M&>);
  static_assert(std::is_nothrow_constructible_v<scoped_lock<M>, adopt_lock_t, M&>);
  static_assert(std::is_nothrow_constructible_v<scoped_lock<M, M>, M&, M&>);
  static_assert(std::is_nothrow_constructible_v<scoped_lock<M, M, M>, adopt_lock_t, M&, M&, M&>);
  static_assert(!std::is_convertible_v<M&, lock_guard<M>> && !std::is_convertible_v<M&, scoped_lock<M>>);
  static_assert(!std::is_copy_constructible_v<lock_guard<M>> && !std::is_copy_assignable_v<lock_guard<M>>);
  static_assert(!std::is_copy_constructible_v<scoped_lock<M, M>> && !std::is_copy_assignable_v<scoped_lock<M, M>>);
  // On the host, the guards of the standard library accept this library's mutexes.
  static_assert(std::is_constructible_v<std::unique_lock<M>, M&, std::chrono::seconds>);
  return true;
}
template <class L>
constexpr bool locks(L& l, L const& c, typename L::mutex_type& m) {
  using M = typename L::mutex_type;
  RETURNS(l.lock(), void);
  RETURNS(l.try_lock(), bool);
  RETURNS(l.try_lock_for(five_seconds), bool);
  RETURNS(l.try_lock_until(noon), bool);
  RETURNS(l.unlock(), void);
  RETURNS(l.swap(l), void);
  RETURNS(swap(l, l), void);
  RETURNS(l.release(), M*);
  RETURNS(c.owns_lock(), bool);
  RETURNS(static_cast<bool>(c), bool);
  RETURNS(c.mutex(), M*);
  RETURNS(l = std::move(l), L&);
  static_assert(std::is_nothrow_default_constructible_v<L> && std::is_nothrow_move_constructible_v<L>);
  static_assert(!std::is_copy_constructible_v<L> && !std::is_copy_assignable_v<L>);
  static_assert(!std::is_convertible_v<M&, L> && !std::is_convertible_v<L, bool>);
  static_assert(std::is_nothrow_constructible_v<L, M&> && std::is_nothrow_constructible_v<L, M&, defer_lock_t> &&
                std::is_nothrow_constructible_v<L, M&, try_to_lock_t> &&
                std::is_nothrow_constructible_v<L, M&, adopt_lock_t> &&
                std::is_nothrow_constructible_v<L, M&, std::chrono::seconds> &&
                std::is_nothrow_constructible_v<L, M&, steady_clock::time_point>);
  static_assert(__is_same(decltype(try_lock(m, l, m)), int) && __is_same(decltype(lock(l, m, l)), void));
  return true;
}
static_assert(std::is_empty_v<defer_lock_t> && !std::is_convertible_v<int, defer_lock_t>);
static_assert(std::is_empty_v<try_to_lock_t> && !std::is_convertible_v<int, try_to_lock_t>);

template <class M>
constexpr bool shared_mutexes(M& m) {
  RETURNS(m.lock_shared(), void);
  RETURNS(m.try_lock_shared(), bool);
  RETURNS(m.try_lock_shared_for(five_seconds), bool);
  RETURNS(m.try_lock_shared_until(noon), bool);
  RETURNS(m.unlock_shared(), void);
  static_assert(std::is_constructible_v<std::shared_lock<M>, M&, std::chrono::seconds>);
  return mutexes(m);
}

template <thread_scope S>
bool conditions(condition_variable_any<S>& c, unique_lock<mutex<S>>& l, std::unique_lock<std::mutex>& s, bool (*p)()) {
  static_assert(initializes<condition_variable_any<S>> && sizeof(c) == 8);
  RETURNS(init(&c), void);
  RETURNS(c.notify_one(), void);
  RETURNS(c.notify_all(), void);
  static_assert(__is_same(decltype(c.wait(l)), void) && __is_same(decltype(c.wait(s, p)), void));
  static_assert(__is_same(decltype(c.wait_for(l, five_seconds)), cv_status) &&
                __is_same(decltype(c.wait_for(s, five_seconds, p)), bool));
  static_assert(__is_same(decltype(c.wait_until(l, noon)), cv_status) &&
                __is_same(decltype(c.wait_until(s, noon, p)), bool));
  return true;
}

template <class C, class M>
constexpr bool cohorts(C& c, M& m) {
  static_assert(primitive<C> && std::is_trivially_default_constructible_v<C> &&
                std::is_nothrow_constructible_v<C, M&> && std::is_nothrow_constructible_v<C, M&, unsigned>);
  static_assert(!std::is_convertible_v<M&, C>);
  static_assert(C::default_limit > 0 && C::default_limit <= C::max_limit);
  RETURNS(init(&c, m), void);
  RETURNS(cudax::init(&c, m, 5), void);
  RETURNS(c.lock(), void);
  RETURNS(c.try_lock(), bool);
  RETURNS(c.try_lock_for(five_seconds), bool);
  RETURNS(c.try_lock_for(nanoseconds(5)), bool);
  RETURNS(c.try_lock_until(noon), bool);
  RETURNS(c.try_lock_until(steady_clock::now()), bool);
  RETURNS(c.unlock(), void);
  static_assert(std::is_nothrow_constructible_v<lock_guard<C>, C&>);
  static_assert(std::is_nothrow_constructible_v<scoped_lock<C, M>, C&, M&>);
  static_assert(std::is_constructible_v<std::unique_lock<C>, C&, std::chrono::seconds>);
  return true;
}
static_assert(std::is_nothrow_default_constructible_v<scoped_lock<>>);
static_assert(std::is_nothrow_constructible_v<scoped_lock<>, adopt_lock_t>);
static_assert(std::is_empty_v<adopt_lock_t> && !std::is_convertible_v<int, adopt_lock_t>);

template <thread_scope S>
void guards(mutex<S>& m, ticket_mutex<S>& t, std::mutex& s) {
  lock_guard a(m);
  static_assert(__is_same(decltype(a), lock_guard<mutex<S>>));
  lock_guard b(t, adopt_lock);
  static_assert(__is_same(decltype(b), lock_guard<ticket_mutex<S>>));
  scoped_lock none;
  static_assert(__is_same(decltype(none), scoped_lock<>));
  scoped_lock one(m);
  static_assert(__is_same(decltype(one), scoped_lock<mutex<S>>));
  scoped_lock adopts(adopt_lock, t);
  static_assert(__is_same(decltype(adopts), scoped_lock<ticket_mutex<S>>));
  scoped_lock three(adopt_lock, t, m, s);
  static_assert(__is_same(decltype(three), scoped_lock<ticket_mutex<S>, mutex<S>, std::mutex>));
  static_assert(!std::is_nothrow_constructible_v<scoped_lock<mutex<S>, std::mutex>, mutex<S>&, std::mutex&>);
}

struct callable {
  void operator()(int) const;
};
template <thread_scope S>
constexpr bool once(basic_once_flag<S>& flag) {
  static_assert(initializes<basic_once_flag<S>>);
  RETURNS(init(&flag), void);
  static_assert(__is_same(decltype(call_once(flag, callable(), 5)), void));
  static_assert(__is_same(decltype(cudax::call_once(flag, callable(), 5)), void));
  return true;
}
static_assert(__is_same(once_flag, basic_once_flag<thread_scope_system>));

struct throws_in_constructor {
  throws_in_constructor(int) noexcept(false);
  void operator()();
};
template <thread_scope S>
constexpr bool stops(stop_state<S>& state, stop_source<S>& source, stop_token<S>& token, stop_token<S> const& c) {
  static_assert(initializes<stop_state<S>>);
  RETURNS(init(&state), void);
  RETURNS(source.get_token(), stop_token<S>);
  RETURNS(source.stop_requested(), bool);
  RETURNS(source.stop_possible(), bool);
  RETURNS(source.request_stop(), bool);
  RETURNS(source.swap(source), void);
  RETURNS(swap(source, source), void);
  RETURNS(source == source, bool);
  RETURNS(source != source, bool);
  RETURNS(c.stop_requested(), bool);
  RETURNS(c.stop_possible(), bool);
  RETURNS(token.swap(token), void);
  RETURNS(swap(token, token), void);
  RETURNS(c == c, bool);
  RETURNS(c != c, bool);
  // They can be kernel arguments.
  static_assert(std::is_trivially_copyable_v<stop_source<S>> && std::is_trivially_copyable_v<stop_token<S>>);
  static_assert(sizeof(stop_source<S>) == sizeof(void*) && sizeof(stop_token<S>) == sizeof(void*));
  static_assert(std::is_nothrow_default_constructible_v<stop_token<S>>);
  static_assert(std::is_nothrow_constructible_v<stop_source<S>, stop_state<S>&>);

  using function = void (*)();
  using callback = stop_callback<function, S>;
  static_assert(__is_same(typename callback::callback_type, function));
  static_assert(__is_same(typename stop_token<S>::template callback_type<function>, callback));
  static_assert(std::is_nothrow_constructible_v<callback, stop_token<S> const&, function>);
  static_assert(std::is_nothrow_constructible_v<callback, stop_token<S>&&, function>);
  static_assert(std::is_constructible_v<stop_callback<throws_in_constructor, S>, stop_token<S>, int> &&
                !std::is_nothrow_constructible_v<stop_callback<throws_in_constructor, S>, stop_token<S>, int>);
  static_assert(!std::is_constructible_v<callback, stop_token<S>, int>);
  static_assert(!std::is_copy_constructible_v<callback> && !std::is_move_constructible_v<callback> &&
                !std::is_copy_assignable_v<callback> && std::is_nothrow_destructible_v<callback>);
  RETURNS(std::declval<callback&>().poll(), bool);
  static_assert(__is_same(decltype(stop_callback(c, function())), callback));
  return true;
}

template <thread_scope S>
constexpr bool everything_of_cohorts(cohort_mutex<mutex<S>, S>& c, cohort_mutex<ticket_mutex<S>>& b, mutex<S>& m,
                                     ticket_mutex<S>& t) {
  static_assert(__is_same(decltype(cohort_mutex(t)), cohort_mutex<ticket_mutex<S>, thread_scope_block>));
  static_assert(__is_same(decltype(cohort_mutex(m, 3)), cohort_mutex<mutex<S>, thread_scope_block>));
  return cohorts(c, m) && cohorts(b, t);
}

template <thread_scope S>
constexpr bool everything(counting_semaphore<S>& c, binary_semaphore<S>& b, fair_semaphore<S>& f, mutex<S>& m,
                          ticket_mutex<S>& t, basic_once_flag<S>& o, stop_state<S>& s, stop_source<S>& x,
                          stop_token<S>& y) {
  static_assert(__is_same(binary_semaphore<S>, counting_semaphore<S, 1>));
  static_assert(counting_semaphore<S, 5>::max() >= 5 && counting_semaphore<S, 0x8000'0000>::max() >= 0x8000'0000);
  static_assert(sizeof(c) == 4 && sizeof(b) == 4 && sizeof(f) == 8 && sizeof(m) == 4 && sizeof(t) == 8);
  return semaphores(c) && semaphores(b) && semaphores(f) && mutexes(m) && mutexes(t) && once(o) && stops(s, x, y, y);
}
template <thread_scope S>
constexpr bool everything_of_locks(unique_lock<mutex<S>>& u, unique_lock<ticket_mutex<S>>& t,
                                   unique_lock<shared_mutex<S>>& x, shared_lock<shared_mutex<S>>& r,
                                   shared_mutex<S>& m) {
  static_assert(sizeof(m) == 4 && __is_same(shared_timed_mutex<S>, shared_mutex<S>));
  return locks(u, u, *u.mutex()) && locks(t, t, *t.mutex()) && locks(x, x, m) && locks(r, r, m) && shared_mutexes(m);
}
#define AT_SCOPE(scope)                                                                                                \
  template bool everything<scope>(counting_semaphore<scope>&, binary_semaphore<scope>&, fair_semaphore<scope>&,        \
                                  mutex<scope>&, ticket_mutex<scope>&, basic_once_flag<scope>&, stop_state<scope>&,    \
                                  stop_source<scope>&, stop_token<scope>&);                                            \
  template bool everything_of_cohorts<scope>(cohort_mutex<mutex<scope>, scope>&, cohort_mutex<ticket_mutex<scope>>&,   \
                                             mutex<scope>&, ticket_mutex<scope>&);                                     \
  template bool everything_of_locks<scope>(unique_lock<mutex<scope>>&, unique_lock<ticket_mutex<scope>>&,              \
                                           unique_lock<shared_mutex<scope>>&, shared_lock<shared_mutex<scope>>&,       \
                                           shared_mutex<scope>&);                                                      \
  template bool conditions<scope>(condition_variable_any<scope>&, unique_lock<mutex<scope>>&,                          \
                                  std::unique_lock<std::mutex>&, bool (*)());                                          \
  template void guards<scope>(mutex<scope>&, ticket_mutex<scope>&, std::mutex&);
AT_SCOPE(thread_scope_system)
AT_SCOPE(thread_scope_device)
AT_SCOPE(thread_scope_cluster)
AT_SCOPE(thread_scope_block)
AT_SCOPE(thread_scope_thread)

// The default scope is thread_scope_system.
static_assert(__is_same(counting_semaphore<>, counting_semaphore<thread_scope_system>) &&
              __is_same(binary_semaphore<>, binary_semaphore<thread_scope_system>) &&
              __is_same(fair_semaphore<>, fair_semaphore<thread_scope_system>) &&
              __is_same(mutex<>, mutex<thread_scope_system>) &&
              __is_same(ticket_mutex<>, ticket_mutex<thread_scope_system>) &&
              __is_same(cohort_mutex<>, cohort_mutex<ticket_mutex<thread_scope_device>, thread_scope_block>) &&
              __is_same(shared_mutex<>, shared_mutex<thread_scope_system>) &&
              __is_same(condition_variable_any<>, condition_variable_any<thread_scope_system>) &&
              __is_same(stop_state<>, stop_state<thread_scope_system>) &&
              __is_same(stop_source<>, stop_source<thread_scope_system>) &&
              __is_same(stop_token<>, stop_token<thread_scope_system>) &&
              __is_same(stop_callback<callable>, stop_callback<callable, thread_scope_system>));

// Constant initialization.
constinit counting_semaphore<> of_five(5);
constinit fair_semaphore<> fair(5);
constinit counting_semaphore<> without_permits;
constinit fair_semaphore<> fair_without_permits;
constinit mutex<> free_mutex;
constinit mutex<thread_scope_block> free_mutex_of_block{}; // with braces: the default constructor is trivial
constinit ticket_mutex<> free_ticket_mutex;
constinit cohort_mutex<ticket_mutex<>> free_cohort(free_ticket_mutex, 16);
constinit shared_mutex<> free_shared_mutex;
constinit condition_variable_any<> condition;
constinit once_flag not_called;
constinit stop_state<> not_requested;

#if defined(__CUDA__)
#include <cuda_runtime.h>
// Variables in device memory, whose constructors are evaluated by the compiler.
__device__ counting_semaphore<thread_scope_device> of_device;
__device__ mutex<> mutex_of_system;
__device__ mutex<thread_scope_block> mutex_of_block;
__device__ once_flag once_of_system;
__device__ condition_variable_any<> condition_of_system;
__device__ stop_state<> state_of_system;
__global__ void in_shared_memory(int* calls) {
  constexpr thread_scope scope = thread_scope_block;
  __shared__ counting_semaphore<scope> c;
  __shared__ binary_semaphore<scope> b;
  __shared__ fair_semaphore<scope> f;
  __shared__ mutex<scope> m;
  __shared__ ticket_mutex<scope> t;
  __shared__ shared_mutex<scope> r;
  __shared__ condition_variable_any<scope> v;
  __shared__ basic_once_flag<scope> o;
  __shared__ stop_state<scope> s;
  if (threadIdx.x == 0) {
    init(&c, 1);
    init(&b, 1);
    init(&f, 1);
    init(&m);
    init(&t);
    init(&r);
    init(&v);
    init(&o);
    init(&s);
  }
  __syncthreads();
  c.acquire(), b.acquire(), f.acquire();
  {
    scoped_lock const guard(m, t);
    call_once(o, [&] { ++*calls; });
    shared_lock const reads(r);
    v.notify_all();
  }
  c.release(), b.release(), f.release();
  stop_source(s).request_stop();
}
#endif
