// SPDX-License-Identifier: Apache-2.0
//
// failing_heap: makes the k-th allocation of this thread fail during the object's lifetime.
#pragma once

#include "planned_failure.hpp"

namespace cudax_test {

class failing_heap {
public:
  explicit failing_heap(int k);
  ~failing_heap();
  failing_heap(failing_heap const&) = delete;
  bool failed() const; // whether an allocation has failed

  /// Suspends the failures for code that is not under test.
  class pause {
  public:
    pause();
    ~pause();
    pause(pause const&) = delete;

  private:
    planned_failure<bool> paused_;
  };
};

} // namespace cudax_test
