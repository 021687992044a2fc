// SPDX-License-Identifier: Apache-2.0
//
// identifier_map: maps every identifier of a large text to the position of its first occurrence. Host threads and
// device threads fill the map at the same time. The text is one that every machine has that can build this program: the
// C++ headers of the compiler. The result is compared with a std::unordered_map.
//
//   identifier_map [PATH...]      files and folders to read; by default the headers
//
// Text, map and counters are in managed memory, where read-modify-write operations of host and device are atomic to
// each other (concurrentManagedAccess). In mapped memory over PCIe they are not.
#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string_view>
#include <thread>
#include <unordered_map>

#include "example.hpp"
import cudax.sync;

namespace {

// --- the text --------------------------------------------------------------------------------------------------------

struct identifier {
  char const* text;
  unsigned length;
};

struct hash_of_identifier {
  __host__ __device__ std::uint64_t operator()(identifier const& id) const { // FNV-1a
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (unsigned i = 0; i < id.length; ++i) hash = (hash ^ static_cast<unsigned char>(id.text[i])) * 0x100000001b3u;
    return hash ^ (hash >> 32);
  }
};

struct equal_identifiers {
  __host__ __device__ bool operator()(identifier const& a, identifier const& b) const {
    if (a.length != b.length) return false;
    for (unsigned i = 0; i < a.length; ++i)
      if (a.text[i] != b.text[i]) return false;
    return true;
  }
};

std::string read(std::vector<std::filesystem::path> const& paths) {
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  for (fs::path const& path : paths) {
    if (fs::is_regular_file(path)) files.push_back(path);
    else if (fs::is_directory(path))
      for (auto const& entry : fs::recursive_directory_iterator(path))
        if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end()); // one of the folders may contain another
  std::string text;
  for (fs::path const& file : files) {
    std::ifstream in(file, std::ios::binary);
    text.append(std::istreambuf_iterator<char>(in), {});
    text += '\n';
  }
  return text;
}

std::vector<identifier> identifiers_in(char const* text, std::size_t size) {
  auto const starts = [](unsigned char c) { return std::isalpha(c) || c == '_'; };
  auto const continues = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  std::vector<identifier> found;
  for (std::size_t i = 0; i < size;) {
    std::size_t const begin = i;
    if (starts(text[i])) {
      while (i < size && continues(text[i])) ++i;
      found.push_back({text + begin, unsigned(i - begin)});
    } else if (std::isdigit(static_cast<unsigned char>(text[i]))) {
      while (i < size && continues(text[i])) ++i; // a number, with its suffix
    } else {
      ++i;
    }
  }
  return found;
}

// --- memory that host and device share -------------------------------------------------------------------------------

struct release {
  void operator()(void* memory) const {
#if defined(__CUDA__)
    if (example::device_missing().empty()) {
      CUDA_MUST(cudaFree(memory));
      return;
    }
#endif
    std::free(memory);
  }
};

/// An array of zeroed objects, in managed memory if there is a device.
template <class T> using shared_array = std::unique_ptr<T[], release>;

template <class T> shared_array<T> allocate(std::size_t count) {
  void* pointer = nullptr;
#if defined(__CUDA__)
  if (example::device_missing().empty()) CUDA_MUST(cudaMallocManaged(&pointer, count * sizeof(T)));
  else
#endif
    pointer = std::malloc(count * sizeof(T));
  if (!pointer) {
    std::fprintf(stderr, "identifier_map: no memory for %zu bytes\n", count * sizeof(T));
    std::exit(2);
  }
  std::memset(pointer, 0, count * sizeof(T));
  return shared_array<T>(static_cast<T*>(pointer));
}

/// Advises the driver on managed memory that both sides use at the same time: the memory stays on the host, and the
/// device accesses it there; only pages that the device modifies atomically migrate. Without this advice pages migrate
/// back and forth, and the host threads get hardly any work done.
[[maybe_unused]] void share(void* pointer, std::size_t size) {
#if defined(__CUDA__) && CUDART_VERSION >= 13000
  CUDA_MUST(
      cudaMemAdvise(pointer, size, cudaMemAdviseSetPreferredLocation, cudaMemLocation{cudaMemLocationTypeHost, 0}));
  CUDA_MUST(cudaMemAdvise(pointer, size, cudaMemAdviseSetAccessedBy, cudaMemLocation{cudaMemLocationTypeDevice, 0}));
#elif defined(__CUDA__)
  CUDA_MUST(cudaMemAdvise(pointer, size, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId));
  CUDA_MUST(cudaMemAdvise(pointer, size, cudaMemAdviseSetAccessedBy, 0));
#else
  (void)pointer, (void)size;
#endif
}

// --- the work --------------------------------------------------------------------------------------------------------

using position = unsigned;
using map =
    cudax::insert_only_map<identifier, position, cudax::thread_scope_system, hash_of_identifier, equal_identifiers>;

/// The work that all threads share. One counter assigns chunks of tokens to the threads.
struct job {
  map table;
  identifier const* tokens;
  unsigned token_count;
  cudax::atomic<unsigned> next; // the first token that no thread has taken
  cudax::atomic<unsigned> full; // tokens that found no slot, because the map was full
  cudax::atomic<unsigned> by_host;
  cudax::atomic<unsigned> by_device;

