// SPDX-License-Identifier: Apache-2.0
//
// In checked builds every operation of a host thread at system scope checks whether it is atomic with respect to the
// devices. With CUDAX_ATOMICITY=stop, the answer no stops the program. The machine has one GPU on a bus. When
// operations check, and the other settings: atomicity_check.cpp.
#include "../../../runtime/cuda/cuda_calls.hpp"
#include "runtime/simulated/held_streams.hpp"
#include "support/death.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <system_error>
#include <type_traits>
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
  calls.register_memory = [](void*, std::size_t) { return 0; };
  calls.unregister_memory = [](void*) { return 0; };
  calls.device_address = [](void** device, void* host) { return *device = host, 0; };
  return calls;
}

/// An object that devices can access, for operations on it; or an array of four.
template <class Object> struct in_mapped_memory {
  mapped_ptr<Object> const object;

  explicit in_mapped_memory(char const* report = "stop") : object((use_machine(), make())) {
    setenv("CUDAX_ATOMICITY", report, 1);
  }

private:
  static mapped_ptr<Object> make() {
    if constexpr (std::is_array_v<Object>) return make_mapped<Object>(4);
    else return make_mapped<Object>();
  }
  static void use_machine() {
    static runtime::cuda_calls const calls = machine();
    runtime::exchange_calls(calls);
  }
};

template <class T = int, thread_scope S = thread_scope_system> using mapped_atomic = in_mapped_memory<atomic<T, S>>;
struct three {
  char a, b, c;
};
struct alignas(16) sixteen {
  long long a, b;
  bool operator==(sixteen const&) const = default;
};

} // namespace

#define NOT_ATOMIC(bytes)                                                                                              \
  "cudax.sync: a host thread's read-modify-write of " bytes                                                            \
  " at 0x*This is correct only as long as no device modifies "                                                         \
  "the object (CUDAX_ATOMICITY=stop)"
#define ONE_BYTE NOT_ATOMIC("1 byte")
#define BYTES(count) NOT_ATOMIC(#count " bytes")

DEATH("fetch_add", BYTES(4)) { mapped_atomic<>().object->fetch_add(1); }
DEATH("fetch_add of a floating-point number", BYTES(8)) { mapped_atomic<double>().object->fetch_add(1.0); }
DEATH("fetch_max of a floating-point number", BYTES(4)) { mapped_atomic<float>().object->fetch_max(1.0f); }
DEATH("fetch_or of a byte", ONE_BYTE) { mapped_atomic<unsigned char>().object->fetch_or(1); }
DEATH("store_add", BYTES(4)) { mapped_atomic<>().object->store_add(1); }
DEATH("store_min", BYTES(8)) { mapped_atomic<long>().object->store_min(1); }
DEATH("increment", BYTES(4)) { ++*mapped_atomic<>().object; }
DEATH("atomic_ref", BYTES(4)) {
  in_mapped_memory<int> m;
  atomic_ref(*m.object).fetch_sub(1);
}
DEATH("exchange", BYTES(2)) { (void)mapped_atomic<short>().object->exchange(1); }
DEATH("exchange of 16 bytes", BYTES(16)) { (void)mapped_atomic<sixteen>().object->exchange({1, 2}); }
DEATH("compare_exchange", BYTES(4)) {
  int expected = hidden(0);
  (void)mapped_atomic<>().object->compare_exchange_strong(expected, 1);
}
DEATH("compare_exchange of 16 bytes", BYTES(16)) {
  sixteen expected{0, 0};
  (void)mapped_atomic<sixteen>().object->compare_exchange_weak(expected, {1, 2});
}
DEATH("a compare_exchange that fails", BYTES(4)) {
  int expected = hidden(1);
  (void)mapped_atomic<>().object->compare_exchange_strong(expected, 2);
}
DEATH("test_and_set", BYTES(4)) {
  in_mapped_memory<atomic_flag> m;
  (void)m.object->test_and_set();
}
// Every access to an atomic with a lock takes a ticket.
DEATH("a load of three bytes", BYTES(4)) { (void)mapped_atomic<three>().object->load(); }
DEATH("a store of three bytes", BYTES(4)) { mapped_atomic<three>().object->store({}); }

