// SPDX-License-Identifier: Apache-2.0
//
// wide: 16-byte atomics of the host. On x86-64 this file is built with -mcx16, so that the builtins become lock
// cmpxchg16b and not calls of libatomic. They are sequentially consistent whatever order the caller passes, because
// that instruction is. They are compatible with libatomic, which uses the same instructions on processors that have
// them.
#include "../interface/boundary.hpp"

namespace cudax::runtime {

using word = unsigned __int128 __attribute__((may_alias));

#if defined(__x86_64__) && !__has_feature(thread_sanitizer) // which does not see the accesses of assembly
/// Intel and AMD guarantee that an aligned 16-byte load is atomic on processors with AVX. On x86 a load acquires, and
/// this one is sequentially consistent because all 16-byte stores are locked instructions.
__attribute__((target("avx"))) unsigned __int128 load_by_vector(void const* object) noexcept {
  using vector = long long __attribute__((vector_size(16)));
  vector seen;
  asm volatile("vmovdqa %1, %0" : "=x"(seen) : "m"(*static_cast<vector const*>(object)) : "memory");
  return __builtin_bit_cast(unsigned __int128, seen);
}
#endif

unsigned __int128 load_16(void const* object) noexcept {
#if defined(__x86_64__) && !__has_feature(thread_sanitizer)
  if (__builtin_cpu_supports("avx")) return load_by_vector(object);
#endif
  // A compare-and-swap of a value with itself: plain 16-byte loads are not guaranteed to be atomic on every processor.
  unsigned __int128 seen = 0;
  compare_exchange_16(const_cast<void*>(object), &seen, 0);
  return seen;
}

void store_16(void* object, unsigned __int128 value) noexcept { exchange_16(object, value); }

unsigned __int128 exchange_16(void* object, unsigned __int128 value) noexcept {
  unsigned __int128 seen = 0;
  while (!compare_exchange_16(object, &seen, value)) {}
  return seen;
}

bool compare_exchange_16(void* object, unsigned __int128* expected, unsigned __int128 desired) noexcept {
  static_assert(__atomic_always_lock_free(16, nullptr), "build this file with 16-byte atomics (-mcx16 on x86-64)");
  return __atomic_compare_exchange_n(static_cast<word*>(object), expected, desired, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST);
}

} // namespace cudax::runtime
