// SPDX-License-Identifier: Apache-2.0
//
// memory: makes objects in memory that both host and devices can access, and the pointers that own these objects.
// Mapped memory stays on the host, and devices access it over the bus. Managed memory moves to the host or device that
// accesses it.
module;
#include "../../runtime/interface/host_boundary.hpp"
#include <new>
export module cudax.sync.host:memory;
import :error;

namespace cudax {

using runtime::memory_kind;

/// The base class of mapped_ptr and managed_ptr, for single objects and for arrays. It holds objects of type T in one
/// block of memory, or nothing. `count_` objects are alive. If a constructor throws, ~object_block destroys the objects
/// that were constructed before.
template <class T, memory_kind Kind> class object_block {
public:
  using element_type = T;

  /// Returns the address on the host; null if empty.
  T* get() const noexcept { return static_cast<T*>(block_.host); }
  /// Returns the address on the devices; null if empty.
  T* device_pointer() const noexcept { return static_cast<T*>(block_.device); }
  explicit operator bool() const noexcept { return block_.host != nullptr; }

  /// Destroys the objects on the host, in reverse order, and frees their memory. Does nothing if empty. May wait for
  /// running kernels. Does not free memory that its context has already freed, as in cudaDeviceReset.
  /// Requires: no device uses the objects any more; if their memory is freed already, T's destructor does not access
  ///           them
  /// Errors:   cuda_error if CUDA reports an error; the pointer is empty in that case, too. The destructor drops the
  ///           error
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
  object_block() noexcept = default;
  object_block(size_t count, runtime::failure& why) noexcept
    : block_(runtime::allocate(Kind, count, sizeof(T), alignof(T), why)) {}
  object_block(object_block&& other) noexcept { exchange(other); }
  object_block& operator=(object_block&& other) noexcept {
    object_block moved(static_cast<object_block&&>(other));
    exchange(moved);
    return *this;
  }
  ~object_block() {
    runtime::failure ignored; // a destructor cannot report it
    release(ignored);
  }

  template <class... Argument> void construct_next(Argument&&... argument) {
    ::new ((void*)(get() + count_)) T(static_cast<Argument&&>(argument)...);
    ++count_;
  }

  size_t count() const noexcept { return count_; }

  void exchange(object_block& other) noexcept {
    runtime::memory_block const block = block_;
    size_t const count = count_;
    block_ = other.block_;
    count_ = other.count_;
    other.block_ = block;
    other.count_ = count;
  }

private:
  void release(runtime::failure& why) noexcept {
    if (block_.base == nullptr) return;
    while (count_ != 0) get()[--count_].~T();
    runtime::deallocate(Kind, block_, why);
    block_ = {};
  }

  runtime::memory_block block_;
  size_t count_ = 0;
};

template <class T> inline constexpr bool is_unbounded_array = false;
template <class T> inline constexpr bool is_unbounded_array<T[]> = true;

template <class T>
concept single_object = __is_object(T) && !__is_array(T);
template <class T>
concept unbounded_array = is_unbounded_array<T>;

struct system_ptr_maker;

} // namespace cudax

export namespace cudax {

/// Owns an object that both host and devices can access. Like a std::unique_ptr, it can be moved and can be empty.
/// make_mapped and make_managed return it.
/// Example:
///     __global__ void count(cudax::atomic<int>* hits) { hits->fetch_add(1, cudax::memory_order_relaxed); }
///     inline int run() {
///       cudax::managed_ptr<cudax::atomic<int>> const hits = cudax::make_managed<cudax::atomic<int>>(0);
///       count<<<4, 32>>>(hits.device_pointer());
///       cudaDeviceSynchronize();
///       return hits->load();
///     }
template <class T, memory_kind Kind> class [[nodiscard]] system_ptr : public object_block<T, Kind> {
  static_assert(single_object<T>, "cudax.sync: mapped_ptr<T>, managed_ptr<T>: T must be an object type or U[]");
  friend system_ptr_maker;
  using object_block<T, Kind>::object_block;

public:
  system_ptr() noexcept = default;

  T& operator*() const noexcept { return *this->get(); }
  T* operator->() const noexcept { return this->get(); }

  void swap(system_ptr& other) noexcept { this->exchange(other); }
  friend void swap(system_ptr& a, system_ptr& b) noexcept { a.swap(b); }
};

/// Owns the objects of an array, and knows their number.
template <class T, memory_kind Kind>
class [[nodiscard]] system_ptr<T[], Kind> : public object_block<T, Kind> {
  static_assert(single_object<T>,
                "cudax.sync: mapped_ptr<T[]>, managed_ptr<T[]>: T must be an object type, not an array");
  friend system_ptr_maker;
  using object_block<T, Kind>::object_block;

public:
  system_ptr() noexcept = default;

  T& operator[](size_t index) const noexcept { return this->get()[index]; }
  size_t size() const noexcept { return this->count(); }

