// SPDX-License-Identifier: Apache-2.0
//
// loading: when kernels are loaded, and why it matters to kernels that wait for each other.
//
// With CUDA_MODULE_LOADING=LAZY, the default since CUDA 12.2, the first launch of a kernel loads it, and loading may
// wait until the device is idle. A kernel that polls for another kernel, or for a host thread that launches one, keeps
// the device from becoming idle. Querying a kernel's attributes loads it; preload() does so.
#include "../cuda/execution_calls.hpp"
#include "../process/fork_hook.hpp"

#include <cstdio>
#include <mutex>
#include <new>
#include <set>
#include <utility>

namespace cudax::runtime {
namespace {

constinit std::mutex mutex;
// The kernels that preload() has loaded, each with its device; never destroyed.
std::set<std::pair<void const*, int>>* kernels = nullptr;

void add(void const* kernel, int device) {
  std::lock_guard const lock(mutex);
  if (!kernels) kernels = new std::set<std::pair<void const*, int>>;
  kernels->emplace(kernel, device);
}

bool contains(void const* kernel, int device) noexcept {
  std::lock_guard const lock(mutex);
  return kernels && kernels->contains({kernel, device});
}

[[maybe_unused]] int const on_fork = fork_hook::join();

} // namespace

void fork_hook::lock_loaded_kernels() noexcept { mutex.lock(); }
void fork_hook::unlock_loaded_kernels() noexcept { mutex.unlock(); }

void preload(void const* const* kernels, size_t count, failure& why) noexcept {
  int device = 0;
  if (int const code = execution().current_device(&device)) {
    fail_in_cuda(why, code, "preload: %zu kernels cannot be loaded", count);
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    kernel_description ignored;
    if (int const code = execution().describe_kernel(&ignored, kernels[i])) {
      fail_in_cuda(why, code, "preload: kernel %zu of %zu, at %p, cannot be loaded for device %d", i + 1, count,
                   kernels[i], device);
      return;
    }
    try {
      add(kernels[i], device);
    } catch (std::bad_alloc const&) {
      fail(why, cuda::memory_allocation, "preload: no memory for the list of %zu kernels; free memory", count);
      return;
    }
  }
}

void explain_lazy_loading(void const* const* kernels, size_t count, char* sentence, size_t size) noexcept {
  *sentence = 0;
  bool lazily = false;
  int device = 0;
  int code = execution().loads_lazily(&lazily);
  if (code == cuda::built_without || (code == cuda::success && !lazily)) return;
  if (code == cuda::success) code = execution().current_device(&device);
  if (code != cuda::success) {
    int const used = std::snprintf(sentence, size, "how kernels are loaded cannot be queried: ");
    if (used > 0 && size_t(used) < size) explain(code, sentence + used, size - size_t(used));
    return;
  }
  size_t missing = 0;
  for (size_t i = 0; i < count; ++i) missing += !contains(kernels[i], device);
  if (count != 0 && missing == 0) return;
  constexpr char const* rest = "load at their first launch (CUDA_MODULE_LOADING is LAZY, the default), which may wait "
                               "until the device is idle: a kernel that polls for one of them never ends; call "
                               "cudax::preload(kernel...) before, or set CUDA_MODULE_LOADING=EAGER";
  if (count == 0) std::snprintf(sentence, size, "kernels %s", rest);
  else std::snprintf(sentence, size, "%zu of %zu kernels for device %d %s", missing, count, device, rest);
}

} // namespace cudax::runtime
