// SPDX-License-Identifier: Apache-2.0
//
// tuning: figures by which the library chooses among ways that are all correct. All were measured on an H100 (sm_90).
// They stand in the first generation, and hold for a generation until it has a tuning.hpp that replaces some of them.
#pragma once

namespace cudax::arch::sm_70 {

/// The smallest copy that is worth a bulk copy: below, each thread's loads and stores, or its asynchronous copies, are
/// fewer instructions.
constexpr unsigned bulk_copy_bytes = 128;

/// To shared memory, the smallest bulk copy for each thread of the group, and the size from which a bulk copy is always
/// used. A bulk copy takes 630 to 830 ns on an H100, whatever its size up to 4096 bytes. A thread's cp.async of 16
/// bytes take 330 ns for the first and 26 ns for each further one: from 256 bytes on they are slower for a thread that
/// copies alone. Larger copies are made to overlap with other work, and a bulk copy takes the instructions of one
/// thread: tiles of 4096 bytes in a pipeline of 256 threads take 169 ns each by bulk copies, 227 ns by cp.async.
constexpr unsigned bulk_copy_bytes_of_thread = 256;
constexpr unsigned bulk_copy_bytes_always = 1024;

/// Of a wait: how many polls follow each other directly; then the sleeps between polls, in nanoseconds, double from the
/// first to the longest, to leave the memory system to the threads that make progress.
constexpr unsigned direct_polls = 64;
constexpr unsigned first_sleep = 32;
constexpr unsigned longest_sleep = 1024;

/// Of a wait for a turn: a waiter sleeps this time, in nanoseconds, for each turn before its own. A turn of a
/// ticket_mutex takes 750 ns on an H200, but a nanosleep may take twice its argument. With 132 waiters 200 to 400 ns
/// make a difference of 2 %. With all lanes of 132 warps a turn takes 912 ns, and 1,011 ns without this rule.
constexpr unsigned time_of_turn = 200;

/// Of a pause for other threads' operations on one word: how many they do in a nanosecond, and the shortest and the
/// longest pause, in nanoseconds. An H200 does one operation of a warp each 0.72 ns on a word (1.42 cycles), that is 44
/// operations of threads in a nanosecond, and polls take their turn among them. A nanosleep may take twice its
/// argument. A pause of less than 100 ns is not worth a sleep. Phases of a barrier of 132 blocks, in cycles of the
/// H200, with 32, 128, 256, 512 and 1,024 threads a block: 48 and 2048: 1873, 1911, 2997, 6011, 12514. 64 and 1024:
/// 1936, 1935, 2976, 6560, 13641. 32 and 2048: 1927, 2026, 3325, 5964, 11120. 43 and 2048: 1935, 4076, 4835, 8688,
/// 18509.
constexpr unsigned operations_per_nanosecond = 48;
constexpr unsigned shortest_pause = 100;
constexpr unsigned longest_pause = 2048;

} // namespace cudax::arch::sm_70
