// SPDX-License-Identifier: Apache-2.0
//
// ordered_turns: groups of warps of a block that take turns, in a fixed order, at each of several stages.
// The usual case is the ping-pong schedule of a matrix product: two warpgroups, of which one multiplies while the other
// one writes its result. CUTLASS has OrderedSequenceBarrier for it, of mbarriers.
//
// Here the turn of a group at a stage is a phase of a named barrier. The group waits there (barrier.sync), and the
// group before it arrives there when its own turn ends (barrier.arrive). So a barrier belongs to one stage and one
// group, and a phase completes with the threads of two groups. A turn is two instructions, BAR.SYNC and BAR.ARV. With
// mbarriers it is a loop of polls, an arrival and the parity of the phase, and the warps of the group need another
// barrier before one thread arrives for all of them (SASS of ptxas 13.0 for sm_90; CUTLASS lets each thread arrive).
//
// The arrivals of two phases do not mix. The group before arrives for its next turn only after its own next turn began,
// and that is after this group ended its turn, hence after all warps of this group left the barrier.
//
// At first it is the turn of group 0. To make this no special case, the last group arrives at the barriers of group 0
// when it begins. Group 0 takes the arrivals that are left when it ends. So the barriers are as before, and other code
// may use them afterwards.
module;
#include "../base/macros.hpp"
export module cudax.sync:ordered_turns;
import :bits;
import :device_group;
import :machine;
import :named_barrier;

CUDAX_EVERYWHERE_BEGIN

export namespace cudax {

/// The turns of `Groups` groups of `Warps` warps each: group 0, group 1, and so on, then group 0 again. Each of the
/// `Stages` stages has turns of its own. The barriers are those of `Ids`, a named_barrier_ids: one for each group and
/// stage. Each thread of the groups makes an object. On the host, where the calling thread is alone, nothing is
/// awaited.
/// Source:   extension; OrderedSequenceBarrier of CUTLASS
/// Scope:    block
/// Requires: all threads of all groups make an object, with the number of their group, and end it; all groups take the
///           same number of turns of each stage (skip() takes one without work). No other code uses the barriers
///           meanwhile. All lanes of a warp call together
/// Example:
///     template <class Multiply, class Write> // two warpgroups call it, with 0 and 1; `tiles` is even
///     __device__ void ping_pong(Multiply multiply, Write write, int group, int tiles) {
///       cudax::ordered_turns<cudax::named_barrier_ids<1, 2>> turns(group);
///       for (int tile = group; tile < tiles; tile += 2) {
///         turns.wait(), multiply(tile), turns.arrive(); // then the other group multiplies
///         write(tile);
///       }
///     }
template <class Ids, int Groups = 2, int Stages = 1, int Warps = 4>
class ordered_turns {
  static_assert(Groups >= 2, "cudax.sync: ordered_turns: turns need two groups or more");
  static_assert(Stages >= 1, "cudax.sync: ordered_turns: there is no stage; use one or more");
  static_assert(Warps >= 1 && Warps * Groups <= 32,
                "cudax.sync: ordered_turns: a block has at most 32 warps in all groups");
  static_assert(Groups < 2 || Stages < 1 || Groups * Stages <= Ids::size,
                "cudax.sync: ordered_turns: each group needs a barrier for each stage; reserve a larger range of ids");

public:
  static constexpr int groups = Groups;
  static constexpr int stages = Stages;

  /// Begins the turns, for a thread of group `group`.
  /// Errors:   a group that does not exist is rejected; at run time only in checked builds
  explicit ordered_turns(int group) noexcept
      CUDAX_REFUSE(group < 0 || group >= Groups, "ordered_turns: the groups are 0 to Groups - 1")
    : group_(group) {
    using namespace thread_detail;
    CUDAX_ENSURE(group >= 0 && group < Groups, "ordered_turns: there is no group %lld; the groups are 0 to Groups - 1",
                 group);
    if (group_ == Groups - 1)
      for (int stage = 0; stage < Stages; ++stage) machine::gpu::arrive_named(id_of(stage, 0), threads);
  }

  /// Ends the turns. Group 0 waits here for the end of the last group's last turn.
  ~ordered_turns() {
    if (group_ == 0)
      for (int stage = 0; stage < Stages; ++stage) machine::gpu::sync_named(id_of(stage, 0), threads);
  }
  ordered_turns(ordered_turns const&) = delete;
  ordered_turns& operator=(ordered_turns const&) = delete;

  /// Blocks until it is the group's turn at the stage.
  /// Source:   PTX ISA, "barrier", barrier.sync
  /// Order:    acquire and release at block scope: what precedes the arrive() of the group before, in any of its threads,
  ///           happens before what follows the call
  /// Errors:   a stage that does not exist is rejected; at run time only in checked builds
  void wait(int stage = 0) noexcept
      CUDAX_REFUSE(stage < 0 || stage >= Stages, "ordered_turns::wait: the stages are 0 to Stages - 1") {
    ensure(stage);
    machine::gpu::sync_named(id_of(stage, group_), threads);
  }

  /// Ends the group's turn at the stage: the next group's turn begins when all threads of this group have called.
  /// Source:   PTX ISA, "barrier", barrier.arrive
  /// Order:    release at block scope; pairs with the wait() of the next group
  /// Requires: the thread has called wait(stage) for this turn
  /// Errors:   as wait
  void arrive(int stage = 0) noexcept
      CUDAX_REFUSE(stage < 0 || stage >= Stages, "ordered_turns::arrive: the stages are 0 to Stages - 1") {
    ensure(stage);
    machine::gpu::arrive_named(id_of(stage, group_ == Groups - 1 ? 0 : group_ + 1), threads);
  }

  /// Takes a turn without work: for a group that has fewer turns to take than the others.
  /// Order:    as wait and arrive
  /// Errors:   as wait
  void skip(int stage = 0) noexcept
      CUDAX_REFUSE(stage < 0 || stage >= Stages, "ordered_turns::skip: the stages are 0 to Stages - 1") {
    wait(stage);
    arrive(stage);
  }

private:
  static constexpr u32 threads = 2 * 32 * Warps; // of a group that waits, and of the group before it

  static constexpr u32 id_of(int stage, int group) noexcept {
    return u32(Ids::template id<0> + stage * Groups + group);
  }

  static void ensure([[maybe_unused]] int stage) noexcept {
    using namespace thread_detail;
    CUDAX_ENSURE(stage >= 0 && stage < Stages, "ordered_turns: there is no stage %lld; the stages are 0 to Stages - 1",
                 stage);
  }

  int group_;
};

} // namespace cudax

CUDAX_EVERYWHERE_END
