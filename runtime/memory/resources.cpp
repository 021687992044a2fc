// SPDX-License-Identifier: Apache-2.0
//
// resources: the two resources of the process, each over a pool. They are never destroyed: static objects may live in
// them, and a thread may still run at exit. The operating system reclaims the memory, and CUDA is not called during
// exit.
#include "../interface/resources.hpp"
#include "../cuda/cuda_calls.hpp"
#include "../process/fork_hook.hpp"
#include "resource_pool.hpp"

#include <atomic>
#include <cstddef>
#include <mutex>
#include <new>

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

namespace {

/// The pool of one kind, and the resource over it.
template <runtime::memory_kind kind> struct made {
  static constinit inline std::atomic<runtime::resource_pool*> pool = nullptr;
  static constinit inline system_resource* resource = nullptr; // published by the store to `pool`
  // Not on the heap, which may be exhausted: a function that makes them could only end the program.
  alignas(runtime::resource_pool) static constinit inline std::byte pool_memory[sizeof(runtime::resource_pool)] = {};
  alignas(system_resource) static constinit inline std::byte resource_memory[sizeof(system_resource)] = {};
};

constinit std::mutex creation_mutex; // not a local static variable, whose guard could be held in a forked child

[[maybe_unused]] int const on_fork = runtime::fork_hook::join();

/// Returns the resource of the kind; make(memory, pool) creates it.
template <runtime::memory_kind kind, class Make> system_resource* find_or_make(Make make) noexcept {
  using mine = made<kind>;
  // Acquire: pairs with the release store below, in the thread that created pool and resource.
  if (mine::pool.load(std::memory_order_acquire)) return mine::resource;
  std::lock_guard const lock(creation_mutex);
  if (!mine::pool.load(std::memory_order_relaxed)) {
    auto& pool = *new (mine::pool_memory) runtime::resource_pool(kind);
    mine::resource = make(mine::resource_memory, pool);
    mine::pool.store(&pool, std::memory_order_release);
  }
  return mine::resource;
}

} // namespace

void runtime::fork_hook::lock_resources() noexcept {
  creation_mutex.lock();
  for (resource_pool* const pool : {made<memory_kind::mapped>::pool.load(), made<memory_kind::managed>::pool.load()})
    if (pool) pool->lock();
}

void runtime::fork_hook::unlock_resources() noexcept {
  for (resource_pool* const pool : {made<memory_kind::mapped>::pool.load(), made<memory_kind::managed>::pool.load()})
    if (pool) pool->unlock();
  creation_mutex.unlock();
}

system_resource* mapped_resource() noexcept {
  return find_or_make<runtime::memory_kind::mapped>(
      [](void* memory, auto& pool) { return new (memory) system_resource(pool); });
}

system_resource* managed_resource() noexcept {
  return find_or_make<runtime::memory_kind::managed>(
      [](void* memory, auto& pool) { return new (memory) system_resource(pool); });
}

} // namespace cudax
