// SPDX-License-Identifier: Apache-2.0
//
// tuning: the device entry points of abi.hpp for figures measured on a GPU.
#if defined(__CUDA_ARCH__)
#include "target.hpp"

namespace target = cudax::arch::target;
using namespace cudax::abi;

CUDAX_ENTRY u32 cudax_tuning_bulk_copy_bytes() { return target::bulk_copy_bytes; }
CUDAX_ENTRY u32 cudax_tuning_bulk_copy_bytes_of_thread() { return target::bulk_copy_bytes_of_thread; }
CUDAX_ENTRY u32 cudax_tuning_bulk_copy_bytes_always() { return target::bulk_copy_bytes_always; }
CUDAX_ENTRY u32 cudax_tuning_bulk_copy_bytes_of_producer() { return target::bulk_copy_bytes_of_producer; }
CUDAX_ENTRY u32 cudax_tuning_direct_polls() { return target::direct_polls; }
CUDAX_ENTRY u32 cudax_tuning_first_sleep() { return target::first_sleep; }
CUDAX_ENTRY u32 cudax_tuning_longest_sleep() { return target::longest_sleep; }
CUDAX_ENTRY u32 cudax_tuning_time_of_turn() { return target::time_of_turn; }
CUDAX_ENTRY u32 cudax_tuning_operations_per_nanosecond() { return target::operations_per_nanosecond; }
CUDAX_ENTRY u32 cudax_tuning_shortest_pause() { return target::shortest_pause; }
CUDAX_ENTRY u32 cudax_tuning_longest_pause() { return target::longest_pause; }
#endif
