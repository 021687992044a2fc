// SPDX-License-Identifier: Apache-2.0
//
// progress: host threads that wait for a device, and keep it making progress while they wait.
//
// CUDA guarantees that a kernel starts only while a thread calls CUDA: a host thread that spins on a flag may starve
// the launch that it waits for, but repeated queries ensure progress (CUDA's execution model, examples API.2 to API.4).
// So a waiter parks as others do (parking.cpp), with an interval, and each time that it checks for the change it also
// polls its source: a stream, an event, a device or a callable. The result of the poll also reports what a flag cannot:
// that the kernel died, or ended without the change.
//
// A query takes microseconds and locks in the driver that launches need; a load of a word takes neither. So a spinning
// waiter polls the source only at intervals of query_interval.
#include "../base/kept_errno.hpp"
#include "../cuda/execution_calls.hpp"
#include "../interface/boundary.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string>
#include <system_error>

namespace cudax::runtime {
namespace {

constexpr long long query_interval = 10'000; // nanoseconds

struct waiter {
  bool (*changed)(void const*);
  void const* context;
  progress_source const& source;
  execution_calls const& cuda = execution();
  long long next_query = 0; // the first check polls at once, to detect a dead device
  woken how{};

  /// Whether the wait is over. The change takes precedence: a kernel may store before it dies. After a query the change
  /// is checked again, because a kernel that the query reports as ended may have made it.
  bool over() noexcept {
    if (changed(context)) return true;
    long long const now = steady_now();
    if (now < next_query) return false;
    code_of_category const answer = query();
    next_query = steady_now() + query_interval;
    if (!answer.category && answer.code == cuda::not_ready) return false;
    bool const can_finish = source.what == progress_source::kind::stream || source.what == progress_source::kind::event;
    if (answer.code == cuda::success && !can_finish) return false; // 0 is success in every category
    if (!changed(context)) how = {answer.code == cuda::success ? woken_by::finish : woken_by::error, answer};
    return true;
  }

  code_of_category query() const noexcept {
    switch (source.what) {
    case progress_source::kind::stream:
      return {cuda.query_stream(static_cast<CUstream_st*>(const_cast<void*>(source.handle)))};
    case progress_source::kind::event:
      return {cuda.query_event(static_cast<CUevent_st*>(const_cast<void*>(source.handle)))};
    case progress_source::kind::device: return {cuda.query_device(source.ordinal)};
    case progress_source::kind::callable: return source.poll(source.handle);
    }
    return {cuda::invalid_value};
  }
};

/// The errors that a rejected launch leaves in its thread: measured with CUDA 13.0, documented for the versions before.
/// The thread's last error may come from any earlier call, so no other code counts. The first, not_supported and
/// symbol_not_found also come from other calls and cannot be told apart. An error that a kernel causes while it runs is
/// not a rejected launch: the queries report it.
constexpr int refusals[] = {
    // A grid or a block with impossible dimensions, too much shared memory: since CUDA 13, and before.
    cuda::invalid_value, cuda::invalid_configuration,
    // Not a kernel of this program, or a stream that no longer exists.
    cuda::missing_configuration, cuda::invalid_device_function, cuda::invalid_resource_handle,
    // A kernel that cannot be loaded for this device.
    cuda::invalid_kernel_image, cuda::no_kernel_image, cuda::invalid_ptx, cuda::jit_compiler_not_found,
    cuda::unsupported_ptx_version, cuda::jit_compilation_disabled, cuda::unsupported_device_side_sync,
    cuda::shared_object_init_failed, cuda::symbol_not_found,
    // Too many registers for the block size, a cooperative grid or a cluster that does not fit.
    cuda::launch_out_of_resources, cuda::cooperative_launch_too_large, cuda::invalid_cluster_size,
    // A cooperative launch or a cluster on a device without support for it.
    cuda::not_supported,
    // A launch into a stream whose capture another call has invalidated, or into the legacy default stream while a
    // stream that it synchronizes with is captured.
    cuda::capture_invalidated, cuda::capture_implicit};

bool is_refusal(int code) noexcept {
  return std::find(std::begin(refusals), std::end(refusals), code) != std::end(refusals);
}

/// Writes the message of a code whose category is not CUDA's.
void describe(code_of_category error, char* text, size_t size) noexcept {
  auto const& category = *static_cast<std::error_category const*>(error.category);
  try {
    std::snprintf(text, size, "%s (%s:%d)", category.message(error.code).c_str(), category.name(), error.code);
  } catch (...) { // no memory for the message
    std::snprintf(text, size, "%s:%d", category.name(), error.code);
  }
}

} // namespace

woken wait_with_progress(void const volatile* address, bool (*changed)(void const*), void const* context,
                         long long deadline, progress_source const& source) noexcept {
  if (changed(context)) return {};
  kept_errno const keeps; // CUDA's calls may change it
  waiter self{changed, context, source};
  // A rejected launch leaves its error in this thread, and no work that could be waited for.
  int const before = source.what == progress_source::kind::callable ? cuda::success : self.cuda.last_error();
  auto const over = [](void const* of) { return static_cast<waiter*>(const_cast<void*>(of))->over(); };
  // Only this thread may call `over`: a query needs the thread's own context of CUDA.
  if (!park({.address = address, .changed = over, .context = &self, .deadline = deadline, .polls = true}))
    return {woken_by::deadline};
  if (self.how.why != woken_by::finish) return self.how;
  if (is_refusal(before)) return {woken_by::error, {before}};
  return {woken_by::finish};
}

void explain_wait(void const volatile* address, woken how, failure& why) noexcept {
  void const* const at = const_cast<void const*>(address);
  switch (how.why) {
  case woken_by::change: break;
  case woken_by::deadline: fail(why, cuda::timed_out, "wait: the object at %p did not change in time", at); break;
  case woken_by::finish:
    fail(why, cuda::finished_without_change,
         "wait: all work that was waited for has finished, and the object at %p has not changed; check that a kernel "
         "was launched there and that it changes the object",
         at);
    break;
  case woken_by::error:
    if (!how.error.category) {
      fail_in_cuda(why, how.error.code, "wait: the object at %p has not changed and will not change", at);
      break;
    }
    char text[256];
    describe(how.error, text, sizeof(text));
    fail(why, how.error.code, "wait: the object at %p has not changed, and the callable ended the wait: %s", at, text);
    why.category = how.error.category;
    break;
  }
}

} // namespace cudax::runtime
