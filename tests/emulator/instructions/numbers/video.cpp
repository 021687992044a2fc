// SPDX-License-Identifier: Apache-2.0
//
// Video instructions: each against the steps that the PTX ISA gives for it, on lists of lanes.
#include "numbers.hpp"

#include <algorithm>
#include <map>
#include <string>

using namespace emulator_test;

namespace {

using lanes = std::vector<s64>;

/// Lane i is part `parts[i]` of b:a, extended.
lanes extract(u64 a, u64 b, std::vector<int> const& parts, int bits, bool is_signed) {
  lanes result;
  for (int const part : parts) result.push_back(s64(value((b << 32 | a) >> (part * bits), bits, is_signed)));
  return result;
}

/// "3210" -> 0, 1, 2, 3: the highest lane is written first.
std::vector<int> numbers(std::string const& digits) {
  std::vector<int> result;
  for (char const c : digits) result.insert(result.begin(), c - '0');
  return result;
}

struct written {
  std::string mask, a, b; ///< digits; empty: the ISA's default
};

u64 expected(int count, s64 (*f)(s64, s64), bool a_signed, bool b_signed, s64 least, s64 greatest, bool adds,
             written const& w, u64 a, u64 b, u64 c) {
  int const bits = 32 / count;
  std::string const all = count == 2 ? "10" : "3210";
  std::string const mask = w.mask.empty() ? all : w.mask;
  lanes const va = extract(a, b, numbers(w.a.empty() ? all : w.a), bits, a_signed);
  lanes const vb = extract(a, b, numbers(w.b.empty() ? (count == 2 ? "32" : "7654") : w.b), bits, b_signed);
  u64 result = adds ? c : 0;
  for (int i = 0; i < count; ++i) {
    s64 const t = std::clamp(f(va[std::size_t(i)], vb[std::size_t(i)]), least, greatest);
    bool const chosen = mask.find(char('0' + i)) != mask.npos;
    if (adds) result += chosen ? u64(t) : 0;
    else result |= low_bits(chosen ? u64(t) : c >> (i * bits), bits) << (i * bits);
  }
  return low_bits(result, 32);
}

std::vector<operands> some_operands() {
  std::vector<u64> const edges = {0,          1,          0xffffffff, 0x80008000, 0x7fff7fff, 0x80808080,
                                  0x7f7f7f7f, 0x00ff00ff, 0x01020304, 0xfefdfcfb, 0x80017ffe, 0x817fff00};
  return combine({edges, edges, {0, 0xffffffff, 0x12345678}}, {32, 32, 32}, 60);
}

/// The spellings of masks and selectors to try, for two lanes and for four.
std::vector<written> const& spellings(int count) {
  static std::vector<written> const two = {{"", "", ""},     {"0", "", ""},     {"1", "23", ""}, {"10", "00", "33"},
                                           {"", "31", "02"}, {"0", "11", "20"}, {"1", "", "13"}};
  static std::vector<written> const four = {
      {"", "", ""},         {"2", "", ""},       {"31", "7654", "3210"}, {"3210", "0000", "7777"},
      {"", "0246", "1357"}, {"320", "7070", ""}, {"10", "", "4321"}};
  return count == 2 ? two : four;
}

std::string operands_of(int count, written const& w) {
  std::string const letter = count == 2 ? ".h" : ".b";
  auto const part = [&](std::string const& digits) { return digits.empty() ? std::string() : letter + digits; };
  return " d" + part(w.mask) + ", a" + part(w.a) + ", b" + part(w.b) + ", c;";
}

constexpr char const* type_names[] = {"u32", "s32"};
constexpr s64 everything = s64(1) << 40;

void check_operation(std::string const& name, s64 (*f)(s64, s64)) {
  for (int const count : {2, 4})
    for (int types = 0; types < 8; ++types)
      for (std::string const second : {"", ".sat", ".add"}) {
        bool const result_signed = types & 1, a_signed = types & 2, b_signed = types & 4;
        s64 const all = (s64(1) << (32 / count)) - 1;
        s64 const least = second != ".sat" ? -everything : result_signed ? -(all / 2) - 1 : 0;
        s64 const greatest = second != ".sat" ? everything : result_signed ? all / 2 : all;
        for (written const& w : spellings(count)) {
          if (types % 3 != 0 && !w.mask.empty()) continue; // not all combinations: each mask with some types
          check(name + std::to_string(count) + "." + type_names[result_signed] + "." + type_names[a_signed] + "." +
                    type_names[b_signed] + second + operands_of(count, w),
                {32, {32, 32, 32}}, some_operands(), [&](u64 a, u64 b, u64 c, u64) {
                  return expected(count, f, a_signed, b_signed, least, greatest, second == ".add", w, a, b, c);
                });
        }
      }
}

} // namespace

