// SPDX-License-Identifier: Apache-2.0
//
// kernel: what the .ptx.cu files are written with.
//
// CMake (CMakeLists.txt) writes one translation unit, which includes a file once for each case (order and scope) that
// is checked. It defines
//   ORDER   the memory order, as memory_order_acquire; for compare_exchange also two of them, with a comma between
//   SCOPE   the scope, as thread_scope_device
//   CASE    both in one word, as acquire_device
// and KERNEL(name) declares the kernel name__CASE. The check removes the case again: in the lines for FileCheck the
// kernel is called `name`.
#pragma once

#define KERNEL_NAME_(name, suffix) name##__##suffix
#define KERNEL_NAME(name, suffix) KERNEL_NAME_(name, suffix)
#define KERNEL(name) extern "C" __global__ void KERNEL_NAME(name, CASE)

// The entries of arch/abi.hpp, which not every file includes.
namespace cudax::entry {} // namespace cudax::entry
using namespace cudax;
using namespace cudax::entry;
using s8 = signed char;
using u8 = unsigned char;
using s16 = short;
using u16 = unsigned short;
using s32 = int;
using u32 = unsigned;
using s64 = long long;
using u64 = unsigned long long;
using f32 = float;
using f64 = double;
struct alignas(16) b128 {
  u64 low, high;
};
struct alignas(8) padded {
  u32 number;
  u8 letter;
};

/// An object in the block's shared memory, of which the compiler knows the address and not the value.
template <class T> __device__ T& in_shared() {
  extern __shared__ b128 memory[];
  return reinterpret_cast<T&>(memory[0]);
}
