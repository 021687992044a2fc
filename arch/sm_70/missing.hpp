// SPDX-License-Identifier: Apache-2.0
//
// missing: what no instruction or loop of this generation can do. Each function refers to a symbol that is defined
// nowhere and whose name is the linker's message: the program does not link.
#pragma once

#include "../ptx.hpp"

#pragma clang force_cuda_host_device begin

extern "C" void cudax_sync_error_16_byte_atomic_read_modify_write_needs_sm_90_or_later();
extern "C" void
cudax_sync_error_increase_registers_and_decrease_registers_need_an_SM_with_a_letter_compile_for_sm_90a_instead_of_sm_90();
extern "C" void
cudax_sync_error_replace_tensor_map_functions_need_an_SM_with_a_letter_compile_for_sm_90a_instead_of_sm_90();
extern "C" void cudax_sync_error_tensor_core_commit_and_fences_are_tcgen05_compile_for_sm_100a_or_sm_103a();

namespace cudax::arch::sm_70 {

template <class Q>
b128 atom_exch_b128(void*, b128) {
  cudax_sync_error_16_byte_atomic_read_modify_write_needs_sm_90_or_later();
  return 0;
}

template <class Q>
b128 atom_cas_b128(void*, b128, b128) {
  cudax_sync_error_16_byte_atomic_read_modify_write_needs_sm_90_or_later();
  return 0;
}

template <u32>
void setmaxnreg_inc() {
  cudax_sync_error_increase_registers_and_decrease_registers_need_an_SM_with_a_letter_compile_for_sm_90a_instead_of_sm_90();
}

template <u32>
void setmaxnreg_dec() {
  cudax_sync_error_increase_registers_and_decrease_registers_need_an_SM_with_a_letter_compile_for_sm_90a_instead_of_sm_90();
}

template <space>
void tensormap_replace_global_address(void*, u64) {
  cudax_sync_error_replace_tensor_map_functions_need_an_SM_with_a_letter_compile_for_sm_90a_instead_of_sm_90();
}

template <space, u32>
void tensormap_replace_global_dim(void*, u32) {
  cudax_sync_error_replace_tensor_map_functions_need_an_SM_with_a_letter_compile_for_sm_90a_instead_of_sm_90();
}

template <space, u32>
void tensormap_replace_global_stride(void*, u64) {
  cudax_sync_error_replace_tensor_map_functions_need_an_SM_with_a_letter_compile_for_sm_90a_instead_of_sm_90();
}

template <u32>
void tcgen05_commit(void*) {
  cudax_sync_error_tensor_core_commit_and_fences_are_tcgen05_compile_for_sm_100a_or_sm_103a();
}

template <u32>
void tcgen05_commit_multicast(void*, u16) {
  cudax_sync_error_tensor_core_commit_and_fences_are_tcgen05_compile_for_sm_100a_or_sm_103a();
}

inline void tcgen05_fence_before_thread_sync() {
  cudax_sync_error_tensor_core_commit_and_fences_are_tcgen05_compile_for_sm_100a_or_sm_103a();
}

inline void tcgen05_fence_after_thread_sync() {
  cudax_sync_error_tensor_core_commit_and_fences_are_tcgen05_compile_for_sm_100a_or_sm_103a();
}

} // namespace cudax::arch::sm_70

#pragma clang force_cuda_host_device end
