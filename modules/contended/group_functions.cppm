// SPDX-License-Identifier: Apache-2.0
//
// group_functions: read-modify-writes of one object by all threads of a group.  Extension
// All threads of the group call the function, so fewer operations than threads reach the object: one for each warp of
// this_warp; one for each block of this_block, this_cluster and this_grid (machine/combined_block.cppm); for other
// groups one for each set of lanes that call together (machine/combined.cppm). On the host a group is one thread, and
// the operation is that of atomic_ref.
module;
#include "../base/macros.hpp"
export module cudax.sync:group_functions;
import :atomic;
import :atomic_ref;
import :bits;
import :combined;
import :combined_block;
import :device_group;
import :group;
import :lanes;
import :machine;
import :modify;
import :modifying_ref;
import :order;
import :scope;

CUDAX_EVERYWHERE_BEGIN

namespace cudax {

/// What a function's parameter refers to, for all atomic objects and references.
template <class T, thread_scope S>
atomic_ref<T, S> referred(atomic_ref<T, S> const& reference) noexcept {
  return reference;
}
template <class T, thread_scope S>
atomic_ref<T, S> referred(atomic<T, S>& object) noexcept {
  return atomic_ref<T, S>(*object.address());
}

template <class Reference>
struct parts_of_reference;
template <class T, thread_scope S>
struct parts_of_reference<atomic_ref<T, S>> {
  using value_type = T;
  static constexpr thread_scope scope = S;
};
template <class Object>
using parts_of = parts_of_reference<decltype(referred(*(__remove_reference_t(Object)*)nullptr))>;

/// An atomic object or a reference to one, of words that instructions have.
template <class Object>
concept atomic_object = requires(Object& object) {
  typename parts_of<Object>::value_type;
  requires !__is_const(typename parts_of<Object>::value_type);
};
template <class Object>
using value_of = typename parts_of<Object>::value_type;

/// Those with fetch_add and fetch_max, and those with fetch_and.
template <class Object>
concept object_of_numbers = atomic_object<Object> && has_difference<value_of<Object>>;
template <class Object>
concept object_of_bits = atomic_object<Object> && integer<value_of<Object>>;

/// Whether G is the group of level L: this_thread, this_warp, ...
template <class G, machine::level L>
inline constexpr bool is_level = __is_base_of(thread_detail::group<L>, G);
/// Whether G consists of whole blocks.
template <class G>
inline constexpr bool has_whole_blocks =
    is_level<G, machine::level::block> || is_level<G, machine::level::cluster> || is_level<G, machine::level::grid>;

/// Returns the lanes of the calling warp.
inline machine::peers whole_warp() noexcept {
  return machine::peers(machine::lowest_lanes(u32(machine::gpu::group_size(machine::level::warp))));
}

template <modification M, class G, class Object>
value_of<Object> fetch_by(Object& object, operand_of<value_of<Object>> operand, memory_order order) noexcept {
  constexpr thread_scope scope = parts_of<Object>::scope;
  void* const at = (void*)referred(object).address();
  operand_of<value_of<Object>> before;
  if constexpr (!machine::traits::has_lanes || scope == thread_scope_thread || is_level<G, machine::level::thread>)
    before = machine::fetch<M, scope>(at, operand, order);
  else if constexpr (has_whole_blocks<G>) before = machine::fetch_by_block<M, scope>(at, operand, order);
  else if constexpr (is_level<G, machine::level::warp>)
    before = machine::fetch_for<M, scope>(whole_warp(), at, operand, order);
  else before = machine::combined_fetch<M, scope, true>(at, operand, order);
  return __builtin_bit_cast(value_of<Object>, before);
}

template <modification M, class G, class Object>
void reduce_by(Object& object, operand_of<value_of<Object>> operand, memory_order order) noexcept {
  constexpr thread_scope scope = parts_of<Object>::scope;
  void* const at = (void*)referred(object).address();
  if constexpr (!machine::traits::has_lanes || scope == thread_scope_thread || is_level<G, machine::level::thread>)
    machine::reduce<M, scope>(at, operand, order);
  else if constexpr (has_whole_blocks<G>) machine::reduce_by_block<M, scope>(at, operand, order);
  else if constexpr (is_level<G, machine::level::warp>) machine::reduce_for<M, scope>(whole_warp(), at, operand, order);
  else machine::combined_reduce<M, scope>(at, operand, order);
}

} // namespace cudax

