// SPDX-License-Identifier: Apache-2.0
//
// hang: reports of waits that last long, for checked builds. A report names the object, what the thread waits for, and
// the thread.
#pragma once

#include "../interface/boundary.hpp"

namespace cudax::runtime::hang {

/// Returns after how many nanoseconds a wait is reported; 0: never. The environment variable CUDAX_HANG_AFTER, in
/// seconds, takes precedence over set_limit(). Without both, no wait is reported. After set_limit(), objects that were
/// reported are reported again.
long long limit() noexcept;
void set_limit(long long nanoseconds) noexcept;

/// Prints the report of a wait that lasts longer than `longest` nanoseconds. The values replace the characters '#' of
/// the text. `where` names the thread; `then` says what happens to it.
void print(char const* text, unsigned long long const (&values)[2], unsigned long long object, long long longest,
           char const* where, char const* then) noexcept;

/// Watches a wait of a host thread.
class watch {
public:
  explicit watch(parked_wait const& wait) noexcept : wait_(wait) {}

  /// Reports the wait, once, if it has lasted long. Reports at most one wait for each address, and of a process at most
  /// as many as there are places for addresses (hang.cpp).
  void check(long long now) noexcept {
    if (wait_.describe && !done_) check_described(now);
  }

private:
  void check_described(long long now) noexcept;

  parked_wait const& wait_;
  long long began_ = 0;
  bool done_ = false;
};

} // namespace cudax::runtime::hang
