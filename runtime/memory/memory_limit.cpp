// SPDX-License-Identifier: Apache-2.0
//
// memory_limit: reads the limits that the kernel reports.
//
// The limit of a control group holds for all groups below it, so every group up to the root is read. A container sees
// its own group as the root, or the path of a group that is not mounted in the container: groups that cannot be read
// are skipped.
#include "memory_limit.hpp"

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <unistd.h>

namespace cudax::runtime {
namespace {

using file = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
file open(char const* path) noexcept { return {std::fopen(path, "re"), std::fclose}; }

struct reader {
  char const* root;
  memory_limit limit;

  void take(std::size_t bytes, char const* of) noexcept {
    if (bytes < limit.bytes) limit = {bytes, of};
  }

  /// Reads a file that contains one number; false also for "max".
  bool read(char const* folder, char const* group, char const* name, unsigned long long& value) const noexcept {
    char path[PATH_MAX];
    if (std::snprintf(path, sizeof(path), "%s%s%s/%s", root, folder, group, name) >= int(sizeof(path))) return false;
    file const opened = open(path);
    return opened && std::fscanf(opened.get(), "%llu", &value) == 1;
  }

  /// Returns how much of a group's use the kernel can reclaim: pages of files.
  unsigned long long cached(char const* folder, char const* group) const noexcept {
    char line[PATH_MAX];
    if (std::snprintf(line, sizeof(line), "%s%s%s/memory.stat", root, folder, group) >= int(sizeof(line))) return 0;
    unsigned long long own = 0, all = 0, value = 0;
    char name[64];
    for (file const opened = open(line); opened && std::fscanf(opened.get(), "%63s %llu", name, &value) == 2;) {
      if (std::strcmp(name, "inactive_file") == 0 || std::strcmp(name, "active_file") == 0) own += value;
      // Version 1 reports a group's own pages and, separately, the total including the groups below it.
      if (std::strcmp(name, "total_inactive_file") == 0 || std::strcmp(name, "total_active_file") == 0) all += value;
    }
    return std::max(own, all);
  }

  struct names {
    char const *folder, *limit, *use, *of;
  };

  void read_groups(names const& n, char* group) noexcept {
    for (;;) {
      unsigned long long most = 0, used = 0;
      // A group without a limit has "max", or almost 2^63.
      if (read(n.folder, group, n.limit, most) && most < 1ull << 62) {
        if (read(n.folder, group, n.use, used)) used -= std::min(used, cached(n.folder, group));
        take(most > used ? most - used : 0, n.of);
      }
      char* const last = std::strrchr(group, '/');
      if (!last) return;
      *last = '\0';
    }
  }

  void read_all() noexcept {
    char line[PATH_MAX];
    std::snprintf(line, sizeof(line), "%s/proc/meminfo", root);
    if (file const info = open(line)) {
      unsigned long long kilobytes = 0;
      while (std::fgets(line, sizeof(line), info.get()))
        if (std::sscanf(line, "MemAvailable: %llu", &kilobytes) == 1)
          take(kilobytes * 1024, "this machine has free (MemAvailable)");
    }
    std::snprintf(line, sizeof(line), "%s/proc/self/cgroup", root);
    file const groups = open(line);
    while (groups && std::fgets(line, sizeof(line), groups.get())) {
      line[std::strcspn(line, "\n")] = '\0';
      char* const controllers = std::strchr(line, ':'); // number:controllers:path
      char* const path = controllers ? std::strchr(controllers + 1, ':') : nullptr;
      if (!path) continue;
      *path = '\0';
      char* const group = std::strcmp(path + 1, "/") == 0 ? path + 2 : path + 1; // the root is ""
      bool const is_memory = [&] {
        for (char const* at = controllers + 1; at; at = std::strchr(at, ',')) {
          at += *at == ',';
          if (std::strncmp(at, "memory", 6) == 0 && (at[6] == ',' || at[6] == '\0')) return true;
        }
        return false;
      }();
      if (controllers[1] == '\0')
        read_groups({"/sys/fs/cgroup", "memory.max", "memory.current",
                     "the control group of this process has left (memory.max)"},
                    group);
      else if (is_memory)
        read_groups({"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
                     "the control group of this process has left (memory.limit_in_bytes)"},
                    group);
    }
  }
};

} // namespace

memory_limit find_memory_limit(char const* root) noexcept {
  auto const machine =
      static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  reader r{root, {machine, "this machine has"}};
  r.read_all();
  return r.limit;
}

memory_limit find_memory_limit() noexcept { return find_memory_limit(""); }

} // namespace cudax::runtime
