// SPDX-License-Identifier: Apache-2.0
//
// operations: the operations of atomics, for kernel.hpp. Each is a template of the type, the order, and where the
// object is (on_block, on_device, on_system, in_shared). `exists` says whether the side has the operation.
#pragma once

#include "kernel.hpp"

namespace CUDAX_BENCH_SIDE {

using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned;
using u64 = unsigned long long;

template <library::thread_scope Scope> struct in_global {
  template <class T> using ref = library::atomic_ref<T, Scope>;
};
struct on_block : in_global<library::thread_scope_block> {
  static constexpr char const* name = ", block scope";
};
struct on_device : in_global<library::thread_scope_device> {
  static constexpr char const* name = "";
};
struct on_system : in_global<library::thread_scope_system> {
  static constexpr char const* name = ", system scope";
};
struct in_shared {
  static constexpr char const* name = ", shared memory, block scope";
  template <class T> using ref = shared_ref<T>;
};

/// Whether the side's operations have an order: CUDA's own are relaxed.
#if defined(CUDAX_BENCH_CUDA)
template <library::memory_order Order> inline constexpr bool has_order = Order == relaxed;
#else
template <library::memory_order Order> inline constexpr bool has_order = true;
#endif

/// Adds 1. The values returned by n additions to one object are 0 to n - 1 in any order, so their sum is known.
template <class T, library::memory_order Order, class Where> struct add_one : operation<T, T> {
  using ref = typename Where::template ref<T>;
  static constexpr bool exists = has_order<Order> && requires(ref r) { r.fetch_add(T(1), Order); };
  __device__ static T apply(T* object, unsigned, unsigned) { return ref(*object).fetch_add(T(1), Order); }
  static auto expect(unsigned threads, bench::work const& work) {
    unsigned long long const n = (unsigned long long)threads * work.steps();
    return typename operation<T, T>::expected{T(n), true, T(sum_below(n))};
  }
};

/// The same without a result.
template <class T, library::memory_order Order, class Where> struct add_one_without_result : operation<T, void> {
  using ref = typename Where::template ref<T>;
  static constexpr bool exists = has_order<Order> && requires(ref r) { store_add<Order>(r, T(1)); };
  __device__ static void apply(T* object, unsigned, unsigned) { store_add<Order>(ref(*object), T(1)); }
  static auto expect(unsigned threads, bench::work const& work) {
    return typename operation<T, void>::expected{T(T(threads) * T(work.steps())), false, 0};
  }
};

/// Adds 1 and -1 alternately: sums of floats stay exact, and an odd number of steps leaves 1 per thread.
struct add_float : operation<float, float> {
  static constexpr bool exists = true;
  __device__ static float apply(float* object, unsigned, unsigned step) {
    return device_ref<float>(*object).fetch_add(step % 2 ? -1.0f : 1.0f, relaxed);
  }
  static expected expect(unsigned threads, bench::work const&) { return {float(threads), false, 0}; }
};
struct add_float_without_result : operation<float, void> {
  static constexpr bool exists = true;
  __device__ static void apply(float* object, unsigned, unsigned step) {
    store_add<relaxed>(device_ref<float>(*object), step % 2 ? -1.0f : 1.0f);
  }
  static expected expect(unsigned threads, bench::work const&) { return {float(threads), false, 0}; }
};

/// Exchanges the number of the step into the object of one thread.
template <class T, library::memory_order Order, class Where> struct exchange_step : operation<T, T> {
  using ref = typename Where::template ref<T>;
  static constexpr bool exists = has_order<Order> && requires(ref r) { r.exchange(T(1), Order); };
  __device__ static T apply(T* object, unsigned, unsigned step) { return ref(*object).exchange(T(step), Order); }
  static auto expect(unsigned threads, bench::work const& work) {
    return alone<T, T>(0, threads ? work.steps() : 0, [](T& object, unsigned step) {
      T const before = object;
      object = T(step);
      return before;
    });
  }
};

/// The order of a compare-and-swap that fails.
constexpr library::memory_order failing(library::memory_order order) {
  return order == acq_rel ? acquire : order == release ? relaxed : order;
}

/// Increments the object of one thread by compare-and-swap, which always succeeds. The results count the successes.
template <class T, library::memory_order Order, class Where> struct count_up : operation<T, unsigned> {
  using ref = typename Where::template ref<T>;
  static constexpr library::memory_order failure = failing(Order);
  static constexpr bool exists =
      has_order<Order> && requires(ref r, T& value) { r.compare_exchange_strong(value, value, Order, failure); };
  __device__ static unsigned apply(T* object, unsigned, unsigned step) {
    T expected = T(step);
    return ref(*object).compare_exchange_strong(expected, T(step + 1), Order, failure);
  }
  static auto expect(unsigned threads, bench::work const& work) {
    unsigned const steps = threads ? work.steps() : 0;
    return typename operation<T, unsigned>::expected{T(steps), true, steps};
  }
};

/// Loads. The result has 32 bits, so that one addition sums it: a load from shared memory takes fewer cycles than the
/// additions of a sum of 64 bits.
template <class T, library::memory_order Order, class Where> struct load_value : operation<T, u32> {
  using ref = typename Where::template ref<T>;
  static constexpr bool exists = has_order<Order> && requires(ref r) { r.load(Order); };
  static constexpr int initial_byte = 0x5a;
  static constexpr __host__ __device__ u32 both_halves(u64 value) { return u32(value) + u32(value >> 32); }
  __device__ static u32 apply(T* object, unsigned, unsigned) { return both_halves(ref(*object).load(Order)); }
  static auto expect(unsigned threads, bench::work const& work) {
    T const value = T(0x5a5a5a5a5a5a5a5aull);
    return typename operation<T, u32>::expected{value, true, u32(threads * work.steps() * both_halves(value))};
  }
};

/// Stores the number of the step into the object of one thread.
template <class T, library::memory_order Order, class Where> struct store_step : operation<T, void> {
  using ref = typename Where::template ref<T>;
  static constexpr bool exists = has_order<Order> && requires(ref r) { r.store(T(1), Order); };
  __device__ static void apply(T* object, unsigned, unsigned step) { ref(*object).store(T(step + 1), Order); }
  static auto expect(unsigned threads, bench::work const& work) {
    return typename operation<T, void>::expected{T(threads ? work.steps() : 0), false, 0};
  }
};

// --- names -----------------------------------------------------------------------------------------------------------

template <class T> constexpr char const* type_name = nullptr;
template <> inline constexpr char const* type_name<u8> = " u8";
template <> inline constexpr char const* type_name<u16> = " u16";
template <> inline constexpr char const* type_name<u32> = " u32";
template <> inline constexpr char const* type_name<u64> = " u64";
template <> inline constexpr char const* type_name<float> = " f32";
template <> inline constexpr char const* type_name<double> = " f64";

constexpr char const* order_name(library::memory_order order) {
  return order == acquire   ? " acquire"
         : order == release ? " release"
         : order == acq_rel ? " acq_rel"
         : order == seq_cst ? " seq_cst"
                            : "";
}

// --- tables of rows --------------------------------------------------------------------------------------------------

template <class... T, class F> void for_types(F f) { (f.template operator()<T>(), ...); }
template <library::memory_order... Order, class F> void for_orders(F f) { (f.template operator()<Order>(), ...); }
template <class... Where, class F> void for_places(F f) { (f.template operator()<Where>(), ...); }

/// Collects rows; leaves out those whose operation the side does not have.
struct table {
  bench::rows rows;

