// SPDX-License-Identifier: Apache-2.0
//
// registered<T> when the operating system fails: memory that is no longer mapped, and pages that may not be locked. A
// layer above the simulated machine checks with the system, as a driver does, that the pages exist and can be locked.
#include "../../../runtime/cuda/cuda_calls.hpp"
#include "../simulated/simulated_machine.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdio>
#include <string>
#include <system_error>
#include <vector>

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

import cudax.sync.host;

using cudax::registered;
namespace cuda = cudax::runtime::cuda;

namespace {

constexpr std::size_t page = 4096;

cudax_test::simulated_machine const* machine = nullptr;
cudax::runtime::cuda_calls const* below = nullptr;
std::size_t limit = ~std::size_t{}; // limit of locked bytes
bool locks = false;                 // lock pages with the system, too

char* page_of(void* at) { return reinterpret_cast<char*>(reinterpret_cast<std::uintptr_t>(at) & ~(page - 1)); }

int register_present_pages(void* at, std::size_t size) {
  char* const first = page_of(at);
  std::size_t const bytes = std::size_t(static_cast<char*>(at) + size - first);
  std::vector<unsigned char> present((bytes + page - 1) / page);
  if (mincore(first, bytes, present.data()) != 0) return cuda::invalid_value;
  if (machine->registered_bytes() + size > limit) return cuda::memory_allocation;
  // By the system call's number: the sanitizers' mlock does nothing.
  if (locks && syscall(SYS_mlock, at, size) != 0) return cuda::memory_allocation;
  int const code = below->register_memory(at, size);
  if (locks && code != cuda::success) syscall(SYS_munlock, at, size);
  return code;
}

struct fixture : cudax_test::simulated_machine {
  cudax::runtime::cuda_calls table = cudax::runtime::calls();
  fixture() {
    machine = this;
    below = &cudax::runtime::calls();
    limit = ~std::size_t{};
    locks = false;
    table.register_memory = register_present_pages;
    cudax::runtime::exchange_calls(table);
  }
  ~fixture() {
    BOOST_TEST(registered_ranges() == 0u);
    cudax::runtime::exchange_calls(*below);
  }
};

/// Pages from the system, not from the heap, and at an address where no other code gets a freed page: the system
/// searches from high addresses downward, and a sanitizer's runtime may request a page at any time.
struct pages {
  std::size_t const count;
  char* const first = static_cast<char*>(mmap(reinterpret_cast<void*>(0x2000'0000), count* page, PROT_READ | PROT_WRITE,
                                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0));
  explicit pages(std::size_t count) : count(count) { BOOST_REQUIRE(first != MAP_FAILED); }
  ~pages() { munmap(first, count * page); } // also unmaps pages that are already gone
  char* operator[](std::size_t i) const { return first + i * page; }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(registration_limits, fixture)

BOOST_AUTO_TEST_CASE(freed_memory_is_rejected_without_a_leak) {
  pages const memory(6);
  BOOST_REQUIRE(munmap(memory[2], page) == 0);
  struct {
    std::size_t first, count;
    bool works;
  } const cases[] = {{0, 2, true},  {2, 1, false}, {0, 3, false}, {1, 2, false},
                     {2, 4, false}, {0, 6, false}, {3, 3, true}};
  for (auto const& [first, count, works] : cases) {
    std::error_code error;
    registered<char[]> r(memory[first], count * page, error);
    BOOST_TEST(bool(r) == works, first << " to " << first + count);
    BOOST_CHECK(works ? !error : error == std::errc::invalid_argument);
    BOOST_TEST(registered_bytes() == (works ? count * page : 0));
  }
  try {
    registered<char> const r(*memory[2]);
    BOOST_ERROR("nothing was thrown");
  } catch (cudax::cuda_error const& e) {
    BOOST_TEST(std::string(e.what()).find("the memory must be mapped, writable and the process's own") !=
               std::string::npos);
  }
  // While another registration exists, which keeps its pages.
  registered<char> const neighbour(memory[1][5]);
  std::error_code error;
  registered<char[]> const r(memory[1], 2 * page, error);
  BOOST_CHECK(error == std::errc::invalid_argument);
  BOOST_TEST(registered_bytes() == page);
  BOOST_TEST(is_registered(reinterpret_cast<std::uintptr_t>(memory[1]), page));
}

BOOST_AUTO_TEST_CASE(a_registration_ends_even_if_its_memory_was_freed_first) {
  pages const memory(3);
  registered<char[]> r(memory[0], 3 * page);
  BOOST_REQUIRE(munmap(memory[0], 3 * page) == 0);
  std::error_code error;
  r.reset(error);
  BOOST_CHECK(!error);
}

BOOST_AUTO_TEST_CASE(out_of_pinned_memory_is_reported_and_smaller_registrations_still_work) {
  pages const memory(20);
  limit = 8 * page;
  std::vector<registered<char[]>> alive;
  for (std::size_t i = 0; i < 8; ++i) alive.emplace_back(memory[2 * i], page);
  std::error_code error;
  registered<char> refused(*memory[17], error);
  BOOST_CHECK(error == std::errc::not_enough_memory);
  BOOST_TEST(!refused);
  try {
    registered<char[]> const r(memory[0], 20 * page); // registers most of it before the limit
    BOOST_ERROR("nothing was thrown");
  } catch (cudax::cuda_error const& e) {
    BOOST_TEST(std::string(e.what()).find("raise the limit of locked memory (ulimit -l)") != std::string::npos);
  }
  BOOST_TEST(registered_bytes() == 8 * page); // the failed registration released its pages
  registered<char> const nested(memory[4][100]);
  alive.pop_back();
  registered<char> const now(*memory[17], error);
  BOOST_CHECK(!error);
}

BOOST_AUTO_TEST_CASE(the_system_s_limit_of_locked_memory_is_reported) {
  // In a separate process, which may not lock 16 pages. Root may lock any number, so the process becomes the user
  // nobody.
  std::fflush(nullptr);
  pid_t const child = fork();
  if (child == 0) {
    rlimit const few{16 * page, 16 * page};
    if (setrlimit(RLIMIT_MEMLOCK, &few) != 0 || (geteuid() == 0 && setuid(65534) != 0)) std::_Exit(77);
    locks = true;
    int wrong = 0;
    {
      pages const memory(64);
      std::error_code error;
      registered<char[]> const small(memory[0], 4 * page, error);
      wrong |= error ? 1 : 0;
      registered<char[]> large(memory[8], 50 * page, error);
      wrong |= error == std::errc::not_enough_memory ? 0 : 2;
      wrong |= registered_bytes() == 4 * page ? 0 : 4;
      registered<char[]> const fits(memory[20], 4 * page, error);
      wrong |= error ? 8 : 0;
    }
    std::_Exit(wrong);
  }
  int status = 0;
  BOOST_REQUIRE(waitpid(child, &status, 0) == child);
  BOOST_REQUIRE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 77) BOOST_TEST_MESSAGE("skipped: the limit of locked memory cannot be set here");
  else BOOST_TEST(WEXITSTATUS(status) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
