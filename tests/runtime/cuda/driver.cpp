// SPDX-License-Identifier: Apache-2.0
//
// What the library's calls of CUDA must not change: contexts, captures and last errors; on simulated devices
// (simulated_driver.hpp). neighbours.cu tests the same with CUDA.
#include "../../../runtime/cuda/driver.hpp"
#include "../../../runtime/cuda/cuda_calls.hpp"
#include "../../../runtime/cuda/execution_calls.hpp"
#include "../simulated/simulated_driver.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace cuda = cudax::runtime::cuda;
using cudax::runtime::calls_of_cuda;
using cudax::runtime::execution_calls_of_cuda;

namespace {

char object = 0;
int const kernel = 0; // a simulated kernel: only its address matters
auto* const event = reinterpret_cast<CUevent>(0x9000);

int allocate_and_free(bool managed, std::size_t size = 16) {
  void* at = nullptr;
  int const code = managed ? calls_of_cuda.allocate_managed(&at, size) : calls_of_cuda.allocate_mapped(&at, size);
  if (code != cuda::success) return code;
  return managed ? calls_of_cuda.free_managed(at) : calls_of_cuda.free_mapped(at);
}

int register_and_release() {
  if (int const code = calls_of_cuda.register_memory(&object, 1)) return code;
  return calls_of_cuda.unregister_memory(&object);
}

struct call {
  char const* name;
  std::function<int()> run;
};

/// Every call that does not make a context current, as runtime calls about kernels do.
std::vector<call> calls(CUstream stream) {
  static int number = 0;
  static cudax::runtime::device_description device;
  static cudax::runtime::peer_description peer;
  static cudax::runtime::multiprocessor_description multiprocessor;
  static cudax::runtime::memory_owner owner;
  static bool flag = false;
  static void* address = nullptr;
  static cudax::runtime::tensor_request const tensor{
      2, 7, 1, 4, {8, 4}, &object, {20, 5}, {96}, {}, cudax::tensor_promotion::bytes_128, false};
  alignas(64) static char map[128];
  auto const& c = calls_of_cuda;
  auto const& e = execution_calls_of_cuda;
  return {
      {"mapped memory", [] { return allocate_and_free(false); }},
      {"managed memory", [] { return allocate_and_free(true); }},
      {"too much mapped memory", [] { return allocate_and_free(false, ~std::size_t{}); }},
      {"too much managed memory", [] { return allocate_and_free(true, ~std::size_t{}); }},
      {"registration", register_and_release},
      {"unregistering memory that is not registered", [&] { return c.unregister_memory(&number); }},
      {"the device address of memory that is not registered", [&] { return c.device_address(&address, &number); }},
      {"an owner", [&] { return c.owner(&owner, &number, &number); }},
      {"counting devices", [&] { return c.count_devices(&number); }},
      {"a device", [&] { return c.describe_device(&device, 1); }},
      {"no device", [&] { return c.describe_device(&device, 7); }},
      {"a link", [&] { return c.describe_peer(&peer, 0, 1); }},
      {"no link", [&] { return c.describe_peer(&peer, 1, 1); }},
      {"a stream", [&, stream] { return e.query_stream(stream); }},
      {"the default stream", [&] { return e.query_stream(nullptr); }},
      {"an event", [&] { return e.query_event(event); }},
      {"device 0", [&] { return e.query_device(0); }},
      {"device 1", [&] { return e.query_device(1); }},
      {"the current device", [&] { return e.query_device(-1); }},
      {"device 7", [&] { return e.query_device(7); }},
      {"the selected device", [&] { return e.current_device(&number); }},
      {"a multiprocessor", [&] { return e.describe_multiprocessor(&multiprocessor, 1); }},
      {"a tensor map", [&] { return e.encode_tensor_map(map, &tensor); }},
      {"the loading mode", [&] { return e.loads_lazily(&flag); }},
      {"peers", [&] { return e.can_access_peer(&number, 0, 1); }},
      {"peer atomics", [&] { return e.peer_atomics(&number, 0, 1); }},
      {"peer access", [&] { return e.enable_peer_access(0, 1); }},
      {"peer access of a device that does not exist", [&] { return e.enable_peer_access(7, 0); }},
  };
}

using fixture = cudax_test::simulated_driver;

} // namespace

