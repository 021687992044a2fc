// SPDX-License-Identifier: Apache-2.0
//
// memory: allocates memory that host and devices both access, with the alignment that its objects require. CUDA aligns
// to 256 bytes. For a larger alignment, the block is made larger and its first aligned address is used.
#include "../cuda/cuda_calls.hpp"
#include "../interface/host_boundary.hpp"
#include "shared_ranges.hpp"

#include <cstdint>

namespace cudax::runtime {
namespace {

constexpr size_t cuda_alignment = 256;

char const* function(memory_kind kind) noexcept { return kind == memory_kind::mapped ? "make_mapped" : "make_managed"; }

int free(memory_kind kind, void* base) noexcept {
  return kind == memory_kind::mapped ? calls().free_mapped(base) : calls().free_managed(base);
}

sharing shared_as(memory_kind kind) noexcept {
  return kind == memory_kind::mapped ? sharing::mapped : sharing::managed;
}
unsigned long long key_of(void const* base) noexcept { return reinterpret_cast<std::uintptr_t>(base); }

} // namespace

memory_block allocate(memory_kind kind, size_t count, size_t object_size, size_t alignment, failure& why) noexcept {
  size_t bytes = 0;
  if (count == 0) {
    fail(why, cuda::invalid_value,
         "%s: an array of 0 objects of %zu bytes has no memory to share; request at least one object", function(kind),
         object_size);
    return {};
  }
  size_t const more = alignment > cuda_alignment ? alignment : 0;
  if (__builtin_mul_overflow(count, object_size, &bytes) || __builtin_add_overflow(bytes, more, &bytes)) {
    fail(why, cuda::invalid_value, "%s: %zu %s of %zu bytes are more than there can be; check the count",
         function(kind), count, count == 1 ? "object" : "objects", object_size);
    return {};
  }
  memory_block block;
  int code = kind == memory_kind::mapped ? calls().allocate_mapped(&block.base, bytes)
                                         : calls().allocate_managed(&block.base, bytes);
  if (code == cuda::success) {
    block.device = block.base; // managed memory has one address
    if (kind == memory_kind::mapped) {
      code = calls().device_address(&block.device, block.base);
      if (code != cuda::success) free(kind, block.base);
    }
  }
  if (code != cuda::success) {
    fail_in_cuda(why, code, "%s: %zu %s of %zu bytes cannot be allocated", function(kind), count,
                 count == 1 ? "object" : "objects", object_size);
    return {};
  }
  std::uintptr_t const misaligned = reinterpret_cast<std::uintptr_t>(block.base) & (alignment - 1);
  size_t const shift = misaligned ? alignment - misaligned : 0;
  block.host = static_cast<char*>(block.base) + shift;
  block.device = static_cast<char*>(block.device) + shift;
  block.context = calls().context_of(block.base);
  add_shared(shared_as(kind), key_of(block.base), block.host, bytes - more, object_size);
  return block;
}

void deallocate(memory_kind kind, memory_block const& block, failure& why) noexcept {
  if (block.context != 0 && !calls().is_alive(block.base, block.context)) return forget(kind, block.base);
  remove_shared(shared_as(kind), key_of(block.base));
  if (int const code = free(kind, block.base))
    fail_in_cuda(why, code, "%s: memory at %p cannot be freed", function(kind), block.base);
}

void forget(memory_kind kind, void const* base) noexcept { remove_shared(shared_as(kind), key_of(base), true); }

} // namespace cudax::runtime
