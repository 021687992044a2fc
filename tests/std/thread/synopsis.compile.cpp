// SPDX-License-Identifier: Apache-2.0
//
// [latch.syn], [barrier.syn] Every member and free function exists, has the standard's result type and is noexcept;
// objects can be variables in shared memory, and constants.
#include <chrono>
#include <cstddef>
#include <latch>
#include <type_traits>
#include <utility>
import cudax.sync;

using namespace cudax;

#define RETURNS(expression, ...)                                                                                       \
  static_assert(__is_same(decltype(expression), __VA_ARGS__) && noexcept(expression), #expression)

constexpr std::chrono::seconds five_seconds(5);
constexpr std::chrono::system_clock::time_point noon(std::chrono::hours(12));

/// A group of another library.
struct group {
  unsigned size() const;
  static int thread_rank();
  void sync() const;
};
static_assert(thread_group<group> && thread_group<group const>);

/// What a variable in __shared__ memory needs: it runs no constructor, and no object needs a destructor.
template <class T>
constexpr bool shared_variable =
    std::is_trivially_default_constructible_v<T> && std::is_trivially_destructible_v<T> &&
    std::is_standard_layout_v<T> && !std::is_copy_constructible_v<T> && !std::is_move_constructible_v<T> &&
    !std::is_copy_assignable_v<T> && !std::is_move_assignable_v<T>;

template <thread_scope S>
constexpr bool latches(latch<S>& l, latch<S> const& c) {
  static_assert(shared_variable<latch<S>> && std::is_nothrow_constructible_v<latch<S>, std::ptrdiff_t>);
  static_assert(!std::is_convertible_v<std::ptrdiff_t, latch<S>>);
  static_assert(latch<S>::max() > 0x7fff'ffff);
  RETURNS(latch<S>::max(), std::ptrdiff_t);
  RETURNS(init(&l, 5), void);
  RETURNS(cudax::init(&l, 5), void);
  RETURNS(l.count_down(), void);
  RETURNS(l.count_down(0), void);
  RETURNS(l.count_down(group()), void);
  RETURNS(l.count_down(this_block), void);
  RETURNS(c.try_wait(), bool);
  RETURNS(c.wait(), void);
  RETURNS(c.wait_for(five_seconds), bool);
  RETURNS(c.wait_for(nanoseconds(5)), bool);
  RETURNS(c.wait_until(noon), bool);
  RETURNS(c.wait_until(steady_clock::now()), bool);
  RETURNS(l.arrive_and_wait(), void);
  RETURNS(l.arrive_and_wait(2), void);
  RETURNS(l.arrive_and_wait(group()), void);
  RETURNS(l.arrive_and_wait(this_warp), void);
  return true;
}

template <class B>
constexpr bool barriers(B& b, B const& c, typename B::arrival_token& t) {
  using token = typename B::arrival_token;
  static_assert(!std::is_copy_constructible_v<B> && !std::is_move_constructible_v<B> && !std::is_copy_assignable_v<B>);
  static_assert(!std::is_convertible_v<std::ptrdiff_t, B>);
  static_assert(std::is_nothrow_move_constructible_v<token> && std::is_nothrow_move_assignable_v<token> &&
                std::is_trivially_destructible_v<token> && !std::is_copy_constructible_v<token>);
  RETURNS(B::max(), std::ptrdiff_t);
  RETURNS(b.arrive(), token);
  RETURNS(b.arrive(3), token);
  RETURNS(b.arrive(group()), token);
  RETURNS(b.arrive(this_block), token);
  RETURNS(c.wait(std::move(t)), void);
  RETURNS(c.wait(this_block, std::move(t)), void);
  RETURNS(b.arrive_and_wait(), void);
  RETURNS(b.arrive_and_wait(group()), void);
  RETURNS(b.arrive_and_wait(this_cluster), void);
  RETURNS(b.arrive_and_drop(), void);
  RETURNS(c.wait_parity(true), void);
  RETURNS(c.try_wait(t), bool);
  RETURNS(c.try_wait(std::move(t)), bool);
  RETURNS(c.try_wait_for(t, five_seconds), bool);
  RETURNS(c.try_wait_until(std::move(t), noon), bool);
  RETURNS(c.try_wait_parity(false), bool);
  RETURNS(c.try_wait_parity_for(false, nanoseconds(5)), bool);
  RETURNS(c.try_wait_parity_until(true, steady_clock::now()), bool);
  return true;
}

#if defined(__CUDA__)
#define EVERYWHERE __attribute__((host)) __attribute__((device))
#else
#define EVERYWHERE
#endif
struct completion {
  EVERYWHERE void operator()() noexcept {}
};
struct move_only {
  int* at;
  move_only(move_only&&) noexcept;
  int operator()() & noexcept; // the result is ignored
};

template <thread_scope S>
constexpr bool everything(latch<S>& l, barrier<S>& b, barrier<S, completion>& with, barrier<S, move_only>& movable,
                          typename barrier<S>::arrival_token& t, typename barrier<S, completion>::arrival_token& u,
                          typename barrier<S, move_only>::arrival_token& v) {
  static_assert(shared_variable<barrier<S>> && sizeof(barrier<S>) == 8 && alignof(barrier<S>) == 8);
  static_assert(std::is_trivially_default_constructible_v<barrier<S, completion>>);
  static_assert(!std::is_default_constructible_v<barrier<S, move_only>>);
  RETURNS(init(&b, 5), void);
  RETURNS(cudax::init(&b, 5), void);
  RETURNS(init(&with, 5), void);
  RETURNS(init(&with, 5, completion()), void);
  RETURNS(init(&movable, 5, std::declval<move_only>()), void);
  RETURNS(destroy(&b), void);
  RETURNS(cudax::destroy(&with), void);
  RETURNS(destroy(&movable), void);
  return latches(l, l) && barriers(b, b, t) && barriers(with, with, u) && barriers(movable, movable, v);
}
template bool everything<thread_scope_system>(latch<>&, barrier<>&, barrier<thread_scope_system, completion>&,
                                              barrier<thread_scope_system, move_only>&, barrier<>::arrival_token&,
                                              barrier<thread_scope_system, completion>::arrival_token&,
                                              barrier<thread_scope_system, move_only>::arrival_token&);
#define AT_SCOPE(scope)                                                                                                \
  template bool everything<scope>(latch<scope>&, barrier<scope>&, barrier<scope, completion>&,                         \
                                  barrier<scope, move_only>&, barrier<scope>::arrival_token&,                          \
                                  barrier<scope, completion>::arrival_token&,                                          \
                                  barrier<scope, move_only>::arrival_token&);
AT_SCOPE(thread_scope_device)
AT_SCOPE(thread_scope_cluster)
AT_SCOPE(thread_scope_block)
AT_SCOPE(thread_scope_thread)

static_assert(__is_same(latch<>, latch<thread_scope_system>) && __is_same(barrier<>, barrier<thread_scope_system>));

// Constant initialization.
constinit latch<> of_static_storage(5);
constinit barrier<> of_constants(5);
constinit barrier<thread_scope_block, completion> with_completion(5, completion());

#if defined(__CUDA__)
#include <cuda_runtime.h>
__global__ void in_shared_memory() {
  __shared__ latch<thread_scope_block> l;
  __shared__ barrier<thread_scope_block> b;
  __shared__ barrier<thread_scope_device, completion> with;
  if (threadIdx.x == 0) {
    init(&l, blockDim.x);
    init(&b, blockDim.x);
    init(&with, blockDim.x);
  }
  __syncthreads();
  l.arrive_and_wait();
  b.arrive_and_wait();
  with.arrive_and_wait();
}
#endif
