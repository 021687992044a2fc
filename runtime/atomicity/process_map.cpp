// SPDX-License-Identifier: Apache-2.0
//
// process_map: parses the lists in /proc.
#include "process_map.hpp"

#include <cstring>
#include <memory>

namespace cudax::runtime {
namespace {

/// Searches for a mapping as find_mapping() does, in the list of that name.
mapping_search search(char const* list, std::uintptr_t address, mapping& found) noexcept {
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> const opened(std::fopen(list, "re"), std::fclose);
  return opened ? find_mapping(opened.get(), address, found) : mapping_search::failed;
}

} // namespace

mapping_search find_mapping(std::FILE* list, std::uintptr_t address, mapping& found) noexcept {
  bool is_in = false, begins_line = true;
  char line[256]; // only the first character of a path matters
  while (std::fgets(line, sizeof(line), list)) {
    bool const is_rest = !begins_line; // of a long line: its path may have the form of a line
    begins_line = std::strchr(line, '\n') != nullptr;
    if (is_rest) continue;
    // begin-end permissions offset device inode name; in smaps, "Name: value" lines follow.
    unsigned long begin = 0, end = 0, inode = 0;
    unsigned major = 0, minor = 0;
    int name = 0; // its position in the line
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
  // An aligned object lies within one page, and so within one mapping. smaps also has the flags of each mapping but is
  // slow to read: the kernel walks all pages that were touched.
  auto const wanted = reinterpret_cast<std::uintptr_t>(address);
  mapping found;
  mapping_search result = search("/proc/self/maps", wanted, found);
  if (result == mapping_search::failed) return backing::unknown;
  if (result == mapping_search::absent || !found.has_file) return backing::process;
  if (found.shared) return backing::file;
  // A private page no longer belongs to the file once it was written, as with a program's own variables. Pages of
  // hugetlbfs are never anonymous; they have an inode even if no file was named.
  result = search("/proc/self/smaps", wanted, found);
  if (result == mapping_search::failed) return backing::unknown;
  return result == mapping_search::found && found.hugetlbfs ? backing::file : backing::process;
}

} // namespace cudax::runtime
