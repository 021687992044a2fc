// SPDX-License-Identifier: Apache-2.0
//
// tensor_cases: the tensors and the copies that tensor.cu makes.
#pragma once

#include "tensor_kernel.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace tensor {

struct element {
  char const* name;
  CUtensorMapDataType type;
  u32 size;
  bool is_float;
};

inline constexpr element u8_{"u8", CU_TENSOR_MAP_DATA_TYPE_UINT8, 1, false},
    u16_{"u16", CU_TENSOR_MAP_DATA_TYPE_UINT16, 2, false}, u32_{"u32", CU_TENSOR_MAP_DATA_TYPE_UINT32, 4, false},
    s32_{"s32", CU_TENSOR_MAP_DATA_TYPE_INT32, 4, false}, u64_{"u64", CU_TENSOR_MAP_DATA_TYPE_UINT64, 8, false},
    s64_{"s64", CU_TENSOR_MAP_DATA_TYPE_INT64, 8, false}, f16_{"f16", CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, true},
    f32_{"f32", CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, true}, f64_{"f64", CU_TENSOR_MAP_DATA_TYPE_FLOAT64, 8, true},
    bf16_{"bf16", CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, true},
    f32_ftz{"f32_ftz", CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ, 4, true},
    tf32_{"tf32", CU_TENSOR_MAP_DATA_TYPE_TFLOAT32, 4, true},
    tf32_ftz{"tf32_ftz", CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ, 4, true};
inline constexpr element elements[] = {u8_,  u16_, u32_,  s32_,    u64_,  s64_,    f16_,
                                       f32_, f64_, bf16_, f32_ftz, tf32_, tf32_ftz};

/// The parameters of cuTensorMapEncodeTiled. `extent` and `box` in elements, `stride` in bytes.
struct shape {
  element e = u32_;
  u32 rank = 2;
  u64 extent[5] = {1, 1, 1, 1, 1}, stride[5] = {};
  u32 box[5] = {1, 1, 1, 1, 1}, step[5] = {1, 1, 1, 1, 1};
  CUtensorMapInterleave interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
  CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
  CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
  // Those of cuTensorMapEncodeIm2col, where `pixels` is not 0: instead of the box.
  u32 channels = 0, pixels = 0;
  int lower[3] = {}, upper[3] = {};

  /// Bytes that one copy moves in shared memory.
  u32 bytes() const {
    if (pixels) return (interleave ? 8u << interleave : channels * e.size) * pixels;
    u32 product = interleave ? (box[0] + step[0] - 1) / step[0] * (8u << interleave) : box[0] * e.size;
    for (u32 i = 1; i < rank; ++i) product *= interleave && i + 2 == rank ? 1 : (box[i] + step[i] - 1) / step[i];
    return product;
  }
};

enum class place { parameter, global, constant };

struct test {
  std::string title;
  shape s;
  copy c;
  bool shows = false; ///< its bytes, not only their hash
  place map_in = place::parameter;
};

inline char const* name_of(CUtensorMapSwizzle s) {
  char const* const names[] = {"none", "32B", "64B", "128B", "128B_ATOM_32B", "128B_ATOM_32B_FLIP_8B", "128B_ATOM_64B"};
  return names[s];
}

inline char const* name_of(kind k) {
  char const* const names[] = {"load", "load_cta", "load_hint", "store",        "store_hint", "add",
                               "min",  "max",      "inc",       "dec",          "and",        "or",
                               "xor",  "prefetch", "im2col",    "im2col store", "im2col add"};
  return names[int(k)];
}