BOOST_FIXTURE_TEST_SUITE(driver, fixture)

BOOST_AUTO_TEST_CASE(no_call_leaves_a_context_in_a_thread_that_had_none) {
  std::jthread([&] { use_device(0); }).join(); // other code uses device 0
  CUstream const stream = make_stream(primary(0));
  for (int const answer : {0, 600}) {
    stream_answer = answer;
    for (auto const& each : calls(stream)) {
      (void)each.run();
      BOOST_TEST(current() == nullptr, each.name);
      BOOST_TEST(references(0) == 0, each.name);
    }
  }
  BOOST_TEST((primary(1) != nullptr && references(1) == 1)); // created for peer access, and kept
  BOOST_CHECK((peers == std::set<std::pair<int, int>>{{0, 1}}));
}

BOOST_AUTO_TEST_CASE(the_program_s_context_stays_current_and_is_used) {
  CUcontext const mine = make_context(0);
  CUstream const stream = make_stream(mine);
  for (auto const& each : calls(stream)) {
    if (std::string(each.name) == "peer access") break;
    log.clear();
    (void)each.run();
    BOOST_TEST(current() == mine, each.name);
    BOOST_TEST(!primary(0), each.name);
    BOOST_TEST(!primary(1), each.name);
    for (auto const& made : log) BOOST_TEST(made.ends_with("@0"), each.name << ": " << made);
  }
  BOOST_TEST(execution_calls_of_cuda.enable_peer_access(0, 1) == 0);
  BOOST_TEST(current() == mine);
  BOOST_TEST(!primary(0)); // the access belongs to this context
  BOOST_TEST(references(1) == 1);
}

BOOST_AUTO_TEST_CASE(a_query_creates_no_context) {
  auto const& e = execution_calls_of_cuda;
  stream_answer = 600;
  BOOST_TEST(e.query_device(0) == cuda::success); // nothing runs without a context
  BOOST_TEST(e.query_device(-1) == cuda::success);
  BOOST_TEST(e.query_stream(nullptr) == cuda::success);
  BOOST_TEST(e.query_stream(CU_STREAM_LEGACY) == cuda::success);
  BOOST_TEST(e.query_stream(CU_STREAM_PER_THREAD) == cuda::success);
  BOOST_TEST(e.query_device(2) == cuda::invalid_device);
  cudax::runtime::memory_owner owner{};
  int ordinal = 0;
  BOOST_TEST(calls_of_cuda.owner(&owner, &ordinal, &object) == cuda::success);
  BOOST_CHECK(owner == cudax::runtime::memory_owner::unregistered);
  BOOST_TEST((!primary(0) && !primary(1) && !current()));
  // As soon as other code uses the device, queries reach it.
  std::jthread([&] { use_device(1); }).join();
  BOOST_TEST(e.query_device(1) == cuda::not_ready);
  BOOST_TEST(e.query_device(0) == cuda::success);
  BOOST_TEST(e.query_stream(nullptr) == cuda::success); // of this thread's device, which is 0
  choose_device(1);
  BOOST_TEST(e.query_stream(nullptr) == cuda::not_ready);
  BOOST_TEST(e.query_device(-1) == cuda::not_ready);
  BOOST_TEST((!primary(0) && !current() && references(1) == 0));
}

BOOST_AUTO_TEST_CASE(a_wait_for_another_device_queries_it_and_keeps_the_context) {
  std::jthread([&] { use_device(1); }).join();
  use_device(0);
  CUcontext const before = current();
  BOOST_TEST(execution_calls_of_cuda.query_device(1) == cuda::success);
  BOOST_TEST(log.back() == "query@1");
  BOOST_TEST(current() == before);
  BOOST_TEST(execution_calls_of_cuda.query_device(0) == cuda::success);
  BOOST_TEST(log.back() == "query@0");
}

