// SPDX-License-Identifier: Apache-2.0
//
// Bit operations: each instruction against the loop over single bits that defines it in the PTX ISA.
#include "numbers.hpp"

#include <bit>

using namespace emulator_test;

namespace {

std::vector<u64> amounts() {
  std::vector<u64> all;
  for (u64 i = 0; i < 70; ++i) all.push_back(i);
  for (u64 const x : {127, 128, 254, 255, 256, 257, 300}) all.push_back(x);
  all.push_back(0x80000000);
  all.push_back(0xffffffff);
  return all;
}
std::vector<operands> with_amount(int bits) { return combine({integer_edges(bits), amounts()}, {bits, 6}); }

bool bit(u64 x, s64 i) { return x >> i & 1; }

} // namespace

BOOST_AUTO_TEST_SUITE(arithmetic_bits)

BOOST_AUTO_TEST_CASE(logical_operations) {
  for (int const bits : {16, 32, 64}) {
    std::string const t = ".b" + std::to_string(bits) + " d, a";
    auto const in = combine({integer_edges(bits), integer_edges(bits)}, {bits, bits});
    check("and" + t + ", b;", {bits, {bits, bits}}, in, [](u64 a, u64 b, u64, u64) { return a & b; });
    check("or" + t + ", b;", {bits, {bits, bits}}, in, [](u64 a, u64 b, u64, u64) { return a | b; });
    check("xor" + t + ", b;", {bits, {bits, bits}}, in, [](u64 a, u64 b, u64, u64) { return a ^ b; });
    check("not" + t + ";", {bits, {bits}}, in, [&](u64 a, u64, u64, u64) { return low_bits(~a, bits); });
    check("cnot" + t + ";", {bits, {bits}}, in, [](u64 a, u64, u64, u64) { return u64(a == 0); });
  }
  check("{.reg .pred p, q; setp.ne.u32 p, a, 0; setp.ne.u32 q, b, 0; xor.pred p, p, q; not.pred p, p; selp.b32 d, 1, "
        "0, p;}",
        {32, {32, 32}}, combine({{0, 1, 256}, {0, 1, 256}}, {}, 0),
        [](u64 a, u64 b, u64, u64) { return u64((a != 0) == (b != 0)); });
}

BOOST_AUTO_TEST_CASE(shifts_beyond_the_width) {
  for (int const bits : {16, 32, 64}) {
    std::string const n = std::to_string(bits) + " d, a, b;";
    check("shl.b" + n, {bits, {bits, 32}}, with_amount(bits),
          [&](u64 a, u64 b, u64, u64) { return b >= u64(bits) ? 0 : low_bits(a << b, bits); });
    check("shr.u" + n, {bits, {bits, 32}}, with_amount(bits),
          [&](u64 a, u64 b, u64, u64) { return b >= u64(bits) ? 0 : a >> b; });
    check("shr.b" + n, {bits, {bits, 32}}, with_amount(bits),
          [&](u64 a, u64 b, u64, u64) { return b >= u64(bits) ? 0 : a >> b; });
    check("shr.s" + n, {bits, {bits, 32}}, with_amount(bits),
          [&](u64 a, u64 b, u64, u64) { return low_bits(u64(value(a, bits, true) >> std::min<u64>(b, 100)), bits); });
  }
}

BOOST_AUTO_TEST_CASE(funnel_shifts) {
  auto const in = combine({integer_edges(32), integer_edges(32), amounts()}, {32, 32, 6});
  for (bool const left : {false, true})
    for (bool const wraps : {false, true})
      check(std::string("shf.") + (left ? "l" : "r") + (wraps ? ".wrap" : ".clamp") + ".b32 d, a, b, c;",
            {32, {32, 32, 32}}, in, [&](u64 a, u64 b, u64 c, u64) {
              u64 const n = wraps ? c % 32 : std::min<u64>(c, 32);
              u64 result = 0;
              for (s64 i = 0; i < 32; ++i) {
                s64 const from = left ? i + 32 - s64(n) : i + s64(n);
                result |= u64(bit(b << 32 | a, from)) << i;
              }
              return result;
            });
}

BOOST_AUTO_TEST_CASE(bit_counts) {
  for (int const bits : {32, 64}) {
    std::string const t = std::to_string(bits) + " d, a;";
    auto const in = combine({integer_edges(bits)}, {bits});
    check("popc.b" + t, {32, {bits}}, in, [&](u64 a, u64, u64, u64) {
      u64 n = 0;
      for (int i = 0; i < bits; ++i) n += bit(a, i);
      return n;
    });
    check("clz.b" + t, {32, {bits}}, in, [&](u64 a, u64, u64, u64) {
      u64 n = 0;
      while (n < u64(bits) && !bit(a, bits - 1 - s64(n))) ++n;
      return n;
    });
    check("brev.b" + t, {bits, {bits}}, in, [&](u64 a, u64, u64, u64) {
      u64 r = 0;
      for (int i = 0; i < bits; ++i) r |= u64(bit(a, bits - 1 - i)) << i;
      return r;
    });
    for (bool const s : {false, true})
      for (bool const amount : {false, true})
        check(std::string("bfind") + (amount ? ".shiftamt" : "") + (s ? ".s" : ".u") + t, {32, {bits}}, in,
              [&](u64 a, u64, u64, u64) {
                if (s && bit(a, bits - 1)) a = low_bits(~a, bits);
                for (int i = bits - 1; i >= 0; --i)
                  if (bit(a, i)) return u64(amount ? bits - 1 - i : i);
                return u64(0xffffffff);
              });
  }
}

