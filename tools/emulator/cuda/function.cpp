// SPDX-License-Identifier: Apache-2.0
//
// function: the attributes of kernels that can be queried and set, and how many of a kernel's blocks run at once.
#include "environment.hpp"
#include "kernels.hpp"
#include "properties.hpp"
#include "queue.hpp"

#include <algorithm>
#include <cstring>

namespace emulator::cuda {
namespace {

int blocks_per_multiprocessor(CUkern_st const& kernel, int threads, size_t dynamic_shared) {
  require(threads > 0 && threads <= 1024);
  return the_device().resident_blocks(code_of(kernel), {static_cast<std::uint32_t>(threads), 1, 1}, dynamic_shared);
}

} // namespace

void load(CUkern_st& kernel) {
  if (!the_environment().lazy_loading || kernel.loaded) return;
  wait_for_everything();
  kernel.loaded = true;
}

size_t largest_dynamic_shared(CUkern_st const& kernel, function const& code) {
  int const asked = kernel.largest_dynamic_shared;
  if (asked >= 0) return static_cast<size_t>(asked);
  size_t const without_asking = the_device().properties().shared_per_block;
  return without_asking > code.shared_bytes ? without_asking - code.shared_bytes : 0;
}

} // namespace emulator::cuda

using namespace emulator::cuda;

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void const* symbol) {
  return call([&] {
    require(attributes);
    CUkern_st& kernel = find_kernel(symbol);
    load(kernel); // a program calls this to load a kernel before it launches another one that waits for it
    emulator::function const& code = code_of(kernel);
    int const sm = the_device().properties().sm;
    std::memset(static_cast<void*>(attributes), 0, sizeof *attributes);
    attributes->sharedSizeBytes = code.shared_bytes;
    attributes->localSizeBytes = code.local_bytes;
    attributes->maxThreadsPerBlock = static_cast<int>(code.max_threads);
    attributes->numRegs = static_cast<int>(std::min<std::uint32_t>(code.registers, 255));
    attributes->ptxVersion = code.program->module().sm(); // CUDA means the virtual architecture
    attributes->binaryVersion = sm;
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(largest_dynamic_shared(kernel, code));
    attributes->preferredShmemCarveout = cudaSharedmemCarveoutDefault;
    attributes->nonPortableClusterSizeAllowed = kernel.large_clusters;
  });
}

cudaError_t cudaFuncSetAttribute(void const* symbol, cudaFuncAttribute attribute, int value) {
  return call([&] {
    CUkern_st& kernel = find_kernel(symbol);
    auto const optin = static_cast<int>(the_device().properties().shared_per_block_optin);
    switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
      require(value >= 0 && value <= optin - static_cast<int>(code_of(kernel).shared_bytes));
      kernel.largest_dynamic_shared = value;
      break;
    case cudaFuncAttributePreferredSharedMemoryCarveout: require(value >= -1 && value <= 100); break;
    case cudaFuncAttributeNonPortableClusterSizeAllowed: kernel.large_clusters = value != 0; break;
    case cudaFuncAttributeClusterSchedulingPolicyPreference: break;
    default: throw failure{cudaErrorNotSupported};
    }
  });
}

cudaError_t cudaFuncSetCacheConfig(void const* symbol, cudaFuncCache) {
  return call([&] { find_kernel(symbol); });
}

cudaError_t cudaFuncGetName(char const** name, void const* symbol) {
  return call([&] {
    require(name);
    *name = find_kernel(symbol).name.c_str();
  });
}

cudaError_t cudaFuncGetParamInfo(void const* symbol, size_t index, size_t* offset, size_t* size) {
  return call([&] {
    auto const& parameters = code_of(find_kernel(symbol)).parameters;
    require(offset && index < parameters.size());
    *offset = parameters[index].offset;
    if (size) *size = parameters[index].size;
  });
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, void const* symbol) {
  return call([&] {
    require(function);
    *function = reinterpret_cast<cudaFunction_t>(&find_kernel(symbol));
  });
}

cudaError_t cudaGetKernel(cudaKernel_t* kernel, void const* symbol) {
  return call([&] {
    require(kernel);
    *kernel = &find_kernel(symbol);
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void const* symbol, int threads,
                                                          size_t dynamic_shared) {
  return call([&] {
    require(blocks);
    *blocks = blocks_per_multiprocessor(find_kernel(symbol), threads, dynamic_shared);
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, void const* symbol, int threads,
                                                                   size_t dynamic_shared, unsigned flags) {
  return call([&] {
    require(blocks && (flags & ~unsigned(cudaOccupancyDisableCachingOverride)) == 0);
    *blocks = blocks_per_multiprocessor(find_kernel(symbol), threads, dynamic_shared);
  });
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* size, void const* symbol, int blocks, int threads) {
  return call([&] {
    require(size && blocks > 0 && threads > 0 && threads <= 1024);
    emulator::device_properties const& device = the_device().properties();
    size_t const fixed = code_of(find_kernel(symbol)).shared_bytes;
    size_t const reserved = device.shared_per_multiprocessor - device.shared_per_block_optin;
    size_t const each = device.shared_per_multiprocessor / static_cast<size_t>(blocks);
    size_t const share = std::min(each > reserved ? each - reserved : 0, device.shared_per_block_optin);
    *size = share > fixed ? share - fixed : 0;
  });
}

cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, void const* symbol, cudaLaunchConfig_t const* config) {
  return call([&] {
    require(clusters && config);
    emulator::device_properties const& device = the_device().properties();
    unsigned size = 1;
    for (unsigned i = 0; i < config->numAttrs; ++i)
      if (config->attrs[i].id == cudaLaunchAttributeClusterDimension)
        size =
            config->attrs[i].val.clusterDim.x * config->attrs[i].val.clusterDim.y * config->attrs[i].val.clusterDim.z;
    CUkern_st& kernel = find_kernel(symbol);
    auto const largest = static_cast<unsigned>(device.largest_cluster) * (kernel.large_clusters ? 2 : 1);
    require(size > 0 && (size <= largest || device.largest_cluster <= 1), cudaErrorInvalidClusterSize);
    ::dim3 const& block = config->blockDim;
    int const per_sm =
        blocks_per_multiprocessor(kernel, static_cast<int>(block.x * block.y * block.z), config->dynamicSmemBytes);
    *clusters = per_sm * device.multiprocessors / static_cast<int>(size);
  });
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, void const* symbol, cudaLaunchConfig_t const*) {
  return call([&] {
    require(size);
    int const largest = the_device().properties().largest_cluster;
    *size = largest > 1 && find_kernel(symbol).large_clusters ? 2 * largest : largest;
  });
}
