// SPDX-License-Identifier: Apache-2.0
//
// Execution.Model.API.4 with cudaEventQuery, which the text names beside cudaStreamQuery: repeated queries of an event
// must not return "not ready" indefinitely without a device thread that makes progress. So the kernel begins, the loop
// ends, and after the kernel's end a query returns success. Every other error fails.
#include "flag.hpp"

using namespace execution_model;

static system_flag flag = 0;
static __global__ void producer(system_flag* flag) { flag->store(1); }

static bool is_ready(cudaEvent_t event) {
  cudaError_t const error = cudaEventQuery(event);
  if (error != cudaErrorNotReady) CUDA_MUST(error);
  return error == cudaSuccess;
}

static end run() {
  begin();
  cudax::registered const here(flag);
  cudaEvent_t event{};
  CUDA_MUST(cudaEventCreate(&event));
  producer<<<1, 1>>>(here.device_pointer());
  CUDA_MUST(cudaGetLastError());
  CUDA_MUST(cudaEventRecord(event));
  bool stored_too_late = false; // the event is complete, and the kernel before it has not stored
  while (flag.load() == 0) stored_too_late |= is_ready(event) && flag.load() == 0;
  while (!is_ready(event)) {}
  if (stored_too_late) return end::wrong;
  return synchronized([] { return flag.load() == 1; });
}

static example const here("api.4.event", outcome::ends, outcome::ends,
                          "repeated queries of an event guarantee that a device thread makes progress", run);
