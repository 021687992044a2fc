// SPDX-License-Identifier: Apache-2.0
//
// registers: moves registers between the warpgroups of a block.  PTX ISA, "setmaxnreg"
// A kernel starts with the same number of registers in each thread. Where warps have different tasks, as one that
// copies and others that calculate, the first needs few, and the others could use more. A warpgroup gives up registers,
// which go to a pool of the block, and another one takes them. The hardware does it for a warp; all four warps of a
// warpgroup must ask for the same.
//
// Both are hints to ptxas, which allocates the registers of the code after them. Where it ignores them it says so
// ("setmaxnreg ignored"), and the kernel is as correct as before. So they order nothing, and no result depends on them.
module;
#include "../base/macros.hpp"
export module cudax.sync:registers;
import :bits;
import :device_group;
import :machine;
import :warp_group;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::thread_detail {

constexpr bool is_register_count(int count) { return count >= 24 && count <= 256 && count % 8 == 0; }

/// The calling thread's warpgroup: four warps of its block, of which the first has a rank that is a multiple of 4.
class warpgroup {
  static inline void ensure_complete() noexcept {
    if constexpr (machine::traits::has_grid)
      CUDAX_ENSURE(machine::gpu::group_rank(machine::level::block) / 128 * 128 + 128 <=
                       machine::gpu::group_size(machine::level::block),
                   "this_warpgroup: the last warpgroup of the block has not four warps; launch a multiple of 128 "
                   "threads, not %lld",
                   machine::gpu::group_size(machine::level::block));
  }

public:
  /// Increases the number of registers of each thread of the warpgroup to `Count`. Blocks until other warpgroups of the
  /// block have given up enough. The code after the call, up to the end of the kernel or the next such call, can use
  /// `Count` registers.
  /// Source:   PTX ISA, "setmaxnreg.inc"; warpgroup_reg_alloc of CUTLASS
  /// Order:    none
  /// Units:    32-bit registers of a thread
  /// Requires: as decrease_registers, but the thread owns at most `Count`. Other warpgroups give up as many registers as
  ///           this one takes: 128 for each that `Count` is above what its threads own. Otherwise it never returns
  /// Errors:   as decrease_registers
  template <int Count>
  static void increase_registers() noexcept {
    static_assert(is_register_count(Count), "cudax.sync: this_warpgroup.increase_registers<Count>: the number of "
                                            "registers must be a multiple of 8 from 24 to 256");
    ensure_complete();
    machine::gpu::increase_registers(Count);
  }

  /// Decreases the number of registers of each thread of the warpgroup to `Count`, and gives the others to the block's
  /// pool. On the host it does nothing.
  /// Source:   PTX ISA, "setmaxnreg.dec"; warpgroup_reg_dealloc of CUTLASS
  /// Order:    none
  /// Units:    32-bit registers of a thread
  /// Requires: all threads of the warpgroup call with the same `Count`, and synchronize before they call one of the two
  ///           functions again; the thread owns at least `Count`. ptxas knows with how many registers the kernel
  ///           starts: __launch_bounds__(threads, blocks) with both arguments. The device link makes a whole program:
  ///           with device LTO, and without objects of nvcc. If one of the last two is missing, ptxas says "setmaxnreg
  ///           ignored", and the call does nothing
  /// Errors:   a `Count` that is not a multiple of 8 from 24 to 256 does not compile. For an SM without a letter the
  ///           program does not link: the name of the symbol that is missing says so. Code for sm_90a runs on the SM
  ///           90 alone; sources that are compiled for other SMs, too, call it under #if
  ///           defined(__CUDA_ARCH_FEAT_SM90_ALL). Checked builds stop if the last warpgroup has not four warps
  template <int Count>
  static void decrease_registers() noexcept {
    static_assert(is_register_count(Count), "cudax.sync: this_warpgroup.decrease_registers<Count>: the number of "
                                            "registers must be a multiple of 8 from 24 to 256");
    ensure_complete();
    machine::gpu::decrease_registers(Count);
  }

  /// Returns the warpgroup as a thread group, which also has elect(). Warpgroup i of the block meets at the block's
  /// barrier Id + i. On the host the group is the calling thread.
  /// Source:   extension
  /// Requires: no other code of the block uses these barriers at the same time; for sync(), the block has all four warps
  /// Errors:   an id that is not from 1 to 15 does not compile; checked builds stop at sync() if Id + i is above 15
  /// Example:
  ///     __global__ void roles(int* data) { // 256 threads: two warpgroups, barriers 1 and 2
  ///       auto const mine = cudax::this_warpgroup.group<1>();
  ///       if (mine.thread_rank() == 0) data[threadIdx.x / 128] = 1;
  ///       mine.sync(); // does not wait for the other warpgroup
  ///     }
  template <int Id>
  static constexpr own_warpgroup<Id> group() noexcept {
    return {};
  }
};

} // namespace cudax::thread_detail

export namespace cudax {

/// The calling thread's warpgroup, four warps of a block, whose threads can have more or fewer registers than others.
/// A kernel of 384 threads with __launch_bounds__(384, 1) starts with 168 registers in each thread: 64,512 in all, of
/// the 65,536 of an SM. With 24 for a warpgroup that only copies, two others can have 240.
/// Source:   extension
/// Example:
///     __global__ void __launch_bounds__(384, 1) roles(float* out) { // for sm_90a
///       if (threadIdx.x < 128) {
///         cudax::this_warpgroup.decrease_registers<24>(); // begins copies
///       } else {
///         cudax::this_warpgroup.increase_registers<240>(); // calculates
///         out[threadIdx.x - 128] = 1;
///       }
///     }
inline constexpr thread_detail::warpgroup this_warpgroup{};

} // namespace cudax

CUDAX_EVERYWHERE_END
