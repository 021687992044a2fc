// SPDX-License-Identifier: Apache-2.0
//
// resource_pool on a simulated machine: the number of steps of an allocation, however many slabs and blocks exist;
// concurrent threads; memory whose context was destroyed.
#include "../../../runtime/memory/resource_pool.hpp"
#include "../../../runtime/cuda/cuda_calls.hpp"
#include "../simulated/failing_heap.hpp"
#include "../simulated/simulated_machine.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <barrier>
#include <random>
#include <set>
#include <thread>
#include <vector>

using cudax::runtime::failure;
using cudax::runtime::memory_kind;
using cudax::runtime::slab;
namespace cuda = cudax::runtime::cuda;

namespace {

/// A pool that is never destroyed, like the pools of the program.
struct fixture : cudax_test::simulated_machine {
  cudax::runtime::resource_pool& pool = make();

  ~fixture() {
    failure why;
    pool.trim(why);
    BOOST_TEST(why.code == cuda::success, why.sentence);
    BOOST_TEST(pool.count().bytes_in_use == 0u);
    BOOST_TEST(pool.count().allocations == 0u);
    BOOST_TEST(pool.count().blocks == 0u);
    BOOST_TEST(pool.count().bytes_reserved == 0u);
    BOOST_TEST(allocations() == 0u);
  }

  void* allocate(std::size_t size, std::size_t alignment = 16) {
    failure why;
    void* const at = pool.allocate(size, alignment, why);
    BOOST_REQUIRE_MESSAGE(at, why.sentence);
    return at;
  }
  std::vector<void*> allocate_all(std::size_t count, std::size_t size) {
    std::vector<void*> all(count);
    for (void*& each : all) each = allocate(size);
    return all;
  }
  void free(void* at, std::size_t size, std::size_t alignment = 16) { pool.deallocate(at, size, alignment); }

