// SPDX-License-Identifier: Apache-2.0
//
// synchronization: the counterpart of library.hpp for barriers, locks and copies. A feature that only one library has
// is compared with what a user of the other would write.
#pragma once

#include "library.hpp"

#include <cooperative_groups.h>

#if defined(CUDAX_BENCH_LIBCUXX) || defined(CUDAX_BENCH_NVCC)
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#endif

namespace CUDAX_BENCH_SIDE {

inline constexpr auto device_scope = library::thread_scope_device;
inline constexpr auto block_scope = library::thread_scope_block;

// --- how a thread takes part in a phase of a barrier, or in a latch --------------------------------------------------

/// Each thread arrives and waits.
struct each_thread {
#if defined(CUDAX_BENCH_NO_LIBRARY)
  static constexpr bool exists = false;
#else
  static constexpr bool exists = true;
#endif
  __host__ __device__ static constexpr unsigned arrivals(unsigned, unsigned threads_per_block) {
    return threads_per_block;
  }
  template <class Object>
  __device__ static void meet(Object& object) {
    object.arrive_and_wait();
  }
};

#if defined(CUDAX_BENCH_CUDAX)

/// A block arrives and waits as one; libcu++ has no such call.
struct whole_block {
  static constexpr bool exists = true;
  __host__ __device__ static constexpr unsigned arrivals(unsigned, unsigned) { return 1; }
  template <class Object>
  __device__ static void meet(Object& object) {
    object.arrive_and_wait(library::this_block);
  }
};
struct block_sync : whole_block {
  template <class Object>
  __device__ static void meet(Object&) {
    library::this_block.sync();
  }
};
struct grid_sync : whole_block {
  template <class Object>
  __device__ static void meet(Object&) {
    library::this_grid.sync();
  }
};

using fair_lock = library::fair_semaphore<device_scope>;
using plain_lock = library::mutex<device_scope>;
using ticket_lock = library::ticket_mutex<device_scope>;

/// The part of a block in a lock that the threads of a block pass on to each other; libcu++ has no such lock.
using cohort_part = library::cohort_mutex<ticket_lock>;
__device__ inline void make_part(cohort_part& part, ticket_lock& lock) { library::init(&part, lock); }

__device__ inline auto block_group() { return library::this_block; }

/// What a block executes before it copies to shared memory that its threads have read. memcpy_async includes the proxy
/// fence.
__device__ inline void before_copy() {}

/// The same where the program executes the proxy fence, and the arguments by which memcpy_async leaves it out.
__device__ inline void before_fenced_copies() {
  if (threadIdx.x == 0) library::fence_proxy_async_shared();
}
template <class Group, class Target, class Source, class Size, class Barrier>
__device__ void copy_fenced(Group const& group, Target* to, Source const* from, Size size, Barrier& barrier) {
  library::memcpy_async(group, to, from, size, barrier, library::proxy_fenced);
}

#elif defined(CUDAX_BENCH_CUDA)

struct whole_block : each_thread {
  static constexpr bool exists = true;
  template <class Object>
  __device__ static void meet(Object&) {
    if constexpr (Object::scope == block_scope) __syncthreads();
    else cooperative_groups::this_grid().sync();
  }
};
using block_sync = whole_block;
using grid_sync = whole_block;

#elif defined(CUDAX_BENCH_PTX)

struct whole_block : each_thread {
  static constexpr bool exists = true;
  __host__ __device__ static constexpr unsigned arrivals(unsigned, unsigned) { return 1; }
  template <class Object> __device__ static void meet(Object& object) { object.meet(); }
};
using grid_sync = whole_block;

#else

struct whole_block : each_thread {
  static constexpr bool exists = true;
};
struct block_sync : whole_block {
  template <class Object>
  __device__ static void meet(Object&) {
    cooperative_groups::this_thread_block().sync();
  }
};
struct grid_sync : whole_block {
  template <class Object>
  __device__ static void meet(Object&) {
    cooperative_groups::this_grid().sync();
  }
};

using fair_lock = library::binary_semaphore<device_scope>;
using plain_lock = library::binary_semaphore<device_scope>;
using ticket_lock = library::binary_semaphore<device_scope>;

struct cohort_part {
  ticket_lock* all;
  __device__ void acquire() { all->acquire(); }
  __device__ void release() { all->release(); }
};
__device__ inline void make_part(cohort_part& part, ticket_lock& lock) { part.all = &lock; }

__device__ inline auto block_group() { return cooperative_groups::this_thread_block(); }

/// libcu++'s memcpy_async with a barrier makes bulk copies without a proxy fence. Without the program's own fence,
/// copies overtake the reads of the tile before: in one of 22 runs on an H200 the row of 16 KiB had a wrong sum. With a
/// pipeline libcu++ uses cp.async, which needs no fence.
__device__ inline void before_copy() {
#if __CUDA_ARCH__ >= 900
  if (threadIdx.x == 0) asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
#endif
}
__device__ inline void before_fenced_copies() { before_copy(); }
template <class Group, class Target, class Source, class Size, class Barrier>
__device__ void copy_fenced(Group const& group, Target* to, Source const* from, Size size, Barrier& barrier) {
  library::memcpy_async(group, to, from, size, barrier);
}

#endif

// --- locks -----------------------------------------------------------------------------------------------------------

template <class Lock>
__device__ void take(Lock& lock) {
  if constexpr (requires { lock.lock(); }) lock.lock();
  else lock.acquire();
}
template <class Lock>
__device__ void give_back(Lock& lock) {
  if constexpr (requires { lock.unlock(); }) lock.unlock();
  else lock.release();
}

} // namespace CUDAX_BENCH_SIDE
