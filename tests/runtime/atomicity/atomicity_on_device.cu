// SPDX-License-Identifier: Apache-2.0
//
// atomicity() with a real device: what CUDA reports about its memory, and that the answers follow from the attributes
// of the device. `tools/info --experiment` measures whether the answers are true.
#include "support/test.hpp"

#include <cstdlib>
#include <memory>
#include <string>
#include <system_error>
#include <vector>
import cudax.sync;
import cudax.sync.host;

using cudax::atomicity;
using cudax::atomicity_answer;
using cudax::memory_type;

namespace {

constexpr auto load_store = cudax::atomic_operation::load_store;
constexpr auto modify = cudax::atomic_operation::read_modify_write;

memory_type type_of(void const* at) { return atomicity(at, 4, load_store).memory; }

int static_object = 1;

} // namespace

DEVICE_TEST("atomicity() distinguishes the kinds of memory") {
  bool pageable = false;
  for (auto const& d : cudax::devices()) pageable |= d.pageable_memory_access;
  memory_type const of_the_system = pageable ? memory_type::system_allocated : memory_type::unregistered;
  int on_stack = 0;
  auto const on_heap = std::make_unique<int>(0);
  for (int* const object : {&static_object, &on_stack, on_heap.get()}) {
    CHECK(type_of(object) == of_the_system);
    cudax::registered<int> const r(*object);
    CHECK(type_of(object) == memory_type::registered);
  }
  CHECK(type_of(on_heap.get()) == of_the_system);

  CHECK(type_of(cudax::make_mapped<int>(1).get()) == memory_type::mapped);
  CHECK(type_of(cudax::make_managed<int>(1).get()) == memory_type::managed);

  constexpr std::size_t page = 4096;
  char* memory = nullptr;
  CUDA_MUST(cudaHostAlloc(reinterpret_cast<void**>(&memory), page, cudaHostAllocDefault));
  CHECK(type_of(memory + 64) == memory_type::mapped);
  CUDA_MUST(cudaFreeHost(memory));
  CUDA_MUST(cudaMallocManaged(reinterpret_cast<void**>(&memory), page));
  CHECK(type_of(memory + 64) == memory_type::managed);
  CUDA_MUST(cudaFree(memory));
  CUDA_MUST(cudaMalloc(reinterpret_cast<void**>(&memory), page));
  CHECK(type_of(memory + 64) == memory_type::device);
  CUDA_MUST(cudaFree(memory));
  memory = static_cast<char*>(std::aligned_alloc(page, page));
  CUDA_MUST(cudaHostRegister(memory, page, cudaHostRegisterDefault));
  CHECK(type_of(memory + 64) == memory_type::mapped);
  CUDA_MUST(cudaHostUnregister(memory));
  CHECK(type_of(memory + 64) == of_the_system);
  std::free(memory);
}

DEVICE_TEST("the answers follow from the attributes of the device") {
  auto const d = cudax::devices().front();
  auto const of = [&](void const* at, cudax::atomic_operation operation, std::size_t size = 4) {
    return atomicity(at, size, operation, cudax::thread_scope_system, {0});
  };
  auto const mapped = cudax::make_mapped<long long[]>(2);
  CHECK(of(mapped.get(), load_store).answer == atomicity_answer::yes);
  CHECK(of(mapped.get(), load_store, 16).answer == atomicity_answer::yes);
  CHECK(bool(of(mapped.get(), modify)) == d.host_native_atomic_supported);
  auto const managed = cudax::make_managed<int>(1);
  CHECK(bool(of(managed.get(), modify)) == d.concurrent_managed_access);
  CHECK(bool(of(&static_object, modify)) == d.pageable_memory_access);
  unsigned* on_device = nullptr;
  CUDA_MUST(cudaMalloc(reinterpret_cast<void**>(&on_device), 64));
  CHECK(of(on_device, modify).answer == atomicity_answer::devices_only);
  CHECK(atomicity(on_device, 4, modify, cudax::thread_scope_device).answer == atomicity_answer::yes);
  CUDA_MUST(cudaFree(on_device));
}

DEVICE_TEST("a byte of registered memory endangers its neighbours if the link has no native atomics") {
  using cudax::word_neighbours;
  bool native = true;
  for (auto const& d : cudax::devices()) native &= d.host_native_atomic_supported;
  auto const at_risk = [&](void const* at, word_neighbours what) {
    return atomicity(at, 1, modify).neighbours == (native ? word_neighbours::unaffected : what);
  };
  alignas(4) static unsigned char bytes[4];
  cudax::registered<unsigned char[]> const r(bytes + 1, 1);
  CHECK(at_risk(bytes + 1, word_neighbours::other_objects));
  CHECK(atomicity(bytes + 1, 1, load_store).neighbours == word_neighbours::unaffected);
  auto const whole = cudax::make_mapped<int>(1);
  CHECK(at_risk(whole.get(), word_neighbours::same_object));
  CHECK(atomicity(whole.get(), 4, modify).neighbours == word_neighbours::unaffected);
  CHECK(atomicity(cudax::make_mapped<char>('a').get(), 1, modify).neighbours == word_neighbours::unaffected);
  CHECK(atomicity(cudax::make_managed<char[]>(4).get(), 1, modify).neighbours == word_neighbours::unaffected);
  char* memory = nullptr;
  CUDA_MUST(cudaHostAlloc(reinterpret_cast<void**>(&memory), 64, cudaHostAllocDefault));
  CHECK(at_risk(memory, word_neighbours::unknown));
  CUDA_MUST(cudaFreeHost(memory));
}

DEVICE_TEST("links between devices are queried in both directions") {
  auto const devices = cudax::devices();
  CHECK(!devices.empty());
  for (auto const& from : devices)
    for (auto const& to : devices) {
      if (from.ordinal == to.ordinal) continue;
      int native = 0, access = 0;
      CUDA_MUST(cudaDeviceGetP2PAttribute(&native, cudaDevP2PAttrNativeAtomicSupported, from.ordinal, to.ordinal));
      CUDA_MUST(cudaDeviceGetP2PAttribute(&access, cudaDevP2PAttrAccessSupported, from.ordinal, to.ordinal));
      auto const result =
          atomicity(memory_type::device, 4, modify, cudax::thread_scope_system, {to.ordinal, from.ordinal});
      CHECK((result.answer == atomicity_answer::devices_only) == (native && access));
      std::printf("from device %d on device %d: %s\n", from.ordinal, to.ordinal, result.reason.c_str());
    }
  if (devices.size() < 2) std::printf("there is one device: no links\n");
}

DEVICE_TEST("a query that fails leaves no last error") {
  std::error_code error;
  (void)atomicity(&static_object, 4, modify, cudax::thread_scope_system, {1000}, error);
  CHECK(error == std::errc::invalid_argument);
  (void)type_of(&static_object);
  CHECK_EQUAL(int(cudaGetLastError()), 0);
}
