// SPDX-License-Identifier: Apache-2.0
//
// [thread.latch], [thread.barrier] Misuse of latches and barriers that can be detected at compile time is rejected.
#include <chrono>
import cudax.sync;

using namespace cudax;

constexpr auto no_scope = thread_scope(7);

// The error is in the class that is instantiated; the note names the line of the program.
// expected-error@*:* {{cudax.sync: latch<Scope>: this thread scope does not exist; use an enumerator of cudax::thread_scope}}
latch<no_scope>* a_latch = new latch<no_scope>;
// expected-error@*:* {{cudax.sync: barrier<Scope>: this thread scope does not exist; use an enumerator of cudax::thread_scope}}
barrier<no_scope>* a_barrier = new barrier<no_scope>;

struct may_throw {
  void operator()();
};
struct of_arguments {
  void operator()(int) noexcept;
};
barrier<thread_scope_block, may_throw>* b1 = new barrier<thread_scope_block, may_throw>; // fine, as in libcu++
// expected-error@*:* {{cudax.sync: barrier<Scope, Completion>: the completion must be callable without arguments [thread.barrier.class]}}
barrier<thread_scope_block, of_arguments>* b2 = new barrier<thread_scope_block, of_arguments>;
// expected-error@*:* {{cudax.sync: barrier<Scope, Completion>: the completion must be callable without arguments [thread.barrier.class]}}
barrier<thread_scope_block, int>* b3 = new barrier<thread_scope_block, int>;