BOOST_AUTO_TEST_CASE(bit_fields) {
  for (int const bits : {32, 64}) {
    auto const in = combine({integer_edges(bits), amounts(), amounts()}, {bits, 6, 6}, 3000);
    auto const read = [bits](u64 x) {
      return s64(bits == 64 ? x : x & 255);
    }; // as an H100 does; PTX specifies 255 for both
    for (bool const s : {false, true})
      check(std::string("bfe.") + (s ? "s" : "u") + std::to_string(bits) + " d, a, b, c;", {bits, {bits, 32, 32}}, in,
            [&](u64 a, u64 b, u64 c, u64) {
              s64 const pos = read(b), len = read(c), msb = bits - 1;
              bool const sign = s && len != 0 && bit(a, std::min(pos + len - 1, msb));
              u64 d = 0;
              for (s64 i = 0; i <= msb; ++i) d |= u64(i < len && pos + i <= msb ? bit(a, pos + i) : sign) << i;
              return d;
            });
    check("bfi.b" + std::to_string(bits) + " d, a, b, c, e;", {bits, {bits, bits, 32, 32}},
          combine({integer_edges(bits), integer_edges(bits), amounts(), amounts()}, {bits, bits, 6, 6}, 3000),
          [&](u64 a, u64 b, u64 c, u64 e) {
            s64 const pos = read(c), len = read(e), msb = bits - 1;
            u64 d = b;
            for (s64 i = 0; i < len && pos + i <= msb; ++i)
              d = (d & ~(u64(1) << (pos + i))) | u64(bit(a, i)) << (pos + i);
            return d;
          });
  }
}

BOOST_AUTO_TEST_CASE(masks_and_extensions) {
  for (bool const wraps : {false, true}) {
    std::string const way = wraps ? "wrap" : "clamp";
    check("bmsk." + way + ".b32 d, a, b;", {32, {32, 32}}, combine({amounts(), amounts()}, {6, 6}),
          [&](u64 a, u64 b, u64, u64) {
            u64 const start = wraps ? a % 32 : a, width = wraps ? b % 32 : b;
            u64 d = 0;
            for (u64 i = 0; i < 32; ++i) d |= u64(i >= start && i - start < width) << i;
            return d;
          });
    for (bool const s : {false, true})
      check("szext." + way + (s ? ".s32" : ".u32") + " d, a, b;", {32, {32, 32}}, with_amount(32),
            [&](u64 a, u64 b, u64, u64) {
              u64 const n = wraps ? b % 32 : std::min<u64>(b, 32);
              u64 d = 0;
              for (u64 i = 0; i < 32; ++i) d |= u64(i < n ? bit(a, s64(i)) : s && n > 0 && bit(a, s64(n) - 1)) << i;
              return d;
            });
  }
}

BOOST_AUTO_TEST_CASE(the_nth_set_bit) {
  std::vector<u64> bases, offsets;
  for (u64 i = 0; i < 32; ++i) bases.push_back(i);
  for (s64 i = -33; i < 34; ++i) offsets.push_back(u32(i));
  check("fns.b32 d, a, b, c;", {32, {32, 32, 32}}, {{~0u, 0, 0x80000000}, {0, 40, 0x80000000}},
        [](u64, u64, u64, u64) { return u64(0); }); // as an H100 does
  check("fns.b32 d, a, b, c;", {32, {32, 32, 32}},
        combine({{0, ~0u, 0x80000001, 0x12345678, 0xf0f0f0f0, 1}, bases, offsets}, {}, 0),
        [](u64 a, u64 b, u64 c, u64) {
          s64 const offset = s32(c);
          if (offset == 0) return bit(a, s64(b)) ? b : u64(0xffffffff);
          s64 left = offset < 0 ? -offset : offset;
          for (s64 i = s64(b); i >= 0 && i < 32; i += offset < 0 ? -1 : 1) {
            if (!bit(a, i)) continue;
            if (--left == 0) return u64(i);
          }
          return u64(0xffffffff);
        });
}

