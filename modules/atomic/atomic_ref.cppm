// SPDX-License-Identifier: Apache-2.0
//
// atomic_ref: atomic operations on an existing object of the program.  [atomics.ref.generic]
//
// A value travels to the machine as the word of its size. compare_exchange and wait compare value representations
// (bits.cppm). If T has padding, a compare-and-swap can fail because of the padding alone; compare_exchange then
// repeats it with the padding that it found. The read-modify-writes are in modifying_ref.cppm.
//
// In constant evaluation an operation is a plain access to the object (P3309). The test for it folds in the front end,
// so it is in no code.
//
// atomic (atomic.cppm) holds an object and applies this class to it.
module;
#include "../base/macros.hpp"
#include "absent_members.hpp"
#pragma clang diagnostic ignored "-Wc++26-extensions" // = delete("sentence")
export module cudax.sync:atomic_ref;
import :bits;
import :duration;
import :machine;
import :modifying_ref;
import :order;
import :scope;
import :wait;

CUDAX_EVERYWHERE_BEGIN

namespace cudax {

/// What every reference has: an object, and the operations that are the same for all references.
template <class T, thread_scope Scope>
class accessing_ref : public difference_of<remove_cv<T>> {
public:
  using value_type = value_type_of<remove_cv<T>>; // before the assertions: clang drops what follows one that fails

private:
  static_assert(
      atomic_value<remove_cv<T>>,
      "cudax.sync: atomic_ref<T>: T must be trivially copyable, and copying and assigning it must be possible "
      "[atomics.ref.generic]");
  static_assert(is_word_size(sizeof(T)),
                "cudax.sync: atomic_ref<T>: T must have 1, 2, 4, 8 or 16 bytes; for another size use atomic<T>, which "
                "holds a lock beside the value");
  CUDAX_ENSURE_SCOPE(Scope, "atomic_ref<T, Scope>");

  static constexpr bool writable = !__is_const(T);
  using word = word_of<T>;
  template <class U, thread_scope S>
  friend class accessing_ref;

public:
  /// Always true: no operation takes a lock. For 16 bytes, exchange and compare_exchange require sm_90, and an x86-64
  /// host requires cmpxchg16b. A device link for an older SM fails with an undefined symbol whose name says why.
  static constexpr bool is_always_lock_free = true;
  /// The alignment that the object must have, in bytes.
  static constexpr size_t required_alignment = alignof(T) < sizeof(T) ? sizeof(T) : alignof(T);

  /// Refers to `object`.
  /// Requires: `object` is aligned to required_alignment. The compiler rejects an object if its offset in a complete
  ///           object of known alignment shows that it is misaligned; otherwise a checked build stops
  constexpr explicit accessing_ref(T& object) noexcept
      CUDAX_REFUSE(!is_aligned(__builtin_addressof(object), required_alignment),
                   "atomic_ref: the object is not aligned to required_alignment; declare it with "
                   "alignas(cudax::atomic_ref<T>::required_alignment) [atomics.ref.ops]")
    : object_(__builtin_addressof(object)) {
    if (!__builtin_is_constant_evaluated())
      CUDAX_ENSURE(machine::checked_address(object_) % required_alignment == 0,
                   "atomic_ref: the object at address 0x%llx is not aligned to required_alignment; declare it with "
                   "alignas(cudax::atomic_ref<T>::required_alignment) [atomics.ref.ops]",
                   (long long)object_);
  }
  /// Rejects a temporary, because the reference would dangle. This includes a temporary that a conversion to T makes,
  /// from another atomic_ref or from an object of another type.
  explicit accessing_ref(value_type const&&) =
      delete ("cudax.sync: atomic_ref: this is a temporary, perhaps made by a conversion; name an object of type T");
  constexpr accessing_ref(accessing_ref const&) noexcept = default;
  /// Refers to the object of `other`. U is T with fewer cv-qualifiers.
  /// Source:   [atomics.ref.ops], the converting constructor (P3860)
  template <class U>
    requires(!same_as<U, T> && same_as<remove_cv<U>, value_type> && __is_convertible(U*, T*))
  constexpr accessing_ref(accessing_ref<U, Scope> const& other) noexcept : object_(other.object_) {}
  accessing_ref& operator=(accessing_ref const&) = delete;

  bool is_lock_free() const noexcept { return is_always_lock_free; }

  /// Returns the object's address, as a pointer to void with the cv-qualifiers of T: to compare and to hash, not to
  /// access the object.
  /// Source:   [atomics.ref.ops], address (P3936)
  constexpr copy_cv<T, void>* address() const noexcept { return object_; }

