// SPDX-License-Identifier: Apache-2.0
//
// contended: atomic for objects that many lanes of a warp modify at the same time.  Extension
// A contended is an atomic whose read-modify-writes are those of contended_ref: modified_value (atomic/atomic.cppm)
// puts them in front of those of atomic. The functions of [atomics.nonmembers] take it: they call its members, so they
// combine, too. A function that takes an atomic by reference performs the operations of atomic on it.
module;
#include "../base/macros.hpp"
export module cudax.sync:contended;
import :atomic;
import :atomic_functions;
import :atomic_ref;
import :bits;
import :contended_ref;
import :scope;

CUDAX_EVERYWHERE_BEGIN

export namespace cudax {

/// Holds a value and accesses it atomically at Scope, as atomic does. Where lanes of a warp modify one object together,
/// they combine their operations into one: contended_ref says when that pays.
/// Source:   extension
/// Order:    as atomic
/// Scope:    Scope, as for atomic
/// Requires: as atomic; T has 1, 2, 4, 8 or 16 bytes
/// Example:
///     __global__ void take(cudax::contended<unsigned, cudax::thread_scope_device>* next, unsigned count, int* out) {
///       for (unsigned i; (i = next->fetch_add(1, cudax::memory_order_relaxed)) < count;) out[i] = int(i);
///     }
template <class T, thread_scope Scope = thread_scope_system>
class contended : public modified_value<T, contended_ref<T, Scope>, atomic<T, Scope>> {
  static_assert(is_word_size(sizeof(T)),
                "cudax.sync: contended<T>: T must have 1, 2, 4, 8 or 16 bytes; for another size use atomic<T>, which "
                "holds a lock beside the value");
  using base = modified_value<T, contended_ref<T, Scope>, atomic<T, Scope>>;

public:
  using base::base;
  contended() = default;
  contended(contended const&) = delete;
  contended& operator=(contended const&) = delete;
  contended& operator=(contended const&) volatile = delete;
  using base::operator=;
};

template <class T>
contended(T) -> contended<T>;

} // namespace cudax

namespace cudax {

/// For the free functions.
template <class T, thread_scope Scope>
struct atomic_argument<contended<T, Scope>> : atomic_argument<atomic<T, Scope>> {};

} // namespace cudax

CUDAX_EVERYWHERE_END
