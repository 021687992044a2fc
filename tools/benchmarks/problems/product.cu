// SPDX-License-Identifier: Apache-2.0
//
// product: c = a * b, where b is transposed: bf16, sums in float by the tensor cores of sm_90a, the result bf16. The
// number is that of additions and multiplications; cuBLAS is in the column of CUDA's own.
// The kernel is that of the guide's page "A matrix product". A cluster of two blocks shares the tiles of b: each block
// copies a half to both. Two warpgroups of a block take turns ("ping-pong"): while one stores its tile of c, the other
// one multiplies. A stage is released when the multiplications after those that read it have begun. The sides differ in
// support/product_pipelines.hpp alone.
#include "../support/library.hpp"
#include "../support/row.hpp"

#if defined(CUDAX_BENCH_CUDA)
#include "../support/cublas.hpp"
#else
#include "../support/product_pipelines.hpp"
#include "../support/tensor_cores.hpp"
#endif

#include <algorithm>
#include <memory>

namespace CUDAX_BENCH_SIDE {

/// Element i of a and b, which follows a.
__host__ __device__ constexpr int factor_at(unsigned i) { return int((i * 2654435761u ^ i >> 7) >> 9) % 127 - 63; }

__device__ inline __bf16 make_bf16(int small) { // at most 8 bits
  return __builtin_bit_cast(__bf16, (unsigned short)(__float_as_uint(float(small)) >> 16));
}
template <class Element>
__global__ void fill_matrices(Element* both, unsigned count) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    both[i] = make_bf16(factor_at(i));
}

/// Rounds to the nearest bf16, ties to even.
inline float rounded(float value) {
  unsigned const bits = __builtin_bit_cast(unsigned, value);
  return __builtin_bit_cast(float, (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000u);
}

/// Some elements of c: four in each 64 * 64 of them. All sums are integers below 2^24, so they are exact until they are
/// rounded.
class expected_elements {
  struct element {
    unsigned x, y;
    float value;
  };
  unsigned side_;
  std::vector<element> some_;

public:
  explicit expected_elements(unsigned side) : side_(side) {
    std::vector<signed char> both(2 * std::size_t(side) * side);
    for (unsigned i = 0; i < both.size(); ++i) both[i] = (signed char)factor_at(i);
    for (unsigned block = 0; block < side / 64 * (side / 64); ++block)
      for (unsigned i = 0; i < 4; ++i) {
        unsigned const place = (4 * block + i) * 2654435761u >> 20; // 12 bits
        unsigned const x = block % (side / 64) * 64 + place % 64, y = block / (side / 64) * 64 + place / 64;
        signed char const* const a = &both[std::size_t(y) * side];
        signed char const* const b = &both[(std::size_t(side) + x) * side];
        int sum = 0;
        for (unsigned k = 0; k < side; ++k) sum += a[k] * b[k];
        some_.push_back({x, y, rounded(float(sum))});
      }
  }
  std::string check(void const* c) const {
    for (auto const [x, y, value] : some_) {
      unsigned const bits = static_cast<unsigned short const*>(c)[std::size_t(y) * side_ + x];
      if (float const found = __builtin_bit_cast(float, bits << 16); found != value)
        return "column " + std::to_string(x) + " of row " + std::to_string(y) + " is " + std::to_string(found) +
               ", expected " + std::to_string(value);
    }
    return "";
  }
};

#if defined(CUDAX_BENCH_CUDA)

void launch_product(bench::work const& work, __bf16 const* a, __bf16 const* b, __bf16* c, unsigned side) {
  for (unsigned i = 0; i < work.rounds; ++i) cublas::multiply(a, b, c, int(side));
}
std::string lacking_product() { return cublas::lacking(); }

#else

inline constexpr unsigned tile_side = 128, multipliers = 2, product_block = multipliers * 128 + 32;
inline constexpr unsigned band = 8; // pairs of rows of tiles, whose tiles are calculated at the same time

/// The shared memory of a block.
struct product_memory {
  alignas(1024) __bf16 a[product_stages][tile_side * tile_columns];
  alignas(1024) __bf16 b[product_stages][tile_side * tile_columns];
  alignas(1024) __bf16 c[multipliers][2][64 * tile_columns];
  product_state state;
};

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

/// Stores a warpgroup's 64 columns from `first` on of 64 rows.
__device__ inline void write_tile(__bf16* tile, warpgroup_sums const& s, unsigned first) {
  unsigned const thread = threadIdx.x % 128, row = thread / 32 * 16 + thread % 32 / 4;
  char* const here = reinterpret_cast<char*>(tile) + row * 128 + thread % 4 * 4;
#pragma unroll
  for (unsigned i = 0; i < 8; ++i)
#pragma unroll
    for (unsigned below = 0; below < 2; ++below) {
      float const* const two = &s.at[first / 2 + i * 4 + below * 2];
      unsigned both; // cvt.rn.bf16x2.f32, PTX ISA 7.0, sm_80
      asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(two[1]), "f"(two[0]));
      // The swizzle exchanges the 16 bytes i with those at i ^ (row % 8).
      *reinterpret_cast<unsigned*>(here + below * 8 * 128 + (i ^ row % 8) * 16) = both;
    }
}

