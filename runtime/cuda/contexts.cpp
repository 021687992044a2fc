// SPDX-License-Identifier: Apache-2.0
//
// contexts: finds the context to push.
#include "contexts.hpp"

namespace cudax::runtime {

int primary_context::retain(int ordinal, bool make) noexcept {
  give_back();
  unsigned flags = 0;
  int active = 0;
  int code = driver_.cuDeviceGet(&device_, ordinal);
  if (code == CUDA_SUCCESS) code = driver_.cuDevicePrimaryCtxGetState(device_, &flags, &active);
  if (code == CUDA_SUCCESS && active == 0 && !make) code = CUDA_ERROR_INVALID_CONTEXT;
  if (code == CUDA_SUCCESS) code = driver_.cuDevicePrimaryCtxRetain(&context_, device_);
  gives_back_ = code == CUDA_SUCCESS && active != 0;
  return code;
}

// The reference count continues across a reset of the device, so the release is correct even if another thread has
// reset the device in the meantime.
void primary_context::give_back() noexcept {
  if (gives_back_) (void)driver_.cuDevicePrimaryCtxRelease(device_);
  gives_back_ = false;
}

pushed_context::~pushed_context() {
  CUcontext popped = nullptr;
  if (pushed_) (void)driver_.cuCtxPopCurrent(&popped);
}

int pushed_context::push(CUcontext context) noexcept {
  int const code = driver_.cuCtxPushCurrent(context);
  pushed_ = code == CUDA_SUCCESS;
  return code;
}

int pushed_context::push_primary(int ordinal, bool make) noexcept {
  int const code = primary_.retain(ordinal, make);
  return code == CUDA_SUCCESS ? push(primary_.get()) : code;
}

int pushed_context::device_of_thread(int& ordinal) const noexcept {
  return call_runtime(driver_, [&] { return driver_.cudaGetDevice(&ordinal); });
}

int pushed_context::push_any() noexcept {
  int own = 0, count = 0;
  int code = device_of_thread(own);
  if (code == CUDA_SUCCESS) code = push_primary(own, false);
  if (!is_gone(code)) return code;
  if (int const refused = driver_.cuDeviceGetCount(&count)) return refused;
  for (int ordinal = 0; ordinal < count && is_gone(code); ++ordinal)
    if (ordinal != own) code = push_primary(ordinal, false);
  return code;
}

int pushed_context::push_for_memory(void const* at) noexcept {
  CUcontext owner = nullptr;
  auto const address = reinterpret_cast<CUdeviceptr>(at);
  if (driver_.cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, address) == CUDA_SUCCESS && owner &&
      push(owner) == CUDA_SUCCESS)
    return CUDA_SUCCESS;
  return push_any();
}

int pushed_context::push_for_stream(CUstream stream) noexcept {
  if (!stream || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD) {
    int own = 0;
    int const code = device_of_thread(own);
    return code == CUDA_SUCCESS ? push_primary(own, false) : code;
  }
  CUcontext owner = nullptr;
  if (driver_.cuStreamGetCtx(stream, &owner) == CUDA_SUCCESS && owner && push(owner) == CUDA_SUCCESS)
    return CUDA_SUCCESS;
  return push_any();
}

int pushed_context::push_for_new_memory() noexcept {
  int const code = push_any();
  if (!is_gone(code)) return code;
  int own = 0;
  int const refused = device_of_thread(own);
  return refused == CUDA_SUCCESS ? push_primary(own, true) : refused;
}

} // namespace cudax::runtime
