// SPDX-License-Identifier: Apache-2.0
//
// What /proc/self/maps says about memory: from texts in Linux's format, and from mappings of this process.
#include "../../../runtime/atomicity/process_map.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <memory>
#include <sched.h>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace cudax::runtime;

namespace {

/// What a text says about an address.
std::string said(std::string text, std::uintptr_t address) {
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> const list(fmemopen(text.data(), text.size(), "r"), std::fclose);
  mapping found;
  switch (find_mapping(list.get(), address, found)) {
  case mapping_search::absent: return "absent";
  case mapping_search::failed: return "failed";
  case mapping_search::found: break;
  }
  return std::string(found.has_file ? "file" : "own") + (found.shared ? " shared" : "") +
         (found.hugetlbfs ? " hugetlbfs" : "");
}

} // namespace

BOOST_AUTO_TEST_SUITE(process_map)

BOOST_AUTO_TEST_CASE(a_file_has_a_device_or_an_inode_or_a_path) {
  struct {
    char const* line;
    char const* said;
  } const cases[] = {
      {"1000-2000 rw-p 00000000 00:00 0 ", "own"},
      {"1000-2000 rw-p 00000000 00:00 0                          [heap]", "own"},
      {"1000-2000 rw-p 00000000 00:00 0                          [stack]", "own"},
      {"1000-2000 rw-p 00000000 00:00 0                          [anon:a name: /with a path]", "own"},
      {"1000-2000 r--p 00000000 00:00 0                          [vvar]", "own"},
      {"1000-2000 rw-p 00003000 fe:00 1234                       /usr/lib/a b.so", "file"},
      {"1000-2000 rw-p 00003000 fe:00 1234                       /usr/lib/gone.so (deleted)", "file"},
      {"1000-2000 rw-s 00000000 00:01 7                          /dev/zero (deleted)", "file shared"},
      {"1000-2000 rw-s 00000000 00:01 7                          [anon_shmem:a name]", "file shared"},
      {"1000-2000 rw-s 00000000 00:1a 2                          /dev/shm/name", "file shared"},
      {"1000-2000 rw-s 00000000 00:01 1027                       /memfd:name (deleted)", "file shared"},
      {"1000-2000 rw-s 00000000 00:01 32769                      /SYSV00000000 (deleted)", "file shared"},
      {"1000-2000 rw-s 00000000 00:01 0                          /SYSV00000000 (deleted)",
       "file shared"}, // the first segment
      {"1000-2000 rw-s 00000000 00:00 0                          /SYSV00000000 (deleted)", "file shared"},
      {"1000-2000 rw-p 00000000 00:0f 9                          /anon_hugepage (deleted)", "file"},
  };
  for (auto const& [line, what] : cases) {
    std::string const text = "0-1000 rw-p 00000000 00:00 0 \n" + std::string(line) + "\n2000-3000 rw-p 0 00:00 0\n";
    BOOST_TEST(said(text, 0x1000) == what, line);
    BOOST_TEST(said(text, 0x1fff) == what, line);
    BOOST_TEST(said(text, 0x2000) == "own");
    BOOST_TEST(said(text, 0x3000) == "absent");
    BOOST_TEST(said(line, 0x1000) == what, "without an end of line: " << line);
  }
}

BOOST_AUTO_TEST_CASE(the_flags_after_each_mapping_in_smaps_are_read) {
  std::string const text = "1000-2000 rw-p 00000000 00:0f 9       /anon_hugepage (deleted)\n"
                           "Size:               2048 kB\nAnonymous:            0 kB\n"
                           "VmFlags: rd wr mr mw me de ht sd \n"
                           "2000-3000 rw-p 00000000 00:00 0 \n"
                           "Size:                  4 kB\nFilePmdMapped:        0 kB\n"
                           "VmFlags: rd wr mr mw me ac sd \n";
  BOOST_TEST(said(text, 0x1000) == "file hugetlbfs");
  BOOST_TEST(said(text, 0x2000) == "own");
}

