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
    int const code = ask();
    next_query = steady_now() + query_interval;
    if (code == cuda::not_ready) return false;
    bool const can_finish = source.what == progress_source::kind::stream || source.what == progress_source::kind::event;
    if (code == cuda::success && !can_finish) return false;
    if (!changed(context)) how = {code == cuda::success ? woken_by::finish : woken_by::error, code};
    return true;
  }

  int ask() const noexcept {
    switch (source.what) {
    case progress_source::kind::stream:
      return cuda.query_stream(static_cast<CUstream_st*>(const_cast<void*>(source.handle)));
    case progress_source::kind::event:
      return cuda.query_event(static_cast<CUevent_st*>(const_cast<void*>(source.handle)));
    case progress_source::kind::device: return cuda.query_stream(nullptr);
    case progress_source::kind::callable: return source.ask(source.handle);
    }
    return cuda::invalid_value;
  }
};

} // namespace

woken wait_with_progress(void const volatile* address, bool (*changed)(void const*), void const* context,
                         long long deadline, progress_source const& source) noexcept {
  if (changed(context)) return {};
  waiter self{changed, context, source};
  // A launch that was refused leaves its error here, and nothing that could be waited for. The queries overwrite it.
  int const refused = source.what == progress_source::kind::callable ? cuda::success : self.cuda.last_error();
  int code = cuda::success;
  current_device_guard const device(source.what == progress_source::kind::device ? source.ordinal : -1, code);
  if (code != cuda::success) return {woken_by::error, code};
  auto const over = [](void const* of) { return static_cast<waiter*>(const_cast<void*>(of))->over(); };
  if (!park(address, over, &self, deadline, true, awaited::change)) return {woken_by::deadline};
  if (self.how.why != woken_by::finish) return self.how;
  if (refused != cuda::success && refused != cuda::not_ready) return {woken_by::error, refused};
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
  case woken_by::error: fail_in_cuda(why, how.code, "wait: the object at %p has not changed, and will not", at); break;
  }
}

} // namespace cudax::runtime