  __host__ __device__ void insert(unsigned at) {
    auto const [value, inserted] = table.try_insert(tokens[at], at);
    if (!value) full.fetch_add(1, cudax::memory_order_relaxed);
    else if (!inserted) lower(*value, at);
  }

  /// Lowers the position of an identifier to `at`. The value was published with the slot; from then on it is only
  /// lowered, by atomic operations. Tokens are assigned in order, so nearly always the value is already low enough and
  /// a load suffices.
  __host__ __device__ static void lower(position& value, unsigned at) {
    cudax::atomic_ref<position> first(value);
    if (first.load(cudax::memory_order_relaxed) > at) first.store_min(at, cudax::memory_order_relaxed);
  }
};

void work_on_host(job& job) {
  constexpr unsigned chunk = 256;
  for (;;) {
    unsigned const begin = job.next.fetch_add(chunk, cudax::memory_order_relaxed);
    if (begin >= job.token_count) return;
    unsigned const end = std::min(begin + chunk, job.token_count);
    for (unsigned i = begin; i < end; ++i) job.insert(i);
    job.by_host.fetch_add(end - begin, cudax::memory_order_relaxed);
  }
}

#if defined(__CUDA__)

constexpr unsigned device_blocks = 64;
constexpr unsigned device_threads = 128;

/// Each block takes as many tokens at a time as it has threads.
__global__ void work_on_device(job* job) {
  __shared__ unsigned begin;
  for (;;) {
    __syncthreads();
    if (threadIdx.x == 0) begin = job->next.fetch_add(blockDim.x, cudax::memory_order_relaxed);
    __syncthreads();
    if (begin >= job->token_count) return;
    unsigned const mine = begin + threadIdx.x;
    if (mine < job->token_count) job->insert(mine);
    if (threadIdx.x == 0) {
      unsigned const left = job->token_count - begin;
      job->by_device.fetch_add(left < blockDim.x ? left : blockDim.x, cudax::memory_order_relaxed);
    }
  }
}

#endif

// --- the check -------------------------------------------------------------------------------------------------------

using reference_map = std::unordered_map<std::string_view, position>;

reference_map expected_of(std::vector<identifier> const& tokens) {
  reference_map expected;
  for (unsigned i = 0; i < tokens.size(); ++i) expected.try_emplace({tokens[i].text, tokens[i].length}, i);
  return expected;
}

long long wrong_entries(job const& job, reference_map const& expected) {
  long long wrong = job.full.load();
  for (auto const& [text, first] : expected) {
    position const* const found = job.table.find({text.data(), unsigned(text.size())});
    wrong += !found || *found != first;
  }
  return wrong + std::abs((long long)job.table.size() - (long long)expected.size()); // no duplicate, no additional key
}

struct team {
  char const* name;
  unsigned host_threads;
  bool device;
};

void run(example::report& report, team const& team, std::vector<identifier> const& tokens,
         identifier const* shared_tokens, reference_map const& expected) {
  std::uint64_t const slot_count = map::slots_for(expected.size());
  auto const slots = allocate<map::slot>(slot_count); // zeroed: empty
  auto const job_memory = allocate<job>(1);
  job* const shared =
      new (job_memory.get()) job{map(slots.get(), slot_count), shared_tokens, unsigned(tokens.size()), {}, {}, {}, {}};
  if (team.device && team.host_threads != 0) {
    share(slots.get(), slot_count * sizeof(map::slot));
    share(shared, sizeof(job));
  }
  example::stopwatch time;
  {
#if defined(__CUDA__)
    if (team.device) {
      work_on_device<<<device_blocks, device_threads>>>(shared);
      CUDA_MUST(cudaGetLastError());
    }
#endif
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < team.host_threads; ++i) threads.emplace_back(work_on_host, std::ref(*shared));
#if defined(__CUDA__)
    if (team.device) CUDA_MUST(cudaDeviceSynchronize());
#endif
  }
  double const seconds = time.seconds();
  char what[80];
  std::snprintf(what, sizeof(what), "%s: %u by host, %u by device", team.name, shared->by_host.load(),
                shared->by_device.load());
  report.line(what, "against std::unordered_map", wrong_entries(*shared, expected), (long long)expected.size(),
              seconds);
}

} // namespace

