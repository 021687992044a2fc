// SPDX-License-Identifier: Apache-2.0
//
// [thread.sema], [thread.mutex], [thread.latch], [thread.barrier], [thread.once] A released thread may destroy the
// object immediately. So the releasing operation must be the last access to the object, in checked builds, too. Host
// only.
//
// The time between the release and a later access is too short for another thread to hit. So the object is in a page on
// which every access faults. The fault handler checks, through another mapping of the same page, whether the object has
// released its waiters. Then it allows the access for one instruction and protects the page again.
#include "support/death.hpp"
import cudax.sync;

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

using namespace cudax;

namespace {

namespace watch {

constexpr std::size_t page = 4096;
constexpr greg_t trap_flag = 0x100; // x86 flag: a trap after the next instruction

char* guarded;     // the address at which the object is used
char* unguarded;   // the same memory, never protected
char before[page]; // contents when the protection began
bool (*has_released)();
int accesses, late_accesses;

void on_access(int, siginfo_t* info, void* context) {
  auto const address = static_cast<char*>(info->si_addr);
  if (address < guarded || address >= guarded + page) {
    std::signal(SIGSEGV, SIG_DFL);
    return;
  }
  ++accesses;
  if (has_released()) ++late_accesses;
  mprotect(guarded, page, PROT_READ | PROT_WRITE);
  static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL] |= trap_flag;
}
void on_step(int, siginfo_t*, void* context) {
  mprotect(guarded, page, PROT_NONE);
  static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL] &= ~trap_flag;
}

void handle(int signal, void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action{};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO;
  sigaction(signal, &action, nullptr);
}

void map() {
  int const file = memfd_create("watched", 0);
  if (file < 0 || ftruncate(file, page) != 0) std::perror("memfd"), std::exit(1);
  guarded = static_cast<char*>(mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
  unguarded = static_cast<char*>(mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
  if (guarded == MAP_FAILED || unguarded == MAP_FAILED) std::perror("mmap"), std::exit(1);
  handle(SIGSEGV, on_access);
  handle(SIGTRAP, on_step);
}

} // namespace watch

/// Reads a word of the object through the unguarded mapping.
template <class Word> Word word_at(std::size_t offset) {
  Word result;
  std::memcpy(&result, watch::unguarded + offset, sizeof(result));
  return result;
}

/// Calls `release` on an object that `make` constructs in the page. Prints how many accesses came after the release.
/// has_released() checks the unguarded mapping.
template <class Make, class Release> void check_last_access(Make make, Release release, bool (*has_released)()) {
  if (!watch::guarded) watch::map();
  std::memset(watch::guarded, 0, watch::page);
  auto& object = *make(watch::guarded);
  std::memcpy(watch::before, watch::unguarded, watch::page);
  watch::has_released = has_released;
  watch::accesses = watch::late_accesses = 0;
  mprotect(watch::guarded, watch::page, PROT_NONE);
  release(object);
  mprotect(watch::guarded, watch::page, PROT_READ | PROT_WRITE);
  if (watch::late_accesses != 0)
    std::printf("%d of %d accesses came after the waiters were released\n", watch::late_accesses, watch::accesses);
  if (!has_released()) std::puts("no waiter was released");
  if (watch::accesses == 0) std::puts("no access was observed");
}

/// For operations that change the object exactly once: its bytes differ.
bool has_changed() { return std::memcmp(watch::before, watch::unguarded, watch::page) != 0; }

template <class Object> auto of_count(int count) {
  return [count](void* at) { return new (at) Object(count); };
}
template <class Object> auto zeroed() {
  return [](void* at) { return new (at) Object{}; };
}
template <class Lock> auto locked() {
  return [](void* at) {
    auto const made = new (at) Lock{};
    made->lock();
    return made;
  };
}

struct completion {
  void operator()() const noexcept {}
};
/// Whether the first phase of the barrier with this index is complete.
template <class Barrier, int Number = 0> bool first_phase_is_complete() {
  return reinterpret_cast<Barrier*>(watch::unguarded)[Number].try_wait_parity(false);
}

/// The last arrival of a phase releases the waiters. Any other arrival allows later ones to complete the phase.
template <class Barrier> void barriers() {
  auto const arrive = [](Barrier& b) { (void)b.arrive(); };
  auto const arrive_as_group = [](Barrier& b) { (void)b.arrive(this_thread); };
  auto const drop = [](Barrier& b) { b.arrive_and_drop(); };
  check_last_access(of_count<Barrier>(1), arrive, first_phase_is_complete<Barrier>);
  check_last_access(of_count<Barrier>(1), arrive_as_group, first_phase_is_complete<Barrier>);
  check_last_access(of_count<Barrier>(1), drop, first_phase_is_complete<Barrier>);
  check_last_access(of_count<Barrier>(2), arrive, has_changed);
  check_last_access(of_count<Barrier>(2), arrive_as_group, has_changed);
  check_last_access(of_count<Barrier>(2), drop, has_changed);
}

} // namespace

constexpr auto release = [](auto& semaphore) { semaphore.release(); };
constexpr auto unlock = [](auto& mutex) { mutex.unlock(); };

