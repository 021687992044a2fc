// SPDX-License-Identifier: Apache-2.0
//
// own_heap: an operator new that only one plugin has, like a plugin linked with its own allocator. Other code must not
// free its memory, and it must not free the memory of other code.
#include <cstdio>
#include <cstdlib>
#include <new>

namespace {

struct alignas(16) header {
  header* self; // the address of a block allocated here
};

} // namespace

void* operator new(std::size_t size) {
  auto* const made = static_cast<header*>(std::malloc(sizeof(header) + size));
  if (!made) throw std::bad_alloc();
  made->self = made;
  return made + 1;
}

void operator delete(void* at) noexcept {
  if (!at) return;
  auto* const made = static_cast<header*>(at) - 1;
  if (made->self != made) {
    std::fprintf(stderr, "copies/own_heap.cpp: %p is freed here, but was allocated by others\n", at);
    std::abort();
  }
  made->self = nullptr;
  std::free(made);
}
void operator delete(void* at, std::size_t) noexcept { operator delete(at); }
