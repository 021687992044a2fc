// SPDX-License-Identifier: Apache-2.0
//
// registration: the table of this process, and what its callers may not ask of it.
#include "cuda_calls.hpp"
#include "host_boundary.hpp"
#include "registration_table.hpp"
#include "shared_ranges.hpp"

#include <cstdint>
#include <unistd.h>

namespace cudax::runtime {
namespace {

std::size_t page_size() noexcept {
  static std::size_t const size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

registration_table& table() noexcept {
  // Never destroyed: static objects may be registered.
  static registration_table& only = *new registration_table(page_size());
  return only;
}

} // namespace

void* register_objects(void const volatile* address, size_t count, size_t object_size, unsigned long long& ticket,
                       failure& why) noexcept {
  auto const begin = reinterpret_cast<std::uintptr_t>(address);
  size_t bytes = 0;
  std::uintptr_t end = 0;
  char const* const objects = count == 1 ? "object" : "objects";
  if (address == nullptr)
    fail(why, cuda::invalid_value,
         "registered: the pointer to %zu %s of %zu bytes is null; give the address of an object", count, objects,
         object_size);
  else if (count == 0 || object_size == 0)
    fail(why, cuda::invalid_value, "registered: %zu %s of %zu bytes at %p are no memory; register one object or more",
         count, objects, object_size, const_cast<void const*>(address));
  else if (__builtin_mul_overflow(count, object_size, &bytes) || __builtin_add_overflow(begin, bytes, &end) ||
           __builtin_add_overflow(end, page_size(), &end))
    fail(why, cuda::invalid_value,
         "registered: %zu %s of %zu bytes at %p do not fit in the address space; check the count", count, objects,
         object_size, const_cast<void const*>(address));
  else {
    void* const on_device = table().add(begin, bytes, ticket, why);
    if (on_device) add_shared(sharing::registered, ticket, address, bytes, object_size);
    return on_device;
  }
  return nullptr;
}

void unregister_objects(unsigned long long ticket, failure& why) noexcept {
  remove_shared(sharing::registered, ticket);
  table().remove(ticket, why);
}

} // namespace cudax::runtime
