// SPDX-License-Identifier: Apache-2.0
//
// registration: the table of this process, and what its callers may not ask of it.
#include "cuda_calls.hpp"
#include "fork_hook.hpp"
#include "host_boundary.hpp"
#include "process_word.hpp"
#include "registration_table.hpp"
#include "shared_ranges.hpp"

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <new>
#include <unistd.h>

namespace cudax::runtime {
namespace {

std::size_t page_size() noexcept { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

// All copies of this archive in the process count in one table: CUDA knows one registration of a page, and the first copy
// that no longer needs it must not take it from the others. The table is an object of the heap and never destroyed, since
// static objects may be registered; each copy works on it with code of its own and memory of malloc, so it survives the plugin
// that made it. Its name says what the copies have to agree on. One that was built without CUDA has a table of its own: it
// could not unregister what it shares with others. So has one in a namespace of the loader's (dlmopen): its driver and its
// heap are others.
#if defined(_LIBCPP_VERSION)
#define CUDAX_LIBRARY "libc++"
#elif defined(_GLIBCXX_DEBUG)
#define CUDAX_LIBRARY "libstdc++ debug"
#else
#define CUDAX_LIBRARY "libstdc++"
#endif
constexpr char const* cuda_or_not = CUDAX_SYNC_WITH_CUDA ? "CUDA" : "no CUDA";
constexpr int layout_version = 2; // of registration_table; a change of its members raises it

constinit std::atomic<registration_table*> found = nullptr;
constinit std::mutex finding; // of what follows
constinit std::atomic<void*>* word = nullptr;
constinit bool is_child = false; // of fork: looks for nothing
constinit unsigned long long first_ticket = 0;

/// With the lock. Not in a child of fork, where a thread that is not there may hold the loader's lock.
void find_word() noexcept {
  if (word || is_child) return;
  char name[120];
  std::snprintf(name, sizeof(name), "cudax_sync_registrations_v%d %s %s %zu %zx", layout_version, cuda_or_not,
                CUDAX_LIBRARY, sizeof(registration_table), reinterpret_cast<std::uintptr_t>(&std::malloc));
  word = find_process_word(name);
}

registration_table* table() noexcept {
  // Acquire: pairs with the release of the thread that found it.
  if (registration_table* const known = found.load(std::memory_order_acquire)) return known;
  std::lock_guard const lock(finding);
  find_word();
  // Acquire and release: pair with each other in two copies; the table is complete.
  void* known = word ? word->load(std::memory_order_acquire) : found.load(std::memory_order_relaxed);
  if (!known) {
    void* const memory = std::malloc(sizeof(registration_table));
    if (!memory) return nullptr;
    auto* const fresh = new (memory) registration_table(page_size(), first_ticket);
    if (!word || word->compare_exchange_strong(known, fresh, std::memory_order_acq_rel, std::memory_order_acquire))
      known = fresh;
    else fresh->~registration_table(), std::free(memory);
  }
  found.store(static_cast<registration_table*>(known), std::memory_order_release);
  return static_cast<registration_table*>(known);
}

[[maybe_unused]] int const on_fork = fork_hook::join();

} // namespace

// Copies of the archive that register nothing before the fork still have one table in the child: CUDA can only be used in a child
// whose parent has not used it, and has therefore registered nothing.
void fork_hook::lock_registrations() noexcept {
  finding.lock();
  find_word();
}

void fork_hook::unlock_registrations(process which) noexcept {
  if (which == process::child) {
    // The parent's table may be locked by a thread that is not here. What it holds is the parent's.
    found.store(nullptr, std::memory_order_relaxed);
    if (word) word->store(nullptr, std::memory_order_relaxed);
    is_child = true;
    first_ticket += 1ull << 48; // the parent's tickets are not this table's
  }
  finding.unlock();
}

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
    registration_table* const all = table();
    if (!all)
      fail(why, cuda::memory_allocation, "registered: %zu bytes at %p: no memory for the table; free memory", bytes,
           const_cast<void const*>(address));
    void* const on_device = all ? all->add(begin, bytes, ticket, why) : nullptr;
    if (on_device) add_shared(sharing::registered, ticket, address, bytes, object_size);
    return on_device;
  }
  return nullptr;
}

void unregister_objects(unsigned long long ticket, failure& why) noexcept {
  remove_shared(sharing::registered, ticket);
  if (registration_table* const all = table()) all->remove(ticket, why);
}

} // namespace cudax::runtime
