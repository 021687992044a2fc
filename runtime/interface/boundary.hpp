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

inline constexpr long long no_deadline = 0x7fffffffffffffff;
inline constexpr long long poll_interval_max = 500'000;
inline constexpr long long sleep_max = 50'000'000;

/// How long a wait until a time point lasts at most before it reads the clock again, if the clock can be set. A round
/// begins with a spin and short sleeps: shorter rounds of many waiters would take much processor time.
inline constexpr long long round_max = 1'000'000'000;

/// Returns the nanoseconds of the next round of a wait until a time point of `Clock` that is `rest` nanoseconds away.
/// The clock may be set to a time after the time point during the wait, and then the wait should end as soon as
/// possible [thread.req.timing]. A clock that does not say that it is steady counts as one that can be set.
template <class Clock> constexpr long long round_of(long long rest) noexcept {
  if constexpr (requires { requires bool(Clock::is_steady); }) return rest;
  else return rest == no_deadline || rest < round_max ? rest : round_max;
}

/// What a wait is for, in a report of a wait that lasts long (hang.hpp). The values replace the characters '#' of the
/// text.
struct wait_description {
  char const* text = "wait: the object has not changed";
  unsigned long long values[2] = {};
};

/// What a thread waits for at an address. A thread that waits for a turn is woken only when a counter reaches the value
/// `turn`. All others wait for a change.
enum class awaited : unsigned char { change, turn };

/// A wait of one thread, until changed(context) is true or steady_now() reaches `deadline`.
struct parked_wait {
  void const volatile* address;
  bool (*changed)(void const*);
  void const* context;
  unsigned long size = 0; // of the context, if other threads may call `changed` with a copy of it; otherwise 0
  long long deadline = no_deadline;
  bool polls = false; // a device may make the change
  bool spins = true;  // calls `changed` for a short while before it sleeps
  awaited what = awaited::change;
  unsigned turn = 0;
  // Describes `described`, for a report. Null: the wait is not reported. Only checked builds set them.
  wait_description (*describe)(void const*) = nullptr;
  void const* described = nullptr;
};

/// The largest context that other threads can copy, in bytes. Its alignment is at most 16. A larger size is as 0.
inline constexpr unsigned long context_max = 32;

/// Parks the calling thread and returns the last result of `changed`. The functions below wake the thread at once. If
/// `polls` is true, `changed` is also called at intervals that grow to poll_interval_max nanoseconds, because a device
/// cannot wake a host thread. Otherwise the interval is sleep_max, after a first short sleep, because a thread
/// whose code is linked with another copy of this archive cannot wake this one either.
bool park(parked_wait const& wait) noexcept;

/// The count of parked threads of each bucket of addresses, bucket_size bytes apart, in the lowest bits of a word. Null
/// if the buckets are those of the shared library (process_forward.cpp).
extern unsigned long const* const parked_counts;
inline constexpr unsigned bucket_bits = 10, bucket_size = 64;
inline constexpr unsigned long parked_count_mask = (1u << 22) - 1;

inline unsigned long hash_of_address(void const volatile* address) noexcept {
  return (unsigned long)address * 0x9e3779b97f4a7c15u;
}
inline unsigned bucket_of_hash(unsigned long hash) noexcept { return unsigned(hash >> (64 - bucket_bits)); }

/// Returns false if no thread waits at the address, so that unpark and unpark_some need not be called: the call would
/// take longer than the check. Order: as unpark (parking.cpp, "No wake-up is lost").
inline bool may_be_awaited(void const volatile* address) noexcept {
  if (!parked_counts) return true;
  unsigned long const* const word =
      parked_counts + bucket_of_hash(hash_of_address(address)) * (bucket_size / sizeof(unsigned long));
  return (__atomic_load_n(word, __ATOMIC_SEQ_CST) & parked_count_mask) != 0;
}

/// Wake threads that wait for a change at the address: all of them, or `count`. The threads of which only `count` are
/// woken must be equivalent: each can use the change, and none but them waits at the address. A count that is not
/// positive wakes no thread.
/// Requires: the caller has made the change by a sequentially consistent write; before unpark, by any write. After a
///           weaker one, a thread that parks at the same moment may be woken 20 us late (parking.cpp)
void unpark(void const volatile* address) noexcept;
void unpark_some(void const volatile* address, long long count) noexcept;

/// Wakes the threads that wait at the address for one of the turns from `first` to first + count - 1, and those that
/// wait for a change.
/// Requires: as unpark
void unpark_turns(void const volatile* address, unsigned first, unsigned count) noexcept;

/// How many turns before its own a thread may wait without sleeping.
unsigned turns_to_spin() noexcept;
/// From how many turns before its own the processors suffice for this thread and for all threads before it. A thread
/// that is farther away should yield its processor.
unsigned turns_to_poll() noexcept;
/// How many turns before its own a thread is woken, so that it is awake when its turn comes.
unsigned turns_to_wake_ahead() noexcept;

/// The poll of a host thread that waits for a lock by a function of cudax.sync.host. An unlock of `mutex` wakes only
/// one parked thread, so a poll of it keeps the mark that threads may be parked (modules/thread/mutex.cppm).
struct lock_poll {
  template <class Mutex>
  static bool take(Mutex& mutex) {
    if constexpr (requires { mutex.take_or_mark(); }) return mutex.take_or_mark();
    else return mutex.try_lock();
  }
};

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
