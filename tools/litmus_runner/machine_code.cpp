// SPDX-License-Identifier: Apache-2.0
#include "machine_code.hpp"

#include <cstdio>
#include <fstream>
#include <set>

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

} // namespace

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
