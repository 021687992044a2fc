// SPDX-License-Identifier: Apache-2.0
//
// lock: threads take a lock, add 1 to a plain counter and release the lock: one lane of a warp on each SM, or all
// lanes, or 256 threads. The time is that of one turn, by any thread. The rows of a curve also measure how long each
// thread waits, in cycles of its SM: `fairness` is the longest wait of all over the median.
#include "../support/rounds.hpp"

#include <algorithm>

namespace CUDAX_BENCH_SIDE {

/// The waits that a thread remembers: the last ones, and the longest of all.
inline constexpr unsigned remembered = 31;
struct waits {
  unsigned longest;
  unsigned last[remembered];
};

/// The layout of the objects: the lock, the counter, then the waits of each thread.
inline constexpr std::size_t counter_at = line, waits_at = 2 * line;

/// Returns the sum of the values that the counter had.
template <loop Loop, class Lock>
__device__ unsigned turns_with(Lock& lock, unsigned* counter, unsigned rounds) {
  unsigned sum = 0;
  repeat<Loop>(0, rounds, [&](unsigned) {
    take(lock);
    sum += (*counter)++;
    give_back(lock);
  });
  return sum;
}

template <class Lock, loop Loop>
__global__ void lock_rounds(Lock* lock, unsigned* counter, unsigned* results, unsigned rounds, unsigned lanes) {
  if (threadIdx.x < lanes) results[blockIdx.x * lanes + threadIdx.x] += turns_with<Loop>(*lock, counter, rounds);
}

/// The same with a cohort for each block. `lanes` is the number of threads of a block.
template <class Part, loop Loop>
__global__ void cohort_rounds(ticket_lock* lock, unsigned* counter, unsigned* results, unsigned rounds,
                              unsigned lanes) {
  __shared__ Part mine;
  if (threadIdx.x == 0) make_part(mine, *lock);
  __syncthreads();
  if (threadIdx.x < lanes) results[blockIdx.x * lanes + threadIdx.x] += turns_with<Loop>(mine, counter, rounds);
}

template <class Lock, loop Loop>
__global__ void timed_rounds(Lock* lock, unsigned* counter, unsigned* results, unsigned rounds, waits* all) {
  waits& mine = all[blockIdx.x];
  unsigned sum = 0;
  repeat<Loop>(0, rounds, [&](unsigned i) {
    long long const start = clock64();
    take(*lock);
    unsigned const wait = unsigned(clock64() - start);
    sum += (*counter)++;
    give_back(*lock);
    mine.last[i % remembered] = wait;
    if (wait > mine.longest) mine.longest = wait;
  });
  results[blockIdx.x] += sum;
}

/// A semaphore that admits `permits` threads at once. In the first and the last round each thread counts those that are
/// inside, and notes if there are too many.
template <class Semaphore, loop Loop>
__global__ void semaphore_rounds(Semaphore* semaphore, unsigned* inside, unsigned* results, unsigned rounds,
                                 unsigned permits) {
  library::atomic_ref<unsigned, device_scope> const count(*inside);
  unsigned right = 0;
  repeat<Loop>(0, rounds, [&](unsigned i) {
    bool const counts = i == 0 || i == rounds - 1;
    semaphore->acquire();
    if (counts) {
      right += count.fetch_add(1, library::memory_order_relaxed) < permits;
      count.fetch_sub(1, library::memory_order_relaxed);
    }
    semaphore->release();
  });
  results[blockIdx.x * blockDim.x + threadIdx.x] += right;
}

template <class Lock>
__global__ void make_lock(Lock* lock, unsigned permits) {
  if constexpr (requires { lock->lock(); }) new (lock) Lock{};
  else new (lock) Lock(permits);
}

inline unsigned* counter_in(void* objects) {
  return reinterpret_cast<unsigned*>(static_cast<char*>(objects) + counter_at);
}
inline waits* waits_in(void* objects) { return reinterpret_cast<waits*>(static_cast<char*>(objects) + waits_at); }

/// A row of 32 threads on each SM, of which `lanes` take part; still without its launch.
template <class Lock>
bench::row make_lock_row(std::string name, unsigned lanes) {
  return {.name = std::move(name),
          .blocks_per_sm = 1,
          .threads_per_block = 32,
          .minimum_sm = 0,
          .initial_byte = 0,
          .object_bytes = [](unsigned) { return waits_at; },
          .result_bytes = word_of_each,
          .launch = nullptr,
          .check = [=](bench::work const& work, void* objects,
                       void* results) { return check_turns(work, *counter_in(objects), results, work.blocks * lanes); },
          .shown = bench::unit::nanoseconds,
          .operations = [=](bench::work const& work) { return double(work.blocks * lanes) * work.steps(); },
          .prepare = [](bench::work const&, void* objects,
                        void*) { make_lock<<<1, 1>>>(static_cast<Lock*>(objects), 1u); }};
}

template <class Lock>
void add_lock_rows(bench::rows& rows, std::string name, unsigned lanes) {
  add_both_loops(rows, make_lock_row<Lock>(std::move(name), lanes), [=]<loop Loop>() {
    return [=](bench::work const& work, void* objects, void* results, unsigned) {
      launch_together(lock_rounds<Lock, Loop>, work, static_cast<Lock*>(objects), counter_in(objects),
                      static_cast<unsigned*>(results), work.rounds, lanes);
    };
  });
}

/// Rows of `lanes` threads on each SM, which are a cohort.
void add_cohort_rows(bench::rows& rows, std::string name, unsigned lanes) {
  bench::row row = make_lock_row<ticket_lock>(std::move(name), lanes);
  row.threads_per_block = std::max(lanes, 32u);
  add_both_loops(rows, std::move(row), [=]<loop Loop>() {
    return [=](bench::work const& work, void* objects, void* results, unsigned) {
      launch_together(cohort_rounds<cohort_part, Loop>, work, static_cast<ticket_lock*>(objects), counter_in(objects),
                      static_cast<unsigned*>(results), work.rounds, lanes);
    };
  });
}

bench::figures fairness(bench::work const& work, void* objects, void*) {
  std::vector<unsigned> all;
  unsigned longest = 0;
  for (unsigned block = 0; block < work.blocks; ++block) {
    waits const& of = waits_in(objects)[block];
    longest = std::max(longest, of.longest);
    all.insert(all.end(), of.last, of.last + std::min(remembered, work.rounds));
  }
  std::nth_element(all.begin(), all.begin() + std::ptrdiff_t(all.size() / 2), all.end());
  double const median = std::max(1u, all[all.size() / 2]);
  return {{"longest_wait", longest}, {"fairness", longest / median}};
}

/// Rows of `contenders` blocks of one thread.
template <class Lock>
void add_contenders_rows(bench::rows& rows, std::string const& kind, unsigned contenders) {
  bench::row row = make_lock_row<Lock>("lock and unlock, " + std::to_string(contenders) +
                                           (contenders == 1 ? " thread, " : " blocks of one thread, ") + kind,
                                       1);
  row.threads_per_block = 1;
  row.blocks = contenders;
  row.object_bytes = [](unsigned threads) { return waits_at + threads * sizeof(waits); };
  row.on = {"lock and unlock, " + kind, "threads", double(contenders)};
  row.extras = fairness;
  row.together = true;
  add_both_loops(rows, std::move(row), [=]<loop Loop>() {
    return [](bench::work const& work, void* objects, void* results, unsigned) {
      launch_together(timed_rounds<Lock, Loop>, work, static_cast<Lock*>(objects), counter_in(objects),
                      static_cast<unsigned*>(results), work.rounds, waits_in(objects));
    };
  });
}

template <class Semaphore>
void add_semaphore_rows(bench::rows& rows, std::string name, unsigned permits) {
  bench::row row = make_lock_row<Semaphore>(std::move(name), 32);
  row.check = [](bench::work const& work, void*, void* results) -> std::string {
    unsigned const expected = work.launches * (work.rounds == 1 ? 1 : 2);
    for (unsigned thread = 0; thread < work.threads(); ++thread)
      if (unsigned const right = static_cast<unsigned*>(results)[thread]; right != expected)
        return "thread " + std::to_string(thread) + " was inside with too many others " +
               std::to_string(expected - right) + " times";
    return "";
  };
  row.prepare = [=](bench::work const&, void* objects, void*) {
    make_lock<<<1, 1>>>(static_cast<Semaphore*>(objects), permits);
  };
  add_both_loops(rows, std::move(row), [=]<loop Loop>() {
    return [=](bench::work const& work, void* objects, void* results, unsigned) {
      launch_together(semaphore_rounds<Semaphore, Loop>, work, static_cast<Semaphore*>(objects), counter_in(objects),
                      static_cast<unsigned*>(results), work.rounds, permits);
    };
  });
}

/// "against": libcu++ has no such lock, and its binary_semaphore is in its column.
template <class Lock>
void add_lock(bench::rows& rows, std::string const& kind) {
  add_lock_rows<Lock>(rows, "lock and unlock, a warp per SM, " + kind, 1);
  add_lock_rows<Lock>(rows, "lock and unlock, all lanes of a warp per SM, " + kind, 32);
  for (unsigned contenders : {1u, 4u, 16u, 64u, 128u}) add_contenders_rows<Lock>(rows, kind, contenders);
}

bench::rows rows_of_lock() {
  bench::rows rows;
  add_lock<library::binary_semaphore<device_scope>>(rows, "binary_semaphore");
  add_lock<fair_lock>(rows, "fair_semaphore against binary_semaphore");
  add_lock<plain_lock>(rows, "mutex against binary_semaphore");
  add_lock<ticket_lock>(rows, "ticket_mutex against binary_semaphore");
  std::string const cohorts = " per SM, cohort_mutex against binary_semaphore";
  add_cohort_rows(rows, "lock and unlock, a warp" + cohorts, 1);
  add_cohort_rows(rows, "lock and unlock, all lanes of a warp" + cohorts, 32);
  add_cohort_rows(rows, "lock and unlock, 256 threads" + cohorts, 256);
  using counting = library::counting_semaphore<device_scope>;
  add_lock_rows<counting>(rows, "lock and unlock, a warp per SM, counting_semaphore", 1);
  add_semaphore_rows<counting>(rows, "acquire and release, all lanes of a warp per SM, counting_semaphore(32)", 32);
  return rows;
}

} // namespace CUDAX_BENCH_SIDE