/// The tiles of c that a block calculates, one after the other: the places of their first elements.
class tiles_of_block {
  unsigned across_, tile_ = blockIdx.x / product_cluster;

public:
  __device__ explicit tiles_of_block(unsigned side) : across_(side / tile_side) {}
  __device__ explicit operator bool() const { return tile_ < across_ / product_cluster * across_; }
  __device__ void advance() { tile_ += gridDim.x / product_cluster; }
  __device__ int x() const { return int(tile_ % (band * across_) / band * tile_side); }
  __device__ int y() const {
    unsigned const pair = tile_ / (band * across_) * band + tile_ % band;
    return int((pair * product_cluster + blockIdx.x % product_cluster) * tile_side);
  }
};

#endif

__global__ void __launch_bounds__(product_block, 1)
    multiply_matrices([[maybe_unused]] tile_map<tile_side> const __grid_constant__ a,
                      [[maybe_unused]] tile_map<tile_side / product_cluster> const __grid_constant__ b,
                      [[maybe_unused]] tile_map<64> const __grid_constant__ c, [[maybe_unused]] unsigned side) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  extern __shared__ __align__(1024) char dynamic[];
  product_memory& memory = *reinterpret_cast<product_memory*>(dynamic);
  unsigned const steps = side / tile_columns;
  filled_stages filled(memory.state);
  if (threadIdx.x >= multipliers * 128) { // a warp, of which one thread copies
    if (threadIdx.x != multipliers * 128) return;
    for (tiles_of_block tile(side); tile; tile.advance()) {
      int const x = tile.x(), y = tile.y();
#pragma unroll 1
      for (unsigned k = 0; k < steps; ++k)
        filled.fill(2 * tile_side * tile_columns * sizeof(__bf16), [&](unsigned stage, auto& barrier) {
          copy_tile(memory.a[stage], a, int(k * tile_columns), y, barrier);
          constexpr unsigned part = tile_side / product_cluster;
          unsigned const first = blockIdx.x % product_cluster * part;
          copy_tile_to_all(memory.b[stage] + first * tile_columns, b, int(k * tile_columns), x + int(first), barrier);
        });
    }
    return filled.drain(); // other blocks arrive here until then
  }
  unsigned const group = threadIdx.x / 128;
  warpgroup_turns turns(group);
  warpgroup_stores stores;
  unsigned const first_a = describe(memory.a), first_b = describe(memory.b);
  unsigned turn = 0;
  for (tiles_of_block tile(side); tile; tile.advance()) {
    if (turn++ % multipliers != group) {
      filled.skip(steps);
      continue;
    }
    turns.wait();
    warpgroup_sums low{}, high{};
#pragma unroll 1
    for (unsigned k = 0; k < steps; ++k) {
      unsigned const stage = filled.wait();
      begin_multiplications();
#pragma unroll
      for (unsigned i = 0; i < tile_columns; i += 16) {
        unsigned const of_stage = (stage * sizeof(memory.a[0]) + 2 * i) / 16, half = 64 * 2 * tile_columns / 16;
        multiply(low, first_a + of_stage, first_b + of_stage);
        multiply(high, first_a + of_stage + half, first_b + of_stage);
      }
      commit_multiplications();
      wait_for_multiplications_before();
      if (k > 0) filled.release(); // that of the step before
    }
    turns.arrive(); // the other warpgroup multiplies
    wait_for_multiplications(low, high);
    filled.release();
#pragma unroll
    for (unsigned part = 0; part < 4; ++part) {
      stores.acquire();
      __bf16* const here = memory.c[group][stores.index()];
      write_tile(here, part / 2 ? high : low, part % 2 * tile_columns);
      stores.commit(
          [&] { store_tile(c, tile.x() + int(part % 2 * tile_columns), tile.y() + int(part / 2 * 64), here); });
    }
  }
  if (turn % multipliers != 0 && group != 0) turns.skip();
