// SPDX-License-Identifier: Apache-2.0
//
// boundary: the functions of the archive that the interface units call on the host. It is the counterpart of
// arch/abi.hpp: plain functions, plain types and no header. So the BMIs stay small and independent of the standard
// library.
#pragma once

namespace cudax::runtime {

/// Prints `sentence`, which holds one %lld for `value`, to standard error and aborts.
[[noreturn]] void stop(char const* sentence, long long value) noexcept;

/// The kind of operation that a host thread performs.
enum class host_access : unsigned char { load, store, modify };

/// Warns once for each kind of memory if a host thread's operation at thread_scope_system on the `size` bytes at
/// `object` is not atomic with respect to the devices that access them. Also warns once if the call shows that host and
/// devices share an object of 1 or 2 bytes whose word holds other objects.
void check_atomicity(void const volatile* object, unsigned long size, host_access how) noexcept;

/// 16-byte atomics, sequentially consistent. The pointers are aligned to 16 bytes. A load from read-only memory
/// requires a processor with AVX: without AVX, a load writes the object back.
unsigned __int128 load_16(void const* object) noexcept;
void store_16(void* object, unsigned __int128 value) noexcept;
unsigned __int128 exchange_16(void* object, unsigned __int128 value) noexcept;
bool compare_exchange_16(void* object, unsigned __int128* expected, unsigned __int128 desired) noexcept;

/// What a parked thread waits for at an address. Threads that wait for a change check it one at a time, under a lock. A
/// thread that waits for that lock (`turn`) is not woken together with the threads that wait for a change.
enum class awaited : unsigned char { change, turn };

/// Parks the calling thread until changed(context) is true or steady_now() reaches `deadline`. Returns the last result
/// of `changed`. Wakes at once when a host thread calls unpark(address) with the same `what`. If `polls` is true,
/// `changed` is also called at intervals that grow to poll_interval_max nanoseconds, because a device cannot wake a
/// host thread. Otherwise the interval is sleep_max, because a thread whose code is linked with another copy of this
/// archive cannot wake this one either.
bool park(void const volatile* address, bool (*changed)(void const*), void const* context, long long deadline,
          bool polls, awaited what) noexcept;
void unpark(void const volatile* address, awaited what) noexcept;

inline constexpr long long no_deadline = 0x7fffffffffffffff;
inline constexpr long long poll_interval_max = 500'000;
inline constexpr long long sleep_max = 50'000'000;

/// Nanoseconds since an arbitrary start (CLOCK_MONOTONIC), and since the epoch (CLOCK_REALTIME).
long long steady_now() noexcept;
long long system_now() noexcept;

/// Cycles of the processor's time-stamp counter, or nanoseconds if the processor has none.
unsigned long long cycles_now() noexcept;

/// A number that identifies the calling thread in the process.
unsigned long long thread_number() noexcept;

void yield() noexcept;
void sleep(long long nanoseconds) noexcept;

} // namespace cudax::runtime
