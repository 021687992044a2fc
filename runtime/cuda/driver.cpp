// SPDX-License-Identifier: Apache-2.0
//
// driver: finds the functions of the driver.
//
// One store publishes the complete table, and the table stays: a thread that searches at the same time takes the
// published table and discards its own. So no lock is held while the driver is called, and none can remain locked in a
// child that another thread forks. A missing driver is not recorded: searching again costs little and may succeed.
#include "driver.hpp"
#include "../process/fork_hook.hpp"

#include <atomic>
#include <new>

namespace cudax::runtime {
namespace {

constinit std::atomic<driver const*> found = nullptr;    // the driver of this machine
constinit std::atomic<driver const*> in_place = nullptr; // a test's replacement

/// Since CUDA 12.0, all functions have the parameters that the headers declare. A driver older than that does not run
/// the runtimes that this library is built with.
constexpr unsigned version = 12000;

struct finder {
  int code = cudaSuccess;

  template <class Function> void find(Function*& function, char const* name) noexcept {
    function = nullptr;
    if (code != cudaSuccess) return;
    void* address = nullptr;
    auto status = cudaDriverEntryPointSymbolNotFound;
    bool const had_error = cudaPeekAtLastError() != cudaSuccess;
    code = cudaGetDriverEntryPointByVersion(name, &address, version, cudaEnableLegacyStream, &status);
    if (code != cudaSuccess && !had_error) (void)cudaGetLastError(); // as in call_runtime()
    if (code == cudaSuccess && (status != cudaDriverEntryPointSuccess || !address)) code = cudaErrorInsufficientDriver;
    function = reinterpret_cast<Function*>(address);
  }

  /// For a function without which the others are still of use.
  template <class Function> void find_if_any(Function*& function, char const* name) noexcept {
    int const before = code;
    find(function, name);
    code = before;
  }

  int find(driver& d) noexcept {
#define CUDAX_DRIVER_FUNCTION(name) find(d.name, #name);
#define CUDAX_DRIVER_FUNCTION_IF_ANY(name) find_if_any(d.name, #name);
#include "calls.def"
    d.cudaGetDevice = ::cudaGetDevice;
    d.cudaPeekAtLastError = ::cudaPeekAtLastError;
    d.cudaGetLastError = ::cudaGetLastError;
    d.cudaFuncGetAttributes = ::cudaFuncGetAttributes;
    d.cudaGetFuncBySymbol = ::cudaGetFuncBySymbol;
    return code == cudaSuccess ? static_cast<int>(d.cuInit(0)) : code;
  }
};

constinit std::atomic<bool> is_lost = false; // this is a child of fork() whose parent used the driver

[[maybe_unused]] int const on_fork = fork_hook::join();

} // namespace

void fork_hook::disable_driver() noexcept {
  bool const was_used = found.load(std::memory_order_relaxed) || in_place.load(std::memory_order_relaxed);
  if (was_used) is_lost.store(true, std::memory_order_relaxed);
}

driver const* find_driver(int& code) noexcept {
  // The driver itself would fail, or wait for threads that do not exist in this process.
  if (is_lost.load(std::memory_order_relaxed)) {
    code = cudaErrorInitializationError;
    return nullptr;
  }
  // Acquire: pairs with the release in exchange_driver(), or with the exchange below; the table is complete.
  if (driver const* const other = in_place.load(std::memory_order_acquire)) return other;
  driver const* known = found.load(std::memory_order_acquire);
  if (known) return known;
  driver fresh;
  code = finder().find(fresh);
  if (code != cudaSuccess) return nullptr;
  driver const* const mine = new (std::nothrow) driver(fresh);
  if (!mine) {
    code = cudaErrorMemoryAllocation;
    return nullptr;
  }
  if (found.compare_exchange_strong(known, mine, std::memory_order_acq_rel, std::memory_order_acquire)) return mine;
  delete mine;
  return known;
}

driver const* exchange_driver(driver const* other) noexcept {
  return in_place.exchange(other, std::memory_order_acq_rel);
}

} // namespace cudax::runtime
