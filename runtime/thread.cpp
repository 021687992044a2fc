// SPDX-License-Identifier: Apache-2.0
//
// thread: which thread is calling. By the system's number, because a process may hold this archive twice, and a mark of this
// copy's own would not be known to the other.
#include "boundary.hpp"

#include <pthread.h>

namespace cudax::runtime {

unsigned long long thread_number() noexcept { return pthread_self(); }

} // namespace cudax::runtime