inline test made(kind what, shape const& s, std::vector<int> const& at, u32 offset = 0, bool shows = false) {
  test t{"", s, {.what = what, .rank = s.rank, .at = {}, .offset = offset, .bytes = s.bytes()}, shows};
  t.title = std::string(name_of(what)) + " " + s.e.name + " swizzle " + name_of(s.swizzle);
  if (s.interleave) t.title += s.interleave == CU_TENSOR_MAP_INTERLEAVE_16B ? " interleave 16B" : " interleave 32B";
  if (s.fill) t.title += " fill NaN";
  auto const list = [&](char const* name, auto const* values, u32 count) {
    t.title += std::string(" ") + name + " ";
    for (u32 i = 0; i < count; ++i) t.title += (i ? "," : "") + std::to_string(values[i]);
  };
  list("extent", s.extent, s.rank);
  if (s.rank > 1) list("stride", s.stride, s.rank - 1);
  if (s.pixels) {
    t.title += " channels " + std::to_string(s.channels) + " pixels " + std::to_string(s.pixels);
    list("from", s.lower, s.rank - 2);
    list("to", s.upper, s.rank - 2);
  } else list("box", s.box, s.rank);
  bool steps = false;
  for (u32 i = 0; i < s.rank; ++i) steps |= s.step[i] != 1;
  if (steps) list("step", s.step, s.rank);
  for (u32 i = 0; i < s.rank; ++i) t.c.at[i] = i < at.size() ? at[i] : 0;
  list("at", t.c.at, s.rank);
  if (offset) t.title += " offset " + std::to_string(offset);
  return t;
}

/// A tensor whose rows have 144 bytes but for 3 elements, 160 bytes apart. `inner`: bytes of a row of the box.
inline shape usual(element e, u32 rank, u32 inner, CUtensorMapSwizzle swizzle) {
  shape s{.e = e, .rank = rank, .swizzle = swizzle};
  u64 const extent[] = {144 / e.size - 3, rank == 2 ? 20u : 7u, 5, 4, 3};
  u64 const stride[] = {160, 160 * extent[1] + 48, (160 * extent[1] + 48) * 5 + 16,
                        ((160 * extent[1] + 48) * 5 + 16) * 4 + 32};
  u32 const box[] = {inner / e.size, rank == 2 ? 24u : 5u, 3, 2, 2};
  for (u32 i = 0; i < rank; ++i) s.extent[i] = extent[i], s.box[i] = box[i];
  for (u32 i = 0; i + 1 < rank; ++i) s.stride[i] = stride[i];
  return s;
}

/// Coordinates inside the tensor, before it and beyond. In dimension 0 they are multiples of 16 bytes, as a GPU wants.
inline std::vector<std::vector<int>> places(shape const& s) {
  int const x = int(16 / s.e.size), y = int(s.extent[1]), z = int(s.extent[2]);
  return {{0, 0, 0, 0, 0},
          {x, 2, 1, 1, 1},
          {-x, -1, -1, -1, -1},
          {8 * x, y - 3, z - 2, 3, 2},
          {-2 * x, y - 1, 1, 0, -1},
          {9 * x, 0, 0, 0, 0},
          {0, y, 0, 0, 0},
          {-1024, -1000, 0, 0, 0},
          {1 << 20, 1 << 20, 1 << 20, 0, 0}};
}

/// In few dimensions some places are one.
inline std::vector<test> without_repetitions(std::vector<test> all) {
  std::set<std::string> titles;
  std::erase_if(all, [&](test const& t) { return !titles.insert(t.title).second; });
  return all;
}

/// A GPU rejects to store before the tensor.
inline bool is_possible_store(shape const& s, std::vector<int> const& at) {
  return std::none_of(at.begin(), at.begin() + s.rank, [](int x) { return x < 0; });
}

