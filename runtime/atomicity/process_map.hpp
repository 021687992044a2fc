// SPDX-License-Identifier: Apache-2.0
//
// process_map: what Linux reports about the mappings of this process, in /proc/self/maps and /proc/self/smaps.
//
// The question is which pages the kernel can move to a device one by one: those that belong to no file and to no other
// process. A line of maps has a device, an inode and a name. None of them alone identifies a file: the first segment of
// System V shared memory has inode 0, because the kernel writes the segment's number there; and anonymous memory may
// have a name, but not a path ("[heap]"). Source: proc_pid_maps(5), and show_map_vma in Linux.
#pragma once

#include <cstdint>
#include <cstdio>

namespace cudax::runtime {

/// What the pages at an address belong to: this process; a mapped file, shared memory of any kind or hugetlbfs; or
/// unknown, because /proc cannot be read.
enum class backing : unsigned char { process, file, unknown };

backing backing_of(void const volatile* address) noexcept;

/// One mapping.
struct mapping {
  bool has_file = false;
  bool shared = false;
  bool hugetlbfs = false; // known from smaps only
};

enum class mapping_search : unsigned char { found, absent, failed };

/// Finds the mapping of `address` in `list`, which is maps or smaps.
mapping_search find_mapping(std::FILE* list, std::uintptr_t address, mapping& found) noexcept;

} // namespace cudax::runtime
