// SPDX-License-Identifier: Apache-2.0
//
// The driver's functions that cudaGetDriverEntryPoint returns: contexts, last errors, memory; and stream captures.
// Expected results were measured on an H200 (driver 580, CUDA 13.0) or come from cuda.h.
#include "runtime.hpp"

#include <cuda.h>

#include <cstring>
#include <utility>

using namespace cudax_test;

namespace {

template <class Function> Function* entry(char const* name, unsigned version = 12000) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult status{};
  BOOST_REQUIRE_EQUAL(cudaGetDriverEntryPointByVersion(name, &found, version, cudaEnableLegacyStream, &status),
                      cudaSuccess);
  BOOST_REQUIRE(found && status == cudaDriverEntryPointSuccess);
  return reinterpret_cast<Function*>(found);
}
#define DRIVER(name) entry<decltype(::name)>(#name)

CUcontext current() {
  CUcontext context = nullptr;
  BOOST_REQUIRE_EQUAL(DRIVER(cuCtxGetCurrent)(&context), CUDA_SUCCESS);
  return context;
}

bool is_active() {
  unsigned flags = 0;
  int active = 0;
  BOOST_REQUIRE_EQUAL(DRIVER(cuDevicePrimaryCtxGetState)(0, &flags, &active), CUDA_SUCCESS);
  return active != 0;
}

template <class Body> void in_a_fresh_thread(Body body) { std::jthread(body).join(); }

struct fixture {
  fixture() { SUCCEEDS(cudaDeviceReset()); }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(driver, fixture)

BOOST_AUTO_TEST_CASE(missing_functions_and_other_versions_are_not_found) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult status{};
  SUCCEEDS(cudaGetDriverEntryPointByVersion("cuCtxCreate", &found, 13000, 0, &status));
  BOOST_CHECK(!found && status == cudaDriverEntryPointVersionNotSufficent);
  SUCCEEDS(cudaGetDriverEntryPointByVersion("cuMemHostAlloc", &found, 2010, 0, &status));
  BOOST_CHECK(!found && status == cudaDriverEntryPointVersionNotSufficent);
  SUCCEEDS(cudaGetDriverEntryPointByVersion("cuGraphCreate", &found, 12000, 0, &status));
  BOOST_CHECK(!found && status == cudaDriverEntryPointSymbolNotFound);
}

