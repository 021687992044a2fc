// SPDX-License-Identifier: Apache-2.0
//
// registration_table: which host memory is registered with CUDA, and for which objects.
//
// CUDA locks and maps whole pages, and rejects a range that overlaps a registered one. Objects do not keep to pages:
// two objects may lie in one page, one object may contain another, and an array may cover many pages. So the table
// keeps `segments`, each registered with one call of CUDA, and counts the users of each. A new object uses the segments
// that it overlaps, and gets new segments, made of whole pages, for the gaps between them. A segment is unregistered
// when its last user is released. Releases may come in any order. Pages that no object needs may stay registered as
// long as another object uses the same segment.
//
// Memory that other code registered, another library or CUDA's own allocator, is not a segment: an object there uses it
// as it is, and this library never unregisters it. It must stay registered as long as the object is.
//
// A registration ends with its context, for example at cudaDeviceReset. The segment is then void: the next object there
// registers it again for all of its users. If no object does, CUDA is not called to unregister it, because other code
// may have registered the same bytes in the meantime.
//
// The address of an object on a device is one number, so the segments that hold the object must be contiguous on the
// device, too. With unified addressing, where devices use the host's addresses, they always are. Otherwise the table
// checks it and reports an error.
#pragma once

#include "../cuda/cuda_calls.hpp"
#include "../interface/host_boundary.hpp"

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

/// An allocator that uses malloc. Several copies of the archive work on one table (registration.cpp), and one copy may
/// free what another allocated. All copies share malloc; they need not share operator new: a plugin may have its own,
/// which goes when the plugin is unloaded.
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
  using ticket = unsigned long long; // never reused, so that a second release is detected

  /// The tickets of this table are larger than `last`.
  explicit registration_table(std::size_t page_size, ticket last = 0) noexcept
    : page_size_(page_size), last_ticket_(last) {}

  /// Registers the bytes [begin, begin + size) and returns their address on the devices. Thread-safe, as remove() is.
  /// Requires: size > 0; neither the end nor the end of its page wraps around
  void* add(address begin, std::size_t size, ticket& issued, failure& why) noexcept;

  /// Releases the registration `issued`. If CUDA reports an error, the table forgets the segment all the same: CUDA
  /// keeps it to the end of the process, and nothing else can be done with it.
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
    unsigned long long context = 0; // in which it is registered (cuda_calls.hpp); 0: unknown
  };
  template <class Key, class Value>
  using map = std::map<Key, Value, std::less<Key>, common_heap<std::pair<Key const, Value>>>;
  using segments = map<address, segment>; // keyed by their first byte
  using users = map<ticket, std::vector<segments::iterator, common_heap<segments::iterator>>>;

  struct attempt;

  /// Whether the segment is still registered with CUDA.
  static bool is_alive(segments::iterator segment) noexcept;
  void release(users::iterator user, failure& why) noexcept;

  std::size_t const page_size_;
  mutable std::mutex mutex_; // also held while CUDA is called, so that the table and CUDA agree
  segments segments_;
  users users_;
  ticket last_ticket_;
};

} // namespace cudax::runtime
