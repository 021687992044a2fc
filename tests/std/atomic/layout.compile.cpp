// SPDX-License-Identifier: Apache-2.0
//
// [atomics.types.generic], [atomics.ref.generic] Size, alignment and triviality: an atomic<T> has the same
// representation as a T, on host and device alike, for every T and scope.
#include <cstddef>
#include <cstdint>
#include <type_traits>
#if defined(__CUDA__)
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif
import cudax.sync;

using namespace cudax;

/// At these scopes construction without an initializer initializes; at the others it is as trivial as possible, so that
/// a variable can be __shared__.
constexpr bool initializes(thread_scope scope) { return scope == thread_scope_system || scope == thread_scope_device; }

template <class T, thread_scope Scope>
constexpr bool what_every_atomic_is() {
  using A = atomic<T, Scope>;
  static_assert(std::is_standard_layout_v<A>);
  static_assert(std::is_trivially_destructible_v<A>);
  static_assert(std::is_nothrow_default_constructible_v<A>);
  static_assert(std::is_trivially_default_constructible_v<A> == !initializes(Scope));
  static_assert(std::is_nothrow_constructible_v<A, T>);
  static_assert(!std::is_copy_constructible_v<A> && !std::is_move_constructible_v<A>);
  static_assert(!std::is_copy_assignable_v<A> && !std::is_move_assignable_v<A>);
  static_assert(!std::is_polymorphic_v<A> && !std::is_final_v<A>);
  static_assert(std::is_same_v<typename A::value_type, T>);
  return true;
}

/// T has a size for which the machine has atomic instructions.
template <class T, thread_scope Scope>
constexpr bool is_a_t() {
  using A = atomic<T, Scope>;
  using R = atomic_ref<T, Scope>;
  static_assert(what_every_atomic_is<T, Scope>());
  static_assert(sizeof(A) == sizeof(T));
  static_assert(alignof(A) == (sizeof(T) > alignof(T) ? sizeof(T) : alignof(T)));
  static_assert(A::required_alignment == alignof(A));
  static_assert(A::is_always_lock_free);

  static_assert(R::required_alignment == A::required_alignment); // an atomic_ref may refer to the value of an atomic
  static_assert(R::is_always_lock_free);
  static_assert(std::is_same_v<typename R::value_type, T>);
  static_assert(sizeof(R) == sizeof(T*) && alignof(R) == alignof(T*));
  static_assert(std::is_standard_layout_v<R>);
  static_assert(std::is_trivially_copyable_v<R> && std::is_trivially_copy_constructible_v<R>);
  static_assert(!std::is_copy_assignable_v<R> && !std::is_default_constructible_v<R>);
  static_assert(std::is_nothrow_constructible_v<R, T&> && !std::is_convertible_v<T&, R>);
  static_assert(!std::is_constructible_v<R, T const&> && !std::is_constructible_v<R, T>);

  using C = atomic_ref<T const, Scope>;
  static_assert(std::is_same_v<typename C::value_type, T> && C::required_alignment == R::required_alignment);
  static_assert(std::is_nothrow_constructible_v<C, T const&> && std::is_nothrow_constructible_v<C, T&>);
  return true;
}

/// T has another size: the lock is located after the value.
template <class T, thread_scope Scope>
constexpr bool has_a_lock() {
  using A = atomic<T, Scope>;
  static_assert(what_every_atomic_is<T, Scope>());
  constexpr std::size_t alignment = alignof(T) > 4 ? alignof(T) : 4;
  constexpr std::size_t lock_at = (sizeof(T) + 3) / 4 * 4;
  static_assert(alignof(A) == alignment);
  static_assert(sizeof(A) == (lock_at + 8 + alignment - 1) / alignment * alignment);
  static_assert(A::required_alignment == alignof(T));
  static_assert(!A::is_always_lock_free);
  return true;
}

template <class T>
constexpr bool is_a_t_at_every_scope() {
  return is_a_t<T, thread_scope_system>() && is_a_t<T, thread_scope_device>() && is_a_t<T, thread_scope_cluster>() &&
         is_a_t<T, thread_scope_block>() && is_a_t<T, thread_scope_thread>();
}
template <class T>
constexpr bool has_a_lock_at_every_scope() {
  return has_a_lock<T, thread_scope_system>() && has_a_lock<T, thread_scope_device>() &&
         has_a_lock<T, thread_scope_cluster>() && has_a_lock<T, thread_scope_block>() &&
         has_a_lock<T, thread_scope_thread>();
}
template <class... T>
constexpr bool are_ts() {
  return (is_a_t_at_every_scope<T>() && ...);
}
template <class... T>
constexpr bool have_locks() {
  return (has_a_lock_at_every_scope<T>() && ...);
}

template <unsigned Size, unsigned Alignment>
struct alignas(Alignment) bytes {
  unsigned char at[Size];
};
enum small_enum : unsigned char { small };
enum class wide_enum : long long { wide };
struct padded {
  char tag;
  int value;
};
struct two_words {
  std::uint64_t low, high;
};

static_assert(are_ts<bool, char, signed char, unsigned char, char8_t, char16_t, char32_t, wchar_t, short,
                     unsigned short, int, unsigned, long, unsigned long, long long, unsigned long long>());
