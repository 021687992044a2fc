// SPDX-License-Identifier: Apache-2.0
//
// reduce_async_bulk, reduce_async_bulk_tx_remote, store_async_tx_remote, reduce_async_tx_remote, memcpy_async_bulk,
// prefetch_bulk (extensions). On the host the threads do the same by atomic_ref and plain copies; what needs barriers
// that count bytes, or a second block, is done from sm_90 only.
#include "support/test.hpp"
import cudax.sync;
#include "copying.hpp"

using namespace cudax;
using namespace cudax_test;
using device::reduction;

TESTS_BEGIN

/// A number that every element type holds exactly, and back.
template <class T> T of_number(long long number) {
  if constexpr (sizeof(T) == 2 && !__is_integral(T)) {
    if constexpr (__is_same(T, __bf16))
      return __builtin_bit_cast(T, (unsigned short)(__builtin_bit_cast(unsigned, float(number)) >> 16));
    else return T(float(number));
  } else return T(number);
}
template <class T> long long to_number(T value) {
  if constexpr (__is_same(T, __bf16))
    return (long long)__builtin_bit_cast(float, unsigned(__builtin_bit_cast(unsigned short, value)) << 16);
  else if constexpr (__is_same(T, _Float16)) return (long long)float(value);
  else return (long long)value;
}

/// What the reduction of two numbers is, for a type of `Bytes` bytes.
template <reduction Op, class T> long long reduced(long long a, long long b) {
  switch (Op) {
  case reduction::add: return to_number(of_number<T>(a + b)); // integers wrap round
  case reduction::min: return a < b ? a : b;
  case reduction::max: return a < b ? b : a;
  case reduction::inc: return a >= b ? 0 : a + 1;
  case reduction::dec: return a == 0 || a > b ? b : a - 1;
  case reduction::bit_and: return a & b;
  case reduction::bit_or: return a | b;
  case reduction::bit_xor: return a ^ b;
  }
  return 0;
}

/// The operation by atomic_ref, where there is no asynchronous one.
template <reduction Op, class T> void reduce_in_place(T& object, T value) {
  using reference = atomic_ref<T, thread_scope_device>;
  if constexpr (Op == reduction::add) reference(object).store_add(value);
  else if constexpr (Op == reduction::min) reference(object).store_min(value);
  else if constexpr (Op == reduction::max) reference(object).store_max(value);
  else if constexpr (Op == reduction::bit_and) reference(object).store_and(value);
  else if constexpr (Op == reduction::bit_or) reference(object).store_or(value);
  else if constexpr (Op == reduction::bit_xor) reference(object).store_xor(value);
  else object = T(reduced<Op, T>(object, value));
}

/// Operands below and above the elements, zero and, where the type has them, negative ones.
template <class T> long long element_at(unsigned i) {
  return (long long)(i * 5 % 11) - (T(-1) < T(0) || sizeof(T) == 2 ? 4 : 0);
}
template <class T> long long operand_at(unsigned i) {
  return (long long)(i * 3 % 7) - (T(-1) < T(0) || sizeof(T) == 2 ? 2 : 0);
}

template <reduction Op, class T> void reduce_array(context& test_) {
  T* const from = reinterpret_cast<T*>(block_memory());
  T* const to = reinterpret_cast<T*>(target_memory());
  constexpr unsigned size = 256 / sizeof(T);
  for (unsigned i = 0; i < size; ++i) {
    from[i] = of_number<T>(operand_at<T>(i));
    to[i] = of_number<T>(element_at<T>(i));
  }
#if defined(__CUDA_ARCH__)
  device::reduce_async_bulk<Op>(to, from, aligned_size_t<16>(256));
  device::bulk_commit();
  device::bulk_wait<0>();
#else
  for (unsigned i = 0; i < size; ++i) reduce_in_place<Op>(to[i], from[i]);
#endif
  for (unsigned i = 0; i < size; ++i)
    CHECK_EQUAL(to_number(to[i]), (reduced<Op, T>(element_at<T>(i), operand_at<T>(i))));
}

template <reduction Op, class... T> void reduce_arrays(context& test_) { (reduce_array<Op, T>(test_), ...); }

TEST("a bulk reduction computes each operation with each type") {
  using s64 = long long;
  using u64 = unsigned long long;
  reduce_arrays<reduction::add, unsigned, int, u64, s64, long, float, double, _Float16, __bf16>(test_);
  reduce_arrays<reduction::min, unsigned, int, u64, s64, unsigned long, _Float16, __bf16>(test_);
  reduce_arrays<reduction::max, unsigned, int, u64, s64, long, _Float16, __bf16>(test_);
  reduce_arrays<reduction::inc, unsigned>(test_);
  reduce_arrays<reduction::dec, unsigned>(test_);
  reduce_arrays<reduction::bit_and, unsigned, int, u64, s64>(test_);
  reduce_arrays<reduction::bit_or, unsigned, int, u64, s64>(test_);
  reduce_arrays<reduction::bit_xor, unsigned, int, u64, s64>(test_);
}

