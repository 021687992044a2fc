// SPDX-License-Identifier: Apache-2.0
//
// named_barrier: the barriers 1 to 15 of a block, at which chosen warps meet.
// A block has 16 barriers in hardware. Barrier 0 is that of this_block.sync() and of __syncthreads; this library uses
// no other one by itself. An id is a template argument, or comes from a range of ids that a template argument reserves,
// so that a program can see which code uses which barrier. The counts are of warps: an arrival of a warp counts 32
// threads, whichever lanes exist. The instructions are not .aligned, because lanes may come from different calls; each
// waits for the other lanes of its warp. Where ptxas knows that the warp is together, both forms become the same
// machine code (13.0, sm_90): BAR.SYNC.DEFER_BLOCKING, BAR.ARV. PTX ISA, "barrier"
module;
#include "../base/macros.hpp"
export module cudax.sync:named_barrier;
import :bits;
import :device_group;
import :machine;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::thread_detail {

constexpr bool is_named_barrier_count(int threads) { return threads >= 32 && threads <= 1024 && threads % 32 == 0; }

#define CUDAX_REFUSE_COUNT(name)                                                                                       \
  CUDAX_REFUSE(!thread_detail::is_named_barrier_count(threads),                                                        \
               name ": the count of threads must be a multiple of 32 from 32 to 1024")
#define CUDAX_ENSURE_COUNT(name)                                                                                       \
  CUDAX_ENSURE(is_named_barrier_count(threads), name ": %lld threads; use a multiple of 32 from 32 to 1024", threads)

/// A barrier whose id is known at run time; from named_barrier_ids<First, Count>::at().
class named_barrier_at {
public:
  /// As of named_barrier.
  inline void arrive() const noexcept { machine::gpu::arrive_named(id_, threads_); }
  inline void sync() const noexcept { machine::gpu::sync_named(id_, threads_); }
  inline void arrive_and_wait() const noexcept { sync(); }
  inline void arrive_aligned() const noexcept { machine::gpu::arrive_named(id_, threads_, true); }
  inline void sync_aligned() const noexcept { machine::gpu::sync_named(id_, threads_, true); }
  inline int sync_count(bool predicate) const noexcept {
    return int(machine::gpu::reduce_named(id_, threads_, predicate, machine::gpu::predicates::count));
  }
  inline bool sync_and(bool predicate) const noexcept {
    return machine::gpu::reduce_named(id_, threads_, predicate, machine::gpu::predicates::all) != 0;
  }
  inline bool sync_or(bool predicate) const noexcept {
    return machine::gpu::reduce_named(id_, threads_, predicate, machine::gpu::predicates::any) != 0;
  }

  /// Returns the id of the barrier, and how many threads complete a phase.
  constexpr int id() const noexcept { return int(id_); }
  constexpr int threads() const noexcept { return int(threads_); }

  inline named_barrier_at(u32 id, int threads) noexcept : id_(id), threads_(u32(threads)) {
    CUDAX_ENSURE_COUNT("named_barrier_ids::at");
  }

private:
  u32 id_, threads_;
};

} // namespace cudax::thread_detail

export namespace cudax {

/// The barrier `Id` of the block, for some of the block's warps. A phase completes when `threads` threads have arrived;
/// then the next phase begins. A thread that only produces calls arrive(); a thread that needs the others' data calls
/// sync(). The object holds the count only: every copy with the same id is the same barrier.
/// On the host the block is the calling thread, and the calls do nothing.
/// Source:   extension; PTX ISA, "barrier"
/// Units:    `threads` is the sum over all warps that arrive or sync in a phase
/// Scope:    block
/// Requires: all lanes of a warp that takes part call, because arrivals count by warp. All calls of a phase name the
///           same count. Code that runs at the same time in the block uses other ids
/// Example:
///     __global__ void pass(int const* in, int* out) { // 64 threads: warp 0 produces, warp 1 consumes
///       __shared__ int stage[32];
///       cudax::named_barrier<1> full(64);
///       unsigned const lane = threadIdx.x % 32;
///       if (threadIdx.x < 32) stage[lane] = in[lane], full.arrive();
///       else full.sync(), out[lane] = stage[lane];
///     }
template <int Id>
class named_barrier {
  static_assert(Id >= 1 && Id <= 15, "cudax.sync: named_barrier<Id>: the id must be from 1 to 15; 0 is the barrier of "
                                     "this_block.sync() and __syncthreads");

public:
  /// The id of the barrier in its block.
  static constexpr int id = Id;

  /// Names the barrier, and how many threads complete a phase. Touches no memory and no hardware.
  /// Errors:   a count that is not a multiple of 32 from 32 to 1024 is rejected; at run time only in checked builds
  explicit named_barrier(int threads) noexcept CUDAX_REFUSE_COUNT("named_barrier") : threads_(threads) {
    using namespace thread_detail;
    CUDAX_ENSURE_COUNT("named_barrier");
  }

