// SPDX-License-Identifier: Apache-2.0
//
// launch: turns <<<...>>> and the other forms of a launch into a grid in a stream.
//
// Errors of the launch itself are returned here, by the call; errors of the kernel become the device's error later.
#include "../machine/readable_name.hpp"
#include "captures.hpp"
#include "commands.hpp"
#include "environment.hpp"
#include "kernels.hpp"
#include "notes.hpp"
#include "properties.hpp"
#include "queue.hpp"

#include <charconv>
#include <cstring>
#include <memory>
#include <vector>

namespace emulator::cuda {
namespace {

constexpr unsigned largest_grid_yz = 65535, largest_grid_x = 0x7fffffff, largest_block_z = 64, largest_block = 1024;
constexpr std::uint64_t largest_portable_cluster = 8, largest_cluster_of_all = 16;

struct request {
  ::dim3 grid, block;
  void** arguments = nullptr;
  size_t dynamic_shared = 0;
  cudaStream_t stream = nullptr;
  emulator::dim3 cluster{};
  bool names_cluster = false;
  bool cooperative = false;
  bool is_dependent = false;
};

emulator::dim3 shape(::dim3 const& d) { return {d.x, d.y, d.z}; }

/// Gets the cluster size that the kernel itself declares: .reqnctapercluster.
bool cluster_of(function const& code, emulator::dim3& cluster) {
  for (ptx::directive const& d : code.source->directives) {
    if (d.name != "reqnctapercluster") continue;
    std::uint32_t* const parts[] = {&cluster.x, &cluster.y, &cluster.z};
    char const* at = d.text.data();
    char const* const end = at + d.text.size();
    for (std::uint32_t* const part : parts) {
      while (at != end && (*at < '0' || *at > '9')) ++at;
      if (at != end) at = std::from_chars(at, end, *part).ptr;
    }
    return true;
  }
  return false;
}

void check_cluster(launch const& l, CUkern_st const& kernel, device_properties const& device) {
  std::uint64_t const size = l.cluster.count();
  require(size > 0, cudaErrorInvalidConfiguration);
  if (size == 1) return;
  if (device.largest_cluster <= 1)
    reject(cudaErrorNotSupported, "kernel " + readable_name(kernel.name) + ": a cluster of " + std::to_string(size) +
                                      " blocks needs sm_90 or later; sm_" + std::to_string(device.sm) + " is emulated");
  require(size <= (kernel.large_clusters ? largest_cluster_of_all : largest_portable_cluster),
          cudaErrorInvalidClusterSize);
  require(l.grid.x % l.cluster.x == 0 && l.grid.y % l.cluster.y == 0 && l.grid.z % l.cluster.z == 0,
          cudaErrorInvalidConfiguration);
}

void check(launch const& l, CUkern_st const& kernel) {
  device_properties const& device = the_device().properties();
  auto const& [gx, gy, gz] = l.grid;
  auto const& [bx, by, bz] = l.block;
  require(gx && gy && gz && bx && by && bz, cudaErrorInvalidConfiguration);
  require(gx <= largest_grid_x && gy <= largest_grid_yz && gz <= largest_grid_yz && bz <= largest_block_z &&
              l.block.count() <= largest_block,
          cudaErrorInvalidConfiguration);
  if (l.block.count() > l.kernel->max_threads)
    reject(cudaErrorLaunchOutOfResources, "kernel " + readable_name(kernel.name) + ": a block of " +
                                              std::to_string(l.block.count()) + " threads is more than the " +
                                              std::to_string(l.kernel->max_threads) + " that its launch bounds allow");
  size_t const largest = largest_dynamic_shared(kernel, *l.kernel);
  if (l.dynamic_shared > largest || l.dynamic_shared + l.kernel->shared_bytes > device.shared_per_block_optin)
    reject(cudaErrorInvalidValue,
           "kernel " + readable_name(kernel.name) + ": " + std::to_string(l.dynamic_shared) +
               " bytes of dynamic shared memory beside " + std::to_string(l.kernel->shared_bytes) +
               " static ones are too many; the kernel may have " + std::to_string(largest) +
               " (cudaFuncSetAttribute), a block " + std::to_string(device.shared_per_block_optin));
  check_cluster(l, kernel, device);
  if (!l.cooperative) return;
  auto const per_sm = the_device().resident_blocks(*l.kernel, l.block, l.dynamic_shared);
  auto const resident = static_cast<std::uint64_t>(per_sm) * static_cast<std::uint64_t>(device.multiprocessors);
  if (l.grid.count() > resident)
    reject(cudaErrorCooperativeLaunchTooLarge,
           "kernel " + readable_name(kernel.name) + ": " + std::to_string(l.grid.count()) +
               " blocks of a cooperative launch, but only " + std::to_string(resident) +
               " are resident at once; launch fewer, or emulate more SMs (CUDAX_EMULATOR_SMS)");
}

std::vector<std::byte> pack(function const& code, void* const* arguments) {
  std::vector<std::byte> buffer(code.parameter_bytes);
  require(arguments || code.parameters.empty());
  for (size_t i = 0; i < code.parameters.size(); ++i)
    std::memcpy(buffer.data() + code.parameters[i].offset, arguments[i], code.parameters[i].size);
  return buffer;
}

/// The grid that a request asks for, after all checks.
command command_of(void const* symbol, request const& r) {
  write_note(note::launch);
  CUkern_st& kernel = find_kernel(symbol);
  load(kernel);
  function const& code = code_of(kernel);
  launch l{&code, shape(r.grid), shape(r.block), r.cluster, r.dynamic_shared, {}, r.cooperative};
  l.names_cluster = r.names_cluster;
  emulator::dim3 own;
  if (cluster_of(code, own)) {
    if (r.names_cluster) require(own.x == l.cluster.x && own.y == l.cluster.y && own.z == l.cluster.z);
    l.cluster = own;
    l.names_cluster = true;
  }
  check(l, kernel);
  l.parameters = pack(code, r.arguments);
  return {.type = cudaGraphNodeTypeKernel,
          .grid = std::make_shared<launch const>(std::move(l)),
          .kernel = readable_name(kernel.name),
          .may_start_early = r.is_dependent};
}

/// The same for a node of a graph, whose errors CUDA calls otherwise.
command node_of(void const* symbol, request const& r) {
  try {
    return command_of(symbol, r);
  } catch (failure const& f) {
    throw failure{f.code == cudaErrorInvalidConfiguration    ? cudaErrorInvalidValue
                  : f.code == cudaErrorInvalidDeviceFunction ? cudaErrorInvalidResourceHandle
                                                             : f.code};
  }
}

void start(void const* symbol, request const& r) {
  auto const stream = stream_of(r.stream);
  if (is_captured(*stream)) return record_or_break(*stream, [&] { return node_of(symbol, r); });
  auto const ended = submit(stream, command_of(symbol, r));
  write_note(note::grid);
  if (the_environment().launch_blocking) wait_for(ended);
}

void take(cudaLaunchAttribute const& attribute, request& r) {
  auto const& value = attribute.val;
  switch (attribute.id) {
  case cudaLaunchAttributeClusterDimension:
    r.cluster = {value.clusterDim.x, value.clusterDim.y, value.clusterDim.z};
    r.names_cluster = true;
    break;
  case cudaLaunchAttributeCooperative: r.cooperative = value.cooperative != 0; break;
  case cudaLaunchAttributeProgrammaticStreamSerialization:
    r.is_dependent = value.programmaticStreamSerializationAllowed != 0;
    break;
  case cudaLaunchAttributeIgnore:
  case cudaLaunchAttributeAccessPolicyWindow: // from here on: attributes that affect only speed
  case cudaLaunchAttributeSynchronizationPolicy:
  case cudaLaunchAttributeClusterSchedulingPolicyPreference:
  case cudaLaunchAttributePriority:
  case cudaLaunchAttributeMemSyncDomainMap:
  case cudaLaunchAttributeMemSyncDomain:
  case cudaLaunchAttributePreferredClusterDimension:
  case cudaLaunchAttributePreferredSharedMemoryCarveout: break;
  default:
    reject(cudaErrorNotSupported,
           "cudaLaunchKernelExC: the emulator has no launch attribute " + std::to_string(attribute.id));
  }
}

struct configuration {
  ::dim3 grid, block;
  size_t dynamic_shared;
  cudaStream_t stream;
  configuration* below; // the constructor of an argument may launch, too
};

/// Has no destructor: functions of atexit and destructors of static objects may launch after the main thread's
/// thread-local objects are destroyed.
thread_local constinit configuration* pushed = nullptr;

cudaError_t launch_simply(void const* symbol, ::dim3 grid, ::dim3 block, void** arguments, size_t dynamic_shared,
                          cudaStream_t stream, bool cooperative) {
  return call([&] {
    start(symbol, {.grid = grid,
                   .block = block,
                   .arguments = arguments,
                   .dynamic_shared = dynamic_shared,
                   .stream = stream,
                   .cooperative = cooperative});
  });
}

} // namespace

void run_grid(launch const& l) {
  write_note(note::grid); // of a graph
  if (fault const f = the_device().run(l); f.error) report_fault(f);
}

command grid_of(cudaKernelNodeParams const& p) {
  if (p.extra)
    reject(cudaErrorNotSupported, "a kernel node: the emulator takes its arguments by kernelParams only, not by extra");
  return node_of(
      p.func,
      {.grid = p.gridDim, .block = p.blockDim, .arguments = p.kernelParams, .dynamic_shared = p.sharedMemBytes});
}

} // namespace emulator::cuda

