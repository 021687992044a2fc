// SPDX-License-Identifier: Apache-2.0
//
// host_test: the tests of the generated sources that have threads of the host, by name: a kernel for the threads of the
// device, and functions for those of the host.
#pragma once

#include <string_view>

#include "registry.hpp"

namespace litmus_runner {

/// How long a thread of the host may wait for another thread of its instance: until the launch is given up.
struct patience_of_host {
  int const* given_up; ///< not 0 if the launch is given up
  unsigned polls = 0;

  /// Returns whether to poll once more. Lets other threads have the processor now and then.
  bool polls_again();
};

/// The host's part of a group of tests. `which` tells the tests apart, `at` has the locations of an instance.
struct host_code {
  unsigned threads, locations;
  unsigned on_host;    ///< a bit for each thread that is on the host
  bool waits;          ///< a thread of the device may wait for another thread of its instance
  bool native_atomics; ///< the device modifies an object in mapped memory that the host writes, too
  bool peer_atomics;   ///< two devices write an object in the memory of one of them, and one of them modifies it
  bool own;            ///< there are locations that only devices can access

  void (*run)(unsigned which, unsigned thread, char* const* at, patience_of_host&, unsigned& seen);
  unsigned (*finals)(unsigned which, char* const* at);
  void (*end)(unsigned which, char* const* at);
  void (*restore)(unsigned which, char* const* at);
};

/// Where a grid leaves the final values of an instance's locations in global memory: after the results of the threads.
constexpr unsigned* own_result_of(launch const& all, unsigned threads, unsigned buffer, unsigned instance) {
  return all.results + (2ull * threads + buffer) * all.layout.instances + instance;
}

/// Takes the functions and constants of a group of tests (host_kernel.hpp).
template <class test>
constexpr host_code host_code_of() {
  return {test::threads, test::locations,   test::on_host, test::waits, test::native_atomics, test::peer_atomics,
          test::own,     test::run_on_host, test::finals,  test::end,   test::restore};
}

/// Objects of this type have static storage and form a list.
struct registered_host_test {
  registered_kernel kernel;
  host_code code;
  registered_host_test const* next;

  registered_host_test(char const* name, kernel_function function, host_code const& code) noexcept;
};

/// Null if no source has a test of this name with threads of the host.
registered_host_test const* find_host_test(std::string_view name);

} // namespace litmus_runner
