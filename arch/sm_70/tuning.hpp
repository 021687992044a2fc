// SPDX-License-Identifier: Apache-2.0
//
// tuning: figures by which the library chooses among ways that are all correct. All were measured on an H100 or an H200
// (sm_90).
// They stand in the first generation, and hold for a generation until it has a tuning.hpp that replaces some of them.
#pragma once

namespace cudax::arch::sm_70 {

/// The smallest copy that is worth a bulk copy: below, each thread's loads and stores, or its asynchronous copies, are
/// fewer instructions.
constexpr unsigned bulk_copy_bytes = 128;

/// To shared memory, awaited by a barrier: the smallest bulk copy for each thread of the group, and the size from which
/// a bulk copy is always used. Measured on an H200 (L2, 1.98 GHz), one tile at a time, by bulk copy with its proxy
/// fences and by cp.async, in cycles: a thread alone 417 and 499 for 256 bytes, 419 and 447 for 128; 128 threads 477
/// and 461 for 1 KiB, 483 and 488 for 4 KiB; 256 threads 484 and 481 for 4 KiB, 1,066 and 1,033 for 16 KiB with bank
/// conflicts, 1,110 and 1,136 for 32 KiB. They differ by at most 4 % where neither is a lone thread's, and a bulk copy
/// takes the instructions of one thread. The thresholds are constants of most calls, so one of the two ways remains.
constexpr unsigned bulk_copy_bytes_of_thread = 256;
constexpr unsigned bulk_copy_bytes_always = 1024;

/// In a pipeline: up to how many bytes each thread copies itself. The same in two stages: 256 threads 363 and 273 for 4
/// KiB, 477 and 462 for 16 KiB, 942 and 931 for 32 KiB; 128 threads 343 and 272 for 4 KiB, 477 and 463 for 16 KiB; 32
/// threads 342 and 246 for 1 KiB, 389 and 294 for 4 KiB; in four stages 256 threads 360 and 234 for 4 KiB. A thread
/// alone: 329 and 353 for 256 bytes, 327 and 319 for 128. At 128 bytes for each thread the advantage of cp.async has
/// shrunk to 1 to 3 % where 128 threads or more copy, and a bulk copy takes the instructions of one thread. (An agent
/// that only produces makes bulk copies from bulk_copy_bytes_always on: a warp that fills four stages of 4 KiB for
/// eight warps takes 274 ns a stage by cp.async on an H100, and 130 ns by bulk copies.)
constexpr unsigned bulk_copy_bytes_of_producer = 128;

/// Of a wait: how many polls follow each other directly; then the sleeps between polls, in nanoseconds, double from the
/// first to the longest, to leave the memory system to the threads that make progress. In a wait for a turn in a
/// block's memory the longest is a quarter. (cohort_mutex with one lane of each of 8 warps on 132 SMs of an H200,
/// passed on 8 times: 252 ns a turn instead of 317.)
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
