// SPDX-License-Identifier: Apache-2.0
//
// atomic_flag: a boolean that is set and cleared.  [atomics.flag]
// The flag is a 32-bit word: test_and_set is an exchange, and a GPU has an exchange instruction for 32 bits but not for
// 8.
module;
#include "../base/macros.hpp"
export module cudax.sync:atomic_flag;
import :atomic_ref;
import :bits;
import :duration;
import :order;
import :scope;

CUDAX_EVERYWHERE_BEGIN

export namespace cudax {

/// Holds a flag and accesses it atomically at Scope. The flag is clear after construction.
/// Source:   [atomics.flag]; the scope and init are extensions
/// Scope:    Scope, as for atomic<T>
/// Requires: at a scope narrower than thread_scope_device the default constructor is trivial, so that the object can be
///           in shared memory: there the flag gets its state from init before any other use
/// Example:
///     __global__ void search(int const* data, int key, cudax::basic_atomic_flag<cudax::thread_scope_device>* found) {
///       if (found->test(cudax::memory_order_relaxed)) return;
///       if (data[threadIdx.x] == key) found->test_and_set(cudax::memory_order_relaxed);
///     }
template <thread_scope Scope>
class basic_atomic_flag {
  CUDAX_ENSURE_SCOPE(Scope, "basic_atomic_flag<Scope>");
  using reference = atomic_ref<u32, Scope>;

public:
  constexpr basic_atomic_flag() noexcept
    requires(is_wider_than_cluster(Scope))
    : set_(0) {}
  basic_atomic_flag() noexcept
    requires(!is_wider_than_cluster(Scope))
  = default;
  /// Makes a flag that is set or clear: `atomic_flag f = ATOMIC_FLAG_INIT;`, `= {false}`.
  /// Source:   libcu++, atomic_flag; [depr.c.macros], ATOMIC_FLAG_INIT
  constexpr basic_atomic_flag(bool set) noexcept : set_(set) {}
  basic_atomic_flag(basic_atomic_flag const&) = delete;
  basic_atomic_flag& operator=(basic_atomic_flag const&) = delete;
  basic_atomic_flag& operator=(basic_atomic_flag const&) volatile = delete;

  /// Returns whether the flag is set.
  constexpr bool test(load_order order = memory_order_seq_cst) const volatile noexcept {
    return self().load(order) != 0;
  }

  /// Sets the flag and returns whether it was set before.
  constexpr bool test_and_set(any_order order = memory_order_seq_cst) volatile noexcept {
    return self().exchange(1, order) != 0;
  }

  /// Clears the flag.
  constexpr void clear(store_order order = memory_order_seq_cst) volatile noexcept { self().store(0, order); }

  /// Blocks until the flag differs from `old`. The members below behave as those of atomic_ref with the same names.
  constexpr void wait(bool old, load_order order = memory_order_seq_cst) const volatile noexcept {
    self().wait(old, order);
  }
  [[nodiscard]] constexpr bool try_wait(bool old, load_order order = memory_order_seq_cst) const volatile noexcept {
    return self().try_wait(old, order);
  }
  template <duration_like D>
  [[nodiscard]] bool wait_for(bool old, D const& length, load_order order = memory_order_seq_cst) const
      volatile noexcept {
    return self().wait_for(old, length, order);
  }
  template <time_point_like P>
  [[nodiscard]] bool wait_until(bool old, P const& point, load_order order = memory_order_seq_cst) const
      volatile noexcept {
    return self().wait_until(old, point, order);
  }
  constexpr void notify_one() volatile noexcept { self().notify_one(); }
  constexpr void notify_all() volatile noexcept { self().notify_all(); }

private:
  constexpr reference self() const volatile noexcept { return reference(const_cast<u32&>(set_)); }

  u32 set_;
};

/// The flag of system scope.
/// Source:   [atomics.flag]
using atomic_flag = basic_atomic_flag<thread_scope_system>;

/// Makes a flag that is set or clear: for example a flag in shared memory.
/// Source:   extension
/// Order:    none: a plain initialization
template <thread_scope Scope>
void init(basic_atomic_flag<Scope>* object, bool set = false) noexcept {
  new (object) placed<basic_atomic_flag<Scope>>{basic_atomic_flag<Scope>(set)};
}

} // namespace cudax

CUDAX_EVERYWHERE_END
