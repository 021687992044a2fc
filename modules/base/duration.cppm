// SPDX-License-Identifier: Apache-2.0
//
// duration: concepts for durations and time points of any library.  [time.duration], [time.point]
//
// std::chrono's types satisfy the concepts. So do this library's own types (wait/clock.cppm), which are needed because
// no interface unit includes a standard header. Internally a time is a count of nanoseconds (duration_rules.hpp).
module;
#include "macros.hpp"
export module cudax.sync:duration;
import :bits;

CUDAX_EVERYWHERE_BEGIN

namespace cudax {

/// A duration: a count of periods. The period is a number of seconds, given as a fraction.
template <class D>
concept duration_like = requires(D const& duration) {
  typename D::rep;
  duration.count();
  D::period::num;
  D::period::den;
};

/// A time point of a clock that this code can read.
template <class P>
concept time_point_like = requires(P const& point) {
  typename P::clock;
  { point.time_since_epoch() } -> duration_like;
  { point - P::clock::now() } -> duration_like;
};

} // namespace cudax

#include "duration_rules.hpp"

CUDAX_EVERYWHERE_END
