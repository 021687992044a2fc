// SPDX-License-Identifier: Apache-2.0
//
// resources: sections 3.2.3 to 3.2.5 as arithmetic: what limits the blocks of an SM, occupancy, and Little's law.
#pragma once

namespace chapter_3 {

/// What an SM has, and what a block takes of it.
struct sm_limits {
  int threads, blocks, registers;
  unsigned long long shared, reserved_per_block; // bytes; what the system takes of each block's share
};
struct block_needs {
  int threads, registers_per_thread;
  unsigned long long shared; // static and dynamic
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

/// How many blocks each resource of the SM is enough for. An upper bound: the hardware hands registers and shared memory out in
/// larger pieces, which the chapter does not go into, and the CUDA runtime knows.
inline partition partition_of(sm_limits const& sm, block_needs const& block) {
  int const warps = (block.threads + 31) / 32;
  unsigned long long const shared = block.shared + sm.reserved_per_block;
  return {sm.threads / (warps * 32), sm.blocks,
          block.registers_per_thread ? sm.registers / (block.registers_per_thread * warps * 32) : sm.blocks,
          shared ? int(sm.shared / shared) : sm.blocks};
}

/// occupancy = active warps / most warps
inline double occupancy_of(int blocks, int threads, sm_limits const& sm) {
  return double(blocks) * ((threads + 31) / 32) / (sm.threads / 32);
}

/// Little's law: what has to be under way = latency x throughput.
/// Warps, of a latency in cycles and a throughput in warps per cycle.
inline double warps_under_way(double latency, double throughput) { return latency * throughput; }
/// Bytes, of a latency in nanoseconds and a bandwidth in GB/s, which is bytes per nanosecond.
inline double bytes_under_way(double nanoseconds, double gigabytes_per_second) {
  return nanoseconds * gigabytes_per_second;
}

} // namespace chapter_3