inline std::vector<test> all_tests() {
  std::vector<test> all;
  constexpr CUtensorMapSwizzle swizzles[] = {CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_SWIZZLE_32B,
                                             CU_TENSOR_MAP_SWIZZLE_64B, CU_TENSOR_MAP_SWIZZLE_128B};
  auto const span = [](CUtensorMapSwizzle w) { return w == CU_TENSOR_MAP_SWIZZLE_NONE ? 48u : 16u << w; };
  // Every swizzle, rank, place, and size of elements, to shared memory and back.
  for (kind what : {kind::load, kind::store})
    for (CUtensorMapSwizzle w : swizzles)
      for (u32 rank = 1; rank <= 5; ++rank)
        for (element e : {u8_, u16_, u32_, u64_}) {
          shape const s = usual(e, rank, span(w), w);
          auto const where = places(s);
          for (std::size_t i = 0; i < where.size(); ++i)
            if (what == kind::load || is_possible_store(s, where[i]))
              all.push_back(made(what, s, where[i], 0, e.size == 4 && rank == 2 && (i == 1 || (i == 3 && w == 3))));
        }
  // The pattern belongs to the address: places in shared memory that are no multiple of it, and rows shorter than it.
  for (kind what : {kind::load, kind::store})
    for (CUtensorMapSwizzle w : swizzles) {
      for (u32 offset : {128u, 256u, 384u, 512u, 640u, 768u, 896u, 1024u, 1152u})
        all.push_back(made(what, usual(u32_, 2, span(w), w), {4, 2}, offset, offset == 384));
      for (u32 inner : {16u, 32u, 48u, 64u, 80u, 96u, 112u, 128u})
        if (w == 0 || inner <= span(w))
          for (u32 offset : {0u, 384u}) {
            all.push_back(made(what, usual(u32_, 2, inner, w), {4, what == kind::load ? -1 : 3}, offset,
                               offset == 0 && what == kind::load));
            all.push_back(made(what, usual(u16_, 3, inner, w),
                               what == kind::load ? std::vector{-8, -1, 3} : std::vector{8, 5, 3}, offset));
          }
    }
  // Every type, both fills; what a load makes of special numbers.
  for (element e : elements)
    for (int fill = 0; fill <= int(e.is_float); ++fill) {
      shape s = usual(e, 2, 128, CU_TENSOR_MAP_SWIZZLE_NONE);
      s.fill = CUtensorMapFloatOOBfill(fill);
      all.push_back(made(kind::load, s, {0, 0}, 0, true));
      int const x = int(16 / e.size);
      all.push_back(made(kind::load, s, {-x, -1}, 0, true));
      all.push_back(made(kind::load, s, {8 * x, 17}, 0));
      all.push_back(made(kind::store, s, {0, 0}, 0, true));
      all.push_back(made(kind::store, s, {8 * x, 17}, 0));
    }
  // Reductions, of the types that each has.
  auto const reduce = [&](kind what, std::initializer_list<element> of) {
    for (element e : of)
      for (u32 rank = 1; rank <= 5; ++rank)
        for (CUtensorMapSwizzle w : {CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_SWIZZLE_128B}) {
          shape const s = usual(e, rank, w ? 128 : 48, w);
          all.push_back(made(what, s, {0, 0, 0, 0, 0}, 0, rank == 2 && w == 0));
          all.push_back(made(what, s, {128 / int(e.size), 3, 3, 3, 2}, 0));
        }
  };
  reduce(kind::add, {u32_, s32_, u64_, f16_, bf16_, f32_, f64_, f32_ftz, tf32_, tf32_ftz});
  reduce(kind::min, {u32_, s32_, u64_, s64_, f16_, bf16_});
  reduce(kind::max, {u32_, s32_, u64_, s64_, f16_, bf16_});
  reduce(kind::inc, {u32_});
  reduce(kind::dec, {u32_});
  for (kind what : {kind::bit_and, kind::bit_or, kind::bit_xor}) reduce(what, {u32_, s32_, u64_});
  // Steps.
  for (u32 step : {2u, 3u, 8u})
    for (u32 rank = 2; rank <= 5; ++rank)
      for (CUtensorMapSwizzle w : {CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_SWIZZLE_64B})
        for (u32 dimension = 0; dimension < rank; ++dimension) {
          shape s = usual(u16_, rank, 64, w);
          s.step[dimension] = step;
          all.push_back(made(kind::load, s, {0, 0, 0, 0, 0}, 0, rank == 2));
          all.push_back(made(kind::load, s, {-8, -1, -1, -1, -1}));
          all.push_back(made(kind::load, s, {48, 4, 3, 2, 1}));
        }
  // The other spellings.
  for (kind what : {kind::load_cta, kind::load_hint, kind::store_hint, kind::prefetch})
    for (u32 rank = 1; rank <= 5; ++rank)
      all.push_back(made(what, usual(u32_, rank, 64, CU_TENSOR_MAP_SWIZZLE_64B),
                         {4, what == kind::store_hint ? 3 : -1, 1, 1, 1}));
  for (place map_in : {place::global, place::constant})
    for (kind what : {kind::load, kind::store, kind::bit_xor}) {
      test t = made(what, usual(u32_, 2, 64, CU_TENSOR_MAP_SWIZZLE_64B), {4, 3});
      t.map_in = map_in, t.title += map_in == place::global ? " map in global memory" : " map in constant memory";
      all.push_back(t);
    }
  return without_repetitions(std::move(all));
}

