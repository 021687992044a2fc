// SPDX-License-Identifier: Apache-2.0
//
// boundary: what the interface units call in the archive on the host. The counterpart of arch/abi.hpp: plain functions
// and plain types, no header, so that the BMIs stay small and independent of the standard library.
#pragma once

namespace cudax::runtime {

/// Prints `sentence`, which holds one %lld for `value`, to standard error and aborts.
[[noreturn]] void stop(char const* sentence, long long value) noexcept;

/// What a host thread's operation does.
enum class host_access : unsigned char { load, store, modify };

/// Warns, once for each kind of memory, where a host thread's operation at thread_scope_system on the `size` bytes at
/// `object` is not atomic for the devices that reach them; and once, where it shows that host and devices share an object of
/// 1 or 2 bytes whose word holds others, too.
void ask_atomicity(void const volatile* object, unsigned long size, host_access how) noexcept;

/// 16-byte atomics, sequentially consistent; the pointers are aligned to 16 bytes. A load from read-only memory needs a
/// processor with AVX; elsewhere it writes the object back.
unsigned __int128 load_16(void const* object) noexcept;
void store_16(void* object, unsigned __int128 value) noexcept;
unsigned __int128 exchange_16(void* object, unsigned __int128 value) noexcept;
bool compare_exchange_16(void* object, unsigned __int128* expected, unsigned __int128 desired) noexcept;

/// What a parked thread waits for at an address. Whoever waits for a change takes turns of a lock to look, so whoever
/// waits for a turn is not woken with those who wait for a change.
enum class awaited : unsigned char { change, turn };

/// Parks the calling thread until changed(context) is true or steady_now() reaches `deadline`; returns the last answer
/// of `changed`. Wakes at once when a host thread calls unpark(address) for the same `what`. Where `polls`, `changed` is
/// also asked at intervals that grow to poll_interval_max nanoseconds, since a device cannot wake a host thread; else at
/// intervals of sleep_max, since neither can a thread whose code is linked with another copy of this archive.
bool park(void const volatile* address, bool (*changed)(void const*), void const* context, long long deadline,
          bool polls, awaited what) noexcept;
void unpark(void const volatile* address, awaited what) noexcept;

inline constexpr long long no_deadline = 0x7fffffffffffffff;
inline constexpr long long poll_interval_max = 500'000;
inline constexpr long long sleep_max = 50'000'000;

/// Nanoseconds: since an arbitrary start (CLOCK_MONOTONIC), since the epoch (CLOCK_REALTIME).
long long steady_now() noexcept;
long long system_now() noexcept;

/// Cycles of the processor's time-stamp counter, or nanoseconds where it has none.
unsigned long long cycles_now() noexcept;

/// A number that no other thread of the process has.
unsigned long long thread_number() noexcept;

void yield() noexcept;
void sleep(long long nanoseconds) noexcept;

} // namespace cudax::runtime
