// SPDX-License-Identifier: Apache-2.0
//
// arithmetic_on_device: runs every computing instruction on the same operands on a GPU and on the emulator, so that
// their results can be compared.
//
//   arithmetic_on_device > results           a line per instruction: its title, then its results, in hexadecimal
//   arithmetic_on_device --compare results   runs again, and prints each difference with its operands
//   arithmetic_on_device --record [results]  a hash of each instruction's results (of those in the file, if given)
//   arithmetic_on_device --check record      runs again, and prints the instructions whose hash differs
//
// A record holds exact instructions only: a hash cannot tolerate approximations. h100_arithmetic.record is an H100's.
// Build for both: clang++ -x cuda -std=c++20 -O1 --cuda-gpu-arch=sm_90 --cuda-include-ptx=all -Xcuda-fatbinary
// --compress=false arithmetic.cu -lcudart
// Approximations may differ by as many units in the last place as PTX allows. All other results must be equal.
#include "arithmetic.hpp"

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace arithmetic {
enum { first_instruction = __COUNTER__ + 1 };
}
#include "conversions.hpp"
#include "floats.hpp"
#include "integers.hpp"

namespace arithmetic {
enum { instructions = __COUNTER__ - first_instruction };

struct operands {
  u64 values[4];
};

template <int I>
__global__ void run(operands const* in, u64* out, int count) {
  int const i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) out[i] = instruction<I>::run(in[i].values[0], in[i].values[1], in[i].values[2], in[i].values[3]);
}