/// Images of 16 channels of 2 bytes: 7 pixels wide, 5 high, 4 deep, as many as the rank has; 3 of them. `border`: of
/// pixels that a filter takes at each side, with `taps` offsets in each dimension.
inline shape images(u32 rank, element e, u32 channels, int border, int taps, u32 step, CUtensorMapSwizzle swizzle) {
  shape s{.e = e, .rank = rank, .swizzle = swizzle, .channels = channels, .pixels = 24};
  u64 const extent[] = {48 / e.size, 7, 5, 4};
  u64 stride = 48;
  for (u32 d = 0; d < rank; ++d) {
    s.extent[d] = d + 1 == rank ? 3 : extent[d];
    s.stride[d] = stride;
    stride *= d + 1 < rank - 1 ? extent[d + 1] : 1;
    if (d >= 1 && d + 1 < rank) s.lower[d - 1] = -border, s.upper[d - 1] = border - (taps - 1), s.step[d] = step;
  }
  return s;
}

/// Im2col mode. All in a process of their own, since a GPU may reject them.
inline std::vector<test> im2col_tests() {
  std::vector<test> all;
  auto const add = [&](kind what, shape const& s, std::vector<int> const& at, std::vector<int> const& pixel,
                       bool shows = false) {
    test t = made(what, s, at, 0, shows);
    for (std::size_t i = 0; i < pixel.size(); ++i) t.c.pixel[i] = static_cast<unsigned short>(pixel[i]);
    if (what == kind::im2col) {
      t.title += " offsets";
      for (u32 i = 0; i + 2 < s.rank; ++i) t.title += " " + std::to_string(t.c.pixel[i]);
    }
    all.push_back(t);
  };
  for (u32 rank = 3; rank <= 5; ++rank)
    for (CUtensorMapSwizzle w : {CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_SWIZZLE_32B, CU_TENSOR_MAP_SWIZZLE_128B})
      for (u32 step : {1u, 2u})
        for (int border : {0, 1}) {
          shape const s = images(rank, u16_, 16, border, 3, step, w);
          for (int pixel : {0, 1, 2}) {
            std::vector<int> at(rank, -border);
            at[0] = 0, at[rank - 1] = 0;
            add(kind::im2col, s, at, {pixel, 2 - pixel, 1}, rank == 4 && w == 0 && pixel == 1);
            at[0] = 8, at[1] += 2, at[rank - 1] = 1;
            add(kind::im2col, s, at, {pixel, 0, pixel});
            at[rank - 1] = 2;
            add(kind::im2col, s, at, {0, pixel, 2});
          }
        }
  for (element e : {u8_, u32_, f16_, tf32_})
    for (int fill = 0; fill <= int(e.is_float); ++fill) {
      shape s = images(4, e, 32 / e.size, 1, 3, 1, CU_TENSOR_MAP_SWIZZLE_NONE);
      s.fill = CUtensorMapFloatOOBfill(fill);
      add(kind::im2col, s, {0, -1, -1, 0}, {0, 0}, true);
      add(kind::im2col, s, {0, 2, 1, 2}, {2, 2});
    }
  for (u32 rank = 3; rank <= 5; ++rank)
    for (u32 step : {1u, 2u}) {
      shape const s = images(rank, u32_, 8, 0, 1, step, CU_TENSOR_MAP_SWIZZLE_NONE);
      for (kind what : {kind::im2col_store, kind::im2col_add}) {
        add(what, s, {0, 0, 0, 0, 0}, {}, rank == 4);
        add(what, s, {4, 3, 1, 1, 1}, {});
      }
    }
  // Places outside of the bounding box, and larger offsets.
  shape const s = images(4, u16_, 16, 1, 3, 1, CU_TENSOR_MAP_SWIZZLE_NONE);
  add(kind::im2col, s, {0, -2, -1, 0}, {0, 0}, true);
  add(kind::im2col, s, {0, 6, 0, 0}, {0, 0}, true);
  add(kind::im2col, s, {0, 0, 5, 0}, {0, 0}, true);
  add(kind::im2col, s, {0, 0, 0, -1}, {0, 0}, true);
  add(kind::im2col, s, {0, 0, 0, 3}, {0, 0}, true);
  add(kind::im2col, s, {-8, 0, 0, 0}, {0, 0}, true);
  add(kind::im2col, s, {16, 0, 0, 0}, {0, 0}, true);
  add(kind::im2col, s, {0, 0, 0, 0}, {5, 9}, true);
  add(kind::im2col, s, {0, 0, 0, 0}, {255, 255}, true);
  add(kind::im2col, s, {0, 0, 0, 0}, {256, 0}, true);
  add(kind::im2col, s, {1, 0, 0, 0}, {0, 0});
  // A map of the other mode.
  test other = made(kind::load, s, {0, 0, 0, 0});
  other.title += " by .tile";
  all.push_back(other);
  other = made(kind::im2col, usual(u32_, 4, 48, CU_TENSOR_MAP_SWIZZLE_NONE), {0, 0, 0, 0});
  other.title += " by .im2col";
  all.push_back(other);
  return without_repetitions(std::move(all));
}

