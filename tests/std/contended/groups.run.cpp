// SPDX-License-Identifier: Apache-2.0
//
// Extension: read-modify-writes by a group: fetch_add(group, object, operand, order) and so on.
#include "support/test.hpp"
import cudax.sync;
#include "chained.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

TEST("with a single thread, the functions do what the members do: every kind of object") {
  auto& value = make<int>(test_, 5);
  atomic_ref<int> const a(value);
  CHECK_EQUAL(cudax::fetch_add(this_thread, a, 3), 5);
  CHECK_EQUAL(cudax::fetch_sub(this_warp, contended_ref(value), 1), 8);
  CHECK_EQUAL(cudax::fetch_and(this_block, a, 6, memory_order_relaxed), 7);
  CHECK_EQUAL(cudax::fetch_or(this_warp, a, 8, memory_order_release), 6);
  CHECK_EQUAL(cudax::fetch_xor(this_thread, a, 1, memory_order_acq_rel), 14);
  CHECK_EQUAL(cudax::fetch_max(this_block, a, 20), 15);
  CHECK_EQUAL(cudax::fetch_min(this_block, a, 18), 20);
  cudax::store_add(this_warp, a, 2);
  cudax::store_sub(this_thread, a, 4, memory_order_release);
  cudax::store_and(this_block, a, 30);
  cudax::store_or(this_block, a, 1);
  cudax::store_xor(this_warp, a, 3, memory_order_relaxed);
  cudax::store_max(this_warp, a, 25);
  cudax::store_min(this_block, a, 24);
  CHECK_EQUAL(value, 24);

  auto& f = make<atomic<float, thread_scope_device>>(test_, 1.0f);
  CHECK_EQUAL(cudax::fetch_add(this_block, f, 2.0f), 1.0f);
  auto& c = make<contended<unsigned char, thread_scope_block>>(test_, (unsigned char)(250));
  CHECK_EQUAL(cudax::fetch_add(this_warp, c, 10), 250);
  CHECK_EQUAL(c.load(), 4);
  int numbers[4] = {};
  auto& p = make<atomic<int*>>(test_, numbers + 1);
  CHECK(cudax::fetch_add(this_block, p, 2) == numbers + 1);
  CHECK(p.load() == numbers + 3);
}

struct of_warps {
  static constexpr bool ordered = true;
  static auto group() { return this_warp; }
};
struct of_blocks {
  static constexpr bool ordered = true;
  static auto group() { return this_block; }
};
struct of_clusters {
  static constexpr bool ordered = false;
  static auto group() { return this_cluster; }
};
/// A group of another library: the whole block, in an order that is not known.
struct others {
  struct type {
    decltype(this_block) whole;
    auto size() const { return whole.size(); }
    auto thread_rank() const { return whole.thread_rank(); }
    void sync() const { whole.sync(); }
  };
  static constexpr bool ordered = false;
  static type group() { return {}; }
};

/// Results are those of single operations; for this_warp and this_block in the order of the ranks.
template <class Groups, class Key, class T, thread_scope Scope> struct by_groups {
  static constexpr thread_scope scope = Scope;
  static constexpr unsigned rounds = 2; // one after the other: the block's shared words are used again
  T objects[rounds];
  chain<T> results[rounds];
  unsigned rank_in_group[most_links];

  by_groups() {
    for (T& object : objects) object = Key::template first<T>();
    __builtin_memset(static_cast<void*>(results), 0, sizeof(results));
  }
  void run(worker me, context&) {
    auto const group = Groups::group();
    rank_in_group[me.rank] = unsigned(group.thread_rank());
    T const operand = Key::template operand<T>(me.rank);
    for (unsigned i = 0; i < rounds; ++i)
      results[i].note(me.rank, operand, Key::apply(group, atomic_ref<T, Scope>(objects[i]), operand));
  }
  void verify(unsigned threads, context& test_) {
    for (unsigned i = 0; i < rounds; ++i) {
      auto& all = results[i];
      if (Groups::ordered)
        for (unsigned j = 1; j < threads; ++j)
          if (rank_in_group[j] != 0)
            CHECK_SAME(all.before[j], Key::template after<T>(all.before[j - 1], all.operand[j - 1]));
      all.check(test_, threads, Key::template first<T>(), objects[i], Key::template after<T>);
    }
  }
};
struct group_adding : adding {
  template <class G, class R, class T> static T apply(G group, R a, T operand) {
    return cudax::fetch_add(group, a, operand, memory_order_relaxed);
  }
};
struct group_setting : setting {
  template <class G, class R, class T> static T apply(G group, R a, T operand) {
    return cudax::fetch_or(group, a, operand, memory_order_relaxed);
  }
};
struct group_clearing : clearing {
  template <class G, class R, class T> static T apply(G group, R a, T operand) {
    return cudax::fetch_and(group, a, operand, memory_order_relaxed);
  }
};
struct group_raising : raising {
  template <class G, class R, class T> static T apply(G group, R a, T operand) {
    return cudax::fetch_max(group, a, operand, memory_order_relaxed);
  }
};
struct group_lowering : lowering {
  template <class G, class R, class T> static T apply(G group, R a, T operand) {
    return cudax::fetch_min(group, a, operand, memory_order_relaxed);
  }
};
CONCURRENT_TEST("results are those of single operations in the order of ranks: warp, add, 32 bits",
                by_groups<of_warps, group_adding, unsigned, thread_scope_device>)
