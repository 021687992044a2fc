// SPDX-License-Identifier: Apache-2.0
//
// memory: accesses that are too rare or too wide to be inline.
//
// 128 bits: every x86 processor with AVX reads and writes aligned 16 bytes atomically (Intel SDM 3A, 9.1.1; AMD APM 2,
// 7.3.2); without AVX everything uses cmpxchg16b. Compilers offer only calls of libatomic, which may take locks, and
// the host program's own accesses would not take these locks.
#include "../../../machine/frames.hpp"
#include "../../../machine/grid.hpp"
#include "cluster_address.hpp"

#include <charconv>

namespace emulator {

namespace {

std::string hexadecimal(std::uint64_t number) {
  char digits[16];
  auto const end = std::to_chars(digits, digits + sizeof(digits), number, 16).ptr;
  return "0x" + std::string(digits, end);
}

std::string access_of(std::uint64_t address, std::uint64_t size) {
  return "accesses " + std::to_string(size) + " bytes at " + hexadecimal(address);
}

} // namespace

void illegal_address(thread const& t, std::uint64_t address, std::uint64_t size) {
  fail(t, error_illegal_address, access_of(address, size) + ", where there is no memory; check the pointer");
}

std::byte* unusual_address(thread const& t, std::uint64_t address, std::uint64_t size) {
  u64 const number = address - absent_block;
  if (address < absent_block || number / shared_window > no_rank) illegal_address(t, address, size);
  if (number / shared_window == no_rank)
    fail(t, error_illegal_address,
         "accesses " + std::to_string(size) +
             " bytes at an address that is made of another one (by mapa or cvta), which "
             "is not of shared memory; check the pointer");
  return shared_memory(t, number, size);
}

void no_parameter(thread const& t, std::uint64_t address, std::uint64_t size) {
  fail(t, error_illegal_address,
       access_of(address, size) + " by ld.param, which are no parameter of the kernel; the compiler made wrong code, "
                                  "because ld.param reads parameters only");
}

bool is_parameter(thread const& t, u64 address, u64 size) {
  grid const& g = *t.block->grid;
  u64 const offset = address - reinterpret_cast<u64>(g.parameters), bytes = g.launch.kernel->parameter_bytes;
  return offset < bytes && size <= bytes - offset;
}

bool is_local(thread const& t, u64 address) {
  for (frame const* f = t.frame; f; f = f->caller)
    if (address - reinterpret_cast<u64>(f->registers) < frame_bytes(*f->function)) return true;
  return false;
}

void misaligned_address(thread const& t, std::uint64_t address, std::uint64_t size, std::uint64_t alignment) {
  fail(t, error_misaligned_address,
       access_of(address, size) + ", which is not a multiple of " + std::to_string(alignment) +
           "; align the object, or access it in parts");
}

#if defined(__x86_64__)

namespace {
bool const has_avx = __builtin_cpu_supports("avx");
}

u128 compare_exchange_128(u128* where, u128 expected, u128 desired) {
  u64 low = u64(expected), high = u64(expected >> 64);
  asm volatile("lock cmpxchg16b %0"
               : "+m"(*where), "+a"(low), "+d"(high)
               : "b"(u64(desired)), "c"(u64(desired >> 64))
               : "memory", "cc");
  return u128(high) << 64 | low;
}

u128 load_128(u128 const* where) {
  if (!has_avx) return compare_exchange_128(const_cast<u128*>(where), 0, 0);
  using vector [[gnu::vector_size(16)]] = long long;
  vector value;
  asm volatile("movdqa %1, %0" : "=x"(value) : "m"(*where) : "memory");
  return std::bit_cast<u128>(value);
}

void store_128(u128* where, u128 value) {
  using vector [[gnu::vector_size(16)]] = long long;
  if (has_avx) {
    asm volatile("movdqa %1, %0" : "=m"(*where) : "x"(std::bit_cast<vector>(value)) : "memory");
  } else {
    u128 old = 0;
    for (u128 found; (found = compare_exchange_128(where, old, value)) != old;) old = found;
  }
}

#else

u128 compare_exchange_128(u128* where, u128 expected, u128 desired) {
  __atomic_compare_exchange_n(where, &expected, desired, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  return expected;
}
u128 load_128(u128 const* where) { return __atomic_load_n(where, __ATOMIC_ACQUIRE); }
void store_128(u128* where, u128 value) { __atomic_store_n(where, value, __ATOMIC_RELEASE); }

#endif

} // namespace emulator
