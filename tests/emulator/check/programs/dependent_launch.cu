// SPDX-License-Identifier: Apache-2.0
//
// A kernel reads what the kernel before it in the stream wrote, and is launched as a dependent one, so that it may
// begin before that one has ended. read: it does not wait for its prerequisites. overwrite: it waits after it has
// written what the other one reads. chain: the second of three kernels does not wait, so the third, which waits for the
// second, does not know of the first. Right: each waits before it accesses what others wrote.
//
// other_stream, default_stream: a kernel of another stream produces. Right: an event that has been recorded, or the
// default stream's own order, comes between the dependent kernel and the one before it. So it is an ordinary one.
#include "program.hpp"
#include "ptx.hpp"

#include <unistd.h>

namespace {

constexpr int threads = 64;

__global__ void produce(int* data) {
  ptx::launch_dependents();
  data[threadIdx.x] = int(threadIdx.x); // first
}

template <bool waits>
__global__ void consume(int const* data, int* copy) {
  ptx::launch_dependents();
  if (waits && threadIdx.x == 0) ptx::wait_for_prerequisites();
  __syncthreads();
  copy[threadIdx.x] = data[threadIdx.x]; // second
}

template <bool waits>
__global__ void clear(int* data) {
  if constexpr (waits) ptx::wait_for_prerequisites();
  data[threadIdx.x] = 7; // second
  if constexpr (!waits) ptx::wait_for_prerequisites();
}

template <bool waits>
__global__ void pass() {
  ptx::launch_dependents();
  if constexpr (waits) ptx::wait_for_prerequisites();
}

/// Flags that both sides access.
struct flags {
  int runs, begun, over;
};

__global__ void begin(flags* f) {
  __threadfence_system();
  *const_cast<int volatile*>(&f->begun) = 1;
}
__global__ void produce_later(flags* f, int* data) {
  while (*const_cast<int volatile*>(&f->begun) == 0) {}
  __threadfence_system();
  data[threadIdx.x] = int(threadIdx.x); // first
}
/// While a grid runs, a checked run forgets nothing.
__global__ void last_long(flags* f) {
  *const_cast<int volatile*>(&f->runs) = 1;
  while (*const_cast<int volatile*>(&f->over) == 0) {}
}

check::shape const first{.threads = threads}, dependent{.threads = threads, .is_dependent = true};

bool run_read(bool right) {
  check::device_memory<int> data(threads), copy(threads);
  check::enqueue(first, produce, data.data());
  check::launch(dependent, right ? consume<true> : consume<false>, data.data(), copy.data());
  for (int i = 0; i < threads; ++i)
    if (copy[i] != i) return false;
  return true;
}

bool run_overwrite(bool right) {
  check::device_memory<int> data(threads);
  check::enqueue(first, produce, data.data());
  check::launch(dependent, right ? clear<true> : clear<false>, data.data());
  return data.all_are(7);
}

bool run_chain(bool right) {
  check::device_memory<int> data(threads), copy(threads);
  check::enqueue(first, produce, data.data());
  check::enqueue(dependent, right ? pass<true> : pass<false>);
  check::launch(dependent, consume<true>, data.data(), copy.data());
  for (int i = 0; i < threads; ++i)
    if (copy[i] != i) return false;
  return true;
}

cudaStream_t make_stream(unsigned how) {
  cudaStream_t s = nullptr;
  CHECK_MUST(cudaStreamCreateWithFlags(&s, how));
  return s;
}

/// Loads the kernels: at its first launch, a GPU may wait for the kernels that run.
void load(auto*... kernel) {
  cudaFuncAttributes found;
  (CHECK_MUST(cudaFuncGetAttributes(&found, kernel)), ...);
}

/// The kernel before the dependent one begins before the producer's end.
bool run_between(bool by_event, bool right) {
  check::device_memory<int> data(threads), copy(threads);
  flags* f = nullptr;
  CHECK_MUST(cudaMallocManaged(&f, sizeof(flags)));
  *f = {};
  cudaStream_t const company = make_stream(cudaStreamNonBlocking), other = make_stream(cudaStreamNonBlocking),
                     own = make_stream(by_event ? cudaStreamNonBlocking : cudaStreamDefault);
  cudaEvent_t produced = nullptr;
  CHECK_MUST(cudaEventCreateWithFlags(&produced, cudaEventDisableTiming));
  load(last_long, begin, produce_later, consume<false>);
  CHECK_MUST(cudaDeviceSynchronize());

  last_long<<<1, 1, 0, company>>>(f);
  while (*const_cast<int volatile*>(&f->runs) == 0) usleep(100);
  begin<<<1, 1, 0, own>>>(f);
  produce_later<<<1, threads, 0, by_event || !right ? other : nullptr>>>(f, data.data());
  if (by_event && right) {
    CHECK_MUST(cudaEventRecord(produced, other));
    usleep(20000); // the producer ends, and the host does not see it
    CHECK_MUST(cudaStreamWaitEvent(own, produced));
  }
  check::shape in_own = dependent;
  in_own.stream = own;
  check::enqueue(in_own, consume<false>, data.data(), copy.data());
  CHECK_MUST(cudaStreamSynchronize(own));
  *const_cast<int volatile*>(&f->over) = 1;
  CHECK_MUST(cudaDeviceSynchronize());
  for (int i = 0; i < threads; ++i)
    if (copy[i] != i) return false;
  return true;
}
bool run_other_stream(bool right) { return run_between(true, right); }
bool run_default_stream(bool right) { return run_between(false, right); }

check::program const programs[] = {
    {"dependent_reads_without_wait", "race", run_read},
    {"dependent_waits_after_write", "race", run_overwrite},
    {"chain_without_wait", "race", run_chain},
    {"dependent_without_event", "race", run_other_stream},
    {"dependent_beside_other_stream", "race", run_default_stream},
};

} // namespace
