// SPDX-License-Identifier: Apache-2.0
//
// stage_position: pipeline_position, a place in the sequence of a pipeline's stages: which stage, and in which round. A
// pipeline object holds one for each role (pipeline.cppm). A program copies it in order to wait ahead of what it
// releases.
module;
#include "../base/macros.hpp"
export module cudax.sync:stage_position;
import :bits;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::copy_detail {

/// Words, since the hardware computes with words. The number of stages is not in it: the pipeline knows it.
struct stage_position {
  u32 stage = 0;
  u32 round = 0;

  constexpr bool is_odd() const noexcept { return round & 1; }
  constexpr void advance(u32 count) noexcept {
    bool const is_last = stage + 1 == count;
    stage = is_last ? 0 : stage + 1;
    round += is_last;
  }
  constexpr void advance(u32 count, u32 stages) noexcept {
    stage += stages;
    round += stage / count;
    stage %= count;
  }
};

struct position_access;

} // namespace cudax::copy_detail

export namespace cudax {

/// A place in the sequence of a pipeline's stages. pipeline::producer_position and consumer_position return it. It is
/// two words that change and one that does not; a copy costs nothing.
/// Source:   extension
/// Example:
///     template <class P> // a stage is used while the one before it is still in use; the caller releases the last one
///     __device__ void use(P& filled, int const* tile, int* sum, int steps) {
///       auto ahead = filled.consumer_position();
///       for (int i = 0; i < steps; ++i, ++ahead) {
///         filled.consumer_wait(ahead), *sum += tile[ahead.index()];
///         if (i > 0) filled.consumer_release(); // the stage before
///       }
///     }
class pipeline_position {
public:
  /// Returns the number of the stage, from 0.
  constexpr unsigned index() const noexcept { return at_.stage; }

  /// Returns the parity of the round through the stages, which is false in the first round.
  constexpr bool phase() const noexcept { return at_.is_odd(); }

  /// Move on by one stage, or by any number of stages.
  constexpr pipeline_position& operator++() noexcept {
    at_.advance(count_);
    return *this;
  }
  constexpr pipeline_position& operator+=(unsigned stages) noexcept {
    at_.advance(count_, stages);
    return *this;
  }

private:
  friend copy_detail::position_access;

  constexpr pipeline_position(copy_detail::stage_position at, u32 count) noexcept : at_(at), count_(count) {}

  copy_detail::stage_position at_;
  u32 count_; // of stages
};

} // namespace cudax

namespace cudax::copy_detail {

/// What a pipeline does with positions.
struct position_access {
  static constexpr pipeline_position make(stage_position at, u32 count) noexcept { return {at, count}; }
  static constexpr stage_position place(pipeline_position const& position) noexcept { return position.at_; }
  static constexpr u32 stages(pipeline_position const& position) noexcept { return position.count_; }
};

} // namespace cudax::copy_detail

CUDAX_EVERYWHERE_END
