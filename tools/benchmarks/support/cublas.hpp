// SPDX-License-Identifier: Apache-2.0
//
// cublas: the product of two matrices by cuBLAS. It is loaded when it is needed, so that the program builds and runs
// without it: by the loader's path, or from the toolkit of the build. So its types are declared here.
#pragma once

#include "cuda.hpp"

#include <dlfcn.h>
#include <library_types.h>

#include <stdexcept>
#include <string>

namespace CUDAX_BENCH_SIDE::cublas {

struct library {
  using create = int(void**);
  using multiply = int(void*, int, int, int, int, int, void const*, void const*, cudaDataType, int, void const*,
                       cudaDataType, int, void const*, void*, cudaDataType, int, int, int);
  void* handle = nullptr;
  multiply* gemm = nullptr;
  std::string lacks;

  library() {
    std::string const name = "libcublas.so." + std::to_string(CUDART_VERSION / 1000);
    void* opened = dlopen(name.c_str(), RTLD_NOW);
#if defined(CUDAX_BENCH_CUDA_PATH)
    if (!opened) opened = dlopen((CUDAX_BENCH_CUDA_PATH "/lib64/" + name).c_str(), RTLD_NOW);
#endif
    if (!opened) lacks = "needs cuBLAS; the folder of " + name + " belongs in LD_LIBRARY_PATH";
    if (!opened) return;
    auto* const make = reinterpret_cast<create*>(dlsym(opened, "cublasCreate_v2"));
    gemm = reinterpret_cast<multiply*>(dlsym(opened, "cublasGemmEx"));
    if (!make || !gemm) lacks = "needs another cuBLAS: " + name + " lacks cublasCreate_v2 or cublasGemmEx";
    else if (int const error = make(&handle)) lacks = "needs cuBLAS; cublasCreate returned " + std::to_string(error);
  }
};
inline library const& loaded() {
  static library const it;
  return it;
}

inline std::string lacking() { return loaded().lacks; }

/// c = a * b, where b is transposed. cuBLAS's matrices are those of Fortran, so the product is that of the transposed.
inline void multiply(__bf16 const* a, __bf16 const* b, __bf16* c, int side) {
  constexpr int as_it_is = 0, transposed = 1, in_f32 = 68, by_default = -1; // of cublas_api.h
  float const one = 1, zero = 0;
  library const& it = loaded();
  if (int const error = it.gemm(it.handle, transposed, as_it_is, side, side, side, &one, b, CUDA_R_16BF, side, a,
                                CUDA_R_16BF, side, &zero, c, CUDA_R_16BF, side, in_f32, by_default))
    throw std::runtime_error("cublasGemmEx returned " + std::to_string(error));
}

} // namespace CUDAX_BENCH_SIDE::cublas
