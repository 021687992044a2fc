// SPDX-License-Identifier: Apache-2.0
//
// notes: see the header.
#include "notes.hpp"

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace emulator::cuda {
namespace {

constexpr std::array<std::string_view, 6> names = {"runtime", "kernels", "launch", "grid", "error", "atomics"};

/// Writes the first note: the runtime is loaded.
[[gnu::constructor]] void note_runtime() { write_note(note::runtime); }

std::string_view trimmed(std::string_view line) {
  auto const begin = line.find_first_not_of(" \t\r");
  return begin == line.npos ? std::string_view() : line.substr(begin);
}

} // namespace

void write_note(note kind, std::string_view text) noexcept {
  static std::array<std::atomic<bool>, names.size()> written{};
  auto const number = static_cast<std::size_t>(kind);
  if (written[number].load(std::memory_order_relaxed) || written[number].exchange(true)) return;
  char const* const name = std::getenv("CUDAX_EMULATOR_NOTES");
  std::FILE* const file = name && *name ? std::fopen(name, "ae") : nullptr;
  if (!file) return;
  std::fprintf(file, "%.*s%s%.*s\n", static_cast<int>(names[number].size()), names[number].data(),
               text.empty() ? "" : " ", static_cast<int>(text.size()), text.data());
  std::fclose(file);
}

bool holds_atomics_of_clang(std::string_view ptx) {
  bool in_assembly = false, after_fence = false;
  while (!ptx.empty()) {
    auto const end = ptx.find('\n');
    std::string_view const line = trimmed(ptx.substr(0, end));
    ptx.remove_prefix(end == ptx.npos ? ptx.size() : end + 1);
    if (line.starts_with("// begin inline asm")) in_assembly = true;
    else if (line.starts_with("// end inline asm")) in_assembly = false;
    if (line.empty() || line.starts_with("//") || line.starts_with(".loc")) continue;
    if (!in_assembly && after_fence && line.starts_with("atom.acquire.sys.") &&
        line.substr(0, line.find(' ')).find(".cas.") != line.npos)
      return true;
    after_fence = !in_assembly && line.starts_with("fence.sc.sys;");
  }
  return false;
}

} // namespace emulator::cuda