// Primitives built on atomics. An object without a count is default-constructed, and init() gives it a count.
template <class Object> struct with_count : in_mapped_memory<Object> {
  explicit with_count(int count) { init(this->object.get(), count); }
};
DEATH("count_down of a latch", BYTES(8)) { with_count<latch<>>(1).object->count_down(); }
DEATH("count_down of a latch by a group", BYTES(8)) { with_count<latch<>>(1).object->count_down(this_thread); }
DEATH("arrive_and_wait at a latch", BYTES(8)) { with_count<latch<>>(1).object->arrive_and_wait(); }
DEATH("arrive at a barrier", BYTES(8)) { (void)with_count<barrier<>>(2).object->arrive(); }
DEATH("arrive_and_wait at a barrier", BYTES(8)) { with_count<barrier<>>(1).object->arrive_and_wait(); }
DEATH("arrive_and_drop at a barrier", BYTES(8)) { with_count<barrier<>>(2).object->arrive_and_drop(); }
DEATH("a barrier with a completion", BYTES(8)) {
  struct completion {
    void operator()() const noexcept {}
  };
  (void)with_count<barrier<thread_scope_system, completion>>(2).object->arrive();
}
DEATH("a part of a reduction", BYTES(4)) {
  in_mapped_memory<reduce_state<int, thread_scope_system, 4>> m;
  reduce(*m.object, reduce_part{0, 2}, 1, [](int a, int b) { return a + b; }, [](int) {});
}
DEATH("a part of a reduction that returns the result to every part", BYTES(4)) {
  in_mapped_memory<reduce_state<int, thread_scope_system, 4>> m;
  (void)reduce(*m.object, reduce_part{0, 1}, 1, [](int a, int b) { return a + b; });
}
DEATH("producer_commit of a pipeline", BYTES(8)) {
  in_mapped_memory<pipeline_shared_state<thread_scope_system, 2>> m;
  auto p = make_pipeline(this_thread, m.object.get());
  p.producer_acquire();
  p.producer_commit();
}
DEATH("quitting a pipeline", BYTES(4)) {
  in_mapped_memory<pipeline_shared_state<thread_scope_system, 2>> m;
  (void)make_pipeline(this_thread, m.object.get());
}
DEATH("a semaphore's release", BYTES(4)) { with_count<counting_semaphore<>>(0).object->release(); }
DEATH("a semaphore's acquire", BYTES(4)) { with_count<counting_semaphore<>>(1).object->acquire(); }
DEATH("a semaphore with a large count", BYTES(8)) {
  with_count<counting_semaphore<thread_scope_system, 1ll << 40>>(1).object->acquire();
}
DEATH("a binary semaphore's acquire", BYTES(4)) { with_count<binary_semaphore<>>(1).object->acquire(); }
// A store, which a concurrent acquire by the device may overwrite.
DEATH("a binary semaphore's release", BYTES(4)) { with_count<binary_semaphore<>>(0).object->release(); }
DEATH("a fair semaphore's acquire", BYTES(4)) { with_count<fair_semaphore<>>(1).object->acquire(); }
DEATH("a fair semaphore's try_acquire", BYTES(4)) { (void)with_count<fair_semaphore<>>(1).object->try_acquire(); }
DEATH("a fair semaphore's release", BYTES(4)) { with_count<fair_semaphore<>>(0).object->release(); }
DEATH("a mutex", BYTES(4)) { in_mapped_memory<mutex<>>().object->lock(); }
DEATH("a mutex's try_lock", BYTES(4)) { (void)in_mapped_memory<mutex<>>().object->try_lock(); }
DEATH("a ticket mutex", BYTES(4)) { in_mapped_memory<ticket_mutex<>>().object->lock(); }
DEATH("two mutexes", BYTES(4)) {
  in_mapped_memory<mutex<>> a;
  mutex<> b{};
  scoped_lock const guard(b, *a.object);
}
DEATH("call_once", BYTES(4)) {
  in_mapped_memory<once_flag> m;
  call_once(*m.object, [] {});
}

