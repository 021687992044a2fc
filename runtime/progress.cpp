// SPDX-License-Identifier: Apache-2.0
//
// progress: host threads that wait for a device, and keep it going while they do.
//
// CUDA promises that a kernel starts only while somebody calls it: a host that spins on a flag may starve the launch
// that it waits for, but repeated queries ensure progress (CUDA's execution model, examples API.2 to API.4). So a
// waiter parks as others do (parking.cpp), with an interval, and each time that it looks for the change it also asks
// its source: a stream, an event, a device, a callable. The answer also tells what a flag cannot: that the kernel
// died, or ended without the change.
//
// A query takes microseconds and locks of the driver, which launches need; a look at a word takes none. So the
// spinning part asks at intervals of query_interval only.
#include "boundary.hpp"
#include "execution_calls.hpp"

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
  execution_calls const& cuda = running();
  long long next_query = 0; // the first look asks at once: a dead device is not waited for
  woken how{};

  /// Whether the wait is over. The change comes first: what a kernel stored before it died, it stored. Behind an
  /// answer it is looked for again, because what the answer tells came before the answer, and so did the change.
  bool over() noexcept {
    if (changed(context)) return true;
    long long const now = steady_now();
    if (now < next_query) return false;
    code_of_category const answer = ask();
    next_query = steady_now() + query_interval;
    if (!answer.category && answer.code == cuda::not_ready) return false;
    bool const can_finish = source.what == progress_source::kind::stream || source.what == progress_source::kind::event;
    if (answer.code == cuda::success && !can_finish) return false; // 0 is success in every category
    if (!changed(context)) how = {answer.code == cuda::success ? woken_by::finish : woken_by::error, answer};
    return true;
  }

  code_of_category ask() const noexcept {
    switch (source.what) {
    case progress_source::kind::stream:
      return {cuda.query_stream(static_cast<CUstream_st*>(const_cast<void*>(source.handle)))};
    case progress_source::kind::event:
      return {cuda.query_event(static_cast<CUevent_st*>(const_cast<void*>(source.handle)))};
    case progress_source::kind::device: return {cuda.query_device(source.ordinal)};
    case progress_source::kind::callable: return source.ask(source.handle);
    }
    return {cuda::invalid_value};
  }
};

/// The errors that a launch which CUDA refused leaves in its thread: measured with CUDA 13.0, documented for those before. The
/// thread's last error may be any call's that failed long ago, so no other counts. The first, not_supported and
/// symbol_not_found also come from other calls; nothing tells these apart. What a kernel did wrong while it ran is no
/// refusal: the queries report it.
constexpr int refusals[] = {
    // A grid or a block that there cannot be, too much shared memory: since CUDA 13, and before.
    cuda::invalid_value, cuda::invalid_configuration,
    // No kernel of this program, or a stream that is gone.
    cuda::missing_configuration, cuda::invalid_device_function, cuda::invalid_resource_handle,
    // A kernel that cannot be loaded for this device.
    cuda::invalid_kernel_image, cuda::no_kernel_image, cuda::invalid_ptx, cuda::jit_compiler_not_found,
    cuda::unsupported_ptx_version, cuda::jit_compilation_disabled, cuda::unsupported_device_side_sync,
    cuda::shared_object_init_failed, cuda::symbol_not_found,
    // Registers for so many threads, a cooperative grid, a cluster.
    cuda::launch_out_of_resources, cuda::cooperative_launch_too_large, cuda::invalid_cluster_size,
    // A cooperative launch or a cluster on a device that has none.
    cuda::not_supported,
    // Into a stream whose capture another call has broken; into the legacy default stream while one is captured that it
    // waits for.
    cuda::capture_invalidated, cuda::capture_implicit};

bool is_refusal(int code) noexcept {
  return std::find(std::begin(refusals), std::end(refusals), code) != std::end(refusals);
}

/// The message of a code of another category than CUDA's.
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
  waiter self{changed, context, source};
  // A launch that was refused leaves its error here, and nothing that could be waited for.
  int const before = source.what == progress_source::kind::callable ? cuda::success : self.cuda.last_error();
  auto const over = [](void const* of) { return static_cast<waiter*>(const_cast<void*>(of))->over(); };
  if (!park(address, over, &self, deadline, true, awaited::change)) return {woken_by::deadline};
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
         "was launched there, and changes it",
         at);
    break;
  case woken_by::error:
    if (!how.error.category) {
      fail_in_cuda(why, how.error.code, "wait: the object at %p has not changed, and will not", at);
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
