// SPDX-License-Identifier: Apache-2.0
//
// host_threads: threads of the operating system that run a test's threads of the host, round by round beside the grid
// of host_kernel.hpp. They check the instances of the round before, and restore their locations, as the grid does in
// kernel.hpp.
//
// A worker runs one thread of the test for a share of the instances, one instance after the other. With two threads
// of the test on the host, one half of the workers runs the first and one half the second, and they change in each
// round.
//
// The grid sees later than the workers that a round begins, and takes its time. So a worker waits for a random time
// before its part, on average about as long as the grid needs: the last worker of a round measures who is late.
//
// No wait is without a bound: `give_up` ends all waits of the workers but those inside the library. The threads are
// detached and share what they use, so a thread that never ends does not keep the process from ending.
#pragma once

#include <memory>
#include <vector>

#include "host_test.hpp"

namespace litmus_runner {

class host_threads {
public:
  /// Starts `launch.host.workers` workers, a multiple of the number of the test's threads on the host. If there are
  /// none, the workers only check and restore.
  host_threads(launch const&, host_code const&);
  ~host_threads();
  host_threads(host_threads const&) = delete;
  host_threads& operator=(host_threads const&) = delete;

  bool done() const;
  /// The number of meetings that are over: while it changes, no thread hangs.
  unsigned meetings() const;
  void give_up();
  /// counts_of(bits) counts. Only after done().
  std::vector<unsigned long long> counts() const;

private:
  struct state;
  std::shared_ptr<state> state_;
};

/// The number of the test's threads that are on the host.
unsigned threads_on_host(host_code const&);

} // namespace litmus_runner
