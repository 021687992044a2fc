// SPDX-License-Identifier: Apache-2.0
//
// extract: a program that writes the PTX in an executable to files, for tests and for inspection.
//
//   extract EXECUTABLE FOLDER      writes FOLDER/NAME.INDEX.sm_NN.ptx, and prints the names
#include "fatbin.hpp"

#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace {

constexpr std::uint32_t fatbin_magic = 0xBA55ED50;

/// The argument of __cudaRegisterFatBinary.
struct wrapper {
  std::uint32_t magic = 0x466243b1, version = 1;
  void const* data;
  void const* unused = nullptr;
};

int extract(std::filesystem::path const& executable, std::filesystem::path const& folder) {
  std::ifstream file(executable, std::ios::binary);
  std::string const bytes((std::istreambuf_iterator<char>(file)), {});
  if (!file) {
    std::fprintf(stderr, "extract: %s: cannot be read\n", executable.c_str());
    return 2;
  }
  int images = 0;
  // A container begins with its magic number, at a multiple of 8 of the section, and so of the file.
  for (std::size_t at = 0; at + 16 <= bytes.size(); at += 8) {
    if (std::memcmp(bytes.data() + at, &fatbin_magic, sizeof(fatbin_magic)) != 0) continue;
    wrapper const w{.data = bytes.data() + at};
    for (auto const& image : emulator::cuda::images_of(&w)) {
      if (image.what != emulator::cuda::fatbin_image::kind::ptx) continue;
      auto const name =
          executable.filename().string() + "." + std::to_string(images++) + ".sm_" + std::to_string(image.sm) + ".ptx";
      std::ofstream(folder / name, std::ios::binary) << emulator::cuda::contents_of(image);
      std::puts((folder / name).c_str());
    }
  }
  if (images == 0) std::fprintf(stderr, "extract: %s holds no PTX\n", executable.c_str());
  return images == 0;
}

} // namespace

int main(int count, char** arguments) {
  if (count != 3) {
    std::fprintf(stderr, "usage: extract EXECUTABLE FOLDER\n");
    return 2;
  }
  try {
    return extract(arguments[1], arguments[2]);
  } catch (std::exception const& error) {
    std::fprintf(stderr, "extract: %s: %s\n", arguments[1], error.what());
    return 1;
  }
}
