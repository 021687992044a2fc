// SPDX-License-Identifier: Apache-2.0
//
// process_word: a word that every copy of this archive in the process can find.
//
// A plugin that was loaded with RTLD_LOCAL, or a Python extension, has its own copy of the archive and sees no symbol
// of another copy: the linker's names do not connect them, and export lists remove the names. Mappings have names, too:
// a page of an in-memory file (memfd_create) appears in /proc/self/maps under its name, and stays when the plugin that
// created it is unloaded. The page is private, so a child of fork() has its own.
#pragma once

#include <atomic>

namespace cudax::runtime {

/// Returns the word of that name, initially null; a null pointer if /proc cannot be read, or if there is no
/// memfd_create. Takes milliseconds. Only one thread of all copies searches at a time.
std::atomic<void*>* find_process_word(char const* name) noexcept;

} // namespace cudax::runtime