#else
  __trap(); // lacking_product
#endif
}

/// `side` is a multiple of the side of a band's tiles.
void launch_product(bench::work const& work, __bf16 const* a, __bf16 const* b, __bf16* c, unsigned side) {
  auto* const kernel = multiply_matrices;
  unsigned const all = side / tile_side * (side / tile_side);
  cluster_launch const launch(kernel, product_cluster, std::min(work.blocks / product_cluster * product_cluster, all),
                              product_block, sizeof(product_memory));
  auto const of_a = make_tile_map<tile_side>(a, side, side);
  auto const of_b = make_tile_map<tile_side / product_cluster>(b, side, side);
  auto const of_c = make_tile_map<64>(c, side, side);
  for (unsigned i = 0; i < work.rounds; ++i) launch(of_a, of_b, of_c, side);
}

std::string lacking_product() {
#if defined(CUDAX_BENCH_SM_90A)
  cudaDeviceProp device{};
  CUDA_MUST(cudaGetDeviceProperties(&device, 0));
  if (device.major == 9 && device.minor == 0) return "";
  return "needs sm_90a, the device has sm_" + std::to_string(10 * device.major + device.minor);
#else
  return "needs a build for sm_90a, whose instructions multiply: tools/bench --sm 90a";
#endif
}

#endif

bench::row make_product_row(std::string name, unsigned side) {
  std::size_t const elements = std::size_t(side) * side;
  auto const expected = std::make_shared<std::unique_ptr<expected_elements>>();
  return {.name = std::move(name),
          .blocks_per_sm = 1,
          .threads_per_block = 288,
          .minimum_sm = 90,
          .initial_byte = 0,
          .object_bytes = [=](unsigned) { return 2 * elements * sizeof(__bf16); },
          .result_bytes = [=](unsigned) { return elements * sizeof(__bf16); },
          .launch =
              [=](bench::work const& work, void* objects, void* results, unsigned) {
                auto const* const a = static_cast<__bf16 const*>(objects);
                launch_product(work, a, a + elements, static_cast<__bf16*>(results), side);
              },
          .check = [=](bench::work const&, void*, void* results) -> std::string {
            if (!*expected) *expected = std::make_unique<expected_elements>(side); // once for all samples
            return (*expected)->check(results);
          },
          .shown = bench::unit::teraflops,
          .operations = [=](bench::work const& work) { return 2.0 * side * side * side * work.steps(); },
          .prepare =
              [=](bench::work const& work, void* objects, void*) {
                fill_matrices<<<work.blocks * 8, 256>>>(static_cast<__bf16*>(objects), unsigned(2 * elements));
              },
          .objects_are_input = true,
          .lacks = lacking_product};
}

bench::rows rows_of_product() {
  return {make_product_row("product, 4096 * 4096 * 4096, bf16", 4096),
          make_product_row("product, 2048 * 2048 * 2048, bf16", 2048)};
}

} // namespace CUDAX_BENCH_SIDE
