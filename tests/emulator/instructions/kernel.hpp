// SPDX-License-Identifier: Apache-2.0
//
// kernel: a kernel for tests of instructions: the test's text, plus declared registers, 4 KiB of shared memory
// and the address of a buffer in %rd0. The test examines the buffer afterwards.
#pragma once

#include "../../../tools/emulator/machine/device.hpp"
#include "../../../tools/emulator/machine/program.hpp"
#include "../../../tools/emulator/ptx/parse.hpp"

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace emulator_test {

inline std::string memory_module(std::string const& body, int sm = 100) {
  return ".version 9.0\n.target sm_" + std::to_string(sm) + (sm >= 90 ? "a" : "") +
         "\n.address_size 64\n"
         ".visible .entry k(.param .u64 p) {\n"
         ".reg .pred %p<10>; .reg .b16 %h<10>; .reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .b128 %q<5>;\n"
         ".reg .f32 %f<10>; .reg .f64 %d<10>;\n"
         ".shared .align 16 .b8 s[4096];\n"
         "ld.param.u64 %rd0, [p];\n" +
         body + "\nret;\n}\n";
}

/// Memory that kernels may access: aligned to 256 bytes, initially zero.
class buffer {
public:
  explicit buffer(std::size_t bytes = 4096) : memory_(bytes + 256) {}
  std::byte* data() {
    auto const address = reinterpret_cast<std::uintptr_t>(memory_.data());
    return memory_.data() + (256 - address % 256) % 256;
  }
  template <class T>
  T get(std::size_t offset) {
    T value;
    std::memcpy(&value, data() + offset, sizeof(T));
    return value;
  }
  template <class T>
  void put(std::size_t offset, T value) {
    std::memcpy(data() + offset, &value, sizeof(T));
  }
  std::uint8_t u8(std::size_t offset) { return get<std::uint8_t>(offset); }
  std::uint16_t u16(std::size_t offset) { return get<std::uint16_t>(offset); }
  std::uint32_t u32(std::size_t offset) { return get<std::uint32_t>(offset); }
  std::uint64_t u64(std::size_t offset) { return get<std::uint64_t>(offset); }

private:
  std::vector<std::byte> memory_;
};

struct shape {
  std::uint32_t grid = 1, block = 1, cluster = 1;
  int sm = 100;
  bool names_cluster = false; ///< gives the size of clusters, be it 1
};

/// Runs a kernel on one device, which all tests share.
inline emulator::fault run(std::string const& body, buffer& memory, shape s = {}) {
  static emulator::device device{[] {
    emulator::device_properties p;
    p.sm = 100;
    return p;
  }()};
  emulator::program program{emulator::ptx::parse(memory_module(body, s.sm), "test.ptx")};
  emulator::launch launch{};
  launch.kernel = program.kernel("k");
  launch.grid = {s.grid, 1, 1};
  launch.block = {s.block, 1, 1};
  launch.cluster = {s.cluster, 1, 1};
  launch.names_cluster = s.names_cluster;
  auto const address = reinterpret_cast<std::uint64_t>(memory.data());
  launch.parameters.resize(8);
  std::memcpy(launch.parameters.data(), &address, 8);
  return device.run(launch);
}

/// The same for a kernel that must succeed.
#define RUN(...)                                                                                                       \
  do {                                                                                                                 \
    emulator::fault const run_fault = emulator_test::run(__VA_ARGS__);                                                 \
    BOOST_REQUIRE_MESSAGE(run_fault.error == 0, run_fault.text);                                                       \
  } while (0)

/// The error from loading a kernel with this body; empty if there is none.
inline std::string memory_rejection(std::string const& body, int sm = 100) {
  try {
    emulator::program program{emulator::ptx::parse(memory_module(body, sm), "test.ptx")};
    program.kernel("k");
  } catch (emulator::ptx::rejected const& error) {
    return error.what();
  }
  return {};
}

} // namespace emulator_test