using namespace emulator::cuda;

extern "C" {

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t dynamic_shared, CUstream_st* stream) {
  pushed = new configuration{grid, block, dynamic_shared, stream, pushed};
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* dynamic_shared, void* stream) {
  if (!pushed) return remember(cudaErrorMissingConfiguration);
  std::unique_ptr<configuration> const top(pushed);
  pushed = top->below;
  *grid = top->grid;
  *block = top->block;
  *dynamic_shared = top->dynamic_shared;
  *static_cast<cudaStream_t*>(stream) = top->stream;
  return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t* kernel, void const* symbol) {
  return call([&] { *kernel = &find_kernel(symbol); });
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t dynamic_shared,
                               cudaStream_t stream) {
  return launch_simply(kernel, grid, block, arguments, dynamic_shared, stream, false);
}

} // extern "C"

cudaError_t cudaLaunchKernel(void const* symbol, dim3 grid, dim3 block, void** arguments, size_t dynamic_shared,
                             cudaStream_t stream) {
  return launch_simply(symbol, grid, block, arguments, dynamic_shared, stream, false);
}

cudaError_t cudaLaunchCooperativeKernel(void const* symbol, dim3 grid, dim3 block, void** arguments,
                                        size_t dynamic_shared, cudaStream_t stream) {
  return launch_simply(symbol, grid, block, arguments, dynamic_shared, stream, true);
}

cudaError_t cudaLaunchKernelExC(cudaLaunchConfig_t const* config, void const* symbol, void** arguments) {
  return call([&] {
    require(config && (config->attrs || config->numAttrs == 0));
    request r{.grid = config->gridDim,
              .block = config->blockDim,
              .arguments = arguments,
              .dynamic_shared = config->dynamicSmemBytes,
              .stream = config->stream};
    for (unsigned i = 0; i < config->numAttrs; ++i) take(config->attrs[i], r);
    start(symbol, r);
  });
}
