// SPDX-License-Identifier: Apache-2.0
//
// tensor_on_device: makes tensor maps and copies with them, on a GPU and on the emulator, so that their results can be
// compared.
//
//   tensor_on_device --encode 0       parameters of cuTensorMapEncodeTiled, and what it returns for them
//   tensor_on_device --copy N         copies from number N on: what each is, a hash of its results, of some the bytes
//   tensor_on_device --dubious N      copies that a GPU rejects or may reject
//   tensor_on_device --im2col N       copies in im2col mode
//   tensor_on_device --interleaved N  copies of interleaved tensors, in both modes
//   tensor_on_device --full N         as --copy, with more bytes; --im2col-full and --interleaved-full, too
//   tensor_on_device --check RECORD   runs again all of the first five, and prints what differs
//   tensor_on_device --check-copies RECORD   the same of one in three of the copies that succeed
//
// After a copy that fails, the process cannot use the GPU: it exits with 4, and another process continues after this
// copy. h100_tensor.record is an H100's. Build for both: clang++ -x cuda -std=c++20 -O1 --cuda-gpu-arch=sm_90
// --cuda-include-ptx=all -Xcuda-fatbinary --compress=false tensor.cu -lcudart
#include "tensor_cases.hpp"

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>

namespace tensor {

__global__ void copy_kernel(__grid_constant__ CUtensorMap const map, copy c, u32 const* content, u32* out, u32* done) {
  run_copy(&map, c, content, out, done);
}

__constant__ CUtensorMap constant_map;

/// The map is in global memory, or, where `map` is null, in constant memory.
__global__ void copy_with_map_at(CUtensorMap const* map, copy c, u32 const* content, u32* out, u32* done) {
  run_copy(map ? map : &constant_map, c, content, out, done);
}

namespace {

void require(cudaError_t code, char const* what) {
  if (code == cudaSuccess) return;
  std::printf("%s: error %d\n", what, int(code));
  std::exit(1);
}

template <class Function>
Function* of_driver(char const* name) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result{};
  require(cudaGetDriverEntryPointByVersion(name, &found, 12000, cudaEnableDefault, &result),
          "cudaGetDriverEntryPointByVersion");
  if (!found) std::exit((std::printf("the driver has no %s\n", name), 1));
  return reinterpret_cast<Function*>(found);
}
#define OF_DRIVER(name) of_driver<decltype(::name)>(#name)

enum : std::size_t { space = 128 * 1024, base = 4096 }; ///< bytes of the tensor's buffer, and where the tensor begins

/// Numbers that a format treats specially: zeros, subnormal numbers, limits, ties between two tf32, NaNs.
std::vector<u64> specials(u32 size, bool is_bf16) {
  if (size == 8)
    return {0,
            1,
            1ull << 63,
            0x8000000000000001,
            0x000fffffffffffff,
            0x7ff0000000000000,
            0xfff8000000000001,
            0x7ff0000000000001,
            0x3ff0000000000000};
  if (size == 4)
    return {0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x00400000, 0x00001000, 0x00001fff, 0x3f800fff,
            0x3f801000, 0x3f801001, 0x3f803000, 0x3f802fff, 0x3f801fff, 0xbf801000, 0x7f7fffff, 0x7f7ff000, 0xff7fefff,
            0x7f800000, 0xff800000, 0x7f800001, 0x7f801fff, 0x7fc00000, 0xffc12345, 0x7fffffff, 0x007ff000, 0x00800000};
  if (is_bf16) return {0, 0x8000, 1, 0x8001, 0x7f, 0x80, 0x7f80, 0xff80, 0x7f81, 0x7fc0, 0xffff, 0x7f7f, 0x3f80};
  return {0, 0x8000, 1, 0x8001, 0x3ff, 0x400, 0x7c00, 0xfc00, 0x7c01, 0x7e00, 0xffff, 0x7bff, 0x3c00};
}

/// Bytes from a hash. In floating-point types, 2 of 3 elements are special.
std::vector<unsigned char> content(element const& e, std::size_t bytes, u64 seed) {
  std::vector<unsigned char> made(bytes);
  auto const special = specials(e.size, e.type == CU_TENSOR_MAP_DATA_TYPE_BFLOAT16);
  for (std::size_t i = 0; i < bytes / e.size; ++i) {
    u64 const number = hash(seed + i);
    u64 value = hash(number);
    if (e.is_float && number % 3) value = special[(number >> 8) % special.size()];
    // Small numbers, that sums do not overflow and that a count of inc meets.
    if (!e.is_float && e.size >= 4 && number % 3 == 0) value %= 10;
    std::memcpy(made.data() + i * e.size, &value, e.size);
  }
  return made;
}

u64 hash_of(unsigned char const* bytes, std::size_t size) {
  u64 h = size;
  for (std::size_t i = 0; i < size; i += 8) {
    u64 word;
    std::memcpy(&word, bytes + i, 8);
    h = hash(h + word) ^ i;
  }
  return h;
}

struct device {
  decltype(&cuTensorMapEncodeTiled) encode = OF_DRIVER(cuTensorMapEncodeTiled);
  decltype(&cuTensorMapEncodeIm2col) encode_im2col = OF_DRIVER(cuTensorMapEncodeIm2col);
  CUtensorMap* global_map = nullptr;
  unsigned char *tensor = nullptr, *shared = nullptr;
  u32 *out = nullptr, *done = nullptr;

