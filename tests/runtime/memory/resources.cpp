// SPDX-License-Identifier: Apache-2.0
//
// mapped_resource and managed_resource on a simulated machine: what they hand out, at what cost, and what remains after
// a failure.
#include "../../../runtime/cuda/cuda_calls.hpp"
#include "../../../runtime/memory/memory_limit.hpp"
#include "../simulated/failing_heap.hpp"
#include "../simulated/simulated_machine.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory_resource>
#include <new>
#include <random>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

import cudax.sync.host;

namespace cuda = cudax::runtime::cuda;
using cudax::system_resource;

namespace {

std::uintptr_t number(void const* at) { return reinterpret_cast<std::uintptr_t>(at); }

unsigned test_seed() {
  unsigned seed = std::random_device()();
  if (char const* const given = std::getenv("CUDAX_TEST_SEED")) seed = unsigned(std::strtoul(given, nullptr, 0));
  BOOST_TEST_MESSAGE("CUDAX_TEST_SEED=" << seed);
  return seed;
}

struct piece {
  void* at;
  std::size_t size, alignment;
  unsigned char mark;
};

void fill(piece const& p) { std::memset(p.at, p.mark, p.size); }
bool is_whole(piece const& p) {
  auto const* const bytes = static_cast<unsigned char const*>(p.at);
  for (std::size_t i = 0; i < p.size; ++i)
    if (bytes[i] != p.mark) return false;
  return true;
}

/// Whether the first calls in the program, which make the resources, need no heap.
bool const made_without_heap = [] {
  cudax_test::failing_heap const none(1);
  return cudax::mapped_resource() && cudax::managed_resource() && !none.failed();
}();

/// Allocates and frees at random, with a mark in every byte. Returns the number of errors.
int use_at_random(system_resource& resource, unsigned seed, int steps) {
  std::mt19937 random(seed);
  std::vector<piece> mine;
  int wrong = 0;
  auto const free_one = [&](std::size_t which) {
    wrong += !is_whole(mine[which]);
    resource.deallocate(mine[which].at, mine[which].size, mine[which].alignment);
    mine[which] = mine.back();
    mine.pop_back();
  };
  for (int step = 0; step < steps; ++step) {
    if (mine.size() < 40 && random() % 5 < 3) {
      std::size_t const limit = random() % 8 ? 200 : 40'000;
      piece p{nullptr, random() % limit, std::size_t(1) << random() % 13, static_cast<unsigned char>(random())};
      p.at = resource.allocate(p.size, p.alignment);
      wrong += number(p.at) % p.alignment != 0;
      fill(p);
      mine.push_back(p);
    } else if (!mine.empty()) {
      free_one(random() % mine.size());
    }
  }
  while (!mine.empty()) free_one(0);
  return wrong;
}

struct fixture : cudax_test::simulated_machine {
  system_resource* const resources[2] = {cudax::mapped_resource(), cudax::managed_resource()};

