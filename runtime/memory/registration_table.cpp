// SPDX-License-Identifier: Apache-2.0
//
// registration_table: covers an object with segments, and releases them.
#include "registration_table.hpp"

#include <algorithm>
#include <new>

namespace cudax::runtime {
namespace {

using address = registration_table::address;

void* pointer(address at) noexcept { return reinterpret_cast<void*>(at); }

struct range {
  address begin;
  address end;
};

} // namespace

/// The registration of one object while it is in progress. It goes through the object from the first byte to the last,
/// and records each segment with the user at once, so that giving up is the same as a release.
struct registration_table::attempt {
  registration_table& table;
  range const object;
  users::iterator const user;
  failure& why;
  cuda_calls const& cuda = calls();
  address device = 0; // of the object; known once its first byte is covered

  bool cover() {
    auto& segments = table.segments_;
    for (address at = object.begin; at < object.end;) {
      auto const after = segments.upper_bound(at);
      auto const before = after == segments.begin() ? segments.end() : std::prev(after);
      if (before != segments.end() && before->second.end > at) {
        use(before);
        if (!is_alive(before))
          if (int const code = register_segment(before)) return refused({before->first, before->second.end}, code);
        if (!continues(at, before->second.device + (at - before->first))) return false;
        at = before->second.end;
      } else {
        // A gap, up to the end of the object or to the next segment. Whole pages are registered as far as other
        // segments leave room.
        address const mask = table.page_size_ - 1;
        address const limit = after == segments.end() ? ~address{} : after->first;
        range const needed{at, std::min(object.end, limit)};
        range const room{before == segments.end() ? at & ~mask : std::max(at & ~mask, before->second.end),
                         std::min((needed.end + mask) & ~mask, limit)};
        if (!fill(needed, room)) return false;
        at = needed.end;
      }
    }
    return true;
  }

private:
  /// Makes `needed` accessible: registers `room`, which contains it, or the parts of `room` that other code has not
  /// registered.
  bool fill(range needed, range room) {
    int code = make_segment(room);
    if (code == cuda::success) return continues(needed.begin, device_of(needed.begin));
    // CUDA returns already_registered for memory that other code registered, and invalid_value for memory that CUDA
    // allocated itself; but also invalid_value for memory that it cannot map at all.
    if (code != cuda::already_registered && code != cuda::invalid_value) return refused(room, code);

    // Part of the range may be accessible already: halve it, down to single pages.
    address const mask = table.page_size_ - 1;
    address const first_page = room.begin & ~mask;
    if (address const pages = (room.end - first_page + mask) / table.page_size_; pages > 1)
      return fill_halves(needed, room, first_page + pages / 2 * table.page_size_);
    // Within one page: if both ends of the object's part of the page are registered, the whole part is.
    void *first = nullptr, *last = nullptr;
    if (cuda.device_address(&first, pointer(needed.begin)) == cuda::success &&
        cuda.device_address(&last, pointer(needed.end - 1)) == cuda::success &&
        address(last) - address(first) == needed.end - 1 - needed.begin)
      return continues(needed.begin, address(first));
    if (code == cuda::invalid_value) return refused(room, code);
    // Other code has registered some bytes of the page. Drivers accept byte ranges, so register only the object's own
    // bytes, around the registered ones.
    if (room.begin != needed.begin || room.end != needed.end) return fill(needed, needed);
    if (needed.end - needed.begin == 1) return refused(needed, code);
    return fill_halves(needed, room, needed.begin + (needed.end - needed.begin) / 2);
  }

  bool fill_halves(range needed, range room, address middle) {
    if (needed.begin < middle && !fill({needed.begin, std::min(needed.end, middle)}, {room.begin, middle}))
      return false;
    return needed.end <= middle || fill({std::max(needed.begin, middle), needed.end}, {middle, room.end});
  }

  int make_segment(range bytes) {
    // All allocations precede the call of CUDA, so that nothing can fail after it.
    user->second.reserve(user->second.size() + 1);
    auto const made = table.segments_.try_emplace(bytes.begin, segment{bytes.end}).first;
    int const code = register_segment(made);
    if (code == cuda::success) use(made);
    else table.segments_.erase(made);
    return code;
  }

