// SPDX-License-Identifier: Apache-2.0
//
// late_stores: the stores that some thread may not have seen, and what each thread has to see.
#include "late_stores.hpp"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <iterator>

namespace cudax_sweep::late_stores {
namespace {

using number = std::uint64_t; // of an operation, in the order of time; 0: none
constexpr number never = ~number{0};
constexpr long long latest = 30'000'000; // nanoseconds: longer than a waiter spins

constexpr int kept = 8;                           // stores of an object that are remembered
constexpr std::size_t objects = 4096, probes = 8; // entries, and of an address those that may be its entry
constexpr int thread_marks = 32;                  // threads that share a mark see more than they have to

/// The operations that have happened before: of each thread, those up to a number.
struct past {
  number of[thread_marks] = {};

  void join(past const& other) noexcept {
    for (int i = 0; i < thread_marks; ++i) of[i] = std::max(of[i], other.of[i]);
  }
};

struct late_store {
  std::uint64_t value;
  number at;         // itself
  past released;     // what has happened before for a thread that acquires this value
  number fenced;     // the first seq_cst fence of its thread after it
  long long visible; // when all threads see it
  unsigned thread;
  bool in_order; // it is in S
};

struct object {
  void const volatile* address = nullptr;
  std::uint64_t before = 0; // the value before the oldest store that is kept
  past released_before;     // with it
  late_store stores[kept];  // the oldest one first
  int count = 0;
  number seen[thread_marks] = {}; // the store that each thread has read last

  late_store const* newest() const noexcept { return count ? &stores[count - 1] : nullptr; }
};

constinit object all[objects] = {};
constinit bool is_on = false, is_taken = false;
constinit number now = 0, settled = 0; // what all threads have to see
constinit unsigned threads = 0;

struct own {
  unsigned thread = __atomic_fetch_add(&threads, 1u, __ATOMIC_RELAXED);
  past sees;         // what has happened before
  past read;         // what the relaxed loads have read that was released, for a fence
  past released;     // what had happened before the last release fence
  number fenced = 0; // the last seq_cst fence
  std::uint64_t random = 0x9e37'79b9'7f4a'7c15u * (thread + 1);

  own() noexcept { std::fill(std::begin(sees.of), std::end(sees.of), now); } // its creation comes after all that is old
  ~own() { settled = now; }

  int mark() const noexcept { return int(thread % thread_marks); }

  std::uint64_t draw() noexcept {
    random ^= random << 13;
    random ^= random >> 7;
    return random ^= random << 17;
  }
};

own& mine() noexcept {
  thread_local own one;
  return one;
}

long long time() noexcept {
  std::timespec at{};
  std::timespec_get(&at, TIME_UTC); // tests replace clock_gettime()
  return at.tv_sec * 1'000'000'000ll + at.tv_nsec;
}

/// Forgets the stores of an entry. What they have released is seen by all then: no thread can acquire it any more.
void forget(object& one) noexcept {
  if (one.count) settled = std::max(settled, one.newest()->at);
  one.count = 0;
  one.released_before = {};
  std::fill(std::begin(one.seen), std::end(one.seen), 0);
}

/// The entry of an object that holds `value`, empty if its stores are not known. If the object has none, it gets the
/// entry that has not changed for longest.
object& entry_of(void const volatile* address, std::uint64_t value) noexcept {
  auto const hash = reinterpret_cast<std::uintptr_t>(address) * 0x9e37'79b9'7f4a'7c15u >> 52;
  object* found = &all[hash % objects];
  auto const age = [](object const& one) { return one.count ? one.newest()->at : 0; };
  for (std::size_t i = 0; i < probes; ++i) {
    object& one = all[(hash + i) % objects];
    if (one.address == address) {
      if (one.count && one.newest()->value == value) return one;
      found = &one;
      break;
    }
    if (age(one) < age(*found)) found = &one;
  }
  forget(*found);
  found->address = address;
  found->before = value;
  return *found;
}

bool must_see(late_store const& store, object const& of, own const& me, int order, long long at) noexcept {
  auto const in_order_before = [&](number reader) {
    return (store.in_order && store.at < reader) || store.fenced < reader;
  };
  return store.visible <= at || store.thread == me.thread || store.at <= me.sees.of[store.thread % thread_marks] ||
         store.at <= settled || store.at <= of.seen[me.mark()] || (order == seq_cst && in_order_before(never)) ||
         (me.fenced != 0 && in_order_before(me.fenced));
}

void acquire(past const& released, own& me, int order) noexcept {
  (acquires(order) ? me.sees : me.read).join(released);
}

[[gnu::constructor]] void read_environment() {
  if (std::getenv("CUDAX_SWEEP_LATE")) is_on = true;
}

} // namespace

bool on() noexcept { return is_on; }
void turn_on() noexcept { is_on = true; }

turn::turn() noexcept {
  (void)mine(); // its constructor does not run in the turn
  for (int tries = 0; __atomic_exchange_n(&is_taken, true, __ATOMIC_ACQUIRE); ++tries) {
    if (tries < 1000) continue;
    std::timespec const moment{.tv_sec = 0, .tv_nsec = 1000}; // the thread whose turn it is may need this processor
    nanosleep(&moment, nullptr);
  }
  ++now;
}
turn::~turn() { __atomic_store_n(&is_taken, false, __ATOMIC_RELEASE); }

std::uint64_t read(void const volatile* address, std::uint64_t newest, int order) noexcept {
  object& of = entry_of(address, newest);
  own& me = mine();
  long long const at = time();
  for (int i = of.count; i != 0; --i) {
    late_store const& store = of.stores[i - 1];
    if (!must_see(store, of, me, order, at)) continue;
    number& seen = of.seen[me.mark()];
    seen = std::max(seen, store.at);
    acquire(store.released, me, order);
    return store.value;
  }
  acquire(of.released_before, me, order);
  return of.before;
}

void read_newest(void const volatile* address, std::uint64_t newest, int order) noexcept {
  object& of = entry_of(address, newest);
  if (of.count == 0) return;
  own& me = mine();
  of.seen[me.mark()] = of.newest()->at;
  acquire(of.newest()->released, me, order);
}

void written(void const volatile* address, std::uint64_t before, std::uint64_t value, int order,
             bool continues) noexcept {
  object& of = entry_of(address, before);
  own& me = mine();
  past released = me.released;
  if (continues && of.count != 0) {
    acquire(of.newest()->released, me, order);
    released.join(of.newest()->released);
  }
  me.sees.of[me.mark()] = now;
  if (releases(order)) released.join(me.sees);
  if (of.count == kept) {
    of.before = of.stores[0].value;
    of.released_before = of.stores[0].released;
    std::move(of.stores + 1, of.stores + kept, of.stores);
    --of.count;
  }
  std::uint64_t const chance = me.draw();
  long long const delay = chance % 4 == 0 ? 0 : static_cast<long long>((chance >> 8) % latest);
  of.stores[of.count++] = {value, now, released, never, time() + delay, me.thread, order == seq_cst};
}

void fence(int order) noexcept {
  turn const turn_of_fence;
  own& me = mine();
  me.sees.of[me.mark()] = now;
  if (acquires(order)) me.sees.join(me.read);
  if (releases(order)) me.released = me.sees;
  if (order != seq_cst) return;
  me.fenced = now;
  for (object& of : all)
    for (int i = 0; i < of.count; ++i)
      if (of.stores[i].thread == me.thread && of.stores[i].fenced == never) of.stores[i].fenced = now;
}

} // namespace cudax_sweep::late_stores
