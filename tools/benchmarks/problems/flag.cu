// SPDX-License-Identifier: Apache-2.0
//
// flag: two threads pass a word back and forth, and with it the data that they wrote before: two blocks of a device, or
// the host and a device through mapped memory. The time is that of a round trip. "ping-pong" is the loop that programs
// write: both blocks run it, each awaits its turn by load(acquire) and wait(relaxed), and gives the other its turn by
// store(release).
#include "../support/rounds.hpp"

namespace CUDAX_BENCH_SIDE {

enum class way {
  wait,    ///< release stores and wait()
  loop,    ///< release stores, acquire loads, and wait() in a loop around them
  acquire, ///< release stores and acquire loads
  relaxed  ///< only the flag is passed
};

/// Two lines of memory: the flag and the data that are passed with it.
struct channel {
  alignas(line) unsigned flag;
  alignas(line) unsigned cargo;
};

/// Waits until the flag is `awaited`, one more than its current or an earlier value. Returns the cargo, which has the
/// same value.
template <way Way, library::thread_scope Scope>
__host__ __device__ unsigned receive(channel* between, unsigned awaited) {
  library::atomic_ref<unsigned, Scope> const flag(between->flag);
  if constexpr (Way == way::wait) {
    flag.wait(awaited - 1, acquire);
    return between->cargo;
  } else if constexpr (Way == way::loop) {
    for (unsigned seen; (seen = flag.load(acquire)) != awaited;) flag.wait(seen, relaxed);
    return between->cargo;
  } else {
    unsigned seen;
    while ((seen = flag.load(Way == way::acquire ? acquire : relaxed)) != awaited) {}
    return Way == way::acquire ? between->cargo : seen;
  }
}

template <way Way, library::thread_scope Scope>
__host__ __device__ void send(channel* between, unsigned number) {
  library::atomic_ref<unsigned, Scope> const flag(between->flag);
  if constexpr (Way != way::relaxed) between->cargo = number;
  flag.store(number, Way == way::relaxed ? relaxed : release);
  if constexpr (Way == way::wait || Way == way::loop) flag.notify_one();
}

/// The numbers that a side receives: the answering side odd ones, the initiating side even ones.
template <way Way, library::thread_scope Scope, loop Loop>
__host__ __device__ unsigned begin_rounds(channel* between, unsigned first, unsigned last) {
  unsigned sum = 0;
  repeat<Loop>(first, last, [&](unsigned step) {
    send<Way, Scope>(between, 2 * step + 1);
    sum += receive<Way, Scope>(between, 2 * step + 2);
  });
  return sum;
}
template <way Way, library::thread_scope Scope, loop Loop>
__host__ __device__ unsigned answer_rounds(channel* between, unsigned first, unsigned last) {
  unsigned sum = 0;
  repeat<Loop>(first, last, [&](unsigned step) {
    sum += receive<Way, Scope>(between, 2 * step + 1);
    send<Way, Scope>(between, 2 * step + 2);
  });
  return sum;
}

template <way Way, loop Loop>
__global__ void both_sides(channel* between, unsigned* results, unsigned first, unsigned last) {
  results[blockIdx.x] += blockIdx.x == 0 ? begin_rounds<Way, device_scope, Loop>(between, first, last)
                                         : answer_rounds<Way, device_scope, Loop>(between, first, last);
}
template <way Way, loop Loop>
__global__ void device_side(channel* between, unsigned* results, unsigned first, unsigned last) {
  *results += answer_rounds<Way, library::thread_scope_system, Loop>(between, first, last);
}

/// PTX by hand has no wait: it polls.
template <loop Loop> __global__ void ping_pong(channel* between, unsigned* results, unsigned first, unsigned last) {
  library::atomic_ref<unsigned, device_scope> const turn(between->flag);
  unsigned sum = 0;
  repeat<Loop>(first, last, [&](unsigned step) {
    unsigned const mine = 2 * step + blockIdx.x;
    for (unsigned seen; (seen = turn.load(acquire)) != mine;) {
#if !defined(CUDAX_BENCH_NO_LIBRARY)
      turn.wait(seen, relaxed);
#endif
    }
    sum += between->cargo;
    between->cargo = mine + 1;
    turn.store(mine + 1, release);
  });
  results[blockIdx.x] += sum;
}

/// The even numbers that block 0 or the host received are 2, 4, ..., or 0, 2, ... in the ping-pong.
std::string check_sums(bench::work const& work, unsigned begins, unsigned answers, bool from_0 = false) {
  unsigned const n = work.steps(), even = from_0 ? n * (n - 1) : n * (n + 1), odd = n * n;
  if (begins == even && answers == odd) return "";
  return "the received numbers add up to " + std::to_string(begins) + " and " + std::to_string(answers) +
         ", expected " + std::to_string(even) + " and " + std::to_string(odd);
}

/// A row of two blocks, still without its launch.
bench::row make_device_flag_row(char const* name, bool from_0) {
  return {.name = name,
          .blocks_per_sm = 0,
          .threads_per_block = 1,
          .minimum_sm = 0,
          .initial_byte = 0,
          .object_bytes = [](unsigned) { return sizeof(channel); },
          .result_bytes = word_of_each,
          .launch = nullptr,
          .check =
              [from_0](bench::work const& work, void*, void* results) {
                auto* const sums = static_cast<unsigned*>(results);
                return check_sums(work, sums[0], sums[1], from_0);
              },
          .shown = bench::unit::nanoseconds,
          .operations = rounds_of,
          .blocks = 2};
}

template <class KernelOf> void add_kernels_of_two_blocks(bench::rows& rows, bench::row row, KernelOf kernel_of) {
  add_both_loops(rows, std::move(row), [=]<loop Loop>() {
    return [kernel = kernel_of.template operator()<Loop>()](bench::work const& work, void* objects, void* results,
                                                            unsigned first) {
      launch_together(kernel, work, static_cast<channel*>(objects), static_cast<unsigned*>(results), first,
                      first + work.rounds);
    };
  });
}
template <way Way> void add_device_flag_rows(bench::rows& rows, char const* name) {
  add_kernels_of_two_blocks(rows, make_device_flag_row(name, false),
                            [=]<loop Loop>() { return both_sides<Way, Loop>; });
}
void add_ping_pong_rows(bench::rows& rows, char const* name) {
  add_kernels_of_two_blocks(rows, make_device_flag_row(name, true), [=]<loop Loop>() { return ping_pong<Loop>; });
}

/// Mapped host memory, and the sum that the host has received.
struct host_side {
  channel* between = nullptr;
  unsigned sum = 0;