export namespace cudax {

// The functions with a group: every thread of the group calls, with an operand of its own. The effect is that each
// thread performs the member of atomic_ref with the same name, one immediately after the other in the order of their
// ranks for this_warp and this_block, and in an unspecified order for other groups. Sums of floating-point numbers are
// regrouped, and their results, too.

/// Adds `operand`, in every thread of `group`. Returns the value before the caller's operation.
/// Source:   extension
/// Order:    `order`, as atomic_ref::fetch_add. The threads of a warp or a block also wait for each other
/// Scope:    that of `object`
/// Units:    elements for T*
/// Requires: all threads of `group` call it, with the same object and order, and none of them has exited. `object` is an
///           atomic, contended, atomic_ref or contended_ref, and is not in automatic storage
/// Example:
///     __global__ void keep(int const* in, unsigned size, int* out, unsigned* kept) { // in any order of the blocks
///       unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
///       bool const keeps = i < size && in[i] > 0;
///       cudax::atomic_ref<unsigned, cudax::thread_scope_device> count(*kept);
///       unsigned const at = cudax::fetch_add(cudax::this_block, count, keeps, cudax::memory_order_relaxed);
///       if (keeps) out[at] = in[i]; // one atomic operation for each block
///     }
template <thread_group G, object_of_numbers Object>
value_of<Object> fetch_add(G const&, Object&& object, difference_parameter<value_of<Object>> operand,
                           any_order order = memory_order_seq_cst) noexcept {
  return fetch_by<modification::add, G>(object, addend<value_of<Object>>(operand), order.value);
}

/// Subtracts `operand`, in every thread of `group`. Returns the value before the caller's operation.
/// Source, order, scope, requirements: as fetch_add by a group
template <thread_group G, object_of_numbers Object>
value_of<Object> fetch_sub(G const&, Object&& object, difference_parameter<value_of<Object>> operand,
                           any_order order = memory_order_seq_cst) noexcept {
  return fetch_by<modification::add, G>(object, negated(addend<value_of<Object>>(operand)), order.value);
}

/// Replaces the value with its bitwise AND with `operand`, in every thread of `group`. Returns the value before the
/// caller's operation. Source, order, scope, requirements: as fetch_add by a group
template <thread_group G, object_of_bits Object>
value_of<Object> fetch_and(G const&, Object&& object, value_of<Object> operand,
                           any_order order = memory_order_seq_cst) noexcept {
  return fetch_by<modification::bit_and, G>(object, __builtin_bit_cast(operand_of<value_of<Object>>, operand),
                                            order.value);
}

/// Replaces the value with its bitwise OR with `operand`, in every thread of `group`. Returns the value before the
/// caller's operation. Source, order, scope, requirements: as fetch_add by a group
template <thread_group G, object_of_bits Object>
value_of<Object> fetch_or(G const&, Object&& object, value_of<Object> operand,
                          any_order order = memory_order_seq_cst) noexcept {
  return fetch_by<modification::bit_or, G>(object, __builtin_bit_cast(operand_of<value_of<Object>>, operand),
                                           order.value);
}

/// Replaces the value with its bitwise exclusive OR with `operand`, in every thread of `group`. Returns the value
/// before the caller's operation. Source, order, scope, requirements: as fetch_add by a group
template <thread_group G, object_of_bits Object>
value_of<Object> fetch_xor(G const&, Object&& object, value_of<Object> operand,
                           any_order order = memory_order_seq_cst) noexcept {
  return fetch_by<modification::bit_xor, G>(object, __builtin_bit_cast(operand_of<value_of<Object>>, operand),
                                            order.value);
}

/// Replaces the value with the larger of the value and `operand`, in every thread of `group`. Returns the value before
/// the caller's operation. Source, order, scope, requirements: as fetch_add by a group
template <thread_group G, object_of_numbers Object>
value_of<Object> fetch_max(G const&, Object&& object, value_of<Object> operand,
                           any_order order = memory_order_seq_cst) noexcept {
  return fetch_by<modification::max, G>(object, __builtin_bit_cast(operand_of<value_of<Object>>, operand), order.value);
}

/// Replaces the value with the smaller of the value and `operand`, in every thread of `group`. Returns the value before
/// the caller's operation. Source, order, scope, requirements: as fetch_add by a group
template <thread_group G, object_of_numbers Object>
value_of<Object> fetch_min(G const&, Object&& object, value_of<Object> operand,
                           any_order order = memory_order_seq_cst) noexcept {
  return fetch_by<modification::min, G>(object, __builtin_bit_cast(operand_of<value_of<Object>>, operand), order.value);
}

/// Performs fetch_add by `group` without a result.
/// Source:   extension
/// Order:    `order`, as atomic_ref::store_add. The threads of a warp or a block also wait for each other
/// Scope:    that of `object`
/// Units:    elements for T*
/// Requires: as fetch_add by a group
/// Example:
///     __global__ void sum(float const* in, unsigned size, cudax::atomic<float, cudax::thread_scope_device>* total) {
///       float mine = 0;
///       for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x) mine += in[i];
///       cudax::store_add(cudax::this_block, *total, mine, cudax::memory_order_relaxed);
///     }
template <thread_group G, object_of_numbers Object>
void store_add(G const&, Object&& object, difference_parameter<value_of<Object>> operand,
               store_order order = memory_order_seq_cst) noexcept {
  reduce_by<modification::add, G>(object, addend<value_of<Object>>(operand), order.value);
}

/// Performs fetch_sub by `group` without a result.
/// Source, order, scope, requirements: as store_add by a group
template <thread_group G, object_of_numbers Object>
void store_sub(G const&, Object&& object, difference_parameter<value_of<Object>> operand,
               store_order order = memory_order_seq_cst) noexcept {
  reduce_by<modification::add, G>(object, negated(addend<value_of<Object>>(operand)), order.value);
}

/// Performs fetch_and by `group` without a result.
/// Source, order, scope, requirements: as store_add by a group
template <thread_group G, object_of_bits Object>
void store_and(G const&, Object&& object, value_of<Object> operand, store_order order = memory_order_seq_cst) noexcept {
  reduce_by<modification::bit_and, G>(object, __builtin_bit_cast(operand_of<value_of<Object>>, operand), order.value);
}

/// Performs fetch_or by `group` without a result.
/// Source, order, scope, requirements: as store_add by a group
template <thread_group G, object_of_bits Object>
void store_or(G const&, Object&& object, value_of<Object> operand, store_order order = memory_order_seq_cst) noexcept {
  reduce_by<modification::bit_or, G>(object, __builtin_bit_cast(operand_of<value_of<Object>>, operand), order.value);
}

/// Performs fetch_xor by `group` without a result.
/// Source, order, scope, requirements: as store_add by a group
template <thread_group G, object_of_bits Object>
void store_xor(G const&, Object&& object, value_of<Object> operand, store_order order = memory_order_seq_cst) noexcept {
  reduce_by<modification::bit_xor, G>(object, __builtin_bit_cast(operand_of<value_of<Object>>, operand), order.value);
}

/// Performs fetch_max by `group` without a result.
/// Source, order, scope, requirements: as store_add by a group
template <thread_group G, object_of_numbers Object>
void store_max(G const&, Object&& object, value_of<Object> operand, store_order order = memory_order_seq_cst) noexcept {
  reduce_by<modification::max, G>(object, __builtin_bit_cast(operand_of<value_of<Object>>, operand), order.value);
}

/// Performs fetch_min by `group` without a result.
/// Source, order, scope, requirements: as store_add by a group
template <thread_group G, object_of_numbers Object>
void store_min(G const&, Object&& object, value_of<Object> operand, store_order order = memory_order_seq_cst) noexcept {
  reduce_by<modification::min, G>(object, __builtin_bit_cast(operand_of<value_of<Object>>, operand), order.value);
}

} // namespace cudax

CUDAX_EVERYWHERE_END
