// SPDX-License-Identifier: Apache-2.0
//
// tensor_replace: changes every field of a tensor map by tensormap.replace, in shared memory and in global memory, and
// compares the map with the one that cuTensorMapEncodeTiled makes with the new value. On a GPU this shows what the
// instruction's operands mean; on the emulator, that its instruction agrees with its driver. The last line adds: copies
// with a map that the kernel changed, released by tensormap.cp_fenceproxy, give the tile of the new tensor.
//
// It exits with 0 if all are the same; so it did on an H100 (driver 580.159.04). There, words 16 and 18 are not
// compared: the driver keeps the size of the box and of the swizzle in them, and tensormap.replace does not change
// them. Build for both: clang++ -x cuda -std=c++20 -O1 --cuda-gpu-arch=sm_90a --cuda-include-ptx=all -Xcuda-fatbinary
// --compress=false tensor_replace.cu -lcudart
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

void require(cudaError_t code, char const* what) {
  if (code == cudaSuccess) return;
  std::printf("%s: error %d\n", what, int(code));
  std::exit(1);
}

/// The parameters of a map.
struct shape {
  CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_UINT32;
  u32 rank = 5;
  std::size_t address = 0; ///< added to the buffer's
  u64 extent[5] = {20, 7, 5, 4, 3}, stride[4] = {160, 1600, 9600, 38400};
  u32 box[5] = {4, 3, 2, 2, 2}, step[5] = {1, 1, 1, 1, 1};
  int interleave = 0, swizzle = 0, fill = 0;
};

constexpr u64 changed_stride[4] = {176, 1760, 8000, 40000};

CUtensorMap map_of(shape const& s, unsigned char* buffer) {
  static auto const encode = [] {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result{};
    require(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &result),
            "cudaGetDriverEntryPointByVersion");
    return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(found);
  }();
  CUtensorMap m;
  std::memset(&m, 0, sizeof(m));
  CUresult const code = encode(&m, s.type, s.rank, buffer + s.address, s.extent, s.stride, s.box, s.step,
                               CUtensorMapInterleave(s.interleave), CUtensorMapSwizzle(s.swizzle),
                               CU_TENSOR_MAP_L2_PROMOTION_NONE, CUtensorMapFloatOOBfill(s.fill));
  if (code != CUDA_SUCCESS) std::exit((std::printf("cuTensorMapEncodeTiled returned %d\n", int(code)), 1));
  return m;
}

enum { address, rank, box, extent, stride, step, type, interleave, swizzle, fill };

#define REPLACE(field, bits, constraint, value)                                                                        \
  if (shared)                                                                                                          \
    asm volatile("tensormap.replace.tile." field ".shared::cta.b1024." bits " [%0], %1;" ::"r"(at), constraint(value)  \
                 : "memory");                                                                                          \
  else                                                                                                                 \
    asm volatile("tensormap.replace.tile." field ".global.b1024." bits " [%0], %1;" ::"l"(map), constraint(value)      \
                 : "memory");
#define REPLACE_AT(field, bits, constraint)                                                                            \
  if (shared)                                                                                                          \
    asm volatile("tensormap.replace.tile." field ".shared::cta.b1024." bits " [%0], %1, %2;" ::"r"(at), "n"(index),    \
                 constraint(value)                                                                                     \
                 : "memory");                                                                                          \
  else                                                                                                                 \
    asm volatile("tensormap.replace.tile." field ".global.b1024." bits " [%0], %1, %2;" ::"l"(map), "n"(index),        \
                 constraint(value)                                                                                     \
                 : "memory");

/// Replaces one field of the map, in global memory or in a copy of it in shared memory. `index`: the dimension, or the
/// value where PTX needs a constant.
template <int what, int index, bool shared>
__global__ void change(CUtensorMap* map, u64 number) {
  __shared__ alignas(128) u32 copy[32];
  copy[threadIdx.x] = reinterpret_cast<u32*>(map)[threadIdx.x];
  __syncwarp();
  u32 const at = u32(__cvta_generic_to_shared(copy));
  if (threadIdx.x == 0) {
    if constexpr (what == address) {
      REPLACE("global_address", "b64", "l", number)
    }
    if constexpr (what == stride) {
      u64 const value = number;
      REPLACE_AT("global_stride", "b64", "l")
    }
    u32 const value = u32(number);
    if constexpr (what == rank) {
      REPLACE("rank", "b32", "r", value)
    }
    if constexpr (what == box) {
      REPLACE_AT("box_dim", "b32", "r")
    }
    if constexpr (what == extent) {
      REPLACE_AT("global_dim", "b32", "r")
    }
    if constexpr (what == step) {
      REPLACE_AT("element_stride", "b32", "r")
    }
    if constexpr (what == type) {
      REPLACE("elemtype", "b32", "n", index)
    }
    if constexpr (what == interleave) {
      REPLACE("interleave_layout", "b32", "n", index)
    }
    if constexpr (what == swizzle) {
      REPLACE("swizzle_mode", "b32", "n", index)
    }
    if constexpr (what == fill) {
      REPLACE("fill_mode", "b32", "n", index)
    }
  }
  __syncwarp();
  if (shared)
    asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], "
                 "128;" ::"l"(__cvta_generic_to_global(map)),
                 "r"(at)
                 : "memory");
}

