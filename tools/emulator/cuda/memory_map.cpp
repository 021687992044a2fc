// SPDX-License-Identifier: Apache-2.0
//
// memory_map: the ranges, ordered by their first byte.
#include "memory_map.hpp"
#include "../check/run/run.hpp"
#include "../machine/mode.hpp"

#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <unistd.h>

namespace emulator::cuda {
namespace {

// The alignment of cudaMalloc on real devices.
constexpr std::size_t device_alignment = 512;

struct memory_map {
  std::mutex lock;
  std::map<std::uintptr_t, memory_range> ranges;
  std::size_t allocated = 0;
};

memory_map& all() {
  static memory_map& only = *new memory_map;
  return only;
}

std::uintptr_t number(void const* p) { return reinterpret_cast<std::uintptr_t>(p); }

std::size_t total() {
  static std::size_t const bytes =
      static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

char const* name_of(memory_kind kind) {
  switch (kind) {
  case memory_kind::device: return "device memory";
  case memory_kind::variable:
  case memory_kind::managed_variable: return "a variable";
  case memory_kind::managed: return "managed memory";
  case memory_kind::mapped: return "host memory of CUDA";
  case memory_kind::registered: return "registered host memory";
  }
  return "memory";
}

// Reports a range to the checked run, which tracks all memory. It already knows the variables from their program.
void tell_begin(memory_range const& range) {
  if (!is_checked_run() || range.is_variable()) return;
  check::current_run().post([range](check::run& r) {
    r.model.allocated(static_cast<std::byte*>(range.begin), range.size, name_of(range.kind),
                      range.kind == memory_kind::device);
  });
}
void tell_end(memory_range const& range) {
  if (!is_checked_run() || range.is_variable()) return;
  check::current_run().post([range](check::run& r) { r.model.freed(static_cast<std::byte*>(range.begin)); });
}

/// Whether a range overlaps [begin, begin + size). Called under the lock.
bool overlaps(void const* begin, std::size_t size) {
  auto const next = all().ranges.lower_bound(number(begin));
  if (next != all().ranges.end() && next->first < number(begin) + size) return true;
  if (next == all().ranges.begin()) return false;
  auto const before = std::prev(next);
  return before->first + before->second.size > number(begin);
}

memory_range remove(void* begin, memory_kind kind, cudaError_t otherwise) {
  std::lock_guard guard(all().lock);
  auto const found = all().ranges.find(number(begin));
  require(found != all().ranges.end() && found->second.kind == kind, otherwise);
  memory_range const range = found->second;
  all().ranges.erase(found);
  tell_end(range);
  return range;
}

} // namespace

void* allocate(std::size_t size, memory_kind kind, unsigned flags) {
  if (size == 0) return nullptr;
  auto const page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::size_t const alignment = kind == memory_kind::mapped ? page : device_alignment;
  require(size <= total(), cudaErrorMemoryAllocation);
  std::size_t const rounded = (size + alignment - 1) / alignment * alignment;
  {
    std::lock_guard guard(all().lock);
    require(rounded <= total() - all().allocated, cudaErrorMemoryAllocation);
    all().allocated += rounded;
  }
  void* const begin = std::aligned_alloc(alignment, rounded);
  std::lock_guard guard(all().lock);
  if (!begin) {
    all().allocated -= rounded;
    throw failure{cudaErrorMemoryAllocation};
  }
  all().ranges[number(begin)] = {begin, size, kind, flags};
  tell_begin(all().ranges[number(begin)]);
  return begin;
}

void release(void* begin, memory_kind kind) {
  if (!begin) return;
  memory_range const range = remove(begin, kind, cudaErrorInvalidValue);
  auto const page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::size_t const alignment = kind == memory_kind::mapped ? page : device_alignment;
  {
    std::lock_guard guard(all().lock);
    all().allocated -= (range.size + alignment - 1) / alignment * alignment;
  }
  std::free(begin);
}

void add_range(memory_range const& range) {
  std::lock_guard guard(all().lock);
  require(!overlaps(range.begin, range.size), cudaErrorHostMemoryAlreadyRegistered);
  all().ranges[number(range.begin)] = range;
  tell_begin(range);
}

void tell_written(void* begin, std::size_t pitch, std::size_t width, std::size_t rows) {
  if (!is_checked_run()) return;
  check::current_run().post(
      [=](check::run& r) { r.model.written(static_cast<std::byte*>(begin), pitch, width, rows); });
}

void remove_registered(void* begin) { remove(begin, memory_kind::registered, cudaErrorHostMemoryNotRegistered); }
void remove_variable(void* begin) { remove(begin, memory_kind::variable, cudaErrorInvalidValue); }

std::optional<memory_range> range_of(void const* address) {
  std::lock_guard guard(all().lock);
  auto const next = all().ranges.upper_bound(number(address));
  if (next == all().ranges.begin()) return std::nullopt;
  memory_range const& range = std::prev(next)->second;
  if (number(address) - number(range.begin) >= range.size) return std::nullopt;
  return range;
}

memory_amount memory_left() {
  std::lock_guard guard(all().lock);
  return {total() - all().allocated, total()};
}

void forget_memory(bool give_back) {
  std::lock_guard guard(all().lock);
  for (auto const& [_, range] : all().ranges) tell_end(range);
  for (auto const& [_, range] : all().ranges)
    if (give_back && !range.is_variable() && range.kind != memory_kind::registered) std::free(range.begin);
  all().ranges.clear();
  all().allocated = 0;
}

} // namespace emulator::cuda
