// SPDX-License-Identifier: Apache-2.0
//
// pipeline_state: what the threads of a pipeline share: two barriers for each stage, and how many threads still use
// them.
// Each stage has two barriers. The producers arrive at `produced` when they have filled the stage; the consumers arrive
// at `consumed` when they are done with it. Both barriers have one phase for each round through the stages, and a
// thread waits for a phase by its parity. This is safe because a waiting thread cannot be two phases late. Take a
// consumer that waits for round r of `produced`. The producers can end round r + 1 of `produced` only after round r of
// `consumed`, which awaits this consumer. The same holds for a producer.
// Where the consumers of all blocks of a cluster arrive at `consumed`, a producer waits for round r of it, and its
// block's consumers end round r + 1 only after round r + 1 of `produced`, which awaits this producer. If its block has
// none, only the bytes do that it completes in a block that has some: make_pipeline requires them. A copy into another
// block comes after round r - 1 of `consumed` in its own block, and so after round r - 1 of `produced` in the other
// block, whose consumers have waited for that. So its bytes belong to round r there, too.
// Where a block releases to some blocks only, read "all blocks" as those whose producers fill its stages: the others
// have no part in them. Where agents take turns (pipeline_arrivals), a stage awaits the agent whose turn it is, but an
// agent whose turn comes later could wait for a round before the round before it has begun. So make_pipeline requires
// that its turn comes after the waits of the turn before.
module;
#include "../base/macros.hpp"
export module cudax.sync:pipeline_state;
import :barrier;
import :barrier_state;
import :bits;
import :machine;
import :modify;
import :order;
import :scope;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::copy_detail {
using namespace machine;

template <thread_scope S>
struct pipeline_stage {
  barrier<S> produced;
  barrier<S> consumed;

  /// Ends the lifetime of the barriers, so that their memory can be used again.
  void end() noexcept {
    destroy(&produced);
    destroy(&consumed);
  }
};

struct pipeline_access;

} // namespace cudax::copy_detail

export namespace cudax {

/// Holds what the threads of a pipeline of `Stages` stages share. make_pipeline initializes it.
/// Source:   libcu++, pipeline_shared_state
/// Scope:    Scope; threads outside Scope must not use the object. At block scope in shared memory, its barriers are
///           mbarriers from sm_80. A state that host and device share needs memory that is atomic between host and
///           device. In other memory arrivals are lost and waiters block indefinitely. At thread scope nothing is
///           shared: each thread has a pipeline of its own
/// Example:
///     __global__ void process() {
///       __shared__ cudax::pipeline_shared_state<cudax::thread_scope_block, 2> state; // two stages
///       auto stages = cudax::make_pipeline(cudax::this_block, &state);
///       // for each tile: producer_acquire, memcpy_async, producer_commit, consumer_wait, consumer_release
///     }
template <thread_scope Scope, unsigned char Stages>
class pipeline_shared_state {
  CUDAX_ENSURE_SCOPE(Scope, "pipeline_shared_state<Scope>");
  static_assert(Stages > 0, "cudax.sync: pipeline_shared_state: a pipeline has one stage at least");

public:
  pipeline_shared_state() = default;
  pipeline_shared_state(pipeline_shared_state const&) = delete;
  pipeline_shared_state& operator=(pipeline_shared_state const&) = delete;

private:
  friend copy_detail::pipeline_access;

  copy_detail::pipeline_stage<Scope> stages_[Stages];
  u32 users_;     // threads that have not quit; during make_pipeline, the producers
  u32 consumers_; // only during make_pipeline, as the next one
  u32 absent_;    // threads whose role is none
};

/// Says whether a thread of a pipeline produces or consumes. A thread whose role is none takes no part: its pipeline
/// object has quit, and can be destroyed at any time.
/// Source:   libcu++, pipeline_role; none is an extension
enum class pipeline_role { producer, consumer, none };

/// How many agents produce, and how many consume, each single stage: for agents that take turns, so that a stage is not
/// for all of them. In a cluster, those of one block.
/// Source:   extension
/// Example:
///     __device__ auto make(cudax::pipeline_shared_state<cudax::thread_scope_block, 4>* state) {
///       cudax::pipeline_arrivals const one_each{1, 1}; // one warp of several fills a stage, another one uses it
///       return cudax::make_pipeline(cudax::this_block, state, one_each, cudax::this_warp);
///     }
struct pipeline_arrivals {
  unsigned producers, consumers;
};

} // namespace cudax

CUDAX_EVERYWHERE_END