BOOST_AUTO_TEST_CASE(the_first_allocation_creates_a_context_and_keeps_it) {
  choose_device(1);
  BOOST_TEST(allocate_and_free(false) == cuda::success);
  BOOST_TEST((primary(1) != nullptr && !primary(0) && !current()));
  BOOST_TEST(references(1) == 1);
  BOOST_TEST(allocate_and_free(true) == cuda::success);
  BOOST_TEST(register_and_release() == cuda::success);
  BOOST_TEST(references(1) == 1); // the other references were released
  choose_device(0);               // device 0 has no context: that of device 1 is used
  BOOST_TEST(allocate_and_free(false) == cuda::success);
  BOOST_TEST(register_and_release() == cuda::success);
  BOOST_TEST((!primary(0) && references(1) == 1 && !current()));
}

BOOST_AUTO_TEST_CASE(memory_is_freed_in_its_own_context_from_any_thread) {
  CUcontext const mine = make_context(1);
  void *mapped = nullptr, *managed = nullptr, *device = nullptr;
  BOOST_TEST(calls_of_cuda.allocate_mapped(&mapped, 16) == cuda::success);
  BOOST_TEST(calls_of_cuda.allocate_managed(&managed, 16) == cuda::success);
  BOOST_TEST(calls_of_cuda.register_memory(&object, 1) == cuda::success);
  std::jthread([&] {
    BOOST_TEST(calls_of_cuda.device_address(&device, mapped) == cuda::success);
    BOOST_TEST(calls_of_cuda.free_mapped(mapped) == cuda::success);
    BOOST_TEST(calls_of_cuda.free_managed(managed) == cuda::success);
    BOOST_TEST(calls_of_cuda.unregister_memory(&object) == cuda::success);
    BOOST_TEST(execution_calls_of_cuda.query_stream(make_stream(mine)) == cuda::success);
    BOOST_TEST(!current());
  }).join();
  BOOST_TEST((memory.empty() && !primary(0) && !primary(1)));
}

BOOST_AUTO_TEST_CASE(after_a_reset_the_old_context_is_not_used_and_freeing_creates_none) {
  use_device(0);
  CUcontext const old = current();
  BOOST_TEST(calls_of_cuda.register_memory(&object, 1) == cuda::success);
  void* mapped = nullptr;
  BOOST_TEST(calls_of_cuda.allocate_mapped(&mapped, 16) == cuda::success);
  reset_device(0);
  BOOST_TEST(calls_of_cuda.unregister_memory(&object) == cuda::not_registered);
  BOOST_TEST(calls_of_cuda.free_mapped(mapped) == cuda::invalid_value);
  BOOST_TEST(execution_calls_of_cuda.query_device(0) == cuda::success);
  BOOST_TEST(execution_calls_of_cuda.query_stream(nullptr) == cuda::success);
  BOOST_TEST(!primary(0));
  BOOST_TEST(register_and_release() == cuda::success); // new memory creates a context
  BOOST_TEST((primary(0) != nullptr && primary(0) != old));
  BOOST_TEST(current() == old); // unchanged: the runtime's next call replaces it
  BOOST_TEST(references(0) == 1);
  reset_device(0);
  BOOST_TEST(allocate_and_free(true) == cuda::success);
}

