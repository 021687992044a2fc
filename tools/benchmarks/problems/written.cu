// SPDX-License-Identifier: Apache-2.0
//
// written: kernels with atomics as people write them, on words from memory, without a pragma: the number of words is an
// argument of the kernel. The rate counts the words.
//   histogram: each word selects a bin, of a block's bins in shared memory, which it then adds to those of the grid, or
//   of the grid's bins degrees: the words are the heads of a graph's edges; each adds 1 to the degree of its vertex
//   places: the same, and the value before is the edge's place among those of its vertex, as for CSR
//   append: of the words, the odd ones are appended to an array, each at the value of a counter
// The kernels of graphs and arrays get their pointers in a structure, which is passed by value, or is in memory. Where
// the result of an addition is not used, libraries have two rows: "fetch_add" and "store_add", which libcu++ and CUDA
// do not have.
#include "../support/operations.hpp"

namespace CUDAX_BENCH_SIDE {

inline constexpr unsigned words_of_block = 8 * 1024, shared_bins = 256, device_bins = 1 << 16, vertices = 1 << 20;
enum class unused { fetch_add, store_add };

/// Word number `i` of the input.
__host__ __device__ constexpr unsigned word_at(unsigned i) {
  unsigned mixed = i * 2654435761u;
  mixed ^= mixed >> 15;
  return mixed * 2246822519u >> 8;
}

__global__ void write_words(unsigned* words, unsigned count) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    words[i] = word_at(i);
}

template <unused Way, class Ref> __device__ void count(Ref ref) {
  if constexpr (Way == unused::store_add) store_add<relaxed>(ref, 1u);
  else (void)ref.fetch_add(1u, relaxed);
}

template <unused Way>
__global__ void histogram_of_blocks(unsigned const* words, unsigned size, unsigned* bins) {
  __shared__ unsigned mine[shared_bins];
  for (unsigned i = threadIdx.x; i < shared_bins; i += blockDim.x) mine[i] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x)
    count<Way>(shared_ref<unsigned>(mine[words[i] % shared_bins]));
  __syncthreads();
  for (unsigned i = threadIdx.x; i < shared_bins; i += blockDim.x)
    device_ref<unsigned>(bins[i]).fetch_add(mine[i], relaxed);
}

template <unused Way> __global__ void histogram(unsigned const* words, unsigned size, unsigned* bins) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x)
    count<Way>(device_ref<unsigned>(bins[words[i] % device_bins]));
}

/// What a kernel uses, as programs pass it.
struct graph {
  unsigned const* heads;
  unsigned edges;
  unsigned* degrees;
  unsigned* places;
};

template <unused Way> __device__ void count_edges(graph const& it) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < it.edges; i += gridDim.x * blockDim.x)
    count<Way>(device_ref<unsigned>(it.degrees[it.heads[i] % vertices]));
}
__device__ inline void place_edges(graph const& it) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < it.edges; i += gridDim.x * blockDim.x)
    it.places[i] = device_ref<unsigned>(it.degrees[it.heads[i] % vertices]).fetch_add(1u, relaxed);
}
__device__ inline void append_odd(graph const& it) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < it.edges; i += gridDim.x * blockDim.x)
    if (unsigned const word = it.heads[i]; word % 2)
      it.places[device_ref<unsigned>(it.degrees[0]).fetch_add(1u, relaxed)] = word;
}
template <unused Way> struct degrees {
  __device__ static void run(graph const& it) { count_edges<Way>(it); }
};
struct places {
  __device__ static void run(graph const& it) { place_edges(it); }
};
struct append {
  __device__ static void run(graph const& it) { append_odd(it); }
};
template <class Task> __global__ void by_value(graph it) { Task::run(it); }
template <class Task> __global__ void from_memory(graph const* it) { Task::run(*it); }

// --- rows ------------------------------------------------------------------------------------------------------------

/// The layout of the objects: counters, then the input. The results of a row are places, then a `graph`.
inline constexpr std::size_t counters = vertices;
inline unsigned size_of(bench::work const& work) { return work.blocks * words_of_block; }
inline graph graph_of(bench::work const& work, void* objects, void* results) {
  auto* const all = static_cast<unsigned*>(objects);
  return {all + counters, size_of(work), all, static_cast<unsigned*>(results)};
}
inline graph* graph_in(bench::work const& work, void* results) {
  return reinterpret_cast<graph*>(static_cast<unsigned*>(results) + size_of(work));
}

/// Checks the counters: counter(word) says which one a word increments, of `size`.
template <class Counter>
std::string check_counters(bench::work const& work, void* objects, unsigned size, Counter counter) {
  std::vector<unsigned> expected(size);
  for (unsigned i = 0; i < size_of(work); ++i)
    if (unsigned const at = counter(word_at(i)); at < size) expected[at] += work.steps();
  for (unsigned at = 0; at < size; ++at)
    if (unsigned const found = static_cast<unsigned*>(objects)[at]; found != expected[at])
      return "counter " + std::to_string(at) + " is " + std::to_string(found) + ", expected " +
             std::to_string(expected[at]);
  return "";
}