void counts(latch<>& l, barrier<>& b) {
  latch<> negative(-1);                        // expected-error {{cudax.sync: latch: the count is negative; use 0 or more [thread.latch.class]}}
  init(&l, -1);                                // expected-error {{cudax.sync: init(latch): the count is negative; use 0 or more [thread.latch.class]}}
  l.count_down(-1);                            // expected-error {{cudax.sync: latch::count_down: the update is negative; use 0 or more [thread.latch.class]}}
  l.arrive_and_wait(-1);                       // expected-error {{cudax.sync: latch::arrive_and_wait: the update is negative; use 0 or more [thread.latch.class]}}
  barrier<> minus_one(-1);                     // expected-error {{cudax.sync: barrier: the count is negative or above max() [thread.barrier.class]}}
  barrier<> large(0x8000'0000);                // expected-error {{cudax.sync: barrier: the count is negative or above max() [thread.barrier.class]}}
  barrier<thread_scope_block> of_block(1 << 20); // expected-error {{cudax.sync: barrier: the count is negative or above max() [thread.barrier.class]}}
  init(&b, -1);                                // expected-error {{cudax.sync: init(barrier): the count is negative or above max() [thread.barrier.class]}}
  auto token = b.arrive(0);                    // expected-error {{cudax.sync: barrier::arrive: the update is not positive; use 1 or more [thread.barrier.class]}}
  latch<> fine(0);
  barrier<> fine_too(0);
  barrier<thread_scope_block> most((1 << 20) - 1);
}

void copies(latch<>& l, barrier<>& b, barrier<>::arrival_token& t) {
  latch<> copy = l;                            // expected-error {{call to deleted constructor of 'latch<>'}}
  l = l;                                       // expected-error {{overload resolution selected deleted operator '='}}
  barrier<> another = b;                       // expected-error {{call to deleted constructor of 'barrier<>'}}
  b = b;                                       // expected-error {{overload resolution selected deleted operator '='}}
  barrier<>::arrival_token again = t;          // expected-error {{call to implicitly-deleted copy constructor of 'barrier<>::arrival_token'}}
  latch<> converted = 5;                       // expected-error {{no viable conversion from 'int' to 'latch<>'}}
}

void tokens(barrier<>& b, barrier<thread_scope_device>& other, barrier<>::arrival_token& t) {
  b.wait(t);                                   // expected-error {{cudax.sync: barrier::wait: the token serves one wait, which takes it: b.wait(std::move(token)), or b.wait(b.arrive()) [thread.barrier.class]}}
  auto const kept = b.arrive();
  b.wait(kept);                                // expected-error {{cudax.sync: barrier::wait: the token serves one wait, which takes it}}
  b.wait(this_thread, t);                      // expected-error {{cudax.sync: barrier::wait: the token serves one wait, which takes it: b.wait(group, std::move(token))}}
  b.wait(static_cast<barrier<>::arrival_token&&>(t));
  b.wait(b.arrive());
  other.wait(static_cast<barrier<>::arrival_token&&>(t)); // expected-error {{no matching member function for call to 'wait'}}
  barrier<>::arrival_token made(5);            // expected-error {{calling a private constructor of class 'cudax::barrier<>::arrival_token'}}
}

void ignored(latch<> const& l, barrier<>& b, barrier<>::arrival_token& t) {
  b.arrive();                                  // expected-warning {{ignoring return value of function declared with 'nodiscard' attribute}}
  b.arrive(this_block);                        // expected-warning {{ignoring return value of function declared with 'nodiscard' attribute}}
  l.try_wait();                                // expected-warning {{ignoring return value of function declared with 'nodiscard' attribute}}
  b.try_wait(t);                               // expected-warning {{ignoring return value of function declared with 'nodiscard' attribute}}
  b.try_wait_parity(true);                     // expected-warning {{ignoring return value of function declared with 'nodiscard' attribute}}
}

void times(latch<> const& l, barrier<>& b, barrier<>::arrival_token& t) {
  bool r = l.wait_for(5);                      // expected-error {{no matching member function for call to 'wait_for'}}
  r = l.wait_until(nanoseconds(5));            // expected-error {{no matching member function for call to 'wait_until'}}
  r = b.try_wait_for(t, steady_clock::now());  // expected-error {{no matching member function for call to 'try_wait_for'}}
  r = b.try_wait_until(t, sm_clock::now());    // expected-error {{no matching member function for call to 'try_wait_until'}}
}

void tokens_of_groups(barrier<thread_scope_block>& b) {
  auto token = b.arrive();
  device::barrier_wait_cluster(b, token);      // expected-error {{cudax.sync: barrier_wait_cluster: the token serves one wait, which takes it: barrier_wait_cluster(b, std::move(token))}}
  auto arrival = this_cluster.arrive();
  this_cluster.wait(arrival);                  // expected-error {{cudax.sync: this_cluster.wait, this_grid.wait: an arrival serves one wait, which takes it: wait(std::move(arrival)), or wait(arrive())}}
  this_grid.wait(this_grid.arrive());
  this_cluster.wait(static_cast<decltype(arrival)&&>(arrival));
}

void halves() {
  this_block.arrive();                         // expected-error {{cudax.sync: this_block.arrive, this_warp.arrive: only a cluster and a grid synchronize in two calls; use arrive() and wait() of a barrier<thread_scope_block>, with a count of the group's threads}}
  this_warp.arrive();                          // expected-error {{cudax.sync: this_block.arrive, this_warp.arrive: only a cluster and a grid synchronize in two calls}}
  this_cluster.wait_for_prerequisites();       // expected-error {{invalid reference to function 'wait_for_prerequisites'}}
}

struct no_group {
  int size() const;
  int thread_rank() const;
};
void groups(latch<>& l, barrier<>& b) {
  l.arrive_and_wait(no_group());               // expected-error {{no matching member function for call to 'arrive_and_wait'}}
  b.arrive_and_wait(no_group());               // expected-error {{no matching member function for call to 'arrive_and_wait'}}
}

// expected-error@*:* {{cudax.sync: named_barrier<Id>: the id must be from 1 to 15; 0 is the barrier of this_block.sync() and __syncthreads}}
int id_0 = named_barrier<0>::id;
// expected-error@*:* {{cudax.sync: named_barrier<Id>: the id must be from 1 to 15; 0 is the barrier of this_block.sync() and __syncthreads}}
int id_16 = named_barrier<16>::id;
// expected-error@*:* {{cudax.sync: named_barrier_ids<First, Count>: the ids must be from 1 to 15, and at least one; 0 is the barrier of this_block.sync() and __syncthreads}}
int too_many = named_barrier_ids<10, 7>::size;
using two_ids = named_barrier_ids<1, 2>;
// expected-error@*:* {{cudax.sync: named_barrier_ids<First, Count>: the range has fewer ids; reserve a larger range}}
int third = two_ids::id<2>;

// expected-error@*:* {{cudax.sync: ordered_turns: each group needs a barrier for each stage; reserve a larger range of ids}}
int too_few_ids = ordered_turns<named_barrier_ids<1, 3>, 2, 2>::groups;
// expected-error@*:* {{cudax.sync: ordered_turns: turns need two groups or more}}
int one_group = ordered_turns<named_barrier_ids<1, 3>, 1>::groups;
// expected-error@*:* {{cudax.sync: ordered_turns: there is no stage; use one or more}}
int no_stage = ordered_turns<named_barrier_ids<1, 3>, 2, 0>::groups;
// expected-error@*:* {{cudax.sync: ordered_turns: a block has at most 32 warps in all groups}}
int too_many_warps = ordered_turns<named_barrier_ids<1, 3>, 3, 1, 11>::groups;
void named_barriers() {
  using turns = ordered_turns<named_barrier_ids<1, 4>, 2, 2>;
  turns third(2);               // expected-error {{cudax.sync: ordered_turns: the groups are 0 to Groups - 1}}
  turns second(1);
  second.wait(2);               // expected-error {{cudax.sync: ordered_turns::wait: the stages are 0 to Stages - 1}}
  second.arrive(-1);            // expected-error {{cudax.sync: ordered_turns::arrive: the stages are 0 to Stages - 1}}
  second.skip(2);               // expected-error {{cudax.sync: ordered_turns::skip: the stages are 0 to Stages - 1}}
  named_barrier<1> odd(33);     // expected-error {{cudax.sync: named_barrier: the count of threads must be a multiple of 32 from 32 to 1024}}
  named_barrier<1> none(0);     // expected-error {{cudax.sync: named_barrier: the count of threads must be a multiple of 32 from 32 to 1024}}
  named_barrier<1> large(1056); // expected-error {{cudax.sync: named_barrier: the count of threads must be a multiple of 32 from 32 to 1024}}
  two_ids::at(2, 64);           // expected-error {{cudax.sync: named_barrier_ids::at: the index is outside the range; reserve a larger range}}
  two_ids::at(1, 65);           // expected-error {{cudax.sync: named_barrier_ids::at: the count of threads must be a multiple of 32 from 32 to 1024}}
  named_barrier<15> fine(1024);
}

void groups_of_warps() {
  // expected-error@*:* {{cudax.sync: this_block.warps<First, Count>: the group has no warp; use a count of 1 or more}}
  (void)this_block.warps<0, 0>();
  // expected-error@*:* {{cudax.sync: this_block.warps<First, Count>: a block has at most 32 warps, 0 to 31}}
  (void)this_block.warps<30, 3, 1>();
  // expected-error@*:* {{cudax.sync: this_block.warps<First, Count, Id>: warps meet at a barrier of the block; give its id, from 1 to 15, that no other code of the kernel uses (named_barrier_ids)}}
  (void)this_block.warps<0, 2>();
  // expected-error@*:* {{cudax.sync: this_block.warps<First, 1, Id>: one warp meets without a barrier of the block; leave the id out}}
  (void)this_block.warps<0, 1, 3>();
}

void registers() {
  // expected-error@*:* {{cudax.sync: this_warpgroup.increase_registers<Count>: the number of registers must be a multiple of 8 from 24 to 256}}
  this_warpgroup.increase_registers<100>(); // expected-note {{in instantiation}}
  // expected-error@*:* {{cudax.sync: this_warpgroup.decrease_registers<Count>: the number of registers must be a multiple of 8 from 24 to 256}}
  this_warpgroup.decrease_registers<16>(); // expected-note {{in instantiation}}
  this_warpgroup.decrease_registers<24>();
  this_warpgroup.increase_registers<256>();
}
