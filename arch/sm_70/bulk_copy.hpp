// SPDX-License-Identifier: Apache-2.0
//
// bulk_copy: what cp.async.bulk does on sm_90, by loads and stores of the calling thread, between global memory and its
// block's shared memory. The copy is complete when the function returns. So the thread's bulk groups are always empty,
// and there is no asynchronous proxy, so no fence for it. The barrier is not used: before sm_90 none counts bytes
// (absent.hpp), so a phase awaits the copy by an arrival that follows it in the same thread. The options are hints.
#pragma once

#include "../ptx.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_70 {

/// Plain accesses to shared and to global memory, for objects of any type.
template <class Word>
struct plain_shared {
  typedef Word __attribute__((may_alias, address_space(3))) word;
  static Word load(void const* a) { return *(word const*)a; }
  static void store(void* a, Word value) { *(word*)a = value; }
};
template <class Word>
struct plain_global {
  typedef Word __attribute__((may_alias, address_space(1))) word;
  static Word load(void const* a) { return *(word const*)a; }
  static void store(void* a, Word value) { *(word*)a = value; }
};

template <class To, class From>
void copy_chunks(void* to, void const* from, u32 size) {
#pragma unroll 4
  for (u32 i = 0; i < size; i += 16)
    To::store(static_cast<char*>(to) + i, From::load(static_cast<char const*>(from) + i));
}

template <u32>
void cp_async_bulk_shared_global(void* to, void const* from, u32 size, void*, copy_operands const&) {
  copy_chunks<plain_shared<b128>, plain_global<b128>>(to, from, size);
}
template <u32>
void cp_async_bulk_global_shared(void* to, void const* from, u32 size, copy_operands const&) {
  copy_chunks<plain_global<b128>, plain_shared<b128>>(to, from, size);
}
/// A cluster is one block, so bit 0 stands for the caller's, and there are no others.
template <u32 Options>
void cp_async_bulk_multicast_global(void* to, void const* from, u32 size, void* a, u16 blocks, copy_operands const& o) {
  if (blocks & 1) cp_async_bulk_shared_global<Options>(to, from, size, a, o);
}
template <u32>
void cp_async_bulk_prefetch_L2(void const* from, u32 size, copy_operands const&) {
  for (u32 i = 0; i < size && i + 128 > i; i += 128) {
    // prefetch.global.L2 [a];                              PTX ISA 2.0, sm_70
    asm volatile("prefetch.global.L2 [%0];" : : "l"(global_address(static_cast<char const*>(from) + i)) : "memory");
  }
}

/// No copy uses a cache policy.
template <eviction, eviction>
u64 createpolicy_fractional(float) {
  return 0;
}

inline void cp_async_bulk_commit_group() {}
template <u32>
void cp_async_bulk_wait_group() {}
template <u32>
void cp_async_bulk_wait_group_read() {}
inline void fence_proxy_async_global() {}
inline void fence_proxy_async_shared() {}
inline void fence_proxy_async_cluster() {}

} // namespace cudax::arch::sm_70

#pragma clang force_cuda_host_device end
