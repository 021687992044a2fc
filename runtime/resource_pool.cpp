// SPDX-License-Identifier: Apache-2.0
//
// resource_pool: finding granules, and giving them back.
#include "resource_pool.hpp"
#include "boundary.hpp"
#include "cuda_calls.hpp"

#include <algorithm>
#include <iterator>
#include <unistd.h>

namespace cudax::runtime {
namespace {

constexpr std::size_t round_up(std::size_t value, std::size_t unit) noexcept {
  return (value + unit - 1) / unit * unit;
}

constexpr std::size_t granules_of(std::size_t size) noexcept {
  return std::max<std::size_t>(1, (size + resource_pool::granule - 1) / resource_pool::granule);
}

bool is_piece(std::size_t size, std::size_t alignment) noexcept {
  return size <= resource_pool::piece_limit && alignment <= resource_pool::slab_alignment;
}

} // namespace

char const* resource_pool::name() const noexcept {
  return kind_ == memory_kind::mapped ? "mapped_resource" : "managed_resource";
}

// --- slabs ---------------------------------------------------------------------------------------------------------

std::size_t resource_pool::slab::find(std::size_t count, std::size_t step) const noexcept {
  for (std::size_t at = 0; at + count <= granules;) {
    if (used[at / 64] == ~std::uint64_t{}) {
      at = round_up(at / 64 * 64 + 64, step);
      continue;
    }
    std::size_t obstacle = at + count; // the last used granule of [at, at + count)
    while (obstacle > at && !is_set(used, obstacle - 1)) --obstacle;
    if (obstacle == at) return at;
    at = round_up(obstacle, step);
  }
  return granules;
}

bool resource_pool::slab::is_piece(std::size_t first, std::size_t count) const noexcept {
  std::size_t const end = first + count;
  if (end > granules || !is_set(begins, first)) return false;
  for (std::size_t at = first + 1; at < end; ++at)
    if (!is_set(used, at) || is_set(begins, at)) return false;
  return end == granules || !is_set(used, end) || is_set(begins, end);
}

void resource_pool::slab::flip(std::size_t first, std::size_t count) noexcept {
  begins[first / 64] ^= std::uint64_t{1} << first % 64;
  for (std::size_t at = first; at < first + count; ++at) used[at / 64] ^= std::uint64_t{1} << at % 64;
}

/// Allocates with CUDA, meanwhile without the lock. The place in the table comes first, so that nothing is left to fail
/// behind the call.
template <class Value>
typename resource_pool::by_address<Value>::iterator
resource_pool::make(by_address<Value>& all, std::size_t size, std::size_t alignment, locked& lock, failure& why) {
  by_address<Value> fresh;
  auto node = fresh.extract(fresh.try_emplace(0).first);
  failure refused;
  lock.unlock();
  memory_block const memory = runtime::allocate(kind_, 1, size, alignment, refused);
  lock.lock();
  if (refused.code != cuda::success) {
    if (std::size_t const idle = free_bytes())
      fail_in_cuda(why, refused.code,
                   "%s: %zu more bytes cannot be allocated, beside %zu in use and %zu that are free (trim() gives back "
                   "what no object keeps)",
                   name(), size, counts_.bytes_in_use, idle);
    else
      fail_in_cuda(why, refused.code, "%s: %zu more bytes cannot be allocated, beside %zu in use", name(), size,
                   counts_.bytes_in_use);
    return all.end();
  }
  node.key() = reinterpret_cast<address>(memory.host);
  node.mapped().memory = memory;
  counts_.bytes_reserved += size;
  ++counts_.blocks;
  return all.insert(std::move(node)).position;
}

void* resource_pool::allocate_piece(std::size_t size, std::size_t alignment, locked& lock, failure& why) {
  std::size_t const count = granules_of(size), step = std::max<std::size_t>(1, alignment / granule);
  std::size_t at = granules;
  auto const has_room = [&](slab const& s) { return s.free >= count && (at = s.find(count, step)) != granules; };
  auto found = latest_;
  if (found == slabs_.end() || !has_room(found->second))
    found = std::find_if(slabs_.begin(), slabs_.end(), [&](auto const& entry) { return has_room(entry.second); });
  if (found == slabs_.end()) {
    found = make(slabs_, slab_size, slab_alignment, lock, why);
    if (found == slabs_.end()) return nullptr;
    at = 0;
    free_in_slabs_ += slab_size;
  }
  latest_ = found;
  found->second.flip(at, count);
  found->second.free -= count;
  free_in_slabs_ -= count * granule;
  return reinterpret_cast<void*>(found->first + at * granule);
}

// --- blocks --------------------------------------------------------------------------------------------------------

void* resource_pool::allocate_block(std::size_t size, std::size_t alignment, locked& lock, failure& why) {
  if (size > PTRDIFF_MAX - slab_alignment) {
    fail(why, cuda::invalid_value, "%s: %zu bytes are more than there can be; check the count", name(), size);
    return nullptr;
  }
  std::size_t const whole = round_up(size, slab_alignment);
  auto best = blocks_.end(); // the smallest that was freed, and is not twice as large
  for (auto at = blocks_.begin(); at != blocks_.end(); ++at)
    if (!at->second.used && at->second.size >= size && at->second.size / 2 <= whole && at->first % alignment == 0 &&
        (best == blocks_.end() || at->second.size < best->second.size))
      best = at;
  if (best == blocks_.end()) {
    best = make(blocks_, whole, std::max(alignment, slab_alignment), lock, why);
    if (best == blocks_.end()) return nullptr;
    best->second.size = whole;
  }
  best->second.used = true;
  best->second.asked = size;
  return reinterpret_cast<void*>(best->first);
}

// --- both ----------------------------------------------------------------------------------------------------------

void* resource_pool::allocate(std::size_t size, std::size_t alignment, failure& why) {
  locked lock(mutex_);
  void* const at = is_piece(size, alignment) ? allocate_piece(size, alignment, lock, why)
                                             : allocate_block(size, alignment, lock, why);
  if (at) {
    counts_.bytes_in_use += size;
    ++counts_.allocations;
  }
  return at;
}

void resource_pool::deallocate(void* pointer, std::size_t size, std::size_t alignment) noexcept {
  std::lock_guard const lock(mutex_);
  auto const begin = reinterpret_cast<address>(pointer);
  bool known = false;
  if (is_piece(size, alignment)) {
    std::size_t const count = granules_of(size);
    if (auto after = slabs_.upper_bound(begin); after != slabs_.begin()) {
      auto& [base, slab] = *std::prev(after);
      std::size_t const first = (begin - base) / granule;
      known = begin % granule == 0 && first < granules && slab.is_piece(first, count);
      if (known) {
        slab.flip(first, count);
        slab.free += count;
        free_in_slabs_ += count * granule;
      }
    }
  } else if (auto const found = blocks_.find(begin); found != blocks_.end()) {
    known = found->second.used && found->second.asked == size;
    found->second.used = false;
  }
  if (!known)
    stop(kind_ == memory_kind::mapped
             ? "cudax.sync: mapped_resource: memory at 0x%llx was not allocated here with this size, or was freed "
               "before; free each piece once, as it was allocated [mem.res.class]\n"
             : "cudax.sync: managed_resource: memory at 0x%llx was not allocated here with this size, or was freed "
               "before; free each piece once, as it was allocated [mem.res.class]\n",
         static_cast<long long>(begin));
  counts_.bytes_in_use -= size;
  --counts_.allocations;
}

std::size_t resource_pool::free_bytes() const noexcept {
  std::size_t all = free_in_slabs_;
  for (auto const& [base, block] : blocks_) all += block.used ? 0 : block.size;
  return all;
}

void resource_pool::reserve(std::size_t size, failure& why) {
  // Page by page until CUDA refuses, it would take long, and the machine down.
  auto const memory =
      static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  if (size > memory) {
    fail(why, cuda::memory_allocation,
         "%s: reserve: %zu bytes are more than the %zu that this machine has; check the count", name(), size, memory);
    return;
  }
  for (locked lock(mutex_); free_in_slabs_ < size; free_in_slabs_ += slab_size)
    if (make(slabs_, slab_size, slab_alignment, lock, why) == slabs_.end()) return;
}

void resource_pool::trim(failure& why) noexcept {
  by_address<slab> slabs; // that go
  by_address<block> blocks;
  {
    locked const lock(mutex_);
    auto const take = [&](auto& from, auto& to, auto is_idle) {
      for (auto at = from.begin(); at != from.end();) {
        auto const each = at++;
        if (is_idle(each->second)) to.insert(to.end(), from.extract(each));
      }
    };
    take(slabs_, slabs, [](slab const& s) { return s.free == granules; });
    take(blocks_, blocks, [](block const& b) { return !b.used; });
    latest_ = slabs_.end();
    counts_.blocks -= slabs.size() + blocks.size();
    counts_.bytes_reserved -= slabs.size() * slab_size;
    free_in_slabs_ -= slabs.size() * slab_size;
    for (auto const& [base, block] : blocks) counts_.bytes_reserved -= block.size;
  }
  auto const give_back = [&](memory_block const& memory, std::size_t size) {
    failure refused;
    runtime::deallocate(kind_, memory.base, refused);
    if (refused.code != cuda::success && why.code == cuda::success)
      fail_in_cuda(why, refused.code, "%s: %zu bytes at %p cannot be given back", name(), size, memory.host);
  };
  for (auto const& [base, slab] : slabs) give_back(slab.memory, slab_size);
  for (auto const& [base, block] : blocks) give_back(block.memory, block.size);
}

resource_pool::counts resource_pool::count() const noexcept {
  std::lock_guard const lock(mutex_);
  return counts_;
}

void* resource_pool::device_address(void const* pointer, failure& why) const noexcept {
  std::lock_guard const lock(mutex_);
  auto const at = reinterpret_cast<address>(pointer);
  auto const find = [at]<class Value>(by_address<Value> const& all, auto size_of) -> void* {
    auto const after = all.upper_bound(at);
    if (after == all.begin()) return nullptr;
    auto const& [base, value] = *std::prev(after);
    return at - base < size_of(value) ? static_cast<char*>(value.memory.device) + (at - base) : nullptr;
  };
  void* device = find(slabs_, [](slab const&) { return slab_size; });
  if (!device) device = find(blocks_, [](block const& b) { return b.size; });
  if (!device)
    fail(why, cuda::invalid_value, "%s: %p is not in memory of this resource; give the address of an object there",
         name(), pointer);
  return device;
}

} // namespace cudax::runtime