BOOST_AUTO_TEST_CASE(no_call_disturbs_a_capture_and_the_thread_s_mode_is_restored) {
  for (bool const has_context : {false, true}) {
    if (has_context) use_device(0);
    for (auto const& each : calls(make_stream(primary(0) ? primary(0) : make_context(0)))) {
      if (!has_context && current()) std::jthread([&] { (void)each.run(); }).join();
      else (void)each.run();
      BOOST_TEST(disturbed == 0, each.name);
    }
  }
  auto const& e = execution_calls_of_cuda;
  cudax::runtime::kernel_description description;
  int blocks = 0;
  BOOST_TEST(e.describe_kernel(&description, &kernel) == cuda::success);
  BOOST_TEST(e.resident_blocks(&blocks, &kernel, 32, 0) == cuda::success);
  BOOST_TEST(blocks == 7);
  cudax::runtime::launch_request const request{&kernel, {4}, {32}, 0, nullptr, nullptr, {2}, true};
  BOOST_TEST(e.resident_clusters(&blocks, &request) == cuda::success);
  BOOST_TEST(blocks == 5);
  BOOST_TEST(e.launch_cooperative(&request) == cuda::success);  // CUDA rejects it in relaxed mode
  BOOST_TEST(e.launch_plain(&request) == cuda::success);        // likewise
  BOOST_TEST(e.launch_programmatic(&request) == cuda::success); // likewise
  BOOST_TEST(e.launch_aside(&request) == cuda::success);
  BOOST_TEST(disturbed == 0);
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
  int code = 0;
  auto const* const d = cudax::runtime::find_driver(code);
  (void)d->cuThreadExchangeStreamCaptureMode(&mode);
  BOOST_TEST(int(mode) == int(CU_STREAM_CAPTURE_MODE_GLOBAL));
}

