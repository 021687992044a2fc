// SPDX-License-Identifier: Apache-2.0
//
// copies: several copies of the archive in one process, as plugins and Python extensions have them. Each copy has its
// own state, whether the other copies can find its symbols or not. Together they count the registrations of a page. A
// thread that waits through one copy observes what another copy changes.
//
//   copies <plugin> <plugin> local|global|apart      a table of calls in this program stands in for CUDA
//
// apart: the second plugin is in its own namespace of the dynamic loader, with its own driver and heap.
#include "../../../../runtime/cuda/cuda_calls.hpp"
#include "check.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <future>
#include <map>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

namespace cuda = cudax::runtime::cuda;
using address = std::uintptr_t;

namespace {

std::map<address, address> ranges; // of registered memory: begin and end

bool is_registered(void const* at) {
  auto const after = ranges.upper_bound(reinterpret_cast<address>(at));
  return after != ranges.begin() && std::prev(after)->second > reinterpret_cast<address>(at);
}

/// Like CUDA: rejects a range that overlaps a registered one.
int register_memory(void* at, std::size_t size) {
  auto const begin = reinterpret_cast<address>(at);
  for (auto const& [first, end] : ranges)
    if (begin < end && first < begin + size) return cuda::already_registered;
  ranges[begin] = begin + size;
  return cuda::success;
}
int unregister_memory(void* at) {
  return ranges.erase(reinterpret_cast<address>(at)) ? cuda::success : cuda::not_registered;
}
int device_address(void** device, void* host) {
  *device = host;
  return is_registered(host) ? cuda::success : cuda::invalid_value;
}
int owner(cudax::runtime::memory_owner* of, int* device, void const* at) {
  *of = is_registered(at) ? cudax::runtime::memory_owner::host : cudax::runtime::memory_owner::unregistered;
  *device = -1;
  return cuda::success;
}

cudax::runtime::cuda_calls make_calls() {
  cudax::runtime::cuda_calls calls{};
  calls.register_memory = register_memory;
  calls.unregister_memory = unregister_memory;
  calls.device_address = device_address;
  calls.owner = owner;
  calls.context_of = [](void const*) { return 0ull; };
  calls.is_alive = [](void const*, unsigned long long) { return true; };
  calls.error_name = calls.error_text = [](int) { return "an error"; };
  return calls;
}

struct plugin {
  void* handle;
  void (*use)(cudax::runtime::cuda_calls const*);
  cudax::runtime::cuda_calls const* (*used)();
  void* (*begin)(char* at, std::size_t size);
  void (*end)(void* registered);
  unsigned long long (*begin_ticket)(char* at, std::size_t size);
  int (*end_ticket)(unsigned long long ticket);
  void (*wait_at_device_scope)(int* object);
  void (*wait_at_system_scope)(int* object);
  void (*set_at_device_scope)(int* object);
  void (*set_at_system_scope)(int* object);