  ~fixture() {
    for (system_resource* const r : resources) {
      r->trim();
      auto const s = r->statistics();
      BOOST_TEST(s.bytes_in_use == 0u);
      BOOST_TEST(s.allocations == 0u);
      BOOST_TEST(s.bytes_reserved == 0u);
      BOOST_TEST(s.blocks == 0u);
    }
    BOOST_TEST(allocations() == 0u);
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(resources, fixture)

BOOST_AUTO_TEST_CASE(thousands_of_flags_share_pages) {
  for (system_resource* const r : fixture::resources) {
    std::vector<int*> flags;
    std::pmr::polymorphic_allocator<int> const allocator(r);
    for (int i = 0; i < 10'000; ++i) {
      flags.push_back(std::pmr::polymorphic_allocator<int>(allocator).allocate(1));
      *flags.back() = i;
    }
    auto const s = r->statistics();
    BOOST_TEST(s.allocations == 10'000u);
    BOOST_TEST(s.bytes_in_use == 40'000u);
    BOOST_TEST(s.blocks == 3u);
    BOOST_TEST(s.bytes_reserved == 3u * 65536);
    BOOST_TEST(allocations() == 3u);
    int wrong = 0;
    for (int i = 0; i < 10'000; ++i) wrong += *flags[std::size_t(i)] != i;
    BOOST_TEST(wrong == 0);
    for (int* const flag : flags) std::pmr::polymorphic_allocator<int>(allocator).deallocate(flag, 1);
    BOOST_TEST(r->statistics().allocations == 0u);
    BOOST_TEST(r->statistics().blocks == 3u); // until trim()
    r->trim();
    BOOST_TEST(allocations() == 0u);
  }
}

BOOST_AUTO_TEST_CASE(every_alignment_is_kept_for_every_size) {
  for (system_resource* const r : fixture::resources) {
    std::vector<piece> pieces;
    unsigned char mark = 0;
    for (std::size_t const size : {0, 1, 4, 15, 16, 17, 24, 48, 100, 4095, 4096, 16384, 16385, 65536, 200'000})
      for (std::size_t alignment = 1; alignment <= 65536; alignment *= 2) {
        piece const p{r->allocate(size, alignment), size, alignment, ++mark};
        BOOST_TEST(number(p.at) % alignment == 0u, size << " bytes, alignment " << alignment);
        fill(p);
        pieces.push_back(p);
      }
    for (piece const& p : pieces) {
      BOOST_TEST(is_whole(p), p.size << " bytes, alignment " << p.alignment);
      r->deallocate(p.at, p.size, p.alignment);
    }
  }
}

BOOST_AUTO_TEST_CASE(freed_memory_is_reused) {
  for (system_resource* const r : fixture::resources)
    for (std::size_t const size : {16, 100, 5000, 16384, 16385, 300'000}) {
      void* const first = r->allocate(size, 64);
      auto const before = r->statistics();
      r->deallocate(first, size, 64);
      for (int i = 0; i < 1000; ++i) r->deallocate(r->allocate(size, 64), size, 64);
      BOOST_TEST(r->statistics().blocks == before.blocks, size);
      BOOST_TEST(r->statistics().bytes_in_use == 0u);
    }
}

BOOST_AUTO_TEST_CASE(a_freed_block_is_reused_if_it_fits_the_request) {
  for (system_resource* const r : fixture::resources) {
    std::vector<void*> blocks;
    for (int i = 0; i < 16; ++i) blocks.push_back(r->allocate(20'000, 16));
    for (void* const at : blocks) r->deallocate(at, 20'000, 16);
    blocks.clear();
    for (int i = 0; i < 16; ++i) {
      blocks.push_back(r->allocate(20'000, 65536));
      BOOST_TEST(number(blocks.back()) % 65536 == 0u);
    }
    for (void* const at : blocks) r->deallocate(at, 20'000, 65536);
    r->trim();
    // A block more than twice as large is kept for larger requests.
    r->deallocate(r->allocate(1'000'000), 1'000'000);
    r->deallocate(r->allocate(20'000), 20'000);
    BOOST_TEST(r->statistics().blocks == 2u);
  }
}

BOOST_AUTO_TEST_CASE(a_slab_can_be_filled_to_the_last_byte) {
  for (system_resource* const r : fixture::resources) {
    std::vector<void*> pieces;
    for (int i = 0; i < 16; ++i) pieces.push_back(r->allocate(4096, 4096));
    BOOST_TEST(r->statistics().blocks == 1u);
    // Holes of three granules, in which four do not fit.
    for (void* const at : pieces) r->deallocate(at, 4096, 4096);
    pieces.clear();
    for (int i = 0; i < 1024; ++i) pieces.push_back(r->allocate(i % 2 ? 16 : 48, 1));
    for (int i = 0; i < 1024; ++i) pieces.push_back(r->allocate(i % 2 ? 16 : 48, 1));
    BOOST_TEST(r->statistics().blocks == 1u);
    for (int i = 0; i < 2048; i += 2) r->deallocate(pieces[unsigned(i)], 48, 1);
    void* const four = r->allocate(64, 1);
    BOOST_TEST(r->statistics().blocks == 2u);
    for (int i = 0; i < 2048; i += 2) pieces[unsigned(i)] = r->allocate(48, 1);
    BOOST_TEST(r->statistics().blocks == 2u);
    r->deallocate(four, 64, 1);
    for (int i = 0; i < 2048; ++i) r->deallocate(pieces[unsigned(i)], i % 2 ? 16 : 48, 1);
  }
}

BOOST_AUTO_TEST_CASE(containers_can_use_a_resource) {
  for (system_resource* const r : fixture::resources) {
    std::pmr::map<std::pmr::string, std::pmr::vector<int>> map(r);
    for (int i = 0; i < 500; ++i)
      for (int k = 0; k < 50; ++k) map[std::pmr::string(std::size_t(i % 60), char('a' + i % 26))].push_back(k);
    BOOST_TEST(r->statistics().allocations > 60u);
    std::pmr::unsynchronized_pool_resource above(r);
    std::pmr::vector<double> large(100'000, 1.5, &above);
    BOOST_TEST(large[99'999] == 1.5);
    BOOST_TEST(r->is_equal(*r));
  }
  BOOST_TEST(!cudax::mapped_resource()->is_equal(*cudax::managed_resource()));
}

BOOST_AUTO_TEST_CASE(exhaustion_throws_a_bad_alloc_with_the_reason) {
  for (system_resource* const r : fixture::resources) {
    std::string const name = r == cudax::mapped_resource() ? "mapped_resource" : "managed_resource";
    int const calls = r == cudax::mapped_resource() ? 2 : 1; // mapped memory: plus a query for the device address
    for (std::size_t const size : {4, 1'000'000})
      for (int k = 1; k <= calls; ++k) {
        fail_call(k, cuda::memory_allocation);
        BOOST_CHECK_THROW((void)r->allocate(size), std::bad_alloc);
        BOOST_TEST(failed());
        fail_call(k, cuda::memory_allocation);
        try {
          (void)r->allocate(size);
        } catch (cudax::cuda_bad_alloc const& e) {
          BOOST_CHECK(e.code() == std::errc::not_enough_memory);
          BOOST_CHECK(e.error().code() == e.code());
          BOOST_TEST(e.what() == "cudax.sync: " + name + ": " + (size == 4 ? "65536" : "1003520") +
                                     " more bytes cannot be allocated; 0 are in use: out of memory "
                                     "(cudaErrorMemoryAllocation); free memory, or raise the limit of locked memory "
                                     "(ulimit -l)");
        }
        BOOST_TEST(allocations() == 0u);
        BOOST_TEST(r->statistics().bytes_reserved == 0u);
      }
    void* const small = r->allocate(100);
    fail_call(1, cuda::memory_allocation);
    try {
      (void)r->allocate(20'000);
    } catch (cudax::cuda_bad_alloc const& e) {
      BOOST_TEST(std::string(e.what()).find("20480 more bytes cannot be allocated; 100 are in use and 65424 are "
                                            "free (trim() returns unused memory to CUDA): ") != std::string::npos);
    }
    BOOST_CHECK_THROW((void)r->allocate(SIZE_MAX - 100), std::bad_alloc);
    BOOST_CHECK_THROW((void)r->allocate(SIZE_MAX - 100'000), std::bad_alloc);
    r->deallocate(small, 100);
    void* const later = r->allocate(20'000); // the next allocation works
    r->deallocate(later, 20'000);
    r->trim();
  }
  cudax_test::simulated_machine::devices = 0;
  BOOST_CHECK_THROW((void)cudax::managed_resource()->allocate(50'000), cudax::cuda_bad_alloc);
}

BOOST_AUTO_TEST_CASE(a_failure_of_any_heap_allocation_leaks_nothing) {
  for (system_resource* const r : fixture::resources)
    for (std::size_t const size : {100, 50'000}) {
      int k = 1;
      for (bool failed = true; failed; ++k) {
        void* at = nullptr;
        {
          cudax_test::failing_heap const heap(k);
          try {
            at = r->allocate(size);
          } catch (std::bad_alloc const&) {}
          failed = heap.failed();
        }
        BOOST_TEST(failed == (at == nullptr));
        BOOST_TEST(allocations() == (failed ? 0u : 1u));
        BOOST_TEST(r->statistics().blocks == allocations());
        if (!at) continue;
        cudax_test::failing_heap const heap(1); // freeing allocates nothing
        r->deallocate(at, size);
        BOOST_TEST(!heap.failed());
      }
      BOOST_TEST((size == 100 || k > 2)); // the bookkeeping of slabs is kept (see also resource_pool.cpp)
      std::error_code error;
      {
        cudax_test::failing_heap const heap(1);
        r->reserve(1'000'000, error);
      }
      BOOST_CHECK(error == std::errc::not_enough_memory);
      r->trim();
    }
}

BOOST_AUTO_TEST_CASE(freeing_does_not_call_cuda_and_trim_returns_memory) {
  for (system_resource* const r : fixture::resources) {
    void* const small = r->allocate(8);
    void* const large = r->allocate(70'000);
    void* const kept = r->allocate(70'000);
    fail_call(1, cuda::invalid_value);
    r->deallocate(small, 8);
    r->deallocate(large, 70'000);
    BOOST_TEST(!failed());
    BOOST_CHECK_THROW(r->trim(), cudax::cuda_error); // the first of two calls
    BOOST_TEST(r->statistics().blocks == 1u);
    BOOST_TEST(r->statistics().bytes_in_use == 70'000u);
    std::error_code error = std::make_error_code(std::errc::io_error);
    r->trim(error);
    BOOST_CHECK(!error);
    r->deallocate(kept, 70'000);
    fail_call(1, cuda::invalid_value);
    r->trim(error);
    BOOST_CHECK(error == std::errc::invalid_argument);
  }
}

BOOST_AUTO_TEST_CASE(a_reservation_beyond_the_machine_s_memory_is_rejected) {
  for (auto* const r : {cudax::mapped_resource(), cudax::managed_resource()})
    for (std::size_t const size : {std::size_t{1} << 60, ~std::size_t{}}) {
      int const before = calls();
      BOOST_CHECK_THROW(r->reserve(size), cudax::cuda_error);
      BOOST_TEST(calls() == before); // CUDA is not asked for it piece by piece
    }
}

// Reserved memory needs more than its own bytes: padding for alignment, and ordinary memory for each slab.
BOOST_AUTO_TEST_CASE(a_reservation_that_leaves_no_memory_is_rejected) {
  for (auto* const r : {cudax::mapped_resource(), cudax::managed_resource()}) {
    int const before = calls();
    fail_call(1, cuda::memory_allocation); // so that the machine's memory is not filled, whatever happens
    BOOST_CHECK_THROW(r->reserve(cudax::runtime::find_memory_limit().bytes / 10 * 9), cudax::cuda_error);
    BOOST_TEST(calls() == before);
    fail_call(0, 0);
  }
}

BOOST_AUTO_TEST_CASE(memory_can_be_reserved) {
  for (system_resource* const r : fixture::resources) {
    r->reserve(200'000);
    BOOST_TEST(r->statistics().blocks == 4u);
    r->reserve(4 * 65536);
    BOOST_TEST(r->statistics().blocks == 4u);
    std::vector<void*> pieces;
    fail_call(1, cuda::memory_allocation);
    for (int i = 0; i < 16384; ++i) pieces.push_back(r->allocate(16));
    BOOST_TEST(!failed());
    for (void* const at : pieces) r->deallocate(at, 16);
    BOOST_CHECK_THROW(r->reserve(300'000), cudax::cuda_error); // a fifth slab is needed, and CUDA fails
    r->reserve(300'000);
    BOOST_TEST(r->statistics().blocks == 5u);
    r->trim();
  }
}

// They are noexcept: without memory they could only end the program.
BOOST_AUTO_TEST_CASE(the_resources_are_made_without_the_heap) { BOOST_TEST(made_without_heap); }

BOOST_AUTO_TEST_CASE(an_allocation_of_no_bytes_has_an_address_of_its_own) {
  for (system_resource* const r : {cudax::mapped_resource(), cudax::managed_resource()})
    for (std::size_t const alignment : {1, 16, 4096, 8192, 65'536}) {
      void* const first = r->allocate(0, alignment);
      void* const second = r->allocate(0, alignment);
      BOOST_TEST(first != second);
      for (void* const each : {first, second}) {
        BOOST_TEST(number(each) % alignment == 0u);
        std::error_code error;
        (void)r->device_pointer(static_cast<char*>(each), error);
        BOOST_TEST(!error, alignment << ": " << error.message());
        r->deallocate(each, 0, alignment);
      }
      BOOST_TEST(r->statistics().bytes_in_use == 0u);
    }
}

BOOST_AUTO_TEST_CASE(objects_have_a_device_address) {
  for (bool const own : {false, true}) {
    own_addresses = own;
    auto* const r = cudax::mapped_resource();
    auto* const small = static_cast<int*>(r->allocate(40, 8));
    auto* const large = static_cast<char*>(r->allocate(100'000));
    BOOST_TEST((r->device_pointer(small) == small) == !own);
    BOOST_TEST(r->device_pointer(small + 9) - r->device_pointer(small) == 9);
    BOOST_TEST(r->device_pointer(large + 99'999) - r->device_pointer(large) == 99'999);
    int elsewhere = 0;
    BOOST_CHECK_THROW((void)r->device_pointer(&elsewhere), cudax::cuda_error);
    std::error_code error;
    BOOST_TEST(r->device_pointer(&elsewhere, error) == nullptr);
    BOOST_CHECK(error == std::errc::invalid_argument);
    BOOST_TEST(r->device_pointer(static_cast<int const volatile*>(small), error) != nullptr);
    BOOST_CHECK(!error);
    r->deallocate(small, 40, 8);
    r->deallocate(large, 100'000);
    r->trim();
  }
}

BOOST_AUTO_TEST_CASE(freeing_what_was_not_allocated_stops_the_program) {
  auto* const r = cudax::mapped_resource();
  void* const piece = r->allocate(64);
  void* const neighbour = r->allocate(64);
  void* const block = r->allocate(40'000);
  int elsewhere = 0;
  struct {
    char const* name;
    void* at;
    std::size_t size;
  } const cases[] = {{"an object elsewhere", &elsewhere, 4},
                     {"a piece and the next", piece, 128},
                     {"a part of a piece", piece, 32},
                     {"the rest of a piece", static_cast<char*>(piece) + 32, 32},
                     {"the middle of a granule", static_cast<char*>(piece) + 4, 16},
                     {"free memory", static_cast<char*>(piece) + 1024, 16},
                     {"a block as a piece", block, 16},
                     {"more than a block", block, 50'000},
                     {"a part of a block", block, 39'000}};
  for (auto const& [name, at, size] : cases) {
    std::fflush(nullptr);
    pid_t const child = fork();
    if (child == 0) {
      std::freopen("/dev/null", "w", stderr);
      std::signal(SIGABRT, SIG_DFL);
      r->deallocate(at, size);
      std::_Exit(0);
    }
    int status = 0;
    BOOST_REQUIRE(waitpid(child, &status, 0) == child);
    BOOST_TEST((WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT), name);
  }
  r->deallocate(piece, 64);
  r->deallocate(neighbour, 64);
  r->deallocate(block, 40'000);
}

// CUDA may make a thread that allocates or trims wait for a kernel, and that kernel may poll for a thread that frees.
BOOST_AUTO_TEST_CASE(freeing_does_not_wait_for_a_thread_inside_cuda) {
  static std::atomic<int> inside, freed;
  static auto const wait_inside = [] {
    inside = 1;
    auto const limit = std::chrono::steady_clock::now() + std::chrono::minutes(5);
    while (!freed && std::chrono::steady_clock::now() < limit) std::this_thread::yield();
    if (!freed) inside = -1;
  };
  static auto const& machine = cudax::runtime::calls();
  auto* const r = cudax::managed_resource();
  auto waiting = machine;
  waiting.allocate_managed = [](void** at, std::size_t size) {
    wait_inside();
    return machine.allocate_managed(at, size);
  };
  waiting.free_managed = [](void* at) {
    wait_inside();
    return machine.free_managed(at);
  };
  struct {
    char const* name;
    void (*call)(system_resource*);
  } const cases[] = {
      {"a small allocation", [](system_resource* of) { of->deallocate(of->allocate(16'384), 16'384); }},
      {"a large allocation", [](system_resource* of) { of->deallocate(of->allocate(100'000), 100'000); }},
      {"reserve", [](system_resource* of) { of->reserve(100'000); }},
      {"trim", [](system_resource* of) { of->trim(); }},
  };
  void* pieces[4];
  for (void*& piece : pieces) piece = r->allocate(16'384); // fills a slab
  for (auto const& [name, call] : cases) {
    inside = freed = 0;
    cudax::runtime::exchange_calls(waiting);
    {
      std::jthread const caller(call, r);
      while (!inside) std::this_thread::yield();
      r->deallocate(pieces[0], 16'384);
      BOOST_TEST(r->statistics().allocations == 3u, name);
      BOOST_TEST(r->device_pointer(static_cast<char*>(pieces[1])) == pieces[1], name);
      freed = 1;
    }
    cudax::runtime::exchange_calls(machine);
    BOOST_TEST(inside == 1, name << ": the freeing thread waited");
    pieces[0] = r->allocate(16'384);
  }
  for (void* const piece : pieces) r->deallocate(piece, 16'384);
}

BOOST_AUTO_TEST_CASE(no_two_pieces_overlap) {
  unsigned const seed = test_seed();
  for (system_resource* const r : fixture::resources) BOOST_TEST(use_at_random(*r, seed, 20'000) == 0, "seed " << seed);
}

BOOST_AUTO_TEST_CASE(sixteen_threads_share_a_resource) {
  unsigned const seed = test_seed();
  for (system_resource* const r : fixture::resources) {
    std::vector<int> wrong(16);
    {
      std::vector<std::jthread> threads;
      for (unsigned t = 0; t < wrong.size(); ++t)
        threads.emplace_back([&, t] { wrong[t] = use_at_random(*r, seed + t, 1500); });
    }
    for (int const count : wrong) BOOST_TEST(count == 0, "seed " << seed);
  }
}

BOOST_AUTO_TEST_SUITE_END()
