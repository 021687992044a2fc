// SPDX-License-Identifier: Apache-2.0
//
// Misuse of work stealing that can be detected at compile time is rejected.
import cudax.sync;

using namespace cudax;

struct body {
  void operator()(block_index) const {}
};
struct of_a_pointer {
  void operator()(char*) const {}
};

void ranks() {
  // expected-error@*:* {{cudax.sync: for_each_canceled_block: a grid has 1, 2 or 3 dimensions; use one of these as Rank}}
  device::for_each_canceled_block<0>(body());
  // expected-error@*:* {{cudax.sync: for_each_canceled_block: a grid has 1, 2 or 3 dimensions; use one of these as Rank}}
  device::for_each_canceled_block<4>(body());
  device::for_each_canceled_block<1>(body());
  device::for_each_canceled_block(body());
}
// expected-error@*:* {{cudax.sync: work_queue: a grid has 1, 2 or 3 dimensions; use one of these as Rank}}
static_assert(sizeof(work_queue<0>) != 0);
// expected-error@*:* {{cudax.sync: work_queue: a grid has 1, 2 or 3 dimensions; use one of these as Rank}}
static_assert(sizeof(work_queue<4>) != 0);

void extents(unsigned long long* taken, unsigned known_later) {
  (void)work_queue<1>(taken, 3, 2);    // expected-error {{cudax.sync: work_queue: the extents are of more dimensions than Rank; use their number as Rank}}
  (void)work_queue<1>(taken, 3, 1, 2); // expected-error {{cudax.sync: work_queue: the extents are of more dimensions than Rank; use their number as Rank}}
  (void)work_queue<2>(taken, 3, 2, 2); // expected-error {{cudax.sync: work_queue: the extents are of more dimensions than Rank; use their number as Rank}}
  (void)work_queue<2>(taken, 3, 2, 1);
  (void)work_queue<1>(taken, 3, known_later); // stops at run time: stealing.death.cpp
  unsigned narrow = 0;
  (void)work_queue<1>(&narrow, 3);     // expected-error {{no matching constructor for initialization of 'work_queue<1>'}}
}

// expected-error@*:* 1+ {{no matching function for call to object of type 'of_a_pointer'}}
void bodies(unsigned long long* taken) {
  // expected-error@*:* {{cudax.sync: for_each_canceled_block: f must be callable with a block_index, or with what converts from it, as dim3}}
  device::for_each_canceled_block(of_a_pointer());
  // expected-error@*:* {{cudax.sync: for_each: f must be callable with a block_index, or with what converts from it, as dim3}}
  for_each(work_queue(taken, 3), of_a_pointer());
}