BOOST_AUTO_TEST_SUITE(arithmetic_video)

BOOST_AUTO_TEST_CASE(sums_and_differences) {
  check_operation("vadd", [](s64 a, s64 b) { return a + b; });
  check_operation("vsub", [](s64 a, s64 b) { return a - b; });
  check_operation("vabsdiff", [](s64 a, s64 b) { return a > b ? a - b : b - a; });
}

BOOST_AUTO_TEST_CASE(averages_round_away_from_zero) {
  check_operation("vavrg", [](s64 a, s64 b) {
    s64 const sum = a + b, half = (sum < 0 ? -sum : sum) / 2, odd = sum % 2 != 0;
    return sum < 0 ? -(half + odd) : half + odd;
  });
}

BOOST_AUTO_TEST_CASE(extrema) {
  check_operation("vmin", [](s64 a, s64 b) { return std::min(a, b); });
  check_operation("vmax", [](s64 a, s64 b) { return std::max(a, b); });
}

BOOST_AUTO_TEST_CASE(comparisons) {
  std::map<std::string, s64 (*)(s64, s64)> const all = {
      {"eq", [](s64 a, s64 b) { return s64(a == b); }}, {"ne", [](s64 a, s64 b) { return s64(a != b); }},
      {"lt", [](s64 a, s64 b) { return s64(a < b); }},  {"le", [](s64 a, s64 b) { return s64(a <= b); }},
      {"gt", [](s64 a, s64 b) { return s64(a > b); }},  {"ge", [](s64 a, s64 b) { return s64(a >= b); }}};
  for (auto const& [name, f] : all)
    for (int const count : {2, 4})
      for (int types = 0; types < 4; ++types)
        for (bool const adds : {false, true})
          for (written const& w : spellings(count)) {
            bool const a_signed = types & 1, b_signed = types & 2;
            check("vset" + std::to_string(count) + "." + type_names[a_signed] + "." + type_names[b_signed] + "." +
                      name + (adds ? ".add" : "") + operands_of(count, w),
                  {32, {32, 32, 32}}, some_operands(), [&](u64 a, u64 b, u64 c, u64) {
                    return expected(count, f, a_signed, b_signed, 0, 1, adds, w, a, b, c);
                  });
          }
}

/// The results of CUDA's functions on bytes and halfwords, for values that can be read by eye.
BOOST_AUTO_TEST_CASE(results_match_known_values) {
  auto const one = [](std::string const& instruction, u64 a, u64 b, u64 c) {
    return results_of(instruction, {32, {32, 32, 32}}, {{a, b, c, 0}})[0];
  };
  BOOST_TEST(one("vset4.u32.u32.eq d, a, b, 0;", 0x01020304, 0x01ff03ff, 0) == 0x01000100);  // __vcmpeq4, before * 255
  BOOST_TEST(one("vadd2.u32.u32.u32 d, a, b, 0;", 0xffff0001, 0x00010002, 0) == 0x00000003); // __vadd2
  BOOST_TEST(one("vabsdiff4.u32.u32.u32.add d, a, b, 0;", 0x0a000000, 0x00000102, 0) == 13); // __vsadu4
  BOOST_TEST(one("vadd4.s32.s32.s32.sat d, a, b, 0;", 0x7f80017f, 0x0180ff7f, 0) == 0x7f80007f); // __vaddss4
  BOOST_TEST(one("vavrg4.u32.u32.u32 d, a, b, 0;", 0x00ff0203, 0x01ff0304, 0) == 0x01ff0304);    // __vavgu4
}

BOOST_AUTO_TEST_SUITE_END()
