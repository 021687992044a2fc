// SPDX-License-Identifier: Apache-2.0
//
// The host runtime with a real device: kernels access registered, mapped and managed objects through device_pointer().
// Device tests of the runner in tests/support: each body runs on the host and launches kernels.
#include "support/test.hpp"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <system_error>
#include <thread>
#include <vector>
import cudax.sync;
import cudax.sync.host;

using namespace cudax_test;

namespace {

template <class T> using system_ref = cudax::atomic_ref<T, cudax::thread_scope_system>;

__global__ void add_one(unsigned* at) { system_ref<unsigned>(*at).store(system_ref<unsigned>(*at).load() + 1); }

__global__ void fill(unsigned* first, unsigned count) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) first[i] = 3 * i + 1;
}

/// Launches, waits, and checks both.
template <class... Parameter, class... Argument>
void run(context& test_, void (*kernel)(Parameter...), Argument... argument) {
  kernel<<<1, 1>>>(argument...);
  CHECK_EQUAL(int(cudaDeviceSynchronize()), 0);
}

unsigned static_object = 10;

/// A message, and the turn: even numbers are the host's turns, odd ones the device's.
struct mailbox {
  unsigned message = 0;
  unsigned turn = 0;
  unsigned wrong = 0;
};
constexpr unsigned rounds = 2000;
constexpr long long patience = 300'000'000'000; // nanoseconds: a message that does not arrive in this time is a failure

/// Waits for its turns, checks the other side's message and leaves its own.
__host__ __device__ void exchange_messages(mailbox& box, unsigned me) {
  system_ref<unsigned> turn(box.turn);
  auto const start = cudax::steady_clock::now();
  for (unsigned i = me; i < rounds; i += 2) {
    while (turn.load(cudax::memory_order_acquire) != i) // pairs with the store below
      if ((cudax::steady_clock::now() - start).count() > patience) {
        box.wrong += 1000;
        return;
      }
    if (box.message != i) box.wrong += 1;
    box.message = i + 1;
    turn.store(i + 1, cudax::memory_order_release);
  }
}
__global__ void device_half(mailbox* box) { exchange_messages(*box, 1); }

void both_halves(context& test_, mailbox& on_host, mailbox* on_device) {
  device_half<<<1, 1>>>(on_device);
  CHECK_EQUAL(int(cudaGetLastError()), 0);
  exchange_messages(on_host, 0);
  CHECK_EQUAL(int(cudaDeviceSynchronize()), 0);
  CHECK_EQUAL(on_host.wrong, 0u);
  CHECK_EQUAL(on_host.message, rounds);
}

bool is_registered(void* at) {
  cudaPointerAttributes attributes;
  CUDA_MUST(cudaPointerGetAttributes(&attributes, at));
  return attributes.type == cudaMemoryTypeHost;
}

template <class Make> double microseconds(int times, Make make) {
  auto const start = std::chrono::steady_clock::now();
  for (int i = 0; i < times; ++i) make();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() / times;
}

} // namespace

DEVICE_TEST("devices() agrees with CUDA's description of the device") {
  auto const devices = cudax::devices();
  CHECK(!devices.empty() && cudax::no_device_reason().empty());
  cudaDeviceProp properties;
  CUDA_MUST(cudaGetDeviceProperties(&properties, 0));
  auto const& d = devices[0];
  CHECK(d.name == properties.name);
  CHECK_EQUAL(d.compute_capability_major, properties.major);
  CHECK_EQUAL(d.multiprocessors, properties.multiProcessorCount);
  CHECK_EQUAL(int(d.unified_addressing), properties.unifiedAddressing);
  CHECK_EQUAL(int(d.can_map_host_memory), properties.canMapHostMemory);
  CHECK_EQUAL(int(d.concurrent_managed_access), properties.concurrentManagedAccess);
  CHECK_EQUAL(int(d.host_native_atomic_supported), properties.hostNativeAtomicSupported);
  CHECK_EQUAL(int(d.pageable_memory_access), properties.pageableMemoryAccess);
  CHECK_EQUAL(int(d.cooperative_launch), properties.cooperativeLaunch);
  for (auto const& each : devices)
    std::printf("device %d: %s, sm_%d%d, %d SMs, managed at once %d, native atomics %d, pageable %d, clusters %d\n",
                each.ordinal, each.name.c_str(), each.compute_capability_major, each.compute_capability_minor,
                each.multiprocessors, each.concurrent_managed_access, each.host_native_atomic_supported,
                each.pageable_memory_access, each.cluster_launch);
}

