// SPDX-License-Identifier: Apache-2.0
//
// loading: loads kernels before any thread waits for them. runtime/kernels/loading.cpp says why.
module;
#include "../../runtime/interface/execution_boundary.hpp"
export module cudax.sync.host:loading;
import :error;

namespace cudax {

template <class F>
concept kernel_function = __is_function(F);

/// The addresses of `Count` kernels. `Count` may be 0.
template <size_t Count> struct kernel_list {
  void const* kernels[Count + 1];
  static constexpr size_t count = Count;
};
template <class... Kernel> kernel_list<sizeof...(Kernel)> list_of(Kernel*... kernels) noexcept {
  return {{(void const*)kernels..., nullptr}};
}

} // namespace cudax

export namespace cudax {

/// Loads the kernels for the current device, so that no launch has to load them while another kernel polls. Makes the
/// device's context current if the thread has none, as a launch does.
/// Source:   cudaFuncGetAttributes, which loads; CUDA programming guide, "Lazy Loading"
/// Requires: called once for each device, and again after cudaDeviceReset
/// Errors:   cuda_error if CUDA cannot load a kernel; the kernels before it are loaded. The twin stores the code
/// Example:
///     __global__ void produce(cudax::atomic<int>* ready) { ready->store(1, cudax::memory_order_release); }
///     __global__ void consume(cudax::atomic<int>* ready) { ready->wait(0, cudax::memory_order_acquire); }
///     inline void run(cudax::atomic<int>* ready, cudaStream_t first, cudaStream_t second) {
///       cudax::preload(produce, consume); // else the second launch may wait until the first kernel ends
///       consume<<<1, 1, 0, first>>>(ready);
///       produce<<<1, 1, 0, second>>>(ready);
///     }
template <kernel_function... Kernel> void preload(Kernel*... kernels) {
  runtime::failure why;
  auto const list = list_of(kernels...);
  runtime::preload(list.kernels, list.count, why);
  runtime::raise(why);
}
template <kernel_function... Kernel> void try_preload(error_code& error, Kernel*... kernels) noexcept {
  runtime::failure why;
  auto const list = list_of(kernels...);
  runtime::preload(list.kernels, list.count, why);
  store(why, error);
}

/// Returns a warning about lazy loading: a sentence without a full stop that also says what to do. The risk: a kernel
/// polls for another kernel, or for the host thread that launches that other kernel. Loading the other kernel may wait
/// until the device is idle, and the device is not idle while the first kernel polls. Returns an empty string if
/// kernels are loaded before the program runs (CUDA_MODULE_LOADING=EAGER), or if preload() has loaded all the given
/// kernels for the current device. Without arguments it covers all kernels.
template <kernel_function... Kernel> string lazy_loading_hazard(Kernel*... kernels) {
  char sentence[480];
  auto const list = list_of(kernels...);
  runtime::explain_lazy_loading(list.kernels, list.count, sentence, sizeof(sentence));
  return sentence;
}

} // namespace cudax
