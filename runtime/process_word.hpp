// SPDX-License-Identifier: Apache-2.0
//
// process_word: a word that every copy of this archive in the process finds.
//
// A plugin that was loaded with RTLD_LOCAL, or a Python extension, has a copy of its own and sees no symbol of another:
// names of the linker do not lead from one to the other, and export lists take them away. Mappings have names, too: a page
// of a file in memory (memfd_create) is in /proc/self/maps under a name, and stays when the plugin that made it is
// unloaded. It is private, so a child of fork has its own.
#pragma once

#include <atomic>

namespace cudax::runtime {

/// The word of that name, null at first; null without /proc or memfd_create. Takes milliseconds. One thread finds at a time,
/// of all copies.
std::atomic<void*>* find_process_word(char const* name) noexcept;

} // namespace cudax::runtime
