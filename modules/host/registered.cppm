// SPDX-License-Identifier: Apache-2.0
//
// registered: makes an existing host object accessible to the devices, where it is.
// runtime/memory/registration_table.hpp says how objects share pages.
module;
#include "../../runtime/interface/host_boundary.hpp"
#include "../base/macros.hpp"
export module cudax.sync.host:registered;
import :error;

namespace cudax {

/// The base class of registered<T> and registered<T[]>. It holds the registration of `count` objects that begin at
/// `first`, or nothing.
template <class T> class registration {
  static_assert(__is_object(T), "cudax.sync: registered<T>: T must be an object type");

public:
  using element_type = T;

  /// Returns the address on the host; null if empty.
  T* get() const noexcept { return first_; }
  /// Returns the address on the devices; null if empty.
  T* device_pointer() const noexcept { return device_; }
  explicit operator bool() const noexcept { return first_ != nullptr; }

  /// Ends the registration. Does nothing if empty. May wait for running kernels.
  /// Requires: no device uses the object any more
  /// Errors:   cuda_error if CUDA reports an error; the registration is empty in that case, too. The destructor drops
  ///           the error
  void reset() {
    runtime::failure why;
    release(why);
    runtime::raise(why);
  }
  void reset(error_code& error) noexcept {
    runtime::failure why;
    release(why);
    store(why, error);
  }

protected:
  registration() noexcept = default;
  registration(T* first, size_t count) {
    runtime::failure why;
    acquire(first, count, why);
    runtime::raise(why);
  }
  registration(T* first, size_t count, error_code& error) noexcept {
    runtime::failure why;
    acquire(first, count, why);
    store(why, error);
  }
  registration(registration&& other) noexcept { exchange(other); }
  registration& operator=(registration&& other) noexcept {
    registration moved(static_cast<registration&&>(other));
    exchange(moved);
    return *this;
  }
  ~registration() {
    runtime::failure ignored; // a destructor cannot report it
    release(ignored);
  }

  size_t count() const noexcept { return count_; }

  void exchange(registration& other) noexcept {
    exchange(first_, other.first_);
    exchange(device_, other.device_);
    exchange(count_, other.count_);
    exchange(ticket_, other.ticket_);
  }

private:
  template <class Value> static void exchange(Value& a, Value& b) noexcept {
    Value const before = a;
    a = b;
    b = before;
  }

  void acquire(T* first, size_t count, runtime::failure& why) noexcept {
    void* const device = runtime::register_objects(first, count, sizeof(T), ticket_, why);
    if (why.code != 0) return;
    first_ = first;
    device_ = static_cast<T*>(device);
    count_ = count;
    // Checks a single object of 1 or 2 bytes that a device may write. An array is seldom an array of atomics; checked
    // builds check the operations on its elements.
    if constexpr (sizeof(T) <= 2 && !__is_const(T))
      if (count == 1) CUDAX_CHECK_REGISTERED(first, sizeof(T));
  }
  void release(runtime::failure& why) noexcept {
    if (first_ != nullptr) runtime::unregister_objects(ticket_, why);
    first_ = nullptr;
    device_ = nullptr;
    count_ = 0;
  }

  T* first_ = nullptr;
  T* device_ = nullptr;
  size_t count_ = 0;
  unsigned long long ticket_ = 0;
};

} // namespace cudax

export namespace cudax {

/// Makes an existing object accessible to all devices for the lifetime of the registration, by mapping the pages that
/// hold it. The object may be static, on the heap or on a stack. It stays where it is, and its owner destroys it after
/// the registration has ended. Objects may share pages, contain one another, and be registered repeatedly;
/// registrations may end in any order. Memory that another library or CUDA itself has registered is used as it is: this
/// class never unregisters it, and it must stay registered for the lifetime of this registration.
/// Source:   cudaHostRegister (mapped, portable)
/// Scope:    Loads and stores at system scope are atomic between host and device. Read-modify-write operations are
///           atomic among the host's threads and among one device's threads. Over PCIe they are not atomic between the
///           two: increments are lost without a diagnostic. device_info::host_native_atomic_supported says whether they
///           are atomic. Objects in managed memory lose no increments. Where read-modify-writes are not atomic between
///           the two, a device's read-modify-write of an object of 1 or 2 bytes may also undo what the host stores to
///           the rest of the aligned 4-byte word, which may be any variable of the program: see word_neighbours.
///           Checked builds warn once when such an object is registered
/// Units:    a registration makes one to three calls of CUDA, which lock and map the pages, so register objects that
///           live long. It makes no call if the object is on pages that are registered already. Every access by a
///           device crosses the bus
/// Requires: the pages are writable (those of static const objects are not) and stay mapped; the process does not
///           fork() during the registration
/// Errors:   cuda_error if CUDA reports an error, if there is no CUDA, or if the object lies in several registrations
///           that are not contiguous on the device; the twin with an error_code stores the code and leaves the
///           registration empty
/// Example:
///     __global__ void announce(cudax::atomic<int>* ready) { ready->store(1, cudax::memory_order_release); }
///     inline void run() {
///       cudax::atomic<int> ready = 0; // on the host's stack
///       cudax::registered<cudax::atomic<int>> const shared(ready);
///       announce<<<1, 1>>>(shared.device_pointer());
///       cudax::wait(ready, 0, cudaStreamLegacy, cudax::memory_order_acquire).or_throw();
///     }
template <class T> class [[nodiscard]] registered : public registration<T> {
public:
  registered() noexcept = default;
  explicit registered(T& object) : registration<T>(__builtin_addressof(object), 1) {}
  registered(T& object, error_code& error) noexcept : registration<T>(__builtin_addressof(object), 1, error) {}
  registered(T const&&) = delete; // a temporary is destroyed before a device can use it
  registered(T const&&, error_code&) = delete;

  T& operator*() const noexcept { return *this->get(); }
  T* operator->() const noexcept { return this->get(); }

  void swap(registered& other) noexcept { this->exchange(other); }
  friend void swap(registered& a, registered& b) noexcept { a.swap(b); }
};

/// Makes the `count` objects that begin at `first` accessible, as registered<T> does for one object.
/// Errors:   also std::errc::invalid_argument, if `first` is null, if `count` is 0, or if so many objects do not fit in
///           the address space
template <class T> class [[nodiscard]] registered<T[]> : public registration<T> {
public:
  registered() noexcept = default;
  registered(T* first, size_t count) : registration<T>(first, count) {}
  registered(T* first, size_t count, error_code& error) noexcept : registration<T>(first, count, error) {}

  T& operator[](size_t index) const noexcept { return this->get()[index]; }
  size_t size() const noexcept { return this->count(); }

  void swap(registered& other) noexcept { this->exchange(other); }
  friend void swap(registered& a, registered& b) noexcept { a.swap(b); }
};

template <class T> registered(T* first, size_t count) -> registered<T[]>;
template <class T> registered(T* first, size_t count, error_code& error) -> registered<T[]>;

} // namespace cudax