  device() { allocate(); }

  /// After an error, which the emulator forgets.
  void reset() {
    require(cudaDeviceReset(), "cudaDeviceReset");
    allocate();
  }

  void allocate() {
    require(cudaMalloc(&tensor, space), "cudaMalloc");
    require(cudaMalloc(&shared, window), "cudaMalloc");
    require(cudaMalloc(&out, window), "cudaMalloc");
    require(cudaMalloc(&done, 4), "cudaMalloc");
    require(cudaMalloc(&global_map, sizeof(CUtensorMap)), "cudaMalloc");
  }

  CUresult map(CUtensorMap& m, shape const& s) const {
    if (s.pixels)
      return encode_im2col(&m, s.e.type, s.rank, tensor + base, s.extent, s.stride, s.lower, s.upper, s.channels,
                           s.pixels, s.step, s.interleave, s.swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, s.fill);
    return encode(&m, s.e.type, s.rank, tensor + base, s.extent, s.stride, s.box, s.step, s.interleave, s.swizzle,
                  CU_TENSOR_MAP_L2_PROMOTION_NONE, s.fill);
  }

  /// The results of a copy, as a line without its title.
  std::string run(test const& t, bool is_full) {
    CUtensorMap m;
    if (CUresult const code = map(m, t.s)) return "cuTensorMapEncodeTiled returned " + std::to_string(int(code));
    auto const source = content(t.s.e, space, 1), in_shared = content(t.s.e, window, 1 << 20);
    require(cudaMemcpy(tensor, source.data(), space, cudaMemcpyHostToDevice), "cudaMemcpy");
    require(cudaMemcpy(shared, in_shared.data(), window, cudaMemcpyHostToDevice), "cudaMemcpy");
    require(cudaMemset(done, 0, 4), "cudaMemset");
    auto const* const words = reinterpret_cast<u32 const*>(shared);
    if (t.map_in == place::parameter) copy_kernel<<<1, threads, window>>>(m, t.c, words, out, done);
    else if (t.map_in == place::global) {
      require(cudaMemcpy(global_map, &m, sizeof(m), cudaMemcpyHostToDevice), "cudaMemcpy");
      copy_with_map_at<<<1, threads, window>>>(global_map, t.c, words, out, done);
    } else {
      require(cudaMemcpyToSymbol(constant_map, &m, sizeof(m)), "cudaMemcpyToSymbol");
      copy_with_map_at<<<1, threads, window>>>(nullptr, t.c, words, out, done);
    }
    if (cudaError_t const code = cudaDeviceSynchronize()) return "error " + std::to_string(int(code));
    u32 is_done = 0;
    require(cudaMemcpy(&is_done, done, 4, cudaMemcpyDeviceToHost), "cudaMemcpy");
    std::vector<unsigned char> bytes(window), global(space);
    require(cudaMemcpy(bytes.data(), out, window, cudaMemcpyDeviceToHost), "cudaMemcpy");
    require(cudaMemcpy(global.data(), tensor, space, cudaMemcpyDeviceToHost), "cudaMemcpy");
    char text[64];
    std::snprintf(text, sizeof(text), "%016llx",
                  (unsigned long long)(hash_of(bytes.data(), window) ^ hash(hash_of(global.data(), space))));
    std::string line = text;
    if (!is_done) line += " incomplete";
    if (!t.shows && !is_full) return line;
    bool const loads = t.c.what == kind::load || t.c.what == kind::im2col;
    auto const* const shown = loads ? bytes.data() : global.data() + base;
    std::size_t const count = is_full ? (loads ? 8192 : 16384) : 128;
    line += " ";
    for (std::size_t i = 0; i < count; ++i) {
      std::snprintf(text, sizeof(text), "%02x", shown[i]);
      line += text;
      if (i % 16 == 15 && i + 1 < count) line += '.';
    }
    return line;
  }
};

/// Parameters that the driver accepts or does not: each changes one thing of a shape that it accepts.
struct encoding {
  shape s;
  std::size_t map_at = 0, address = 0; ///< added to them
  int l2 = 0;
  char null = 0; ///< which pointer is null
};

template <class F>
void each_encoding(F f) {
  auto const on = [&](std::string const& title, element e, u32 rank, auto change) {
    encoding c;
    c.s = usual(e, rank, 32, CU_TENSOR_MAP_SWIZZLE_NONE);
    change(c);
    f("encode " + title, c);
  };
  for (int type = 0; type <= 16; ++type)
    on("type " + std::to_string(type), u64_, 2, [&](encoding& c) {
      c.s.e.type = CUtensorMapDataType(type);
      c.s.extent[0] = c.s.box[0] = 128;
      c.s.stride[0] = 1024;
    });
  for (int type = 0; type <= 16; ++type)
    for (int fill = 1; fill <= 2; ++fill)
      on("type " + std::to_string(type) + " fill " + std::to_string(fill), u64_, 2, [&](encoding& c) {
        c.s.e.type = CUtensorMapDataType(type), c.s.fill = CUtensorMapFloatOOBfill(fill);
        c.s.extent[0] = c.s.box[0] = 128;
        c.s.stride[0] = 1024;
      });
  for (u32 rank : {0u, 6u}) on("rank " + std::to_string(rank), u32_, 2, [&](encoding& c) { c.s.rank = rank; });
  for (u32 rank = 1; rank <= 5; ++rank) on("rank " + std::to_string(rank), u32_, rank, [&](encoding&) {});
  for (char which : {'m', 'a', 'x', 's', 'b', 't'})
    for (u32 rank : {1u, 2u})
      on(std::string("rank ") + std::to_string(rank) + " null " + which, u32_, rank,
         [&](encoding& c) { c.null = which; });
  for (std::size_t at : {8, 16, 32, 64})
    on("map at " + std::to_string(at), u32_, 2, [&](encoding& c) { c.map_at = at; });
  for (std::size_t at : {1, 4, 8, 16, 32})
    on("address at " + std::to_string(at), u32_, 2, [&](encoding& c) { c.address = at; });
  for (u32 d = 0; d < 3; ++d)
    for (u64 extent : {u64(0), u64(1), u64(1) << 31, (u64(1) << 32) - 1, u64(1) << 32, (u64(1) << 32) + 1})
      on("extent " + std::to_string(d) + " is " + std::to_string(extent), u8_, 3,
         [&](encoding& c) { c.s.extent[d] = extent; });
  for (u32 d = 0; d < 2; ++d)
    for (u64 stride : {u64(0), u64(8), u64(16), u64(24), u64(48), u64(152), u64(1) << 39, (u64(1) << 40) - 16,
                       u64(1) << 40, u64(1) << 41})
      on("stride " + std::to_string(d) + " is " + std::to_string(stride), u32_, 3,
         [&](encoding& c) { c.s.stride[d] = stride; });
  for (u32 d = 0; d < 3; ++d)
    for (u32 box : {0u, 1u, 3u, 4u, 12u, 255u, 256u, 257u, 512u})
      on("box " + std::to_string(d) + " is " + std::to_string(box), u32_, 3, [&](encoding& c) { c.s.box[d] = box; });
  for (u32 d = 0; d < 3; ++d)
    for (u32 step : {0u, 1u, 2u, 8u, 9u, 16u})
      on("step " + std::to_string(d) + " is " + std::to_string(step), u32_, 3,
         [&](encoding& c) { c.s.step[d] = step; });
  auto const on_images = [&](std::string const& title, u32 rank, auto change) {
    encoding c;
    c.s = images(rank, u16_, 16, 1, 3, 1, CU_TENSOR_MAP_SWIZZLE_NONE);
    change(c);
    f("encode im2col " + title, c);
  };
  for (u32 rank = 3; rank <= 5; ++rank) {
    auto const of = [&](std::string const& title, auto change) {
      on_images("rank " + std::to_string(rank) + " " + title, rank, change);
    };
    of("usual", [](encoding&) {});
    for (int bound : {-32769, -32768, -129, -128, -17, -16, 15, 16, 127, 128, 32767, 32768}) {
      of("lower " + std::to_string(bound), [&](encoding& c) { c.s.lower[0] = bound, c.s.extent[1] = 100000; });
      of("upper " + std::to_string(bound), [&](encoding& c) { c.s.upper[0] = bound, c.s.extent[1] = 100000; });
    }
    for (int upper : {-6, -7, -8, -9})
      of("small box " + std::to_string(upper), [&](encoding& c) { c.s.upper[0] = upper; });
  }
  for (u32 rank : {1u, 2u, 6u}) on_images("rank " + std::to_string(rank), 5, [&](encoding& c) { c.s.rank = rank; });
  for (u32 channels : {0u, 1u, 4u, 8u, 12u, 16u, 32u, 256u, 257u})
    on_images("channels " + std::to_string(channels), 4, [&](encoding& c) { c.s.channels = channels; });
  for (u32 pixels : {1u, 1023u, 1024u, 1025u})
    on_images("pixels " + std::to_string(pixels), 4, [&](encoding& c) { c.s.pixels = pixels; });
  on_images("512 KiB", 4, [&](encoding& c) { c.s.channels = 256, c.s.pixels = 1024; });
  on_images("228 KiB", 4, [&](encoding& c) { c.s.channels = 256, c.s.pixels = 456; });
  on_images("229 KiB", 4, [&](encoding& c) { c.s.channels = 256, c.s.pixels = 458; });
  for (int swizzle = 1; swizzle <= 3; ++swizzle)
    on_images("32 bytes, swizzle " + std::to_string(swizzle), 4,
              [&](encoding& c) { c.s.swizzle = CUtensorMapSwizzle(swizzle); });
  on_images("64 bytes, swizzle 1", 4, [&](encoding& c) { c.s.channels = 32, c.s.swizzle = CU_TENSOR_MAP_SWIZZLE_32B; });
  for (u32 d = 0; d < 4; ++d)
    for (u32 step : {0u, 2u, 8u, 9u})
      on_images("step " + std::to_string(d) + " is " + std::to_string(step), 4,
                [&](encoding& c) { c.s.step[d] = step; });
  on("box of 512 KiB", u32_, 3, [&](encoding& c) { c.s.box[0] = 128, c.s.box[1] = 256, c.s.box[2] = 4; });
  on("box of 64 MiB", u32_, 3, [&](encoding& c) { c.s.box[0] = 256, c.s.box[1] = 256, c.s.box[2] = 256; });
  for (u32 rows : {32u, 48u, 55u, 56u, 57u, 58u, 60u, 63u, 64u, 65u, 96u, 127u})
    on("box of " + std::to_string(rows * 4) + " KiB", u32_, 3,
       [&](encoding& c) { c.s.box[0] = 4, c.s.box[1] = 256, c.s.box[2] = rows; });
  on("box of 256 KiB, half of it with a step", u32_, 3,
     [&](encoding& c) { c.s.box[0] = 4, c.s.box[1] = 256, c.s.box[2] = 128, c.s.step[2] = 2; });
  on("box 256 with step 8", u32_, 3, [&](encoding& c) { c.s.box[1] = 256, c.s.step[1] = 8; });
  on("box 3 with step 8", u32_, 3, [&](encoding& c) { c.s.box[1] = 3, c.s.step[1] = 8; });
  for (int swizzle = 0; swizzle <= 7; ++swizzle)
    for (u32 inner : {16u, 32u, 48u, 64u, 128u, 144u, 256u})
      on("swizzle " + std::to_string(swizzle) + " box of " + std::to_string(inner) + " bytes", u32_, 2,
         [&](encoding& c) { c.s.swizzle = CUtensorMapSwizzle(swizzle), c.s.box[0] = inner / 4; });
  for (int l2 = 0; l2 <= 4; ++l2) on("L2 promotion " + std::to_string(l2), u32_, 2, [&](encoding& c) { c.l2 = l2; });
  for (int interleave = 1; interleave <= 3; ++interleave)
    for (u32 rank = 2; rank <= 5; ++rank)
      for (int swizzle = 0; swizzle <= 3; ++swizzle)
        for (u64 stride : {160u, 176u})
          for (u32 inner : {8u, 16u, 24u, 32u})
            on("interleave " + std::to_string(interleave) + " rank " + std::to_string(rank) + " swizzle " +
                   std::to_string(swizzle) + " stride " + std::to_string(stride) + " inner " + std::to_string(inner),
               u16_, rank, [&](encoding& c) {
                 c.s.interleave = CUtensorMapInterleave(interleave), c.s.swizzle = CUtensorMapSwizzle(swizzle);
                 for (u32 d = 0; d < 4; ++d) c.s.stride[d] = stride << (2 * d);
                 c.s.box[0] = inner / 2;
               });
  for (int interleave = 1; interleave <= 2; ++interleave) {
    auto const on_slices = [&](std::string const& title, element e, u32 rank, auto change) {
      encoding c;
      c.s = sliced(e, rank, CUtensorMapInterleave(interleave), 8, CU_TENSOR_MAP_SWIZZLE_32B);
      change(c);
      f("encode interleave " + std::to_string(interleave) + " rank " + std::to_string(rank) + " " + title, c);
    };
    for (std::size_t at : {8, 16, 32, 64})
      on_slices("address at " + std::to_string(at), u16_, 3, [&](encoding& c) { c.address = at; });
    for (u32 d = 0; d < 2; ++d)
      for (u64 stride :
           {u64(0), u64(16), u64(32), u64(48), u64(1) << 39, (u64(1) << 40) - 32, (u64(1) << 40) - 16, u64(1) << 40})
        on_slices("stride " + std::to_string(d) + " is " + std::to_string(stride), u16_, 3,
                  [&](encoding& c) { c.s.stride[d] = stride; });
    for (u32 d = 0; d < 3; ++d) {
      for (u64 extent : {u64(0), u64(1), u64(1) << 32, (u64(1) << 32) + 1})
        on_slices("extent " + std::to_string(d) + " is " + std::to_string(extent), u16_, 3,
                  [&](encoding& c) { c.s.extent[d] = extent; });
      for (u32 box : {0u, 1u, 2u, 4u, 8u, 24u, 256u, 257u})
        on_slices("box " + std::to_string(d) + " is " + std::to_string(box), u16_, 3,
                  [&](encoding& c) { c.s.box[d] = box; });
      for (u32 step : {0u, 2u, 8u, 9u})
        on_slices("step " + std::to_string(d) + " is " + std::to_string(step), u16_, 3,
                  [&](encoding& c) { c.s.step[d] = step; });
    }
    for (element e : {u8_, u32_, u64_})
      for (u32 box : {1u, 2u, 3u, 4u, 6u, 8u, 16u, 24u, 32u})
        on_slices(std::string(e.name) + " box 0 is " + std::to_string(box), e, 3,
                  [&](encoding& c) { c.s.box[0] = box; });
    for (element e : {u16_, u64_})
      for (u32 middle : {1u, 4u})
        for (u32 rows : {57u, 114u, 115u, 228u, 229u})
          on_slices(std::string(e.name) + " box of 64 x " + std::to_string(middle) + " x " + std::to_string(rows), e, 3,
                    [&](encoding& c) { c.s.box[0] = 64, c.s.box[1] = middle, c.s.box[2] = rows; });
    for (int swizzle = 4; swizzle <= 7; ++swizzle)
      on_slices("swizzle " + std::to_string(swizzle), u16_, 3,
                [&](encoding& c) { c.s.swizzle = CUtensorMapSwizzle(swizzle); });
    auto const on_images = [&](std::string const& title, u32 rank, int swizzle, auto change) {
      on_slices("im2col " + title, u16_, rank, [&](encoding& c) {
        c.s = sliced_images(rank, CUtensorMapInterleave(interleave), 0, 1, 1, CUtensorMapSwizzle(swizzle));
        c.s.e = u16_, c.s.channels *= 2;
        change(c.s);
      });
    };
    for (u32 rank = 3; rank <= 5; ++rank) {
      for (u32 channels : {4u, 8u, 12u, 16u, 32u, 256u})
        for (int swizzle = 0; swizzle <= 3; ++swizzle)
          on_images("channels " + std::to_string(channels) + " swizzle " + std::to_string(swizzle), rank, swizzle,
                    [&](shape& s) { s.channels = channels; });
      for (u32 d = 0; d + 2 < rank; ++d)
        for (int upper : {-1, -3, -4, -5, -6, -7, -8, -16, -17})
          on_images("upper " + std::to_string(d) + " " + std::to_string(upper), rank, 0,
                    [&](shape& s) { s.upper[d] = upper; });
    }
    for (u32 channels : {8u, 32u, 256u})
      for (u32 pixels : {456u, 458u, 1024u, 1025u})
        on_images("channels " + std::to_string(channels) + " pixels " + std::to_string(pixels), 3, 0,
                  [&](shape& s) { s.channels = channels, s.pixels = pixels; });
  }
}

CUresult result_of(device const& d, encoding const& c) {
  alignas(128) unsigned char place[512];
  auto const pointer = [&](char which, auto* p) { return c.null == which ? nullptr : p; };
  shape const& s = c.s;
  if (s.pixels)
    return d.encode_im2col(reinterpret_cast<CUtensorMap*>(place), s.e.type, s.rank, d.tensor + base, s.extent, s.stride,
                           s.lower, s.upper, s.channels, s.pixels, s.step, s.interleave, s.swizzle,
                           CU_TENSOR_MAP_L2_PROMOTION_NONE, s.fill);
  return d.encode(pointer('m', reinterpret_cast<CUtensorMap*>(place + c.map_at)), s.e.type, s.rank,
                  pointer('a', d.tensor + base + c.address), pointer('x', s.extent), pointer('s', s.stride),
                  pointer('b', s.box), pointer('t', s.step), s.interleave, s.swizzle, CUtensorMapL2promotion(c.l2),
                  s.fill);
}

struct job {
  bool checks = false, is_full = false;
  std::map<std::string, std::string> known{};
  int ran = 0, different = 0;

