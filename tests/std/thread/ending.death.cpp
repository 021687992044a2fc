// SPDX-License-Identifier: Apache-2.0
//
// [thread.sema], [thread.mutex], [thread.latch], [thread.barrier], [thread.once] A thread that was let go may end the
// object's life at once. So the thread that lets it go touches the object no more, in checked builds neither. On the host
// alone.
//
// The moment between the operation that lets go and a touch after it is too short to be met by another thread. So the object
// lies in a page that every access faults on: the handler asks, in another view of the same page, whether the object has let
// go, allows the access for one instruction, and protects the page again.
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
constexpr greg_t trap_flag = 0x100; // of x86's flags: a trap after the next instruction

char* guarded;     // where the object is used
char* open;        // the same memory, without a guard
char before[page]; // what it held when the guard was raised
bool (*has_let_go)();
int touches, late_touches;

void on_access(int, siginfo_t* info, void* context) {
  auto const address = static_cast<char*>(info->si_addr);
  if (address < guarded || address >= guarded + page) {
    std::signal(SIGSEGV, SIG_DFL);
    return;
  }
  ++touches;
  if (has_let_go()) ++late_touches;
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
  open = static_cast<char*>(mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
  if (guarded == MAP_FAILED || open == MAP_FAILED) std::perror("mmap"), std::exit(1);
  handle(SIGSEGV, on_access);
  handle(SIGTRAP, on_step);
}

} // namespace watch

/// Where the words of an object are looked at.
template <class Word> Word word_at(std::size_t offset) {
  Word result;
  std::memcpy(&result, watch::open + offset, sizeof(result));
  return result;
}

/// Lets waiters of an object go, and says how often it was touched after that. The object was made by `make` in the page, and
/// has_let_go() asks the open view.
template <class Make, class LetsGo> void touches_no_more(Make make, LetsGo lets_go, bool (*has_let_go)()) {
  if (!watch::guarded) watch::map();
  std::memset(watch::guarded, 0, watch::page);
  auto& object = *make(watch::guarded);
  std::memcpy(watch::before, watch::open, watch::page);
  watch::has_let_go = has_let_go;
  watch::touches = watch::late_touches = 0;
  mprotect(watch::guarded, watch::page, PROT_NONE);
  lets_go(object);
  mprotect(watch::guarded, watch::page, PROT_READ | PROT_WRITE);
  if (watch::late_touches != 0)
    std::printf("%d of %d accesses came after the waiters were let go\n", watch::late_touches, watch::touches);
  if (!has_let_go()) std::puts("no waiter was let go");
  if (watch::touches == 0) std::puts("no access was seen");
}

/// Of operations that change an object once: it differs.
bool has_changed() { return std::memcmp(watch::before, watch::open, watch::page) != 0; }

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
/// Of the barrier with this number: the first phase.
template <class Barrier, int Number = 0> bool is_over() {
  return reinterpret_cast<Barrier*>(watch::open)[Number].try_wait_parity(false);
}

/// The last arrival of a phase lets the waiters go; any other one lets those that arrive after it go on to end the phase.
template <class Barrier> void barriers() {
  auto const arrive = [](Barrier& b) { (void)b.arrive(); };
  auto const arrive_as_group = [](Barrier& b) { (void)b.arrive(this_thread); };
  auto const drop = [](Barrier& b) { b.arrive_and_drop(); };
  touches_no_more(of_count<Barrier>(1), arrive, is_over<Barrier>);
  touches_no_more(of_count<Barrier>(1), arrive_as_group, is_over<Barrier>);
  touches_no_more(of_count<Barrier>(1), drop, is_over<Barrier>);
  touches_no_more(of_count<Barrier>(2), arrive, has_changed);
  touches_no_more(of_count<Barrier>(2), arrive_as_group, has_changed);
  touches_no_more(of_count<Barrier>(2), drop, has_changed);
}

} // namespace

constexpr auto release = [](auto& semaphore) { semaphore.release(); };
constexpr auto unlock = [](auto& mutex) { mutex.unlock(); };

