// SPDX-License-Identifier: Apache-2.0
//
// resources: the two resources of the process, over a pool each. Never destroyed: static objects may be in them, and a
// thread may still run at exit. The memory goes with the process, and no call of CUDA's is made while it ends.
#include "resources.hpp"
#include "cuda_calls.hpp"
#include "resource_pool.hpp"

namespace cudax {
namespace {

template <class Call> void or_throw(Call call) {
  runtime::failure why;
  call(why);
  runtime::raise(why);
}

template <class Call> void or_store(std::error_code& error, Call call) noexcept {
  runtime::failure why;
  try {
    call(why);
  } catch (std::bad_alloc const&) {
    why.code = runtime::cuda::memory_allocation;
  }
  error = runtime::to_error_code(why);
}

} // namespace

char const* cuda_bad_alloc::what() const noexcept { return error_.what(); }

resource_statistics system_resource::statistics() const noexcept {
  auto const counts = pool_.count();
  return {.bytes_in_use = counts.bytes_in_use,
          .bytes_reserved = counts.bytes_reserved,
          .allocations = counts.allocations,
          .blocks = counts.blocks};
}

void system_resource::reserve(std::size_t bytes) {
  or_throw([&](auto& why) { pool_.reserve(bytes, why); });
}
void system_resource::reserve(std::size_t bytes, std::error_code& error) noexcept {
  or_store(error, [&](auto& why) { pool_.reserve(bytes, why); });
}

void system_resource::trim() {
  or_throw([&](auto& why) { pool_.trim(why); });
}
void system_resource::trim(std::error_code& error) noexcept {
  or_store(error, [&](auto& why) { pool_.trim(why); });
}

void* system_resource::device_address(void const volatile* object) const {
  void* device = nullptr;
  or_throw([&](auto& why) { device = pool_.device_address(const_cast<void const*>(object), why); });
  return device;
}
void* system_resource::device_address(void const volatile* object, std::error_code& error) const noexcept {
  void* device = nullptr;
  or_store(error, [&](auto& why) { device = pool_.device_address(const_cast<void const*>(object), why); });
  return device;
}

void* system_resource::do_allocate(std::size_t bytes, std::size_t alignment) {
  runtime::failure why;
  void* const at = pool_.allocate(bytes, alignment, why);
  if (!at) throw cuda_bad_alloc(cuda_error(runtime::to_error_code(why), why.sentence));
  return at;
}

void system_resource::do_deallocate(void* at, std::size_t bytes, std::size_t alignment) {
  pool_.deallocate(at, bytes, alignment);
}

bool system_resource::do_is_equal(std::pmr::memory_resource const& other) const noexcept { return this == &other; }

system_resource* mapped_resource() noexcept {
  static auto& pool = *new runtime::resource_pool(runtime::memory_kind::mapped);
  static auto* const only = new system_resource(pool);
  return only;
}

system_resource* managed_resource() noexcept {
  static auto& pool = *new runtime::resource_pool(runtime::memory_kind::managed);
  static auto* const only = new system_resource(pool);
  return only;
}

} // namespace cudax
