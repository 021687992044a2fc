// SPDX-License-Identifier: Apache-2.0
//
// process_map: reading the lists.
#include "process_map.hpp"

#include <cstring>
#include <memory>

namespace cudax::runtime {
namespace {

/// As find_mapping, in the list of that name.
mapping_search search(char const* list, std::uintptr_t address, mapping& found) noexcept {
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> const opened(std::fopen(list, "re"), std::fclose);
  return opened ? find_mapping(opened.get(), address, found) : mapping_search::failed;
}

} // namespace

mapping_search find_mapping(std::FILE* list, std::uintptr_t address, mapping& found) noexcept {
  bool is_in = false, begins_line = true;
  char line[256]; // of a path the first character suffices
  while (std::fgets(line, sizeof(line), list)) {
    bool const is_rest = !begins_line; // of a long line, whose path may look as a line does
    begins_line = std::strchr(line, '\n') != nullptr;
    if (is_rest) continue;
    // begin-end permissions offset device inode name; in smaps, "Name: value" lines follow.
    unsigned long begin = 0, end = 0, inode = 0;
    unsigned major = 0, minor = 0;
    int name = 0; // where it stands
    char permissions[5] = "";
    if (std::sscanf(line, "%lx-%lx %4s %*s %x:%x %lu %n", &begin, &end, permissions, &major, &minor, &inode, &name) ==
        6) {
      if (is_in) break;
      is_in = address >= begin && address < end;
      if (is_in) found = {major != 0 || minor != 0 || inode != 0 || line[name] == '/', permissions[3] == 's'};
    } else if (is_in && std::strncmp(line, "VmFlags:", 8) == 0) {
      found.hugetlbfs = std::strstr(line, " ht") != nullptr;
    }
  }
  if (std::ferror(list)) return mapping_search::failed;
  return is_in ? mapping_search::found : mapping_search::absent;
}

backing backing_of(void const volatile* address) noexcept {
  // An object that is aligned lies in one page, and so in one mapping. smaps has the flags of each mapping, and takes long
  // for them: the kernel goes through all pages that are touched.
  auto const wanted = reinterpret_cast<std::uintptr_t>(address);
  mapping found;
  mapping_search result = search("/proc/self/maps", wanted, found);
  if (result == mapping_search::failed) return backing::unknown;
  if (result == mapping_search::absent || !found.has_file) return backing::process;
  if (found.shared) return backing::file;
  // Private pages are the file's no longer once they were written, as those of a program's own variables. Those of
  // hugetlbfs are never anonymous; they have an inode also where no file was named.
  result = search("/proc/self/smaps", wanted, found);
  if (result == mapping_search::failed) return backing::unknown;
  return result == mapping_search::found && found.hugetlbfs ? backing::file : backing::process;
}

} // namespace cudax::runtime
