// SPDX-License-Identifier: Apache-2.0
//
// program: what the programs of check_programs share: a name, the expected finding, and short forms of allocation and
// launch.
//
// A program is one file with one mistake, made if `right` is false. The lines that a finding has to name end in `//
// first` and `// second`.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#include "../../../support/launch_shape.hpp"

namespace check {

/// A program of the list that main.cpp chooses from.
struct program {
  char const* name;
  char const* finding;     ///< its kind
  bool (*run)(bool right); ///< returns whether the answers are those that the right twin must give
  int of_ten;              ///< in how many of ten seeds the finding must come; 0: in any seed
  int sm;                  ///< the SM that it requires
  char const* file;
  program const* next;

  program(char const* name, char const* finding, bool (*run)(bool), int of_ten = 0, int sm = 90,
          char const* file = __builtin_FILE())
    : name(name), finding(finding), run(run), of_ten(of_ten), sm(sm), file(file), next(list) {
    list = this;
  }
  program(program const&) = delete;
  static inline program const* list = nullptr;
};

inline void must(cudaError_t error, char const* call) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "check_programs: %s: %s\n", call, cudaGetErrorString(error));
  std::exit(3);
}
#define CHECK_MUST(...) ::check::must(__VA_ARGS__, #__VA_ARGS__)

/// `count` elements of zeroed device memory.
template <class T>
class device_memory {
public:
  explicit device_memory(int count = 1) : count_(count) {
    CHECK_MUST(cudaMalloc(reinterpret_cast<void**>(&data_), sizeof(T) * std::size_t(count)));
    CHECK_MUST(cudaMemset(data_, 0, sizeof(T) * std::size_t(count)));
  }
  device_memory(device_memory const&) = delete;
  ~device_memory() { cudaFree(data_); }
  T* data() const { return data_; }
  T operator[](int i) const {
    T value;
    CHECK_MUST(cudaMemcpy(&value, data_ + i, sizeof(T), cudaMemcpyDeviceToHost));
    return value;
  }
  bool all_are(T expected) const {
    for (int i = 0; i < count_; ++i)
      if ((*this)[i] != expected) return false;
    return true;
  }

private:
  T* data_ = nullptr;
  int count_;
};

using shape = cudax_test::launch_shape;

/// Launches a kernel. A failing launch ends the program.
template <class... Parameters, class... Arguments>
void enqueue(shape const& s, void (*kernel)(Parameters...), Arguments... arguments) {
  CHECK_MUST(cudax_test::try_enqueue(s, kernel, arguments...));
}

/// Runs a kernel to its end.
template <class... Parameters, class... Arguments>
void launch(shape const& s, void (*kernel)(Parameters...), Arguments... arguments) {
  enqueue(s, kernel, arguments...);
  CHECK_MUST(cudaDeviceSynchronize());
}

} // namespace check