  // --- load and store ----------------------------------------------------------------------------------------------

  /// Returns the value.
  /// Order:    `order`; seq_cst = fence.sc.<scope> + ld.acquire   (arch/README, row load)
  constexpr value_type load(load_order order = memory_order_seq_cst) const noexcept {
    if (__builtin_is_constant_evaluated()) return object();
    return from_word<value_type>(load_word(order.value));
  }
  constexpr operator value_type() const noexcept { return load(); }

  /// Replaces the value with `desired`.
  /// Order:    `order`; seq_cst = fence.sc.<scope> + st.relaxed   (arch/README, row store)
  constexpr void store(value_type desired, store_order order = memory_order_seq_cst) const noexcept
    requires writable
  {
    if (__builtin_is_constant_evaluated()) object() = desired;
    else machine::store<Scope>(bytes(), to_word(desired), order.value);
  }
  constexpr value_type operator=(value_type desired) const noexcept
    requires writable
  {
    store(desired);
    return desired;
  }

  /// Replaces the value with `desired` if it equals `expected`; otherwise writes the value to `expected`. Returns
  /// whether it replaced the value. The comparison ignores padding bits. Neither form fails spuriously.
  /// Order:    `success` or `failure`; one instruction implements both   (arch/README, row compare_exchange)
  constexpr bool compare_exchange_strong(value_type& expected, value_type desired, any_order success,
                                         load_order failure) const noexcept
    requires writable
  {
    return compare_exchange(expected, desired, success.value, failure.value);
  }
  constexpr bool compare_exchange_strong(value_type& expected, value_type desired,
                                         any_order order = memory_order_seq_cst) const noexcept
    requires writable
  {
    return compare_exchange(expected, desired, order.value, load_part(order.value));
  }
  constexpr bool compare_exchange_weak(value_type& expected, value_type desired, any_order success,
                                       load_order failure) const noexcept
    requires writable
  {
    return compare_exchange(expected, desired, success.value, failure.value);
  }
  constexpr bool compare_exchange_weak(value_type& expected, value_type desired,
                                       any_order order = memory_order_seq_cst) const noexcept
    requires writable
  {
    return compare_exchange(expected, desired, order.value, load_part(order.value));
  }

  // --- waiting -----------------------------------------------------------------------------------------------------

  /// Blocks until the value differs from `old`. A device thread polls. A host thread parks. It wakes at once on a
  /// notify by a host thread and, at system scope, within half a millisecond of a device's store (the guide).
  /// Source:   [atomics.wait]
  /// Order:    `order`, for the load that observes the change; the polls of a blocked thread are relaxed
  constexpr void wait(value_type old, load_order order = memory_order_seq_cst) const noexcept {
    if (__builtin_is_constant_evaluated())
      if (!same_constant<value_type>(object(), old)) return;
    word const before = value_word<value_type>(to_word(old));
    while (machine::polls_relaxed(order.value) || value_word<value_type>(load_word(order.value)) == before) {
      machine::block_until<Scope>(
          bytes(), CUDAX_AWAITS(differs_from(before), "atomic::wait: the value has not changed"), forever);
      if (machine::upgrade_to<Scope>(order.value)) return;
    }
  }

  /// Polls once and returns whether the value differs from `old`.
  /// Source:   P2643, atomic::try_wait
  [[nodiscard]] constexpr bool try_wait(value_type old, load_order order = memory_order_seq_cst) const noexcept {
    if (__builtin_is_constant_evaluated()) return !same_constant<value_type>(object(), old);
    return value_word<value_type>(load_word(order.value)) != value_word<value_type>(to_word(old));
  }

  /// Blocks as wait does, but at most for `length` of steady time. Returns whether the value differs from `old`.
  /// Source:   P2643, atomic::wait_for
  /// Units:    any duration
  template <duration_like D>
  [[nodiscard]] bool wait_for(value_type old, D const& length, load_order order = memory_order_seq_cst) const noexcept {
    if (try_wait(old, order)) return true;
    long long const rest = to_nanoseconds(length);
    if (rest <= 0) return false;
    long long const deadline = deadline_after(machine::steady_now(), rest);
    word const before = value_word<value_type>(to_word(old));
    while (machine::block_until<Scope>(bytes(), differs_from(before), deadline))
      if (machine::upgrade_to<Scope>(order.value) || try_wait(old, order)) return true;
    return false;
  }

