// SPDX-License-Identifier: Apache-2.0
//
// contended: lanes of a warp combine their operations on one object. libcu++ has no such form: its column is the plain
// operation. The rows "spread" show what combining costs where no lanes share an object.
#include "../support/kernel.hpp"

namespace CUDAX_BENCH_SIDE {

#if defined(CUDAX_BENCH_CUDAX)
template <class T> using busy_ref = library::contended_ref<T, library::thread_scope_device>;
#else
template <class T> using busy_ref = device_ref<T>;
#endif

/// Adds 1, a constant, or an operand that the compiler does not know: it is 1, too.
template <class T, library::memory_order Order, bool Constant = true> struct busy_add : operation<T, T> {
  __device__ static T apply(T* object, unsigned, unsigned step) {
    T const operand = Constant ? T(1) : T(1 + (step >> 31)); // there are fewer than 2^31 steps
    return busy_ref<T>(*object).fetch_add(operand, Order);
  }
  static auto expect(unsigned threads, bench::work const& work) {
    unsigned long long const n = (unsigned long long)threads * work.steps();
    return typename operation<T, T>::expected{T(n), true, T(sum_below(n))};
  }
};

template <class T, library::memory_order Order> struct busy_store_add : operation<T, void> {
  __device__ static void apply(T* object, unsigned, unsigned) { store_add<Order>(busy_ref<T>(*object), T(1)); }
  static auto expect(unsigned threads, bench::work const& work) {
    return typename operation<T, void>::expected{T(threads) * T(work.steps()), false, 0};
  }
};

/// Adds 1 and -1 alternately: the sums stay exact, and an odd number of steps leaves 1 per thread.
template <class T> struct busy_store_float : operation<T, void> {
  __device__ static void apply(T* object, unsigned, unsigned step) {
    store_add<relaxed>(busy_ref<T>(*object), step % 2 ? T(-1) : T(1));
  }
  static auto expect(unsigned threads, bench::work const&) {
    return typename operation<T, void>::expected{T(threads), false, 0};
  }
};

/// The operand rises with each step and with the thread.
template <class T> struct busy_max : operation<T, T> {
  __device__ static T apply(T* object, unsigned thread, unsigned step) {
    return busy_ref<T>(*object).fetch_max(T(thread + step), relaxed);
  }
  static auto expect(unsigned threads, bench::work const& work) {
    T const last = T(work.threads() - 1 + work.steps() - 1);
    return typename operation<T, T>::expected{threads ? last : T(0), false, {}};
  }
};
template <class T> struct busy_min : operation<T, T> {
  static constexpr int initial_byte = 0xff;
  __device__ static T apply(T* object, unsigned thread, unsigned step) {
    return busy_ref<T>(*object).fetch_min(T(~T(thread + step)), relaxed);
  }
  static auto expect(unsigned threads, bench::work const& work) {
    T const last = T(work.threads() - 1 + work.steps() - 1);
    return typename operation<T, T>::expected{T(~(threads ? last : T(0))), false, {}};
  }
};

/// Each thread has one bit, which it sets, clears or inverts.
struct busy_or : operation<unsigned, unsigned> {
  __device__ static unsigned apply(unsigned* object, unsigned thread, unsigned) {
    return busy_ref<unsigned>(*object).fetch_or(1u << thread % 32, relaxed);
  }
  static expected expect(unsigned threads, bench::work const&) { return {threads ? ~0u : 0, false, {}}; }
};
struct busy_and : operation<unsigned, unsigned> {
  static constexpr int initial_byte = 0xff;
  __device__ static unsigned apply(unsigned* object, unsigned thread, unsigned) {
    return busy_ref<unsigned>(*object).fetch_and(~(1u << thread % 32), relaxed);
  }
  static expected expect(unsigned threads, bench::work const&) { return {threads ? 0 : ~0u, false, {}}; }
};
struct busy_xor : operation<unsigned, unsigned> {
  __device__ static unsigned apply(unsigned* object, unsigned thread, unsigned) {
    return busy_ref<unsigned>(*object).fetch_xor(1u << thread % 32, relaxed);
  }
  static expected expect(unsigned threads, bench::work const& work) {
    return {threads / 32 * work.steps() % 2 ? ~0u : 0, false, {}};
  }
};

using u16 = unsigned short;
using u64 = unsigned long long;

bench::rows rows_of_contended() {
  bench::rows all;
  // clang-format off
  add_rows<busy_add<unsigned, relaxed>, opaque<>>       (all, "contended fetch_add u32, one address");
  add_rows<busy_add<unsigned, relaxed, false>, opaque<>>(all, "contended fetch_add u32, one address, operand at run time");
  add_rows<busy_add<unsigned, acq_rel>, opaque<>>       (all, "contended fetch_add u32 acq_rel, one address");
  add_rows<busy_add<unsigned, seq_cst>, opaque<>>       (all, "contended fetch_add u32 seq_cst, one address");
  add_rows<busy_add<u64, relaxed>, opaque<>>            (all, "contended fetch_add u64, one address");
  add_rows<busy_add<u64, relaxed, false>, opaque<>>     (all, "contended fetch_add u64, one address, operand at run time");
  add_rows<busy_add<u16, relaxed>, opaque<0>>           (all, "contended fetch_add u16, one address, low half");
  add_rows<busy_max<unsigned>, opaque<>>                (all, "contended fetch_max u32, one address");
  add_rows<busy_min<unsigned>, opaque<>>                (all, "contended fetch_min u32, one address");
  add_rows<busy_max<float>, opaque<>>                   (all, "contended fetch_max f32, one address");
  add_rows<busy_and, opaque<>>                          (all, "contended fetch_and u32, one address");
  add_rows<busy_or, opaque<>>                           (all, "contended fetch_or u32, one address");
  add_rows<busy_xor, opaque<>>                          (all, "contended fetch_xor u32, one address");
  add_rows<busy_store_add<unsigned, relaxed>, opaque<>> (all, "contended store_add u32, one address");
  add_rows<busy_store_add<unsigned, release>, opaque<>> (all, "contended store_add u32 release, one address");
  add_rows<busy_store_float<float>, opaque<>>           (all, "contended store_add f32, one address");
  add_rows<busy_store_float<double>, opaque<>>          (all, "contended store_add f64, one address");
  add_rows<busy_add<unsigned, relaxed>, among<32>>      (all, "contended fetch_add u32, a lane on each of 32 addresses");
  add_rows<busy_add<unsigned, relaxed>, spread<>>       (all, "contended fetch_add u32, spread");
  add_rows<busy_add<unsigned, relaxed>, spread<8>>      (all, "contended fetch_add u32, spread 32 bytes apart");
  add_rows<busy_store_add<unsigned, relaxed>, spread<>> (all, "contended store_add u32, spread");
  // clang-format on
  return all;
}

} // namespace CUDAX_BENCH_SIDE
