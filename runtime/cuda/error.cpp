// SPDX-License-Identifier: Apache-2.0
//
// error: the category, the exception, and the messages.
#include "../interface/error.hpp"
#include "../interface/host_boundary.hpp"
#include "cuda_calls.hpp"
#include "execution_calls.hpp"

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <string>

namespace cudax {
namespace {

class category final : public std::error_category {
public:
  char const* name() const noexcept override { return "cuda"; }

  std::string message(int code) const override {
    auto const& calls = runtime::calls();
    if (code == runtime::cuda::timed_out) return "the object has not changed in time";
    if (code == runtime::cuda::finished_without_change) return "the work has finished without the change";
    if (code != runtime::cuda::insufficient_driver)
      return std::string(calls.error_text(code)) + " (" + calls.error_name(code) + ")";
    char text[256]; // if there is no driver, CUDA reports that it is too old
    runtime::explain(code, text, sizeof(text));
    return text;
  }

  std::error_condition default_error_condition(int code) const noexcept override {
    namespace cuda = runtime::cuda;
    switch (code) {
    case cuda::invalid_value:
    case cuda::invalid_configuration:
    case cuda::invalid_device_function:
    case cuda::invalid_device:
    case cuda::invalid_resource_handle:
    case cuda::not_registered: return std::errc::invalid_argument;
    case cuda::memory_allocation: return std::errc::not_enough_memory;
    case cuda::not_initialized:
    case cuda::insufficient_driver:
    case cuda::stub_library:
    case cuda::no_device: return std::errc::no_such_device;
    case cuda::not_permitted: return std::errc::operation_not_permitted;
    case cuda::not_supported: return std::errc::not_supported;
    case cuda::timed_out: return std::errc::timed_out;
    case cuda::finished_without_change: return std::errc::operation_canceled;
    case cuda::built_without: return std::errc::function_not_supported;
    default: return {code, *this};
    }
  }
};

} // namespace

std::error_category const& cuda_category() noexcept {
  // Never destroyed: destructors of static objects may still report errors. Constant-initialised: a guarded
  // initialisation could be in progress when the process forks, and the child would wait for it indefinitely.
  [[clang::no_destroy]] static constinit category const only;
  return only;
}

cuda_error::cuda_error(std::error_code code, char const* sentence) : std::system_error(code), sentence_(sentence) {}

char const* cuda_error::what() const noexcept { return sentence_.what(); }

namespace runtime {

void raise(failure const& why) {
  if (why.code != cuda::success) throw cuda_error(to_error_code(why), why.sentence);
}

std::error_code to_error_code(failure const& why) noexcept {
  return {why.code, why.category ? *static_cast<std::error_category const*>(why.category) : cuda_category()};
}

// --- messages --------------------------------------------------------------------------------------------------------

namespace {

[[gnu::format(printf, 2, 0)]] void write(failure& why, char const* format, std::va_list arguments) noexcept {
  int const used = std::snprintf(why.sentence, sizeof(why.sentence), "cudax.sync: ");
  std::vsnprintf(why.sentence + used, sizeof(why.sentence) - static_cast<std::size_t>(used), format, arguments);
}

char const* advice(int code) noexcept {
  switch (code) {
  case cuda::memory_allocation: return "free memory, or raise the limit of locked memory (ulimit -l)";
  case cuda::not_initialized:
    return "a child of fork() cannot use CUDA where the parent has used it: fork before the first use, or call exec";
  case cuda::invalid_configuration:
    return "a block has at most 1024 x 1024 x 64 threads, 1024 in all, a grid 2^31 - 1 x 65535 x 65535 blocks";
  case cuda::invalid_device_function: return "give a __global__ function that is linked into this program";
  case cuda::no_kernel_image: return "compile the kernel for this device's SM, or embed PTX of an older one";
  case cuda::invalid_resource_handle: return "the stream or event must be alive and of a device of this process";
  case cuda::invalid_device: return "the devices are numbered from 0, see cudax::devices()";
  case cuda::invalid_value: return "the memory must be mapped, writable and the process's own";
  case cuda::not_permitted: return "CUDA may not be called here, in a callback of a stream: call it before";
  case cuda::not_supported: return "see cudax::devices() for what the devices can do";
  case cuda::illegal_address:
  case cuda::assertion_failed:
  case cuda::hardware_stack_error:
  case cuda::illegal_instruction:
  case cuda::misaligned_address:
  case cuda::invalid_address_space:
  case cuda::invalid_program_counter:
  case cuda::launch_failure:
    return "a kernel died, and CUDA does nothing more in this process; a checked build, compute-sanitizer or "
           "tools/emulate "
           "--check says where";
  default: return "CUDA may be reporting an earlier kernel or call: check their results first";
  }
}

} // namespace

void fail(failure& why, int code, char const* format, ...) noexcept {
  why.code = code;
  std::va_list arguments;
  va_start(arguments, format);
  write(why, format, arguments);
  va_end(arguments);
}

void fail_in_cuda(failure& why, int code, char const* format, ...) noexcept {
  why.code = code;
  std::va_list arguments;
  va_start(arguments, format);
  write(why, format, arguments);
  va_end(arguments);
  std::size_t const used = std::strlen(why.sentence);
  if (used + 3 < sizeof(why.sentence)) {
    std::memcpy(why.sentence + used, ": ", 3);
    explain(code, why.sentence + used + 2, sizeof(why.sentence) - used - 2);
  }
}

void explain(int code, char* text, std::size_t size) noexcept {
  switch (code) {
  case cuda::built_without:
    std::snprintf(text, size,
                  "cudax.sync was built without CUDA; install a CUDA toolkit 12.8 or later and build it again");
    break;
  case cuda::insufficient_driver: {
    int driver = 0, runtime = 0;
    calls().versions(&driver, &runtime);
    if (driver == 0)
      std::snprintf(text, size,
                    "there is no CUDA driver (libcuda.so.1); install NVIDIA's driver where there is a GPU, or run the "
                    "program by cudax-emulate (tools/emulate)");
    else
      std::snprintf(text, size,
                    "the driver supports CUDA %d.%d, but the program runs on CUDA %d.%d; install a newer driver",
                    driver / 1000, driver / 10 % 100, runtime / 1000, runtime / 10 % 100);
    break;
  }
  case cuda::no_device:
    std::snprintf(text, size, "the CUDA driver reports no device; check nvidia-smi and CUDA_VISIBLE_DEVICES");
    break;
  default: std::snprintf(text, size, "%s (%s); %s", calls().error_text(code), calls().error_name(code), advice(code));
  }
}

} // namespace runtime
} // namespace cudax
