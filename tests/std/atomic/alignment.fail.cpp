// SPDX-License-Identifier: Apache-2.0
//
// [atomics.ref.ops] An object that is not aligned to required_alignment is rejected at compile time if the compiler
// knows its offset in an object of known alignment. misuse.death.cpp has the cases that only a run can detect.
import cudax.sync;

using namespace cudax;

struct pair {
  int a, b;
};
struct alignas(8) record {
  int header;
  pair first, second; // at 4 and 12
  int footer;
};
#pragma pack(push, 1)
struct alignas(4) packed {
  char tag;
  int value;
};
#pragma pack(pop)

record global_record;
packed global_packed;
alignas(8) pair global_pairs[2];
alignas(16) char bytes[64];

void misaligned() {
  record local;
  atomic_ref<pair> r1(global_record.first);  // expected-error {{cudax.sync: atomic_ref: the object is not aligned to required_alignment; declare it with alignas(cudax::atomic_ref<T>::required_alignment) [atomics.ref.ops]}}
  atomic_ref<pair> r2(global_record.second); // expected-error {{cudax.sync: atomic_ref: the object is not aligned to required_alignment}}
  atomic_ref<pair> r3(local.first);          // expected-error {{cudax.sync: atomic_ref: the object is not aligned to required_alignment}}
  atomic_ref<int> r4(*reinterpret_cast<int*>(bytes + 2)); // expected-error {{cudax.sync: atomic_ref: the object is not aligned to required_alignment}}
  atomic_ref<pair const, thread_scope_block> r5(global_record.first); // expected-error {{cudax.sync: atomic_ref: the object is not aligned to required_alignment}}
  atomic_ref<int> r6(global_packed.value);   // expected-error {{cudax.sync: atomic_ref: the object is not aligned to required_alignment}}
}

// Aligned objects, and objects of unknown alignment, are accepted.
void others(pair& unknown) {
  record local;
  pair anywhere;
  alignas(8) pair aligned;
  atomic_ref<int> r1(global_record.header), r2(local.footer);
  atomic_ref<pair> r3(global_pairs[0]), r4(global_pairs[1]), r5(aligned), r6(anywhere), r7(unknown);
  atomic_ref<char> r8(bytes[3]);
  atomic_ref<long long> r9(*reinterpret_cast<long long*>(bytes + 24));
}
