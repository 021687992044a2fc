// SPDX-License-Identifier: Apache-2.0
//
// failing_heap: the k-th allocation of this thread fails, as long as this lives.
#pragma once

namespace cudax_test {

class failing_heap {
public:
  explicit failing_heap(int k);
  ~failing_heap();
  failing_heap(failing_heap const&) = delete;
  bool failed() const; // whether it has come to that

  /// Code that is not being tested allocates in peace.
  class pause {
  public:
    pause();
    ~pause();
    pause(pause const&) = delete;

  private:
    int countdown_;
  };
};

} // namespace cudax_test
