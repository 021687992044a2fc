// SPDX-License-Identifier: Apache-2.0
//
// unique_lock: locks that can be deferred, moved and given back.  [thread.lock.unique], [thread.lock.shared]
// A lock is a pointer to a mutex, and whether it holds the mutex. unique_lock and shared_lock differ in the functions
// of the mutex that they call. Where the standard throws because a lock has no mutex, holds it already or does not hold
// it, checked builds stop: a device has no exceptions.
module;
#include "../base/macros.hpp"
export module cudax.sync:unique_lock;
import :bits;
import :duration;
import :lock_guard;
import :machine;

CUDAX_EVERYWHERE_BEGIN

export namespace cudax {

/// Tells a lock not to lock its mutex yet.
/// Source:   [thread.lock.general]
/// Example:
///     cudax::mutex<> m{};
///     cudax::unique_lock lock(m, cudax::defer_lock);
///     lock.lock();
struct defer_lock_t {
  explicit defer_lock_t() = default;
};
inline constexpr defer_lock_t defer_lock{};

/// Tells a lock to lock its mutex by try_lock().
/// Source:   [thread.lock.general]
/// Example:
///     cudax::mutex<> m{};
///     cudax::unique_lock const lock(m, cudax::try_to_lock);
///     if (lock) { /* use what m protects */ }
struct try_to_lock_t {
  explicit try_to_lock_t() = default;
};
inline constexpr try_to_lock_t try_to_lock{};

} // namespace cudax

namespace cudax::thread_detail {

/// The functions of a mutex that unique_lock calls.
struct exclusive_access {
  template <class Mutex>
  static void lock(Mutex& mutex) noexcept(noexcept(mutex.lock())) {
    mutex.lock();
  }
  template <class Mutex>
  static bool try_lock(Mutex& mutex) noexcept(noexcept(mutex.try_lock())) {
    return mutex.try_lock();
  }
  template <class Mutex, class D>
  static bool try_lock_for(Mutex& mutex, D const& length) noexcept(noexcept(mutex.try_lock_for(length))) {
    return mutex.try_lock_for(length);
  }
  template <class Mutex, class P>
  static bool try_lock_until(Mutex& mutex, P const& point) noexcept(noexcept(mutex.try_lock_until(point))) {
    return mutex.try_lock_until(point);
  }
  template <class Mutex>
  static void unlock(Mutex& mutex) noexcept(noexcept(mutex.unlock())) {
    mutex.unlock();
  }
};

/// The functions of a mutex that shared_lock calls.
struct shared_access {
  template <class Mutex>
  static void lock(Mutex& mutex) noexcept(noexcept(mutex.lock_shared())) {
    mutex.lock_shared();
  }
  template <class Mutex>
  static bool try_lock(Mutex& mutex) noexcept(noexcept(mutex.try_lock_shared())) {
    return mutex.try_lock_shared();
  }
  template <class Mutex, class D>
  static bool try_lock_for(Mutex& mutex, D const& length) noexcept(noexcept(mutex.try_lock_shared_for(length))) {
    return mutex.try_lock_shared_for(length);
  }
  template <class Mutex, class P>
  static bool try_lock_until(Mutex& mutex, P const& point) noexcept(noexcept(mutex.try_lock_shared_until(point))) {
    return mutex.try_lock_shared_until(point);
  }
  template <class Mutex>
  static void unlock(Mutex& mutex) noexcept(noexcept(mutex.unlock_shared())) {
    mutex.unlock_shared();
  }
};

/// Holds a mutex through the functions of Access: everything that unique_lock and shared_lock have in common.
template <class Mutex, class Access>
class movable_lock {
public:
  using mutex_type = Mutex;

  /// Makes a lock without a mutex.
  movable_lock() noexcept = default;
  /// Locks the mutex.
  explicit movable_lock(Mutex& mutex) noexcept(noexcept(Access::lock(mutex))) : mutex_(__builtin_addressof(mutex)) {
    Access::lock(mutex);
    owns_ = true;
  }
  /// Does not lock the mutex.
  movable_lock(Mutex& mutex, defer_lock_t) noexcept : mutex_(__builtin_addressof(mutex)) {}
  /// Tries once to lock the mutex.
  movable_lock(Mutex& mutex, try_to_lock_t) noexcept(noexcept(Access::try_lock(mutex)))
    : mutex_(__builtin_addressof(mutex)), owns_(Access::try_lock(mutex)) {}
  /// Adopts a mutex that the calling thread has locked.
  movable_lock(Mutex& mutex, adopt_lock_t) noexcept : mutex_(__builtin_addressof(mutex)), owns_(true) {}
  /// Tries for a time, or until a time point, to lock the mutex.
  template <duration_like D>
  movable_lock(Mutex& mutex, D const& length) noexcept(noexcept(Access::try_lock_for(mutex, length)))
    : mutex_(__builtin_addressof(mutex)), owns_(Access::try_lock_for(mutex, length)) {}
  template <time_point_like P>
  movable_lock(Mutex& mutex, P const& point) noexcept(noexcept(Access::try_lock_until(mutex, point)))
    : mutex_(__builtin_addressof(mutex)), owns_(Access::try_lock_until(mutex, point)) {}
  /// Takes over what `other` holds.
  movable_lock(movable_lock&& other) noexcept : mutex_(other.mutex_), owns_(other.owns_) {
    other.mutex_ = nullptr;
    other.owns_ = false;
  }
  /// Unlocks the mutex if it is held, and takes over what `other` holds.
  movable_lock& operator=(movable_lock&& other) noexcept {
    movable_lock(static_cast<movable_lock&&>(other)).swap(*this);
    return *this;
  }
  ~movable_lock() {
    if (owns_) Access::unlock(*mutex_);
  }