SURVIVAL("a release is the last access to a fair semaphore") {
  touches_no_more(of_count<fair_semaphore<>>(0), release, has_changed);
  touches_no_more(of_count<fair_semaphore<thread_scope_device>>(1), release, has_changed);
}
SURVIVAL("a release is the last access to a semaphore") {
  touches_no_more(of_count<counting_semaphore<>>(0), release, has_changed);
  touches_no_more(of_count<counting_semaphore<thread_scope_system, 1ll << 40>>(3), release, has_changed);
  touches_no_more(of_count<binary_semaphore<>>(0), release, has_changed);
}
SURVIVAL("an unlock is the last access to a mutex") {
  touches_no_more(locked<mutex<>>(), unlock, has_changed);
  touches_no_more(locked<ticket_mutex<>>(), unlock, has_changed);
}
SURVIVAL("a countdown is the last access to a latch") {
  auto const count_down = [](auto& l) { l.count_down(); };
  auto const count_down_as_group = [](auto& l) { l.count_down(this_thread); };
  auto const count_down_by_two = [](auto& l) { l.count_down(2); };
  touches_no_more(of_count<latch<>>(1), count_down, has_changed);
  touches_no_more(of_count<latch<>>(1), count_down_as_group, has_changed);
  touches_no_more(of_count<latch<thread_scope_device>>(3), count_down_by_two, has_changed);
}
SURVIVAL("an arrival is the last access to a barrier") {
  barriers<barrier<>>();
  barriers<barrier<thread_scope_device>>();
  barriers<barrier<thread_scope_system, completion>>();
}
SURVIVAL("the end of a call is the last access to its flag") {
  auto const is_called = [] { return word_at<unsigned>(0) == 2; };
  auto const call = [](once_flag& flag) { call_once(flag, [] {}); };
  touches_no_more(zeroed<once_flag>(), call, is_called);
}
SURVIVAL("a store is the last access to an atomic, and notifying is none") {
  auto const store = [](atomic<int>& a) {
    a.store(1);
    a.notify_all();
  };
  touches_no_more(of_count<atomic<int>>(0), store, has_changed);
  auto const add = [](atomic<double>& a) {
    (void)a.fetch_add(1.5);
    a.notify_one();
  };
  touches_no_more(of_count<atomic<double>>(0), add, has_changed);
  // Of an atomic with a lock: the lock's end.
  struct three_bytes {
    char a, b, c;
  };
  auto const store_three = [](atomic<three_bytes>& a) { a.store({1, 2, 3}); };
  auto const is_served = [] { return word_at<unsigned>(8) == 1; };
  touches_no_more(zeroed<atomic<three_bytes>>(), store_three, is_served);
}
SURVIVAL("a commit and a release are the last accesses to a pipeline's stage, and quitting to its state") {
  using state = pipeline_shared_state<thread_scope_system, 1>;
  static std::optional<pipeline<thread_scope_system>> mine;
  auto const check = [](bool filled, void (*act)(state&), bool (*has_let_go)()) {
    auto const make = [filled](void* at) {
      auto* const made = new (at) state;
      mine.emplace(make_pipeline(this_thread, made));
      mine->producer_acquire();
      if (filled) mine->producer_commit();
      if (filled) mine->consumer_wait();
      return made;
    };
    touches_no_more(make, act, has_let_go);
    mine.reset();
  };
  auto const commit = [](state&) { mine->producer_commit(); };
  auto const release_stage = [](state&) { mine->consumer_release(); };
  auto const quit = [](state&) { (void)mine->quit(); };
  check(false, commit, is_over<barrier<>>);          // the stage's first barrier
  check(true, release_stage, is_over<barrier<>, 1>); // and its second one
  check(true, quit, has_changed);
}
SURVIVAL("an arrival is a part's last access to a reduction that another part ends") {
  using state = reduce_state<int, thread_scope_system, 4>;
  static constexpr auto add = [](int a, int b) { return a + b; };
  static constexpr auto ignore = [](int) {};
  auto const arrive = [](state& s) { reduce(s, reduce_part{0, 2}, 1, add, ignore); };
  auto const has_arrived = [] { return word_at<unsigned>(0) == 1; };
  touches_no_more(zeroed<state>(), arrive, has_arrived);
  auto const end = [](state& s) { (void)reduce(s, reduce_part{0, 1}, 1, add); };
  auto const is_published = [] { return word_at<unsigned>(4) == 1; };
  touches_no_more(zeroed<state>(), end, is_published);
}
