// SPDX-License-Identifier: Apache-2.0
//
// copy_form: what the options of a copy by the asynchronous proxy (abi.hpp) and the rank of a tile add to the text and
// to the operands of its instruction.  PTX ISA, "cp.async.bulk.tensor", "Tensor Traversal Modes", "Cache Eviction
// Priority Hints"
//
// A copy has one asm, whose text is composed of parts. Its operands are those of every form and have names: a text
// names those that its form has. The constraint of an operand that no text of the form names is "X", which takes a
// constant as it is: no instruction puts it into a register.
#pragma once

#include "../ptx.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_90 {

/// The constraint of an operand in a register of a kind, "r" for 32 bits, if the form has the operand.
constexpr text operand(bool present, char const* kind) { return text(present ? kind : "X"); }

/// Options: bits of abi.hpp.
template <u32 Options>
struct copy_form {
  static constexpr bool hinted = Options & copy_hinted;

  /// The qualifiers that the options add. PTX has them together, where the syntax of each copy names the first of them.
  static constexpr text qualifiers = text(hinted ? ".L2::cache_hint" : "");
  /// The operands that they add at the end.
  static constexpr text operands = text(hinted ? ", %[policy]" : "");
  static constexpr text policy = operand(hinted, "l");
};

/// The same for a copy of a tile of Rank dimensions.
template <u32 Rank, u32 Options>
struct tile_form : copy_form<Options> {
  static constexpr bool im2col = Options & copy_im2col;
  static_assert(Rank >= (im2col ? 3 : 1) && Rank <= 5);

  static constexpr char const* pick(char const* const (&of_rank)[5]) { return of_rank[Rank - 1]; }

  static constexpr char const* dim = pick({".1d", ".2d", ".3d", ".4d", ".5d"});
  static constexpr char const* at = pick(
      {"{%[x]}", "{%[x], %[y]}", "{%[x], %[y], %[z]}", "{%[x], %[y], %[z], %[u]}", "{%[x], %[y], %[z], %[u], %[v]}"});
  static constexpr text coordinate(u32 dimension) { return operand(dimension < Rank, "r"); }
};

/// Of a copy that reads the tensor.
template <u32 Rank, u32 Options>
struct reading_form : tile_form<Rank, Options> {
  using base = tile_form<Rank, Options>;
  static constexpr char const* mode = base::im2col ? ".im2col" : ".tile";
  static constexpr char const* offsets =
      base::im2col ? base::pick({"", "", ", {%[i]}", ", {%[i], %[j]}", ", {%[i], %[j], %[k]}"}) : "";
  static constexpr text offset(u32 dimension) { return operand(base::im2col && dimension + 2 < Rank, "h"); }
};

/// Of a copy that writes the tensor: each pixel is in its place.
template <u32 Rank, u32 Options>
struct writing_form : tile_form<Rank, Options> {
  static constexpr char const* mode = tile_form<Rank, Options>::im2col ? ".im2col_no_offs" : ".tile";
  static constexpr text offset(u32) { return operand(false, "h"); }
};

// clang-format off
/// The operands that options add, and those of a tile. A copy of the form `form` has them after its own.
#define CUDAX_OPTION_OPERANDS(form, operands) [policy] (form::policy)(operands.policy)
#define CUDAX_TILE_OPERANDS(form, tile, operands)                                                                      \
  [map] "l"(tile.map), [x] (form::coordinate(0))(tile.at[0]), [y] (form::coordinate(1))(tile.at[1]),                   \
  [z] (form::coordinate(2))(tile.at[2]), [u] (form::coordinate(3))(tile.at[3]), [v] (form::coordinate(4))(tile.at[4]), \
  [i] (form::offset(0))(operands.offsets[0]), [j] (form::offset(1))(operands.offsets[1]),                              \
  [k] (form::offset(2))(operands.offsets[2]), CUDAX_OPTION_OPERANDS(form, operands)
// clang-format on

} // namespace cudax::arch::sm_90

#pragma clang force_cuda_host_device end