/// An interleaved tensor: its elements are slices of 16 or 32 bytes, whatever the type, 17 in a row. Before the last
/// dimension are the slices of a pixel, of which a box has one.
inline shape sliced(element e, u32 rank, CUtensorMapInterleave slice, u32 count, CUtensorMapSwizzle swizzle) {
  shape s{.e = e, .rank = rank, .interleave = slice, .swizzle = swizzle};
  u64 const extent[] = {17, 7, 5, 3, 2}, stride[] = {576, 4064, 20384, 61184};
  u32 const box[] = {count, 4, 3, 2, 2};
  for (u32 i = 0; i < rank; ++i) s.extent[i] = extent[i], s.box[i] = i + 2 == rank ? 1 : box[i];
  for (u32 i = 0; i + 1 < rank; ++i) s.stride[i] = stride[i];
  return s;
}

/// Inside, and beyond each side of the tensor in each dimension.
inline std::vector<std::vector<int>> places_of_slices(shape const& s) {
  std::vector<std::vector<int>> all{{0, 0, 0, 0, 0}};
  std::vector<int> inside(5, 1);
  inside[s.rank - 1] = 0;
  all.push_back(inside);
  for (u32 d = 0; d < s.rank; ++d)
    for (int x : {-1, int(s.extent[d]) - 1, int(s.extent[d])}) {
      all.push_back(inside);
      all.back()[d] = x;
    }
  all.push_back({-3, -1, -1, -1, -1});
  all.back()[s.rank - 2] = 1;
  return all;
}

/// Interleaved images, for im2col mode: 17 pixels wide, 7 and 5 in the other dimensions, 24 of which are copied.
inline shape sliced_images(u32 rank, CUtensorMapInterleave slice, int border, int taps, u32 step,
                           CUtensorMapSwizzle swizzle) {
  shape s = sliced(u32_, rank, slice, 8, swizzle);
  s.channels = slice == CU_TENSOR_MAP_INTERLEAVE_16B ? 4 : 8; // of a slice
  s.pixels = 24;
  for (u32 d = 0; d + 2 < rank; ++d) s.lower[d] = -border, s.upper[d] = border - (taps - 1), s.step[d] = step;
  return s;
}

