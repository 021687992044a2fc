// SPDX-License-Identifier: Apache-2.0
//
// In checked builds every operation of a host thread at system scope asks whether it is atomic for the devices, too; with
// CUDAX_ATOMICITY=stop the answer no is the end. The machine has one GPU behind a bus. When it is asked, and what else may
// be answered: atomicity_check.cpp.
#include "../../runtime/cuda_calls.hpp"
#include "support/death.hpp"

#include <cstdlib>
#include <string>
#include <system_error>
#include <vector>
import cudax.sync;
import cudax.sync.host;

using namespace cudax;
using cudax_test::hidden;

namespace {

runtime::cuda_calls machine() {
  runtime::cuda_calls calls = runtime::calls_without_cuda;
  calls.count_devices = [](int* count) { return *count = 1, 0; };
  calls.describe_device = [](runtime::device_description* d, int) {
    *d = {};
    d->compute_capability_major = 9;
    d->can_map_host_memory = 1;
    return 0;
  };
  calls.owner = [](runtime::memory_owner* owner, int*, void const*) {
    *owner = runtime::memory_owner::host;
    return 0;
  };
  calls.allocate_mapped = [](void** at, std::size_t size) {
    *at = std::aligned_alloc(256, (size + 255) / 256 * 256);
    return 0;
  };
  calls.free_mapped = [](void* at) { return std::free(at), 0; };
  calls.device_address = [](void** device, void* host) { return *device = host, 0; };
  return calls;
}

/// An object that the devices reach, for operations on it.
template <class Object> struct in_mapped_memory {
  mapped_ptr<Object> const object;

  explicit in_mapped_memory(char const* report = "stop") : object((use_machine(), make_mapped<Object>())) {
    setenv("CUDAX_ATOMICITY", report, 1);
  }

private:
  static void use_machine() {
    static runtime::cuda_calls const calls = machine();
    runtime::exchange_calls(calls);
  }
};

template <class T = int, thread_scope S = thread_scope_system> using mapped_atomic = in_mapped_memory<atomic<T, S>>;
struct alignas(16) sixteen {
  long long a, b;
  bool operator==(sixteen const&) const = default;
};

} // namespace

#define NOT_ATOMIC(bytes)                                                                                              \
  "cudax.sync: a host thread's read-modify-write of " #bytes                                                           \
  " bytes at 0x*this is right only while no device modifies "                                                          \
  "the object (CUDAX_ATOMICITY=stop)"

DEATH("fetch_add", NOT_ATOMIC(4)) { mapped_atomic<>().object->fetch_add(1); }
DEATH("fetch_add of a floating-point number", NOT_ATOMIC(8)) { mapped_atomic<double>().object->fetch_add(1.0); }
DEATH("fetch_or of a byte", NOT_ATOMIC(1)) { mapped_atomic<unsigned char>().object->fetch_or(1); }
DEATH("store_add", NOT_ATOMIC(4)) { mapped_atomic<>().object->store_add(1); }
DEATH("exchange", NOT_ATOMIC(2)) { (void)mapped_atomic<short>().object->exchange(1); }
DEATH("exchange of 16 bytes", NOT_ATOMIC(16)) { (void)mapped_atomic<sixteen>().object->exchange({1, 2}); }
DEATH("compare_exchange", NOT_ATOMIC(4)) {
  int expected = hidden(0);
  (void)mapped_atomic<>().object->compare_exchange_strong(expected, 1);
}
DEATH("test_and_set", NOT_ATOMIC(4)) {
  in_mapped_memory<atomic_flag> m;
  (void)m.object->test_and_set();
}
DEATH("a latch counts down", NOT_ATOMIC(8)) {
  struct one : latch<> {
    one() : latch(1) {}
  };
  in_mapped_memory<one> m;
  m.object->count_down();
}

SURVIVAL("loads and stores") {
  mapped_atomic<> m;
  m.object->store(hidden(1));
  (void)m.object->load();
  mapped_atomic<sixteen> wide;
  wide.object->store({1, 2});
  (void)wide.object->load();
}
SURVIVAL("a scope that no device is in") {
  mapped_atomic<int, thread_scope_device>().object->fetch_add(1);
  mapped_atomic<int, thread_scope_thread>().object->fetch_add(1);
}
SURVIVAL("memory that no device reaches") {
  mapped_atomic<> m;
  atomic<int> a(hidden(1));
  a.fetch_add(1);
  auto const on_heap = new atomic<long>(1);
  on_heap->fetch_add(1);
  delete on_heap;
}
SURVIVAL("a report that is off") { mapped_atomic<>("off").object->fetch_add(1); }