  /// Call the mutex's function of the same name, or its counterpart for shared locks.
  /// Requires: the lock has a mutex, and does not hold it
  void lock() noexcept(noexcept(Access::lock(*mutex_))) {
    ensure_can_lock();
    Access::lock(*mutex_);
    owns_ = true;
  }
  [[nodiscard]] bool try_lock() noexcept(noexcept(Access::try_lock(*mutex_))) {
    ensure_can_lock();
    return owns_ = Access::try_lock(*mutex_);
  }
  template <duration_like D>
  [[nodiscard]] bool try_lock_for(D const& length) noexcept(noexcept(Access::try_lock_for(*mutex_, length))) {
    ensure_can_lock();
    return owns_ = Access::try_lock_for(*mutex_, length);
  }
  template <time_point_like P>
  [[nodiscard]] bool try_lock_until(P const& point) noexcept(noexcept(Access::try_lock_until(*mutex_, point))) {
    ensure_can_lock();
    return owns_ = Access::try_lock_until(*mutex_, point);
  }

  /// Unlocks the mutex.
  /// Requires: the lock holds the mutex
  void unlock() noexcept(noexcept(Access::unlock(*mutex_))) {
    CUDAX_ENSURE(owns_, "unlock: this lock does not hold a mutex (%lld) [thread.lock]", 0ll);
    Access::unlock(*mutex_);
    owns_ = false;
  }

  void swap(movable_lock& other) noexcept {
    Mutex* const mutex = other.mutex_;
    bool const owns = other.owns_;
    other.mutex_ = mutex_;
    other.owns_ = owns_;
    mutex_ = mutex;
    owns_ = owns;
  }
  friend void swap(movable_lock& a, movable_lock& b) noexcept { a.swap(b); }

  /// Returns the mutex and forgets it. If the lock held the mutex, the mutex stays locked.
  [[nodiscard]] Mutex* release() noexcept {
    Mutex* const mutex = mutex_;
    mutex_ = nullptr;
    owns_ = false;
    return mutex;
  }

  [[nodiscard]] bool owns_lock() const noexcept { return owns_; }
  explicit operator bool() const noexcept { return owns_; }
  [[nodiscard]] Mutex* mutex() const noexcept { return mutex_; }

private:
  void ensure_can_lock() const noexcept {
    CUDAX_ENSURE(mutex_ != nullptr, "lock: this lock has no mutex (%lld) [thread.lock]", 0ll);
    CUDAX_ENSURE(!owns_, "lock: this lock already holds the mutex at address 0x%llx [thread.lock]", (long long)mutex_);
  }

  Mutex* mutex_ = nullptr;
  bool owns_ = false;
};

} // namespace cudax::thread_detail

export namespace cudax {

/// Holds a mutex, and unlocks it in its destructor if it is held then. The members are those of the standard.
/// Source:   [thread.lock.unique]
/// Order:    the mutex's: acquire where the lock locks it, release where the lock unlocks it
/// Requires: the mutex outlives its use by the lock
/// Example:
///     void add(cudax::mutex<>& m, long& sum, long value) {
///       cudax::unique_lock lock(m, std::chrono::milliseconds(1));
///       if (!lock) lock.lock();
///       sum += value;
///     }
template <class Mutex>
class unique_lock : public thread_detail::movable_lock<Mutex, thread_detail::exclusive_access> {
  using base = thread_detail::movable_lock<Mutex, thread_detail::exclusive_access>;

public:
  using base::base;
};
template <class Mutex, class... How>
unique_lock(Mutex&, How const&...) -> unique_lock<Mutex>;

/// Holds a mutex shared with other threads: by lock_shared() and unlock_shared(). Otherwise as unique_lock.
/// Source:   [thread.lock.shared]
/// Order:    the mutex's: acquire where the lock locks it, release where the lock unlocks it
/// Requires: the mutex outlives its use by the lock
/// Example:
///     void read(cudax::shared_mutex<>& m, int const& value, int* copy) {
///       cudax::shared_lock const lock(m); // other threads may read at the same time
///       *copy = value;
///     }
template <class Mutex>
class shared_lock : public thread_detail::movable_lock<Mutex, thread_detail::shared_access> {
  using base = thread_detail::movable_lock<Mutex, thread_detail::shared_access>;

public:
  using base::base;
};
template <class Mutex, class... How>
shared_lock(Mutex&, How const&...) -> shared_lock<Mutex>;

} // namespace cudax

CUDAX_EVERYWHERE_END