// Code before sm_90 does not wait for its prerequisites, and takes each block for a cluster. Newer code may need to be
// told that it runs in clusters, be it of one block.
BOOST_AUTO_TEST_CASE(a_grid_may_start_early_only_if_its_code_waits_and_has_the_clusters_that_the_launch_names) {
  auto const& e = execution_calls_of_cuda;
  use_device(0);
  using ids = std::vector<CUlaunchAttributeID>;
  cudax::runtime::launch_request request{&kernel, {4}, {32}, 0, nullptr, nullptr};
  for (int const sm : {75, 80, 89, 90, 100, 120}) {
    code_sm = sm;
    bool const waits = sm >= 90;
    request.cluster = {1};
    for (bool const names : {false, true}) {
      request.names_cluster = names;
      ids expected;
      if (waits && names) expected.push_back(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
      if (waits) expected.push_back(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);
      launch_attributes.clear();
      BOOST_TEST(e.launch_programmatic(&request) == cuda::success);
      BOOST_TEST((launch_attributes == expected), sm);
    }
    request.cluster = {2};
    launch_attributes.clear();
    BOOST_TEST(e.launch_programmatic(&request) == (waits ? cuda::success : cuda::invalid_cluster_size));
    BOOST_TEST(launch_attributes.size() == (waits ? 2u : 0u), sm);
    cudax::runtime::kernel_description description;
    BOOST_TEST(e.describe_kernel(&description, &kernel) == cuda::success);
    BOOST_TEST(description.sm == sm);
  }
  for (bool const names : {false, true}) {
    request.cluster = {1};
    request.names_cluster = names;
    launch_attributes.clear();
    BOOST_TEST(e.launch_cooperative(&request) == cuda::success);
    BOOST_TEST(launch_attributes.size() == 1u + names);
  }
  fail_call(1, CUDA_ERROR_OUT_OF_MEMORY);
  BOOST_TEST(e.launch_programmatic(&request) == cuda::memory_allocation);
}

// The preferred size is for machine code of sm_100 and later. A kernel is permitted large clusters only on request.
BOOST_AUTO_TEST_CASE(a_launch_has_the_attributes_of_its_clusters) {
  auto const& e = execution_calls_of_cuda;
  use_device(0);
  using ids = std::vector<CUlaunchAttributeID>;
  cudax::runtime::launch_request request{&kernel, {8}, {32}, 0, nullptr, nullptr, {2}, true, {4}, true};
  for (int const sm : {89, 90, 100, 120}) {
    code_sm = sm;
    for (bool const early : {false, true}) {
      ids expected;
      if (sm >= 90) expected.push_back(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
      if (sm >= 100) expected.push_back(CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION);
      if (sm >= 90 && early) expected.push_back(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);
      launch_attributes.clear();
      int const code = early ? e.launch_programmatic(&request) : e.launch_plain(&request);
      BOOST_TEST(code == (sm >= 90 ? cuda::success : cuda::invalid_cluster_size));
      BOOST_TEST((launch_attributes == expected), sm);
    }
  }
  BOOST_TEST(permissions == 0);
  request.large_clusters = true;
  int clusters = 0;
  BOOST_TEST(e.launch_plain(&request) == cuda::success);
  BOOST_TEST(permissions == 1);
  BOOST_TEST(e.launch_cooperative(&request) == cuda::success);
  BOOST_TEST(permissions == 2);
  request.names_preferred = false;
  BOOST_TEST(e.resident_clusters(&clusters, &request) == cuda::success);
  BOOST_TEST(permissions == 3);
  fail_call(1, CUDA_ERROR_OUT_OF_MEMORY);
  BOOST_TEST(e.launch_plain(&request) == cuda::memory_allocation);
}

BOOST_AUTO_TEST_CASE(the_error_of_a_launch_survives_successful_and_failing_calls) {
  use_device(0);
  auto const all = calls(make_stream(primary(0)));
  for (cudaError_t const left : {cudaSuccess, cudaErrorInvalidValue, cudaErrorInvalidConfiguration}) {
    leave_error(left);
    for (auto const& each : all) {
      (void)each.run();
      BOOST_TEST(last_error() == left, each.name);
    }
    cudax::runtime::launch_request request{&kernel, {101}, {32}, 0, nullptr, nullptr};
    BOOST_TEST(execution_calls_of_cuda.launch_cooperative(&request) == cuda::cooperative_launch_too_large);
    BOOST_TEST(last_error() == left);
    BOOST_TEST(execution_calls_of_cuda.last_error() == left);
    // For an address that is not a kernel only the runtime can report the error. It may replace the last error, but
    // never clears it.
    cudax::runtime::kernel_description description;
    int blocks = 0;
    request.kernel = nullptr;
    BOOST_TEST(execution_calls_of_cuda.describe_kernel(&description, nullptr) == cuda::invalid_device_function);
    BOOST_TEST(execution_calls_of_cuda.resident_blocks(&blocks, nullptr, 1, 0) == cuda::invalid_device_function);
    BOOST_TEST(execution_calls_of_cuda.resident_clusters(&blocks, &request) == cuda::invalid_device_function);
    BOOST_TEST(execution_calls_of_cuda.launch_cooperative(&request) == cuda::invalid_device_function);
    BOOST_TEST(execution_calls_of_cuda.launch_programmatic(&request) == cuda::invalid_device_function);
    BOOST_TEST(execution_calls_of_cuda.launch_aside(&request) == cuda::invalid_device_function);
    BOOST_TEST((last_error() == cudaSuccess) == (left == cudaSuccess));
  }
}

BOOST_AUTO_TEST_CASE(a_tensor_map_is_made_in_a_context_that_exists) {
  alignas(8) unsigned long long map[16] = {7};
  cudax::runtime::tensor_request const r{3,
                                         7,
                                         3,
                                         4,
                                         {8, 4, 2},
                                         reinterpret_cast<void*>(0x4000),
                                         {20, 5, 6},
                                         {96, 480},
                                         cudax::tensor_fill::nan,
                                         cudax::tensor_promotion::bytes_128,
                                         false,
                                         false,
                                         {},
                                         {},
                                         {},
                                         1};
  auto const& e = execution_calls_of_cuda;
  BOOST_TEST(e.encode_tensor_map(map, &r) == cuda::no_context);
  BOOST_TEST((map[0] == 7 && !primary(0) && !primary(1))); // no context was created
  std::jthread([&] { use_device(1); }).join();
  BOOST_TEST(e.encode_tensor_map(map, &r) == cuda::success);
  BOOST_TEST((log.back() == "encode@1" && !current() && references(1) == 0));
  unsigned long long const expected[16] = {
      7ull << 32 | 1 << 24 | 3 << 16 | 2 << 8 | 1, 0x4000, 20, 5, 6, 0, 0, 96, 480, 0, 0, 8, 4, 2};
  BOOST_TEST(std::memcmp(map, expected, sizeof(map)) == 0);
}

BOOST_AUTO_TEST_CASE(a_map_of_mode_im2col_is_made_by_its_own_function) {
  alignas(8) unsigned long long map[16] = {7};
  cudax::runtime::tensor_request r{};
  r.rank = 4;
  r.type = 7;
  r.element_size = 4;
  r.box[0] = 8, r.box[1] = 100;
  r.address = reinterpret_cast<void*>(0x4000);
  for (unsigned i = 0; i < 4; ++i) r.extents[i] = 8 + i;
  for (unsigned i = 0; i < 3; ++i) r.strides[i] = 32 << i;
  r.is_im2col = true;
  r.lower[0] = -1, r.upper[1] = -2, r.steps[1] = 3;
  std::jthread([&] { use_device(1); }).join();
  BOOST_TEST(execution_calls_of_cuda.encode_tensor_map(map, &r) == cuda::success);
  unsigned long long const expected[16] = {7ull << 32, 0x4000, 8,
                                           9,          10,     11,
                                           0,          32,     64,
                                           128,        0,      8ull << 32 | 100,
                                           0xff,       0xfe00, 1 | 1 << 8 | 3 << 16 | 1 << 24};
  BOOST_TEST(std::memcmp(map, expected, sizeof(map)) == 0);
}

BOOST_AUTO_TEST_CASE(a_driver_without_tensor_maps_serves_all_else) {
  use_device(0);
  int code = 0;
  auto d = *cudax::runtime::find_driver(code);
  d.cuTensorMapEncodeTiled = nullptr;
  d.cuTensorMapEncodeIm2col = nullptr;
  auto const* const before = cudax::runtime::exchange_driver(&d);
  cudax::runtime::tensor_request r{};
  r.rank = 1;
  BOOST_TEST(execution_calls_of_cuda.encode_tensor_map(nullptr, &r) == cuda::not_supported);
  r.is_im2col = true;
  BOOST_TEST(execution_calls_of_cuda.encode_tensor_map(nullptr, &r) == cuda::not_supported);
  BOOST_TEST(register_and_release() == cuda::success);
  cudax::runtime::exchange_driver(before);
}

BOOST_AUTO_TEST_CASE(a_launch_aside_leaves_no_stream) {
  use_device(0);
  cudax::runtime::launch_request const request{&kernel, {}, {}, 0, nullptr, nullptr};
  log.clear();
  BOOST_TEST(execution_calls_of_cuda.launch_aside(&request) == cuda::success);
  BOOST_TEST(log.size() == 3u); // create, launch, destroy
  BOOST_TEST(log.back() == "destroy_stream@0");
  for (int k : {1, 2, 3}) {
    log.clear();
    fail_call(k, CUDA_ERROR_OUT_OF_MEMORY);
    BOOST_TEST(execution_calls_of_cuda.launch_aside(&request) == cuda::memory_allocation);
    BOOST_TEST((k != 2 || log.back() == "destroy_stream@0"));
  }
}

BOOST_AUTO_TEST_CASE(a_failure_of_any_call_of_the_driver_leaks_nothing) {
  std::jthread([&] { use_device(1); }).join(); // device 0 has no context: memory goes to device 1
  CUstream const stream = make_stream(primary(1));
  for (auto const& each : calls(stream)) {
    bool const is_peers = std::string(each.name) == "peer access"; // creates a context, and keeps it
    for (int k = 1;; ++k) {
      int const kept = references(0);
      fail_call(k, CUDA_ERROR_UNKNOWN);
      int const code = each.run();
      bool const came_to_it = failed();
      fail_call(0, CUDA_SUCCESS);
      BOOST_TEST(current() == nullptr, each.name << ", call " << k);
      BOOST_TEST(references(1) == 0, each.name << ", call " << k);
      BOOST_TEST((references(0) == kept || is_peers), each.name << ", call " << k);
      memory.clear(); // of a free that failed
      peers.clear();
      if (!came_to_it) break;
      bool const has_another_way = code == cuda::success || code == cuda::invalid_device;
      BOOST_TEST((code == CUDA_ERROR_UNKNOWN || has_another_way), each.name << ", call " << k << ": " << code);
    }
  }
}

BOOST_AUTO_TEST_CASE(without_a_driver_the_runtime_s_error_is_reported) {
  cudax::runtime::exchange_driver(nullptr);         // no driver on this machine
  cudaError_t const before = cudaPeekAtLastError(); // without a driver always the same
  int code = 0, count = 0;
  auto const* const found = cudax::runtime::find_driver(code);
  BOOST_TEST((found != nullptr) == (code == 0));
  if (found) BOOST_TEST(cudax::runtime::find_driver(code) == found);
  else BOOST_TEST(calls_of_cuda.count_devices(&count) == code);
  BOOST_TEST(cudaPeekAtLastError() == before);
}

// The owner of memory checks that it still exists before it is reused.
BOOST_AUTO_TEST_CASE(memory_exists_as_long_as_its_context) {
  use_device(0);
  for (bool const managed : {false, true}) {
    void* at = nullptr;
    BOOST_REQUIRE((managed ? calls_of_cuda.allocate_managed(&at, 16) : calls_of_cuda.allocate_mapped(&at, 16)) == 0);
    unsigned long long const context = calls_of_cuda.context_of(at);
    BOOST_TEST(context != 0u);
    auto const is_alive = [&] { return calls_of_cuda.is_alive(at, context); };
    BOOST_TEST(is_alive());
    std::jthread([&] { BOOST_TEST(is_alive()); }).join(); // a thread without a context
    std::jthread([&] {                                    // a thread with another context
      use_device(1);
      BOOST_TEST(is_alive());
    })
        .join();
    reset_device(0);
    BOOST_TEST(!is_alive()); // the thread's context was destroyed
    use_device(0);
    BOOST_TEST(!is_alive()); // it has a new one
    memory[at] = current();  // with an allocation at the same address
    BOOST_TEST(!is_alive());
    BOOST_TEST(calls_of_cuda.context_of(at) != context);
    memory.erase(at);
  }
}

BOOST_AUTO_TEST_CASE(a_child_of_fork_gets_an_error_that_cuda_cannot_be_used) {
  use_device(0);
  void* at = nullptr;
  BOOST_REQUIRE(calls_of_cuda.allocate_mapped(&at, 16) == 0);
  unsigned long long const context = calls_of_cuda.context_of(at);
  pid_t const child = fork();
  BOOST_REQUIRE(child >= 0);
  if (child == 0) {
    alarm(240);
    void* other = nullptr;
    bool const right = calls_of_cuda.allocate_mapped(&other, 16) == cuda::not_initialized &&
                       calls_of_cuda.register_memory(&object, 1) == cuda::not_initialized &&
                       !calls_of_cuda.is_alive(at, context);
    char text[400];
    cudax::runtime::explain(cuda::not_initialized, text, sizeof(text));
    _exit(right && std::string(text).find("a child of fork() cannot use CUDA") != std::string::npos ? 0 : 1);
  }
  int status = 0;
  BOOST_REQUIRE(waitpid(child, &status, 0) == child);
  BOOST_TEST((WIFEXITED(status) && WEXITSTATUS(status) == 0), "status " << status);
  BOOST_TEST(calls_of_cuda.free_mapped(at) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