/// Interleaved tensors. All in a process of their own, since a GPU may reject them.
inline std::vector<test> interleaved_tests() {
  std::vector<test> all;
  constexpr CUtensorMapInterleave slices[] = {CU_TENSOR_MAP_INTERLEAVE_16B, CU_TENSOR_MAP_INTERLEAVE_32B};
  constexpr CUtensorMapSwizzle swizzles[] = {CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_SWIZZLE_32B,
                                             CU_TENSOR_MAP_SWIZZLE_64B, CU_TENSOR_MAP_SWIZZLE_128B};
  auto const at = [](std::initializer_list<int> first) {
    std::vector<int> made(first);
    made.resize(5, 0);
    return made;
  };
  for (kind what : {kind::load, kind::store})
    for (CUtensorMapInterleave slice : slices)
      for (u32 rank = 3; rank <= 5; ++rank)
        for (CUtensorMapSwizzle w : swizzles)
          for (element e : {u16_, u64_}) {
            if (e.size == 8 && w != CU_TENSOR_MAP_SWIZZLE_64B) continue;
            shape const s = sliced(e, rank, slice, e.size == 2 ? 8 : 6, w);
            auto const where = places_of_slices(s);
            for (std::size_t i = 0; i < where.size(); ++i)
              if (what == kind::load || is_possible_store(s, where[i]))
                all.push_back(made(what, s, where[i], 0, e.size == 2 && rank == 4 && i == 1));
          }
  // Rows of 32 bytes and more, and places in shared memory that are no multiple of the pattern.
  for (kind what : {kind::load, kind::store})
    for (CUtensorMapInterleave slice : slices)
      for (CUtensorMapSwizzle w : swizzles)
        for (u32 count : {2u, 4u, 6u, 10u})
          for (u32 offset : {0u, 384u})
            all.push_back(made(what, sliced(u64_, 3, slice, count, w), at({1, 2, 1}), offset,
                               count == 2 && offset == 0 && what == kind::load));
  // Every type, both fills.
  for (CUtensorMapInterleave slice : slices)
    for (element e : elements)
      for (int fill = 0; fill <= int(e.is_float); ++fill) {
        shape s = sliced(e, 3, slice, 16 / e.size, CU_TENSOR_MAP_SWIZZLE_32B);
        s.fill = CUtensorMapFloatOOBfill(fill);
        all.push_back(made(kind::load, s, at({-1, 1, -1}), 0, true));
        all.push_back(made(kind::store, s, at({16, 6, 3}), 0));
      }
  for (CUtensorMapInterleave slice : slices)
    for (u32 rank = 3; rank <= 5; ++rank) {
      for (element e : {u32_, f16_, f32_})
        all.push_back(made(kind::add, sliced(e, rank, slice, 8, CU_TENSOR_MAP_SWIZZLE_NONE), at({2, 1, 1})));
      all.push_back(made(kind::bit_xor, sliced(u64_, rank, slice, 8, CU_TENSOR_MAP_SWIZZLE_32B), at({12, 4})));
      // Steps, and a box of several slices of a pixel, of which the copy has one.
      for (u32 step : {2u, 3u, 8u})
        for (u32 dimension = 0; dimension < rank; ++dimension) {
          shape s = sliced(u16_, rank, slice, 8, CU_TENSOR_MAP_SWIZZLE_64B);
          s.step[dimension] = step;
          all.push_back(made(kind::load, s, at({0, 1}), 0, rank == 3));
          all.push_back(made(kind::load, s, at({-1, 0, 1})));
        }
      shape s = sliced(u16_, rank, slice, 8, CU_TENSOR_MAP_SWIZZLE_NONE);
      s.box[rank - 2] = 2;
      all.push_back(made(kind::load, s, at({1, 1, 1})));
      all.push_back(made(kind::store, s, at({1, 1, 1})));
      all.push_back(made(kind::prefetch, s, at({-1, 1, 1})));
      // Im2col mode: pixels of one slice, and offsets.
      auto const add = [&](kind what, shape const& images, std::vector<int> const& where, u32 pixel) {
        test t = made(what, images, where, 0, rank == 4 && pixel == 1);
        t.c.pixel[0] = t.c.pixel[1] = static_cast<unsigned short>(pixel);
        if (what == kind::im2col) t.title += " offsets " + std::to_string(pixel);
        all.push_back(t);
      };
      for (CUtensorMapSwizzle w : swizzles)
        for (u32 dilation : {1u, 2u})
          for (int border : {0, 1})
            for (u32 pixel : {0u, 1u, 2u}) {
              shape const images = sliced_images(rank, slice, border, 3, dilation, w);
              add(kind::im2col, images, at({-border}), pixel);
              std::vector<int> inside(5, 1);
              inside[rank - 1] = 0;
              add(kind::im2col, images, inside, pixel);
            }
      for (kind what : {kind::im2col_store, kind::im2col_add})
        for (u32 dilation : {1u, 2u})
          add(what, sliced_images(rank, slice, 0, 1, dilation, CU_TENSOR_MAP_SWIZZLE_32B), at({3, 1}), 0);
      shape images = sliced_images(rank, slice, 0, 1, 1, CU_TENSOR_MAP_SWIZZLE_NONE);
      images.channels = 32; // a pixel has one slice, whatever this says
      add(kind::im2col, images, at({1, 1, 1}), 0);
    }
  // What a GPU may reject.
  for (int x : {-1, -2})
    all.push_back(
        made(kind::store, sliced(u16_, 3, CU_TENSOR_MAP_INTERLEAVE_16B, 8, CU_TENSOR_MAP_SWIZZLE_NONE), at({x})));
  for (kind what : {kind::store, kind::add})
    for (u32 d = 0; d < 3; ++d) {
      shape s = sliced(u32_, 3, CU_TENSOR_MAP_INTERLEAVE_16B, 8, CU_TENSOR_MAP_SWIZZLE_NONE);
      s.step[d] = 2;
      all.push_back(made(what, s, at({1, 1, 1})));
    }
  all.push_back(
      made(kind::store, sliced(u16_, 3, CU_TENSOR_MAP_INTERLEAVE_16B, 8, CU_TENSOR_MAP_SWIZZLE_NONE), at({0, -1})));
  all.push_back(
      made(kind::prefetch, sliced(u16_, 3, CU_TENSOR_MAP_INTERLEAVE_16B, 8, CU_TENSOR_MAP_SWIZZLE_NONE), at({-1, -1})));
  shape images = sliced_images(4, CU_TENSOR_MAP_INTERLEAVE_16B, 1, 3, 1, CU_TENSOR_MAP_SWIZZLE_NONE);
  for (std::vector<int> const& where : {at({-2}), at({16}), at({0, 6}), at({0, 0, 7}), at({0, 0, -1})})
    all.push_back(made(kind::im2col, images, where));
  all.push_back(made(kind::im2col_store, images, at({0, 0, 0})));
  return without_repetitions(std::move(all));
}

