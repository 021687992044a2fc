// SPDX-License-Identifier: Apache-2.0
//
// cudax.sync: the units that `import cudax.sync;` exports, in the order of the standard.
export module cudax.sync;

export import :features;         // [version.syn]
export import :scope;            // PTX ISA, "Scope"
export import :order;            // [atomics.order]
export import :atomic_types;     // [atomics.alias], [atomics.lockfree]
export import :atomic_ref;       // [atomics.ref.generic]
export import :atomic;           // [atomics.types.generic]
export import :atomic_locked;    // [atomics.types.generic], the other sizes
export import :atomic_functions; // [atomics.nonmembers]
export import :atomic_flag;      // [atomics.flag]
export import :fence;            // [atomics.fences]
export import :contended_ref;    // extension of [atomics.ref.generic]: lanes combine their operations
export import :contended;        // extension of [atomics.types.generic]
export import :group_functions;  // extension: one operation for the threads of a group
export import :this_thread;      // [thread.thread.this]
export import :latch;            // [thread.latch]
export import :barrier;          // [thread.barrier]
export import :group;            // extension: threads that arrive together
export import :named_barrier;    // extension: barriers of some warps of a block
export import :ordered_turns;    // extension: groups of warps that take turns
export import :warp_group;       // extension: some warps of a block as a group
export import :registers;        // extension: registers that move between the warpgroups of a block
export import :semaphore;        // [thread.sema]
export import :fair_semaphore;   // extension of [thread.sema]
export import :stop_state;       // extension of [thread.stoptoken]
export import :stop_token;       // [thread.stoptoken]
export import :mutex;            // [thread.mutex]
export import :ticket_mutex;     // extension of [thread.mutex]
export import :cohort_mutex;     // extension of [thread.mutex]: lock cohorting
export import :shared_mutex;     // [thread.sharedmutex], [thread.sharedtimedmutex]
export import :lock_guard;       // [thread.lock.guard], [thread.lock.scoped], [thread.lock.algorithm]
export import :unique_lock;      // [thread.lock.unique], [thread.lock.shared]
export import :condition;        // [thread.condition.condvarany]
export import :once;             // [thread.once]
export import :aligned_size;     // libcu++, "Asynchronous operations": aligned_size_t
export import :proxy_fence;      // extension: fence_proxy_async, proxy_fenced
export import :cache_policy;     // extension: how the L2 cache treats what a bulk copy accesses
export import :memcpy_async;     // libcu++, memcpy_async
export import :barrier_native;   // libcu++, device::barrier_expect_tx and related functions
export import :barrier_cluster;  // extension: barriers that other blocks of the cluster use
export import :bulk_copies;      // extension: bulk copies from shared memory, to other blocks, into L2
export import :async_stores;     // extension: asynchronous reductions, and stores to other blocks
export import :tensor_map;       // extension: a tensor in global memory, and its tiles
export import :tensor_copies;    // extension: bulk copies of tiles of a tensor
export import :tensor_updates;   // extension: maps that a kernel makes
export import :store_pipeline;   // extension: tiles that bulk copies store to global memory
export import :pipeline_state;   // libcu++, pipeline_shared_state, pipeline_role
export import :stage_position;   // extension: where in the sequence of a pipeline's stages
export import :pipeline;         // libcu++, pipeline
export import :pipeline_thread;  // libcu++, pipeline<thread_scope_thread>
export import :pipeline_copies;  // libcu++, memcpy_async into the stages of a pipeline
export import :make_pipeline;    // libcu++, make_pipeline
export import :reduce_state;     // extension: the state of a reduction
export import :reduce;           // extension: [numeric.reduce] by the threads of a grid, or by numbered parts
export import :reduce_range;     // extension: [numeric.reduce] of a range, by the threads of a grid
export import :clock;            // [time.clock]
export import :stealing;         // extension: the index of a block
export import :canceled_block;   // extension: libcu++'s <cuda/work_stealing>
export import :try_cancel;       // extension: one request to cancel a launch
export import :work_queue;       // extension: work stealing on every SM
export import :stealing_stages;  // extension: work stealing by the warps of a block, each at its own pace
export import :value_hash;       // extension: the default hash and equality of maps
export import :insert_only_map;  // extension: a concurrent hash map
