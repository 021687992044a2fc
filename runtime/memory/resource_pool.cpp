// SPDX-License-Identifier: Apache-2.0
//
// resource_pool: allocates and frees pieces and blocks.
#include "resource_pool.hpp"
#include "../cuda/cuda_calls.hpp"
#include "../interface/boundary.hpp"
#include "memory_limit.hpp"
#include "slab_index.hpp"

#include <algorithm>
#include <new>
#include <unistd.h>

namespace cudax::runtime {
namespace {

constexpr std::size_t round_up(std::size_t value, std::size_t unit) noexcept {
  return (value + unit - 1) / unit * unit;
}

constexpr std::size_t granules_of(std::size_t size) noexcept {
  return slab::rounded(std::max<std::size_t>(1, (size + slab::granule - 1) / slab::granule));
}

bool is_piece(std::size_t size, std::size_t alignment) noexcept {
  return size <= resource_pool::piece_limit && alignment <= resource_pool::slab_alignment;
}

/// A number of the calling thread. Threads that start one after another get consecutive numbers, and so different
/// arenas.
unsigned thread_index() noexcept {
  static constinit std::atomic<unsigned> threads = 0;
  thread_local unsigned const own = threads.fetch_add(1, std::memory_order_relaxed);
  return own;
}

/// The index into idle_ for the alignment of `at`: an address, or a requested alignment.
std::size_t alignment_class(std::uintptr_t at) noexcept {
  constexpr int first = std::countr_zero(resource_pool::slab_alignment);
  return static_cast<std::size_t>(std::clamp(std::countr_zero(at) - first, 0, 31));
}

} // namespace

char const* resource_pool::name() const noexcept {
  return kind_ == memory_kind::mapped ? "mapped_resource" : "managed_resource";
}

// --- memory from CUDA ------------------------------------------------------------------------------------------------

/// The host address is null after a failure.
memory_block resource_pool::from_cuda(std::size_t size, std::size_t alignment, failure& why) {
  failure refused;
  memory_block const memory = runtime::allocate(kind_, 1, size, alignment, refused);
  if (refused.code == cuda::success) {
    reserved_.fetch_add(size, std::memory_order_relaxed);
    made_.fetch_add(1, std::memory_order_relaxed);
    return memory;
  }
  std::size_t const in_use = count().bytes_in_use;
  std::size_t idle = free_in_slabs();
  {
    locked const lock(mutex_);
    idle += idle_bytes_;
  }
  if (idle)
    fail_in_cuda(
        why, refused.code,
        "%s: %zu more bytes cannot be allocated; %zu are in use and %zu are free (trim() returns unused memory to "
        "CUDA)",
        name(), size, in_use, idle);
  else fail_in_cuda(why, refused.code, "%s: %zu more bytes cannot be allocated; %zu are in use", name(), size, in_use);
  return {};
}

void resource_pool::to_cuda(memory_block const& memory, std::size_t size, failure& why) noexcept {
  reserved_.fetch_sub(size, std::memory_order_relaxed);
  made_.fetch_sub(1, std::memory_order_relaxed);
  // Memory whose context was destroyed is not freed: the address may belong to another allocation now.
  if (!calls().is_alive(memory.base, memory.context)) return runtime::forget(kind_, memory.base);
  failure refused;
  runtime::deallocate(kind_, memory, refused);
  if (refused.code != cuda::success && why.code == cuda::success)
    fail_in_cuda(why, refused.code, "%s: %zu bytes at %p cannot be freed", name(), size, memory.host);
}

/// Keeps memory unused, and not returned to CUDA, until trim().
void resource_pool::quarantine(quarantined const& memory) {
  try {
    locked const lock(mutex_);
    quarantine_.push_back(memory);
  } catch (std::bad_alloc const&) {
    failure ignored;
    to_cuda(memory.memory, memory.size, ignored);
    throw;
  }
}

// --- slabs -----------------------------------------------------------------------------------------------------------

void resource_pool::arena::add(slab& s) noexcept {
  s.bin = s.longest_bin();
  s.previous = nullptr;
  s.next = slabs[s.bin];
  if (s.next) s.next->previous = &s;
  slabs[s.bin] = &s;
  occupied.insert(s.bin);
}

void resource_pool::arena::remove(slab& s) noexcept {
  if (s.next) s.next->previous = s.previous;
  if (s.previous) s.previous->next = s.next;
  else slabs[s.bin] = s.next;
  if (!slabs[s.bin]) occupied.erase(s.bin);
}

void resource_pool::arena::update(slab& s) noexcept {
  if (s.bin == s.longest_bin()) return;
  remove(s);
  add(s);
}

/// As slab::take, in at most two slabs. `from` stays null if neither has room.
std::size_t resource_pool::arena::take(std::size_t count, std::size_t step, slab*& from) noexcept {
  for (std::size_t const length : {count, slab::rounded(count + step - 1)}) {
    ++steps;
    std::size_t const bin = occupied.first(slab::bin_of(length));
    if (bin == slab::bins) return slab::granules;
    slab& s = *slabs[bin];
    std::size_t const at = s.take(count, step, steps);
    if (at == slab::granules) continue;
    update(s);
    free.fetch_sub(count * slab::granule, std::memory_order_relaxed);
    from = &s;
    return at;
  }
  return slab::granules;
}

std::size_t resource_pool::free_in_slabs() const noexcept {
  std::size_t all = 0;
  for (arena const& each : arenas_) all += each.free.load(std::memory_order_relaxed);
  return all;
}

resource_pool::locked resource_pool::lock_arena_of(slab const& s) noexcept {
  for (;;) {
    unsigned const seen = s.arena.load(std::memory_order_relaxed);
    locked lock(arenas_[seen].mutex);
    if (s.arena.load(std::memory_order_relaxed) == seen) return lock; // it changes only under the locks of both arenas
  }
}

/// Moves a slab that has room for a run of `length` from another arena to `home`: only an empty slab unless
/// `also_used`.
bool resource_pool::move_slab_from_another_arena(unsigned home, std::size_t length, bool also_used) noexcept {
  for (unsigned i = 1; i < arenas; ++i) {
    unsigned const other = (home + i) % arenas;
    arena &to = arenas_[home], &from = arenas_[other];
    if (from.free.load(std::memory_order_relaxed) < length * slab::granule) continue;
    locked const first(arenas_[std::min(home, other)].mutex), second(arenas_[std::max(home, other)].mutex);
    ++to.steps;
    std::size_t const bin = from.occupied.first(slab::bin_of(also_used ? length : slab::granules));
    if (bin == slab::bins) continue;
    slab& s = *from.slabs[bin];
    from.remove(s);
    from.free.fetch_sub(s.free() * slab::granule, std::memory_order_relaxed);
    s.arena.store(home, std::memory_order_relaxed);
    to.free.fetch_add(s.free() * slab::granule, std::memory_order_relaxed);
    to.add(s);
    return true;
  }
  return false;
}

slab* resource_pool::take_spare() {
  {
    locked const lock(mutex_);
    if (slab* const s = spare_) {
      spare_ = s->next;
      return s;
    }
  }
  auto* const s = new slab;
  s->pool = this;
  return s;
}

void resource_pool::recycle(slab& s) noexcept {
  locked const lock(mutex_);
  s.next = spare_;
  spare_ = &s;
}

/// Whether another slab that still has live pieces is registered at the address of a new slab. The old slab's memory no
/// longer exists, since CUDA has assigned its address again.
bool resource_pool::is_obstructed(address base) noexcept {
  for (address const at : {base, base + slab_size - 1}) {
    slab* const old = slab_index::find(at);
    if (!old) continue;
    if (old->pool != this) return true; // until the other pool retires it
    locked lock = lock_arena_of(*old);
    if (at - old->base.load(std::memory_order_relaxed) >= slab_size) continue; // removed in the meantime
    retire(*old);
    if (!old->is_empty()) return true;
    remove_from_index(*old);
    lock.unlock();
    recycle(*old);
  }
  return false;
}

/// Null after a failure.
slab* resource_pool::make_slab(failure& why) {
  // All allocations of ordinary memory whose size is known precede the call of CUDA.
  slab& s = *take_spare();
  try {
    for (;;) {
      memory_block const memory = from_cuda(slab_size, slab_alignment, why);
      if (!memory.host) break;
      auto const base = reinterpret_cast<address>(memory.host);
      if (!slab_index::prepare(base)) {
        failure ignored;
        to_cuda(memory, slab_size, ignored);
        throw std::bad_alloc();
      }
      s.memory = memory;
      s.is_dead = false;
      s.clear();
      s.base.store(base, std::memory_order_relaxed);
      if (!is_obstructed(base) && slab_index::insert(s)) return &s;
      s.base.store(0, std::memory_order_relaxed);
      quarantine({memory, slab_size});
    }
  } catch (...) {
    recycle(s);
    throw;
  }
  recycle(s);
  return nullptr;
}

/// Removes a slab whose memory no longer exists from its arena, which the caller has locked. Pieces of the slab may
/// still be freed.
void resource_pool::retire(slab& s) noexcept {
  if (s.is_dead) return;
  arena& home = arenas_[s.arena.load(std::memory_order_relaxed)];
  home.remove(s);
  home.free.fetch_sub(s.free() * slab::granule, std::memory_order_relaxed);
  s.is_dead = true;
  reserved_.fetch_sub(slab_size, std::memory_order_relaxed);
  made_.fetch_sub(1, std::memory_order_relaxed);
  runtime::forget(kind_, s.memory.base);
}

/// Removes a slab from the index. The slab has no piece and is in no arena. The caller holds the lock of its last
/// arena.
void resource_pool::remove_from_index(slab& s) noexcept {
  slab_index::remove(s);
  s.base.store(0, std::memory_order_relaxed);
}

/// Retires all slabs whose memory no longer exists.
void resource_pool::retire_dead_slabs() {
  struct entry {
    slab* in;
    address base;
    void const* memory;
    unsigned long long context;
  };
  std::vector<entry> all;
  for (arena& each : arenas_) {
    locked const lock(each.mutex);
    for (slab const* list : each.slabs)
      for (slab const* s = list; s; s = s->next)
        all.push_back(
            {const_cast<slab*>(s), s->base.load(std::memory_order_relaxed), s->memory.base, s->memory.context});
  }
  for (entry const& each : all) {
    if (calls().is_alive(each.memory, each.context)) continue;
    slab& s = *each.in;
    locked lock = lock_arena_of(s);
    if (s.base.load(std::memory_order_relaxed) != each.base || s.memory.context != each.context || s.is_dead) continue;
    retire(s);
    if (!s.is_empty()) continue;
    remove_from_index(s);
    lock.unlock();
    recycle(s);
  }
}

void* resource_pool::allocate_piece(std::size_t size, std::size_t alignment, failure& why) {
  std::size_t const count = granules_of(size), step = std::max<std::size_t>(1, alignment / slab::granule);
  std::size_t const length = slab::rounded(count + step - 1); // a run of this length has room at any alignment
  unsigned const home = thread_index() % arenas;
  arena& own = arenas_[home];
  for (;;) {
    slab* from = nullptr;
    std::size_t at = slab::granules;
    {
      std::lock_guard const lock(own.mutex);
      at = own.take(count, step, from);
      if (from) {
        own.bytes_in_use += size;
        ++own.allocations;
      }
    }
    if (from) { // a slab with a piece is not recycled
      address const begin = from->base.load(std::memory_order_relaxed) + at * slab::granule;
      if (calls().is_alive(from->memory.base, from->memory.context)) return reinterpret_cast<void*>(begin);
      {
        locked const lock = lock_arena_of(*from);
        retire(*from);
      }
      (void)deallocate_piece(begin, size);
      continue;
    }
    // Threads have their own slabs, unless much memory is free elsewhere: then they share.
    bool const shares = is_reserved_.load(std::memory_order_relaxed) || free_in_slabs() >= arenas * slab_size;
    if (move_slab_from_another_arena(home, length, shares)) continue;
    failure refused;
    if (slab* const fresh = make_slab(refused)) {
      std::lock_guard const lock(own.mutex);
      fresh->arena.store(home, std::memory_order_relaxed);
      own.free.fetch_add(slab_size, std::memory_order_relaxed);
      own.add(*fresh);
    } else if (!move_slab_from_another_arena(home, length, true)) {
      why = refused;
      return nullptr;
    }
  }
}

bool resource_pool::deallocate_piece(address begin, std::size_t size) noexcept {
  slab* const s = slab_index::find(begin);
  if (!s || s->pool != this) return false;
  std::size_t const count = granules_of(size);
  locked lock = lock_arena_of(*s);
  arena& home = arenas_[s->arena.load(std::memory_order_relaxed)];
  address const offset = begin - s->base.load(std::memory_order_relaxed);
  std::size_t const first = offset / slab::granule;
  if (offset >= slab_size || offset % slab::granule != 0 || !s->is_piece(first, count)) return false;
  s->put(first, count);
  home.bytes_in_use -= size;
  --home.allocations;
  if (!s->is_dead) {
    home.free.fetch_add(count * slab::granule, std::memory_order_relaxed);
    home.update(*s);
  } else if (s->is_empty()) {
    remove_from_index(*s);
    lock.unlock();
    recycle(*s);
  }
  return true;
}

// --- blocks ----------------------------------------------------------------------------------------------------------

/// Returns the smallest idle block that is large enough, if it is at most twice as large as needed.
resource_pool::blocks::iterator resource_pool::find_idle(std::size_t size, std::size_t whole,
                                                         std::size_t alignment) noexcept {
  idle_key best = {SIZE_MAX, 0};
  for (std::size_t in = alignment_class(alignment); in < idle_.size(); ++in) {
    if (idle_[in].empty()) continue;
    ++block_steps_;
    if (auto const found = idle_[in].lower_bound({size, 0}); found != idle_[in].end()) best = std::min(best, *found);
  }
  return best.second && best.first / 2 <= whole ? blocks_.find(best.second) : blocks_.end();
}

/// Erases a block whose memory no longer exists.
void resource_pool::drop(blocks::iterator which) noexcept {
  block const& b = which->second;
  reserved_.fetch_sub(b.size, std::memory_order_relaxed);
  made_.fetch_sub(1, std::memory_order_relaxed);
  runtime::forget(kind_, b.memory.base);
  if (b.place.empty()) {
    idle_[alignment_class(which->first)].erase({b.size, which->first});
    idle_bytes_ -= b.size;
  }
  blocks_.erase(which);
}

void* resource_pool::allocate_block(std::size_t size, std::size_t alignment, failure& why) {
  if (size > PTRDIFF_MAX - slab_alignment) {
    fail(why, cuda::invalid_value, "%s: %zu bytes are more than there can be; check the count", name(), size);
    return nullptr;
  }
  std::size_t const whole = round_up(std::max<std::size_t>(1, size), slab_alignment); // every allocation has an address
  for (;;) {
    locked lock(mutex_);
    auto const best = find_idle(size, whole, alignment);
    if (best == blocks_.end()) break;
    block& b = best->second;
    b.place = idle_[alignment_class(best->first)].extract({b.size, best->first});
    b.requested = size;
    idle_bytes_ -= b.size;
    lock.unlock();
    bool const there =
        calls().is_alive(b.memory.base, b.memory.context); // the block is not idle: no other thread uses it
    lock.lock();
    if (there) {
      block_bytes_ += size;
      ++block_allocations_;
      return reinterpret_cast<void*>(best->first);
    }
    drop(best);
  }
  // All allocations of table entries precede the call of CUDA, so that nothing can fail after it.
  blocks fresh;
  auto node = fresh.extract(fresh.try_emplace(0).first);
  block& b = node.mapped();
  idle_blocks places;
  b.place = places.extract(places.emplace(0, 0).first);
  b.size = whole;
  b.requested = size;
  for (;;) {
    b.memory = from_cuda(whole, std::max(alignment, slab_alignment), why);
    if (!b.memory.host) return nullptr;
    node.key() = reinterpret_cast<address>(b.memory.host);
    {
      locked const lock(mutex_);
      auto const old = blocks_.find(node.key()); // its memory no longer exists: CUDA has assigned the address again
      bool const is_used = old != blocks_.end() && !old->second.place.empty();
      if (old != blocks_.end() && !is_used) drop(old);
      if (!is_used) {
        block_bytes_ += size;
        ++block_allocations_;
        return reinterpret_cast<void*>(blocks_.insert(std::move(node)).position->first);
      }
    }
    quarantine({b.memory, whole});
  }
}

bool resource_pool::deallocate_block(address begin, std::size_t size) noexcept {
  locked const lock(mutex_);
  auto const found = blocks_.find(begin);
  if (found == blocks_.end()) return false;
  block& b = found->second;
  if (b.place.empty() || b.requested != size) return false;
  b.place.value() = {b.size, begin};
  idle_[alignment_class(begin)].insert(std::move(b.place));
  idle_bytes_ += b.size;
  block_bytes_ -= size;
  --block_allocations_;
  return true;
}

// --- both ------------------------------------------------------------------------------------------------------------

void* resource_pool::allocate(std::size_t size, std::size_t alignment, failure& why) {
  return is_piece(size, alignment) ? allocate_piece(size, alignment, why) : allocate_block(size, alignment, why);
}

void resource_pool::deallocate(void* pointer, std::size_t size, std::size_t alignment) noexcept {
  auto const begin = reinterpret_cast<address>(pointer);
  if (is_piece(size, alignment) ? deallocate_piece(begin, size) : deallocate_block(begin, size)) return;
  stop(kind_ == memory_kind::mapped
           ? "cudax.sync: mapped_resource: memory at 0x%llx was not allocated here with this size, or was freed "
             "before; free each piece once, as it was allocated [mem.res.class]\n"
           : "cudax.sync: managed_resource: memory at 0x%llx was not allocated here with this size, or was freed "
             "before; free each piece once, as it was allocated [mem.res.class]\n",
       static_cast<long long>(begin));
}

void resource_pool::reserve(std::size_t size, failure& why) {
  retire_dead_slabs();
  std::size_t const there = free_in_slabs();
  // Without this check, allocating until CUDA reports an error would be slow and would exhaust the machine's memory.
  memory_limit const limit = find_memory_limit();
  std::size_t const missing = size > there ? size - there : 0;
  std::size_t const slabs = missing / slab_size + (missing % slab_size != 0);
  constexpr std::size_t each = slab_size + slab_alignment + sizeof(slab); // including the alignment and its tables
  if (slabs > limit.bytes / each) {
    fail(why, cuda::memory_allocation,
         "%s: reserve: %zu bytes take %zu blocks of %zu bytes, including their tables, which are more than the "
         "%zu bytes that %s; check the count, or free memory",
         name(), missing, slabs, each, limit.bytes, limit.of);
    return;
  }
  is_reserved_.store(true, std::memory_order_relaxed);
  arena& own = arenas_[thread_index() % arenas];
  while (free_in_slabs() < size) {
    slab* const fresh = make_slab(why);
    if (!fresh) return;
    std::lock_guard const lock(own.mutex);
    fresh->arena.store(thread_index() % arenas, std::memory_order_relaxed);
    own.free.fetch_add(slab_size, std::memory_order_relaxed);
    own.add(*fresh);
  }
}

void resource_pool::trim(failure& why) noexcept {
  slab* slabs = nullptr; // to be freed
  for (arena& each : arenas_) {
    locked const lock(each.mutex);
    while (slab* const s = each.slabs[slab::bin_of(slab::granules)]) {
      each.remove(*s);
      each.free.fetch_sub(slab_size, std::memory_order_relaxed);
      remove_from_index(*s);
      s->next = slabs;
      slabs = s;
    }
  }
  blocks gone;
  std::vector<quarantined> kept;
  {
    locked const lock(mutex_);
    for (idle_blocks& each : idle_) {
      for (auto const& [size, at] : each) gone.insert(blocks_.extract(at));
      each.clear();
    }
    idle_bytes_ = 0;
    kept.swap(quarantine_);
  }
  is_reserved_.store(false, std::memory_order_relaxed);
  while (slab* const s = slabs) {
    slabs = s->next;
    to_cuda(s->memory, slab_size, why);
    recycle(*s);
  }
  for (auto const& [base, block] : gone) to_cuda(block.memory, block.size, why);
  for (auto const& [memory, size] : kept) to_cuda(memory, size, why);
}

resource_pool::counts resource_pool::count() const noexcept {
  counts all;
  {
    locked const lock(mutex_);
    all.bytes_in_use = block_bytes_;
    all.allocations = block_allocations_;
    all.steps = block_steps_;
  }
  for (arena const& each : arenas_) {
    locked const lock(each.mutex);
    all.bytes_in_use += each.bytes_in_use;
    all.allocations += each.allocations;
    all.steps += each.steps;
  }
  all.bytes_reserved = reserved_.load(std::memory_order_relaxed);
  all.blocks = made_.load(std::memory_order_relaxed);
  return all;
}

void* resource_pool::device_address(void const* pointer, failure& why) const noexcept {
  auto const at = reinterpret_cast<address>(pointer);
  if (slab const* const s = slab_index::find(at); s && s->pool == this) // a slab with an object is not recycled
    return static_cast<char*>(s->memory.device) + (at - s->base.load(std::memory_order_relaxed));
  {
    locked const lock(mutex_);
    if (auto const after = blocks_.upper_bound(at); after != blocks_.begin()) {
      auto const& [base, block] = *std::prev(after);
      if (at - base < block.size) return static_cast<char*>(block.memory.device) + (at - base);
    }
  }
  fail(why, cuda::invalid_value, "%s: %p is not in memory of this resource; give the address of an object there",
       name(), pointer);
  return nullptr;
}

void resource_pool::lock() noexcept {
  mutex_.lock();
  for (arena& each : arenas_) each.mutex.lock();
}

void resource_pool::unlock() noexcept {
  for (arena& each : arenas_) each.mutex.unlock();
  mutex_.unlock();
}

} // namespace cudax::runtime
