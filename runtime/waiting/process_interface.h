/* SPDX-License-Identifier: Apache-2.0
 *
 * process_interface: the C interface of the shared library libcudax_sync_process.so, which holds the parked threads of
 * the process (README.md, "The shared library").
 *
 * This is version 1. Its symbols have the version CUDAX_SYNC_PROCESS_1, and the library has the SONAME
 * libcudax_sync_process.so.1. A released version never changes: another meaning, type or signature is a new version,
 * with another SONAME. A program or plugin uses the version with which it was linked, and a process may contain
 * several.
 */
#ifndef CUDAX_SYNC_PROCESS_INTERFACE_H
#define CUDAX_SYNC_PROCESS_INTERFACE_H

#ifndef __cplusplus
#include <stdbool.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum cudax_sync_process_wait_flag {
  cudax_sync_process_polls = 1, /* a device may make the change */
  cudax_sync_process_spins = 2, /* call `changed` for a short while before sleeping */
  cudax_sync_process_turn = 4   /* the thread waits for the turn `turn`; otherwise for any change */
};

/* A wait of one thread. */
struct cudax_sync_process_wait {
  void const volatile* address;
  bool (*changed)(void const* context); /* throws nothing */
  void const* context;                  /* aligned to at most 16 bytes */
  unsigned long context_size; /* if other threads may call `changed` with a copy of the context, its size; otherwise 0.
                                 A context of more than 32 bytes is not copied: its size is as 0 */
  long long deadline;         /* nanoseconds of CLOCK_MONOTONIC; the largest value: none */
  unsigned flags;             /* of cudax_sync_process_wait_flag; no other bit is set */
  unsigned turn;
};

/* Parks the calling thread until changed(context) is true or the deadline has passed; returns the last result of
   `changed`. Stops the program, with a message, if `wait` or `changed` is null, if `context` is null and has a size, or
   if a flag is unknown. */
bool cudax_sync_process_park(struct cudax_sync_process_wait const* wait);

/* Wake the threads that wait at the address: all, `count` of those that wait for a change (none if it is not positive),
   or those that wait for one of `count` turns from `first`. Requires: the caller has made the change by a sequentially
   consistent write; before cudax_sync_process_unpark, by any write. */
void cudax_sync_process_unpark(void const volatile* address);
void cudax_sync_process_unpark_some(void const volatile* address, long long count);
void cudax_sync_process_unpark_turns(void const volatile* address, unsigned first, unsigned count);

#ifdef __cplusplus
}
#endif
#endif
