// SPDX-License-Identifier: Apache-2.0
//
// Maps that a kernel makes (extension): misuse that only a run can detect stops the kernel (checked builds). It needs
// an SM with a letter. Misuse known at compile time: misuse.fail.cpp.
#include "support/death.hpp"
import cudax.sync;

using namespace cudax;
using cudax_test::hidden;

DEATHS_BEGIN

using tiles = tensor_map<float, tensor_box<16, 2>>;

#if defined(__CUDA_ARCH__)
alignas(128) inline __shared__ tiles in_shared[2];
alignas(128) inline __device__ tiles in_global[2];
#else
alignas(128) inline tiles in_shared[2];
alignas(128) inline tiles in_global[2];
#endif

/// A map that is 64 bytes after another one.
inline tiles& between(tiles* maps) { return *reinterpret_cast<tiles*>(reinterpret_cast<char*>(maps) + hidden(64)); }

DEVICE_DEATH(
    "a change of a map in local memory",
    "cudax.sync: replace_tensor_map_...: the map is in local memory, at *; copy it to a variable in shared memory, "
    "and change that one") {
  tiles map{};
  device::replace_tensor_map_extent<1>(map, 5);
}
DEVICE_DEATH(
    "a change of a map that is not aligned",
    "cudax.sync: replace_tensor_map_...: the map is at *, which is no multiple of 128; declare it alignas(128)") {
  device::replace_tensor_map_address(between(in_shared), reinterpret_cast<float*>(in_global));
}
#define ADDRESS(number)                                                                                                \
  "cudax.sync: replace_tensor_map_address: the address of the tensor is " #number ", which is null or no multiple of " \
  "16, or of 32 with slices of 32 bytes"
DEVICE_DEATH("an address between two units", ADDRESS(*8)) {
  device::replace_tensor_map_address(in_shared[0], reinterpret_cast<float*>(in_global) + hidden(2));
}
DEVICE_DEATH("no address", ADDRESS(0)) { device::replace_tensor_map_address(in_shared[0], nullptr); }
#define EXTENT(number)                                                                                                 \
  "cudax.sync: replace_tensor_map_extent: an extent is " #number ", not 1 to 2^31; begin no copy of an empty tensor"
DEVICE_DEATH("an extent of nothing", EXTENT(0)) {
  device::replace_tensor_map_extents(in_shared[0], {hidden(0), hidden(16)});
}
DEVICE_DEATH("an extent that is too large", EXTENT(2147483649)) {
  device::replace_tensor_map_extent<0>(in_shared[0], (1ll << 31) + hidden(1));
}
#define STRIDE(number)                                                                                                 \
  "cudax.sync: replace_tensor_map_stride: a stride is " #number                                                        \
  " bytes, which is no multiple of 16 from 16 to below 2^40, or of 32 with slices of 32 bytes; also without "          \
  "padding the stride must be given"
DEVICE_DEATH("no stride", STRIDE(0)) { device::replace_tensor_map_strides(in_shared[0], {hidden(0)}); }
DEVICE_DEATH("a stride between two units", STRIDE(72)) {
  device::replace_tensor_map_stride<1>(in_shared[0], hidden(72));
}
DEVICE_DEATH("a stride that is too large", STRIDE(1099511627776)) {
  device::replace_tensor_map_stride<1>(in_shared[0], 1ll << (39 + hidden(1)));
}
#define SOURCE                                                                                                         \
  "cudax.sync: publish_tensor_map: the map is at *, which is no multiple of 128 in this block's shared memory; "       \
  "declare "                                                                                                           \
  "a variable __shared__ alignas(128)"
DEVICE_DEATH("a publication of a map in global memory", SOURCE) {
  device::publish_tensor_map(in_global[0], in_global[1]);
}
DEVICE_DEATH("a publication of a map that is not aligned", SOURCE) {
  device::publish_tensor_map(in_global[0], between(in_shared));
}
#define TARGET                                                                                                         \
  "cudax.sync: publish_tensor_map: the target is at *, which is no multiple of 128 in global memory; allocate it by "  \
  "CUDA, or declare it alignas(128)"
DEVICE_DEATH("a publication to shared memory", TARGET) { device::publish_tensor_map(in_shared[0], in_shared[1]); }
DEVICE_DEATH("a publication to a place that is not aligned", TARGET) {
  device::publish_tensor_map(between(in_global), in_shared[1]);
}

DEATHS_END
