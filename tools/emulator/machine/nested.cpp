// SPDX-License-Identifier: Apache-2.0
//
// nested: see the header.
#include "nested.hpp"
#include "../ptx/parse.hpp"
#include "call_parameters.hpp"
#include "grid.hpp"
#include "mode.hpp"
#include "observer.hpp"
#include "scheduler.hpp"

#include <cstdlib>

namespace emulator {
namespace {

constexpr int success = 0, invalid_device_function = 98, not_supported = 801, invalid_ptx = 218;

/// void* __cudaCDP2GetParameterBuffer(size_t alignment, size_t size)
void get_parameter_buffer(thread&, std::uint64_t const* parameters) {
  auto const size = (parameter<std::size_t>(parameters, 1) + 256) / 256 * 256;
  void* const buffer = std::aligned_alloc(256, size);
  if (buffer && is_checked_run())
    the_observer().allocated(static_cast<std::byte*>(buffer), size, "the parameters of a nested launch", false);
  result(parameters, 2, buffer);
}

/// The launch that the parameters ask for, or why there is none.
int launch_of(std::uint64_t const* parameters, thread const& t, launch& l) {
  auto const* const named = parameter<function const*>(parameters, 0);
  if (!named || named->self != named || !named->source->is_entry) return invalid_device_function;
  if (parameter<std::uint64_t>(parameters, 5) != 0) return not_supported; // another stream than the block's own
  function const* code = nullptr;
  try {
    code = named->program->kernel(named->source->name);
  } catch (ptx::rejected const& why) {
    fail(t, invalid_ptx, why.what());
  }
  if (!code) return invalid_device_function;
  auto const* const buffer = parameter<std::byte const*>(parameters, 1);
  l = {code, parameter<dim3>(parameters, 2), parameter<dim3>(parameters, 3), {}, parameter<unsigned>(parameters, 4), {},
       false};
  l.parameters.assign(buffer, buffer + code->parameter_bytes);
  return t.block->grid->scheduler->owner->rejection(l).error;
}

/// cudaError_t __cudaCDP2LaunchDevice(void* kernel, void* parameters, dim3 grid, dim3 block, unsigned shared,
/// cudaStream_t)
void launch_device(thread& t, std::uint64_t const* parameters) {
  launch l{};
  int const error = launch_of(parameters, t, l);
  if (error == success) {
    grid& parent = *t.block->grid;
    std::lock_guard const lock(parent.children_mutex);
    parent.children.push_back(std::move(l));
  }
  auto* const buffer = parameter<std::byte*>(parameters, 1);
  if (buffer && is_checked_run()) the_observer().freed(buffer);
  std::free(buffer);
  result(parameters, 6, error);
}

} // namespace

void (*find_nested_extern(std::string_view name))(thread&, std::uint64_t const*) {
  if (name == "__cudaCDP2GetParameterBuffer") return get_parameter_buffer;
  if (name == "__cudaCDP2LaunchDevice") return launch_device;
  return nullptr;
}

} // namespace emulator
