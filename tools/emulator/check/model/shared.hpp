// SPDX-License-Identifier: Apache-2.0
//
// shared: an owning pointer that counts its owners in the object, without atomics: everything of the model is under its
// lock. A shared object is not changed. own() gives one that may be changed: a copy where there are other owners.
#pragma once

#include <cstdint>
#include <utility>

namespace emulator::check {

/// The base of what is shared; a copy has no owners yet.
class counted {
public:
  counted() = default;
  counted(counted const&) {}
  counted& operator=(counted const&) { return *this; }

private:
  template <class>
  friend class shared;
  std::uint32_t owners_ = 0;
};

template <class T>
class shared {
public:
  shared() = default;
  explicit shared(T* made) : object_(made) { acquire(); }
  shared(shared const& other) : object_(other.object_) { acquire(); }
  shared(shared&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  shared& operator=(shared other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~shared() {
    if (object_ && --object_->owners_ == 0) delete object_;
  }

  T* get() const { return object_; }
  T& operator*() const { return *object_; }
  T* operator->() const { return object_; }
  explicit operator bool() const { return object_; }
  bool operator==(shared const& other) const { return object_ == other.object_; }

  /// Makes the object this owner's alone. Requires: not null
  T& own() {
    if (object_->owners_ > 1) *this = shared(new T(*object_));
    return *object_;
  }

private:
  void acquire() {
    if (object_) ++object_->owners_;
  }
  T* object_ = nullptr;
};

} // namespace emulator::check
