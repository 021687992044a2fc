// SPDX-License-Identifier: Apache-2.0
//
// fatbin: reads the container. Its layout:
//   wrapper:  u32 0x466243b1, u32 version: 1, or 2 for code that nvcc has linked; address of the container
//   container: u32 0xBA55ED50, u16, u16 header size, u64 payload size; then images:
//   image:    u16 kind, u16, u32 header size, u64 payload size, u32 compressed size, ..., u32 SM at 28, flags at 40,
//             u64 size without compression at 56; then the payload
#include "fatbin.hpp"

#include <cstring>
#include <dlfcn.h>
#include <stdexcept>

namespace emulator::cuda {
namespace {

constexpr std::uint32_t wrapper_magic = 0x466243b1, container_magic = 0xBA55ED50;
constexpr std::uint16_t kind_ptx = 1, kind_cubin = 2;
constexpr std::uint64_t flag_lz4 = 0x2000, flag_zstd = 0x8000;

template <class T>
T read(char const* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

[[noreturn]] void broken(std::string const& what) {
  throw std::runtime_error("the program's device code cannot be read: " + what);
}

/// Decompresses a block of LZ4: runs of literal bytes, each followed by a copy of earlier output.
std::string decompress_lz4(std::string_view in, std::size_t size) {
  std::string out;
  out.reserve(size);
  std::size_t at = 0;
  auto const byte = [&] {
    if (at >= in.size()) broken("its LZ4 data ends too early");
    return static_cast<unsigned char>(in[at++]);
  };
  auto const length = [&](std::size_t start) {
    if (start == 15)
      for (unsigned more = 255; more == 255;) start += more = byte();
    return start;
  };
  while (at < in.size() && out.size() < size) {
    unsigned const token = byte();
    std::size_t const literals = length(token >> 4);
    if (literals > in.size() - at || literals > size - out.size()) broken("its LZ4 data has a wrong length");
    out.append(in.substr(at, literals));
    at += literals;
    if (out.size() == size || at == in.size()) break;
    std::size_t const low = byte(), distance = low | std::size_t(byte()) << 8;
    std::size_t const copied = length(token & 15) + 4;
    if (distance == 0 || distance > out.size() || copied > size - out.size())
      broken("its LZ4 data refers to what is not there");
    for (std::size_t i = 0; i < copied; ++i) out += out[out.size() - distance]; // source and destination may overlap
  }
  return out;
}

/// Decompresses with the system's libzstd, which is loaded when needed: nearly every Linux has the library, but not its
/// headers.
std::string decompress_zstd(std::string_view in, std::size_t size) {
  using decompress = std::size_t (*)(void*, std::size_t, void const*, std::size_t);
  static void* const library = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
  static auto const run = library ? reinterpret_cast<decompress>(dlsym(library, "ZSTD_decompress")) : nullptr;
  if (!run)
    broken("it is compressed with zstd, and libzstd.so.1 was not found; install it (Debian: libzstd1), or link the "
           "program with -Xcuda-fatbinary --compress=false");
  std::string out(size, '\0');
  if (run(out.data(), out.size(), in.data(), in.size()) != size) broken("its zstd data is not what it should be");
  return out;
}

} // namespace

std::vector<fatbin_image> images_of(void const* wrapper) {
  auto const* const where = static_cast<char const*>(wrapper);
  if (read<std::uint32_t>(where) != wrapper_magic) broken("what was registered is no fat binary");
  auto const* const container = read<char const*>(where + 8);
  if (read<std::uint32_t>(container) != container_magic) broken("what was registered holds no fat binary");
  char const* at = container + read<std::uint16_t>(container + 6);
  char const* const end = at + read<std::uint64_t>(container + 8);

  std::vector<fatbin_image> images;
  while (end - at >= 64) {
    fatbin_image image;
    auto const kind = read<std::uint16_t>(at);
    auto const header = read<std::uint32_t>(at + 4);
    auto const payload = read<std::uint64_t>(at + 8);
    auto const flags = read<std::uint64_t>(at + 40);
    if (header < 64 || header > std::uint64_t(end - at) || payload > std::uint64_t(end - at) - header)
      broken("an image is longer than its container");
    image.what = kind == kind_ptx     ? fatbin_image::kind::ptx
                 : kind == kind_cubin ? fatbin_image::kind::cubin
                                      : fatbin_image::kind::other;
    image.sm = static_cast<int>(read<std::uint32_t>(at + 28));
    image.size = payload;
    image.payload = {at + header, payload};
    if (flags & (flag_lz4 | flag_zstd)) {
      image.compressed = flags & flag_zstd ? fatbin_image::compression::zstd : fatbin_image::compression::lz4;
      image.payload = image.payload.substr(0, read<std::uint32_t>(at + 16)); // the rest is padding
      image.size = read<std::uint64_t>(at + 56);
    }
    images.push_back(image);
    at += header + payload;
  }
  return images;
}

bool is_linked_by_nvcc(void const* wrapper) {
  constexpr std::uint32_t linked = 2;
  return read<std::uint32_t>(static_cast<char const*>(wrapper) + 4) == linked;
}

std::string contents_of(fatbin_image const& image) {
  std::string text;
  switch (image.compressed) {
  case fatbin_image::compression::none: text = image.payload; break;
  case fatbin_image::compression::lz4: text = decompress_lz4(image.payload, image.size); break;
  case fatbin_image::compression::zstd: text = decompress_zstd(image.payload, image.size); break;
  }
  while (text.ends_with('\0')) text.pop_back();
  return text;
}

} // namespace emulator::cuda
