// SPDX-License-Identifier: Apache-2.0
//
// device_hangs: reports of long waits of devices. report_hangs launches a kernel of one thread, which tells the image
// that contains it where the mailbox is (arch/hang.cu). A thread of this file polls the mailboxes every 50 ms and
// prints what it finds. It only reads memory: it calls no CUDA, so no capture and no context is affected.
//
// A mailbox is registered memory that is never freed: a kernel may still write into it. It belongs to an image and a
// device, and a further call for both uses it again. The thread begins with the first call. It ends, after a last poll,
// when the program ends or the library that contains this copy of the archive is unloaded. A child of fork() has no
// such thread, and no CUDA.
#include "../cuda/execution_calls.hpp"
#include "../interface/hang_mailbox.hpp"
#include "../process/fork_hook.hpp"
#include "../waiting/hang.hpp"

#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <new>
#include <pthread.h>

namespace cudax::runtime {
namespace {

constexpr std::size_t page = 4096;

struct box {
  void const* kernel; // stands for the image
  int device;
  hang_mailbox* mailbox;
  box* next;
  long long limit = 0; // nanoseconds; each device has that of its last call
  std::array<bool, hang_mailbox::slots> printed{};
};

constinit std::mutex mutex; // of all variables below
box* boxes = nullptr;       // never destroyed
bool runs = false, ends = false;
pthread_t thread;

/// A report that was found in a mailbox.
struct report_of_device {
  hang_mailbox::slot content;
  long long limit;
  int device;
  hang_mailbox::slot* slot;
};

/// Takes a report that is not printed yet; returns whether there is one.
/// Requires: the caller holds the mutex
bool take(report_of_device& found) noexcept {
  for (box* each = boxes; each; each = each->next)
    for (std::size_t i = 0; i < each->printed.size(); ++i) {
      hang_mailbox::slot& slot = each->mailbox->all[i];
      // Acquire: pairs with the release store in cudax_hang_report.
      unsigned const state = std::atomic_ref(slot.state).load(std::memory_order_acquire);
      if (each->printed[i] || state == hang_mailbox::empty) continue;
      each->printed[i] = true;
      found = {slot, each->limit, each->device, &slot};
      found.content.state = state;
      found.content.text[hang_mailbox::longest_text - 1] = 0; // a kernel that goes wrong may have overwritten it
      return true;
    }
  return false;
}

void print(report_of_device const& found) noexcept {
  hang_mailbox::slot const& slot = found.content;
  char where[120];
  std::snprintf(where, sizeof(where), "block (%u, %u, %u), thread (%u, %u, %u) of device %d", slot.block[0],
                slot.block[1], slot.block[2], slot.thread[0], slot.thread[1], slot.thread[2], found.device);
  hang::print(slot.text, slot.values, slot.object, found.limit, where,
              slot.state == hang_mailbox::stopped ? "the kernel was stopped" : "the thread continues to wait");
  // Relaxed: the kernel reads nothing else afterwards. Fails if report_hangs has emptied the mailbox meanwhile.
  unsigned expected = hang_mailbox::stopped;
  std::atomic_ref(found.slot->state)
      .compare_exchange_strong(expected, hang_mailbox::printed, std::memory_order_relaxed);
}

/// Prints without the mutex: standard error may block, and neither report_hangs nor fork() must wait for that.
void* run(void*) {
  for (;;) {
    report_of_device found;
    bool has_found, has_ended;
    {
      std::lock_guard const lock(mutex);
      has_ended = ends;
      has_found = take(found);
    }
    if (has_found) print(found);
    else if (has_ended) return nullptr;
    else sleep(50'000'000);
  }
}

/// Starts the thread if it does not run. Blocks all signals in it, because handlers belong to the program's threads.
/// Requires: the caller holds the mutex
int start() noexcept {
  if (runs) return 0;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int const error = pthread_create(&thread, nullptr, run, nullptr);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  runs = error == 0;
  return error;
}

struct at_end {
  ~at_end() {
    {
      std::lock_guard const lock(mutex);
      if (!runs) return;
      ends = true;
    }
    pthread_join(thread, nullptr);
  }
} const stop_at_end;

box* find(void const* kernel, int device) noexcept {
  std::lock_guard const lock(mutex);
  box* each = boxes;
  while (each && (each->kernel != kernel || each->device != device)) each = each->next;
  return each;
}

/// Makes a box that is not in the list; null if there is no memory.
box* make(void const* kernel, int device) noexcept {
  void* const memory = std::aligned_alloc(page, page);
  if (!memory) return nullptr;
  box* const made = new (std::nothrow) box{kernel, device, new (memory) hang_mailbox{}, nullptr};
  if (!made) std::free(memory);
  return made;
}

[[maybe_unused]] int const on_fork = fork_hook::join();

} // namespace

void fork_hook::lock_hangs() noexcept { mutex.lock(); }
void fork_hook::unlock_hangs(process which) noexcept {
  if (which == process::child) runs = false;
  mutex.unlock();
}

void report_hangs(void const* kernel, long long after, bool traps, failure& why) noexcept {
  hang::set_limit(after < 0 ? 0 : after);
  if (!kernel) return;
  int device = 0;
  if (int const code = execution().current_device(&device)) {
    fail_in_cuda(why, code, "report_hangs: kernels cannot report");
    return;
  }
  box* used = find(kernel, device);
  bool const is_new = !used;
  if (is_new) used = make(kernel, device);
  if (!used) {
    fail(why, cuda::memory_allocation, "report_hangs: no memory for a mailbox of %zu bytes; free memory", page);
    return;
  }
  void* address = nullptr;
  int code = calls().device_address(&address, used->mailbox);
  if (code != cuda::success) { // new, or unregistered by cudaDeviceReset
    code = calls().register_memory(used->mailbox, page);
    // Another thread, with the same call, may have registered it meanwhile.
    if (code == cuda::success || code == cuda::already_registered)
      code = calls().device_address(&address, used->mailbox);
  }
  int error = 0;
  long long const limit = hang::limit();
  {
    std::lock_guard const lock(mutex);
    used->limit = limit;
    if (is_new) used->next = boxes, boxes = used;
    for (std::size_t i = 0; i < used->printed.size(); ++i) {
      std::atomic_ref(used->mailbox->all[i].state).store(hang_mailbox::empty, std::memory_order_relaxed);
      used->printed[i] = false;
    }
    if (code == cuda::success) error = start();
  }
  if (error != 0) {
    fail(why, cuda::memory_allocation,
         "report_hangs: the thread that prints reports cannot be created (error %d); "
         "end other threads",
         error);
    return;
  }
  if (code == cuda::success) {
    auto argument = static_cast<unsigned long long>(limit);
    void* arguments[] = {&address, &argument, &traps};
    launch_request const request{kernel, {}, {}, 0, nullptr, arguments};
    code = execution().launch_aside(&request);
  }
  if (code != cuda::success) fail_in_cuda(why, code, "report_hangs: kernels of device %d cannot report", device);
}

} // namespace cudax::runtime
