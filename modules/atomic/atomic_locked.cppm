// SPDX-License-Identifier: Apache-2.0
//
// atomic_locked: atomic<T> for sizes without atomic instructions.  [atomics.types.generic]
//
// A ticket lock of the same scope protects the value. Each operation takes the next ticket and owns the lock when that
// ticket is served. The lock is first come, first served, because a lock that any waiting thread may take can starve
// threads on a device. Suppose that some lanes of a warp poll the value, and that another lane is to store it. The
// polling lanes and the storing lane run alternately, in a fixed rhythm. So the storing lane may find the lock taken at
// every attempt (observed on an H100). Every ticket is served, because the holder always leaves in a few steps and,
// from sm_70, the threads of a warp make progress independently. A host thread first tries for a short while to take a
// ticket whose turn it is: a queue of more threads than processors changes the processor's thread at each turn, which
// takes fifty times as long as the operation. No thread starves by that, because there is no such ticket while a thread
// waits in the queue. Host and device may share the object if the machine's read-modify-write operations are atomic
// between them.
//
// Every operation is a critical section, which is at least as strong as every order except seq_cst: acquire on entry
// and release on exit provide the ordering of the operation, and the critical sections of one object have a single
// total order. seq_cst adds a fence, for the order across objects. The machine's operations do not get the requested
// order, so they cannot check it. These members check it themselves, as operations at thread scope do.
module;
#include "../base/macros.hpp"
#include "absent_members.hpp"
#pragma clang diagnostic ignored "-Wc++26-extensions" // = delete("sentence")
export module cudax.sync:atomic_locked;
import :atomic;
import :atomic_ref;
import :bits;
import :clock;
import :duration;
import :machine;
import :modify;
import :modifying_ref;
import :order;
import :scope;
import :wait;

CUDAX_EVERYWHERE_BEGIN

export namespace cudax {

/// Holds a value and accesses it atomically at Scope, under a lock. T has a size other than 1, 2, 4, 8 and 16 bytes.
/// Source:   [atomics.types.generic]
/// Scope:    Scope; a race with a thread outside Scope is undefined behavior. If host and device share the object, it
///           needs memory that is atomic between host and device. In other memory no access is atomic, loads included
/// Example:
///     struct position {
///       float x, y, z; // 12 bytes
///     };
///     __global__ void move(cudax::atomic<position, cudax::thread_scope_device>* where, position to) {
///       if (threadIdx.x == 0) where->store(to, cudax::memory_order_release);
///     }
template <class T, thread_scope Scope>
  requires(!is_word_size(sizeof(T)))
class atomic<T, Scope> {
  static_assert(atomic_value<T>,
                "cudax.sync: atomic<T>: T must be trivially copyable and not cv-qualified, and copying "
                "and assigning it must be possible [atomics.types.generic]");
  CUDAX_ENSURE_SCOPE(Scope, "atomic<T, Scope>");

public:
  using value_type = T;

  static constexpr bool is_always_lock_free = false;
  static constexpr size_t required_alignment = alignof(T);

  /// Initializes the value with T(), or at a scope narrower than thread_scope_device as a T without an initializer.
  constexpr atomic() noexcept(noexcept(T()))
    requires(is_wider_than_cluster(Scope) && requires { T(); })
    : value_(), tickets_(0), served_(0) {}
  atomic() noexcept(noexcept(T()))
    requires(!is_wider_than_cluster(Scope) && requires { T(); })
  = default;
  constexpr atomic(T desired) noexcept : value_(desired), tickets_(0), served_(0) {}
  atomic(atomic const&) = delete;
  atomic& operator=(atomic const&) = delete;

  bool is_lock_free() const noexcept { return false; }

  T load(load_order order = memory_order_seq_cst) const noexcept {
    machine::ensure_load_order<thread_scope_thread>(order.value);
    return locked(order.value, [this] { return value_; });
  }
  operator T() const noexcept { return load(); }

  void store(T desired, store_order order = memory_order_seq_cst) noexcept {
    machine::ensure_store_order<thread_scope_thread>(order.value);
    locked(order.value, [&] { value_ = desired; });
  }
  T operator=(T desired) noexcept {
    store(desired);
    return desired;
  }

  T exchange(T desired, any_order order = memory_order_seq_cst) noexcept {
    machine::ensure_modify_order<thread_scope_thread>(order.value);
    return locked(order.value, [&] {
      T const before = value_;
      value_ = desired;
      return before;
    });
  }

  bool compare_exchange_strong(T& expected, T desired, any_order success, load_order failure) noexcept {
    machine::ensure_compare_orders(success.value, failure.value);
    return locked(join(success.value, failure.value), [&] {
      bool const equal = same_value(value_, expected);
      if (equal) value_ = desired;
      else expected = value_;
      return equal;
    });
  }
  bool compare_exchange_strong(T& expected, T desired, any_order order = memory_order_seq_cst) noexcept {
    return compare_exchange_strong(expected, desired, order, load_part(order.value));
  }
  bool compare_exchange_weak(T& expected, T desired, any_order success, load_order failure) noexcept {
    return compare_exchange_strong(expected, desired, success, failure);
  }
  bool compare_exchange_weak(T& expected, T desired, any_order order = memory_order_seq_cst) noexcept {
    return compare_exchange_strong(expected, desired, order);
  }