BOOST_AUTO_TEST_CASE(any_function_of_three_bits) {
  auto const in = combine({integer_edges(32), integer_edges(32), integer_edges(32)}, {32, 32, 32});
  for (u64 table = 0; table < 256; table += 5)
    check("lop3.b32 d, a, b, c, " + std::to_string(table) + ";", {32, {32, 32, 32}}, in, [&](u64 a, u64 b, u64 c, u64) {
      u64 d = 0;
      for (int i = 0; i < 32; ++i) d |= u64(bit(table, bit(a, i) * 4 + bit(b, i) * 2 + bit(c, i))) << i;
      return d;
    });
  check("{.reg .pred p, q; setp.ne.u32 q, c, 0; lop3.or.b32 _|p, a, b, 0, 0xc0, q; selp.b32 d, 1, 0, p;}",
        {32, {32, 32, 32}}, in, [](u64 a, u64 b, u64 c, u64) { return u64((a & b) != 0 || c != 0); });
  check("{.reg .pred p, q; setp.ne.u32 q, c, 0; lop3.and.b32 d|p, a, b, 0, 0xc0, !q; @p add.u32 d, d, 1;}",
        {32, {32, 32, 32}}, in, [](u64 a, u64 b, u64 c, u64) { return u64(u32((a & b) + ((a & b) != 0 && c == 0))); });
}

BOOST_AUTO_TEST_CASE(byte_permutations) {
  auto const in =
      combine({{0x33221100, 0x83828180, 0x7f80ff00}, {0x77665544, 0x87868584}, integer_edges(32)}, {32, 32, 32}, 2000);
  auto const byte = [](u64 a, u64 b, u64 i) { return (b << 32 | a) >> (8 * i) & 255; };
  check("prmt.b32 d, a, b, c;", {32, {32, 32, 32}}, in, [&](u64 a, u64 b, u64 c, u64) {
    u64 d = 0;
    for (int i = 0; i < 4; ++i) {
      u64 const selector = c >> (4 * i) & 15, x = byte(a, b, selector & 7);
      d |= (selector & 8 ? (x & 128 ? 255u : 0u) : x) << (8 * i);
    }
    return d;
  });
  struct way {
    char const* name;
    u8 selectors[4][4]; ///< of the highest byte first, as in the table of the PTX ISA
  };
  constexpr way ways[]{{"f4e", {{3, 2, 1, 0}, {4, 3, 2, 1}, {5, 4, 3, 2}, {6, 5, 4, 3}}},
                       {"b4e", {{5, 6, 7, 0}, {6, 7, 0, 1}, {7, 0, 1, 2}, {0, 1, 2, 3}}},
                       {"rc8", {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}}},
                       {"ecl", {{3, 2, 1, 0}, {3, 2, 1, 1}, {3, 2, 2, 2}, {3, 3, 3, 3}}},
                       {"ecr", {{0, 0, 0, 0}, {1, 1, 1, 0}, {2, 2, 1, 0}, {3, 2, 1, 0}}},
                       {"rc16", {{1, 0, 1, 0}, {3, 2, 3, 2}, {1, 0, 1, 0}, {3, 2, 3, 2}}}};
  for (way const& w : ways)
    check(std::string("prmt.b32.") + w.name + " d, a, b, c;", {32, {32, 32, 32}}, in, [&](u64 a, u64 b, u64 c, u64) {
      u64 d = 0;
      for (u64 const selector : w.selectors[c & 3]) d = d << 8 | byte(a, b, selector);
      return d;
    });
}

BOOST_AUTO_TEST_CASE(moves_pack_and_unpack) {
  auto const in = combine({integer_edges(64), integer_edges(64)}, {64, 64});
  check("{.reg .b32 x, y; mov.b64 {x, y}, a; mov.b64 d, {y, x};}", {64, {64}}, in,
        [](u64 a, u64, u64, u64) { return std::rotl(a, 32); });
  check("{.reg .b16 x, y, z, w; mov.b64 {x, y, z, w}, a; mov.b64 d, {y, z, w, x};}", {64, {64}}, in,
        [](u64 a, u64, u64, u64) { return std::rotr(a, 16); });
  check("mov.b64 {_, d}, a;", {32, {64}}, in, [](u64 a, u64, u64, u64) { return a >> 32; });
  check("{.reg .b16 x, y; mov.b32 {x, y}, a; mov.b32 d, {y, x};}", {32, {32}}, combine({integer_edges(32)}, {32}),
        [](u64 a, u64, u64, u64) { return u64(std::rotl(u32(a), 16)); });
  check("{.reg .b128 q, r; .reg .b64 x, y; mov.b128 q, {a, b}; mov.b128 r, q; mov.b128 {x, y}, r; sub.u64 d, x, y;}",
        {64, {64, 64}}, in, [](u64 a, u64 b, u64, u64) { return a - b; });
  check("{.reg .pred p; mov.pred p, -1; selp.b64 d, a, b, p;}", {64, {64, 64}}, in,
        [](u64 a, u64, u64, u64) { return a; });
  check("slct.b64.s32 d, a, b, c;", {64, {64, 64, 32}}, combine({{1}, {2}, integer_edges(32)}, {}, 0),
        [](u64 a, u64 b, u64 c, u64) { return s32(c) >= 0 ? a : b; });
  check("slct.u32.f32 d, a, b, c;", {32, {32, 32, 32}},
        combine({{1}, {2}, {0, 0x80000000, 0x3f800000, 0xbf800000, 0x7fc00000, 0x80000001}}, {}, 0),
        [](u64 a, u64 b, u64 c, u64) { return std::bit_cast<float>(u32(c)) >= 0 ? a : b; });
}

BOOST_AUTO_TEST_SUITE_END()
