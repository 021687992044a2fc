// SPDX-License-Identifier: Apache-2.0
//
// kept_errno: a program reads errno after a call that has failed, and may wait or notify in between. So what waits,
// notifies, sleeps or checks an operation leaves errno as it was.
#pragma once

#include <cerrno>

namespace cudax::runtime {

/// Restores errno at the end of its scope.
class kept_errno {
  int const before_ = errno;

public:
  kept_errno() noexcept = default;
  kept_errno(kept_errno const&) = delete;
  ~kept_errno() { errno = before_; }
};

} // namespace cudax::runtime
