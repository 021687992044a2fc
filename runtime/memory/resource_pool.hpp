// SPDX-License-Identifier: Apache-2.0
//
// resource_pool: memory of one kind, mapped or managed, handed out in pieces.
//
// CUDA allocates by pages, in a call that takes from ten microseconds to a millisecond; a flag has a few bytes. So
// pieces of up to piece_limit bytes come from slabs (slab.hpp), each one allocation of CUDA. A larger piece is a block,
// an allocation of its own. Three requirements rule out the pools of std::pmr:
//
// - The tables of free granules are in ordinary memory. A std::pmr pool writes its lists into the memory that it hands
//   out. There a kernel's stray store would destroy them; in managed memory each access would move a page to the host,
//   and on a device without concurrent_managed_access the host must not access it at all while a kernel runs.
// - Freeing does not call CUDA. CUDA's free may wait for running kernels, and a kernel that polls would wait for the
//   thread that frees; at the end of the process CUDA may be gone before the last object. So freed memory is kept for
//   later allocations until trim(). Freeing does not wait for a thread that calls CUDA either: no lock is held while
//   CUDA is called.
// - Every alignment up to a page is supported, whatever the size.
//
// To reduce contention there are as many arenas as threads commonly run at once, each with its own lock and slabs, and
// a thread uses one. It frees into the arena of the piece's slab. An arena without room takes a slab from another arena
// before CUDA is called: an empty one; or, after reserve() or if much memory is free elsewhere, any that has room. The
// slabs of an arena are in lists by their longest run, so finding one takes a bounded number of steps, however many
// slabs there are. Freed blocks are in trees by size.
//
// Memory ends with its context, for example at cudaDeviceReset. So before memory is handed out, the pool checks without
// a lock whether its context is still alive. Memory whose context was destroyed is forgotten: CUDA is not called for
// it, and freeing pieces of it has no effect. CUDA may then assign the same addresses again. Such new memory is
// quarantined until trim() as long as old pieces at its addresses have not been freed.
//
// Lock order: mutex_, then the arenas in the order of their numbers (fork_hook.hpp has the order of the whole library).
#pragma once

#include "../interface/host_boundary.hpp"
#include "slab.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

namespace cudax::runtime {

class resource_pool {
public:
  static constexpr std::size_t slab_size = slab::size;
  static constexpr std::size_t piece_limit = slab_size / 4;
  static constexpr std::size_t slab_alignment = slab::alignment;

  struct counts {
    std::size_t bytes_in_use = 0;
    std::size_t bytes_reserved = 0;
    std::size_t allocations = 0;
    std::size_t blocks = 0;
    std::size_t steps = 0; // slabs, runs and blocks that were examined so far to find room
  };

  explicit resource_pool(memory_kind kind) noexcept : kind_(kind) {}
  resource_pool(resource_pool const&) = delete;

  // All are thread-safe. Functions that are not noexcept throw std::bad_alloc for lack of ordinary memory.

  /// Allocates; returns null after a failure of CUDA. `alignment` is a power of two.
  void* allocate(std::size_t size, std::size_t alignment, failure& why);
  /// Frees an allocation of this size and alignment. Ends the program if there is no such allocation.
  void deallocate(void* at, std::size_t size, std::size_t alignment) noexcept;

  /// Allocates slabs until `size` bytes of them are free.
  void reserve(std::size_t size, failure& why);
  /// Returns all memory without pieces to CUDA. If CUDA reports an error, the memory is forgotten; `why` has the first
  /// error.
  void trim(failure& why) noexcept;

  counts count() const noexcept;
  void* device_address(void const* at, failure& why) const noexcept;

  /// Locks and unlocks all mutexes, for fork_hook.hpp.
  void lock() noexcept;
  void unlock() noexcept;

private:
  using address = std::uintptr_t;
  static constexpr unsigned arenas = 16;

  struct alignas(64) arena { // no two arenas share a cache line
    mutable std::mutex mutex;
    std::atomic<std::size_t> free = 0; // bytes; changed under the lock
    // A piece may be freed in another arena than it was allocated in, if its slab has moved: only the sums over all
    // arenas are meaningful.
    std::size_t bytes_in_use = 0, allocations = 0, steps = 0;
    std::array<slab*, slab::bins> slabs{}; // by longest_bin()
    slab::bin_set occupied;

    void add(slab& s) noexcept;
    void remove(slab& s) noexcept;
    void update(slab& s) noexcept; // after a change of the slab
    std::size_t take(std::size_t count, std::size_t step, slab*& from) noexcept;
  };
  using idle_key = std::pair<std::size_t, address>; // size first
  using idle_blocks = std::set<idle_key>;
  struct block { // holds one large piece
    memory_block memory;
    std::size_t size = 0;
    std::size_t requested = 0;    // the size that the caller requested
    idle_blocks::node_type place; // its node of idle_ while it is in use, so that freeing allocates nothing
  };
  using blocks = std::map<address, block>;
  using locked = std::unique_lock<std::mutex>;

  struct quarantined { // memory at addresses where old pieces have not been freed
    memory_block memory;
    std::size_t size;
  };

  memory_block from_cuda(std::size_t size, std::size_t alignment, failure& why);
  void to_cuda(memory_block const& memory, std::size_t size, failure& why) noexcept;
  void quarantine(quarantined const& memory);

  locked lock_arena_of(slab const& s) noexcept;
  bool move_slab_from_another_arena(unsigned home, std::size_t length, bool also_used) noexcept;
  slab* take_spare();
  void recycle(slab& s) noexcept;
  bool is_obstructed(address base) noexcept;
  slab* make_slab(failure& why);
  void retire(slab& s) noexcept;
  void remove_from_index(slab& s) noexcept;
  void retire_dead_slabs();
  void* allocate_piece(std::size_t size, std::size_t alignment, failure& why);
  bool deallocate_piece(address begin, std::size_t size) noexcept;

  blocks::iterator find_idle(std::size_t size, std::size_t whole, std::size_t alignment) noexcept;
  void drop(blocks::iterator which) noexcept;
  void* allocate_block(std::size_t size, std::size_t alignment, failure& why);
  bool deallocate_block(address begin, std::size_t size) noexcept;

  std::size_t free_in_slabs() const noexcept;
  char const* name() const noexcept;

  memory_kind const kind_;
  std::array<arena, arenas> arenas_;
  std::atomic<bool> is_reserved_ = false; // reserve() was called: threads share slabs instead of calling CUDA
  std::atomic<std::size_t> reserved_ = 0; // bytes
  std::atomic<std::size_t> made_ = 0;     // live allocations from CUDA

  mutable std::mutex mutex_; // protects the members below
  blocks blocks_;
  std::array<idle_blocks, 32> idle_; // by the alignment of their address, from slab_alignment upwards
  std::size_t idle_bytes_ = 0;
  std::size_t block_bytes_ = 0, block_allocations_ = 0, block_steps_ = 0;
  slab* spare_ = nullptr; // slabs without memory; never freed, because slab_index::find may still read one
  std::vector<quarantined> quarantine_;
};

} // namespace cudax::runtime
