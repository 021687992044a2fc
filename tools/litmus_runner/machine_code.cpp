// SPDX-License-Identifier: Apache-2.0
#include "machine_code.hpp"

#include <elf.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <string_view>

namespace litmus_runner {

namespace {

/// The program and its libraries that may hold kernels.
std::set<std::string> own_files() {
  std::set<std::string> files;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (auto const path = line.find('/'); path != std::string::npos)
      if (std::string const name = line.substr(path); name.find("litmus") != std::string::npos) files.insert(name);
  return files;
}

/// For the shell.
std::string quoted(std::string const& text) {
  std::string result = "'";
  for (char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

/// The lines of cuobjdump from the kernel's to those of the next function.
std::string code_in(std::string const& file, std::string const& kernel) {
  std::string text;
  std::FILE* const output = popen(("cuobjdump -sass " + quoted(file) + " 2>/dev/null").c_str(), "r");
  if (!output) return text;
  bool inside = false;
  std::string const name = std::to_string(kernel.size()) + kernel; // as a mangled name has it
  for (char line[4096]; std::fgets(line, sizeof line, output);) {
    std::string const here = line;
    if (here.find("Function :") != std::string::npos) inside = here.find(name) != std::string::npos;
    if (inside) text += here;
  }
  pclose(output);
  return text;
}

/// A structure at an offset of some bytes; zeros beyond their end.
template <class T>
T at(std::string_view bytes, std::size_t offset) {
  T result{};
  if (offset <= bytes.size() && sizeof(T) <= bytes.size() - offset) std::memcpy(&result, &bytes[offset], sizeof(T));
  return result;
}

/// Adds the instructions of the kernels code_of_... in an ELF file of the GPU, with which `elf` begins: each kernel has
/// a section.
void add_codes(std::string_view elf, std::map<std::string, std::string>& codes) {
  constexpr std::string_view text = ".text.", prefix = ".text.code_of_";
  auto const header = at<Elf64_Ehdr>(elf, 0);
  auto const section = [&](std::size_t i) { return at<Elf64_Shdr>(elf, header.e_shoff + i * header.e_shentsize); };
  auto const names = section(header.e_shstrndx);
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    auto const s = section(i);
    std::size_t const begin = names.sh_offset + s.sh_name;
    if (begin >= elf.size() || s.sh_offset > elf.size() || s.sh_size > elf.size() - s.sh_offset) continue;
    std::string_view const name = elf.substr(begin, elf.find('\0', begin) - begin);
    if (name.starts_with(prefix)) codes[std::string(name.substr(text.size()))] = elf.substr(s.sh_offset, s.sh_size);
  }
}

} // namespace

std::map<std::string, std::string> codes_of_tests() {
  constexpr Elf64_Half of_gpu = 190; // EM_CUDA, which elf.h of older systems lacks
  std::map<std::string, std::string> codes;
  for (auto const& name : own_files()) {
    std::ifstream file(name, std::ios::binary);
    std::string const bytes{std::istreambuf_iterator<char>(file), {}};
    std::string_view const all = bytes;
    for (auto i = all.find(ELFMAG, 1); i != all.npos; i = all.find(ELFMAG, i + SELFMAG)) // at 0 is the host's
      if (at<Elf64_Ehdr>(all, i).e_machine == of_gpu) add_codes(all.substr(i), codes);
  }
  return codes;
}

std::string keep_machine_code(std::string const& kernel) {
  for (auto const& file : own_files()) {
    std::string const code = code_in(file, kernel);
    if (code.empty()) continue;
    std::string const path = kernel + ".sass";
    std::ofstream kept(path);
    kept << code;
    kept.close();
    return kept ? "its machine code is in " + path : path + " cannot be written; change to another folder";
  }
  return "its machine code is not kept: cuobjdump was not found, or the program holds only PTX";
}

} // namespace litmus_runner
