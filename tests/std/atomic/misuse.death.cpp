// SPDX-License-Identifier: Apache-2.0
//
// Misuse that only a run can detect stops the program at the call, with a message: orders that an operation does not
// allow ([atomics.types.operations], preconditions), orders and scopes that do not exist, objects that are not aligned
// ([atomics.ref.ops]; in checked builds, and this file is one). Misuse known at compile time: order.fail.cpp,
// scope.fail.cpp, alignment.fail.cpp.
#include "support/death.hpp"
import cudax.sync;

using namespace cudax;
using cudax_test::hidden;

DEATHS_BEGIN

static memory_order order(int value) { return memory_order(hidden(value)); }
constexpr int consume = 1, acquire = 2, release = 3, acq_rel = 4, no_order = 9;

struct alignas(16) wide {
  unsigned long long low, high;
};
struct three_bytes {
  unsigned char at[3];
};

#define LOAD(value)                                                                                                    \
  "cudax.sync: load: memory order " #value                                                                             \
  " is not allowed; use relaxed, consume, acquire or seq_cst [atomics.types.operations]"
#define STORE(value)                                                                                                   \
  "cudax.sync: store: memory order " #value                                                                            \
  " is not allowed; use relaxed, release or seq_cst [atomics.types.operations]"
#define STORE_KEY(value)                                                                                               \
  "cudax.sync: store_key: memory order " #value " is not allowed; use relaxed, release or seq_cst [atomics.ref.int]"
#define MODIFY(value)                                                                                                  \
  "cudax.sync: read-modify-write: memory order " #value " does not exist; use an enumerator of cudax::memory_order"
#define COMPARE(value)                                                                                                 \
  "cudax.sync: compare_exchange: memory order " #value " does not exist; use an enumerator of cudax::memory_order"
#define FAILURE(value)                                                                                                 \
  "cudax.sync: compare_exchange: failure order " #value                                                                \
  " is not allowed; use relaxed, consume, acquire or seq_cst [atomics.types.operations]"
#define FENCE(value)                                                                                                   \
  "cudax.sync: fence: memory order " #value " does not exist; use an enumerator of cudax::memory_order"

SURVIVAL("orders that are allowed") {
  atomic<int> a;
  atomic<three_bytes> locked;
  atomic_flag f;
  int expected = 0;
  int const of_loads[] = {0, 1, 2, 5}, of_stores[] = {0, 3, 5};
  for (int each : of_loads) {
    a.load(order(each));
    locked.load(order(each));
    f.test(order(each));
    a.compare_exchange_strong(expected, 0, memory_order_relaxed, order(each));
  }
  for (int each : of_stores) {
    a.store(0, order(each));
    a.store_add(0, order(each));
    locked.store({}, order(each));
    f.clear(order(each));
  }
  for (int each = 0; each <= 5; ++each) {
    a.exchange(0, order(each));
    a.fetch_add(0, order(each));
    a.compare_exchange_weak(expected, 0, order(each));
    a.compare_exchange_weak(expected, 0, order(each), memory_order_seq_cst);
    atomic_thread_fence(order(each), thread_scope(hidden(2)));
    atomic_signal_fence(order(each));
  }
}

// --- loads and waits -------------------------------------------------------------------------------------------------
DEATH("load, release", LOAD(3)) { atomic<int>().load(order(release)); }
DEATH("load, acq_rel", LOAD(4)) { atomic<int>().load(order(acq_rel)); }
DEATH("load, no order", LOAD(9)) { atomic<int>().load(order(no_order)); }
DEATH("load, a negative number", LOAD(-1)) { atomic<int>().load(order(-1)); }
DEATH("load of a byte", LOAD(3)) { atomic<char>().load(order(release)); }
DEATH("load of 16 bytes", LOAD(3)) { atomic<wide>().load(order(release)); }
DEATH("load at block scope", LOAD(3)) { atomic<int, thread_scope_block>().load(order(release)); }
DEATH("load at thread scope", LOAD(3)) { atomic<int, thread_scope_thread>().load(order(release)); }
DEATH("load under a lock", LOAD(4)) { atomic<three_bytes>().load(order(acq_rel)); }
// On a device the compiler does not know that the object is automatic.
DEATH("load of an automatic object from a pointer in memory", LOAD(3)) {
  atomic<int> a;
  atomic<int>* volatile at = &a;
  at->load(order(release));
}
DEATH("load through a reference", LOAD(3)) {
  float value = 0;
  atomic_ref<float const>(value).load(order(release));
}
DEATH("atomic_load_explicit", LOAD(3)) {
  atomic<int> const a = 0;
  atomic_load_explicit(&a, order(release));
}
DEATH("test of a flag", LOAD(4)) { atomic_flag().test(order(acq_rel)); }
DEATH("wait", LOAD(3)) { atomic<int>(1).wait(0, order(release)); }
DEATH("try_wait", LOAD(3)) { (void)atomic<int>(1).try_wait(0, order(release)); }
DEATH("wait_for", LOAD(4)) { (void)atomic<int>(1).wait_for(0, nanoseconds(1), order(acq_rel)); }
DEATH("wait of a flag", LOAD(9)) { atomic_flag().wait(true, order(no_order)); }