DEVICE_TEST("a kernel accesses registered static, heap and stack objects in place") {
  unsigned on_stack = 20;
  auto const on_heap = std::make_unique<unsigned>(30);
  for (unsigned* const object : {&static_object, &on_stack, on_heap.get()}) {
    unsigned const before = *object;
    cudax::registered r(*object);
    run(test_, add_one, r.device_pointer());
    CHECK_EQUAL(system_ref<unsigned>(*object).load(), before + 1);
  }
}

DEVICE_TEST("two objects in one page are registered independently") {
  alignas(4096) static unsigned page[1024] = {};
  cudax::registered a(page[3]);
  cudax::registered b(page[900]);
  run(test_, add_one, a.device_pointer());
  a.reset();
  run(test_, add_one, b.device_pointer());
  CHECK(is_registered(&page[3])); // `b` keeps the page registered
  CHECK_EQUAL(page[3], 1u);
  CHECK_EQUAL(page[900], 1u);
  b.reset();
  CHECK(!is_registered(&page[3]));
}

DEVICE_TEST("an array that contains registered objects is contiguous on the device") {
  constexpr unsigned count = 100'000;
  std::vector<unsigned> objects(count);
  cudax::registered a(objects[10'000]);
  cudax::registered b(objects.data() + 50'000, 5'000);
  cudax::registered all(objects.data(), objects.size());
  a.reset();
  b.reset();
  fill<<<20, 256>>>(all.device_pointer(), count);
  CHECK_EQUAL(int(cudaDeviceSynchronize()), 0);
  unsigned wrong = 0;
  for (unsigned i = 0; i < count; ++i) wrong += objects[i] != 3 * i + 1;
  CHECK_EQUAL(wrong, 0u);
  all.reset();
  CHECK(!is_registered(&objects[10'000]) && !is_registered(&objects[0]) && !is_registered(&objects[count - 1]));
}

DEVICE_TEST("memory registered by other code is used and stays registered") {
  constexpr std::size_t page = 4096;
  auto* const pages = static_cast<unsigned char*>(std::aligned_alloc(page, 4 * page));
  CUDA_MUST(cudaHostRegister(pages + page, page, cudaHostRegisterDefault));
  {
    cudax::registered all(reinterpret_cast<unsigned*>(pages), 4 * page / sizeof(unsigned));
    fill<<<1, 256>>>(all.device_pointer(), 4 * page / sizeof(unsigned));
    CHECK_EQUAL(int(cudaDeviceSynchronize()), 0);
    CHECK_EQUAL(reinterpret_cast<unsigned*>(pages)[4095], 3u * 4095 + 1);
  }
  CHECK(is_registered(pages + page));
  CHECK(!is_registered(pages) && !is_registered(pages + 2 * page));
  CUDA_MUST(cudaHostUnregister(pages + page));

  // Registers other bytes of the same page.
  CUDA_MUST(cudaHostRegister(pages + 128, 64, cudaHostRegisterDefault));
  {
    auto& object = *reinterpret_cast<unsigned*>(pages + 512);
    object = 5;
    std::error_code error;
    cudax::registered r(object, error);
    std::printf("an object in a page of which others registered other bytes: %s\n",
                error ? error.message().c_str() : "registered by its bytes");
    if (!error) {
      run(test_, add_one, r.device_pointer());
      CHECK_EQUAL(object, 6u);
    }
    CHECK(error ? error.value() == cudaErrorHostMemoryAlreadyRegistered : is_registered(&object));
  }
  CUDA_MUST(cudaHostUnregister(pages + 128));
  std::free(pages);

  unsigned* allocated = nullptr;
  CUDA_MUST(cudaHostAlloc(reinterpret_cast<void**>(&allocated), 3 * page, cudaHostAllocDefault));
  allocated[1000] = 1;
  {
    cudax::registered r(allocated, 3 * page / sizeof(unsigned));
    run(test_, add_one, r.device_pointer() + 1000);
  }
  CHECK_EQUAL(allocated[1000], 2u);
  CUDA_MUST(cudaFreeHost(allocated));

  auto const managed = cudax::make_managed<unsigned>(7u);
  {
    cudax::registered r(*managed);
    run(test_, add_one, r.device_pointer());
  }
  CHECK_EQUAL(*managed, 8u);
}

DEVICE_TEST("a failed registration leaves no last error") {
  static unsigned const read_only = 1;
  std::error_code error;
  cudax::registered r(read_only, error);
  std::printf("a static const object: %s\n", error ? error.message().c_str() : "registered");
  CHECK(bool(error) != bool(r));
  cudax::registered<unsigned[]> none(nullptr, 1, error);
  CHECK(error == std::errc::invalid_argument);
  CHECK_EQUAL(int(cudaGetLastError()), 0);
}

DEVICE_TEST("host and device can access make_mapped and make_managed objects") {
  auto const mapped = cudax::make_mapped<unsigned>(1u);
  run(test_, add_one, mapped.device_pointer());
  CHECK_EQUAL(system_ref<unsigned>(*mapped).load(), 2u);
  auto const managed = cudax::make_managed<unsigned>(5u);
  run(test_, add_one, managed.device_pointer());
  CHECK_EQUAL(system_ref<unsigned>(*managed).load(), 6u);

  struct alignas(8192) aligned {
    unsigned value = 9;
  };
  auto const wide = cudax::make_mapped<aligned[]>(3);
  CHECK_EQUAL(reinterpret_cast<std::uintptr_t>(wide.device_pointer() + 2) % 8192, std::uintptr_t(0));
  run(test_, add_one, &wide.device_pointer()[2].value);
  CHECK_EQUAL(wide[2].value, 10u);
}

DEVICE_TEST("host and kernel exchange messages in registered, mapped and managed memory") {
  mailbox on_stack;
  cudax::registered r(on_stack);
  both_halves(test_, *r, r.device_pointer());
  auto const mapped = cudax::make_mapped<mailbox>();
  both_halves(test_, *mapped, mapped.device_pointer());
  if (cudax::devices()[0].concurrent_managed_access) {
    auto const managed = cudax::make_managed<mailbox>();
    both_halves(test_, *managed, managed.device_pointer());
  } else {
    std::printf("skipped: messages in managed memory: the device has no concurrent_managed_access\n");
  }
}

DEVICE_TEST("threads register and release neighbours while kernels use them") {
  constexpr unsigned threads = 8, times = 50;
  std::vector<unsigned> objects(threads * 100);
  std::vector<unsigned> wrong(threads);
  {
    std::vector<std::jthread> running;
    for (unsigned t = 0; t < threads; ++t)
      running.emplace_back([&, t] {
        for (unsigned i = 0; i < times; ++i) {
          cudax::registered r(objects[t * 100]);
          add_one<<<1, 1>>>(r.device_pointer());
          wrong[t] += cudaDeviceSynchronize() != cudaSuccess;
          wrong[t] += system_ref<unsigned>(*r).load() != i + 1;
        }
      });
  }
  for (unsigned const count : wrong) CHECK_EQUAL(count, 0u);
  CHECK(!is_registered(objects.data()));
}

DEVICE_TEST("repeated registration and release leaves nothing registered") {
  constexpr std::size_t large = 64 << 20;
  auto const object = std::make_unique<unsigned>(0);
  std::vector<unsigned char> bytes(large);
  unsigned wrong = 0;
  auto const once = [&](auto& what, std::size_t count) {
    cudax::registered r(what, count);
    wrong += r.device_pointer() == nullptr;
  };
  auto* const one = object.get();
  auto* const many = bytes.data();
  double const small_cost = microseconds(1000, [&] { once(one, 1); });
  cudax::registered neighbour(*object);
  double const shared_cost = microseconds(1000, [&] { once(one, 1); });
  neighbour.reset();
  double const large_cost = microseconds(3, [&] { once(many, large); });
  double const mapped_cost = microseconds(200, [] { auto const p = cudax::make_mapped<unsigned>(1u); });
  double const managed_cost = microseconds(200, [] { auto const p = cudax::make_managed<unsigned>(1u); });
  CHECK_EQUAL(wrong, 0u);
  CHECK(!is_registered(one) && !is_registered(many));
  std::printf("register and release: %.1f us an object, %.2f us beside a registered one, %.0f us 64 MiB; make_mapped "
              "%.1f us, make_managed %.1f us\n",
              small_cost, shared_cost, large_cost, mapped_cost, managed_cost);
}
