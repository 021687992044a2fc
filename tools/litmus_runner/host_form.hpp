// SPDX-License-Identifier: Apache-2.0
//
// host_form: the operations of threads of the host, and what a test needs to run beside them.
#pragma once

#include "forms.hpp"

namespace litmus_runner {

/// Through the library, as on a device. A weak vector access of 16 bytes is one instruction of the processor, which is
/// not atomic towards a device: it shows what the library's accesses of 16 bytes prevent.
struct host_form : library_form {
  static std::string load(access const&);
  static std::string store(access const&);
};

/// See host_code.
struct needs_of_host {
  bool waits = false, native_atomics = false, peer_atomics = false;
};
needs_of_host needs_of(litmus::program const&, litmus::placement const&);

} // namespace litmus_runner
