// SPDX-License-Identifier: Apache-2.0
//
// tensor_map: what the 128 bytes of a CUtensorMap hold in the emulator, and which bytes a box of the tensor has.
// NVIDIA does not document its encoding, so the emulator has one of its own. A map begins with a mark: memory that is
// no map is told from one. cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col (cuda/tensor_map.cpp) make maps,
// tensormap.replace changes them. [CUDA driver API, "Tensor Map Object Management"; PTX ISA, "Tensors", "Swizzling
// Modes"]
#pragma once

#include "../../../machine/decoder.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace emulator {

/// Numbered as CUtensorMapDataType. tensormap.replace has other numbers: replaced_type.
enum class tensor_type : u8 { u8, u16, u32, s32, u64, s64, f16, f32, f64, bf16, f32_ftz, tf32, tf32_ftz };
/// Bytes. The last three change places of larger atoms than chunks of 16 bytes; GPUs have them from sm_100 on.
enum class tensor_swizzle : u8 { none, of_32, of_64, of_128, of_128_atoms_32, of_128_atoms_32_flip_8, of_128_atoms_64 };
enum class tensor_interleave : u8 { none, of_16, of_32 }; ///< bytes

/// Bytes of an element.
constexpr u32 size_of(tensor_type t) {
  constexpr u8 sizes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
  return sizes[u8(t)];
}
constexpr bool has_atoms(tensor_swizzle s) { return s > tensor_swizzle::of_128; }
constexpr bool is_floating(tensor_type t) { return t >= tensor_type::f16; }
char const* name_of(tensor_type);

struct tensor_map {
  static constexpr u64 marked = 0x70616d2e78616475; ///< "udax.map"

  u64 mark = marked;
  u64 address = 0;
  std::array<u64, 4> stride{}; ///< bytes, of dimensions 1 to 4
  std::array<u64, 5> extent{}; ///< elements
  std::array<u16, 5> box{};    ///< elements that are traversed
  std::array<u8, 5> step{};    ///< every step-th of these is copied; not in dimension 0
  u8 rank = 0;                 ///< 1 to 5
  tensor_type type{};
  tensor_swizzle swizzle{};
  tensor_interleave interleave{};
  bool fills_with_nan = false;
  bool is_im2col = false;     ///< box[0]: channels of a pixel
  u16 pixels = 0;             ///< of a copy; im2col only, as what follows
  std::array<s16, 3> lower{}; ///< of dimensions 1 to 3: where the box of pixels begins
  std::array<s16, 3> upper{}; ///< where it ends, from the tensor's last element on
  std::array<u8, 4> unused{};

  /// Whether a copy can use it: a driver makes no other map, tensormap.replace may.
  bool is_usable() const {
    if (!box[0] || (is_interleaved() && (!step[0] || rank < 3))) return false;
    bool fits = row_bytes() % 16 == 0 && row_bytes() <= pitch();
    for (int i = 1; i < rank; ++i) fits &= step[i] && (box[i] || is_im2col) && extent[i];
    return fits;
  }

  bool is_interleaved() const { return interleave != tensor_interleave::none; }
  /// Bytes of what extents, boxes, steps and coordinates count in dimension 0: an element, or a slice of 16 or 32
  /// bytes.
  u32 unit() const { return is_interleaved() ? 8u << u8(interleave) : size_of(type); }
  /// An interleaved box has one element in the dimension before the last, the slice of the channels, whatever its
  /// extent.
  bool is_single(int dimension) const { return is_interleaved() && dimension + 2 == rank; }
  /// Whether im2col mode goes through the dimension: between channels and images, or the first ones, before the slices.
  bool is_of_pixels(int dimension) const {
    return is_im2col && (is_interleaved() ? dimension + 2 < rank : dimension && dimension + 1 < rank);
  }
  /// Which corner and which offset a dimension of pixels has.
  std::size_t corner(int dimension) const { return std::size_t(dimension - !is_interleaved()); }
  u32 elements(int dimension) const {
    if (is_single(dimension) || (is_interleaved() && is_im2col)) return 1; // in im2col mode, a row is a pixel
    if (dimension == 0 && !is_interleaved()) return box[0];
    return (box[dimension] + step[dimension] - 1u) / step[dimension];
  }
  u64 rows() const {
    if (is_im2col) return pixels;
    u64 product = 1;
    for (int i = 1; i < rank; ++i) product *= elements(i);
    return product;
  }
  u32 row_bytes() const { return elements(0) * unit(); }
  /// From a row to the next in shared memory: swizzled rows have the pattern's width, the box's rows may be shorter.
  u32 pitch() const {
    return swizzle == tensor_swizzle::none || is_interleaved() ? row_bytes()
           : has_atoms(swizzle)                                ? 128
                                                               : 16u << u8(swizzle);
  }
  /// What a copy tells an mbarrier: the whole box, elements out of bounds included.
  u64 bytes() const { return rows() * row_bytes(); }
  /// What the box takes in shared memory.
  u64 shared_bytes() const { return rows() * pitch(); }
};
static_assert(sizeof(tensor_map) == 128);

