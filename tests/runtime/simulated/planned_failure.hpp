// SPDX-License-Identifier: Apache-2.0
//
// planned_failure: the k-th of the coming calls fails. A simulated device and the failing heap count their calls with
// it.
#pragma once

namespace cudax_test {

template <class Code>
class planned_failure {
public:
  /// Makes the k-th call from now fail with `code`; with k = 0, none.
  void plan(int k, Code code) {
    left_ = k;
    code_ = code;
    failed_ = false;
  }

  /// Counts one call. Returns the planned code if this call is to fail, otherwise a Code{}.
  Code next() {
    if (left_ == 0) return Code{};
    if (--left_ != 0) return Code{};
    failed_ = true;
    return code_;
  }

  /// Whether a call has failed since the last plan().
  bool failed() const { return failed_; }

private:
  int left_ = 0; // calls up to the one that fails, including it
  Code code_{};
  bool failed_ = false;
};

} // namespace cudax_test