BOOST_AUTO_TEST_CASE(functions_are_found_by_the_driver_too) {
  void* found = nullptr;
  CUdriverProcAddressQueryResult status{};
  auto const find = DRIVER(cuGetProcAddress);
  BOOST_CHECK_EQUAL(find("cuTensorMapEncodeTiled", &found, 12000, 0, &status), CUDA_SUCCESS);
  BOOST_CHECK(found == reinterpret_cast<void*>(DRIVER(cuTensorMapEncodeTiled)) &&
              status == CU_GET_PROC_ADDRESS_SUCCESS);
  BOOST_CHECK_EQUAL(find("cuTensorMapEncodeTiled", &found, 11080, 0, &status), CUDA_SUCCESS);
  BOOST_CHECK(!found && status == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
  BOOST_CHECK_EQUAL(find("cuGraphCreate", &found, 12000, 0, &status), CUDA_ERROR_NOT_FOUND);
  BOOST_CHECK(!found && status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
}

BOOST_AUTO_TEST_CASE(the_runtime_creates_contexts_on_demand_and_the_driver_does_not) {
  in_a_fresh_thread([] {
    BOOST_CHECK(!is_active());
    int number = 0;
    cudaPointerAttributes attributes;
    SUCCEEDS(cudaGetDevice(&number));
    SUCCEEDS(cudaGetDeviceCount(&number));
    SUCCEEDS(cudaPointerGetAttributes(&attributes, &number));
    void* at = nullptr;
    CUdeviceptr device = 0;
    BOOST_CHECK_EQUAL(DRIVER(cuMemHostAlloc)(&at, 16, 0), CUDA_ERROR_INVALID_CONTEXT);
    BOOST_CHECK_EQUAL(DRIVER(cuMemAllocManaged)(&device, 16, CU_MEM_ATTACH_GLOBAL), CUDA_ERROR_INVALID_CONTEXT);
    BOOST_CHECK_EQUAL(DRIVER(cuStreamQuery)(nullptr), CUDA_ERROR_INVALID_CONTEXT);
    BOOST_CHECK(!is_active() && !current());
    SUCCEEDS(cudaStreamQuery(nullptr));
    BOOST_CHECK(is_active() && current());
  });
  BOOST_CHECK(is_active() && !current()); // this thread has no current context
}

BOOST_AUTO_TEST_CASE(a_primary_context_exists_until_its_last_reference_ends) {
  CUcontext context = nullptr, same = nullptr;
  BOOST_CHECK_EQUAL(DRIVER(cuDevicePrimaryCtxRelease)(0), CUDA_ERROR_INVALID_CONTEXT);
  BOOST_CHECK_EQUAL(DRIVER(cuDevicePrimaryCtxRetain)(&context, 0), CUDA_SUCCESS);
  BOOST_CHECK_EQUAL(DRIVER(cuDevicePrimaryCtxRetain)(&same, 0), CUDA_SUCCESS);
  BOOST_CHECK(context == same && is_active() && !current());
  BOOST_CHECK_EQUAL(DRIVER(cuDevicePrimaryCtxRelease)(0), CUDA_SUCCESS);
  BOOST_CHECK(is_active());
  BOOST_CHECK_EQUAL(DRIVER(cuDevicePrimaryCtxRelease)(0), CUDA_SUCCESS);
  BOOST_CHECK(!is_active());
  BOOST_CHECK_EQUAL(DRIVER(cuCtxPushCurrent)(context), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  BOOST_CHECK_EQUAL(DRIVER(cuDevicePrimaryCtxRetain)(&context, 7), CUDA_ERROR_INVALID_DEVICE);
}

BOOST_AUTO_TEST_CASE(contexts_can_be_pushed_and_popped_and_the_program_s_own_stays) {
  in_a_fresh_thread([] {
    CUcontext context = nullptr, popped = nullptr;
    auto* const create = entry<CUresult(CUcontext*, unsigned, CUdevice)>("cuCtxCreate", 3020);
    BOOST_CHECK_EQUAL(create(&context, 0, 0), CUDA_SUCCESS);
    BOOST_CHECK(current() == context);
    SUCCEEDS(cudaStreamQuery(nullptr)); // in this context
    BOOST_CHECK(current() == context && !is_active());
    BOOST_CHECK_EQUAL(DRIVER(cuCtxPopCurrent)(&popped), CUDA_SUCCESS);
    BOOST_CHECK(popped == context && !current());
    BOOST_CHECK_EQUAL(DRIVER(cuCtxPopCurrent)(&popped), CUDA_ERROR_INVALID_CONTEXT);
    BOOST_CHECK_EQUAL(DRIVER(cuCtxSetCurrent)(context), CUDA_SUCCESS);
    SUCCEEDS(cudaSetDevice(0)); // selects the device's primary context
    BOOST_CHECK(current() != context && is_active());
    BOOST_CHECK_EQUAL(DRIVER(cuCtxDestroy)(context), CUDA_SUCCESS);
    BOOST_CHECK_EQUAL(DRIVER(cuCtxDestroy)(context), CUDA_ERROR_INVALID_CONTEXT);
  });
}

BOOST_AUTO_TEST_CASE(a_reset_destroys_the_context_and_its_memory) {
  void* at = nullptr;
  SUCCEEDS(cudaHostAlloc(&at, 16, 0));
  CUcontext const old = current();
  SUCCEEDS(cudaDeviceReset());
  BOOST_CHECK(!is_active() && current() == old);
  BOOST_CHECK_EQUAL(DRIVER(cuMemFreeHost)(at), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  RETURNS(cudaErrorInvalidValue, cudaFreeHost(at)); // the runtime creates a new context
  BOOST_CHECK(is_active() && current() != old);
}

BOOST_AUTO_TEST_CASE(the_driver_keeps_the_last_error_and_shares_streams_and_events) {
  stream s;
  event e;
  RETURNS(cudaErrorInvalidDevice, cudaSetDevice(3));
  BOOST_CHECK_EQUAL(cudaSetDevice(3), cudaErrorInvalidDevice);
  void* at = nullptr;
  BOOST_CHECK_EQUAL(DRIVER(cuMemHostAlloc)(&at, std::size_t(1) << 60, 0), CUDA_ERROR_OUT_OF_MEMORY);
  BOOST_CHECK_EQUAL(DRIVER(cuMemHostAlloc)(&at, 16, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP),
                    CUDA_SUCCESS);
  CUcontext owner = nullptr;
  auto const number = reinterpret_cast<CUdeviceptr>(at);
  BOOST_CHECK_EQUAL(DRIVER(cuPointerGetAttribute)(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, number), CUDA_SUCCESS);
  BOOST_CHECK(owner == current());
  BOOST_CHECK_EQUAL(DRIVER(cuMemFreeHost)(at), CUDA_SUCCESS);
  BOOST_CHECK_EQUAL(DRIVER(cuMemFreeHost)(at), CUDA_ERROR_INVALID_VALUE);
  mapped_word gate;
  SUCCEEDS(launch(kernels::wait_for, 1, 1, s.handle, gate.at, 1u));
  SUCCEEDS(cudaEventRecord(e.handle, s.handle));
  BOOST_CHECK_EQUAL(DRIVER(cuStreamQuery)(s.handle), CUDA_ERROR_NOT_READY);
  BOOST_CHECK_EQUAL(DRIVER(cuEventQuery)(e.handle), CUDA_ERROR_NOT_READY);
  BOOST_CHECK_EQUAL(DRIVER(cuStreamGetCtx)(s.handle, &owner), CUDA_SUCCESS);
  BOOST_CHECK(owner == current());
  gate.store(1);
  SUCCEEDS(cudaStreamSynchronize(s.handle));
  BOOST_CHECK_EQUAL(DRIVER(cuStreamQuery)(s.handle), CUDA_SUCCESS);
  BOOST_CHECK_EQUAL(cudaGetLastError(), cudaErrorInvalidDevice); // unchanged
}

BOOST_AUTO_TEST_CASE(the_address_of_a_tensor_map_can_be_replaced) {
  void* data = nullptr;
  SUCCEEDS(cudaMalloc(&data, 4096));
  void* const after = static_cast<char*>(data) + 64;
  auto const map_at = [](void* address) {
    CUtensorMap map;
    cuuint64_t const extent[] = {32, 8}, stride[] = {128};
    cuuint32_t const box[] = {32, 8}, step[] = {1, 1};
    BOOST_REQUIRE_EQUAL(DRIVER(cuTensorMapEncodeTiled)(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, address, extent, stride,
                                                       box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                                       CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                                       CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
                        CUDA_SUCCESS);
    return map;
  };
  CUtensorMap map = map_at(data);
  CUtensorMap const other = map_at(after);
  BOOST_CHECK_EQUAL(DRIVER(cuTensorMapReplaceAddress)(&map, after), CUDA_SUCCESS);
  BOOST_CHECK(std::memcmp(&map, &other, sizeof(map)) == 0);
  BOOST_CHECK_EQUAL(DRIVER(cuTensorMapReplaceAddress)(&map, static_cast<char*>(data) + 4), CUDA_ERROR_INVALID_VALUE);
  map = {};
  BOOST_CHECK_EQUAL(DRIVER(cuTensorMapReplaceAddress)(&map, data), CUDA_ERROR_INVALID_VALUE);
  SUCCEEDS(cudaFree(data));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(captures, fixture)

namespace {

void begin(stream const& s, cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
  SUCCEEDS(cudaStreamBeginCapture(s.handle, mode));
}
cudaError_t end(stream const& s) {
  cudaGraph_t graph = nullptr;
  cudaError_t const code = cudaStreamEndCapture(s.handle, &graph);
  BOOST_CHECK_EQUAL(graph != nullptr, code == cudaSuccess);
  if (graph) SUCCEEDS(cudaGraphDestroy(graph));
  (void)cudaGetLastError();
  return code;
}

} // namespace

BOOST_AUTO_TEST_CASE(captured_work_does_not_run) {
  stream s;
  mapped_word word;
  begin(s);
  SUCCEEDS(launch(kernels::set, 1, 1, s.handle, word.at, 3u));
  auto status = cudaStreamCaptureStatusNone;
  SUCCEEDS(cudaStreamIsCapturing(s.handle, &status));
  BOOST_CHECK_EQUAL(status, cudaStreamCaptureStatusActive);
  SUCCEEDS(end(s));
  SUCCEEDS(cudaStreamSynchronize(s.handle));
  BOOST_CHECK_EQUAL(word.load(), 0u);
  BOOST_CHECK_EQUAL(end(s), cudaErrorIllegalState);
}

BOOST_AUTO_TEST_CASE(an_allocation_invalidates_captures_according_to_their_modes) {
  stream s;
  constexpr auto global = cudaStreamCaptureModeGlobal, local = cudaStreamCaptureModeThreadLocal,
                 relaxed = cudaStreamCaptureModeRelaxed;
  struct {
    cudaStreamCaptureMode capture, thread;
    bool same_thread, ends;
  } const cases[] = {
      {global, global, false, true},  {global, local, false, false},   {global, relaxed, false, false},
      {local, global, false, false},  {relaxed, global, false, false}, {global, global, true, true},
      {local, global, true, true},    {global, local, true, true},     {global, relaxed, true, false},
      {relaxed, global, true, false},
  };
  for (auto const& c : cases) {
    begin(s, c.capture);
    auto const allocate = [&] {
      auto mode = c.thread;
      SUCCEEDS(cudaThreadExchangeStreamCaptureMode(&mode));
      void* at = nullptr;
      BOOST_CHECK_EQUAL(cudaHostAlloc(&at, 16, 0), c.ends ? cudaErrorStreamCaptureUnsupported : cudaSuccess);
      if (at) SUCCEEDS(cudaFreeHost(at));
      SUCCEEDS(cudaThreadExchangeStreamCaptureMode(&mode));
      BOOST_CHECK_EQUAL(mode, c.thread);
    };
    if (c.same_thread) allocate();
    else in_a_fresh_thread(allocate);
    BOOST_CHECK_EQUAL(end(s), c.ends ? cudaErrorStreamCaptureInvalidated : cudaSuccess);
  }
}

BOOST_AUTO_TEST_CASE(the_legacy_stream_cannot_be_used_while_a_blocking_stream_captures) {
  stream blocking, free(cudaStreamNonBlocking);
  auto status = cudaStreamCaptureStatusNone;
  begin(blocking);
  RETURNS(cudaErrorStreamCaptureImplicit, cudaStreamIsCapturing(nullptr, &status));
  SUCCEEDS(end(blocking)); // the query has not ended the capture
  begin(blocking);
  RETURNS(cudaErrorStreamCaptureImplicit, launch(kernels::trap, 1, 1, nullptr));
  BOOST_CHECK_EQUAL(end(blocking), cudaErrorStreamCaptureInvalidated);
  begin(free);
  mapped_word* word = nullptr;
  in_a_fresh_thread([&] {
    auto mode = cudaStreamCaptureModeRelaxed;
    SUCCEEDS(cudaThreadExchangeStreamCaptureMode(&mode));
    word = new mapped_word;
  });
  SUCCEEDS(launch(kernels::set, 1, 1, nullptr, word->at, 5u));
  SUCCEEDS(end(free));
  SUCCEEDS(cudaDeviceSynchronize());
  BOOST_CHECK_EQUAL(word->load(), 5u);
  delete word;
}

BOOST_AUTO_TEST_SUITE_END()