CONCURRENT_TEST("results are those of single operations in the order of ranks: block, add, 32 bits",
                by_groups<of_blocks, group_adding, int, thread_scope_device>)
CONCURRENT_TEST("results are those of single operations in the order of ranks: block, add, 64 bits, in shared memory",
                by_groups<of_blocks, group_adding, long long, thread_scope_block>)
CONCURRENT_TEST("results are those of single operations in the order of ranks: block, add, float",
                by_groups<of_blocks, group_adding, float, thread_scope_device>)
CONCURRENT_TEST("results are those of single operations in the order of ranks: block, add, system",
                by_groups<of_blocks, group_adding, unsigned, thread_scope_system>)
CONCURRENT_TEST("results are those of single operations in the order of ranks: warp, or, 64 bits",
                by_groups<of_warps, group_setting, unsigned long long, thread_scope_device>)
CONCURRENT_TEST("results are those of single operations in the order of ranks: block, and, 32 bits",
                by_groups<of_blocks, group_clearing, unsigned, thread_scope_block>)
CONCURRENT_TEST("results are those of single operations in the order of ranks: block, max, float with NaN",
                by_groups<of_blocks, group_raising, float, thread_scope_device>)
CONCURRENT_TEST("results are those of single operations in the order of ranks: warp, min, 64 bits",
                by_groups<of_warps, group_lowering, long long, thread_scope_block>)
CONCURRENT_TEST("results are those of single operations: cluster, add, 32 bits",
                by_groups<of_clusters, group_adding, unsigned, thread_scope_cluster>)
CONCURRENT_TEST("results are those of single operations: another group, add, 32 bits",
                by_groups<others, group_adding, unsigned, thread_scope_device>)

/// The functions without a result, by one group after the other.
template <class Groups, class T, thread_scope Scope> struct stored_by_groups {
  static constexpr thread_scope scope = Scope;
  alignas(16) T sum = T(0);
  T difference = T(0), largest = T(0), smallest = T(100);
  alignas(4) unsigned ones = 0, zeros = ~0u, parity = 0;

  void run(worker me, context&) {
    auto const group = Groups::group();
    using bits = contended_ref<unsigned, Scope>;
    using numbers = atomic_ref<T, Scope>;
    cudax::store_add(group, numbers(sum), T(1 + me.rank % 3), memory_order_relaxed);
    cudax::store_sub(group, numbers(difference), T(1), memory_order_relaxed);
    cudax::store_max(group, numbers(largest), T(me.rank % 100), memory_order_relaxed);
    cudax::store_min(group, numbers(smallest), T(100 - int(me.rank % 100)), memory_order_relaxed);
    cudax::store_or(group, bits(ones), 1u << me.rank % 31, memory_order_relaxed);
    cudax::store_and(group, bits(zeros), ~(1u << me.rank % 31), memory_order_relaxed);
    cudax::store_xor(group, bits(parity), me.rank, memory_order_relaxed);
  }
  void verify(unsigned threads, context& test_) {
    T a = T(0), m = T(0);
    unsigned o = 0, x = 0;
    for (unsigned i = 0; i < threads; ++i) {
      a = T(a + T(1 + i % 3));
      o |= 1u << i % 31;
      x ^= i;
      if (T(i % 100) > m) m = T(i % 100);
    }
    CHECK_EQUAL(sum, a);
    CHECK_EQUAL(difference, T(T(0) - T(threads)));
    CHECK_EQUAL(largest, m);
    CHECK_EQUAL(smallest, T(T(100) - m));
    CHECK_EQUAL(ones, o);
    CHECK_EQUAL(zeros, ~o);
    CHECK_EQUAL(parity, x);
  }
};
CONCURRENT_TEST("nothing is lost: warp, 32 bits", stored_by_groups<of_warps, unsigned, thread_scope_device>)
CONCURRENT_TEST("nothing is lost: block, 16 bits", stored_by_groups<of_blocks, short, thread_scope_device>)
CONCURRENT_TEST("nothing is lost: block, 64 bits, in shared memory",
                stored_by_groups<of_blocks, unsigned long long, thread_scope_block>)