  int register_segment(segments::iterator segment) {
    auto& [begin, what] = *segment;
    if (int const code = cuda.register_memory(pointer(begin), what.end - begin)) return code;
    void* on_device = nullptr;
    if (int const code = cuda.device_address(&on_device, pointer(begin))) {
      cuda.unregister_memory(pointer(begin));
      return code;
    }
    what.device = address(on_device);
    what.context = cuda.context_of(pointer(begin));
    return cuda::success;
  }

  void use(segments::iterator segment) {
    user->second.push_back(segment);
    ++segment->second.users;
  }

  address device_of(address at) const {
    auto const segment = std::prev(table.segments_.upper_bound(at));
    return segment->second.device + (at - segment->first);
  }

  /// Checks that byte `at` of the object, which is at `on_device`, is contiguous with the bytes before it.
  bool continues(address at, address on_device) {
    if (at == object.begin) device = on_device;
    if (on_device - device == at - object.begin) return true;
    fail(why, cuda::not_supported,
         "registered: %zu bytes at %p lie in several registrations that are not contiguous on the device (byte %zu at "
         "%p, not at %p); register this object before those that share its pages",
         object.end - object.begin, pointer(object.begin), at - object.begin, pointer(on_device),
         pointer(device + (at - object.begin)));
    return false;
  }

  bool refused(range bytes, int code) {
    if (code == cuda::already_registered)
      fail(why, code,
           "registered: %zu bytes at %p: other code has registered byte %zu with CUDA, and devices cannot access "
           "it; that code must register it as mapped memory",
           object.end - object.begin, pointer(object.begin), bytes.begin - object.begin);
    else
      fail_in_cuda(why, code, "registered: %zu bytes at %p: the memory from %p to %p cannot be mapped",
                   object.end - object.begin, pointer(object.begin), pointer(bytes.begin), pointer(bytes.end));
    return false;
  }
};

void* registration_table::add(address begin, std::size_t size, ticket& issued, failure& why) noexcept {
  std::lock_guard const lock(mutex_);
  users::iterator user = users_.end();
  try {
    user = users_.try_emplace(last_ticket_ + 1).first;
    attempt taking{*this, {begin, begin + size}, user, why};
    // Managed memory needs no registration.
    memory_owner owner = memory_owner::host;
    int device = 0;
    if (taking.cuda.owner(&owner, &device, pointer(begin)) != cuda::success)
      owner = memory_owner::host; // the registration reports the error
    if (owner == memory_owner::device)
      fail(why, cuda::invalid_value,
           "registered: %zu bytes at %p are in a device's memory; only objects in host memory can be "
           "registered",
           size, pointer(begin));
    else if (owner == memory_owner::managed) taking.device = begin;
    else taking.cover();
    if (why.code == cuda::success) {
      issued = ++last_ticket_;
      return pointer(taking.device);
    }
  } catch (std::bad_alloc const&) {
    fail(why, cuda::memory_allocation, "registered: %zu bytes at %p: no memory for the table; free memory", size,
         pointer(begin));
  }
  failure ignored; // only the first failure is reported
  if (user != users_.end()) release(user, ignored);
  return nullptr;
}

void registration_table::remove(ticket issued, failure& why) noexcept {
  std::lock_guard const lock(mutex_);
  auto const user = users_.find(issued);
  if (user == users_.end())
    fail(why, cuda::not_registered,
         "registered: registration %llu is not alive: it was released before or never made; release each one "
         "once",
         issued);
  else release(user, why);
}

bool registration_table::is_alive(segments::iterator segment) noexcept {
  auto const& [begin, what] = *segment;
  return what.context == 0 || calls().is_alive(pointer(begin), what.context);
}

void registration_table::release(users::iterator user, failure& why) noexcept {
  for (segments::iterator const segment : user->second) {
    if (--segment->second.users != 0) continue;
    int const code = is_alive(segment) ? calls().unregister_memory(pointer(segment->first)) : cuda::success;
    if (code != cuda::success && why.code == cuda::success)
      fail_in_cuda(why, code, "registered: the memory from %p to %p cannot be unregistered", pointer(segment->first),
                   pointer(segment->second.end));
    segments_.erase(segment);
  }
  users_.erase(user);
}

registration_table::counts registration_table::count() const {
  std::lock_guard const lock(mutex_);
  return {users_.size(), segments_.size()};
}

} // namespace cudax::runtime
