// SPDX-License-Identifier: Apache-2.0
//
// occupancy: which blocks fit on the device at once, and launches that never fit.
#include "occupancy.hpp"
#include "device.hpp"
#include "readable_name.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

namespace emulator {
namespace {

/// CUDA's numbers.
enum error {
  invalid_value = 1,
  invalid_configuration = 9,
  out_of_resources = 701,
  cooperative_too_large = 720,
  invalid_cluster_size = 912
};

struct generation {
  int sm;
  int threads;
  std::size_t shared_per_block_optin, shared_per_multiprocessor;
};

/// The SMs that can be emulated, and what one has.
constexpr generation generations[] = {
#define CUDAX_SM(SM, folder, programs, threads, block, shared) {SM, threads, block, shared},
#include <generations.def> // arch/
};

int number_from_environment(char const* name, int otherwise, int least, int most) {
  char const* const text = std::getenv(name);
  if (!text || !*text) return otherwise;
  std::string_view const view = text;
  int value = 0;
  auto const [end, error] = std::from_chars(view.begin(), view.end(), value);
  if (error == std::errc{} && end == view.end() && value >= least && value <= most) return value;
  throw std::invalid_argument(std::string("cudax emulator: ") + name + "=" + text + ": it must be a number from " +
                              std::to_string(least) + " to " + std::to_string(most));
}

std::string three(dim3 d) {
  return "(" + std::to_string(d.x) + ", " + std::to_string(d.y) + ", " + std::to_string(d.z) + ")";
}

} // namespace

device_properties properties_from_environment() {
  device_properties p;
  p.sm = number_from_environment("CUDAX_EMULATOR_SM", p.sm, 1, 999);
  auto const* const g =
      std::find_if(std::begin(generations), std::end(generations), [&](auto& g) { return g.sm == p.sm && g.threads; });
  if (g == std::end(generations)) {
    std::string known;
    for (auto const& other : generations)
      if (other.threads) known += (known.empty() ? "" : ", ") + std::to_string(other.sm);
    throw std::invalid_argument("cudax emulator: CUDAX_EMULATOR_SM=" + std::to_string(p.sm) + ": it must be one of " +
                                known);
  }
  p.threads_per_multiprocessor = g->threads;
  p.shared_per_block_optin = g->shared_per_block_optin * 1024;
  p.shared_per_multiprocessor = g->shared_per_multiprocessor * 1024;
  p.largest_cluster = p.sm >= 90 ? 8 : 1;
  p.multiprocessors = number_from_environment("CUDAX_EMULATOR_SMS", p.multiprocessors, 1, 1024);
  p.blocks_per_multiprocessor =
      number_from_environment("CUDAX_EMULATOR_BLOCKS_PER_SM", p.blocks_per_multiprocessor, 1, 64);
  p.threads = number_from_environment("CUDAX_EMULATOR_THREADS", 0, 1, 1024);
  return p;
}

block_needs needs_of(function const& kernel, dim3 block, std::size_t dynamic_shared, device_properties const& p) {
  std::size_t const reserved = p.shared_per_multiprocessor - p.shared_per_block_optin; // by the system, for each block
  return {std::uint32_t((block.count() + 31) / 32 * 32), kernel.shared_bytes + dynamic_shared + reserved};
}

int device::resident_blocks(function const& kernel, dim3 block, std::size_t dynamic_shared) const {
  device_properties const& p = properties();
  block_needs const needs = needs_of(kernel, block, dynamic_shared, p);
  if (needs.threads == 0 || needs.threads > 1024 || needs.shared > p.shared_per_multiprocessor) return 0;
  std::uint64_t blocks = std::uint64_t(p.blocks_per_multiprocessor);
  blocks = std::min<std::uint64_t>(blocks, std::uint64_t(p.threads_per_multiprocessor) / needs.threads);
  if (needs.shared) blocks = std::min<std::uint64_t>(blocks, p.shared_per_multiprocessor / needs.shared);
  return int(blocks);
}

fault device::rejection(launch const& l) const {
  device_properties const& p = properties();
  std::uint64_t const threads = l.block.count(), blocks = l.grid.count(), cluster = l.cluster.count();
  std::string const what = "launch of " + readable_name(l.kernel->name) + ": ";
  if (threads == 0 || threads > 1024 || l.block.x > 1024 || l.block.y > 1024 || l.block.z > 64)
    return {invalid_configuration, what + "a block " + three(l.block) + "; it has 1 to 1024 threads, 64 in z"};
  if (blocks == 0 || l.grid.x > 0x7fffffff || l.grid.y > 0xffff || l.grid.z > 0xffff)
    return {invalid_configuration, what + "a grid " + three(l.grid) + "; it has at least one block, 65535 in y and z"};
  if (threads > l.kernel->max_threads) {
    return {out_of_resources, what + "a block of " + std::to_string(threads) +
                                  " threads; the kernel was compiled for " + std::to_string(l.kernel->max_threads)};
  }
  if (l.kernel->shared_bytes + l.dynamic_shared > p.shared_per_block_optin) {
    return {invalid_value, what + std::to_string(l.kernel->shared_bytes + l.dynamic_shared) +
                               " bytes of shared memory; a block has " + std::to_string(p.shared_per_block_optin)};
  }
  if (l.parameters.size() < l.kernel->parameter_bytes) {
    return {invalid_value, what + std::to_string(l.parameters.size()) + " bytes of parameters; the kernel has " +
                               std::to_string(l.kernel->parameter_bytes)};
  }
  // A kernel with the attribute for it may have twice the portable size; cuda/launch.cpp asks for the attribute.
  int const largest = p.largest_cluster <= 1 ? 1 : 2 * p.largest_cluster;
  if (cluster == 0 || cluster > std::uint64_t(largest))
    return {invalid_cluster_size,
            what + "a cluster " + three(l.cluster) + " of blocks; the largest has " + std::to_string(largest)};
  if (l.grid.x % l.cluster.x || l.grid.y % l.cluster.y || l.grid.z % l.cluster.z)
    return {invalid_cluster_size,
            what + "a grid " + three(l.grid) + " is no multiple of the cluster " + three(l.cluster)};
  auto const at_once =
      std::uint64_t(resident_blocks(*l.kernel, l.block, l.dynamic_shared)) * std::uint64_t(p.multiprocessors);
  if (at_once < cluster)
    return {out_of_resources, what + "a cluster of " + std::to_string(cluster) + " blocks; the device holds " +
                                  std::to_string(at_once) + " of them at once; see CUDAX_EMULATOR_SMS"};
  if (l.cooperative && at_once < blocks)
    return {cooperative_too_large, what + std::to_string(blocks) + " blocks at once; the device holds " +
                                       std::to_string(at_once) +
                                       "; see CUDAX_EMULATOR_SMS and CUDAX_EMULATOR_BLOCKS_PER_SM"};
  return {};
}

} // namespace emulator
