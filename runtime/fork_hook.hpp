// SPDX-License-Identifier: Apache-2.0
//
// fork_hook: what happens to this library's locks while the process forks.
//
// A child of fork has one thread and a copy of every lock as it was, also of one that another thread of the parent holds. So
// the forking thread takes them all before, in the lock order of the library, and both processes give them back:
//
//   1  registration.cpp     where the registrations are
//   2  loading.cpp          the kernels that preload() has loaded
//   3  resources.cpp        making a pool; then for each pool its tables, and its arenas by their number
//   4  shared_ranges.cpp    the writers' lock: taken within 3, when memory is forgotten
//
// Whoever takes two of them takes the one with the lower number first. None is held while CUDA is called, so forking waits for
// no kernel. The lock of the table of registrations is, and other copies of this archive use it, too: it is not taken. A
// child's registrations end with the fork, and it begins with an empty table. That is one for all copies: prepare() finds its place,
// which the child may not look for.
//
// CUDA cannot be used in a child of a process that has used it. What needs it there fails and says so (driver.cpp); what the
// parent allocated can be freed, which does nothing. Parked threads are not in the child: the counts of the buckets
// (parking.cpp) then say too much, which costs a notify a call of the system.
#pragma once

namespace cudax::runtime::fork_hook {

/// Takes part. Every file with a lock above has a static variable for the result.
int join() noexcept;

enum class process : unsigned char { parent, child };

// 1
void lock_registrations() noexcept;
void unlock_registrations(process which) noexcept;
// 2
void lock_loaded_kernels() noexcept;
void unlock_loaded_kernels() noexcept;
// 3
void lock_resources() noexcept;
void unlock_resources() noexcept;
// 4
void lock_shared_ranges() noexcept;
void unlock_shared_ranges() noexcept;
// No lock: whether CUDA can be used any more.
void lose_driver() noexcept;

} // namespace cudax::runtime::fork_hook
