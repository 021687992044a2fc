// SPDX-License-Identifier: Apache-2.0
//
// loading: kernels that are loaded before anybody waits for them. runtime/loading.cpp says why.
module;
#include "../../runtime/execution_boundary.hpp"
export module cudax.sync.host:loading;
import :error;

namespace cudax {

template <class F>
concept kernel_function = __is_function(F);

/// The addresses of kernels, also of none.
template <size_t Count> struct kernel_list {
  void const* kernels[Count + 1];
  static constexpr size_t count = Count;
};
template <class... Kernel> kernel_list<sizeof...(Kernel)> list_of(Kernel*... kernels) noexcept {
  return {{(void const*)kernels..., nullptr}};
}

} // namespace cudax

export namespace cudax {

/// Loads the kernels for the current device, so that no launch has to do it while another kernel polls. Makes the
/// device's context current where the thread has none, as a launch does.
/// Source:   cudaFuncGetAttributes, which loads; CUDA programming guide, "Lazy Loading"
/// Requires: called once for each device, and again behind cudaDeviceReset
/// Errors:   cuda_error where CUDA cannot load one; those before it are loaded. The twin stores the code
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

/// Returns what a program risks in which one kernel polls for another, or for the host thread that launches it: a
/// sentence without a full stop that also says what to do. Empty where kernels are loaded before the program runs
/// (CUDA_MODULE_LOADING=EAGER), or preload() has loaded all of these for the current device; without kernels it is
/// about all of them.
template <kernel_function... Kernel> string lazy_loading_hazard(Kernel*... kernels) {
  char sentence[480];
  auto const list = list_of(kernels...);
  runtime::explain_lazy_loading(list.kernels, list.count, sentence, sizeof(sentence));
  return sentence;
}

} // namespace cudax