/// Copies that may fail on a GPU: each in a process of its own.
inline std::vector<test> dubious_tests() {
  std::vector<test> all;
  // Coordinates in dimension 0 that are no multiple of 16 bytes.
  for (element e : {u8_, u16_, u32_, u64_})
    for (u32 rank : {1u, 2u})
      for (int x : {1, -1, 4, 8})
        if (x % int(16 / e.size))
          all.push_back(made(kind::load, usual(e, rank, 48, CU_TENSOR_MAP_SWIZZLE_NONE), {x, 1}));
  for (int x : {1, -1, 2, -2}) {
    all.push_back(made(kind::load, usual(u32_, 2, 128, CU_TENSOR_MAP_SWIZZLE_128B), {x, 1}));
    all.push_back(made(kind::store, usual(u32_, 2, 48, CU_TENSOR_MAP_SWIZZLE_NONE), {x, 1}));
  }
  // Stores and sums before the tensor.
  for (kind what : {kind::store, kind::add, kind::prefetch}) {
    all.push_back(made(what, usual(u32_, 1, 48, CU_TENSOR_MAP_SWIZZLE_NONE), {-4}));
    all.push_back(made(what, usual(u32_, 2, 48, CU_TENSOR_MAP_SWIZZLE_NONE), {-4, 0}));
    all.push_back(made(what, usual(u32_, 2, 48, CU_TENSOR_MAP_SWIZZLE_NONE), {0, -1}));
    all.push_back(made(what, usual(u32_, 3, 48, CU_TENSOR_MAP_SWIZZLE_NONE), {0, 0, -1}));
    all.push_back(made(what, usual(u32_, 2, 48, CU_TENSOR_MAP_SWIZZLE_NONE), {-1024, 0}));
  }
  all.push_back(made(kind::prefetch, usual(u32_, 2, 48, CU_TENSOR_MAP_SWIZZLE_NONE), {1, 0}));
  // Stores and sums with steps.
  for (u32 dimension = 0; dimension < 2; ++dimension)
    for (kind what : {kind::store, kind::add}) {
      shape s = usual(u32_, 2, 64, CU_TENSOR_MAP_SWIZZLE_NONE);
      s.step[dimension] = 2;
      all.push_back(made(what, s, {0, 0}, 0, true));
      all.push_back(made(what, s, {4, 1}, 0, true));
    }
  // Operations on types that have none.
  for (element e : {u8_, u16_, s64_})
    all.push_back(made(kind::add, usual(e, 2, 48, CU_TENSOR_MAP_SWIZZLE_NONE), {0, 0}));
  for (element e : {u8_, f32_, f64_, tf32_})
    all.push_back(made(kind::min, usual(e, 2, 48, CU_TENSOR_MAP_SWIZZLE_NONE), {0, 0}));
  for (element e : {s32_, u64_}) all.push_back(made(kind::inc, usual(e, 2, 48, CU_TENSOR_MAP_SWIZZLE_NONE), {0, 0}));
  for (element e : {u16_, s64_, f16_, f32_})
    all.push_back(made(kind::bit_and, usual(e, 2, 48, CU_TENSOR_MAP_SWIZZLE_NONE), {0, 0}));
  // Places in shared memory.
  for (CUtensorMapSwizzle w : {CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_SWIZZLE_128B})
    for (u32 offset : {16u, 64u})
      for (kind what : {kind::load, kind::store}) all.push_back(made(what, usual(u32_, 2, 32, w), {0, 0}, offset));
  all.push_back(made(kind::load, usual(u32_, 2, 32, CU_TENSOR_MAP_SWIZZLE_NONE), {0, 0}, 8));
  // Fewer and more bytes expected than the box has.
  test few = made(kind::load, usual(u32_, 2, 32, CU_TENSOR_MAP_SWIZZLE_NONE), {-4, -1});
  few.c.bytes -= 16, few.title += " expecting 16 bytes less";
  all.push_back(few);
  few.c.bytes += 32, few.title += ", now more";
  all.push_back(few);
  // Swizzled rows that are shorter than the pattern: the bytes between them are not told.
  few = made(kind::load, usual(u32_, 2, 32, CU_TENSOR_MAP_SWIZZLE_128B), {0, 0});
  few.c.bytes *= 4, few.title += " expecting the bytes between the rows, too";
  all.push_back(few);
  // A map of another rank.
  for (u32 rank : {1u, 3u}) {
    test other = made(kind::load, usual(u32_, 2, 32, CU_TENSOR_MAP_SWIZZLE_NONE), {0, 0});
    other.c.rank = rank, other.title += " by an instruction of rank " + std::to_string(rank);
    all.push_back(other);
  }
  return all;
}

} // namespace tensor
