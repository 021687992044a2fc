// SPDX-License-Identifier: Apache-2.0
//
// process_word: the named page on kernels that reject calls. The program is linked with --wrap=memfd_create, so that
// the archive's calls arrive here. That plugins find each other's page: copies/.
#include "../../../runtime/process/process_word.hpp"

#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <cstdio>
#include <string>

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" int __real_memfd_create(char const* name, unsigned flags);

namespace {

constexpr unsigned noexec_seal = 8; // MFD_NOEXEC_SEAL

/// What memfd_create does while the object lives.
struct kernel {
  int (*make)(char const* name, unsigned flags);
  int calls = 0;

  explicit kernel(int (*makes)(char const*, unsigned)) : make(makes) { current = this; }
  ~kernel() { current = nullptr; }
  kernel(kernel const&) = delete;
  static inline kernel* current = nullptr;
};

int rejects(int error) {
  errno = error;
  return -1;
}

/// Unmaps the page of a word.
void forget(std::atomic<void*>* word) {
  if (word) munmap(static_cast<void*>(word), std::size_t(sysconf(_SC_PAGESIZE)));
}

} // namespace

extern "C" int __wrap_memfd_create(char const* name, unsigned flags) {
  if (!kernel::current) return __real_memfd_create(name, flags);
  ++kernel::current->calls;
  return kernel::current->make(name, flags);
}

BOOST_AUTO_TEST_SUITE(process_word)

// The first case: in ctest, this process has not forked before.
BOOST_AUTO_TEST_CASE(forks_seek_a_word_that_cannot_be_made_once) {
  kernel none([](char const*, unsigned) { return rejects(ENOSYS); });
  for (int i = 0; i < 3; ++i) {
    std::fflush(nullptr);
    errno = 77;
    pid_t const child = fork();
    int const after = errno;
    if (child == 0) _exit(0);
    BOOST_TEST(after == 77);
    BOOST_REQUIRE(waitpid(child, nullptr, 0) == child);
  }
  BOOST_TEST(none.calls <= 1);
}

BOOST_AUTO_TEST_CASE(every_search_finds_the_same_word) {
  struct {
    char const* name;
    int (*make)(char const*, unsigned);
  } const cases[] = {
      {"word of this kernel", __real_memfd_create},
      {"word of Linux 6.3 with vm.memfd_noexec = 2",
       [](char const* name, unsigned flags) {
         return flags & noexec_seal ? __real_memfd_create(name, flags & ~noexec_seal) : rejects(EACCES);
       }},
      {"word of Linux before 6.3",
       [](char const* name, unsigned flags) {
         return flags & noexec_seal ? rejects(EINVAL) : __real_memfd_create(name, flags);
       }},
  };
  for (auto const& [name, make] : cases) {
    kernel const used(make);
    auto* const word = cudax::runtime::find_process_word(name);
    BOOST_TEST(word, name);
    BOOST_TEST(cudax::runtime::find_process_word(name) == word, name);
    if (word) BOOST_TEST(word->load() == nullptr);
    forget(word);
  }
}

BOOST_AUTO_TEST_CASE(there_is_no_word_without_files_in_memory) {
  kernel none([](char const*, unsigned) { return rejects(EPERM); });
  BOOST_TEST(cudax::runtime::find_process_word("word of a sandbox") == nullptr);
}

// Otherwise the process would have two words of one name, and two tables of registrations.
BOOST_AUTO_TEST_CASE(a_page_is_not_made_if_the_mappings_cannot_be_read) {
  static int spare = -1;
  auto* const word = cudax::runtime::find_process_word("word of many files");
  BOOST_REQUIRE(word);
  spare = __real_memfd_create("word of many files", 0);
  BOOST_REQUIRE(spare >= 0);
  rlimit before{};
  BOOST_REQUIRE(getrlimit(RLIMIT_NOFILE, &before) == 0);
  rlimit const none{.rlim_cur = 0, .rlim_max = before.rlim_max};
  std::atomic<void*>* other = nullptr;
  {
    kernel const used([](char const*, unsigned) { return spare; }); // a file that was closed meanwhile leaves a number
    BOOST_REQUIRE(setrlimit(RLIMIT_NOFILE, &none) == 0);
    other = cudax::runtime::find_process_word("word of many files");
    setrlimit(RLIMIT_NOFILE, &before);
    if (used.calls == 0) close(spare);
  }
  BOOST_TEST(other == nullptr);
  forget(other);
  forget(word);
}

BOOST_AUTO_TEST_SUITE_END()