int main(int argc, char* argv[]) {
  std::vector<std::filesystem::path> paths(argv + 1, argv + argc);
  if (!paths.empty() && (paths.front() == "--help" || paths.front() == "-h")) {
    std::puts(
        "usage: identifier_map [PATH...]\n"
        "Fills a map with the identifiers of these files and folders, by default of the compiler's C++ headers, from\n"
        "host and device at the same time, and compares it with a std::unordered_map.");
    return 0;
  }
  if (paths.empty()) paths = {EXAMPLE_TEXT};
  for (auto const& path : paths)
    if (!std::filesystem::exists(path)) {
      std::fprintf(stderr, "identifier_map: '%s' does not exist; name files or folders to read\n", path.c_str());
      return 2;
    }

  std::string const text = read(paths);
  auto const shared_text = allocate<char>(text.size() + 1);
  std::memcpy(shared_text.get(), text.data(), text.size());
  std::vector<identifier> const tokens = identifiers_in(shared_text.get(), text.size());
  if (tokens.empty()) {
    std::fprintf(stderr, "identifier_map: there is no identifier in '%s'; name files or folders of source text\n",
                 paths.front().c_str());
    return 2;
  }
  auto const shared_tokens = allocate<identifier>(tokens.size());
  std::copy(tokens.begin(), tokens.end(), shared_tokens.get());
  reference_map const expected = expected_of(tokens);
  std::printf("identifiers of %.1f MB of source text: %zu tokens, %zu different\n", double(text.size()) / 1e6,
              tokens.size(), expected.size());

  example::report report;
  unsigned const cores = std::max(2u, std::thread::hardware_concurrency());
  run(report, {"host threads", cores, false}, tokens, shared_tokens.get(), expected);
  if (std::string const reason = example::device_missing(); !reason.empty()) {
    report.skipped("device threads, host and device threads together", reason);
  } else {
    run(report, {"device threads", 0, true}, tokens, shared_tokens.get(), expected);
    run(report, {"host and device threads", 2, true}, tokens, shared_tokens.get(), expected);
  }
  return report.exit_code();
}