  plugin(char const* path, int how, Lmid_t space = LM_ID_BASE) : handle(dlmopen(space, path, RTLD_NOW | how)) {
    if (!handle) {
      std::printf("%s\n", dlerror());
      std::exit(1);
    }
    find(use, "use");
    find(used, "used");
    find(begin, "begin");
    find(end, "end");
    find(begin_ticket, "begin_ticket");
    find(end_ticket, "end_ticket");
    find(wait_at_device_scope, "wait_at_device_scope");
    find(wait_at_system_scope, "wait_at_system_scope");
    find(set_at_device_scope, "set_at_device_scope");
    find(set_at_system_scope, "set_at_system_scope");
  }

private:
  template <class Function> void find(Function*& function, char const* name) {
    function = reinterpret_cast<Function*>(dlsym(handle, name));
  }
};

alignas(4096) char pages[2 * 4096];

/// A thread that waits through one copy observes a change that another copy makes, although that copy cannot wake it:
/// the waiter polls (runtime/waiting/README.md, "Copies"). The waiter has a quarter of a second to park first.
void wait_and_set(void (*wait)(int*), void (*set)(int*)) {
  int object = 0;
  std::future<void> waiter = std::async(std::launch::async, [&] { wait(&object); });
  CHECK(waiter.wait_for(std::chrono::milliseconds(250)) == std::future_status::timeout);
  set(&object);
  if (waiter.wait_for(std::chrono::minutes(4)) == std::future_status::ready) return;
  std::puts("copies: a thread that waits through one copy does not observe a change by the other");
  std::fflush(nullptr);
  _exit(1); // the waiter never returns
}

/// One driver does not know what another has registered.
int apart(char const* one, char const* other) {
  plugin const first(one, RTLD_LOCAL), second(other, RTLD_LOCAL, LM_ID_NEWLM);
  static int registered = 0; // with the second plugin's driver
  auto const calls = make_calls();
  auto others = calls;
  others.register_memory = [](void*, std::size_t) {
    ++registered;
    return cuda::success;
  };
  others.unregister_memory = [](void*) {
    --registered;
    return cuda::success;
  };
  first.use(&calls);
  second.use(&others);
  unsigned long long const a = first.begin_ticket(pages, 16), b = second.begin_ticket(pages, 16);
  CHECK(a != 0 && b != 0);
  CHECK(ranges.size() == 1);
  CHECK(registered == 1);
  CHECK(first.end_ticket(a) == cuda::success);
  CHECK(ranges.empty());
  CHECK(registered == 1);
  CHECK(second.end_ticket(b) == cuda::success);
  CHECK(registered == 0);
  if (failures == 0) std::puts("copies: right");
  return failures != 0;
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  if (std::string_view(argv[3]) == "apart") return apart(argv[1], argv[2]);
  int const how = std::string_view(argv[3]) == "global" ? RTLD_GLOBAL : RTLD_LOCAL;
  plugin const first(argv[1], how), second(argv[2], how);
  for (char const* const name : {"_ZN5cudax7runtime5callsEv", "_ZN5cudax7runtime14exchange_callsERKNS0_10cuda_callsE",
                                 "_ZN5cudax15mapped_resourceEv", "_ZTIN5cudax10cuda_errorE"})
    for (plugin const* const each : {&first, &second}) {
      check(!dlsym(each->handle, name), name, __FILE_NAME__, __LINE__); // the archive's symbols stay hidden
      CHECK(each->begin && each->end_ticket);                           // the plugin's own symbols
    }

  // Each copy's state is its own.
  auto const calls = make_calls(), others = make_calls();
  first.use(&calls);
  second.use(&others);
  CHECK(first.used() == &calls);
  CHECK(second.used() == &others);

  auto const share_a_page = [&] {
    void* const a = first.begin(pages, 16);
    void* const b = second.begin(pages, 16);
    first.end(a);
    CHECK(is_registered(pages));
    second.end(b);
    CHECK(ranges.empty());
  };

  // Children of fork, also if the parent has registered nothing: a child may be the first to use CUDA.
  auto const fork_and_check = [](auto body) {
    std::fflush(nullptr);
    pid_t const child = fork();
    if (child == 0) {
      alarm(240);
      body();
      std::fflush(nullptr);
      _exit(failures != 0);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  };
  fork_and_check(share_a_page);

  // Registrations of a page may end in any order. The page stays registered until the last one ends.
  for (int const order : {0, 1}) {
    void* const a = first.begin(pages, 16);
    void* const b = second.begin(pages + 100, 16);
    CHECK(ranges.size() == 1);
    if (order == 0) first.end(a);
    else second.end(b);
    CHECK(is_registered(pages));
    CHECK(is_registered(pages + 100));
    void* const again = (order == 0 ? first : second).begin(pages + 4000, 200); // into the next page
    CHECK(is_registered(pages + 4199));
    if (order == 0) second.end(b);
    else first.end(a);
    CHECK(is_registered(pages + 4000));
    (order == 0 ? first : second).end(again);
    CHECK(ranges.empty());
  }

  // A ticket is valid in every copy: an inline function of one copy may call another copy.
  unsigned long long const ticket = first.begin_ticket(pages, 4);
  unsigned long long const other = second.begin_ticket(pages, 4);
  CHECK(ticket != 0 && other != 0 && ticket != other);
  CHECK(second.end_ticket(ticket) == cuda::success);
  CHECK(first.end_ticket(ticket) == cuda::not_registered);
  CHECK(is_registered(pages));

  wait_and_set(first.wait_at_device_scope, second.set_at_device_scope);
  wait_and_set(first.wait_at_system_scope, second.set_at_system_scope);

  // A child of fork has its own table, shared by its copies.
  fork_and_check([&] {
    ranges.clear();
    CHECK(first.end_ticket(other) == cuda::not_registered);
    share_a_page();
  });

  // The table outlives the copy that created it.
  void* const kept = second.begin(pages, 16);
  CHECK(dlclose(first.handle) == 0);
  CHECK(second.end_ticket(other) == cuda::success);
  CHECK(is_registered(pages));
  second.end(kept);
  CHECK(ranges.empty());
  if (failures == 0) std::puts("copies: right");
  return failures != 0;
}
