// SPDX-License-Identifier: Apache-2.0
//
// arithmetic: operands for computing instructions, and macros that declare an instruction.
//
// The operands are the same wherever the program runs: first combinations of edge values (zeros, subnormals,
// infinities, NaNs, limits, ties), then numbers from a hash. I1 to I4 declare an instruction with that many sources.
#pragma once

#include <cstddef>
#include <cstdint>

namespace arithmetic {

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

enum class kind { u16, u32, u64, f16, bf16, f32, f64, f16x2, bf16x2, amount, narrow };

// The register type and the constraint of each kind.
using r_u16 = u16;
using r_u32 = u32;
using r_u64 = u64;
using r_f16 = u16;
using r_bf16 = u16;
using r_f32 = u32;
using r_f64 = u64;
using r_f16x2 = u32;
using r_bf16x2 = u32;
using r_amount = u32;
using r_narrow = u16;
#define C_u16 "h"
#define C_u32 "r"
#define C_u64 "l"
#define C_f16 "h"
#define C_bf16 "h"
#define C_f32 "r"
#define C_f64 "l"
#define C_f16x2 "r"
#define C_bf16x2 "r"
#define C_amount "r"
#define C_narrow "h"

#ifdef __CUDA_ARCH__
inline constexpr int arch = __CUDA_ARCH__ / 10;
#else
inline constexpr int arch = 0;
#endif

/// Instruction number I in the list of arithmetic.cu.
template <int I>
struct instruction;

// `ulp`: by how many units in the last place two implementations may differ; 0: not at all.
#define BEGIN(needs, ulp_, d, text, ...)                                                                               \
  template <>                                                                                                          \
  struct instruction<__COUNTER__ - first_instruction> {                                                                \
    static constexpr char const* title = text;                                                                         \
    static constexpr int sm = needs, ulp = ulp_;                                                                       \
    static constexpr kind result = kind::d, sources[] = {__VA_ARGS__};                                                 \
    static __device__ u64 run([[maybe_unused]] u64 a, [[maybe_unused]] u64 b, [[maybe_unused]] u64 c,                  \
                              [[maybe_unused]] u64 e) {                                                                \
      r_##d r = 0;                                                                                                     \
      if constexpr (arch >= needs)
#define END                                                                                                            \
  return r;                                                                                                            \
  }                                                                                                                    \
  }                                                                                                                    \
  ;
#define IN(x, v) C_##x(r_##x(v))
#define N1(needs, ulp, d, x, text)                                                                                     \
  BEGIN(needs, ulp, d, text, kind::x) asm volatile(text : "=" C_##d(r) : IN(x, a));                                    \
  END
#define N2(needs, ulp, d, x, y, text)                                                                                  \
  BEGIN(needs, ulp, d, text, kind::x, kind::y) asm volatile(text : "=" C_##d(r) : IN(x, a), IN(y, b));                 \
  END
#define N3(needs, ulp, d, x, y, z, text)                                                                               \
  BEGIN(needs, ulp, d, text, kind::x, kind::y, kind::z)                                                                \
  asm volatile(text : "=" C_##d(r) : IN(x, a), IN(y, b), IN(z, c));                                                    \
  END
#define N4(needs, ulp, d, x, y, z, w, text)                                                                            \
  BEGIN(needs, ulp, d, text, kind::x, kind::y, kind::z, kind::w)                                                       \
  asm volatile(text : "=" C_##d(r) : IN(x, a), IN(y, b), IN(z, c), IN(w, e));                                          \
  END
#define I1(d, x, text) N1(75, 0, d, x, text)
#define I2(d, x, y, text) N2(75, 0, d, x, y, text)
#define I3(d, x, y, z, text) N3(75, 0, d, x, y, z, text)
#define I4(d, x, y, z, w, text) N4(75, 0, d, x, y, z, w, text)

} // namespace arithmetic