  /// Blocks as wait does, but at most until `point`, a time point of any clock. Returns whether the value differs from
  /// `old`.
  /// Source:   P2643, atomic::wait_until
  template <time_point_like P>
  [[nodiscard]] bool wait_until(value_type old, P const& point,
                                load_order order = memory_order_seq_cst) const noexcept {
    if (try_wait(old, order)) return true;
    word const before = value_word<value_type>(to_word(old));
    while (machine::block_until_point<Scope>(bytes(), differs_from(before), point))
      if (machine::upgrade_to<Scope>(order.value) || try_wait(old, order)) return true;
    return false;
  }

  /// Wake the host threads that wait for this object. notify_one wakes all of these threads, as notify_all does: a
  /// woken thread whose value has not changed continues to wait. Device threads poll and need no wake-up.
  /// Source:   [atomics.wait]
  constexpr void notify_one() const noexcept
    requires writable
  {
    if (!__builtin_is_constant_evaluated()) machine::wake<Scope>(bytes());
  }
  constexpr void notify_all() const noexcept
    requires writable
  {
    if (!__builtin_is_constant_evaluated()) machine::wake<Scope>(bytes());
  }

  CUDAX_LACKS_WRITING(!writable)

protected: // for modifying_ref
  void* bytes() const noexcept { return const_cast<void*>(static_cast<void const volatile*>(object_)); }

  /// The object, for constant evaluation: there every operation is a plain access.
  constexpr value_type& object() const noexcept { return const_cast<value_type&>(*object_); }

private:
  word load_word(memory_order order) const noexcept { return machine::load<Scope, word>(bytes(), order); }

  /// The wider copy of a small word leaves no padding: waits for the same change have equal bytes (wait.cppm).
  auto differs_from(word before) const noexcept {
    choose<(sizeof(word) < sizeof(u64)), u64, word> const wide = before;
    return [object = bytes(), wide]() noexcept {
      return value_word<value_type>(machine::load<Scope, word>(object, memory_order::relaxed)) != word(wide);
    };
  }

  constexpr bool compare_exchange(value_type& expected, value_type desired, memory_order success,
                                  memory_order failure) const noexcept {
    if (__builtin_is_constant_evaluated()) {
      bool const equal = same_constant<value_type>(object(), expected);
      if (equal) object() = desired;
      else expected = object();
      return equal;
    }
    word seen = to_word(expected);
    word const wanted = value_word<value_type>(seen);
    do {
      if (machine::compare_exchange<Scope>(bytes(), seen, to_word(desired), success, failure)) return true;
    } while (padded<value_type> && value_word<value_type>(seen) == wanted);
    expected = from_word<value_type>(seen);
    return false;
  }

  T* object_;
};

} // namespace cudax

export namespace cudax {

/// Refers to an object and accesses it atomically at Scope.
/// Source:   [atomics.ref.generic], [atomics.ref.int], [atomics.ref.float], [atomics.ref.pointer]
/// Scope:    Scope; a race with a thread outside Scope is undefined behavior. If host and device share the object,
///           every operation other than load and store needs memory that is atomic between host and device. In other
///           memory updates are lost. There, if T has 1 or 2 bytes, a device's read-modify-write at any Scope other
///           than thread_scope_thread may also undo what the host stores to the rest of the aligned 4-byte word that
///           contains the object
/// Requires: T is trivially copyable and has 1, 2, 4, 8 or 16 bytes; the object is aligned to required_alignment; while
///           any atomic_ref to the object exists, the program accesses the object only through atomic_refs
/// Example:
///     __global__ void histogram(unsigned const* data, unsigned size, unsigned* bins) {
///       unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
///       if (i >= size) return;
///       cudax::atomic_ref<unsigned, cudax::thread_scope_device> bin(bins[data[i] % 16]);
///       bin.fetch_add(1, cudax::memory_order_relaxed);
///     }
template <class T, thread_scope Scope = thread_scope_system>
class atomic_ref : public modifying_ref<T, Scope, alone, accessing_ref<T, Scope>> {
  using base = modifying_ref<T, Scope, alone, accessing_ref<T, Scope>>;

public:
  using base::base;
  constexpr atomic_ref(atomic_ref const&) noexcept = default;
  atomic_ref& operator=(atomic_ref const&) = delete;
  using base::operator=;
};

template <class T>
atomic_ref(T&) -> atomic_ref<T>;

} // namespace cudax

CUDAX_EVERYWHERE_END