BOOST_AUTO_TEST_CASE(a_path_may_be_long_and_resemble_a_line) {
  for (std::size_t const length : {100, 182, 183, 184, 185, 186, 5000, 20'000}) {
    std::string const text = "1000-2000 rw-p 00000000 00:00 0 \n"
                             "5000-6000 rw-s 00000000 00:1a 2                          /" +
                             std::string(length, 'x') + "3000-4000 rw-s 00000000 00:1a 2 /x\n" +
                             "7000-8000 rw-p 00000000 00:00 0 \n";
    BOOST_TEST(said(text, 0x3000) == "absent", length);
    BOOST_TEST(said(text, 0x5000) == "file shared", length);
    BOOST_TEST(said(text, 0x7000) == "own", length);
  }
}

BOOST_AUTO_TEST_CASE(if_the_list_cannot_be_read_the_backing_is_unknown) {
  int object = 0;
  BOOST_TEST((backing_of(&object) == backing::process));
  rlimit before{};
  BOOST_REQUIRE(getrlimit(RLIMIT_NOFILE, &before) == 0);
  int const next = dup(0); // the lowest free descriptor
  close(next);
  rlimit const none{rlim_t(next), before.rlim_max};
  BOOST_REQUIRE(setrlimit(RLIMIT_NOFILE, &none) == 0);
  backing const found = backing_of(&object);
  setrlimit(RLIMIT_NOFILE, &before);
  BOOST_TEST((found == backing::unknown));
}

BOOST_AUTO_TEST_CASE(a_mapped_file_is_distinguished_from_other_memory) {
  void* const anonymous = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  BOOST_REQUIRE(anonymous != MAP_FAILED);
  BOOST_TEST((backing_of(anonymous) == backing::process));
  munmap(anonymous, 4096);
  std::vector<char> on_heap(1 << 20);
  BOOST_TEST((backing_of(on_heap.data()) == backing::process));
  // The last byte of a mapping belongs to it, the byte after it does not.
  std::FILE* const file = std::tmpfile();
  BOOST_REQUIRE(file && ftruncate(fileno(file), 8192) == 0);
  auto* const mapping = static_cast<char*>(mmap(nullptr, 12288, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  BOOST_REQUIRE(mapping != MAP_FAILED);
  BOOST_REQUIRE(mmap(mapping, 8192, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fileno(file), 0) == mapping);
  BOOST_TEST((backing_of(mapping) == backing::file));
  BOOST_TEST((backing_of(mapping + 8191) == backing::file));
  BOOST_TEST((backing_of(mapping + 8192) == backing::process));
  munmap(mapping, 12288);
  // The pages of a private mapping belong to the program once they are written, like those of its variables.
  void* const own = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, fileno(file), 0);
  BOOST_REQUIRE(own != MAP_FAILED);
  BOOST_TEST((backing_of(own) == backing::process));
  munmap(own, 4096);
  static int variable = 1;
  BOOST_TEST((backing_of(&variable) == backing::process));
  std::fclose(file);
}

BOOST_AUTO_TEST_CASE(hugetlbfs_is_distinguished_from_other_memory_however_it_is_mapped) {
  constexpr std::size_t size = 2 << 20;
  int const file = memfd_create("hugetlbfs", MFD_HUGETLB);
  if (file < 0) BOOST_TEST_MESSAGE("no file in hugetlbfs: this kernel has none");
  struct {
    char const* name;
    int flags, file;
  } const cases[] = {{"no file", MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1},
                     {"private", MAP_PRIVATE, file},
                     {"shared", MAP_SHARED, file}};
  for (auto const& [name, flags, of] : cases) {
    if (of < 0 && !(flags & MAP_ANONYMOUS)) continue;
    void* const at = mmap(nullptr, size, PROT_READ | PROT_WRITE, flags | MAP_NORESERVE, of, 0); // no page is needed
    if (at == MAP_FAILED) {
      BOOST_TEST_MESSAGE("hugetlbfs, " << name << ": this kernel maps none");
      continue;
    }
    BOOST_TEST((backing_of(static_cast<char*>(at) + size - 1) == backing::file), name);
    munmap(at, size);
  }
  if (file >= 0) close(file);
}

BOOST_AUTO_TEST_CASE(shared_memory_is_distinguished_from_other_memory) {
  void* const anonymous = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  BOOST_REQUIRE(anonymous != MAP_FAILED);
  BOOST_TEST((backing_of(anonymous) == backing::file));
  munmap(anonymous, 4096);
  int const file = memfd_create("shared", 0);
  BOOST_REQUIRE((file >= 0 && ftruncate(file, 4096) == 0));
  void* const at = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file); // it stays, without a name
  BOOST_REQUIRE(at != MAP_FAILED);
  BOOST_TEST((backing_of(at) == backing::file));
  munmap(at, 4096);
}

// In its own namespace a process gets the first segments, with the first numbers.
BOOST_AUTO_TEST_CASE(the_first_system_v_segment_is_distinguished_from_anonymous_memory) {
  enum answer { wrong, right, not_to_be_had };
  pid_t const child = fork();
  BOOST_REQUIRE(child >= 0);
  if (child == 0) {
    if (unshare(CLONE_NEWIPC) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWIPC) != 0) _exit(not_to_be_had);
    int const segment = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
    if (segment != 0) _exit(not_to_be_had);
    void* const at = shmat(segment, nullptr, 0);
    shmctl(segment, IPC_RMID, nullptr);
    if (at == reinterpret_cast<void*>(-1)) _exit(not_to_be_had);
    _exit(backing_of(at) == backing::file ? right : wrong);
  }
  int status = 0;
  BOOST_REQUIRE(waitpid(child, &status, 0) == child);
  BOOST_REQUIRE(WIFEXITED(status));
  if (WEXITSTATUS(status) == not_to_be_had) BOOST_TEST_MESSAGE("no segment with number 0 can be had here");
  else BOOST_TEST(WEXITSTATUS(status) == right);
}

BOOST_AUTO_TEST_SUITE_END()