/// Loads the tile at (0, 0, 0, 0, 0) by a map that the kernel changed, and writes its words.
__global__ void change_and_load(CUtensorMap* map, u64 where, u32* out) {
  __shared__ alignas(128) u32 copy[32], tile[96];
  __shared__ alignas(8) u64 barrier_word;
  copy[threadIdx.x] = reinterpret_cast<u32*>(map)[threadIdx.x];
  u32 const at = u32(__cvta_generic_to_shared(copy)), barrier = u32(__cvta_generic_to_shared(&barrier_word));
  __syncwarp();
  if (threadIdx.x == 0) {
    asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" ::"r"(at), "l"(where)
                 : "memory");
    asm volatile("mbarrier.init.shared.b64 [%0], 1;\nfence.proxy.async;" ::"r"(barrier) : "memory");
  }
  __syncwarp();
  asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], "
               "128;" ::"l"(__cvta_generic_to_global(map)),
               "r"(at)
               : "memory");
  if (threadIdx.x == 0) {
    asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map) : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 384;\n"
                 "cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%1], "
                 "[%2, {0, 0, 0, 0, 0}], [%0];" ::"r"(barrier),
                 "r"(u32(__cvta_generic_to_shared(tile))), "l"(map)
                 : "memory");
  }
  __syncwarp();
  u32 is_over = 0;
  for (int i = 0; i < 20000 && !is_over; ++i)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                 : "=r"(is_over)
                 : "r"(barrier)
                 : "memory");
  for (u32 i = threadIdx.x; i < 96; i += 32) out[i] = is_over ? tile[i] : 0;
}

struct job {
  unsigned char* buffer = nullptr;
  CUtensorMap* map = nullptr;
  int ran = 0, different = 0;
  bool is_gpu = false;

  void one(std::string const& title, shape const& before, shape const& after, void (*change)(CUtensorMap*, u64),
           u64 number) {
    CUtensorMap const from = map_of(before, buffer), expected = map_of(after, buffer);
    CUtensorMap found;
    require(cudaMemcpy(map, &from, sizeof(from), cudaMemcpyHostToDevice), "cudaMemcpy");
    change<<<1, 32>>>(map, number);
    require(cudaDeviceSynchronize(), title.c_str());
    require(cudaMemcpy(&found, map, sizeof(found), cudaMemcpyDeviceToHost), "cudaMemcpy");
    u32 words[3][32];
    std::memcpy(words[0], &from, sizeof(from));
    std::memcpy(words[1], &found, sizeof(found));
    std::memcpy(words[2], &expected, sizeof(expected));
    if (is_gpu) words[1][16] = words[2][16], words[1][18] = words[2][18];
    bool const same = std::memcmp(words[1], words[2], sizeof(found)) == 0;
    ++ran, different += !same;
    std::printf("%s: %s\n", title.c_str(), same ? "the same" : "different");
    for (int i = 0; i < 32; ++i)
      if (words[1][i] != words[2][i])
        std::printf("  word %d: %08x, replaced %08x, encoded %08x\n", i, words[0][i], words[1][i], words[2][i]);
  }

  template <int what, int index = 0>
  void both(std::string const& title, shape const& before, shape const& after, u64 number = 0) {
    one(title, before, after, change<what, index, true>, number);
    one(title + ", in global memory", before, after, change<what, index, false>, number);
  }

  template <int index>
  void of_dimension() {
    shape const a;
    auto const title = [](char const* field) { return std::string(field) + " " + std::to_string(index); };
    shape b = a;
    b.box[index] = index ? 5 : 8;
    both<box, index>(title("box_dim"), a, b, b.box[index]);
    b = a, b.extent[index] = 2;
    both<extent, index>(title("global_dim"), a, b, 2);
    b = a, b.step[index] = 2;
    both<step, index>(title("element_stride"), a, b, 2);
    if constexpr (index < 4) {
      b = a, b.stride[index] = changed_stride[index];
      both<stride, index>(title("global_stride"), a, b, b.stride[index]);
    }
  }

  template <int index>
  void of_type(CUtensorMapDataType to) {
    shape a, b;
    for (shape* s : {&a, &b}) s->box[0] = 16, s->extent[0] = 16;
    b.type = to;
    if (index == 2) a.type = CU_TENSOR_MAP_DATA_TYPE_UINT8;
    both<type, index>("elemtype " + std::to_string(index), a, b);
  }
};

} // namespace