/// A row of a kernel that is launched once for each round.
template <class Launch, class Check> bench::row make_written_row(std::string name, Launch launch, Check check) {
  return {
      .name = std::move(name),
      .blocks_per_sm = 8,
      .threads_per_block = 256,
      .minimum_sm = 0,
      .initial_byte = 0,
      .object_bytes = [](unsigned threads) { return (counters + threads / 256 * words_of_block) * sizeof(unsigned); },
      .result_bytes =
          [](unsigned threads) { return threads / 256 * words_of_block * sizeof(unsigned) + sizeof(graph); },
      .launch =
          [=](bench::work const& work, void* objects, void* results, unsigned) {
            for (unsigned round = 0; round < work.rounds; ++round) launch(work, objects, results);
          },
      .check = check,
      .operations = [](bench::work const& work) { return double(size_of(work)) * work.steps(); },
      .prepare =
          [](bench::work const& work, void* objects, void* results) {
            write_words<<<work.blocks, 256>>>(static_cast<unsigned*>(objects) + counters, size_of(work));
            graph const on_host = graph_of(work, objects, results);
            CUDA_MUST(cudaMemcpy(graph_in(work, results), &on_host, sizeof on_host, cudaMemcpyHostToDevice));
          }};
}

template <class Task, class Check> void add_task(bench::rows& rows, std::string const& name, Check check) {
  constexpr bool resets = __is_same(Task, append); // the array has room for the words of one round
  rows.push_back(make_written_row(
      name + ", structure by value",
      [](bench::work const& work, void* objects, void* results) {
        if (resets) CUDA_MUST(cudaMemsetAsync(objects, 0, sizeof(unsigned)));
        by_value<Task><<<work.blocks, 256>>>(graph_of(work, objects, results));
      },
      check));
  rows.push_back(make_written_row(
      name + ", structure in memory",
      [](bench::work const& work, void* objects, void* results) {
        if (resets) CUDA_MUST(cudaMemsetAsync(objects, 0, sizeof(unsigned)));
        from_memory<Task><<<work.blocks, 256>>>(graph_in(work, results));
      },
      check));
}

template <unused Way> void add_unused(bench::rows& rows, std::string const& how) {
  rows.push_back(make_written_row(
      "histogram of 256 bins in shared memory, " + how,
      [](bench::work const& work, void* objects, void*) {
        auto* const all = static_cast<unsigned*>(objects);
        histogram_of_blocks<Way><<<work.blocks, 256>>>(all + counters, size_of(work), all);
      },
      [](bench::work const& work, void* objects, void*) {
        return check_counters(work, objects, shared_bins, [](unsigned word) { return word % shared_bins; });
      }));
  rows.push_back(make_written_row(
      "histogram of 2^16 bins in global memory, " + how,
      [](bench::work const& work, void* objects, void*) {
        auto* const all = static_cast<unsigned*>(objects);
        histogram<Way><<<work.blocks, 256>>>(all + counters, size_of(work), all);
      },
      [](bench::work const& work, void* objects, void*) {
        return check_counters(work, objects, device_bins, [](unsigned word) { return word % device_bins; });
      }));
  add_task<degrees<Way>>(rows, "degrees of 2^20 vertices, " + how, [](bench::work const& work, void* objects, void*) {
    return check_counters(work, objects, vertices, [](unsigned word) { return word % vertices; });
  });
}

bench::rows rows_of_written() {
  bench::rows rows;
  add_unused<unused::fetch_add>(rows, "fetch_add without a use of its result");
  add_unused<unused::store_add>(rows, "store_add");
  // The places of a vertex are the numbers below its degree, in any order: of each round their sum is known.
  add_task<places>(
      rows, "places of edges at 2^20 vertices, fetch_add", [](bench::work const& work, void* objects, void* results) {
        std::string const wrong =
            check_counters(work, objects, vertices, [](unsigned word) { return word % vertices; });
        if (!wrong.empty()) return wrong;
        unsigned sum = 0, expected = 0; // of the last round: each vertex had degree - edges places before
        auto const* const degree = static_cast<unsigned*>(objects);
        for (unsigned i = 0; i < size_of(work); ++i) sum += static_cast<unsigned*>(results)[i];
        for (unsigned at = 0; at < vertices; ++at)
          for (unsigned place = degree[at] - degree[at] / work.steps(); place < degree[at]; ++place) expected += place;
        return sum == expected
                   ? std::string()
                   : "the places add up to " + std::to_string(sum) + ", expected " + std::to_string(expected);
      });
  add_task<append>(rows, "append, fetch_add", [](bench::work const& work, void* objects, void* results) {
    unsigned expected = 0, expected_sum = 0, sum = 0;
    for (unsigned i = 0; i < size_of(work); ++i)
      if (unsigned const word = word_at(i); word % 2) ++expected, expected_sum += word;
    unsigned const found = *static_cast<unsigned*>(objects);
    for (unsigned i = 0; i < expected; ++i) sum += static_cast<unsigned*>(results)[i];
    return found == expected && sum == expected_sum
               ? std::string()
               : std::to_string(found) + " words, which add up to " + std::to_string(sum) + ", expected " +
                     std::to_string(expected) + " and " + std::to_string(expected_sum);
  });
  return rows;
}

} // namespace CUDAX_BENCH_SIDE
