// SPDX-License-Identifier: Apache-2.0
//
// resource_pool: memory of one kind, mapped or managed, handed out in pieces.
//
// CUDA allocates by pages, in a call of some ten microseconds to a millisecond; flags have a few bytes. So pieces of up to
// piece_limit bytes come out of slabs (slab.hpp), each one allocation of CUDA; a larger piece is a block, an allocation of
// its own. Three things keep std::pmr's own pools from doing this:
//
// - Which granules are used stands in ordinary memory. A pool of std::pmr writes into what it hands out, where a
//   stray store of a kernel destroys it, where each look moves a page of managed memory to the host, and where the
//   host must not look at all while a kernel runs on a device without concurrent_managed_access.
// - Freeing calls nobody. CUDA's free may wait for running kernels, and one that polls would wait for the thread that
//   frees; at the end of the process CUDA may be gone before the last object. So freed memory is kept for what comes
//   next, until trim(). Neither does freeing wait for somebody who calls: no lock is held while CUDA is called.
// - Every alignment up to a page is kept, whatever the size.
//
// Threads do not stand in each other's way: there are as many arenas as threads commonly run at once, each with a lock and
// slabs of its own, and a thread uses one. It frees into the arena of the piece's slab. An arena that has no room takes a
// slab from another before CUDA is called: any that is empty; after reserve(), or where a good deal is free elsewhere, any
// that has room. Slabs in an arena are in lists by their longest run, so finding one takes a bounded number of steps, however
// many there are. Freed blocks are in trees by size.
//
// Memory goes with its context, as in cudaDeviceReset. So what is about to be handed out is asked whether it is still
// there, without a lock. What is not is forgotten: CUDA is not called for it, and freeing pieces of it does no harm. To
// that end CUDA's next memory at such an address is put aside as long as objects of the past are not freed.
//
// Lock order: mutex_, then the arenas' by their number (fork_hook.hpp has that of the whole library).
#pragma once

#include "host_boundary.hpp"
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
    std::size_t steps = 0; // slabs, runs and blocks that were looked at so far, to find room
  };

  explicit resource_pool(memory_kind kind) noexcept : kind_(kind) {}
  resource_pool(resource_pool const&) = delete;

  // All are thread-safe. What throws, throws std::bad_alloc for lack of ordinary memory.

  /// Null after a failure of CUDA. `alignment` is a power of two.
  void* allocate(std::size_t size, std::size_t alignment, failure& why);
  /// With the size and the alignment of the allocation; ends the program where there is none such.
  void deallocate(void* at, std::size_t size, std::size_t alignment) noexcept;

  /// Allocates slabs until `size` bytes of them are free.
  void reserve(std::size_t size, failure& why);
  /// Gives back to CUDA what holds no piece; what CUDA refuses to take is forgotten, and the first failure reported.
  void trim(failure& why) noexcept;

  counts count() const noexcept;
  void* device_address(void const* at, failure& why) const noexcept;

  /// All its locks, for fork_hook.hpp.
  void lock() noexcept;
  void unlock() noexcept;

private:
  using address = std::uintptr_t;
  static constexpr unsigned arenas = 16;

  struct alignas(64) arena { // two threads' are in no cache line together
    mutable std::mutex mutex;
    std::atomic<std::size_t> free = 0; // bytes; changed with the lock
    // What is freed may have been allocated before its slab came here from another arena: the sums of all arenas are right.
    std::size_t bytes_in_use = 0, allocations = 0, steps = 0;
    std::array<slab*, slab::bins> slabs{}; // by longest_bin()
    slab::bin_set occupied;

    void add(slab& s) noexcept;
    void remove(slab& s) noexcept;
    void update(slab& s) noexcept; // after a change in it
    std::size_t take(std::size_t count, std::size_t step, slab*& from) noexcept;
  };
  using idle_key = std::pair<std::size_t, address>; // size first
  using idle_blocks = std::set<idle_key>;
  struct block { // of a large piece
    memory_block memory;
    std::size_t size = 0;
    std::size_t asked = 0;        // by who uses it
    idle_blocks::node_type place; // among the idle ones, while it is used: freeing needs no memory
  };
  using blocks = std::map<address, block>;
  using locked = std::unique_lock<std::mutex>;

  struct aside { // memory of CUDA's where objects of the past lie
    memory_block memory;
    std::size_t size;
  };

  memory_block from_cuda(std::size_t size, std::size_t alignment, failure& why);
  void to_cuda(memory_block const& memory, std::size_t size, failure& why) noexcept;
  void put_aside(aside const& memory);

  locked lock_arena_of(slab const& s) noexcept;
  bool attract(unsigned home, std::size_t length, bool also_used) noexcept;
  slab* take_spare();
  void recycle(slab& s) noexcept;
  bool is_obstructed(address base) noexcept;
  slab* make_slab(failure& why);
  void bury(slab& s) noexcept;
  void leave(slab& s) noexcept;
  void bury_all();
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
  std::atomic<bool> is_reserved_ = false; // by reserve(): threads share slabs rather than call CUDA
  std::atomic<std::size_t> reserved_ = 0; // bytes
  std::atomic<std::size_t> made_ = 0;     // allocations of CUDA's

  mutable std::mutex mutex_; // of what follows
  blocks blocks_;
  std::array<idle_blocks, 32> idle_; // by the alignment of their address, from slab_alignment on
  std::size_t idle_bytes_ = 0;
  std::size_t block_bytes_ = 0, block_allocations_ = 0, block_steps_ = 0;
  slab* spare_ = nullptr; // without memory; never freed, since slab_index::find may still look at one
  std::vector<aside> aside_;
};

} // namespace cudax::runtime