int main() {
  job j;
  cudaDeviceProp properties{};
  require(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
  j.is_gpu = !std::strstr(properties.name, "emulator");
  require(cudaMalloc(&j.buffer, 1 << 20), "cudaMalloc");
  require(cudaMalloc(&j.map, sizeof(CUtensorMap)), "cudaMalloc");
  shape const a;
  shape b = a;
  b.address = 4096;
  j.both<address>("global_address", a, b, reinterpret_cast<u64>(j.buffer) + b.address);
  // One less than the number of dimensions. Maps of two ranks also differ in the values of the dimensions that one
  // lacks.
  j.both<rank>("rank", a, a, a.rank - 1);
  j.of_dimension<0>();
  j.of_dimension<1>();
  j.of_dimension<2>();
  j.of_dimension<3>();
  j.of_dimension<4>();
  j.of_type<0>(CU_TENSOR_MAP_DATA_TYPE_UINT8);
  j.of_type<1>(CU_TENSOR_MAP_DATA_TYPE_UINT16);
  j.of_type<2>(CU_TENSOR_MAP_DATA_TYPE_UINT32);
  j.of_type<3>(CU_TENSOR_MAP_DATA_TYPE_INT32);
  j.of_type<4>(CU_TENSOR_MAP_DATA_TYPE_UINT64);
  j.of_type<5>(CU_TENSOR_MAP_DATA_TYPE_INT64);
  j.of_type<6>(CU_TENSOR_MAP_DATA_TYPE_FLOAT16);
  j.of_type<7>(CU_TENSOR_MAP_DATA_TYPE_FLOAT32);
  j.of_type<8>(CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ);
  j.of_type<9>(CU_TENSOR_MAP_DATA_TYPE_FLOAT64);
  j.of_type<10>(CU_TENSOR_MAP_DATA_TYPE_BFLOAT16);
  j.of_type<11>(CU_TENSOR_MAP_DATA_TYPE_TFLOAT32);
  j.of_type<12>(CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ);
  auto const with = [&](int shape::* member, int value) {
    shape made = a;
    made.type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
    made.*member = value;
    return made;
  };
  j.both<swizzle, 1>("swizzle_mode 1", with(&shape::swizzle, 0), with(&shape::swizzle, 1));
  j.both<swizzle, 2>("swizzle_mode 2", with(&shape::swizzle, 0), with(&shape::swizzle, 2));
  j.both<swizzle, 3>("swizzle_mode 3", with(&shape::swizzle, 0), with(&shape::swizzle, 3));
  j.both<swizzle, 0>("swizzle_mode 0", with(&shape::swizzle, 3), with(&shape::swizzle, 0));
  j.both<fill, 1>("fill_mode 1", with(&shape::fill, 0), with(&shape::fill, 1));
  j.both<fill, 0>("fill_mode 0", with(&shape::fill, 1), with(&shape::fill, 0));
  j.both<interleave, 1>("interleave_layout 1", with(&shape::interleave, 0), with(&shape::interleave, 1));
  j.both<interleave, 2>("interleave_layout 2", with(&shape::interleave, 0), with(&shape::interleave, 2));
  j.both<interleave, 0>("interleave_layout 0", with(&shape::interleave, 1), with(&shape::interleave, 0));
  u32* words = nullptr;
  require(cudaMalloc(&words, 96 * sizeof(u32)), "cudaMalloc");
  u32 tile[96], content[65536];
  for (u32 i = 0; i < 65536; ++i) content[i] = i;
  require(cudaMemcpy(j.buffer, content, sizeof(content), cudaMemcpyHostToDevice), "cudaMemcpy");
  CUtensorMap const first = map_of(a, j.buffer);
  require(cudaMemcpy(j.map, &first, sizeof(first), cudaMemcpyHostToDevice), "cudaMemcpy");
  change_and_load<<<1, 32>>>(j.map, reinterpret_cast<u64>(j.buffer) + 4096, words);
  require(cudaDeviceSynchronize(), "change_and_load");
  require(cudaMemcpy(tile, words, sizeof(tile), cudaMemcpyDeviceToHost), "cudaMemcpy");
  bool same = true;
  for (u32 i = 0; i < 96; ++i) {
    u32 const x = i % 4, y = i / 4 % 3, z = i / 12 % 2, v = i / 24 % 2, w = i / 48;
    same &= tile[i] == 1024 + x + (y * 160 + z * 1600 + v * 9600 + w * 38400) / 4;
  }
  j.different += !same;
  std::printf("a tile by the changed map: %s\n%d maps compared, %d results differ\n", same ? "the same" : "different",
              j.ran, j.different);
  return j.different != 0;
}
