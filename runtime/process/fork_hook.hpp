// SPDX-License-Identifier: Apache-2.0
//
// fork_hook: the state of this library's locks when the process forks.
//
// A child of fork() has one thread and a copy of every lock in its current state, including locks that another thread
// of the parent holds. So the forking thread first takes all locks, in the lock order of the library, and both
// processes release them:
//
//   1  registration.cpp     the pointer to the table of registrations
//   2  loading.cpp          the kernels that preload() has loaded
//   3  resources.cpp        the creation of a pool; then for each pool its tables, and its arenas by number
//   4  shared_ranges.cpp    the writers' lock: taken within 3, when memory is forgotten
//   5  device_hangs.cpp     the mailboxes for reports of devices
//
// A thread that takes two of them takes the one with the lower number first. None is held while CUDA is called, so
// fork() waits for no kernel. The lock of the table of registrations is held while CUDA is called, and other copies of
// this archive use it, too: it is not taken. The registrations of a child end with the fork, and the child begins with
// an empty table. All copies of the archive share that table: prepare() finds its place, because the child must not
// search for it.
//
// CUDA cannot be used in a child of a process that has used it. There, a function that needs CUDA reports an error
// (driver.cpp), and freeing memory that the parent allocated does nothing. Parked threads do not exist in the child.
// parking.cpp takes no lock and has its own handler, which empties its buckets: programs that only wait do not link the
// files above.
#pragma once

namespace cudax::runtime::fork_hook {

/// Installs the fork handlers. Every file with a lock above calls it to initialise a static variable.
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
// 5
void lock_hangs() noexcept;
void unlock_hangs(process which) noexcept;
// Takes no lock. If the parent has used the driver, every use of CUDA fails from now on.
void disable_driver() noexcept;

} // namespace cudax::runtime::fork_hook