  host_side() { CUDA_MUST(cudaHostAlloc(reinterpret_cast<void**>(&between), sizeof(channel), cudaHostAllocMapped)); }
};
host_side& the_host() {
  static host_side it;
  return it;
}

template <way Way> void add_host_flag_rows(bench::rows& rows, char const* name) {
  bench::row row = {
      .name = name,
      .blocks_per_sm = 0,
      .threads_per_block = 1,
      .minimum_sm = 0,
      .initial_byte = 0,
      .object_bytes = [](unsigned) -> std::size_t { return 1; },
      .result_bytes = word_of_each,
      .launch = nullptr,
      .check = [](bench::work const& work, void*,
                  void* results) { return check_sums(work, the_host().sum, *static_cast<unsigned*>(results)); },
      .shown = bench::unit::nanoseconds,
      .operations = rounds_of,
      .blocks = 1,
      .prepare =
          [](bench::work const&, void*, void*) {
            *the_host().between = channel{};
            the_host().sum = 0;
          }};
  add_both_loops(rows, std::move(row), [=]<loop Loop>() {
    return [](bench::work const& work, void*, void* results, unsigned first) {
      channel* on_device = nullptr;
      CUDA_MUST(cudaHostGetDevicePointer(reinterpret_cast<void**>(&on_device), the_host().between, 0));
      device_side<Way, Loop><<<1, 1>>>(on_device, static_cast<unsigned*>(results), first, first + work.rounds);
      CUDA_MUST(cudaGetLastError()); // otherwise no thread would answer
      the_host().sum +=
          begin_rounds<Way, library::thread_scope_system, Loop>(the_host().between, first, first + work.rounds);
    };
  });
}

bench::rows rows_of_flag() {
  bench::rows rows;
#if defined(CUDAX_BENCH_NO_LIBRARY) // PTX by hand polls in place of wait(), and has nothing for the host
  add_device_flag_rows<way::acquire>(rows, "flag between two blocks, round trip, release and wait()");
#else
  add_device_flag_rows<way::wait>(rows, "flag between two blocks, round trip, release and wait()");
#endif
  add_ping_pong_rows(rows, "flag between two blocks, ping-pong, load(acquire), wait(relaxed), store(release)");
#if !defined(CUDAX_BENCH_NO_LIBRARY)
  add_host_flag_rows<way::wait>(rows, "flag between host and device, round trip, release and wait()");
  add_host_flag_rows<way::loop>(
      rows, "flag between host and device, round trip, release and acquire loads with wait(relaxed)");
  add_host_flag_rows<way::acquire>(rows, "flag between host and device, round trip, release and acquire loads");
  add_host_flag_rows<way::relaxed>(rows, "flag between host and device, round trip, relaxed");
#endif
  add_device_flag_rows<way::acquire>(rows, "flag between two blocks, round trip, release and acquire loads");
  add_device_flag_rows<way::relaxed>(rows, "flag between two blocks, round trip, relaxed");
  return rows;
}

} // namespace CUDAX_BENCH_SIDE