  /// Adds the rows of one operation at one place.
  template <class Operation, class Place, pointer From = pointer::parameter> void one(std::string name) {
    if constexpr (Operation::exists) add_rows<Operation, Place, From>(rows, std::move(name));
  }
  /// Adds the rows of both pointers: the pointer as a parameter, and from memory.
  template <class Operation, class Place> void both(std::string const& name) {
    one<Operation, Place>(name);
    one<Operation, Place, pointer::memory>(name + ", pointer from memory");
  }

  /// Adds the rows that every operation on atomics has, spread: all sizes relaxed; words in all orders, and in all
  /// scopes, relaxed and in the last but one of `Orders`.
  template <template <class, library::memory_order, class> class Operation, library::memory_order... Orders>
  void usual(std::string const& name) {
    for_types<u8, u16, u32, u64>([&]<class T>() { each<Operation, T, relaxed, on_device>(name); });
    for_orders<Orders...>([&]<library::memory_order Order>() { each<Operation, u32, Order, on_device>(name); });
    static constexpr library::memory_order orders[] = {Orders...};
    static constexpr auto strong = orders[sizeof...(Orders) - 2];
    for_places<on_block, on_system>([&]<class Where>() {
      each<Operation, u32, relaxed, Where>(name);
      each<Operation, u32, strong, Where>(name);
    });
  }
  template <template <class, library::memory_order, class> class Operation, class T, library::memory_order Order,
            class Where>
  void each(std::string const& name) {
    both<Operation<T, Order, Where>, spread<>>(name + type_name<T> + order_name(Order) + Where::name + ", spread");
  }
};

} // namespace CUDAX_BENCH_SIDE
