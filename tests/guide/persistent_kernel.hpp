// SPDX-License-Identifier: Apache-2.0
//
// persistent_kernel: the code of the page "Writing a persistent kernel".
#pragma once
#include "guide.hpp"

namespace guide::persistent_kernel {

// [mailbox]
struct mailbox {                   // in mapped memory
  cudax::atomic<int> requests = 0; // stored by the host
  cudax::atomic<int> answers = 0;  // stored by the device
  int data[64] = {};
};
struct grid_state { // in device or managed memory
  cudax::barrier<cudax::thread_scope_device> all{0};
  int serving = 0;
};
constexpr int stop = -1;
// [/mailbox]

// [kernel]
__global__ void serve(mailbox* box, grid_state* grid) {
  unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int served = 0;;) {
    if (i == 0) { // one thread polls for the whole grid
      box->requests.wait(served, cudax::memory_order_acquire);
      grid->serving = box->requests.load(cudax::memory_order_acquire);
    }
    grid->all.arrive_and_wait(cudax::this_block); // one arrival for each block
    if (grid->serving == stop) return;
    served = grid->serving;
    if (i < 64) box->data[i] *= 2;
    grid->all.arrive_and_wait(cudax::this_block); // all have written
    if (i == 0) box->answers.store(served, cudax::memory_order_release);
  }
}
// [/kernel]

// [host]
void run_requests(mailbox& box, mailbox* on_device, grid_state* grid, int blocks) {
  init(&grid->all, blocks); // each block arrives once
  cudax::launch_coresident(serve, blocks, 32, 0, nullptr, on_device, grid);
  for (int request = 1; request <= 3; ++request) {
    for (int& value : box.data) value = request;
    box.requests.store(request, cudax::memory_order_release);
    cudax::wait(box.answers, request - 1, nullptr, cudax::memory_order_acquire).or_throw();
    // box.data holds the answer here.
  }
  box.requests.store(stop, cudax::memory_order_release);
  cudaDeviceSynchronize();
}
// [/host]

inline void run() {
  auto const box = cudax::make_mapped<mailbox>();
  auto const grid = cudax::make_managed<grid_state>();
  run_requests(*box, box.device_pointer(), grid.get(), 2);
  finish("persistent kernel");
  for (int const value : box->data) expect(value == 6, "persistent kernel");
}

} // namespace guide::persistent_kernel
