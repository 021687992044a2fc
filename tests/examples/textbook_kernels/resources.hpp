// SPDX-License-Identifier: Apache-2.0
//
// resources: sections 3.2.3 to 3.2.5 as arithmetic: what limits the number of blocks on an SM, occupancy, and Little's
// law.
#pragma once

namespace textbook_kernels {

/// The resources of an SM.
struct sm_limits {
  int threads, blocks, registers;
  unsigned long long shared,
      reserved_per_block; // bytes of shared memory; bytes that the system reserves for each block
};
/// The resources that a block uses.
struct block_needs {
  int threads, registers_per_thread;
  unsigned long long shared; // bytes, static and dynamic
};

struct partition {
  int by_threads, by_blocks, by_registers, by_shared;

  int blocks() const {
    int const a = by_threads < by_blocks ? by_threads : by_blocks;
    int const b = by_registers < by_shared ? by_registers : by_shared;
    return a < b ? a : b;
  }
  char const* limit() const {
    int const least = blocks();
    return least == by_threads     ? "threads"
           : least == by_blocks    ? "blocks"
           : least == by_registers ? "registers"
                                   : "shared memory";
  }
};

/// Returns for how many blocks each resource of the SM suffices. This is an upper bound: the hardware allocates
/// registers and shared memory in larger units, which the chapter does not discuss; the CUDA runtime's query takes them
/// into account.
inline partition partition_of(sm_limits const& sm, block_needs const& block) {
  int const warps = (block.threads + 31) / 32;
  unsigned long long const shared = block.shared + sm.reserved_per_block;
  return {sm.threads / (warps * 32), sm.blocks,
          block.registers_per_thread ? sm.registers / (block.registers_per_thread * warps * 32) : sm.blocks,
          shared ? int(sm.shared / shared) : sm.blocks};
}

/// Returns the occupancy: active warps / maximum number of warps.
inline double occupancy_of(int blocks, int threads, sm_limits const& sm) {
  return double(blocks) * ((threads + 31) / 32) / (sm.threads / 32);
}

/// Little's law: the amount in flight = latency x throughput.
/// Returns the warps that must be in flight, from a latency in cycles and a throughput in warps per cycle.
inline double warps_under_way(double latency, double throughput) { return latency * throughput; }
/// Returns the bytes that must be in flight, from a latency in nanoseconds and a bandwidth in GB/s (bytes per
/// nanosecond).
inline double bytes_under_way(double nanoseconds, double gigabytes_per_second) {
  return nanoseconds * gigabytes_per_second;
}

} // namespace textbook_kernels