// An object of 1 or 2 bytes whose word contains other objects.
#define SHARED_WORD(what)                                                                                              \
  "cudax.sync: " what                                                                                                  \
  " at 0x*This is correct only as long as devices do nothing but load and store the objects in the word "              \
  "(CUDAX_ATOMICITY=stop)"
DEATH("a store to an element of one byte", SHARED_WORD("a host thread's store of 1 byte")) {
  in_mapped_memory<atomic<bool>[]> m;
  m.object[1].store(true);
}
DEATH("a store to an element of two bytes", SHARED_WORD("a host thread's store of 2 bytes")) {
  in_mapped_memory<atomic<short>[]> m;
  m.object[2].store(1);
}
DEATH("a registered flag of one byte", SHARED_WORD("registered: an object of 1 byte")) {
  in_mapped_memory<int> m; // installs the simulated machine
  alignas(4) static atomic<bool> flags[4];
  registered<atomic<bool>> const r(flags[1]);
}
DEATH("a registered object of two bytes", SHARED_WORD("registered: an object of 2 bytes")) {
  in_mapped_memory<int> m;
  alignas(4) static short numbers[2];
  registered<short> const r(numbers[1]);
}
SURVIVAL("small objects with a separate word, or that are only loaded") {
  mapped_atomic<bool> m;
  m.object->store(hidden(1));
  in_mapped_memory<atomic<short>[]> a;
  (void)a.object[1].load();
  struct alignas(4) own_word {
    atomic<bool> flag;
  };
  static own_word flag;
  registered<own_word> const r(flag);
  flag.flag.store(true);
  static char buffer[7];
  registered<char[]> const text(buffer, 7); // bytes that no thread modifies atomically
  static char const fixed = 'c';
  registered<char const> const s(fixed);
}

SURVIVAL("loads and stores") {
  mapped_atomic<> m;
  m.object->store(hidden(1));
  (void)m.object->load();
  mapped_atomic<sixteen> wide;
  wide.object->store({1, 2});
  (void)wide.object->load();
}
SURVIVAL("a stop state, each word of which only one side modifies") {
  in_mapped_memory<stop_state<>> m;
  stop_source const source(*m.object);
  int calls = 0;
  stop_callback const called(source.get_token(), [&] { ++calls; });
  {
    stop_callback const ended(source.get_token(), [&] { ++calls; });
  }
  if (!source.request_stop() || source.request_stop() || calls != 1) std::puts("the request went wrong");
}
SURVIVAL("a scope without devices") {
  mapped_atomic<int, thread_scope_device>().object->fetch_add(1);
  mapped_atomic<int, thread_scope_thread>().object->fetch_add(1);
}
SURVIVAL("memory that no device can access") {
  mapped_atomic<> m;
  atomic<int> a(hidden(1));
  a.fetch_add(1);
  auto const on_heap = new atomic<long>(1);
  on_heap->fetch_add(1);
  delete on_heap;
}
SURVIVAL("the check switched off") {
  mapped_atomic<>("off").object->fetch_add(1);
  alignas(4) static atomic<bool> flags[4];
  registered<atomic<bool>> const r(flags[1]);
  flags[1].store(true);
}
#if !CUDAX_TEST_ABORT_TAKES_STREAMS
DEATH("another thread holds standard output and standard error", BYTES(4)) {
  mapped_atomic<> m;
  cudax_test::hold_for_ever(stdout, stderr);
  m.object->fetch_add(1);
}
#endif
