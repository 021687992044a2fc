// SPDX-License-Identifier: Apache-2.0
//
// lanes: kernels in which lanes of one warp wait for each other and then reach a place where the compiler converges the
// warp. ptxas may converge it earlier, above the operation that a lane waits for (arch/README.md, "Lanes that wait for
// each other"); then the kernel never ends. Include after standard headers and `import cudax.sync;`.
#pragma once

#include "cases.hpp"

#include <cuda_runtime.h>

namespace lanes {

using cudax::thread_scope;

// --- where the objects are ---

struct in_shared {
  static constexpr thread_scope scope = cudax::thread_scope_block;
  static constexpr char const* name = "shared.block";
  template <class Object> static __device__ Object* at(memory*) {
    __shared__ alignas(16) unsigned char objects[sizeof(Object) * most_objects];
    return reinterpret_cast<Object*>(objects);
  }
};
template <thread_scope Scope> struct in_global {
  static constexpr thread_scope scope = Scope;
  static constexpr char const* name = Scope == cudax::thread_scope_device ? "global.device" : "global.system";
  template <class Object> static __device__ Object* at(memory* m) {
    static_assert(sizeof(Object) * most_objects <= sizeof m->objects);
    return reinterpret_cast<Object*>(m->objects);
  }
};
using global_device = in_global<cudax::thread_scope_device>;
using global_system = in_global<cudax::thread_scope_system>;

// --- what comes after ---

using block_barrier = cudax::barrier<cudax::thread_scope_block>;

/// `arrivals`: how many the barrier of the block counts.
struct each_thread {
  static __device__ unsigned arrivals() { return blockDim.x; }
};
struct nothing : each_thread {
  static constexpr char const* name = "nothing";
  static __device__ void meet(block_barrier&) {}
};
struct syncthreads : each_thread {
  static constexpr char const* name = "syncthreads";
  static __device__ void meet(block_barrier&) { __syncthreads(); }
};
struct block_sync : each_thread {
  static constexpr char const* name = "block_sync";
  static __device__ void meet(block_barrier&) { cudax::this_block.sync(); }
};
struct cluster_sync : each_thread {
  static constexpr char const* name = "cluster_sync";
  static __device__ void meet(block_barrier&) { cudax::this_cluster.sync(); }
};
struct barrier_wait : each_thread {
  static constexpr char const* name = "barrier_wait";
  static __device__ void meet(block_barrier& b) { b.arrive_and_wait(); }
};
struct barrier_group {
  static constexpr char const* name = "barrier_group";
  static __device__ unsigned arrivals() { return 1; } // one for the group
  static __device__ void meet(block_barrier& b) { b.arrive_and_wait(cudax::this_block); }
};
struct syncwarp : each_thread {
  static constexpr char const* name = "syncwarp";
  static __device__ void meet(block_barrier&) { __syncwarp(); }
};
struct shuffle : each_thread { // its mask is not known at compile time: the last warp may be smaller
  static constexpr char const* name = "shuffle";
  static __device__ void meet(block_barrier&) {
    unsigned const first = threadIdx.x & ~31u, lanes = blockDim.x - first;
    unsigned const mask = lanes >= 32 ? ~0u : (1u << lanes) - 1;
    if (__shfl_sync(mask, threadIdx.x, 0) != first) __trap();
  }
};
struct vote : each_thread { // its mask is known
  static constexpr char const* name = "vote";
  static __device__ void meet(block_barrier&) {
    if (!__any_sync(~0u, 1)) __trap();
  }
};

// --- kernels ---

/// Makes the objects of a launch, and a barrier of the block.
template <class Subject, class Place, class After> __device__ auto* begin(memory* m, unsigned objects,
                                                                          block_barrier& b) {
  using object = typename Subject::template object<Place::scope>;
  object* const all = Place::template at<object>(m);
  if (threadIdx.x == 0) {
    for (unsigned i = 0; i < most_objects && i <= objects; ++i) Subject::make(all[i]);
    init(&b, After::arrivals());
  }
  __syncthreads();
  return all;
}

/// Every way to write the critical sections has a kernel: a member `run` of a type in namespace `ways`.
template <class Way, class Subject, class Place, class After> __global__ void kernel(memory* m, unsigned objects) {
  __shared__ alignas(block_barrier) unsigned char bytes[sizeof(block_barrier)];
  auto& b = reinterpret_cast<block_barrier&>(bytes);
  auto* const all = begin<Subject, Place, After>(m, objects, b);
  if (!Way::template run<Subject, After>(all, m->counts, objects, b)) return;
  After::meet(b);
}

template <class... T> struct list {};

/// Adds the kernels of all combinations.
template <class Way, class... Subject, class... Place, class... After>
void add(list<Subject...>, list<Place...>, list<After...>, unsigned threads, unsigned objects) {
  auto const one = [=]<class S, class P, class A>(list<S, P, A>) {
    all_cases().push_back({std::string(S::name) + "." + Way::name + "." + P::name + "." + A::name + "." +
                               std::to_string(threads) + "x" + std::to_string(objects),
                           kernel<Way, S, P, A>, threads, objects, Way::visits});
  };
  auto const places = [=]<class S, class P>(list<S, P>) { (one(list<S, P, After>()), ...); };
  auto const subjects = [=]<class S>(list<S>) { (places(list<S, Place>()), ...); };
  (subjects(list<Subject>()), ...);
}

/// Where and after what: everything, or for a build without a GPU what the emulator tells apart.
#if defined(CUDAX_LANES_ALL)
using all_places = list<in_shared, global_device, global_system>;
using all_meetings =
    list<nothing, syncthreads, block_sync, cluster_sync, barrier_wait, barrier_group, syncwarp, shuffle, vote>;
#else
using all_places = list<global_device>;
using all_meetings = list<syncthreads>;
#endif

} // namespace lanes
