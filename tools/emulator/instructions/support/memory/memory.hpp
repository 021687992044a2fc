// SPDX-License-Identifier: Apache-2.0
//
// memory: the one place through which instructions reach memory.
// An address is of the host, or a number in the shared window (machine/thread.hpp). What an instruction requires of
// the memory model travels in operation::extra, so that a checked run can observe and delay accesses. The host does
// what is required or more: each element of an access is one atomic access of the host, and read-modify-writes both
// acquire and release. Accesses of weak instructions are atomic, too, because a race is an answer that a GPU may give
// and not the emulator's undefined behaviour.  [PTX ISA, "Memory Consistency Model"]
#pragma once

#include "../../../machine/decoder.hpp"
#include "../../../machine/mode.hpp"
#include "../../../machine/thread.hpp"
#include "errors.hpp"

namespace emulator {

enum class semantics : u8 { weak, relaxed, acquire, release, acq_rel };
enum class scope : u8 { none, cta, cluster, gpu, sys };

/// What an access requires of the memory model; in operation::extra.
struct ordering {
  emulator::semantics semantics = semantics::weak;
  emulator::scope scope = scope::none;
  ptx::space space = ptx::space::none;
  bool is_volatile : 1 = false;
  bool is_read_only : 1 = false; ///< .nc: memory that nothing writes while the kernel runs
  u8 rest : 6 = 0;
  std::uint32_t packed() const { return std::bit_cast<std::uint32_t>(*this); }
};

/// Whether an access is the model's business in this run: other memory is the thread's own, or no thread writes it.
inline bool is_checked(ordering const& o) {
  return is_checked_run() && o.space != ptx::space::local && o.space != ptx::space::param &&
         o.space != ptx::space::constant;
}

// --- where an address lies ---

/// Whether these bytes are of the parameters of the kernel.
bool is_parameter(thread const&, u64 address, u64 size);
/// Local memory is in the thread's frames, whose registers have no address.
bool is_local(thread const&, u64 address);

/// An address of the host: generic, global, const, local, param. The first page holds nothing, and null is the address
/// that is wrong most often.
struct host_address {
  static std::byte* at(thread const& t, u64 address, u64 size) {
    if (address - 4096 >= absent_block - 4096) [[unlikely]]
      return unusual_address(t, address, size);
    return reinterpret_cast<std::byte*>(address);
  }
};

/// An address in a register of ld.param: in a kernel only its parameters have one.  [PTX ISA, "Parameter State Space"]
struct parameter_address {
  static std::byte* at(thread const& t, u64 address, u64 size) {
    if (!t.frame->caller && !is_parameter(t, address, size)) [[unlikely]]
      no_parameter(t, address, size);
    return reinterpret_cast<std::byte*>(address);
  }
};

/// A number in the shared window: of this block, or else of another one of its cluster.
struct shared_address {
  static std::byte* at(thread const& t, u64 address, u64 size) { return shared_memory(t, address, size); }
};

/// Where an access of `size` bytes goes, and how it must be aligned.
/// Errors: fault cudaErrorMisalignedAddress, cudaErrorIllegalAddress
template <class Where>
std::byte* locate(thread const& t, u64 address, u64 size, u64 alignment) {
  if (address & (alignment - 1)) [[unlikely]]
    misaligned_address(t, address, size, alignment);
  return Where::at(t, address, size);
}
template <class Where>
std::byte* locate(thread const& t, u64 address, u64 size) {
  return locate<Where>(t, address, size, size);
}

/// The block of the cluster in whose shared memory this address of the host lies; null where there is none.
inline block* shared_owner(thread const& t, u64 address) {
  auto const holds = [address](block const& b) { return address - reinterpret_cast<u64>(b.shared) < b.shared_size; };
  if (holds(*t.block)) return t.block;
  for (block* b : t.block->cluster->blocks)
    if (holds(*b)) return b;
  return nullptr;
}

// --- 128 bits ---

u128 load_128(u128 const*);
void store_128(u128*, u128);
/// Stores `desired` where `expected` was found.
/// Returns: what was found
u128 compare_exchange_128(u128*, u128 expected, u128 desired);

// --- accesses of the host ---

template <int Order, class T>
T read(std::byte const* where) {
  if constexpr (sizeof(T) == 16) {
    return load_128(reinterpret_cast<u128 const*>(where));
  } else {
    T value;
    __atomic_load(reinterpret_cast<T const*>(where), &value, Order);
    return value;
  }
}

template <int Order, class T>
void write(std::byte* where, T value) {
  if constexpr (sizeof(T) == 16) store_128(reinterpret_cast<u128*>(where), value);
  else __atomic_store(reinterpret_cast<T*>(where), &value, Order);
}

/// Replaces `old` by f(old).
/// Returns: old
template <class T, class F>
T update(std::byte* where, F f) {
  if constexpr (sizeof(T) == 16) {
    u128* const p = reinterpret_cast<u128*>(where);
    for (u128 old = load_128(p);;) {
      u128 const found = compare_exchange_128(p, old, f(old));
      if (found == old) return old;
      old = found;
    }
  } else {
    T* const p = reinterpret_cast<T*>(where);
    T old = __atomic_load_n(p, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(p, &old, f(old), true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {}
    return old;
  }
}

} // namespace emulator
