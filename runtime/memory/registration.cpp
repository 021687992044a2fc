// SPDX-License-Identifier: Apache-2.0
//
// registration: the table of this process, and the argument checks of its callers.
#include "../cuda/cuda_calls.hpp"
#include "../interface/host_boundary.hpp"
#include "../process/fork_hook.hpp"
#include "../process/process_word.hpp"
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

// All copies of this archive in the process share one table: CUDA keeps one registration per page, and the first copy
// that no longer needs it must not end it for the others. The table is on the heap and is never destroyed, because
// static objects may be registered. Each copy works on the table with its own code and with memory from malloc, so the
// table survives the plugin that created it. The name of the table contains everything on which the copies must agree.
// A copy that was built without CUDA has its own table: it could not unregister what it shared with other copies. So
// does a copy in another namespace of the loader (dlmopen): its driver and its heap are different.
#if defined(_LIBCPP_VERSION)
#define CUDAX_LIBRARY "libc++"
#elif defined(_GLIBCXX_DEBUG)
#define CUDAX_LIBRARY "libstdc++ debug"
#else
#define CUDAX_LIBRARY "libstdc++"
#endif
constexpr char const* cuda_or_not = CUDAX_SYNC_WITH_CUDA ? "CUDA" : "no CUDA";
constexpr int layout_version = 2; // of registration_table; raise it when a member changes

constinit std::atomic<registration_table*> found = nullptr;
constinit std::mutex table_mutex; // protects the variables below
constinit std::atomic<void*>* word = nullptr;
constinit bool has_searched = false; // for the word
constinit bool is_child = false;     // of fork(): does not search
constinit unsigned long long first_ticket = 0;

/// Called with table_mutex held. Not in a child of fork(): a thread that does not exist there may hold the loader's
/// lock.
void find_word() noexcept {
  if (word || is_child) return;
  has_searched = true;
  char name[120];
  std::snprintf(name, sizeof(name), "cudax_sync_registrations_v%d %s %s %zu %zx", layout_version, cuda_or_not,
                CUDAX_LIBRARY, sizeof(registration_table), reinterpret_cast<std::uintptr_t>(&std::malloc));
  word = find_process_word(name);
}

registration_table* table() noexcept {
  // Acquire: pairs with the release store at the end of this function, in the thread that found the table.
  if (registration_table* const known = found.load(std::memory_order_acquire)) return known;
  std::lock_guard const lock(table_mutex);
  find_word();
  // Acquire and release: this load and the exchange below pair with the exchange in another copy, so the table is
  // complete.
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

// Copies of the archive that register nothing before the fork share one table in the child, too: CUDA can be used in a
// child only if its parent has not used CUDA, and then the parent has registered nothing.
//   The word is sought at the first fork only. If it is not found there, for example because there is no /proc, the
// other forks would pay for the same answer.
void fork_hook::lock_registrations() noexcept {
  table_mutex.lock();
  if (!has_searched) find_word();
}

void fork_hook::unlock_registrations(process which) noexcept {
  if (which == process::child) {
    // A thread that does not exist in the child may hold the lock of the parent's table. What it registered is the
    // parent's.
    found.store(nullptr, std::memory_order_relaxed);
    if (word) word->store(nullptr, std::memory_order_relaxed);
    is_child = true;
    first_ticket += 1ull << 48; // distinct from the parent's tickets
  }
  table_mutex.unlock();
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
    fail(why, cuda::invalid_value, "registered: %zu %s of %zu bytes at %p are empty; register at least one object",
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