  void wait(T old, load_order order = memory_order_seq_cst) const noexcept {
    while (!try_wait(old, order))
      machine::block_until<Scope>(&value_, CUDAX_AWAITS(differs_from(old), "atomic::wait: the value has not changed"),
                                  forever);
  }
  [[nodiscard]] bool try_wait(T old, load_order order = memory_order_seq_cst) const noexcept {
    return !same_value(load(order), old);
  }
  template <duration_like D>
  [[nodiscard]] bool wait_for(T old, D const& length, load_order order = memory_order_seq_cst) const noexcept {
    if (try_wait(old, order)) return true;
    long long const rest = to_nanoseconds(length);
    if (rest <= 0) return false;
    long long const deadline = deadline_after(machine::steady_now(), rest);
    while (machine::block_until<Scope>(&value_, differs_from(old), deadline))
      if (try_wait(old, order)) return true;
    return false;
  }
  template <time_point_like P>
  [[nodiscard]] bool wait_until(T old, P const& point, load_order order = memory_order_seq_cst) const noexcept {
    if (try_wait(old, order)) return true;
    while (machine::block_until_point<Scope>(&value_, differs_from(old), point))
      if (try_wait(old, order)) return true;
    return false;
  }
  void notify_one() noexcept { machine::wake<Scope>(&value_); }
  void notify_all() noexcept { machine::wake<Scope>(&value_); }

  CUDAX_LACKS_BY_TYPE(T, true)

private:
  template <class Section>
  auto locked(memory_order order, Section section) const noexcept {
    // Relaxed is enough: only the number of the ticket matters. The acquire load of `served_` makes the writes of
    // earlier holders visible. On the host a seq_cst operation takes its ticket by a seq_cst read-modify-write instead
    // of the fence. It stands for the operation in the single total order, because the operations of an object take
    // effect in the order of their tickets. So no second full fence is needed.
    bool const by_ticket = machine::traits::parks && Scope != thread_scope_thread;
    if (!by_ticket && order == memory_order::seq_cst) machine::fence<Scope>(memory_order::seq_cst);
    u32 const ticket =
        take_ticket(by_ticket && order == memory_order::seq_cst ? memory_order::seq_cst : memory_order::relaxed);
    // Acquire: pairs with the store in ~leave.
    for (int left; (left = machine::turns_left<Scope>(&served_, ticket, memory_order::acquire)) != 0;)
      machine::block_until_turn<Scope>(
          &served_, ticket,
          left CUDAX_WAIT_NAME("atomic: the lock of the object is at turn #; this thread has turn #"));
    struct leave {
      u32* served;
      u32 next;
      ~leave() {
        // Release: pairs with the acquire load above.
        machine::store<Scope, u32>(served, next, machine::before_wake<memory_order::release>);
        machine::wake_turns<Scope>(served, next, 1);
      }
    } const on_exit{&served_, ticket + 1};
    return section();
  }

  u32 take_ticket(memory_order order) const noexcept {
    if constexpr (machine::traits::parks) {
      // After so many losses to other threads, or one spin, the thread enters the queue.
      for (int tries = 0; tries < 4; ++tries) {
        u32 ticket = machine::load<Scope, u32>(&served_, memory_order::relaxed);
        if (machine::load<Scope, u32>(&tickets_, memory_order::relaxed) == ticket &&
            machine::compare_exchange<Scope, u32>(&tickets_, ticket, ticket + 1, order, memory_order::relaxed))
          return ticket;
        constexpr long long passed = 0; // a deadline: the thread does not sleep
        if (!machine::block_until<Scope>(&served_, no_ticket_waits{this}, passed)) break;
      }
    }
    return machine::fetch<modification::add, Scope, u32>(&tickets_, 1, order);
  }
  struct no_ticket_waits {
    atomic const* object;

    bool operator()() const noexcept {
      u32 const served = machine::load<Scope, u32>(&object->served_, memory_order::relaxed);
      return machine::load<Scope, u32>(&object->tickets_, memory_order::relaxed) == served;
    }
  };

  struct value_differs {
    atomic const* object;
    T old;
    static constexpr bool own_thread_only = true; // the load takes the lock

    bool operator()() const noexcept { return !same_value(object->load(memory_order::relaxed), old); }
  };
  value_differs differs_from(T const& old) const noexcept { return {this, old}; }

  T value_;
  mutable u32 tickets_;
  mutable u32 served_; // the ticket that may enter
};

} // namespace cudax

CUDAX_EVERYWHERE_END
