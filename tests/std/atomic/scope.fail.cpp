// SPDX-License-Identifier: Apache-2.0
//
// PTX ISA, "Scope" A thread scope that does not exist is rejected.
import cudax.sync;

using namespace cudax;

constexpr auto no_scope = thread_scope(7);
enum other_scope { other_scope_device = 1 };

// The error is in the class that is instantiated; the note names the line of the program.
// expected-error@*:* {{cudax.sync: atomic<T, Scope>: this thread scope does not exist; use an enumerator of cudax::thread_scope}}
atomic<int, no_scope> object; // expected-note {{in instantiation of template class 'cudax::atomic<int, 7>' requested here}}

struct three_bytes {
  char at[3];
};
// expected-error@*:* {{cudax.sync: atomic<T, Scope>: this thread scope does not exist}}
atomic<three_bytes, thread_scope(-1)> locked; // expected-note {{in instantiation of template class 'cudax::atomic<three_bytes, -1>' requested here}}

void reference(int& i) {
  // expected-error@*:* {{cudax.sync: atomic_ref<T, Scope>: this thread scope does not exist}}
  atomic_ref<int, thread_scope(5)> r(i); // expected-note {{in instantiation of template class 'cudax::atomic_ref<int, 5>' requested here}}
}

// expected-error@*:* {{cudax.sync: basic_atomic_flag<Scope>: this thread scope does not exist}}
basic_atomic_flag<thread_scope(6)> flag; // expected-note {{in instantiation of template class 'cudax::basic_atomic_flag<6>' requested here}}

#if defined(__CUDA_ARCH__)
// The words of the guide's page on porting, by which users find what to do.
__global__ void in_shared_memory() {
  __shared__ atomic<int, thread_scope_device> wide;    // expected-error {{initialization is not supported for __shared__ variables}}
  __shared__ basic_atomic_flag<thread_scope_system> f; // expected-error {{initialization is not supported for __shared__ variables}}
  __shared__ mutex<> m;                                // expected-error {{initialization is not supported for __shared__ variables}}
  __shared__ atomic<int, thread_scope_block> fine;
}
#endif

atomic<int, 2> number;                    // expected-error {{value of type 'int' is not implicitly convertible to 'thread_scope'}}
atomic<int, memory_order_relaxed> order;  // expected-error {{value of type 'const memory_order' is not implicitly convertible to 'thread_scope'}}
atomic<int, other_scope_device> others;   // expected-error {{value of type 'other_scope' is not implicitly convertible to 'thread_scope'}}
atomic<int, thread_scope_galaxy> unknown; // expected-error {{use of undeclared identifier 'thread_scope_galaxy'}}

void fences(thread_scope known_later) {
  atomic_thread_fence(memory_order_seq_cst, no_scope);             // expected-error {{cudax.sync: atomic_thread_fence: this thread scope does not exist; use an enumerator of cudax::thread_scope}}
  atomic_thread_fence(memory_order_seq_cst, 2);                    // expected-error {{no matching function for call to 'atomic_thread_fence'}}
  atomic_thread_fence(memory_order_seq_cst, other_scope_device);   // expected-error {{cudax.sync: atomic_thread_fence: this thread scope is another library's, such as libcu++'s; use an enumerator of cudax::thread_scope}}
  atomic_thread_fence(thread_scope_block);                         // expected-error {{no matching function for call to 'atomic_thread_fence'}}
  atomic_thread_fence(memory_order_seq_cst, known_later);          // stops at run time: misuse.death.cpp
}
