// SPDX-License-Identifier: Apache-2.0
//
// message_passing: the message passing example of the memory model. One thread writes x and then sets a flag; another
// thread waits for the flag and then reads x. The release on the flag's store and the acquire on its load make the
// write visible, if the scopes of both operations include both threads. Here two threads exchange messages alternately:
// between host threads, between the host and a device in mapped memory, and between two blocks of one grid. Every
// message is checked.
#include "example.hpp"
import cudax.sync;

using namespace std::chrono_literals;

namespace {

constexpr int rounds = 20'000;
constexpr auto patience = 60s; // the longest wait: a hang is reported as a failure

struct mailbox {
  int x;     // the message: plain
  int flag;  // the number of the turn: the first thread has the turns 2 i, the second thread the turns 2 i + 1
  int wrong; // messages that differ from what the other thread wrote
  int received;
};

/// Waits until the flag is `turn`; returns false after `patience`.
template <cudax::thread_scope Scope, class Progress>
__host__ __device__ bool wait_for_turn(mailbox& box, int turn, Progress progress) {
  cudax::atomic_ref<int, Scope> flag(box.flag);
  auto const end = cudax::steady_clock::now() + patience;
  while (!flag.wait_for(turn - 1, 1ms, cudax::memory_order_acquire)) { // pairs with the store in pass_turn
    progress();
    if (cudax::steady_clock::now() > end) return false;
  }
  return true;
}

template <cudax::thread_scope Scope> __host__ __device__ void pass_turn(mailbox& box, int turn) {
  cudax::atomic_ref<int, Scope> flag(box.flag);
  flag.store(turn, cudax::memory_order_release); // publishes x
  flag.notify_all();
}

/// Runs one of the two threads; `first` is 1 for the thread that begins.
template <cudax::thread_scope Scope, class Progress>
__host__ __device__ void exchange_messages(mailbox& box, int first, int* wrong, int* received, Progress progress) {
  int wrong_so_far = 0; // in registers: the counters may be on the other side of the bus
  int received_so_far = 0;
  for (int i = 0; i < rounds; ++i) {
    int const turn = 2 * i + (first ? 0 : 1);
    if (turn != 0) {
      if (!wait_for_turn<Scope>(box, turn, progress)) break;
      ++received_so_far;
      wrong_so_far += box.x != turn; // the value that the other thread wrote before pass_turn
    }
    box.x = turn + 1;
    pass_turn<Scope>(box, turn + 1);
  }
  *wrong = wrong_so_far;
  *received = received_so_far;
}

struct nothing {
  __host__ __device__ void operator()() const {}
};

constexpr int expected = 2 * rounds - 1; // every message except the last is received

/// Counts messages that were not received, because a thread gave up waiting, as wrong.
void judge(example::report& report, char const* where, int wrong, int received, double seconds) {
  report.line("x = 42; flag.store(1, release)", where, wrong + (expected - received), expected, seconds);
}

void between_host_threads(example::report& report) {
  mailbox box{};
  int wrong[2] = {}, received[2] = {};
  example::stopwatch time;
  {
    std::jthread first(
        [&] { exchange_messages<cudax::thread_scope_system>(box, 1, &wrong[0], &received[0], nothing()); });
    std::jthread second(
        [&] { exchange_messages<cudax::thread_scope_system>(box, 0, &wrong[1], &received[1], nothing()); });
  }
  judge(report, "host thread - host thread", wrong[0] + wrong[1], received[0] + received[1], time.seconds());
}

#if defined(__CUDA__)

__global__ void answer_host(mailbox* box) {
  exchange_messages<cudax::thread_scope_system>(*box, 0, &box->wrong, &box->received, nothing());
}

void between_host_and_device(example::report& report) {
  mailbox* box = nullptr;
  mailbox* on_device = nullptr;
  CUDA_MUST(cudaHostAlloc(reinterpret_cast<void**>(&box), sizeof(mailbox), cudaHostAllocMapped));
  CUDA_MUST(cudaHostGetDevicePointer(reinterpret_cast<void**>(&on_device), box, 0));
  *box = mailbox{};
  int wrong = 0, received = 0;
  answer_host<<<1, 1>>>(on_device);
  CUDA_MUST(cudaGetLastError());
  example::stopwatch time;
  // A host thread that waits for a device must keep it making progress, here by cudaStreamQuery (execution model,
  // example API.4).
  exchange_messages<cudax::thread_scope_system>(*box, 1, &wrong, &received, [] { (void)cudaStreamQuery(nullptr); });
  CUDA_MUST(cudaDeviceSynchronize());
  judge(report, "host - device, mapped", wrong + box->wrong, received + box->received, time.seconds());
  CUDA_MUST(cudaFreeHost(box));
}

__global__ void between_blocks_kernel(mailbox* box, int* wrong, int* received) {
  exchange_messages<cudax::thread_scope_device>(*box, blockIdx.x == 0, &wrong[blockIdx.x], &received[blockIdx.x],
                                                nothing());
}

void between_blocks(example::report& report) {
  mailbox* box = nullptr;
  int* counts = nullptr;
  CUDA_MUST(cudaMalloc(reinterpret_cast<void**>(&box), sizeof(mailbox)));
  CUDA_MUST(cudaMalloc(reinterpret_cast<void**>(&counts), 4 * sizeof(int)));
  CUDA_MUST(cudaMemset(box, 0, sizeof(mailbox)));
  CUDA_MUST(cudaMemset(counts, 0, 4 * sizeof(int)));
  example::stopwatch time;
  // Two blocks of one thread are resident at the same time on any device, so both make progress.
  between_blocks_kernel<<<2, 1>>>(box, counts, counts + 2);
  CUDA_MUST(cudaDeviceSynchronize());
  double const seconds = time.seconds();
  int found[4];
  CUDA_MUST(cudaMemcpy(found, counts, sizeof(found), cudaMemcpyDeviceToHost));
  judge(report, "block - block", found[0] + found[1], found[2] + found[3], seconds);
  CUDA_MUST(cudaFree(counts));
  CUDA_MUST(cudaFree(box));
}

#endif

} // namespace

int main() {
  std::printf("message passing: %d messages each way, each checked\n", rounds);
  example::report report;
  between_host_threads(report);
  if (std::string const reason = example::device_missing(); !reason.empty()) {
    report.skipped("host - device, block - block", reason);
    return report.exit_code();
  }
#if defined(__CUDA__)
  between_host_and_device(report);
  between_blocks(report);
#endif
  return report.exit_code();
}
