// SPDX-License-Identifier: Apache-2.0
//
// Several devices and host threads, with the functions of the host runtime: peer access, atomicity queried for each
// pair, grids that run at the same time, waits that make progress on every device. If there is only one device, it
// stands for all of them. Barriers, semaphores and the rest run in the placements "two grids" of tests/support.
#include "support/test.hpp"

#include <array>
#include <cstdio>
#include <vector>
import cudax.sync;
import cudax.sync.host;

using namespace cudax_test;

namespace {

constexpr unsigned threads = 64;

/// In the first device's memory.
struct meeting_place {
  cudax::barrier<> all;
  unsigned wrong;
  unsigned written[1]; // by each block: the phase
};

__global__ void prepare(meeting_place* m, unsigned blocks) {
  init(&m->all, blocks);
  m->wrong = 0;
}

/// Every block writes, waits at the barrier of all blocks, and checks what some other blocks wrote: one of each part of
/// the grid.
__global__ void meet(meeting_place* m, unsigned first, unsigned blocks, unsigned phases) {
  unsigned const mine = first + blockIdx.x;
  unsigned wrong = 0;
  for (unsigned phase = 1; phase <= phases; ++phase) {
    if (threadIdx.x == threads - 1) m->written[mine] = phase;
    m->all.arrive_and_wait(cudax::this_block);
    wrong += m->written[(mine + threadIdx.x * blocks / threads) % blocks] != phase;
    m->all.arrive_and_wait(cudax::this_block); // no block writes again before all have read
  }
  if (wrong != 0) cudax::atomic_ref<unsigned>(m->wrong).fetch_add(wrong, cudax::memory_order_relaxed);
}

/// A message that travels around: flags and messages in mapped memory, accessed by loads and stores only.
struct letter {
  cudax::atomic<unsigned> round;
  unsigned text;
};
__global__ void pass_on(letter const* from, letter* to, unsigned rounds) {
  for (unsigned round = 1; round <= rounds; ++round) {
    from->round.wait(round - 1, cudax::memory_order_acquire);
    to->text = from->text + 1;
    to->round.store(round, cudax::memory_order_release);
  }
}

__global__ void set(cudax::atomic<unsigned>* flag, unsigned value) { flag->store(value, cudax::memory_order_release); }

/// The devices; a single device twice.
std::vector<int> participants() {
  std::vector<int> found;
  for (auto const& d : cudax::devices()) found.push_back(d.ordinal);
  if (found.size() == 1) found.push_back(found[0]);
  return found;
}

/// Streams on the devices. Afterwards the first device is current again.
struct streams {
  std::vector<cudaStream_t> of;
  explicit streams(std::vector<int> const& devices) : of(devices.size()) {
    for (std::size_t i = 0; i < devices.size(); ++i) {
      CUDA_MUST(cudaSetDevice(devices[i]));
      CUDA_MUST(cudaStreamCreateWithFlags(&of[i], cudaStreamNonBlocking));
    }
    CUDA_MUST(cudaSetDevice(devices[0]));
  }
  ~streams() {
    for (cudaStream_t s : of) {
      cudaStreamSynchronize(s);
      cudaStreamDestroy(s);
    }
  }
};

} // namespace

