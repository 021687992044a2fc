// SPDX-License-Identifier: Apache-2.0
//
// foreign: what the programs of this folder share: a list of programs and their forms, device memory, launches.
//
// A program is one file TOPIC/NAME.cu, and is called TOPIC.NAME. It has the form `right` and wrong ones; each is a
// function that runs the kernels and returns whether the answer is right.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace foreign {

/// `scale` is how much work there is: 1 in checked runs, more on the emulator, hundreds on a GPU.
struct entry {
  char const* name;
  bool (*run)(int scale);
};

/// A program of the list that main.cpp chooses from.
struct program {
  char name[80];
  entry forms[8]{};
  program const* next;

  template <int N> program(entry const (&all)[N], char const* file = __builtin_FILE()) : next(list) {
    static_assert(N <= 8);
    for (int i = 0; i < N; ++i) forms[i] = all[i];
    name_from(file);
    list = this;
  }
  program(program const&) = delete;
  static inline program const* list = nullptr;

private:
  void name_from(char const* file) { // .../TOPIC/NAME.cu
    char const* begin = std::strrchr(file, '/');
    while (begin && begin > file && begin[-1] != '/') --begin;
    std::snprintf(name, sizeof name, "%s", begin ? begin : file);
    if (char* const slash = std::strchr(name, '/')) *slash = '.';
    if (char* const suffix = std::strrchr(name, '.')) *suffix = 0;
  }
};

inline void must(cudaError_t error, char const* call) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "foreign: %s: %s\n", call, cudaGetErrorString(error));
  std::exit(3);
}
#define FOREIGN_MUST(...) ::foreign::must(__VA_ARGS__, #__VA_ARGS__)

/// `count` elements of device memory, zeroed.
template <class T> class memory {
public:
  explicit memory(int count = 1) : count_(count) {
    FOREIGN_MUST(cudaMalloc(reinterpret_cast<void**>(&data_), bytes()));
    FOREIGN_MUST(cudaMemset(data_, 0, bytes()));
    host_ = static_cast<T*>(std::malloc(bytes()));
  }
  memory(memory const&) = delete;
  ~memory() {
    cudaFree(data_);
    std::free(host_);
  }
  T* data() const { return data_; }
  int size() const { return count_; }
  /// The host's copy, which to_host() and to_device() copy as a whole.
  T& operator[](int i) { return host_[i]; }
  void to_host() { FOREIGN_MUST(cudaMemcpy(host_, data_, bytes(), cudaMemcpyDeviceToHost)); }
  void to_device() { FOREIGN_MUST(cudaMemcpy(data_, host_, bytes(), cudaMemcpyHostToDevice)); }

private:
  std::size_t bytes() const { return sizeof(T) * std::size_t(count_); }
  T* data_ = nullptr;
  T* host_ = nullptr;
  int count_;
};

/// Runs a kernel to its end.
template <class... Parameters, class... Arguments>
void launch(int blocks, int threads, void (*kernel)(Parameters...), Arguments... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(unsigned(blocks));
  config.blockDim = dim3(unsigned(threads));
  FOREIGN_MUST(cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...));
  FOREIGN_MUST(cudaDeviceSynchronize());
}

/// How many blocks of a kernel may wait for each other: at most `wanted`, and no more than the device holds at a time.
template <class... Parameters> int resident(int wanted, int threads, void (*kernel)(Parameters...)) {
  int device = 0, sms = 0, blocks = 0;
  FOREIGN_MUST(cudaGetDevice(&device));
  FOREIGN_MUST(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
  FOREIGN_MUST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, 0));
  return wanted < sms * blocks ? wanted : sms * blocks;
}

} // namespace foreign
