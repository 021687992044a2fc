// SPDX-License-Identifier: Apache-2.0
//
// slab: 64 KiB of CUDA's memory, divided into pieces. Every operation takes a bounded number of steps.
//
// The unit is a granule of 16 bytes. A run is a maximal sequence of adjacent free granules. Runs of similar length are
// in one list, a bin: below 64 granules each length has its own bin, above there are 32 bins for each power of two. The
// length of a piece is the shortest length of its bin, so every run of that bin or of a longer one has room for it, and
// the first one is taken. A piece of more than 1 KiB is therefore up to a 32nd larger than requested. An alignment
// larger than a granule needs a run that is longer by the alignment. Some shorter runs are tried first, because most
// programs use one alignment for one size.
//
// All tables are in ordinary memory (resource_pool.hpp says why): one word per granule describes what begins or ends
// there, two more link the runs of a bin.
#pragma once

#include "../interface/host_boundary.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace cudax::runtime {

class slab {
public:
  static constexpr std::size_t size = 64 * 1024;
  static constexpr std::size_t granule = 16;
  static constexpr std::size_t granules = size / granule;
  static constexpr std::size_t alignment = 4096;

  /// Returns the bin of runs of `length` granules, from 1 to `granules`.
  static constexpr std::size_t bin_of(std::size_t length) noexcept {
    if (length < exact) return length;
    auto const level = static_cast<std::size_t>(std::bit_width(length)) - 1;
    return bins_per_level * (level - 4) + (length >> (level - 5)) - bins_per_level;
  }
  /// Returns the length of a piece for `count` granules: the shortest length of its bin.
  static constexpr std::size_t rounded(std::size_t count) noexcept {
    if (count < exact) return count;
    std::size_t const unit = std::bit_floor(count) / bins_per_level;
    return (count + unit - 1) / unit * unit;
  }
  static constexpr std::size_t bins = 257; // bin_of(granules) + 1

  /// The set of non-empty bins, as bits.
  class bin_set {
  public:
    void insert(std::size_t bin) noexcept { words_[bin / 64] |= std::uint64_t{1} << bin % 64; }
    void erase(std::size_t bin) noexcept { words_[bin / 64] &= ~(std::uint64_t{1} << bin % 64); }
    /// Returns the first bin of the set from `from` upwards; `bins` if there is none.
    std::size_t first(std::size_t from) const noexcept {
      std::uint64_t word = from < bins ? words_[from / 64] >> from % 64 << from % 64 : 0;
      for (std::size_t at = from / 64; at < words_.size(); word = ++at < words_.size() ? words_[at] : 0)
        if (word) return at * 64 + static_cast<std::size_t>(std::countr_zero(word));
      return bins;
    }
    /// Returns the last bin of the set; 0 if there is none.
    std::size_t last() const noexcept {
      for (std::size_t at = words_.size(); at-- > 0;)
        if (words_[at]) return at * 64 + 63 - static_cast<std::size_t>(std::countl_zero(words_[at]));
      return 0;
    }

  private:
    std::array<std::uint64_t, 5> words_{};
  };

  /// Makes the whole slab one run.
  void clear() noexcept {
    tags_.fill(0);
    runs_ = {};
    free_ = 0;
    add_run(0, granules);
  }

  std::size_t free() const noexcept { return free_; } // granules
  bool is_empty() const noexcept { return free_ == granules; }
  std::size_t longest_bin() const noexcept { return runs_.last(); }

