// SPDX-License-Identifier: Apache-2.0
//
// shared: plugins that use the shared library with the parked threads of the process. A thread that waits through one
// plugin is woken at once by a notification through another, or through the program if that links the library, too.
// Plugins with another version of the library have their own parked threads.
//
//   shared_<linked> local|global <plugin> <plugin> <plugin of version 2> <plugin of version 2>
//
// The objects have device scope: a waiter polls them only every 50 ms. So a waiter that is back long before that has
// been woken.
#include "check.hpp"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <string_view>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

import cudax.sync;

/// The thread sanitizer otherwise ends a child of fork that starts a thread.
extern "C" [[gnu::visibility("default")]] char const* __tsan_default_options() { return "die_after_fork=0"; }

namespace {

using namespace std::chrono_literals;
using the_clock = std::chrono::steady_clock;

struct party {
  void (*wait)(int*);
  void (*set)(int*);
};

struct plugin : party {
  void* handle;

  plugin(char const* path, int how) : handle(dlopen(path, RTLD_NOW | how)) {
    if (!handle) {
      std::printf("%s\n", dlerror());
      std::exit(1);
    }
    wait = reinterpret_cast<void (*)(int*)>(dlsym(handle, "wait_at_device_scope"));
    set = reinterpret_cast<void (*)(int*)>(dlsym(handle, "set_at_device_scope"));
  }
};

void wait_here(int* object) { cudax::atomic_ref<int, cudax::thread_scope_device>(*object).wait(0); }
void set_here(int* object) {
  cudax::atomic_ref<int, cudax::thread_scope_device> const flag(*object);
  flag.store(1);
  flag.notify_all();
}

/// A thread that waits through one party, until another party sets the object.
class waiter {
  int object_ = 0;
  std::atomic<bool> runs_ = false;
  std::thread thread_;
  the_clock::time_point back_;

public:
  explicit waiter(party const& through)
    : thread_([this, wait = through.wait] {
        runs_.store(true);
        wait(&object_);
        back_ = the_clock::now();
      }) {
    while (!runs_.load()) std::this_thread::yield();
    std::this_thread::sleep_for(3ms); // it spins for some 10 us, then sleeps
  }

  /// How long after the change by `other` the waiter was back.
  the_clock::duration wake_through(party const& other) {
    auto const begin = the_clock::now();
    other.set(&object_);
    thread_.join();
    return back_ - begin;
  }
};

/// Whether most waits through `one` end promptly when `other` notifies. Without a wake-up almost all last until the
/// next poll, 47 ms later; on a machine with much other work, some may.
bool wakes(party const& one, party const& other) {
  constexpr int rounds = 11;
  int prompt = 0;
  for (int i = 0; i < rounds; ++i) prompt += waiter(one).wake_through(other) < 20ms;
  return prompt > rounds / 2;
}

bool wake_each_other(party const& one, party const& other) { return wakes(one, other) && wakes(other, one); }

/// A change is observed in any case, by a poll.
void observe(party const& one, party const& other) { waiter(one).wake_through(other); }

bool is_loaded(char const* name) {
  void* const handle = dlopen(name, RTLD_NOW | RTLD_NOLOAD);
  if (handle) dlclose(handle);
  return handle != nullptr;
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  int const how = std::string_view(argv[1]) == "global" ? RTLD_GLOBAL : RTLD_LOCAL;
  bool const program_shares = std::string_view(LINKED) == "sync_shared";
  party const program{wait_here, set_here};
  plugin first(argv[2], how), second(argv[3], how);
  CHECK(wake_each_other(first, second));
  if (program_shares) CHECK(wake_each_other(program, first));
  else observe(program, first), observe(first, program);

  // In a child of fork: a thread that waits in the parent does not exist there, and does not disturb.
  {
    waiter in_parent(first);
    std::fflush(nullptr);
    pid_t const child = fork();
    if (child == 0) {
      alarm(240);
      CHECK(wake_each_other(first, second));
      std::fflush(nullptr);
      _exit(failures != 0);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    in_parent.wake_through(second);
  }

  // Two versions of the library: each wakes its own waiters, and the changes of the other version are observed.
  plugin const next(argv[4], how), other_next(argv[5], how);
  CHECK(is_loaded("libcudax_sync_process.so.1"));
  CHECK(is_loaded("libcudax_sync_process.so.2"));
  CHECK(wake_each_other(next, other_next));
  CHECK(wake_each_other(first, second));
  observe(first, next);
  observe(next, second);

  // A plugin is unloaded while a thread waits through another one, and loaded again.
  {
    waiter waits(second);
    CHECK(dlclose(first.handle) == 0);
    first = plugin(argv[2], how);
    waits.wake_through(first);
  }
  CHECK(wake_each_other(first, second));

  // Without any plugin, the library stays: it has the state of the process.
  for (plugin const* each :
       {static_cast<plugin const*>(&first), static_cast<plugin const*>(&second), &next, &other_next})
    CHECK(dlclose(each->handle) == 0);
  CHECK(is_loaded("libcudax_sync_process.so.1"));
  plugin const again(argv[2], how), other_again(argv[3], how);
  CHECK(wake_each_other(again, other_again));
  if (failures == 0) std::puts("shared: right");
  return failures != 0;
}
