// SPDX-License-Identifier: Apache-2.0
//
// resource_pool: memory of one kind, mapped or managed, handed out in pieces.
//
// CUDA allocates by pages, in a call of some ten microseconds; flags have a few bytes. So pieces of up to
// piece_limit bytes come out of slabs of slab_size bytes, each one allocation of CUDA, in granules of 16 bytes; a
// larger piece is an allocation of its own. Three things keep std::pmr's own pools from doing this:
//
// - Which granules are used stands in ordinary memory. A pool of std::pmr writes into what it hands out, where a
//   stray store of a kernel destroys it, where each look moves a page of managed memory to the host, and where the
//   host must not look at all while a kernel runs on a device without concurrent_managed_access.
// - Freeing calls nobody. CUDA's free may wait for running kernels, and one that polls would wait for the thread that
//   frees; at the end of the process CUDA may be gone before the last object. So freed memory is kept for what comes
//   next, until trim(). Neither does freeing wait for somebody who calls: no lock is held while CUDA is called.
// - Every alignment up to a page is kept, whatever the size.
#pragma once

#include "host_boundary.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

namespace cudax::runtime {

class resource_pool {
public:
  static constexpr std::size_t slab_size = 64 * 1024;
  static constexpr std::size_t piece_limit = slab_size / 4;
  static constexpr std::size_t slab_alignment = 4096;
  static constexpr std::size_t granule = 16;

  struct counts {
    std::size_t bytes_in_use = 0;
    std::size_t bytes_reserved = 0;
    std::size_t allocations = 0;
    std::size_t blocks = 0;
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

private:
  using address = std::uintptr_t;
  static constexpr std::size_t granules = slab_size / granule;

  struct slab {
    memory_block memory;
    std::size_t free = granules;
    using bits = std::array<std::uint64_t, granules / 64>; // one for each granule
    bits used{};
    bits begins{}; // where a piece does

    static bool is_set(bits const& in, std::size_t at) noexcept { return in[at / 64] >> at % 64 & 1; }
    /// The first of `count` free granules whose number is a multiple of `step`; `granules` where there are none.
    std::size_t find(std::size_t count, std::size_t step) const noexcept;
    /// Whether these granules are one piece, all of it.
    bool is_piece(std::size_t first, std::size_t count) const noexcept;
    /// Makes them a piece, or free.
    void flip(std::size_t first, std::size_t count) noexcept;
  };
  struct block { // of a large piece
    memory_block memory;
    std::size_t size = 0;
    std::size_t asked = 0; // by who uses it
    bool used = true;
  };
  template <class Value> using by_address = std::map<address, Value>;
  using locked = std::unique_lock<std::mutex>;

  template <class Value>
  typename by_address<Value>::iterator make(by_address<Value>& all, std::size_t size, std::size_t alignment,
                                            locked& lock, failure& why);
  void* allocate_piece(std::size_t size, std::size_t alignment, locked& lock, failure& why);
  void* allocate_block(std::size_t size, std::size_t alignment, locked& lock, failure& why);
  std::size_t free_bytes() const noexcept;
  char const* name() const noexcept;

  memory_kind const kind_;
  mutable std::mutex mutex_;
  by_address<slab> slabs_;
  by_address<block> blocks_;
  by_address<slab>::iterator latest_ = slabs_.end(); // that had room
  std::size_t free_in_slabs_ = 0;                    // bytes
  counts counts_;
};

} // namespace cudax::runtime