  /// Allocates a piece of `count` granules, a rounded() number, whose first granule is a multiple of `step`. Returns
  /// that granule, or `granules` if no room was found; it is always found if a run of rounded(count + step - 1) is
  /// free. Adds the number of runs that it examines to `steps`.
  std::size_t take(std::size_t count, std::size_t step, std::size_t& steps) noexcept {
    if (step > 1) {
      int tries = most_tries;
      for (std::size_t bin = runs_.first(bin_of(count)); bin != bins && tries > 0; bin = runs_.first(bin + 1))
        for (std::size_t run = heads_[bin]; run != none && tries-- > 0; run = next_[run]) {
          ++steps;
          if (std::size_t const at = round_up(run, step); at + count <= run + length(run)) return carve(run, at, count);
        }
    }
    ++steps;
    std::size_t const bin = runs_.first(bin_of(rounded(count + step - 1)));
    if (bin == bins) return granules;
    std::size_t const run = heads_[bin];
    return carve(run, round_up(run, step), count);
  }

  bool is_piece(std::size_t first, std::size_t count) const noexcept {
    return first < granules && tags_[first] == (piece | count);
  }

  /// Frees a piece.
  void put(std::size_t first, std::size_t count) noexcept {
    std::size_t end = first + count;
    tags_[first] = 0;
    if (end < granules && (tags_[end] & run)) {
      std::size_t const next = length(end);
      remove_run(end);
      end += next;
    }
    if (first > 0 && (tags_[first - 1] & run)) {
      first -= length(first - 1);
      remove_run(first);
    }
    add_run(first, end - first);
  }

  // --- used by the pool ---
  memory_block memory;
  std::atomic<std::uintptr_t> base = 0;      // its first byte; 0: it has no memory
  std::atomic<unsigned> arena = 0;           // the arena whose lock protects it
  void const* pool = nullptr;                // its pool, which never changes
  bool is_dead = false;                      // its memory no longer exists: the context was destroyed
  std::size_t bin = 0;                       // longest_bin() when it was put into the list
  slab *next = nullptr, *previous = nullptr; // in the list

private:
  static constexpr std::size_t exact = 64, bins_per_level = 32;
  static constexpr std::uint16_t run = 0x8000, piece = 0x4000, lengths = 0x3fff, none = 0xffff;
  static constexpr int most_tries = 8;

  static constexpr std::size_t round_up(std::size_t value, std::size_t unit) noexcept {
    return (value + unit - 1) / unit * unit;
  }
  std::size_t length(std::size_t at) const noexcept { return tags_[at] & lengths; }

  void add_run(std::size_t first, std::size_t count) noexcept {
    tags_[first] = tags_[first + count - 1] = static_cast<std::uint16_t>(run | count);
    std::size_t const in = bin_of(count);
    if (runs_.first(in) != in) heads_[in] = none;
    next_[first] = heads_[in];
    previous_[first] = none;
    if (heads_[in] != none) previous_[heads_[in]] = static_cast<std::uint16_t>(first);
    heads_[in] = static_cast<std::uint16_t>(first);
    runs_.insert(in);
    free_ += count;
  }

  void remove_run(std::size_t first) noexcept {
    std::size_t const count = length(first), in = bin_of(count);
    if (next_[first] != none) previous_[next_[first]] = previous_[first];
    if (previous_[first] != none) next_[previous_[first]] = next_[first];
    else heads_[in] = next_[first];
    if (heads_[in] == none) runs_.erase(in);
    tags_[first] = tags_[first + count - 1] = 0;
    free_ -= count;
  }

  std::size_t carve(std::size_t from, std::size_t at, std::size_t count) noexcept {
    std::size_t const end = from + length(from);
    remove_run(from);
    if (at > from) add_run(from, at - from);
    if (at + count < end) add_run(at + count, end - at - count);
    tags_[at] = static_cast<std::uint16_t>(piece | count);
    return at;
  }

  std::array<std::uint16_t, granules> tags_; // `run` and its length at both ends of one; `piece` and its length
  std::array<std::uint16_t, granules> next_, previous_; // of a run in its bin, at its first granule
  std::array<std::uint16_t, bins> heads_;               // of the bins in runs_
  bin_set runs_;
  std::size_t free_ = 0;
};

static_assert(slab::bin_of(slab::granules) + 1 == slab::bins && slab::bin_of(63) == 63 && slab::bin_of(64) == 64);

} // namespace cudax::runtime