/// Reduces numbers of 16 bits, given as bits.
template <reduction Op, class T>
void reduce_halves(context& test_, unsigned short const (&before)[8], unsigned short const (&operands)[8],
                   unsigned short const (&after)[8]) {
  auto* const from = reinterpret_cast<unsigned short*>(block_memory());
  auto* const to = reinterpret_cast<unsigned short*>(target_memory());
  for (unsigned i = 0; i < 8; ++i) from[i] = operands[i], to[i] = before[i];
#if defined(__CUDA_ARCH__)
  device::reduce_async_bulk<Op>(reinterpret_cast<T*>(to), reinterpret_cast<T const*>(from), aligned_size_t<16>(16));
  device::bulk_commit();
  device::bulk_wait<0>();
#else
  for (unsigned i = 0; i < 8; ++i) to[i] = after[i]; // the host has no such operation
#endif
  for (unsigned i = 0; i < 8; ++i) CHECK_EQUAL(to[i], after[i]);
}

/// `one`, `minus_one` and the NaNs are the type's own; zeros and the least number have the same bits in both types.
template <class T>
void check_extrema(context& test_, unsigned short one, unsigned short minus_one, unsigned short nan,
                   unsigned short other_nan) {
  constexpr unsigned short zero = 0, minus = 0x8000, least = 1, minus_least = 0x8001, canonical = 0x7fff;
  unsigned short const before[8] = {zero, minus, nan, one, nan, least, minus_least, one};
  unsigned short const operands[8] = {minus, zero, one, nan, other_nan, zero, minus, minus_one};
  reduce_halves<reduction::min, T>(test_, before, operands,
                                   {minus, minus, one, one, canonical, zero, minus_least, minus_one});
  reduce_halves<reduction::max, T>(test_, before, operands, {zero, zero, one, one, canonical, least, minus, one});
}

TEST("of numbers of 16 bits, -0 is less than 0, and a number is preferred to a NaN") {
  check_extrema<_Float16>(test_, 0x3c00, 0xbc00, 0x7e00, 0xfe01);
  check_extrema<__bf16>(test_, 0x3f80, 0xbf80, 0x7fc1, 0xffc1);
}

TEST("a bulk copy to global memory has read its source after bulk_wait_read, and is complete after bulk_wait") {
  for (unsigned const size : {16u, 48u, 64u, 1040u, 4096u}) {
    fill(block_memory(), 0, size, 1, size);
    for (unsigned i = 0; i < size + 16; ++i) target_memory()[i] = 99;
#if defined(__CUDA_ARCH__)
    device::prefetch_bulk(target_memory(), aligned_size_t<16>(size));
    device::l2_policy const policy(device::l2_eviction::evict_first);
    if (size % 64 != 0) device::memcpy_async_bulk(target_memory(), block_memory(), aligned_size_t<16>(size));
    else device::memcpy_async_bulk(target_memory(), block_memory(), aligned_size_t<16>(size), policy);
    device::bulk_commit();
    device::bulk_wait_read<0>();
    for (unsigned i = 0; i < size; ++i) block_memory()[i] = 0;
    device::bulk_wait<0>();
#else
    for (unsigned i = 0; i < size; ++i) target_memory()[i] = block_memory()[i];
#endif
    CHECK_EQUAL(wrong(target_memory(), 0, size, 1, size), 0u);
    for (unsigned i = 0; i < 16; ++i) CHECK_EQUAL(target_memory()[size + i], 99);
  }
}

struct alignas(16) sixteen_bytes {
  unsigned words[4];
};

/// In each round every block tells every other block values of each size, and adds to its counters; and every block
/// reduces an array into that of each other block, and into global memory.
struct all_to_all {
  static constexpr thread_scope scope = thread_scope_cluster;
  static constexpr unsigned senders = 16, rounds = 5, words = 64; // senders: threads of each block that store
  barrier<thread_scope_cluster> all;
  shared_objects<thread_scope_cluster> objects;
  unsigned sum;

  /// What a block holds: in shared memory, at the same place in each.
  struct inbox {
    alignas(16) unsigned bins[words];
    alignas(16) unsigned own[words];
    sixteen_bytes wide[8][senders];
    unsigned long long middle[8][senders];
    unsigned narrow[8][senders];
    unsigned long long total;
    unsigned count, odd;
    int highest, lowest;
  };
  static unsigned word_of(unsigned round, unsigned block, unsigned i) { return round * 1000 + block * 100 + i; }

