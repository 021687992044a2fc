// SPDX-License-Identifier: Apache-2.0
//
// copy_ways: how a copy is made, and what reports its completion.  PTX ISA, "Data Movement and Conversion Instructions:
// Asynchronous copy"
//
//   from global to shared memory
//     from sm_90, if an mbarrier awaits the copy: one thread begins a bulk copy    -> the mbarrier's bytes
//     from sm_80: each thread begins a cp.async for each of its units              -> the thread's own groups
//   from shared to global memory
//     from sm_90: one thread begins a bulk copy                                    -> the thread's own bulk groups
//   every other copy: loads and stores (copy_plain.cppm)                           -> nothing to wait for
// A copy that fills with zeros (zero_filled_size_t) is never a bulk copy.
//
// The state spaces are queried at run time. The queries fold if the compiler knows the spaces. The queries for the SM
// always fold. On the host all queries return false, so the copy is plain.
//
// Proxies. Bulk copies access memory through the asynchronous proxy. The program's own accesses to the same memory use
// the generic proxy. So a proxy fence must be between them and the copy; the mbarrier needs none (proxy_fence.cppm).
// The thread that begins the copy executes the fence directly before it. Accesses of other threads must already be
// ordered before this thread's call, by a barrier for example: a copy by plain accesses needs that as well. The fence
// comes after that barrier. There is one fence for each of the two state spaces: one side of the copy is in shared
// memory, the other side is in global memory. After the copy no fence is needed: the completion of a bulk copy includes
// a proxy fence, and the wait for the mbarrier's phase or for the bulk group comes after the completion. cp.async
// belongs to the generic proxy.
//
// Bytes. A phase of an mbarrier ends when neither an arrival nor a byte is pending. The thread that begins the copy
// makes the phase expect the bytes while this thread's own arrival is still pending. So the phase cannot end before the
// copy is complete. The bytes are expected after the copy has begun, because the copy is what other threads wait for;
// until then the number of pending bytes may be negative, which PTX allows. The proxy fence precedes both, because it
// waits for the thread's earlier operations: on an H200 a tile of 4 KiB takes 264 ns with the order expect, fence,
// copy, 259 ns with fence, expect, copy, and 247 ns with fence, copy, expect. A phase can await up to 2^20 - 1 bytes.
// The limit is never reached: the copies that a phase awaits fill different places of one block's shared memory, which
// is smaller. Nor do the additional arrivals of cp.async reach the limit of an mbarrier's count: an arrival is pending
// only while units of its thread are, and shared memory has no room for 2^16 units.
//
// Alignment. A bulk copy needs multiples of 16 only. To shared memory it is faster where the target is a multiple of
// 128: in a pipeline that a warp fills, a tile of 16 KiB took 289 ns there on an H100, and 537 ns at a multiple of 16
// only. That is for the program to arrange; no copy is made in another way because of it.
module;
#include "../base/macros.hpp"
export module cudax.sync:copy_ways;
import :aligned_size;
import :barrier;
import :bits;
import :copy_plain;
import :device_barrier;
import :device_copy;
import :device_tuning;
import :machine;
import :proxy_fence;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::copy_detail {
using namespace machine;

/// Says what is still pending after a copy has begun.
enum class copy_way {
  plain,         // nothing
  units,         // cp.async of this thread
  awaited,       // what the mbarrier awaits: bytes, or the additional arrival of each thread
  bulk_to_global // bulk copies of this thread, not committed
};

/// What waits for a copy. A barrier usually awaits one tile at a time, and the time that counts is that of the copy. In
/// a pipeline the copies of several stages overlap. The threads of an agent that produces do nothing else, so the time
/// that counts is that of their instructions.
enum class copy_use { with_barrier, in_pipeline, by_agent };

/// The mbarrier that can await a copy, if there is one. `is_there` is a separate member because it follows from the
/// barrier's state space, so it folds; a comparison of the address with null would not fold.
struct copy_barrier {
  void* mbarrier;
  bool is_there;
};
template <class Barrier>
copy_barrier barrier_of(Barrier& barrier) noexcept {
  return {thread_detail::barrier_access::word(barrier), thread_detail::barrier_access::in_hardware(barrier)};
}
inline copy_barrier no_barrier() noexcept { return {nullptr, false}; }

/// Makes the current phase of the mbarrier end only when this thread's units are complete. The phase then awaits one
/// arrival more, which the hardware makes when the units are complete, or at once if the thread has none. It is added
/// to the pending arrivals during this call, while the thread's own arrival is still pending. The additional arrival
/// orders only the units: what the thread copied by stores is released by the thread's own arrival.
inline void arrive_with_units(void* mbarrier) noexcept { gpu::async_copy::arrive_additional(mbarrier); }

/// Begins a copy by cp.async and returns true. Returns false, and copies nothing, if the size is less than the smallest
/// unit or an address is not aligned to that unit. The target is in the shared memory of one block, so 32 bits hold
/// every offset. Three units at a time: their addresses do not depend on each other.
template <size_t OfAddresses, size_t OfSize, class Group>
bool copy_by_units(Group const& group, char* to, char const* from, size_t size) noexcept {
  auto const by = [&]<size_t Unit>() {
    if (size < Unit || !addresses_aligned<OfAddresses>(to, from, Unit)) return false;
    u32 const whole = u32(size / Unit * Unit), step = u32(group.size()) * Unit;
    auto const begin = [&](u32 offset) { gpu::async_copy::begin<Unit>(to + offset, from + offset); };
    if (u32 i = u32(group.thread_rank()) * Unit; i < whole) {
      begin(i);
      for (i += step; i < whole; i += 3 * step) {
        begin(i);
        if (i + step < whole) begin(i + step);
        if (i + 2 * step < whole) begin(i + 2 * step);
      }
    }
    if constexpr (OfSize < Unit) copy_rest(group, to, from, whole, size);
    return true;
  };
  return by.template operator()<16>() || by.template operator()<8>() || by.template operator()<4>();
}

/// Returns whether a copy to shared memory by that many threads is better made as one bulk copy. The thresholds are
/// measured (arch/sm_70/tuning.hpp).
template <copy_use Use>
bool is_worth_bulk(size_t size, u64 threads) noexcept {
  if constexpr (Use == copy_use::by_agent) return size >= gpu::tuning::bulk_copy_bytes_always();
  else if constexpr (Use == copy_use::with_barrier)
    return size >= gpu::tuning::bulk_copy_bytes_always() || size >= threads * gpu::tuning::bulk_copy_bytes_of_thread();
  else
    return size >= gpu::tuning::bulk_copy_bytes_of_thread() &&
           size > threads * gpu::tuning::bulk_copy_bytes_of_producer();
}

/// Begins a copy. All threads of the group call it.
template <size_t OfAddresses, size_t OfSize, copy_use Use, copy_promise Promise, class Group>
copy_way begin_copy(Group const& group, char* to, char const* from, size_t size, copy_barrier barrier) noexcept {
  bool const bulk = gpu::has_bulk_copy() && size >= gpu::tuning::bulk_copy_bytes() &&
                    addresses_aligned<OfAddresses>(to, from, 16) && (OfSize >= 16 || size % 16 == 0);
  auto const fence = [] {
    if constexpr (!promises_fence<Promise>) gpu::bulk_copy::fence();
  };
  if (gpu::is_shared(to)) {
    if (gpu::has_async_copy() && gpu::is_global(from)) {
      if (bulk && barrier.is_there && is_worth_bulk<Use>(size, group.size())) {
        if (group.thread_rank() == 0) {
          fence();
          gpu::bulk_copy::to_shared(to, from, u32(size), barrier.mbarrier);
          gpu::shared_barrier::expect_bytes(barrier.mbarrier, u32(size));
        }
        return copy_way::awaited;
      }
      if (copy_by_units<OfAddresses, OfSize>(group, to, from, size)) {
        if (!barrier.is_there) return copy_way::units;
        arrive_with_units(barrier.mbarrier);
        return copy_way::awaited;
      }
    }
  } else if (bulk && gpu::is_shared(from) && gpu::is_global(to)) {
    if (group.thread_rank() == 0) {
      fence();
      gpu::bulk_copy::to_global(to, from, u32(size));
    }
    return copy_way::bulk_to_global;
  }
  copy_plainly<OfAddresses, OfSize>(group, to, from, size);
  return copy_way::plain;
}

/// Begins a copy of `valid` bytes, which writes zeros from there to `size`. All threads of the group call it.
template <size_t Alignment, class Group>
copy_way begin_filled_copy(Group const& group, char* to, char const* from, size_t size, size_t valid,
                           copy_barrier barrier) noexcept {
  constexpr size_t unit = Alignment < 16 ? Alignment : 16;
  auto const each = [&](auto copy) {
    for (size_t i = group.thread_rank() * unit; i < size; i += group.size() * unit)
      copy(to + i, from + i, u32(i >= valid ? 0 : valid - i < unit ? valid - i : unit));
  };
  if (gpu::is_shared(to) && gpu::has_async_copy() && gpu::is_global(from)) {
    each([](char* t, char const* f, u32 there) { gpu::async_copy::begin_filled<unit>(t, f, there); });
    if (!barrier.is_there) return copy_way::units;
    arrive_with_units(barrier.mbarrier);
    return copy_way::awaited;
  }
  each([&](char* t, char const* f, u32 there) {
    if (there == unit) __builtin_memcpy(__builtin_assume_aligned(t, unit), __builtin_assume_aligned(f, unit), unit);
    else
      for (u32 i = 0; i < unit; ++i) t[i] = i < there ? f[i] : char();
  });
  return copy_way::plain;
}

/// Block until this thread's copies are complete. The copies happen before what the thread does next, such as its
/// arrival at a barrier.
inline void wait_for_units() noexcept { gpu::async_copy::wait_all(); }
inline void wait_for_bulk_to_global() noexcept {
  gpu::bulk_copy::commit();
  gpu::bulk_copy::wait_group(0);
}

/// Closes the groups of the copies since the last commit: one group of cp.async and, if `bulk` is true, one group of
/// bulk copies. `bulk` says whether the thread has ever begun a bulk copy to global memory; until then it needs no bulk
/// groups. `bulk` never becomes false again, so from then on each commit closes one group of each kind. So a wait that
/// leaves the last n commits pending can leave the last n groups of each kind pending.
inline void commit_copies(bool bulk) noexcept {
  if (gpu::has_async_copy()) gpu::async_copy::commit();
  if (gpu::has_bulk_copy() && bulk) gpu::bulk_copy::commit();
}
/// Blocks until at most `pending` of this thread's groups are incomplete.
inline void wait_for_copies(u32 pending, bool bulk) noexcept {
  if (gpu::has_async_copy()) gpu::async_copy::wait_group(pending);
  if (gpu::has_bulk_copy() && bulk) gpu::bulk_copy::wait_group(pending);
}
/// As arrive_with_units, for all copies of this thread. Blocks until the copies that the barrier cannot await are
/// complete.
inline void bind_copies(copy_barrier barrier) noexcept {
  if (gpu::has_async_copy()) barrier.is_there ? arrive_with_units(barrier.mbarrier) : wait_for_units();
  if (gpu::has_bulk_copy()) wait_for_bulk_to_global();
}

/// Returns whether a size is negative. Such a size was computed wrongly: converted to size_t, it would be so large that
/// the copy would not end.
template <class Size>
constexpr bool negative(Size size) noexcept {
  if constexpr (__is_integral(Size)) return size < Size();
  else return false;
}

/// Checks what a copy of `size` bytes requires of its arguments, of which it reads `valid`: addresses that are
/// multiples of `alignment`, and no overlap.
inline void ensure_copy([[maybe_unused]] void* to, [[maybe_unused]] void const* from, [[maybe_unused]] size_t size,
                        [[maybe_unused]] size_t alignment, [[maybe_unused]] size_t valid) noexcept {
  CUDAX_ENSURE(((checked_address(to) | checked_address(from)) & (alignment - 1)) == 0,
               "memcpy_async: an address is no multiple of %lld, the alignment of its type or of aligned_size_t",
               (long long)alignment);
  CUDAX_ENSURE(valid == 0 || (checked_address(to) - checked_address(from) >= valid &&
                              checked_address(from) - checked_address(to) >= size),
               "memcpy_async: source and target overlap: the target begins %lld bytes after the source",
               (long long)(checked_address(to) - checked_address(from)));
}

inline void ensure_copy(void* to, void const* from, size_t size, size_t alignment) noexcept {
  ensure_copy(to, from, size, alignment, size);
}

/// Begins a copy. The addresses have the alignment of the type that they point to, or the alignment that the size
/// promises, whichever is larger.
template <copy_use Use, copy_promise Promise, class T, class Size>
copy_way begin_copy_of(auto const& group, T* to, T const* from, Size size, copy_barrier barrier) noexcept {
  constexpr size_t of_size = promised_alignment<Size>;
  constexpr size_t of_addresses = [] {
    if constexpr (__is_void(T)) {
      return of_size;
    } else {
      static_assert(__is_trivially_copyable(T),
                    "cudax.sync: memcpy_async: the objects are not trivially copyable; copy them one by one");
      return alignof(T) > of_size ? alignof(T) : of_size;
    }
  }();
  CUDAX_ENSURE(!negative(size), "memcpy_async: the size %lld is negative", (long long)size);
  if constexpr (requires { size.valid; }) {
    ensure_copy(to, from, size.value, of_addresses, size.valid);
    return begin_filled_copy<of_size>(group, (char*)to, (char const*)from, size.value, size.valid, barrier);
  } else {
    ensure_copy(to, from, size, of_addresses);
    return begin_copy<of_addresses, of_size, Use, Promise>(group, (char*)to, (char const*)from, size_t(size), barrier);
  }
}

} // namespace cudax::copy_detail

CUDAX_EVERYWHERE_END