u64 hash(u64 x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

/// Zeros, subnormals, limits, ties and NaNs of a format, of both signs.
std::vector<u64> float_edges(int exponent, int mantissa) {
  u64 const one_unit = u64(1) << mantissa, bias = (u64(1) << (exponent - 1)) - 1,
            infinity = ((u64(1) << exponent) - 1) * one_unit;
  auto const power = [&](int e, u64 fraction) { return (bias + u64(e)) * one_unit + fraction; };
  std::vector<u64> all{0,
                       1,
                       2,
                       one_unit / 2,
                       one_unit - 1,
                       one_unit,
                       one_unit + 1,
                       infinity - 1,
                       infinity,
                       infinity + 1,
                       infinity + one_unit / 2,
                       infinity + one_unit - 1,
                       infinity + one_unit / 2 + 3};
  for (int const e : {-2, -1, 0, 1, 2, 6, 7, 8, 14, 15}) {
    all.push_back(power(e, 0));
    all.push_back(power(e, 1));
    all.push_back(power(e, one_unit / 2));
    all.push_back(power(e, one_unit - 1));
  }
  if (exponent >= 8)
    for (int const e : {-126, -25, -24, -15, -14, -10, -9, -7, 16, 23, 24, 30, 31, 32, 53, 62, 63, 64, 126}) {
      all.push_back(power(e, 0));
      all.push_back(power(e, one_unit - 1));
      all.push_back(power(e, 1));
    }
  if (mantissa > 12) // ties of narrower formats
    for (int const kept : {1, 2, 3, 7, 10, 23})
      for (int const e : {-14, 0, 5, 15})
        if (kept < mantissa)
          for (u64 const bits : {u64(1), u64(3), u64(2)})
            all.push_back(power(e, bits * (one_unit >> (kept + 1)) % one_unit));
  std::size_t const count = all.size();
  for (std::size_t i = 0; i < count; ++i) all.push_back(all[i] | u64(1) << (exponent + mantissa));
  return all;
}

std::vector<u64> integer_edges(int bits) {
  u64 const mask = bits == 64 ? ~u64(0) : (u64(1) << bits) - 1;
  std::vector<u64> all;
  for (int shift = 0; shift < bits; shift += shift % 8 == 7 || shift % 8 == 0 ? 1 : 6)
    for (u64 const x : {(u64(1) << shift) - 1, u64(1) << shift, (u64(1) << shift) + 1}) {
      all.push_back(x & mask);
      all.push_back(-x & mask);
    }
  for (u64 const x :
       {u64(0x5555555555555555), u64(0x123456789abcdef0), u64(2), u64(3), u64(10), u64(0xffffff80ffffff7f)})
    all.push_back(x & mask);
  return all;
}

std::vector<u64> const& edges(kind k) {
  static std::map<kind, std::vector<u64>> known;
  auto& all = known[k];
  if (!all.empty()) return all;
  switch (k) {
  case kind::u16: all = integer_edges(16); break;
  case kind::u32: all = integer_edges(32); break;
  case kind::u64: all = integer_edges(64); break;
  case kind::f16: all = float_edges(5, 10); break;
  case kind::bf16: all = float_edges(8, 7); break;
  case kind::f32: all = float_edges(8, 23); break;
  case kind::f64: all = float_edges(11, 52); break;
  case kind::f16x2:
  case kind::bf16x2: {
    auto const& half = edges(k == kind::f16x2 ? kind::f16 : kind::bf16);
    for (std::size_t i = 0; i < half.size(); ++i) all.push_back(half[i] << 16 | half[i * 7 % half.size()]);
    break;
  }
  case kind::amount:
    for (u64 i = 0; i < 70; ++i) all.push_back(i);
    for (u64 const x : {127, 128, 254, 255, 256, 257, 300}) all.push_back(x);
    all.push_back(0x7fffffff);
    all.push_back(0x80000000);
    all.push_back(0xffffffff);
    break;
  case kind::narrow:
    for (u64 i = 0; i < 256; ++i) all.push_back(i << 8 | (i * 7 & 255));
    break;
  }
  return all;
}

/// Makes a value of the kind from a random number. Half of the floats are of moderate size, since arbitrary bits mostly
/// are not.
u64 random_value(kind k, u64 random) {
  auto const near_one = [&](int exponent, int mantissa) {
    u64 const bias = (u64(1) << (exponent - 1)) - 1;
    return ((random >> 60 & 1) << (exponent + mantissa)) | (bias - 3 + (random >> 61)) << mantissa |
           (random & ((u64(1) << mantissa) - 1));
  };
  bool const moderate = random >> 59 & 1;
  switch (k) {
  case kind::f16: return moderate ? near_one(5, 10) : random & 0xffff;
  case kind::bf16: return moderate ? near_one(8, 7) : random & 0xffff;
  case kind::f32: return moderate ? near_one(8, 23) : random & 0xffffffff;
  case kind::f64: return moderate ? near_one(11, 52) : random;
  case kind::f16x2: return random_value(kind::f16, random) << 16 | random_value(kind::f16, hash(random));
  case kind::bf16x2: return random_value(kind::bf16, random) << 16 | random_value(kind::bf16, hash(random));
  case kind::u16:
  case kind::narrow: return random & 0xffff;
  case kind::u32: return (random & 0xffffffff) >> (moderate ? random >> 40 & 31 : 0);
  case kind::amount: return random & 63;
  case kind::u64: return moderate ? (random * 0x9e3779b97f4a7c15) >> (random >> 40 & 63) : random;
  }
  return 0;
}

std::vector<operands> operands_of(kind const* kinds, int sources) {
  std::size_t combinations = 1;
  for (int s = 0; s < sources; ++s) combinations *= edges(kinds[s]).size();
  std::size_t const with_edges = combinations < 1200 ? combinations : 1200;
  std::vector<operands> all(with_edges + 300);
  for (std::size_t i = 0; i < all.size(); ++i) {
    u64 left = combinations <= with_edges ? i : hash(i + 1) % combinations;
    for (int s = 0; s < sources; ++s) {
      auto const& e = edges(kinds[s]);
      all[i].values[s] = i < with_edges ? e[left % e.size()] : random_value(kinds[s], hash(i * 4 + u64(s) + 0x1234567));
      left /= e.size();
    }
  }
  return all;
}

[[noreturn]] void stop(char const* what, char const* title) {
  std::fprintf(stderr, "arithmetic_on_device: %s: %s: %s\n", title, what, cudaGetErrorString(cudaGetLastError()));
  std::exit(2);
}

struct row {
  std::string title; ///< the PTX text and the result's register

  int ulp;
  kind result;
  std::vector<operands> in;
  std::vector<u64> out;
};

template <int I>
std::string title_of() {
  constexpr char const* names[]{"u16", "u32",   "u64",    "f16",    "bf16",  "f32",
                                "f64", "f16x2", "bf16x2", "amount", "narrow"};
  return std::string(instruction<I>::title) + " -> " + names[int(instruction<I>::result)];
}

template <int I>
row results_of() {
  using it = instruction<I>;
  constexpr int sources = int(std::size(it::sources));
  row r{title_of<I>(), it::ulp, it::result, operands_of(it::sources, sources), {}};
  r.out.resize(r.in.size());
  operands* in = nullptr;
  u64* out = nullptr;
  std::size_t const in_bytes = r.in.size() * sizeof(operands), out_bytes = r.out.size() * sizeof(u64);
  if (cudaMalloc(&in, in_bytes) || cudaMalloc(&out, out_bytes)) stop("no memory", it::title);
  cudaMemcpy(in, r.in.data(), in_bytes, cudaMemcpyHostToDevice);
  run<I><<<unsigned(r.in.size() + 127) / 128, 128>>>(in, out, int(r.in.size()));
  if (cudaMemcpy(r.out.data(), out, out_bytes, cudaMemcpyDeviceToHost)) stop("the kernel failed", it::title);
  cudaFree(in);
  cudaFree(out);
  return r;
}

/// The distance of two results in units in the last place; 0 if they are equal.
u64 distance(kind k, u64 a, u64 b) {
  if (k == kind::f16x2 || k == kind::bf16x2) {
    kind const half = k == kind::f16x2 ? kind::f16 : kind::bf16;
    u64 const low = distance(half, a & 0xffff, b & 0xffff), high = distance(half, a >> 16, b >> 16);
    return low > high ? low : high;
  }
  int const bits = k == kind::f16 || k == kind::bf16 ? 16 : k == kind::f32 ? 32 : 64;
  auto const key = [&](u64 x) {
    u64 const sign = u64(1) << (bits - 1);
    return __int128(x & (sign - 1)) * (x & sign ? -1 : 1);
  };
  __int128 const d = key(a) - key(b);
  return a == b ? 0 : d == 0 ? 1 : u64(d < 0 ? -d : d);
}

int compare(row const& r, std::string const& expected) {
  std::istringstream in(expected);
  int different = 0;
  for (std::size_t i = 0; i < r.out.size(); ++i) {
    u64 e = 0;
    if (!(in >> std::hex >> e)) {
      std::printf("%s: the file has fewer results\n", r.title.c_str());
      return 1;
    }
    if (distance(r.result, r.out[i], e) <= u64(r.ulp)) continue;
    if (++different > 8) continue;
    u64 const* const v = r.in[i].values;
    std::printf("%s: %llx %llx %llx %llx: %llx here, %llx there\n", r.title.c_str(), (unsigned long long)v[0],
                (unsigned long long)v[1], (unsigned long long)v[2], (unsigned long long)v[3],
                (unsigned long long)r.out[i], (unsigned long long)e);
  }
  if (different) std::printf("%s: %d of %zu differ\n", r.title.c_str(), different, r.out.size());
  return different;
}

/// The hash of a line of results, which are hexadecimal numbers.
std::string hash_of(std::string const& results) {
  std::istringstream in(results);
  u64 h = 0;
  for (u64 x; in >> std::hex >> x;) h = hash(h + 0x9e3779b97f4a7c15) ^ x;
  std::ostringstream out;
  out << std::hex << hash(h);
  return out.str();
}

std::string line_of(row const& r) {
  std::ostringstream out;
  for (u64 const x : r.out) out << std::hex << x << ' ';
  return out.str();
}

/// The text after the tab for each title in a file.
std::map<std::string, std::string> lines_of(char const* path) {
  std::ifstream file(path);
  if (!file) {
    std::fprintf(stderr, "arithmetic_on_device: cannot read %s: name a file that this program wrote\n", path);
    std::exit(2);
  }
  std::map<std::string, std::string> all;
  for (std::string line; std::getline(file, line);)
    if (auto const tab = line.find('\t'); tab != line.npos) all[line.substr(0, tab)] = line.substr(tab + 1);
  return all;
}

enum class action { print, compare, record, check };

struct job {
  action what;
  int sm;
  bool reads;                               ///< results or hashes from a file
  std::map<std::string, std::string> known; ///< entries that no instruction has matched yet
  int ran = 0, different = 0, unknown = 0;

  void one(row (*results)(), int needs, int ulp, std::string const& title) {
    bool const hashed = what == action::record || what == action::check;
    if (sm < needs || (hashed && ulp != 0)) return;
    auto const line = known.find(title);
    if (reads && line == known.end()) {
      ++unknown;
      return;
    }
    std::string const there = reads ? line->second : "";
    if (reads) known.erase(line);
    ++ran;
    if (what == action::record)
      std::printf("%s\t%s\n", title.c_str(), hash_of(reads ? there : line_of(results())).c_str());
    else if (what == action::print) std::printf("%s\t%s\n", title.c_str(), line_of(results()).c_str());
    else if (what == action::compare) different += compare(results(), there) != 0;
    else if (std::string const here = hash_of(line_of(results())); here != there) {
      ++different;
      std::printf("%s: the hash is %s, expected %s\n", title.c_str(), here.c_str(), there.c_str());
    }
  }

  /// Prints a summary. Returns whether nothing differs.
  bool finish() {
    if (what == action::check) { // a record of another program would prove little
      for (auto const& [title, expected] : known)
        std::printf("%s: in the record, but not run here; make the record anew\n", title.c_str());
      different += int(known.size());
    }
    if (what == action::compare || what == action::check)
      std::printf("%d instructions compared, %d differ%s\n", ran, different,
                  different && what == action::check ? "; --compare with full results shows the operands" : "");
    if (unknown) std::fprintf(stderr, "arithmetic_on_device: %d instructions are not in the file\n", unknown);
    return different == 0 && ran != 0;
  }
};

template <int... I>
void all(std::integer_sequence<int, I...>, job& j) {
  (j.one(results_of<I>, instruction<I>::sm, instruction<I>::ulp, title_of<I>()), ...);
}

} // namespace arithmetic

int main(int argc, char** argv) {
  using arithmetic::action;
  cudaDeviceProp properties{};
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) {
    std::fprintf(stderr, "arithmetic_on_device: no device: run it where a GPU or the emulator is\n");
    return 2;
  }
  auto const is = [&](char const* option) { return argc > 1 && std::strcmp(argv[1], option) == 0; };
  action const what = is("--compare")  ? action::compare
                      : is("--record") ? action::record
                      : is("--check")  ? action::check
                                       : action::print;
  bool const reads = what != action::print && argc == 3;
  if (what == action::print ? argc != 1 : !reads && (what != action::record || argc != 2)) {
    std::fprintf(stderr, "usage: arithmetic_on_device [--compare RESULTS | --record [RESULTS] | --check RECORD]\n");
    return 2;
  }
  arithmetic::job j{what, properties.major * 10 + properties.minor, reads, {}};
  if (reads) j.known = arithmetic::lines_of(argv[2]);
  if (what == action::record)
    std::printf("# arithmetic_on_device --record: %s, sm_%d\n", reads ? argv[2] : properties.name, j.sm);
  arithmetic::all(std::make_integer_sequence<int, arithmetic::instructions>{}, j);
  return j.finish() ? 0 : 1;
}