  /// Arrives, and does not wait for other warps.
  /// Source:   PTX ISA, "barrier", barrier.arrive
  /// Order:    release at block scope: what precedes the call happens before what follows a sync() of the same phase.
  ///           Acquires nothing (PTX ISA, "Memory Consistency Model", "Synchronizes")
  /// Requires: as of the class. The warp arrives again only after a sync() that shows that the phase is complete
  void arrive() const noexcept { machine::gpu::arrive_named(Id, u32(threads_)); }

  /// Arrives, and blocks until the phase is complete. The two names mean the same.
  /// Source:   PTX ISA, "barrier", barrier.sync
  /// Order:    acquire and release at block scope: what precedes each arrive() and sync() of the phase, in any thread,
  ///           happens before what follows the call (PTX ISA, "Memory Consistency Model", "Synchronizes")
  /// Requires: as of the class
  void sync() const noexcept { machine::gpu::sync_named(Id, u32(threads_)); }
  void arrive_and_wait() const noexcept { sync(); }

  /// As arrive() and sync(), for a warp of which all 32 lanes make this very call. ptxas may use that: the code after
  /// the call need not bring the lanes together.
  /// Source:   PTX ISA, "barrier", barrier.arrive.aligned and barrier.sync.aligned
  /// Requires: as arrive() and sync(), and no lane of the warp has exited or comes from another call
  void arrive_aligned() const noexcept { machine::gpu::arrive_named(Id, u32(threads_), true); }
  void sync_aligned() const noexcept { machine::gpu::sync_named(Id, u32(threads_), true); }

  /// As sync(), and return to each thread the number of threads of the phase whose predicate is true, whether all of
  /// them are, or whether any is.
  /// Source:   PTX ISA, "barrier", barrier.red.popc, .and, .or; __syncthreads_count, __syncthreads_and, __syncthreads_or
  /// Requires: as sync(); all threads of the phase call the same function, and none calls arrive()
  int sync_count(bool predicate) const noexcept { return at().sync_count(predicate); }
  bool sync_and(bool predicate) const noexcept { return at().sync_and(predicate); }
  bool sync_or(bool predicate) const noexcept { return at().sync_or(predicate); }

  /// Returns how many threads complete a phase.
  constexpr int threads() const noexcept { return threads_; }

private:
  thread_detail::named_barrier_at at() const noexcept { return {u32(Id), threads_}; }

  int threads_;
};

/// The ids `First` to `First + Count - 1` of a block's barriers. A library takes such a range as a template parameter,
/// so that its caller decides which barriers the library uses.
/// Source:   extension
/// Example:
///     template <class Ids>
///     __device__ void library_function() { // uses two barriers
///       typename Ids::template barrier<0>(64).sync();
///       typename Ids::template barrier<1>(64).sync();
///     }
///     __global__ void kernel() { library_function<cudax::named_barrier_ids<3, 2>>(); } // 64 threads
template <int First, int Count>
class named_barrier_ids {
  static_assert(First >= 1 && Count >= 1 && First <= 15 && Count <= 16 - First,
                "cudax.sync: named_barrier_ids<First, Count>: the ids must be from 1 to 15, and at least one; 0 is the "
                "barrier of this_block.sync() and __syncthreads");

  template <int I, int N>
  static constexpr int checked() {
    static_assert(I >= 0 && N >= 1 && I < Count && N <= Count - I,
                  "cudax.sync: named_barrier_ids<First, Count>: the range has fewer ids; reserve a larger range");
    return First + I;
  }

public:
  /// The number of ids.
  static constexpr int size = Count;

  /// The id of the barrier with index I in the range. An index from size on does not compile.
  template <int I>
  static constexpr int id = checked<I, 1>();

  /// That barrier.
  template <int I>
  using barrier = named_barrier<checked<I, 1>()>;

  /// The N ids from index I on, for code that gets a part of the range.
  template <int I, int N>
  using part = named_barrier_ids<checked<I, N>(), N>;

  /// Returns the barrier with index `i`, for barriers in a loop or one for each group of warps. It has the members of
  /// a named_barrier, and id().
  /// Errors:   an index outside the range, and a count as in named_barrier, are rejected; at run time only in checked
  ///           builds
  static thread_detail::named_barrier_at at(int i, int threads) noexcept
      CUDAX_REFUSE(i < 0 || i >= Count, "named_barrier_ids::at: the index is outside the range; reserve a larger range")
          CUDAX_REFUSE_COUNT("named_barrier_ids::at") {
    using namespace thread_detail;
    CUDAX_ENSURE(i >= 0 && i < Count, "named_barrier_ids::at: index %lld is outside the range; reserve a larger range",
                 i);
    return {u32(First + i), threads};
  }
};

} // namespace cudax

#undef CUDAX_REFUSE_COUNT
#undef CUDAX_ENSURE_COUNT

CUDAX_EVERYWHERE_END
