// SPDX-License-Identifier: Apache-2.0
//
// registered: an object that exists on the host, made accessible to the devices where it is.
// runtime/registration_table.hpp says how objects share pages.
module;
#include "../../runtime/host_boundary.hpp"
#include "../base/macros.hpp"
export module cudax.sync.host:registered;
import :error;

namespace cudax {

/// What registered<T> and registered<T[]> have in common: `count` objects at `first`, registered, or nothing.
template <class T> class registration {
  static_assert(__is_object(T), "cudax.sync: registered<T>: T must be an object type");

public:
  using element_type = T;

  /// Returns the address on the host, and for the devices; null when empty.
  T* get() const noexcept { return first_; }
  T* device_pointer() const noexcept { return device_; }
  explicit operator bool() const noexcept { return first_ != nullptr; }

  /// Ends the registration; nothing happens when it is empty. May wait for running kernels.
  /// Requires: no device uses the object any more
  /// Errors:   cuda_error where CUDA refuses; empty all the same. The destructor drops the error
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
    runtime::failure ignored; // there is nobody to tell
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
    // Of one byte that a device may write: an array is seldom one of atomics, and its operations are asked about.
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

/// Makes an existing object accessible to all devices, by mapping the pages that hold it, as long as this lives.
/// The object may be static, on the heap or on a stack; it stays where it is, and its owner destroys it after
/// this. Objects may share pages, contain one another, and be registered repeatedly; registrations end in any
/// order. Memory that another library or CUDA itself has registered is used as it is: it is never unregistered
/// here, and must stay registered as long as this lives.
/// Source:   cudaHostRegister (mapped, portable)
/// Scope:    Loads and stores at system scope are atomic between host and device. Read-modify-write operations
///           are atomic among the host's threads and among one device's, but over PCIe not between the two:
///           increments get lost, silently. device_info::host_native_atomic_supported tells; objects in managed
///           memory lose none. There, too, a device's read-modify-write of an object of 1 or 2 bytes may undo what the
///           host stores to the rest of its aligned word of 4 bytes, which may be any variable of the program: see
///           word_neighbours. Checked builds say so where such an object is registered, once
/// Units:    one to three calls of CUDA, which lock and map the pages, so register what lives long; beside a
///           registered object none. Every access of a device crosses the bus
/// Requires: the pages are writable (those of static const objects are not) and stay mapped; no fork() meanwhile
/// Errors:   cuda_error where CUDA refuses, there is none, or objects that share pages are apart on the device;
///           the twin with an error_code stores the code and leaves this empty
template <class T> class [[nodiscard]] registered : public registration<T> {
public:
  registered() noexcept = default;
  explicit registered(T& object) : registration<T>(__builtin_addressof(object), 1) {}
  registered(T& object, error_code& error) noexcept : registration<T>(__builtin_addressof(object), 1, error) {}
  registered(T const&&) = delete; // a temporary object is gone before a device can use it
  registered(T const&&, error_code&) = delete;

  T& operator*() const noexcept { return *this->get(); }
  T* operator->() const noexcept { return this->get(); }

  void swap(registered& other) noexcept { this->exchange(other); }
  friend void swap(registered& a, registered& b) noexcept { a.swap(b); }
};

/// The same for the `count` objects that begin at `first`.
/// Errors:   also where `first` is null, `count` is 0, or so many objects do not fit in the address space:
///           std::errc::invalid_argument
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
