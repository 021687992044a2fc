// SPDX-License-Identifier: Apache-2.0
//
// contended_ref: atomic_ref for objects that many lanes of a warp modify at the same time.  Extension
// A contended_ref is an atomic_ref whose read-modify-writes are performed in another way: modifying_ref
// (atomic/modifying_ref.cppm) puts them in front of those of atomic_ref. Each has the effect of the member of
// atomic_ref with the same name. On a device, the lanes of a warp that call together for one object perform one
// operation on it (machine/combined.cppm). The plain operation stays one instruction, because combining costs time if
// the lanes have different objects: so the programmer chooses, by type.
//
// What does not combine: loads, stores, compare_exchange, waiting, and fetch_add and fetch_sub of floating-point
// numbers. For an object in automatic storage nothing is combined either.
module;
#include "../base/macros.hpp"
export module cudax.sync:contended_ref;
import :atomic_ref;
import :bits;
import :combined;
import :modify;
import :modifying_ref;
import :order;
import :scope;

CUDAX_EVERYWHERE_BEGIN

namespace cudax {

/// A way to perform read-modify-writes on a device: combined with those of the lanes that call together.
struct combining {
  template <thread_scope S, class T>
  [[clang::always_inline]] static T exchange(void* object, T desired, memory_order order) noexcept {
    return from_word<T>(machine::combined_exchange<S>(object, to_word(desired), order));
  }
  template <modification M, thread_scope S, class V>
  [[clang::always_inline]] static V fetch(void* object, V operand, memory_order order) noexcept {
    return machine::combined_fetch<M, S>(object, operand, order);
  }
  template <modification M, thread_scope S, class V>
  [[clang::always_inline]] static void reduce(void* object, V operand, memory_order order) noexcept {
    machine::combined_reduce<M, S>(object, operand, order);
  }
};

} // namespace cudax

export namespace cudax {

/// Refers to an object and accesses it atomically at Scope, as atomic_ref does. Where lanes of a warp modify one object
/// together, they combine their operations into one: use it where that is the rule, as for counters of a whole grid,
/// and atomic_ref where the lanes have different objects. References of both types, and atomic, may access one object.
///
/// What to expect, in 10^9 operations per second, from this class and from atomic_ref, on an H200 with all threads of
/// the GPU on one object: fetch_add of u32 43.5 and 1.36 (acq_rel 41.1, seq_cst 41.4), store_add of float 18.1 and
/// 0.57. Where no lanes share an object, it has down to 0.13 times the throughput. From an addition to u32 that was
/// combined by hand, and from the plain one, each lane on its own object: 71 and 68 if the objects lie 32 bytes apart,
/// 170 to 182 and 286 if they are neighbours, 12.5 and 43.9 with one warp for each SM; in shared memory, one object for
/// each block: 143 to 214 and 235. tools/bench measures this class (tools/benchmarks/problems/contended.cu).
///
/// The results are those of single operations, one immediately after the other, in the order of the lanes. An operand
/// that the compiler knows costs least. Sums of store_add and store_sub of floating-point numbers are regrouped;
/// fetch_add and fetch_sub of these are not combined.
/// Source:   extension; P3111 permits store_add to regroup
/// Order:    as atomic_ref. The lanes also wait for each other, before and after the operation, without a fence
/// Scope:    Scope, as for atomic_ref
/// Requires: as atomic_ref
/// Example:
///     __global__ void count(int const* data, unsigned size, unsigned long long* positive) {
///       unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
///       if (i >= size || data[i] <= 0) return;
///       cudax::contended_ref<unsigned long long, cudax::thread_scope_device> total(*positive);
///       total.store_add(1, cudax::memory_order_relaxed); // one instruction for each warp
///     }
template <class T, thread_scope Scope = thread_scope_system>
class contended_ref : public modifying_ref<T, Scope, combining, atomic_ref<T, Scope>> {
  static_assert(!__is_const(T), "cudax.sync: contended_ref<T const>: a reference to a const object only reads; use "
                                "atomic_ref");
  using base = modifying_ref<T, Scope, combining, atomic_ref<T, Scope>>;

public:
  using base::base;
  /// Refers to the object of `other`.
  constexpr explicit contended_ref(atomic_ref<T, Scope> const& other) noexcept : base(other) {}
  constexpr contended_ref(contended_ref const&) noexcept = default;
  contended_ref& operator=(contended_ref const&) = delete;
  using base::operator=;
};

template <class T>
contended_ref(T&) -> contended_ref<T>;

} // namespace cudax

CUDAX_EVERYWHERE_END
