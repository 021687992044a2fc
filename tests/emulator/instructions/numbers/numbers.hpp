// SPDX-License-Identifier: Apache-2.0
//
// numbers: runs one instruction on many operands, one thread each, and returns the results.
//
// The instruction is written with registers d (result), a, b, c and e (operands). Expected results come from exact
// integers, the host's rounding modes, or a search among all numbers of a format, never from the emulator's own
// functions.
#pragma once

#include "../../../../tools/emulator/machine/decoder.hpp"
#include "../kernel.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <functional>
#include <iomanip>
#include <sstream>
#include <vector>

namespace emulator_test {

using emulator::s8, emulator::s16, emulator::s32, emulator::s64;
using emulator::u8, emulator::u16, emulator::u32, emulator::u64;
using wide = __int128;

using operands = std::array<u64, 4>;

/// Widths in bits: of the result, then of the operands.
struct widths {
  int result;
  std::vector<int> operands;
};

inline std::vector<u64> results_of(std::string const& instruction, widths const& w, std::vector<operands> const& in) {
  std::string body;
  auto const declare = [&](char name, int bits) { body += ".reg .b" + std::to_string(bits) + " " + name + "; "; };
  declare('d', w.result);
  body += "mov.u32 %r1, %ctaid.x; mad.lo.u32 %r1, %r1, 128, 0; mov.u32 %r2, %tid.x; add.u32 %r1, %r1, %r2;\n"
          "mul.wide.u32 %rd1, %r1, 40; add.u64 %rd1, %rd0, %rd1;\n";
  for (std::size_t i = 0; i < w.operands.size(); ++i) {
    declare("abce"[i], w.operands[i]);
    body += std::string("ld.global.b") + std::to_string(w.operands[i]) + " " + "abce"[i] + ", [%rd1+" +
            std::to_string(8 * i) + "];\n";
  }
  body += instruction + "\nst.global.b" + std::to_string(w.result) + " [%rd1+32], d;";
  std::size_t const blocks = (in.size() + 127) / 128;
  buffer memory{blocks * 128 * 40};
  for (std::size_t i = 0; i < in.size(); ++i)
    for (std::size_t k = 0; k < 4; ++k) memory.put<u64>(i * 40 + 8 * k, in[i][k]);
  RUN(body, memory, {.grid = u32(blocks), .block = 128});
  std::vector<u64> out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = memory.u64(i * 40 + 32);
  return out;
}

inline std::string hexadecimal(u64 x) {
  std::ostringstream s;
  s << "0x" << std::hex << x;
  return s.str();
}

/// Runs an instruction and compares each result with `expected`, reporting the first few that differ.
inline void check(std::string const& instruction, widths const& w, std::vector<operands> const& in,
                  std::function<u64(u64, u64, u64, u64)> const& expected) {
  std::vector<u64> const out = results_of(instruction, w, in);
  int reported = 0;
  for (std::size_t i = 0; i < in.size() && reported < 5; ++i) {
    auto const& [a, b, c, e] = in[i];
    u64 const want = expected(a, b, c, e);
    if (out[i] == want) continue;
    ++reported;
    BOOST_ERROR(instruction << " of " << hexadecimal(a) << ", " << hexadecimal(b) << ", " << hexadecimal(c) << ", "
                            << hexadecimal(e) << " is " << hexadecimal(out[i]) << ", not " << hexadecimal(want));
  }
  BOOST_TEST(reported == 0);
}

inline u64 hash(u64 x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

inline u64 low_bits(u64 x, int bits) { return bits == 64 ? x : x & ((u64(1) << bits) - 1); }

/// All combinations of edge values, if they are few enough; then random ones.
inline std::vector<operands> combine(std::vector<std::vector<u64>> const& edges, std::vector<int> const& random_bits,
                                     int random = 400) {
  std::vector<operands> all;
  std::size_t count = 1;
  for (auto const& e : edges) count *= e.size();
  std::size_t const stride = count > 6000 ? count / 6000 + 1 : 1;
  for (std::size_t i = 0; i < count; i += stride) {
    operands o{};
    std::size_t left = i;
    for (std::size_t k = 0; k < edges.size(); ++k) {
      o[k] = edges[k][left % edges[k].size()];
      left /= edges[k].size();
    }
    all.push_back(o);
  }
  for (int i = 0; i < random; ++i) {
    operands o{};
    for (std::size_t k = 0; k < random_bits.size(); ++k) o[k] = low_bits(hash(u64(i) * 8 + k + 1), random_bits[k]);
    all.push_back(o);
  }
  return all;
}

inline std::vector<u64> integer_edges(int bits) {
  std::vector<u64> all;
  for (u64 const x : {u64(0), u64(1), u64(2), u64(3), u64(7), u64(31), u64(32), u64(100), u64(0x7f), u64(0x80),
                      u64(0x7fff), u64(0x8000), u64(0x7fffffff), u64(0x80000000), u64(0xffffff), u64(0x1000001),
                      u64(0x7fffffffffffffff), u64(0x5555555555555555)}) {
    all.push_back(low_bits(x, bits));
    all.push_back(low_bits(-x, bits));
  }
  return all;
}

/// The number that the low bits represent.
inline wide value(u64 x, int bits, bool is_signed) {
  x = low_bits(x, bits);
  if (is_signed && x >> (bits - 1)) return wide(x) - (wide(1) << bits);
  return wide(x);
}

inline u64 reals_to_bits(double x) { return std::bit_cast<u64>(x); }
inline u64 reals_to_bits(float x) { return std::bit_cast<u32>(x); }

} // namespace emulator_test