  void read(char const* file) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);)
      if (auto const tab = line.find('\t'); tab != line.npos) known[line.substr(0, tab)] = line.substr(tab + 1);
  }

  void one(std::string const& title, std::string const& here) {
    ++ran;
    if (!checks) return void(std::printf("%s\t%s\n", title.c_str(), here.c_str()));
    auto const found = known.find(title);
    if (found != known.end() && found->second == here) return void(known.erase(found));
    if (++different <= 40)
      std::printf("%s\n  here:   %s\n  record: %s\n", title.c_str(), here.c_str(),
                  found == known.end() ? "nothing" : found->second.c_str());
    if (found != known.end()) known.erase(found);
  }
};

} // namespace
} // namespace tensor

int main(int argc, char** argv) {
  using namespace tensor;
  auto const is = [&](int i, char const* option) { return argc > i && std::strcmp(argv[i], option) == 0; };
  require(cudaFree(nullptr), "cudaFree");
  device d;
  job j;
  auto const from = [&](std::vector<test> const& all) {
    for (std::size_t i = std::size_t(std::atoi(argv[2])); i < all.size(); ++i) {
      std::string const result = d.run(all[i], j.is_full && all[i].shows);
      j.one(all[i].title, result);
      if (result.starts_with("error")) return 4;
    }
    return 0;
  };
  bool const only_copies = is(1, "--check-copies");
  j.checks = is(1, "--check") || only_copies;
  j.is_full = is(1, "--full");
  if (argc != 3) {
    std::fprintf(stderr, "usage: tensor_on_device --encode 0 | --copy N | --dubious N | --im2col N | "
                         "--interleaved N | --full N | --im2col-full N | --interleaved-full N | --check RECORD | "
                         "--check-copies RECORD\n");
    return 2;
  }
  if (is(1, "--copy") || j.is_full) return from(all_tests());
  if (is(1, "--im2col") || is(1, "--im2col-full")) {
    j.is_full = is(1, "--im2col-full");
    return from(im2col_tests());
  }
  if (is(1, "--interleaved") || is(1, "--interleaved-full")) {
    j.is_full = is(1, "--interleaved-full");
    return from(interleaved_tests());
  }
  if (is(1, "--dubious")) return from(dubious_tests());
  if (j.checks) j.read(argv[2]);
  // The record's device, of compute capability 9.0, has no swizzles with larger atoms.
  int major = 0;
  require(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0), "cudaDeviceGetAttribute");
  auto const has_other_result = [&](std::string const& title) {
    auto const swizzle = title.find("swizzle ");
    return j.checks && major >= 10 && title.starts_with("encode") && swizzle != title.npos &&
           title[swizzle + 8] >= '4' && title[swizzle + 8] <= '6';
  };
  std::erase_if(j.known, [&](auto const& line) { return has_other_result(line.first); });
  if (only_copies) {
    unsigned copies = 0;
    std::erase_if(j.known, [&](auto const& line) {
      bool const fails =
          line.first.starts_with("encode") || line.second.starts_with("error") || line.second.ends_with("incomplete");
      return fails || copies++ % 3 != 0;
    });
  } else
    each_encoding([&](std::string const& title, encoding const& c) {
      if (!has_other_result(title)) j.one(title, "returns " + std::to_string(int(result_of(d, c))));
    });
  if (j.checks)
    for (auto const& list : {all_tests(), dubious_tests(), im2col_tests(), interleaved_tests()})
      for (test const& t : list) {
        if (only_copies && !j.known.contains(t.title)) continue;
        std::string const result = d.run(t, false);
        j.one(t.title, result);
        if (result.starts_with("error")) d.reset();
      }
  if (!j.checks) return 0;
  for (auto const& [title, expected] : j.known) std::printf("%s: in the record, but not run here\n", title.c_str());
  j.different += int(j.known.size());
  std::printf("%d results compared, %d differ\n", j.ran, j.different);
  return j.different != 0 || j.ran == 0;
}
