// SPDX-License-Identifier: Apache-2.0
//
// hangs: reports of waits that last long, in checked builds. runtime/kernels/README.md, "Reports of long waits", says
// how.
module;
#include "../../runtime/interface/execution_boundary.hpp"
#include "../base/macros.hpp"
#if defined(__CUDA__) && defined(CUDAX_CHECKED)
// As in arch/abi.hpp. Only modules/machine/device includes that header, but a kernel of this module cannot call there:
// it is another module, which does not export its parts.
extern "C" __attribute__((device, visibility("hidden"))) void cudax_hang_configure(void*, unsigned long long, bool);
#endif
export module cudax.sync.host:hangs;
import :error;
import :progress;

#if defined(__CUDA__) && defined(CUDAX_CHECKED)
namespace cudax::host_detail {

/// Tells the image that contains it where to report. As a template it is in the image of the program's kernels.
template <int>
CUDAX_OF_THIS_IMAGE __attribute__((global)) void configure_hangs(void* mailbox, unsigned long long limit, bool traps) {
  cudax_hang_configure(mailbox, limit, traps);
}

} // namespace cudax::host_detail
#endif

namespace cudax {

/// Returns the kernel that configures the image; null in a build without reports of kernels. `Image` is 0. It depends
/// on the caller's template parameters: then the program's own compilation instantiates the kernel.
template <int Image>
CUDAX_OF_THIS_IMAGE void const* hang_kernel() noexcept {
#if defined(__CUDA__) && defined(CUDAX_CHECKED)
  return (void const*)&host_detail::configure_hangs<Image>;
#else
  return nullptr;
#endif
}

} // namespace cudax

export namespace cudax {

/// Says what happens to a kernel after the report of a wait.
enum class hang_action {
  wait, ///< the thread continues to wait
  trap, ///< the kernel ends with an error. Host threads continue to wait
};

} // namespace cudax

namespace cudax {

/// What report_hangs and its twin do before they handle the error.
template <class D>
CUDAX_OF_THIS_IMAGE void configure_reports([[maybe_unused]] D const& after, [[maybe_unused]] hang_action then,
                                           [[maybe_unused]] runtime::failure& why) {
#if defined(CUDAX_CHECKED)
  runtime::report_hangs(hang_kernel<0 * sizeof(D)>(), to_nanoseconds(after), then == hang_action::trap, why);
#endif
}

} // namespace cudax

export namespace cudax {

/// Makes checked builds print, on standard error, each wait without a time limit that lasts longer than `after`: what
/// is missing, the object and the thread. It applies to host threads, and, in a CUDA source, to the kernels of the
/// current device in the program or shared library that contains the call. A thread of the library prints the reports
/// of kernels while they run. In other builds it has no effect.
/// Source:   extension
/// Units:    any duration; zero ends the reports. CUDAX_HANG_AFTER, in seconds, takes precedence
/// Requires: no kernel of the device is waiting: such a wait may be reported late, or not at all
/// Errors:   cuda_error if the device cannot be used. The twin stores the code
/// Example:
///     __global__ void wait_for(cudax::atomic<int>* value) { value->wait(0); }
///     inline void run(cudax::atomic<int>* value) {
///       cudax::report_hangs(std::chrono::seconds(5));
///       wait_for<<<1, 1>>>(value); // if no thread stores, a report says so after 5 s
///     }
template <class D>
CUDAX_OF_THIS_IMAGE void report_hangs(D const& after, hang_action then = hang_action::wait) {
  runtime::failure why;
  configure_reports(after, then, why);
  runtime::raise(why);
}
template <class D>
CUDAX_OF_THIS_IMAGE void try_report_hangs(error_code& error, D const& after,
                                          hang_action then = hang_action::wait) noexcept {
  runtime::failure why;
  configure_reports(after, then, why);
  store(why, error);
}

} // namespace cudax
