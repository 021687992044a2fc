// SPDX-License-Identifier: Apache-2.0
//
// copy_ways: how a copy is made, and what reports its completion.  PTX ISA, "Data Movement and Conversion Instructions:
// Asynchronous copy"
//
//   from global to shared memory
//     sm_90, where the copy has an mbarrier: one thread begins a bulk copy         -> the mbarrier's bytes
//     sm_80: each thread begins a cp.async for its units                           -> the thread's own groups
//   from shared to global memory
//     sm_90: one thread begins a bulk copy                                         -> the thread's own bulk groups
//   anywhere else: loads and stores (copy_plain.cppm)                              -> nothing to wait for
//
// The state spaces are queried at run time. The queries fold where the compiler knows the spaces, and so do those for
// the SM. On the host they are false, and the copy is plain.
//
// Proxies. Bulk copies access memory through the asynchronous proxy. The program's own accesses to the same memory,
// and the initialization of the mbarrier, use the generic proxy, so a proxy fence must lie between them and the copy.
// The fence stands directly before the copy, in the thread that begins it. Other threads' accesses are ordered before
// this thread's by a barrier or the like, which a copy by plain accesses would need as well, and the fence follows
// that barrier. There is one fence for each space: one side of the copy and the mbarrier are in shared memory, the
// other side is in global memory. After the copy no fence is needed: the completion of a bulk copy includes a proxy
// fence, and the wait for the mbarrier's phase or for the bulk group comes after it. cp.async belongs to the generic
// proxy.
//
// Bytes. A phase of an mbarrier ends when neither an arrival nor a byte is pending. The thread that begins the copy
// announces its bytes first, while its own arrival is still pending. So the phase can end neither before the copy
// begins nor before it is complete. A phase can await 2^20 - 1 bytes; the copies that it awaits fill different places
// of one block's shared memory, which is smaller. For the same reason the additional arrivals of cp.async
// (arrive_with_units) fit: only a thread that began a unit makes one, and there is no room for 2^16 units.
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

CUDAX_EVERYWHERE_BEGIN

