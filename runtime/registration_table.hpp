// SPDX-License-Identifier: Apache-2.0
//
// registration_table: which host memory is registered with CUDA, and for whom.
//
// CUDA locks and maps whole pages, and refuses a range that overlaps one that is registered. Objects do not
// keep to pages: two lie in one, one contains another, an array covers many. So the table keeps `segments`,
// each registered with one call of CUDA, and counts who uses them. A new object uses the segments that it
// meets and gets new ones, made of whole pages, for the gaps between; a segment goes with its last user. Any
// order of release is right; what is not needed any more may stay registered as long as a neighbour in the
// same segment is.
//
// Memory that others registered, another library or CUDA's own allocations, is no segment: an object there
// uses it as it is, and it is never unregistered here. It must stay registered as long as the object is.
//
// A registration goes with its context, as in cudaDeviceReset. Then a segment stands for nothing: the next object there
// registers it again, for all of its users, and CUDA is not asked to unregister it, since others may have registered the
// same bytes meanwhile.
//
// The address of an object on a device is one number, so what it lies in must be contiguous there, too. With
// unified addressing, where devices use the host's addresses, it always is; elsewhere it is checked and
// refused.
#pragma once

#include "cuda_calls.hpp"
#include "host_boundary.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace cudax::runtime {

/// Memory of malloc. Several copies of the archive work on one table (registration.cpp), and what one allocates another may free:
/// malloc is the same for all of them, operator new need not be. A plugin may have its own, which ends with the plugin.
template <class T> struct common_heap {
  using value_type = T;

  common_heap() noexcept = default;
  template <class U> common_heap(common_heap<U> const&) noexcept {}

  T* allocate(std::size_t count) {
    if (count > PTRDIFF_MAX / sizeof(T)) throw std::bad_alloc();
    if (void* const at = std::malloc(count * sizeof(T))) return static_cast<T*>(at);
    throw std::bad_alloc();
  }
  void deallocate(T* at, std::size_t) noexcept { std::free(at); }
  friend bool operator==(common_heap const&, common_heap const&) noexcept { return true; }
};

class registration_table {
public:
  using address = std::uintptr_t;
  using ticket = unsigned long long; // never used twice, so a second release is recognised

  /// Its tickets come after `last`.
  explicit registration_table(std::size_t page_size, ticket last = 0) noexcept
    : page_size_(page_size), last_ticket_(last) {}

  /// Registers the bytes [begin, begin + size) and returns their address on the devices. Thread-safe, as
  /// remove().
  /// Requires: size > 0; neither the end nor the end of its page wraps around
  void* add(address begin, std::size_t size, ticket& issued, failure& why) noexcept;

  /// Gives back what `issued` stands for. After a failure of CUDA the segment is forgotten all the same: CUDA
  /// then keeps it to the end of the process, and nothing else could be done with it.
  void remove(ticket issued, failure& why) noexcept;

  struct counts {
    std::size_t registrations;
    std::size_t segments;
  };
  counts count() const;

private:
  struct segment {
    address end;
    address device = 0;
    std::size_t users = 0;
    unsigned long long context = 0; // whose registration it is (cuda_calls.hpp); 0: CUDA does not tell
  };
  template <class Key, class Value>
  using map = std::map<Key, Value, std::less<Key>, common_heap<std::pair<Key const, Value>>>;
  using segments = map<address, segment>; // by their first byte
  using users = map<ticket, std::vector<segments::iterator, common_heap<segments::iterator>>>;

  struct attempt;

  /// Whether CUDA still has the registration.
  static bool is_there(segments::iterator segment) noexcept;
  void release(users::iterator user, failure& why) noexcept;

  std::size_t const page_size_;
  mutable std::mutex mutex_; // held while CUDA is called: what is registered and what is recorded are the same
  segments segments_;
  users users_;
  ticket last_ticket_;
};

} // namespace cudax::runtime
