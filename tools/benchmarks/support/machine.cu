// SPDX-License-Identifier: Apache-2.0
//
// machine: describes the machine on which the numbers were measured.
#include "cuda.hpp"
#include "machine.hpp"

#include <cuda_runtime.h>

#include <cctype>
#include <fstream>
import cudax.sync.host;

namespace bench {

namespace {

/// Spins for `nanoseconds`, then stores the cycles and nanoseconds that passed.
__global__ void measure_clock(long long nanoseconds, long long* passed) {
  long long const cycles = clock64();
  long long const start = (long long)__nvvm_read_ptx_sreg_globaltimer();
  long long now = start;
  while (now - start < nanoseconds) now = (long long)__nvvm_read_ptx_sreg_globaltimer();
  passed[0] = clock64() - cycles;
  passed[1] = now - start;
}

int attribute(cudaDeviceAttr name, int device) {
  int value = 0;
  CUDA_MUST(cudaDeviceGetAttribute(&value, name, device));
  return value;
}

/// Returns the version in the kernel module's file: the first word that begins with a digit and contains a dot, like
/// 580.82.07.
std::string driver_version() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::string word;
  while (file >> word)
    if (std::isdigit((unsigned char)word[0]) && word.find('.') != std::string::npos) return word;
  return "unknown";
}

std::string dotted(int version) { return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10); }

} // namespace

std::string missing_device() { return cudax::no_device_reason(); }

machine this_machine() {
  int device = 0, driver = 0, runtime = 0;
  cudaDeviceProp properties;
  CUDA_MUST(cudaGetDevice(&device));
  CUDA_MUST(cudaGetDeviceProperties(&properties, device));
  CUDA_MUST(cudaDriverGetVersion(&driver));
  CUDA_MUST(cudaRuntimeGetVersion(&runtime));
  cudaFuncAttributes code;
  CUDA_MUST(cudaFuncGetAttributes(&code, reinterpret_cast<void const*>(measure_clock)));

  device_memory passed(2 * sizeof(long long));
  long long host[2] = {};
  for (int warm_up : {1, 0}) {
    measure_clock<<<1, 1>>>(warm_up ? 50'000'000 : 20'000'000, static_cast<long long*>(passed.get()));
    CUDA_MUST(cudaMemcpy(host, passed.get(), sizeof(host), cudaMemcpyDeviceToHost));
  }
  return {properties.name,
          properties.multiProcessorCount,
          properties.major * 10 + properties.minor,
          code.binaryVersion,
          attribute(cudaDevAttrClockRate, device) / 1000,
          int(double(host[0]) / double(host[1]) * 1000 + 0.5),
          driver_version(),
          dotted(driver),
          dotted(runtime)};
}

} // namespace bench
