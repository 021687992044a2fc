// SPDX-License-Identifier: Apache-2.0
//
// ways: how a kernel uses its subject before it comes to the place where its warps converge. The first loops are over
// all lanes of the block at once: no lane knows whether its neighbours hold what it waits for.
#pragma once

#include "lanes.hpp"

namespace lanes::ways {

// --- locks: Subject has lock(object) and unlock(object) ---

struct straight {
  static constexpr char const* name = "straight";
  static constexpr unsigned visits = 1;
  template <class Subject, class After>
  static __device__ bool run(auto* all, unsigned* counts, unsigned objects, block_barrier&) {
    unsigned const mine = threadIdx.x % objects;
    Subject::lock(all[mine]);
    ++counts[mine];
    Subject::unlock(all[mine]);
    return true;
  }
};

/// A loop around it all, the place included.
struct repeated {
  static constexpr char const* name = "repeated";
  static constexpr unsigned visits = rounds;
  template <class Subject, class After>
  static __device__ bool run(auto* all, unsigned* counts, unsigned objects, block_barrier& b) {
    for (unsigned round = 0; round < rounds; ++round) {
      straight::run<Subject, After>(all, counts, objects, b);
      if (round + 1 < rounds) After::meet(b);
    }
    return true;
  }
};

/// A loop around the critical section alone.
struct inner_loop {
  static constexpr char const* name = "inner_loop";
  static constexpr unsigned visits = rounds;
  template <class Subject, class After>
  static __device__ bool run(auto* all, unsigned* counts, unsigned objects, block_barrier& b) {
    for (unsigned round = 0; round < rounds; ++round) straight::run<Subject, After>(all, counts, objects, b);
    return true;
  }
};

/// Some threads leave first. Not for places that need every thread of a block or of a warp.
struct early_exit {
  static constexpr char const* name = "early_exit";
  static constexpr unsigned visits = 1;
  template <class Subject, class After>
  static __device__ bool run(auto* all, unsigned* counts, unsigned objects, block_barrier& b) {
    if (threadIdx.x % 5 == 3) {
      cudax::atomic_ref<unsigned, cudax::thread_scope_block>(counts[most_objects / 2])
          .fetch_add(1, cudax::memory_order_relaxed); // apart from what the lock protects
      b.arrive_and_drop();
      return false;
    }
    straight::run<Subject, After>(all, counts, objects, b);
    return true;
  }
};

/// Two critical sections in the branches of a condition.
struct branch {
  static constexpr char const* name = "branch";
  static constexpr unsigned visits = 1;
  template <class Subject, class After>
  static __device__ bool run(auto* all, unsigned* counts, unsigned objects, block_barrier&) {
    unsigned const mine = threadIdx.x % objects;
    if (threadIdx.x % 3) {
      Subject::lock(all[mine]);
      ++counts[mine];
      Subject::unlock(all[mine]);
    } else {
      unsigned const other = (mine + 1) % objects;
      Subject::lock(all[other]);
      counts[other] = counts[other] * 2 + 1 - counts[other];
      Subject::unlock(all[other]);
    }
    return true;
  }
};

/// A condition in the critical section, and one after it.
struct conditions {
  static constexpr char const* name = "conditions";
  static constexpr unsigned visits = 1;
  template <class Subject, class After>
  static __device__ bool run(auto* all, unsigned* counts, unsigned objects, block_barrier&) {
    unsigned const mine = threadIdx.x % objects;
    Subject::lock(all[mine]);
    if (unsigned const count = counts[mine]; count % 2) counts[mine] = count + 1;
    else counts[mine] = (count | 1);
    Subject::unlock(all[mine]);
    if (threadIdx.x == 5) counts[most_objects - 1] = 0; // of no object: a store that ptxas makes conditional
    return true;
  }
};

/// Two locks at a time, always in the same order. With one object this is one lock.
struct two_held {
  static constexpr char const* name = "two_held";
  static constexpr unsigned visits = 1;
  template <class Subject, class After>
  static __device__ bool run(auto* all, unsigned* counts, unsigned objects, block_barrier&) {
    unsigned const first = threadIdx.x % objects, second = first + 1; // there is one object more
    Subject::lock(all[first]);
    Subject::lock(all[second]);
    ++counts[first];
    Subject::unlock(all[second]);
    Subject::unlock(all[first]);
    return true;
  }
};

// --- flags that a thread waits for and then raises for the next: Subject has await(object) and pass(object) ---

template <bool Reversed> struct chain_in_order {
  static constexpr char const* name = Reversed ? "reversed" : "chain";
  static constexpr unsigned visits = 1;
  template <class Subject, class After>
  static __device__ bool run(auto* all, unsigned* counts, unsigned objects, block_barrier&) {
    unsigned const rank = Reversed ? blockDim.x - 1 - threadIdx.x : threadIdx.x;
    if (rank != 0) Subject::await(all[rank]);
    ++counts[rank % objects];
    Subject::pass(all[(rank + 1) % blockDim.x]);
    return true;
  }
};
using chain = chain_in_order<false>;
using reversed = chain_in_order<true>;

/// All wait for the first lane, or for the last one, which does not.
template <bool Reversed> struct all_wait {
  static constexpr char const* name = Reversed ? "last_raises" : "first_raises";
  static constexpr unsigned visits = 1;
  template <class Subject, class After>
  static __device__ bool run(auto* all, unsigned* counts, unsigned objects, block_barrier&) {
    unsigned const rank = Reversed ? blockDim.x - 1 - threadIdx.x : threadIdx.x;
    if (rank == 0) Subject::pass(all[0]);
    if (rank != 0) Subject::await(all[0]);
    ++counts[threadIdx.x % objects];
    return true;
  }
};
using first_raises = all_wait<false>;
using last_raises = all_wait<true>;

// --- operations in which lanes wait for each other: Subject has run(object, count, rank) ---

struct operation {
  static constexpr char const* name = "operation";
  static constexpr unsigned visits = 1;
  template <class Subject, class After>
  static __device__ bool run(auto* all, unsigned* counts, unsigned objects, block_barrier&) {
    unsigned const mine = threadIdx.x % objects;
    Subject::run(all[mine], counts[mine], threadIdx.x);
    return true;
  }
};

} // namespace lanes::ways
