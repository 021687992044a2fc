// SPDX-License-Identifier: Apache-2.0
//
// early_meetings: lanes that would hang if ptxas let them meet as early as it may (machine/early_meeting).
// If no thread gets ahead, the run lets the lanes go on that wait at such meetings. A lane that then stores what
// another thread waits for would never have come to this store: that is the finding. The meeting is left out from then
// on, so that the run goes on. So is one at which lanes waited for as long as threads may poll: a loop that comes to it
// again would take as long in each round.
#pragma once

#include "../../machine/thread.hpp"

#include <unordered_map>
#include <unordered_set>

namespace emulator::check {

class early_meetings {
public:
  /// A lane comes to a meeting. Returns: whether it waits there
  bool meets(thread const&, operation const* meeting);
  /// Whether lanes of the block wait.
  static bool has_waiters(block const&);
  /// Lets them go on. `for_good`: no lane waits at these meetings any more
  void end(block&, bool for_good);
  /// The thread stores another value there. Returns: whether that was reported
  bool stores(thread const&, std::byte const* where, std::size_t size);
  void end_block(block const&);

private:
  struct lane {
    operation const* meeting; ///< that it left
    std::uint32_t missing;    ///< the lanes for which it waited there
  };
  std::unordered_map<thread const*, lane> let_go_;
  std::unordered_set<operation const*> reported_, left_out_; ///< meetings
};

} // namespace emulator::check