  /// The maximal number of steps of one allocation, over `times` allocations, which are freed again.
  std::size_t most_steps(std::size_t size, std::size_t alignment, int times) {
    std::size_t most = 0;
    std::vector<void*> pieces;
    for (int i = 0; i < times; ++i) {
      std::size_t const before = pool.count().steps;
      pieces.push_back(allocate(size, alignment));
      most = std::max(most, pool.count().steps - before);
    }
    for (void* const each : pieces) free(each, size, alignment);
    return most;
  }

private:
  static cudax::runtime::resource_pool& make() {
    static auto& only = *new cudax::runtime::resource_pool(memory_kind::managed);
    return only;
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(resource_pool, fixture)

BOOST_AUTO_TEST_CASE(a_length_is_rounded_up_to_the_smallest_of_a_bin) {
  for (std::size_t count = 1; count <= slab::granules; ++count) {
    std::size_t const length = slab::rounded(count);
    BOOST_REQUIRE(length >= count);
    BOOST_REQUIRE(length - count <= count / 32);
    BOOST_REQUIRE(slab::bin_of(length) < slab::bins);
    BOOST_REQUIRE(length == 1 || slab::bin_of(length - 1) < slab::bin_of(length));
    BOOST_REQUIRE(slab::bin_of(count) <= slab::bin_of(length));
  }
}

// 10 slabs or 4,000, each with holes in which the next piece fits, or does not fit.
BOOST_AUTO_TEST_CASE(the_number_of_steps_does_not_grow_with_the_slabs) {
  for (std::size_t const slabs : {10, 4000}) {
    std::vector<void*> const pieces = allocate_all(slabs * 64, 1024);
    BOOST_TEST(pool.count().blocks == slabs);
    for (std::size_t i = 0; i < pieces.size(); i += 2) free(pieces[i], 1024);
    BOOST_TEST(most_steps(1040, 16, 200) <= 16u, slabs << " slabs with holes that are too small");
    BOOST_TEST(most_steps(16'384, 4096, 20) <= 32u, slabs << " slabs with holes that are too small");
    BOOST_TEST(most_steps(1024, 16, 200) <= 16u, slabs << " slabs with holes that fit");
    BOOST_TEST(most_steps(256, 2048, 200) <= 32u, slabs << " slabs with holes that are not all aligned");
    for (std::size_t i = 1; i < pieces.size(); i += 2) free(pieces[i], 1024);
    failure why;
    pool.trim(why);
    BOOST_TEST(pool.count().blocks == 0u);
  }
}

BOOST_AUTO_TEST_CASE(the_number_of_steps_does_not_grow_with_the_blocks) {
  std::vector<void*> const used = allocate_all(10'000, 20'000);
  std::vector<void*> idle;
  idle.reserve(1000);
  for (std::size_t i = 0; i < 1000; ++i) idle.push_back(allocate(17'000 + i % 50 * 4096));
  for (std::size_t i = 0; i < 1000; ++i) free(idle[i], 17'000 + i % 50 * 4096);
  std::size_t const before = pool.count().blocks;
  BOOST_TEST(most_steps(100'000, 16, 20) <= 32u);
  BOOST_TEST(pool.count().blocks == before);
  for (void* const each : used) free(each, 20'000);
}

BOOST_AUTO_TEST_CASE(a_block_with_large_alignment_is_reused) {
  std::vector<void*> const others = allocate_all(100, 20'000);
  for (void* const each : others) free(each, 20'000);
  free(allocate(20'000, 1 << 20), 20'000, 1 << 20);
  std::size_t const before = pool.count().blocks;
  for (int i = 0; i < 100; ++i) free(allocate(20'000, 1 << 20), 20'000, 1 << 20);
  BOOST_TEST(pool.count().blocks == before);
}

BOOST_AUTO_TEST_CASE(a_failure_of_any_heap_allocation_leaks_nothing_from_a_new_pool) {
  for (std::size_t const size : {100, 50'000})
    for (int k = 1;; ++k) {
      static auto& all = *new std::vector<cudax::runtime::resource_pool*>; // never destroyed
      all.push_back(new cudax::runtime::resource_pool(memory_kind::mapped));
      failure why;
      void* at = nullptr;
      bool failed = false;
      {
        cudax_test::failing_heap const heap(k);
        try {
          at = all.back()->allocate(size, 16, why);
        } catch (std::bad_alloc const&) {
          at = nullptr;
        }
        failed = heap.failed();
      }
      BOOST_TEST(failed == (at == nullptr));
      BOOST_TEST(allocations() == (failed ? 0u : 1u));
      BOOST_TEST(all.back()->count().blocks == allocations());
      if (at) all.back()->deallocate(at, size, 16);
      all.back()->trim(why);
      if (failed) continue;
      BOOST_TEST(k > 1);
      break;
    }
}

// Reserved memory serves every thread, even if all of it is in one slab.
BOOST_AUTO_TEST_CASE(reserved_memory_serves_all_threads) {
  failure why;
  pool.reserve(1, why);
  BOOST_TEST(why.code == cuda::success);
  fail_call(1, cuda::memory_allocation);
  std::vector<void*> pieces(40);
  for (void*& piece : pieces) std::jthread([&] { piece = pool.allocate(1000, 16, why); }).join();
  BOOST_TEST(!failed());
  BOOST_TEST(pool.count().blocks == 1u);
  fail_call(0, 0);
  for (void* const each : pieces) free(each, 1000);
}

// If CUDA has no more memory, another thread's slab may have some.
BOOST_AUTO_TEST_CASE(a_thread_uses_other_threads_free_memory_before_it_fails) {
  void* const mine = allocate(16);
  void* its = nullptr;
  fail_call(1, cuda::memory_allocation);
  std::jthread([&] {
    failure why;
    its = pool.allocate(16, 16, why);
  }).join();
  BOOST_TEST(failed());
  BOOST_REQUIRE(its);
  free(mine, 16);
  free(its, 16);
}

BOOST_AUTO_TEST_CASE(slabs_of_ended_threads_are_reused_by_other_threads) {
  std::vector<void*> pieces(2000);
  for (void*& piece : pieces) std::jthread([&] { piece = allocate(4096); }).join();
  BOOST_TEST(pool.count().blocks <= 2000u / 16 + 32);
  for (void* const each : pieces) free(each, 4096);
}

BOOST_AUTO_TEST_CASE(threads_free_memory_of_other_threads) {
  constexpr int threads = 8, rounds = 200, pieces = 40;
  struct piece {
    void* at = nullptr;
    std::size_t size = 0;
  };
  static piece table[threads][pieces];
  std::barrier meet(threads);
  std::atomic<int> wrong = 0;
  {
    std::vector<std::jthread> all;
    all.reserve(threads);
    for (unsigned t = 0; t < threads; ++t)
      all.emplace_back([&, t] {
        std::mt19937 random(t);
        for (unsigned round = 0; round < rounds; ++round) {
          for (piece& p : table[t]) {
            failure why;
            p.size = random() % 8 ? random() % 300 : random() % 40'000;
            p.at = pool.allocate(p.size, 16, why);
            if (!p.at) ++wrong;
            else if (p.size) *static_cast<unsigned char*>(p.at) = static_cast<unsigned char>(t);
          }
          meet.arrive_and_wait();
          unsigned const from = (t + round) % threads;
          for (piece const& p : table[from]) {
            if (p.size && *static_cast<unsigned char*>(p.at) != from) ++wrong;
            pool.deallocate(p.at, p.size, 16);
          }
          meet.arrive_and_wait();
        }
      });
  }
  BOOST_TEST(wrong == 0);
}

// --- cudaDeviceReset -------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(memory_of_a_destroyed_context_is_not_handed_out) {
  for (std::size_t const size : {100, 50'000}) {
    void* const before = allocate(size);
    free(before, size);
    reset();
    BOOST_TEST(allocations() == 0u);
    void* const after = allocate(size);
    BOOST_TEST(allocations() == 1u); // CUDA's allocation in the new context
    BOOST_TEST(pool.count().blocks == 1u);
    free(after, size);
    failure why;
    pool.trim(why);
    BOOST_TEST(allocations() == 0u);
  }
}

BOOST_AUTO_TEST_CASE(freeing_memory_of_a_destroyed_context_spares_its_address) {
  for (std::size_t const size : {100, 50'000}) {
    std::vector<void*> past = allocate_all(20, size);
    reset();
    std::vector<void*> const now = allocate_all(20, size); // the simulated machine returns the same addresses
    std::set<void*> all(past.begin(), past.end());
    for (void* const each : now) BOOST_TEST(all.insert(each).second);
    for (void* const each : past) free(each, size);
    BOOST_TEST(pool.count().allocations == 20u);
    std::set<void*> again(now.begin(), now.end());
    for (int i = 0; i < 20; ++i) {
      past[std::size_t(i)] = allocate(size);
      BOOST_TEST(again.insert(past[std::size_t(i)]).second);
    }
    for (void* const each : past) free(each, size);
    for (void* const each : now) free(each, size);
    failure why;
    pool.trim(why);
    BOOST_TEST(why.code == cuda::success, why.sentence);
    BOOST_TEST(allocations() == 0u);
  }
}

BOOST_AUTO_TEST_CASE(memory_of_a_destroyed_context_does_not_count_as_reserved) {
  failure why;
  pool.reserve(200'000, why);
  void* const kept = allocate(100);
  reset();
  pool.reserve(200'000, why);
  BOOST_TEST(why.code == cuda::success, why.sentence);
  fail_call(1, cuda::memory_allocation);
  std::vector<void*> const pieces = allocate_all(12, 16'384);
  BOOST_TEST(!failed());
  fail_call(0, 0);
  for (void* const each : pieces) free(each, 16'384);
  free(kept, 100);
}

// The pool does not ask CUDA to free what CUDA has forgotten: the address may belong to another allocation.
BOOST_AUTO_TEST_CASE(memory_of_a_destroyed_context_is_not_returned_to_cuda) {
  for (std::size_t const size : {100, 50'000}) {
    free(allocate(size), size);
    reset();
    failure why;
    pool.trim(why); // the simulated machine aborts if unallocated memory is freed
    BOOST_TEST(why.code == cuda::success);
    BOOST_TEST(pool.count().blocks == 0u);
  }
}

BOOST_AUTO_TEST_SUITE_END()
