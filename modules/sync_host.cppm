// SPDX-License-Identifier: Apache-2.0
//
// cudax.sync.host: what `import cudax.sync.host;` gives: the part of the host runtime whose interface needs
// types of the standard library. For host code, in plain C++ and in CUDA sources; include standard headers
// before the import.
export module cudax.sync.host;

export import :error;      // [syserr]
export import :devices;    // the device query
export import :atomicity;  // [memory model], Atomicity
export import :registered; // existing objects in mapped memory
export import :memory;     // new objects in mapped and managed memory
export import :resources;  // [mem.res]
export import :progress;   // waiting for devices
export import :launch;     // grids that run at once
export import :loading;    // kernels that are loaded before they run
export import :peers;      // devices that reach one another
