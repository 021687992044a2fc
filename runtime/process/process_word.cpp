// SPDX-License-Identifier: Apache-2.0
//
// process_word: finds the page, or creates it.
#include "process_word.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <link.h>
#include <memory>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MFD_NOEXEC_SEAL // since Linux 6.3; headers of the C library may be older
#define MFD_NOEXEC_SEAL 8u
#endif

namespace cudax::runtime {
namespace {

/// Creates a file in memory that cannot be executed. Linux 6.3 to 6.5 reject a call without the flag if the sysctl
/// vm.memfd_noexec is 2, and earlier versions do not know the flag.
int make_file(char const* name) noexcept {
  int const file = memfd_create(name, MFD_CLOEXEC | MFD_NOEXEC_SEAL);
  return file < 0 && errno == EINVAL ? memfd_create(name, MFD_CLOEXEC) : file;
}

struct search {
  char const* name;
  void* page = nullptr;

  /// Returns false if the mappings cannot be read to the end: then it is unknown whether another copy of the archive
  /// has made the page.
  bool find() noexcept {
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> const maps(std::fopen("/proc/self/maps", "re"), std::fclose);
    if (!maps) return false;
    char line[512], wanted[300];
    std::snprintf(wanted, sizeof(wanted), "/memfd:%s (deleted)\n", name);
    for (bool begins_line = true; std::fgets(line, sizeof(line), maps.get());) {
      bool const is_rest = !begins_line; // of a long line
      begins_line = std::strchr(line, '\n') != nullptr;
      unsigned long begin = 0;
      char permissions[5] = "";
      char const* const path = std::strchr(line, '/');
      if (!is_rest && path && std::strcmp(path, wanted) == 0 &&
          std::sscanf(line, "%lx-%*x %4s", &begin, permissions) == 2 && std::strcmp(permissions, "rw-p") == 0) {
        page = reinterpret_cast<void*>(begin);
        return true;
      }
    }
    return !std::ferror(maps.get());
  }

  void make() noexcept {
    int const file = make_file(name);
    if (file < 0) return;
    auto const size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    if (ftruncate(file, static_cast<off_t>(size)) == 0) {
      void* const made = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
      if (made != MAP_FAILED) page = made;
    }
    close(file);
  }
};

} // namespace

std::atomic<void*>* find_process_word(char const* name) noexcept {
  search s{name};
  // The loader's lock is the one lock that all copies share. dl_iterate_phdr holds it while it calls the callback,
  // which runs for the first object only because it returns 1.
  dl_iterate_phdr(
      [](dl_phdr_info*, std::size_t, void* with) {
        auto& found = *static_cast<search*>(with);
        if (found.find() && !found.page) found.make();
        return 1;
      },
      &s);
  // The page is initially zero, which is a null pointer.
  static_assert(std::atomic<void*>::is_always_lock_free && sizeof(std::atomic<void*>) == sizeof(void*));
  return static_cast<std::atomic<void*>*>(s.page);
}

} // namespace cudax::runtime
