// SPDX-License-Identifier: Apache-2.0
//
// wide: 16-byte atomics of the host. Built with -mcx16 on x86-64, so that the builtins are lock cmpxchg16b and not calls
// of libatomic; sequentially consistent whatever is asked for, since that instruction is. It stays compatible with
// libatomic, which uses the same instructions on the processors that have them.
#include "boundary.hpp"

namespace cudax::runtime {

using word = unsigned __int128 __attribute__((may_alias));

#if defined(__x86_64__) && !__has_feature(thread_sanitizer) // which does not see into the instruction
/// Intel and AMD promise that an aligned 16-byte load is atomic where there is AVX. As a load of x86 it acquires, and it is
/// sequentially consistent, because all stores are locked instructions.
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
  // A compare-and-swap of a value with itself: plain 16-byte loads are not architecturally atomic everywhere.
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