CONCURRENT_TEST("nothing is lost: block, float", stored_by_groups<of_blocks, float, thread_scope_device>)
CONCURRENT_TEST("nothing is lost: cluster, double", stored_by_groups<of_clusters, double, thread_scope_cluster>)
CONCURRENT_TEST("nothing is lost: another group, float", stored_by_groups<others, float, thread_scope_device>)

/// Every thread writes plain data, and its group counts its threads with an operation that releases. Threads that see
/// the whole count, by an operation of the group that acquires, read the data of all others.
template <class Groups, class Count, thread_scope Scope> struct counted_by_groups {
  static constexpr thread_scope scope = Scope;
  unsigned data[most_links];
  unsigned arrived = 0;

  void run(worker me, context& test_) {
    auto const group = Groups::group();
    atomic_ref<unsigned, Scope> const count(arrived);
    data[me.rank] = me.rank * 3 + 1;
    Count::apply(group, count);
    if (group.thread_rank() == 0) AWAIT(count.load(memory_order_relaxed) == me.size);
    group.sync();
    CHECK_EQUAL(Count::read(group, count), me.size);
    for (unsigned i = 1; i < 4; ++i) {
      unsigned const other = (me.rank + i * me.size / 4) % me.size;
      CHECK_EQUAL(data[other], other * 3 + 1);
    }
  }
  void verify(unsigned threads, context& test_) { CHECK_EQUAL(arrived, threads); }
};
struct by_fetch {
  template <class G, class R> static void apply(G group, R const& a) {
    cudax::fetch_add(group, a, 1, memory_order_release);
  }
  template <class G, class R> static unsigned read(G group, R const& a) {
    return cudax::fetch_or(group, a, 0, memory_order_acquire);
  }
};
struct by_store {
  template <class G, class R> static void apply(G group, R const& a) {
    cudax::store_add(group, a, 1, memory_order_release);
  }
  template <class G, class R> static unsigned read(G group, R const& a) {
    return cudax::fetch_max(group, a, 0, memory_order_acq_rel);
  }
};
struct by_default_order {
  template <class G, class R> static void apply(G group, R const& a) { cudax::store_add(group, a, 1); }
  template <class G, class R> static unsigned read(G group, R const& a) { return cudax::fetch_add(group, a, 0); }
};
CONCURRENT_TEST("an operation by a group releases and acquires for every thread: warp, fetch_add",
                counted_by_groups<of_warps, by_fetch, thread_scope_device>)
CONCURRENT_TEST("an operation by a group releases and acquires for every thread: block, fetch_add",
                counted_by_groups<of_blocks, by_fetch, thread_scope_device>)
CONCURRENT_TEST("an operation by a group releases and acquires for every thread: block, store_add",
                counted_by_groups<of_blocks, by_store, thread_scope_device>)
CONCURRENT_TEST("an operation by a group releases and acquires for every thread: block, seq_cst",
                counted_by_groups<of_blocks, by_default_order, thread_scope_device>)
CONCURRENT_TEST("an operation by a group releases and acquires for every thread: another group, store_add",
                counted_by_groups<others, by_store, thread_scope_device>)

/// A thread's own accesses to the object stay in the order of the program, for relaxed operations, too.
template <class Groups, thread_scope Scope> struct coherent_by_groups {
  static constexpr thread_scope scope = Scope;
  unsigned sum = 0, largest = 0;

  void run(worker me, context& test_) {
    auto const group = Groups::group();
    atomic_ref<unsigned, Scope> const total(sum), top(largest);
    unsigned const before = cudax::fetch_add(group, total, 2, memory_order_relaxed);
    CHECK(total.load(memory_order_relaxed) >= before + 2);
    cudax::store_add(group, total, 2, memory_order_relaxed);
    CHECK(total.load(memory_order_relaxed) >= before + 4);
    top.fetch_max(me.rank, memory_order_relaxed);
    CHECK(cudax::fetch_max(group, top, 0, memory_order_relaxed) >= me.rank);
  }
  void verify(unsigned threads, context& test_) { CHECK_EQUAL(sum, 4 * threads); }
};
CONCURRENT_TEST("a thread's accesses to the object stay in order: warp",
                coherent_by_groups<of_warps, thread_scope_device>)
CONCURRENT_TEST("a thread's accesses to the object stay in order: block",
                coherent_by_groups<of_blocks, thread_scope_device>)

TESTS_END