DEVICE_TEST("all blocks of all devices synchronize at a barrier in one device's memory") {
  auto const devices = participants();
  for (auto const& pair : cudax::enable_peer_access())
    if (!pair.enabled || !pair.native_atomics) {
      std::printf("skipped: device %d reaches device %d: %d, native atomics %d\n", pair.device, pair.peer, pair.enabled,
                  pair.native_atomics);
      note_check(test_);
      return;
    }
  streams const s(devices);
  unsigned first[16] = {}, all = 0;
  CHECK(devices.size() < 16);
  std::size_t const sharing = cudax::devices().size() == 1 ? devices.size() : 1; // kernels on a device
  for (std::size_t i = 0; i < devices.size(); ++i) {
    CUDA_MUST(cudaSetDevice(devices[i]));
    cudax::preload(meet);
    first[i] = all;
    all += unsigned(cudax::coresident_blocks(meet, threads)) / unsigned(sharing);
  }
  first[devices.size()] = all;
  CUDA_MUST(cudaSetDevice(devices[0]));
  meeting_place* m = nullptr;
  CUDA_MUST(cudaMalloc(reinterpret_cast<void**>(&m), sizeof(*m) + all * sizeof(unsigned)));
  auto const answer = cudax::atomicity(&m->all, sizeof(m->all), cudax::atomic_operation::read_modify_write,
                                       cudax::thread_scope_system, devices);
  CHECK(answer.answer == cudax::atomicity_answer::devices_only);
  std::printf("%s\n", answer.reason.c_str());
  prepare<<<1, 1>>>(m, all);
  CUDA_MUST(cudaDeviceSynchronize());
  constexpr unsigned phases = 200;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    CUDA_MUST(cudaSetDevice(devices[i]));
    cudax::launch_coresident(meet, first[i + 1] - first[i], threads, 0, s.of[i], m, first[i], all, phases);
  }
  for (cudaStream_t stream : s.of) CHECK_EQUAL(int(cudaStreamSynchronize(stream)), 0);
  CUDA_MUST(cudaSetDevice(devices[0]));
  unsigned wrong = 1;
  CUDA_MUST(cudaMemcpy(&wrong, &m->wrong, sizeof(wrong), cudaMemcpyDeviceToHost));
  CHECK_EQUAL(wrong, 0u);
  std::printf("%u blocks on %zu devices, %u phases\n", all, cudax::devices().size(), 2 * phases);
  CUDA_MUST(cudaFree(m));
}

DEVICE_TEST("a message goes from the host through all devices and back") {
  auto const devices = participants();
  streams const s(devices);
  auto const letters = cudax::make_mapped<letter[]>(devices.size() + 1);
  constexpr unsigned rounds = 200;
  CHECK(cudax::atomicity(letters.get(), 4, cudax::atomic_operation::load_store, cudax::thread_scope_system, devices));
  for (std::size_t i = 0; i < devices.size(); ++i) {
    CUDA_MUST(cudaSetDevice(devices[i]));
    cudax::preload(pass_on);
    pass_on<<<1, 1, 0, s.of[i]>>>(letters.device_pointer() + i, letters.device_pointer() + i + 1, rounds);
    CUDA_MUST(cudaGetLastError());
  }
  CUDA_MUST(cudaSetDevice(devices[0]));
  letter &sent = letters[0], &arrived = letters[devices.size()];
  unsigned wrong = 0;
  for (unsigned round = 1; round <= rounds; ++round) {
    sent.text = 1000 * round;
    sent.round.store(round, cudax::memory_order_release);
    auto const result = cudax::wait(arrived.round, round - 1, s.of.back(), cudax::memory_order_acquire);
    wrong += result != cudax::wait_reason::changed && result != cudax::wait_reason::finished;
    wrong += arrived.text != 1000 * round + unsigned(devices.size());
  }
  CHECK_EQUAL(wrong, 0u);
}

DEVICE_TEST("a host thread waits for any device, whichever is current") {
  auto const devices = participants();
  streams const s(devices);
  cudax::atomic<unsigned> flag = 0;
  cudax::registered const r(flag);
  unsigned value = 0;
  for (int repetition = 0; repetition < 20; ++repetition)
    for (std::size_t i = 0; i < devices.size(); ++i) {
      CUDA_MUST(cudaSetDevice(devices[i]));
      set<<<1, 1, 0, s.of[i]>>>(r.device_pointer(), value + 1);
      CUDA_MUST(cudaSetDevice(devices[0]));
      auto const result = cudax::wait(flag, value, cudax::progress::of_device(devices[i]));
      CHECK(result == cudax::wait_reason::changed);
      CHECK_EQUAL(flag.load(), ++value);
      int current = -1;
      CUDA_MUST(cudaGetDevice(&current));
      CHECK_EQUAL(current, devices[0]);
    }
}
