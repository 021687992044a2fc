// SPDX-License-Identifier: Apache-2.0
//
// program: a litmus program as data. `parse` makes it from a file, `print` writes it as a file again.
//
// Threads, locations, objects and registers are named by their index; the names are for readers.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace litmus {

/// A value of 1 to 16 bytes. Arithmetic wraps, and a store keeps the bytes that its location has.
using value = unsigned __int128;

enum class memory_kind { global, shared, mapped, managed };
enum class order { weak, relaxed, acquire, release, acq_rel, seq_cst };
/// `narrowest` is written S: the narrowest scope that includes all threads of the placement, or the placement's own.
enum class scope { block, cluster, device, system, narrowest };
enum class comparison { equal, not_equal, less, less_equal, greater, greater_equal };

/// Bytes in memory. A part is a range of bytes of another location, so accesses of two sizes overlap.
struct location {
  struct part {
    int parent; ///< a location that is no part
    int offset; ///< in bytes; a multiple of the part's size
  };
  std::string name;
  int size = 4;                      ///< 1, 2, 4, 8 or 16 bytes
  std::optional<memory_kind> memory; ///< where none is written, the placement chooses
  value initial = 0;                 ///< of a part: 0, its bytes are those of the parent
  std::optional<part> part_of;
};

/// A primitive of the library, whose promise the models know.
enum class object_kind {
  latch,          ///< latch l(2): count_down, wait, arrive_and_wait, try_wait -> 0 or 1
  barrier,        ///< barrier b(2): arrive_and_wait, arrive, wait (for the phase of the own last arrival)
  semaphore,      ///< semaphore s(0): release, acquire, try_acquire -> 0 or 1
  fair_semaphore, ///< as semaphore
  mutex,          ///< mutex m: lock, unlock, try_lock -> 0 or 1
  ticket_mutex,   ///< as mutex
  cohort_mutex,   ///< as mutex
  shared_mutex,   ///< as mutex, and lock_shared, unlock_shared
  once_flag,      ///< once_flag o: enter -> 1 or 0, leave. What is between them is the function: one thread executes it
  stop_state,     ///< stop_state t: request_stop -> 1 for the first request, stop_requested -> 0 or 1
  pipeline,       ///< pipeline p(stages): producer_acquire, producer_commit, consumer_wait, consumer_release
  map,            ///< map m: insert KEY VALUE -> 0 or 1, find KEY -> the value, or 0; with an order
  work_queue,     ///< work_queue q(n): take -> 1 to n, each once, then 0
};
enum class member {
  count_down,
  wait,
  arrive_and_wait,
  try_wait,
  arrive,
  release,
  acquire,
  try_acquire,
  lock,
  unlock,
  try_lock,
  lock_shared,
  unlock_shared,
  enter,
  leave,
  request_stop,
  stop_requested,
  producer_acquire,
  producer_commit,
  consumer_wait,
  consumer_release,
  insert,
  find,
  take,
};

struct object {
  std::string name;
  object_kind kind = object_kind::mutex;
  litmus::scope scope = litmus::scope::narrowest;
  int count = 0; ///< of a latch, barrier, semaphore or work_queue; the stages of a pipeline
};

/// A constant or a register.
struct operand {
  std::optional<int> reg; ///< an index into thread::registers
  value constant = 0;
};
/// first, then each operator (+, - or ^) with its operand, from left to right.
struct expression {
  struct step {
    char op;
    operand right;
  };
  operand first;
  std::vector<step> rest;
};

/// `left` against `right`: of a guard, the register of the guard; of an await, the value that was read.
struct test {
  comparison compare = comparison::equal;
  operand right;
};

enum class operation {
  load,             ///< result = load.order.scope location
  store,            ///< store.order.scope location value
  exchange,         ///< result = exchange.order.scope location value
  fetch_add,        ///< result = fetch_add.order.scope location value
  store_add,        ///< store_add.order.scope location value: adds and returns nothing, so it never acquires
  compare_exchange, ///< result = compare_exchange.success.failure.scope location expected value; result: the old value
  fence,            ///< fence.order.scope
  sync,             ///< sync.level: all threads of the warp, block, cluster or grid meet
  wait,             ///< result = wait.order.scope location value: blocks until the location differs from the value
  notify,           ///< notify location: wakes who waits; no memory access
  assign,           ///< result = value
  call,             ///< result = object.member arguments
  exit,             ///< ends the thread
};
constexpr bool is_read_modify_write(operation o) {
  return o == operation::exchange || o == operation::fetch_add || o == operation::store_add ||
         o == operation::compare_exchange;
}
constexpr bool is_write(operation o) { return o == operation::store || is_read_modify_write(o); }

/// Whose threads meet at `sync`.
enum class level { warp, block, cluster, grid };

struct guard {
  int reg;
  litmus::test test;
};

/// One operation of a thread. Which members have a meaning is said at `operation`.
struct instruction {
  litmus::operation operation = litmus::operation::load;
  std::optional<litmus::guard> guard; ///< executed only if it holds; of `exit` the condition is negated: `unless`
  litmus::order order = litmus::order::weak; ///< of a call: weak if no order is written
  litmus::order failure = litmus::order::relaxed;
  litmus::scope scope = litmus::scope::narrowest;
  litmus::level level = litmus::level::block;
  int elements = 1; ///< 2 or 4: a vector access, whose elements are accesses of their own
  int location = -1;
  int object = -1;
  litmus::member member = litmus::member::wait;
  std::optional<int> result;          ///< a register
  std::optional<test> until;          ///< await: repeated until the value read fulfils it
  std::optional<expression> expected; ///< of a compare_exchange
  std::vector<expression> values;     ///< the value that is stored, added or assigned; the arguments of a call
  int line = 0;
};

struct thread {
  std::string name; ///< P0, P1, ...
  std::vector<std::string> registers;
  std::vector<instruction> instructions;
};

/// Where a thread runs. Numbers count over the whole placement: two threads are in one block if `block` is equal. On
/// the host all numbers are -1.
struct where {
  bool host = false;
  int device = -1, cluster = -1, block = -1, warp = -1;
};

struct placement {
  std::string name;                         ///< as written, such as same_device@block:managed
  std::string tree;                         ///< as written, for a placement with an own tree
  std::vector<where> threads;               ///< one for each thread of the program
  litmus::scope scope;                      ///< what S stands for
  bool under = false;                       ///< the scope was given, and does not include all threads
  memory_kind memory = memory_kind::global; ///< of the locations without an own kind
};

enum class condition_kind { always, reg, location, negation, conjunction, disjunction };

/// A node of `exists`.
struct condition {
  condition_kind kind = condition_kind::always;
  int thread = -1, reg = -1, location = -1;
  value equals = 0;
  std::vector<condition> operands;
};

struct program {
  std::string file; ///< empty for a derived program
  std::string name;
  std::string sentence; ///< what the program shows
  std::vector<location> locations;
  std::vector<object> objects;
  std::vector<thread> threads;
  std::vector<placement> placements;
  condition exists;
};

/// Whether one scope at the thread `a` includes the thread `b`.
bool includes(scope, where const& a, where const& b);
/// The narrowest scope that includes all threads.
scope narrowest_scope(std::vector<where> const& threads);
/// The memory of a location in a placement.
memory_kind memory_of(program const&, placement const&, int location);

/// The location that a part is of; of another location, itself.
int whole_of(program const&, int location);

} // namespace litmus
