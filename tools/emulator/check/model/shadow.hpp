// SPDX-License-Identifier: Apache-2.0
//
// shadow: which agent last wrote each four bytes of memory, and which ones have read them since.
// Bytes of one word may have been written by different accesses, so that a mark says which of the four it means. Most
// words have one writer and one reader; what more there are lie elsewhere. At most so many readers are kept of a word
// that many read at once: if all of them race with a write, one will do for the report.
#pragma once

#include "clock.hpp"
#include "model.hpp"

#include <array>
#include <memory>
#include <unordered_map>
#include <vector>

namespace emulator::check {

/// An access to a word, as far as later ones must know of it.
struct mark {
  u32 who = 0;
  u32 epoch = 0;
  u32 code = 0;
  std::uint8_t size = 0;      ///< of the whole access; 0: too large to be a strong one
  std::uint8_t start = 0;     ///< the lower bits of its address
  std::uint8_t bytes : 4 = 0; ///< which of the word
  bool is_async : 1 = false;
  emulator::semantics semantics : 4 = emulator::semantics::weak;
  emulator::scope scope : 4 = emulator::scope::none;

  bool is_strong() const { return semantics != emulator::semantics::weak; }
};
static_assert(sizeof(mark) == 16);

inline constexpr std::size_t most_readers = 48;

struct word {
  struct more {
    std::vector<mark> writes, reads;
  };
  mark write{}, read{}; ///< bytes 0: none
  std::unique_ptr<more> rest;

  template <class F>
  void for_writes(F f) {
    if (write.bytes) f(write);
    if (rest)
      for (mark& m : rest->writes) f(m);
  }
  template <class F>
  void for_reads(F f) {
    if (read.bytes) f(read);
    if (rest)
      for (mark& m : rest->reads) f(m);
  }
  void forget(unsigned bytes); ///< what was done to them
  void set_write(mark const&); ///< also forgets the reads of these bytes
  /// `repeats(m)`: a read of the same thread that this one speaks for; `forgets(m)`: one of anybody; `victim`: which
  /// one to forget where there are too many all the same.
  template <class E, class F, class G>
  void add_read(mark const& m, E repeats, F forgets, G victim);
};

class shadow {
public:
  static constexpr std::size_t page_bytes = 1024;
  struct page {
    std::array<word, page_bytes / 4> words;
    std::array<bool, page_bytes / 4> has_messages{}; ///< a location of histories.hpp overlaps it
  };
  page& page_of(std::uintptr_t address);
  page* find_page(std::uintptr_t address);
  word& of(std::uintptr_t address) { return page_of(address).words[address % page_bytes / 4]; }
  void forget(std::uintptr_t start, std::size_t size);
  void clear();

private:
  std::unordered_map<std::uintptr_t, std::unique_ptr<page>> pages_;
  std::array<std::pair<std::uintptr_t, page*>, 64> recent_{};
};

template <class E, class F, class G>
void word::add_read(mark const& m, E repeats, F forgets, G victim) {
  if (!read.bytes || repeats(read) || (!rest && forgets(read))) {
    read = m;
    return;
  }
  if (!rest) rest = std::make_unique<more>();
  for (mark& each : rest->reads)
    if (repeats(each)) {
      each = m;
      return;
    }
  if (rest->reads.size() < most_readers) return void(rest->reads.push_back(m));
  // Asking all of them would cost more than all else that an access does: a few, and the last of these goes anyhow.
  constexpr int most_questions = 4;
  mark* chosen = nullptr;
  for (int i = 0; i < most_questions && !(chosen && forgets(*chosen)); ++i) chosen = &rest->reads[victim(most_readers)];
  *chosen = m;
}

} // namespace emulator::check