  void run(worker me, context& test_) {
    if (!objects.make(me, test_, [&] { init(&all, me.size), sum = 0; })) return;
#if BY_TRANSACTIONS
    unsigned const size = unsigned(this_block.size()), thread = unsigned(this_block.thread_rank());
    unsigned const blocks = unsigned(this_cluster.size()) / size;
    unsigned const block = unsigned(this_cluster.thread_rank()) / size;
    auto& here = *reinterpret_cast<inbox*>(block_memory());
    unsigned* const sums = reinterpret_cast<unsigned*>(target_memory());
    __shared__ barrier<thread_scope_block> done;
    if (thread == 0) {
      init(&done, 1);
      device::fence_barrier_init();
    }
    constexpr unsigned bytes_of_a_sender = 16 + 8 + 4 + 8 + 4 + 4 + 4 + 4;
    unsigned const bytes = (blocks - 1) * (senders * bytes_of_a_sender + unsigned(sizeof(here.bins)));
    for (unsigned round = 0; round < rounds; ++round) {
      for (unsigned i = thread; i < words; i += size) {
        here.bins[i] = 0;
        here.own[i] = word_of(round, block, i);
        if (block == 0) sums[i] = 0;
      }
      if (thread == 0) {
        here.total = 0;
        here.count = here.odd = 0;
        here.highest = -1'000'000, here.lowest = 1'000'000;
        (void)device::barrier_arrive_tx(done, 1, bytes);
      }
      this_cluster.sync(); // the targets are ready, and the phases expect their bytes
      for (unsigned to = 0; to < blocks; ++to) {
        if (to == block) continue;
        inbox& there = *this_cluster.map_shared_rank(&here, int(to));
        auto& told = *this_cluster.map_shared_rank(&done, int(to));
        if (thread < senders) {
          unsigned const word = word_of(round, block, thread);
          device::store_async_tx_remote(&there.wide[block][thread], {word, to, thread, round}, told);
          device::store_async_tx_remote(&there.middle[block][thread], (1ull << 40) + word, told);
          device::store_async_tx_remote(&there.narrow[block][thread], word, told);
          device::reduce_async_tx_remote<reduction::add>(&there.total, (1ull << 33) + word, told);
          device::reduce_async_tx_remote<reduction::inc>(&there.count, ~0u, told);
          device::reduce_async_tx_remote<reduction::bit_xor>(&there.odd, 1u << thread, told);
          device::reduce_async_tx_remote<reduction::max>(&there.highest, int(word) - 5000, told);
          device::reduce_async_tx_remote<reduction::min>(&there.lowest, int(word) - 5000, told);
        }
        if (thread == 0)
          device::reduce_async_bulk_tx_remote<reduction::add>(there.bins, here.own,
                                                              aligned_size_t<16>(sizeof(here.own)), told);
      }
      if (thread == 0) {
        device::reduce_async_bulk<reduction::add>(sums, here.own, aligned_size_t<16>(sizeof(here.own)),
                                                  device::l2_policy(device::l2_eviction::evict_last));
        device::bulk_commit();
        device::bulk_wait<0>();
      }
      AWAIT(device::barrier_try_wait_parity_cluster(done, round % 2));
      for (unsigned from = 0; from < blocks; ++from)
        if (thread < senders && from != block) {
          unsigned const word = word_of(round, from, thread);
          sixteen_bytes const& wide = here.wide[from][thread];
          CHECK_EQUAL(wide.words[0], word);
          CHECK_EQUAL(wide.words[1], block);
          CHECK_EQUAL(wide.words[2], thread);
          CHECK_EQUAL(wide.words[3], round);
          CHECK_EQUAL(here.middle[from][thread], (1ull << 40) + word);
          CHECK_EQUAL(here.narrow[from][thread], word);
        }
      unsigned long long total = 0;
      int highest = -1'000'000, lowest = 1'000'000;
      for (unsigned from = 0; from < blocks; ++from)
        for (unsigned i = 0; from != block && i < senders; ++i) {
          unsigned const word = word_of(round, from, i);
          total += (1ull << 33) + word;
          highest = int(word) - 5000 > highest ? int(word) - 5000 : highest;
          lowest = int(word) - 5000 < lowest ? int(word) - 5000 : lowest;
        }
      CHECK_EQUAL(here.total, total);
      CHECK_EQUAL(here.count, (blocks - 1) * senders);
      CHECK_EQUAL(here.odd, blocks % 2 ? 0u : (1u << senders) - 1);
      CHECK_EQUAL(here.highest, highest);
      CHECK_EQUAL(here.lowest, lowest);
      this_cluster.sync();
      for (unsigned i = thread; i < words; i += size) {
        unsigned of_all = 0;
        for (unsigned from = 0; from < blocks; ++from) of_all += word_of(round, from, i);
        CHECK_EQUAL(here.bins[i], of_all - word_of(round, block, i));
        CHECK_EQUAL(sums[i], of_all);
      }
      this_cluster.sync(); // all have read the sums
    }
    if (thread == 0) destroy(&done);
#else
    for (unsigned round = 0; round < rounds; ++round) {
      reduce_in_place<reduction::add>(sum, word_of(round, 0, me.rank));
      all.arrive_and_wait();
      unsigned expected = 0;
      for (unsigned i = 0; i < me.size; ++i)
        for (unsigned before = 0; before <= round; ++before) expected += word_of(before, 0, i);
      CHECK_EQUAL(sum, expected);
      all.arrive_and_wait();
    }
#endif
  }
  void verify(unsigned, context& test_) { CHECK(objects.are_made()); }
};
CONCURRENT_TEST("stores and reductions in other blocks are complete when the phase has awaited their bytes", all_to_all)

TESTS_END