SURVIVAL("a release is the last access to a fair semaphore") {
  check_last_access(of_count<fair_semaphore<>>(0), release, has_changed);
  check_last_access(of_count<fair_semaphore<thread_scope_device>>(1), release, has_changed);
}
SURVIVAL("a release is the last access to a semaphore") {
  check_last_access(of_count<counting_semaphore<>>(0), release, has_changed);
  check_last_access(of_count<counting_semaphore<thread_scope_system, 1ll << 40>>(3), release, has_changed);
  check_last_access(of_count<binary_semaphore<>>(0), release, has_changed);
}
SURVIVAL("an unlock is the last access to a mutex") {
  check_last_access(locked<mutex<>>(), unlock, has_changed);
  check_last_access(locked<ticket_mutex<>>(), unlock, has_changed);
  check_last_access(locked<shared_mutex<>>(), unlock, has_changed);
  auto const read_locked = [](void* at) {
    auto const made = new (at) shared_mutex<>{};
    made->lock_shared();
    return made;
  };
  check_last_access(read_locked, [](auto& m) { m.unlock_shared(); }, has_changed);
}
SURVIVAL("an unlock is the last access to a cohort mutex") {
  using cohort = cohort_mutex<mutex<>>;
  static mutex<> outer{};
  auto const locked_cohort = [](unsigned limit, unsigned waiters) {
    return [=](void* at) {
      init(&outer);
      auto const made = new (at) cohort(outer, limit);
      made->lock();
      *static_cast<unsigned*>(at) += 2 * waiters; // as if threads had taken tickets: the first word counts these
      return made;
    };
  };
  check_last_access(locked_cohort(1, 0), unlock, has_changed);
  check_last_access(locked_cohort(1, 1), unlock, has_changed); // passes the lock on
  check_last_access(locked_cohort(0, 1), unlock, has_changed);
}
SURVIVAL("count_down is the last access to a latch") {
  auto const count_down = [](auto& l) { l.count_down(); };
  auto const count_down_as_group = [](auto& l) { l.count_down(this_thread); };
  auto const count_down_by_two = [](auto& l) { l.count_down(2); };
  check_last_access(of_count<latch<>>(1), count_down, has_changed);
  check_last_access(of_count<latch<>>(1), count_down_as_group, has_changed);
  check_last_access(of_count<latch<thread_scope_device>>(3), count_down_by_two, has_changed);
}
SURVIVAL("an arrival is the last access to a barrier") {
  barriers<barrier<>>();
  barriers<barrier<thread_scope_device>>();
  barriers<barrier<thread_scope_system, completion>>();
}
SURVIVAL("the completion of call_once is the last access to its flag") {
  auto const is_called = [] { return word_at<unsigned>(0) == 2; };
  auto const call = [](once_flag& flag) { call_once(flag, [] {}); };
  check_last_access(zeroed<once_flag>(), call, is_called);
}
SURVIVAL("a store is the last access to an atomic; notifying does not access it") {
  auto const store = [](atomic<int>& a) {
    a.store(1);
    a.notify_all();
  };
  check_last_access(of_count<atomic<int>>(0), store, has_changed);
  auto const add = [](atomic<double>& a) {
    (void)a.fetch_add(1.5);
    a.notify_one();
  };
  check_last_access(of_count<atomic<double>>(0), add, has_changed);
  // An atomic with a lock: unlocking is the last access.
  struct three_bytes {
    char a, b, c;
  };
  auto const store_three = [](atomic<three_bytes>& a) { a.store({1, 2, 3}); };
  auto const is_unlocked = [] { return word_at<unsigned>(8) == 1; };
  check_last_access(zeroed<atomic<three_bytes>>(), store_three, is_unlocked);
}
SURVIVAL("commit and release are the last accesses to a stage, quit is the last access to the state") {
  using state = pipeline_shared_state<thread_scope_system, 1>;
  static std::optional<pipeline<thread_scope_system>> mine;
  auto const check = [](bool filled, void (*act)(state&), bool (*has_released)()) {
    auto const make = [filled](void* at) {
      auto* const made = new (at) state;
      mine.emplace(make_pipeline(this_thread, made));
      mine->producer_acquire();
      if (filled) mine->producer_commit();
      if (filled) mine->consumer_wait();
      return made;
    };
    check_last_access(make, act, has_released);
    mine.reset();
  };
  auto const commit = [](state&) { mine->producer_commit(); };
  auto const release_stage = [](state&) { mine->consumer_release(); };
  auto const quit = [](state&) { (void)mine->quit(); };
  check(false, commit, first_phase_is_complete<barrier<>>);          // the stage's first barrier
  check(true, release_stage, first_phase_is_complete<barrier<>, 1>); // and its second one
  check(true, quit, has_changed);
}
SURVIVAL("an arrival is a part's last access to a reduction that another part completes") {
  using state = reduce_state<int, thread_scope_system, 4>;
  static constexpr auto add = [](int a, int b) { return a + b; };
  static constexpr auto ignore = [](int) {};
  auto const arrive = [](state& s) { reduce(s, reduce_part{0, 2}, 1, add, ignore); };
  auto const has_arrived = [] { return word_at<unsigned>(0) == 1; };
  check_last_access(zeroed<state>(), arrive, has_arrived);
  auto const end = [](state& s) { (void)reduce(s, reduce_part{0, 1}, 1, add); };
  auto const is_published = [] { return word_at<unsigned>(4) == 1; };
  check_last_access(zeroed<state>(), end, is_published);
}