namespace cudax::machine {

/// What is still pending after a copy has begun.
enum class copy_way {
  plain,         // nothing
  units,         // cp.async of this thread
  others_units,  // cp.async of other threads of the group, none of this one
  bytes,         // the mbarrier's bytes
  bulk_to_global // bulk copies of this thread, not committed
};

/// The mbarrier that can await a copy. Whether there is one follows from the object's state space, which folds; a
/// comparison of its address with null would not.
struct copy_barrier {
  void* mbarrier;
  bool is_there;
};
template <class Barrier>
copy_barrier barrier_of(Barrier& barrier) noexcept {
  return {barrier_access::word(barrier), barrier_access::in_hardware(barrier)};
}
inline copy_barrier no_barrier() noexcept { return {nullptr, false}; }

/// Returns false where the copy is smaller than the smallest unit, or the addresses are not aligned to one. Otherwise
/// sets `begun` to whether this thread began a unit.
template <size_t OfAddresses, size_t OfSize, class Group>
bool copy_by_units(Group const& group, char* to, char const* from, size_t size, bool& begun) noexcept {
  auto const by = [&]<size_t Unit>() {
    if (size < Unit || !addresses_aligned<OfAddresses>(to, from, Unit)) return false;
    size_t const whole = size / Unit * Unit;
    size_t const first = group.thread_rank() * Unit;
    begun = first < whole;
    for (size_t i = first; i < whole; i += group.size() * Unit) gpu::async_copy::begin<Unit>(to + i, from + i);
    if constexpr (OfSize < Unit) copy_rest(group, to, from, whole, size);
    return true;
  };
  return by.template operator()<16>() || by.template operator()<8>() || by.template operator()<4>();
}

/// Begins a copy by all threads of the group. The thresholds are measured (arch/sm_70/tuning.hpp).
template <size_t OfAddresses, size_t OfSize, class Group>
copy_way begin_copy(Group const& group, char* to, char const* from, size_t size, copy_barrier barrier) noexcept {
  bool const bulk = gpu::has_bulk_copy() && size >= gpu::tuning::bulk_copy_bytes() &&
                    addresses_aligned<OfAddresses>(to, from, 16) && (OfSize >= 16 || size % 16 == 0);
  if (gpu::is_shared(to)) {
    if (gpu::has_async_copy() && gpu::is_global(from)) {
      if (bulk && barrier.is_there &&
          (size >= gpu::tuning::bulk_copy_bytes_always() ||
           size >= group.size() * gpu::tuning::bulk_copy_bytes_of_thread())) {
        if (group.thread_rank() == 0) {
          gpu::shared_barrier::expect_bytes(barrier.mbarrier, u32(size));
          gpu::bulk_copy::fence();
          gpu::bulk_copy::to_shared(to, from, u32(size), barrier.mbarrier);
        }
        return copy_way::bytes;
      }
      bool begun = false;
      if (copy_by_units<OfAddresses, OfSize>(group, to, from, size, begun))
        return begun ? copy_way::units : copy_way::others_units;
    }
  } else if (bulk && gpu::is_shared(from) && gpu::is_global(to)) {
    if (group.thread_rank() == 0) {
      gpu::bulk_copy::fence();
      gpu::bulk_copy::to_global(to, from, u32(size));
    }
    return copy_way::bulk_to_global;
  }
  copy_plainly<OfAddresses, OfSize>(group, to, from, size);
  return copy_way::plain;
}

/// Block until this thread's copies are complete: they happen before what it does next, such as its arrival at a
/// barrier.
inline void wait_for_units() noexcept { gpu::async_copy::wait_all(); }
inline void wait_for_bulk_to_global() noexcept {
  gpu::bulk_copy::commit();
  gpu::bulk_copy::wait_group(0);
}

/// Makes the phase of the mbarrier end only when this thread's units are complete. The units make an arrival in
/// addition to those that the phase awaits. It is added to them now, while the thread's own arrival is pending. It
/// orders the units alone: what the thread copied by stores is released by the thread's own arrival.
inline void arrive_with_units(void* mbarrier) noexcept { gpu::async_copy::arrive_additional(mbarrier); }

/// Makes a group of the copies since the last commit. `bulk` is whether the thread has ever begun a bulk copy to
/// global memory: before the first one, groups of them are not needed. `bulk` never returns to false, so the last
/// groups, which a wait leaves pending, are the last ones of both kinds.
inline void commit_copies(bool bulk) noexcept {
  if (gpu::has_async_copy()) gpu::async_copy::commit();
  if (gpu::has_bulk_copy() && bulk) gpu::bulk_copy::commit();
}
/// Blocks until at most `pending` of this thread's groups are incomplete.
inline void wait_for_copies(u32 pending, bool bulk) noexcept {
  if (gpu::has_async_copy()) gpu::async_copy::wait_group(pending);
  if (gpu::has_bulk_copy() && bulk) gpu::bulk_copy::wait_group(pending);
}
/// As arrive_with_units, for all copies of this thread. Blocks for copies that no barrier can await.
inline void bind_copies(copy_barrier barrier) noexcept {
  if (gpu::has_async_copy()) barrier.is_there ? arrive_with_units(barrier.mbarrier) : wait_for_units();
  if (gpu::has_bulk_copy()) wait_for_bulk_to_global();
}

/// Returns whether a size was computed wrongly: a copy of that many bytes would not end.
template <class Size>
constexpr bool negative(Size size) noexcept {
  if constexpr (__is_integral(Size)) return size < Size();
  else return false;
}

/// Checks what a copy requires of its arguments: `alignment` of its addresses, and no overlap.
inline void ensure_copy([[maybe_unused]] void* to, [[maybe_unused]] void const* from, [[maybe_unused]] size_t size,
                        [[maybe_unused]] size_t alignment) noexcept {
  CUDAX_ENSURE(((checked_address(to) | checked_address(from)) & (alignment - 1)) == 0,
               "memcpy_async: an address is no multiple of %lld, the alignment of its type or of aligned_size_t",
               (long long)alignment);
  CUDAX_ENSURE(checked_address(to) - checked_address(from) >= size &&
                   checked_address(from) - checked_address(to) >= size,
               "memcpy_async: source and target overlap: the target begins %lld bytes after the source",
               (long long)(checked_address(to) - checked_address(from)));
}

/// Begins a copy. Addresses promise the alignment of what they point to, or what the size promises.
template <class T, class Size>
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
  ensure_copy(to, from, size, of_addresses);
  return begin_copy<of_addresses, of_size>(group, (char*)to, (char const*)from, size_t(size), barrier);
}

} // namespace cudax::machine

CUDAX_EVERYWHERE_END