// --- stores and reductions -------------------------------------------------------------------------------------------
DEATH("store, consume", STORE(1)) { atomic<int>().store(1, order(consume)); }
DEATH("store, acquire", STORE(2)) { atomic<int>().store(1, order(acquire)); }
DEATH("store, acq_rel", STORE(4)) { atomic<int>().store(1, order(acq_rel)); }
DEATH("store, no order", STORE(9)) { atomic<int>().store(1, order(no_order)); }
DEATH("store of 8 bytes", STORE(2)) { atomic<double>().store(1, order(acquire)); }
DEATH("store of 16 bytes", STORE(2)) { atomic<wide>().store({}, order(acquire)); }
DEATH("store at thread scope", STORE(2)) { atomic<int, thread_scope_thread>().store(1, order(acquire)); }
DEATH("store under a lock", STORE(2)) { atomic<three_bytes>().store({}, order(acquire)); }
DEATH("store to an automatic object from a pointer in memory", STORE(2)) {
  atomic<int> a;
  atomic<int>* volatile at = &a;
  at->store(1, order(acquire));
}
DEATH("clear of a flag", STORE(4)) { atomic_flag().clear(order(acq_rel)); }
DEATH("store_add", STORE_KEY(2)) { atomic<int>().store_add(1, order(acquire)); }
DEATH("store_or of a byte", STORE_KEY(4)) { atomic<unsigned char>().store_or(1, order(acq_rel)); }
DEATH("store_fminimum", STORE_KEY(9)) { atomic<float>().store_fminimum(1, order(no_order)); }
DEATH("store_add at thread scope", STORE_KEY(2)) { atomic<int, thread_scope_thread>().store_add(1, order(acquire)); }

// --- read-modify-write operations ------------------------------------------------------------------------------------
DEATH("exchange", MODIFY(9)) { atomic<int>().exchange(1, order(no_order)); }
DEATH("exchange at thread scope", MODIFY(9)) { atomic<int, thread_scope_thread>().exchange(1, order(no_order)); }
DEATH("exchange under a lock", MODIFY(9)) { atomic<three_bytes>().exchange({}, order(no_order)); }
DEATH("fetch_add", MODIFY(9)) { atomic<int>().fetch_add(1, order(no_order)); }
DEATH("fetch_add of a double", MODIFY(6)) { atomic<double>().fetch_add(1, order(6)); }
DEATH("test_and_set", MODIFY(9)) { atomic_flag().test_and_set(order(no_order)); }
DEATH("failure order release", FAILURE(3)) {
  int expected = 1;
  atomic<int>().compare_exchange_strong(expected, 2, memory_order_seq_cst, order(release));
}
DEATH("failure order acq_rel", FAILURE(4)) {
  short expected = 1;
  atomic<short>().compare_exchange_weak(expected, 2, memory_order_acq_rel, order(acq_rel));
}
DEATH("failure order that does not exist", FAILURE(9)) {
  int expected = 1;
  atomic<int>().compare_exchange_strong(expected, 2, memory_order_relaxed, order(no_order));
}
DEATH("failure order at thread scope", FAILURE(3)) {
  int expected = 1;
  atomic<int, thread_scope_thread>().compare_exchange_strong(expected, 2, memory_order_relaxed, order(release));
}
DEATH("failure order under a lock", FAILURE(3)) {
  three_bytes expected = {};
  atomic<three_bytes>().compare_exchange_strong(expected, {}, memory_order_relaxed, order(release));
}
DEATH("success order", COMPARE(9)) {
  int expected = 1;
  atomic<int>().compare_exchange_weak(expected, 2, order(no_order), memory_order_seq_cst);
}
DEATH("the one order of compare_exchange", COMPARE(9)) {
  int expected = 1;
  atomic<int>().compare_exchange_weak(expected, 2, order(no_order));
}

// --- fences, scopes --------------------------------------------------------------------------------------------------
DEATH("fence", FENCE(9)) { atomic_thread_fence(order(no_order)); }
DEATH("fence of a block", FENCE(9)) { atomic_thread_fence(order(no_order), thread_scope_block); }
DEATH("fence of a thread", FENCE(9)) { atomic_thread_fence(order(no_order), thread_scope_thread); }
DEATH("signal fence", FENCE(9)) { atomic_signal_fence(order(no_order)); }
DEATH("fence of a scope that does not exist",
      "cudax.sync: atomic_thread_fence: thread scope 7 does not exist; use an enumerator of cudax::thread_scope") {
  atomic_thread_fence(memory_order_seq_cst, thread_scope(hidden(7)));
}

// --- alignment -------------------------------------------------------------------------------------------------------
#define MISALIGNED                                                                                                     \
  "cudax.sync: atomic_ref: the object at address 0x* is not aligned to required_alignment; declare it with "           \
  "alignas(cudax::atomic_ref<T>::required_alignment) [atomics.ref.ops]"

// The library has to report it, not the sanitizer.
template <class T>
[[clang::no_sanitize("alignment")]] static void refer_to(int offset) {
  alignas(16) char bytes[48] = {};
  atomic_ref<T, thread_scope_device>(*reinterpret_cast<T*>(bytes + hidden(offset))).load();
}
SURVIVAL("aligned objects") {
  refer_to<int>(4);
  refer_to<long long>(8);
  refer_to<wide>(16);
  refer_to<char>(3);
}
DEATH("a misaligned int", MISALIGNED) { refer_to<int>(2); }
DEATH("a misaligned short", MISALIGNED) { refer_to<short>(1); }
DEATH("a misaligned long long", MISALIGNED) { refer_to<long long const>(12); }
DEATH("16 bytes at a multiple of 8", MISALIGNED) { refer_to<wide>(8); }

DEATHS_END
