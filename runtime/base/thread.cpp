// SPDX-License-Identifier: Apache-2.0
//
// thread: the identity of the calling thread. It is the system's number: a process may contain this archive twice, and
// an identifier that one copy assigns would mean nothing to the other.
#include "../interface/boundary.hpp"

#include <pthread.h>

namespace cudax::runtime {

unsigned long long thread_number() noexcept { return pthread_self(); }

} // namespace cudax::runtime