/// A run of bytes of a box: its addresses. `global` is 0 where the elements are outside the tensor.
struct tensor_run {
  u64 global;
  u64 shared;
  u32 size;
};

/// Where bytes that belong at this address of shared memory are, in units of 16 bytes, or of 8 where these are flipped.
/// The pattern repeats every 256 (32B), 512 (64B, 128B with atoms of 32 bytes) or 1024 (128B) bytes of the address,
/// wherever the tile begins. Of the atoms PTX ISA has tables ("Swizzling Modes"); no H100 has them.
constexpr u64 swizzled(u64 address, tensor_swizzle s) {
  using enum tensor_swizzle;
  u64 const atom = s == of_128_atoms_64 ? 64 : has_atoms(s) ? 32 : 16;
  u64 const atoms = (has_atoms(s) ? 128 : u64(16) << u8(s)) / atom; // that change places
  u64 const flip = s == of_128_atoms_32_flip_8 ? address >> 4 & 8 : 0;
  return address ^ (address >> 7 & (atoms - 1)) * atom ^ flip;
}

/// Where a copy is in the tensor: coordinates of dimensions 1 and more, of a row in the box or of a pixel.
struct tensor_position {
  std::array<s64, 5> x{};

  tensor_position(tensor_map const& m, std::array<s32, 5> const& at) : map_(m), at_(at) {
    for (int i = 0; i < m.rank; ++i) x[i] = at[i];
  }
  /// To the next row: dimension 1 is the fastest. Pixels go from the box's begin to its end in each dimension, and
  /// through all images.
  void advance() {
    for (int i = map_.is_of_pixels(0) ? 0 : 1; i < map_.rank; ++i) {
      if (map_.is_single(i)) continue;
      x[i] += map_.step[i];
      bool const is_last = i + 1 == map_.rank;
      if (!map_.is_im2col) {
        if (x[i] < at_[i] + s64(map_.box[i])) return;
        x[i] = at_[i];
      } else {
        if (is_last || x[i] < s64(map_.extent[i]) + map_.upper[map_.corner(i)]) return;
        x[i] = map_.lower[map_.corner(i)];
      }
    }
  }

private:
  tensor_map const& map_;
  std::array<s32, 5> const& at_;
};

/// Calls f(tensor_run) for all bytes of the box at `at`, which shared memory holds from the address `shared`. A store
/// writes chunks of 16 bytes: the last one of a row goes beyond the tensor's end where that is no multiple of 16 bytes.
/// `offset`: of im2col, added to dimensions 1 to 3.
template <class F>
void for_each_run(tensor_map const& m, std::array<s32, 5> const& at, std::array<u16, 3> const& offset, u64 shared,
                  bool is_store, F f) {
  u32 const element = m.unit(), inner = m.row_bytes();
  // The part of a row that is in the tensor, in bytes.
  s64 const first = s64(at[0]) * element, extent = s64(m.extent[0]) * element;
  auto const clamp = [&](s64 x) { return u32(x < 0 ? 0 : x > inner ? inner : x); };
  u32 const begin = clamp(-first), end = std::max(begin, clamp((is_store ? (extent + 15) & ~s64(15) : extent) - first));
  u32 const edges[] = {0, begin, end, inner};
  auto const emit = [&](u64 global, u64 place, u32 size) {
    if (m.swizzle == tensor_swizzle::none) return void(size && (f(tensor_run{global, place, size}), 0));
    while (size) {
      u32 const unit = m.swizzle == tensor_swizzle::of_128_atoms_32_flip_8 ? 8 : 16;
      u32 const part = std::min(size, u32(unit - place % unit));
      f(tensor_run{global, swizzled(place, m.swizzle), part});
      if (global) global += part;
      place += part, size -= part;
    }
  };
  tensor_position p(m, at);
  u64 place = shared;
  for (u64 row = 0; row < m.rows(); ++row, place += m.pitch(), p.advance()) {
    auto const coordinate = [&](int i) { return p.x[i] + (m.is_of_pixels(i) ? offset[m.corner(i)] : 0); };
    bool inside = true;
    u64 global = m.address;
    for (int i = 1; i < m.rank; ++i) {
      s64 const x = coordinate(i);
      inside &= x >= 0 && x < s64(m.extent[i]);
      global += u64(x) * m.stride[i - 1];
    }
    if (!inside) emit(0, place, inner);
    else if (m.is_interleaved()) {
      for (u32 k = 0; k < m.elements(0); ++k) { // slice after slice
        s64 const x = coordinate(0) + s64(k) * m.step[0];
        emit(x >= 0 && x < s64(m.extent[0]) ? global + u64(x) * element : 0, place + k * element, element);
      }
    } else
      for (int part = 0; part < 3; ++part)
        emit(part == 1 ? global + u64(first) + edges[1] : 0, place + edges[part], edges[part + 1] - edges[part]);
  }
}

/// The bits of elements out of bounds, of any type.
u64 fill_of(tensor_map const&);
/// What a load makes of the elements: rounded to tf32. Null: nothing. The types ..._ftz lose no subnormal number.
using tensor_conversion = void (*)(std::byte* elements, u32 size);
tensor_conversion conversion_of(tensor_map const&);

} // namespace emulator