  void swap(system_ptr& other) noexcept { this->exchange(other); }
  friend void swap(system_ptr& a, system_ptr& b) noexcept { a.swap(b); }
};

/// Own an object, or for T[] an array, in mapped memory and in managed memory.
template <class T> using mapped_ptr = system_ptr<T, memory_kind::mapped>;
template <class T> using managed_ptr = system_ptr<T, memory_kind::managed>;

} // namespace cudax

namespace cudax {

struct system_ptr_maker {
  template <class Pointer, class... Argument>
  static Pointer object(runtime::failure& why, Argument&&... argument) {
    Pointer made(1, why);
    if (made) made.construct_next(static_cast<Argument&&>(argument)...);
    return made;
  }
  template <class Pointer> static Pointer array(size_t count, runtime::failure& why) {
    Pointer made(count, why);
    if (made)
      for (size_t i = 0; i < count; ++i) made.construct_next();
    return made;
  }
};

} // namespace cudax

export namespace cudax {

// The twins with an error_code have a different name, because a T may itself be constructible from an error_code.

/// Makes a T from the arguments in mapped memory. The object stays in page-locked host memory for its lifetime. Devices
/// access it over the bus, at device_pointer().
/// Source:   cudaHostAlloc (mapped, portable)
/// Scope:    Loads and stores at system scope are atomic between host and device. Read-modify-write operations are not
///           atomic between the two over PCIe: see registered<T>. No other object shares the object's 4-byte words.
///           Members and elements of 1 or 2 bytes share these words with one another: see word_neighbours
/// Units:    each call uses at least one page, so put what belongs together into one object
/// Errors:   cuda_error if CUDA reports an error, or there is no CUDA; the twin stores the code and returns an empty
///           pointer. An exception of T's constructor propagates
/// Example:
///     auto const data = cudax::make_mapped<int[]>(100);
///     for (std::size_t i = 0; i < data.size(); ++i) data[i] = int(i);
///     int* const for_a_kernel = data.device_pointer();
template <single_object T, class... Argument> mapped_ptr<T> make_mapped(Argument&&... argument) {
  runtime::failure why;
  auto made = system_ptr_maker::object<mapped_ptr<T>>(why, static_cast<Argument&&>(argument)...);
  runtime::raise(why);
  return made;
}
template <single_object T, class... Argument>
mapped_ptr<T> try_make_mapped(error_code& error, Argument&&... argument) {
  runtime::failure why;
  auto made = system_ptr_maker::object<mapped_ptr<T>>(why, static_cast<Argument&&>(argument)...);
  store(why, error);
  return made;
}

/// Makes `count` value-initialized objects in mapped memory: make_mapped<int[]>(100).
/// Errors:   also std::errc::invalid_argument, if `count` is 0 or exceeds the number of objects that can exist
template <unbounded_array T> mapped_ptr<T> make_mapped(size_t count) {
  runtime::failure why;
  auto made = system_ptr_maker::array<mapped_ptr<T>>(count, why);
  runtime::raise(why);
  return made;
}
template <unbounded_array T> mapped_ptr<T> try_make_mapped(error_code& error, size_t count) {
  runtime::failure why;
  auto made = system_ptr_maker::array<mapped_ptr<T>>(count, why);
  store(why, error);
  return made;
}

/// Makes a T from the arguments in managed memory. Managed memory moves between host and devices on demand, page by
/// page. The object has the same address on all of them.
/// Source:   cudaMallocManaged (global)
/// Scope:    Every operation at system scope is atomic between host and device
/// Requires: if a device has no concurrent_managed_access, the host does not access the object while a kernel runs
/// Errors:   as make_mapped
template <single_object T, class... Argument> managed_ptr<T> make_managed(Argument&&... argument) {
  runtime::failure why;
  auto made = system_ptr_maker::object<managed_ptr<T>>(why, static_cast<Argument&&>(argument)...);
  runtime::raise(why);
  return made;
}
template <single_object T, class... Argument>
managed_ptr<T> try_make_managed(error_code& error, Argument&&... argument) {
  runtime::failure why;
  auto made = system_ptr_maker::object<managed_ptr<T>>(why, static_cast<Argument&&>(argument)...);
  store(why, error);
  return made;
}

/// Makes `count` value-initialized objects in managed memory: make_managed<int[]>(100).
template <unbounded_array T> managed_ptr<T> make_managed(size_t count) {
  runtime::failure why;
  auto made = system_ptr_maker::array<managed_ptr<T>>(count, why);
  runtime::raise(why);
  return made;
}
template <unbounded_array T> managed_ptr<T> try_make_managed(error_code& error, size_t count) {
  runtime::failure why;
  auto made = system_ptr_maker::array<managed_ptr<T>>(count, why);
  store(why, error);
  return made;
}

} // namespace cudax
