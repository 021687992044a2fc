// SPDX-License-Identifier: Apache-2.0
//
// cudax.sync.host: the partitions that `import cudax.sync.host;` exports. They are the part of the host runtime whose
// interface needs types of the standard library. The module is for host code, in plain C++ and in CUDA sources. Include
// standard headers before the import.
export module cudax.sync.host;

export import :error;       // [syserr]
export import :devices;     // the device query
export import :atomicity;   // [memory model], Atomicity
export import :registered;  // existing objects in mapped memory
export import :memory;      // new objects in mapped memory and in managed memory
export import :resources;   // [mem.res]
export import :progress;    // waits for a change that a device makes
export import :waits;       // such waits for latches, stop tokens, semaphores and locks
export import :launch;      // grids whose blocks all run at the same time
export import :loading;     // loading kernels before they run
export import :peers;       // devices that access one another's memory
export import :hangs;       // reports of waits that last long
export import :tensor_maps; // descriptions of tensors, for copies of their tiles
