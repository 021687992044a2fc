// SPDX-License-Identifier: Apache-2.0
//
// range_tree: ranges of addresses that are looked up without a lock while a thread changes them.
//
// A treap ordered by the first byte: a search tree that random priorities keep balanced. Each entry stores the largest
// end in its left subtree, so a look-up follows one path. It goes left if some range on the left ends after the
// address: if none of those contains the address, they begin after it, and so do all ranges on the right. Otherwise it
// goes right.
//
// There are two copies of the links, each with a version. A change updates one copy after the other: odd version,
// links, even version. A look-up that finds an odd version, or a different version at its end, has read a mixture and
// restarts in the other copy. So a thread that is stopped in the middle of a change, by a debugger or by a signal whose
// handler does a look-up, blocks no look-up: one copy is whole at any time.
//
// Orders: a change stores with release after it has made the version odd; a look-up loads with acquire. So a look-up
// that has read any store of a change reads that odd version, or a later one, at its end. The first load of the version
// acquires the stores of the changes before it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>

namespace cudax::runtime {

class range_tree {
public:
  using address = std::uintptr_t;
  enum class result : unsigned char { found, absent, disturbed };

  /// An entry is in both copies or in none, and is never freed: a look-up may read it at any time. Its bounds change
  /// only while it is in none.
  struct entry {
    std::atomic<address> begin = 0;
    std::atomic<address> end = 0;

  private:
    friend range_tree;
    struct links {
      std::atomic<entry*> left = nullptr, right = nullptr;
      std::atomic<address> left_reach = 0; // the largest end in the left subtree
    } in_[2];
    address reach_[2] = {}; // the largest end in the subtree; accessed by the writer only
    std::uint32_t priority_ = 0;
  };

  /// `which`, 0 or 1, is the copy of the links that this tree uses.
  constexpr explicit range_tree(int which) noexcept : which_(which) {}

  /// Changes the tree. Called by one thread at a time.
  void insert(entry& fresh, std::uint32_t priority) noexcept {
    fresh.priority_ = priority;
    change([&](entry* root) { return inserted(root, fresh); });
  }
  void erase(entry& old) noexcept {
    change([&](entry* root) { return erased(root, old); });
  }

  /// Finds a range that contains `at`, and calls read(entry) before the final check of the version. Callable by any
  /// thread.
  template <class Read> result find(address at, Read read) const noexcept {
    unsigned const before = version_.load(std::memory_order_acquire);
    if (before % 2 != 0) return result::disturbed;
    auto const is_whole = [&] { return version_.load(std::memory_order_relaxed) == before; };
    entry* each = root_.load(std::memory_order_acquire);
    for (unsigned step = 1; each; ++step) {
      if (at >= each->begin.load(std::memory_order_acquire) && at < each->end.load(std::memory_order_acquire)) {
        read(*each);
        break;
      }
      auto const& in = each->in_[which_];
      each = at < in.left_reach.load(std::memory_order_acquire) ? in.left.load(std::memory_order_acquire)
                                                                : in.right.load(std::memory_order_acquire);
      if (step % 64 == 0 && !is_whole()) break; // a mixture of links may be cyclic
    }
    return !is_whole() ? result::disturbed : each ? result::found : result::absent;
  }

private:
  // Fields that only the writer reads need no order.
  entry* left(entry const& e) const noexcept { return e.in_[which_].left.load(std::memory_order_relaxed); }
  entry* right(entry const& e) const noexcept { return e.in_[which_].right.load(std::memory_order_relaxed); }
  static address end(entry const& e) noexcept { return e.end.load(std::memory_order_relaxed); }
  address reach(entry const* e) const noexcept { return e ? e->reach_[which_] : 0; }

  static bool precedes(entry const& a, entry const& b) noexcept {
    address const of_a = a.begin.load(std::memory_order_relaxed), of_b = b.begin.load(std::memory_order_relaxed);
    return of_a != of_b ? of_a < of_b : reinterpret_cast<address>(&a) < reinterpret_cast<address>(&b);
  }

  void set(entry& e, entry* left, entry* right) noexcept {
    auto& in = e.in_[which_];
    in.left.store(left, std::memory_order_release);
    in.right.store(right, std::memory_order_release);
    in.left_reach.store(reach(left), std::memory_order_release);
    e.reach_[which_] = std::max({end(e), reach(left), reach(right)});
  }

  template <class Change> void change(Change changed) noexcept {
    unsigned const version = version_.load(std::memory_order_relaxed);
    version_.store(version + 1, std::memory_order_relaxed);
    root_.store(changed(root_.load(std::memory_order_relaxed)), std::memory_order_release);
    version_.store(version + 2, std::memory_order_release);
  }

  entry* inserted(entry* root, entry& fresh) noexcept {
    if (!root || fresh.priority_ > root->priority_) {
      auto const [before, after] = split(root, fresh);
      set(fresh, before, after);
      return &fresh;
    }
    if (precedes(fresh, *root)) set(*root, inserted(left(*root), fresh), right(*root));
    else set(*root, left(*root), inserted(right(*root), fresh));
    return root;
  }

  entry* erased(entry* root, entry& old) noexcept {
    if (root == &old) return joined(left(old), right(old));
    if (precedes(old, *root)) set(*root, erased(left(*root), old), right(*root));
    else set(*root, left(*root), erased(right(*root), old));
    return root;
  }

  /// Splits the tree into the entries before `at` and those after it.
  std::pair<entry*, entry*> split(entry* root, entry const& at) noexcept {
    if (!root) return {nullptr, nullptr};
    if (precedes(*root, at)) {
      auto const [before, after] = split(right(*root), at);
      set(*root, left(*root), before);
      return {root, after};
    }
    auto const [before, after] = split(left(*root), at);
    set(*root, after, right(*root));
    return {before, root};
  }

  entry* joined(entry* before, entry* after) noexcept {
    if (!before || !after) return before ? before : after;
    if (before->priority_ > after->priority_) {
      set(*before, left(*before), joined(right(*before), after));
      return before;
    }
    set(*after, joined(before, left(*after)), right(*after));
    return after;
  }

  int const which_;
  std::atomic<unsigned> version_ = 0; // odd: a change is in progress
  std::atomic<entry*> root_ = nullptr;
};

} // namespace cudax::runtime
