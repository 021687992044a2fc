// SPDX-License-Identifier: Apache-2.0
//
// errors: last errors, the device's error, names and texts.
#include "errors.hpp"
#include "notes.hpp"

#include "../ptx/parse.hpp"

#include <atomic>
#include <cstdio>
#include <map>
#include <mutex>
#include <new>
#include <pthread.h>
#include <stdexcept>
#include <utility>

namespace emulator::cuda {
namespace {

thread_local cudaError_t last = cudaSuccess;
std::atomic<cudaError_t> broken = cudaSuccess;
std::atomic<bool> is_lost = false, is_lost_said = false;

struct named_error {
  cudaError_t code;
  char const* name;
};

// From the toolkit's driver_types.h.
constexpr named_error named_errors[] = {
#include "error_names.inc"
};

/// "cudaErrorIllegalAddress" -> "illegal address"
std::string words_of(std::string_view name) {
  name.remove_prefix(std::string_view("cudaError").size());
  std::string words;
  for (char const c : name) {
    bool const starts = c >= 'A' && c <= 'Z';
    if (starts && !words.empty()) words += ' ';
    words += starts ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return words;
}

std::map<cudaError_t, std::string> const& texts() {
  static auto const& all = *new std::map<cudaError_t, std::string>([] {
    std::map<cudaError_t, std::string> made;
    for (named_error const& e : named_errors)
      if (e.code != cudaSuccess) made[e.code] = words_of(e.name);
    made[cudaSuccess] = "no error";
    made[cudaErrorInvalidValue] = "invalid argument";
    made[cudaErrorMemoryAllocation] = "out of memory";
    made[cudaErrorNoKernelImageForDevice] = "no PTX of this program runs on the emulated device";
    return made;
  }());
  return all;
}

} // namespace

void say(std::string const& sentence) { std::fputs(("cudax.sync emulator: " + sentence + "\n").c_str(), stderr); }

void reject(cudaError_t code, std::string const& sentence) {
  say(sentence);
  throw failure{code};
}

cudaError_t remember(cudaError_t code) noexcept {
  if (code == cudaSuccess) return code;
  last = code;
  if (code != cudaErrorNotReady) write_note(note::error, cudaGetErrorName(code));
  return code;
}

void mind_forks() noexcept {
  static std::once_flag once;
  std::call_once(once,
                 [] { pthread_atfork(nullptr, nullptr, [] { is_lost.store(true, std::memory_order_relaxed); }); });
}

bool is_lost_child() noexcept { return is_lost.load(std::memory_order_relaxed); }

cudaError_t reject_in_child() noexcept {
  if (!is_lost_said.exchange(true))
    say("a child of fork() called CUDA, which the parent had used before; its calls fail. Call fork() before the first "
        "use of "
        "CUDA, or exec() in the child");
  return remember(cudaErrorInitializationError);
}

cudaError_t exchange_last_error(cudaError_t code) noexcept { return std::exchange(last, code); }

cudaError_t device_error() noexcept { return broken.load(std::memory_order_acquire); }

void report_fault(fault const& f) {
  say(f.text);
  auto none = cudaSuccess;
  broken.compare_exchange_strong(none, static_cast<cudaError_t>(f.error), std::memory_order_acq_rel);
}

void forget_fault() noexcept {
  broken.store(cudaSuccess, std::memory_order_release);
  last = cudaSuccess;
}

cudaError_t current_exception_code() noexcept {
  try {
    throw;
  } catch (failure const& e) {
    return e.code;
  } catch (ptx::rejected const& e) {
    say(e.what());
    return cudaErrorInvalidPtx;
  } catch (std::bad_alloc const&) {
    return cudaErrorMemoryAllocation;
  } catch (std::invalid_argument const& e) { // properties_from_environment()
    say(e.what());
    return cudaErrorInitializationError;
  } catch (std::exception const& e) {
    say(e.what());
    return cudaErrorUnknown;
  }
}

} // namespace emulator::cuda

using namespace emulator::cuda;

cudaError_t cudaGetLastError() {
  cudaError_t const error = cudaPeekAtLastError();
  last = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError() {
  cudaError_t const device = device_error();
  return device != cudaSuccess ? device : last;
}

char const* cudaGetErrorName(cudaError_t error) {
  for (named_error const& e : named_errors)
    if (e.code == error) return e.name;
  return "unrecognized error code";
}

char const* cudaGetErrorString(cudaError_t error) {
  auto const found = texts().find(error);
  return found == texts().end() ? "unrecognized error code" : found->second.c_str();
}

/// Called by the stubs (CMakeLists.txt) of functions that the emulator does not implement.
extern "C" cudaError_t cudax_emulator_not_supported(char const* name) {
  say(std::string(name) + ": the emulator has no such call; cudaErrorNotSupported is returned");
  return remember(cudaErrorNotSupported);
}