static_assert(are_ts<float, double, _Float16, __bf16>());
static_assert(are_ts<void*, int*, int const*, void (*)(int), int bytes<4, 4>::*, std::nullptr_t>());
static_assert(are_ts<small_enum, wide_enum, padded, two_words, std::byte>());
static_assert(are_ts<bytes<1, 1>, bytes<2, 1>, bytes<2, 2>, bytes<4, 1>, bytes<4, 4>, bytes<8, 1>, bytes<8, 4>,
                     bytes<8, 8>, bytes<16, 1>, bytes<16, 8>, bytes<16, 16>>());
static_assert(have_locks<bytes<3, 1>, bytes<5, 1>, bytes<6, 2>, bytes<7, 1>, bytes<9, 1>, bytes<12, 4>, bytes<24, 8>,
                         bytes<32, 32>, bytes<100, 4>, bytes<4096, 16>>());
#if defined(__CUDA__)
static_assert(are_ts<__half, __nv_bfloat16>());
static_assert(is_a_t_at_every_scope<uint4>() && is_a_t_at_every_scope<float2>() && has_a_lock_at_every_scope<float3>());
#endif

// An empty class has one byte.
struct empty {};
static_assert(is_a_t_at_every_scope<empty>());

// A flag is a word of 32 bits.
template <thread_scope Scope>
constexpr bool is_a_flag() {
  using F = basic_atomic_flag<Scope>;
  static_assert(sizeof(F) == 4 && alignof(F) == 4);
  static_assert(std::is_standard_layout_v<F> && std::is_trivially_destructible_v<F>);
  static_assert(std::is_nothrow_default_constructible_v<F>);
  static_assert(std::is_trivially_default_constructible_v<F> == !initializes(Scope));
  static_assert(!std::is_copy_constructible_v<F> && !std::is_copy_assignable_v<F>);
  return true;
}
static_assert(is_a_flag<thread_scope_system>() && is_a_flag<thread_scope_device>() &&
              is_a_flag<thread_scope_cluster>() && is_a_flag<thread_scope_block>() && is_a_flag<thread_scope_thread>());
static_assert(std::is_same_v<atomic_flag, basic_atomic_flag<thread_scope_system>>);

// A default constructor of T that is not trivial runs at every scope.
struct five {
  int value = 5;
};
static_assert(!std::is_trivially_default_constructible_v<atomic<five, thread_scope_block>>);
static_assert(std::is_nothrow_default_constructible_v<atomic<five, thread_scope_block>>);
struct no_default {
  no_default(int);
};
static_assert(!std::is_default_constructible_v<atomic<no_default>> &&
              !std::is_default_constructible_v<atomic<no_default, thread_scope_block>>);

// Static objects need no dynamic initialization.
constinit atomic<int> initialized = 5;
constinit atomic<two_words, thread_scope_device> zero;
constinit atomic<bytes<12, 4>> locked{bytes<12, 4>{}};
constinit atomic_flag flag;
constinit atomic<int, thread_scope_block> of_block{}; // with braces: the default constructor is trivial
constinit basic_atomic_flag<thread_scope_block> flag_of_block{};
static_assert([] {
  atomic<int, thread_scope_block> a{};
  atomic<int, thread_scope_block> later;
  later.store(2);
  return a.load() + later.load() + atomic<five, thread_scope_block>().load().value;
}() == 7);
static_assert(atomic<int>().load() == 0 && !atomic_flag().test());

#if defined(__CUDA__)
// Variables in shared memory, and in device memory without and with a constructor.
__device__ atomic<int, thread_scope_device> in_device_memory;
__device__ atomic_flag flag_in_device_memory;
__device__ atomic<int, thread_scope_block> trivial_in_device_memory;
__global__ void in_shared_memory(int* results) {
  struct several {
    atomic<int, thread_scope_block> count;
    basic_atomic_flag<thread_scope_block> done;
  };
  __shared__ atomic<int, thread_scope_block> a;
  __shared__ atomic<double, thread_scope_cluster> of_cluster[4];
  __shared__ atomic<bytes<12, 4>, thread_scope_block> locked;
  __shared__ contended<unsigned, thread_scope_block> c;
  __shared__ basic_atomic_flag<thread_scope_block> set;
  __shared__ several together;
  if (threadIdx.x == 0) {
    init(&a, 1);
    for (auto& each : of_cluster) init(&each, 0);
    init(&locked, {});
    init(&c, 0);
    init(&set);
    init(&together.count, 1);
    init(&together.done, true);
  }
  __syncthreads();
  of_cluster[threadIdx.x % 4].fetch_add(1);
  c.fetch_add(1);
  results[threadIdx.x] = a.load() + together.count.load() + locked.load().at[0] + set.test() + together.done.test() +
                         in_device_memory.load() + flag_in_device_memory.test() + trivial_in_device_memory.load();
}
#endif
constexpr int const* address = static_cast<atomic<int> const&>(initialized).address();
static_assert(address == initialized.address());

// An object in an array does not overlap its neighbour.
static_assert(sizeof(atomic<bytes<3, 1>>[4]) == 4 * sizeof(atomic<bytes<3, 1>>) && sizeof(atomic<char>[4]) == 4);
