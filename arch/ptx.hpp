// SPDX-License-Identifier: Apache-2.0
//
// ptx: the qualifiers of a memory instruction as template parameters, and its text composed from them.
//
// PTX spells a memory operation OPERATION{.sem}{.scope}{.space}REST. The families (sm_70/atom.hpp, red.hpp, ...) write
// OPERATION and REST once, and `text` puts the qualifiers between them while compiling: clang accepts a constant
// expression as an asm string. Every qualifier is explicit and no operation relies on PTX's defaults, so a bare `atom.`
// in the output is always a bug.
//
// Every asm is volatile with a "memory" clobber, a relaxed one too: it accesses memory in a way that the optimiser does
// not see otherwise, and plain accesses of the same thread to the same object must stay before or after it. Loads and
// stores of 1 to 8 bytes are no asm, but atomic accesses of LLVM IR with such a clobber (sm_70/ld_st.ll.in).
#pragma once

#include "abi.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch {
using namespace cudax::abi;

enum class sem { relaxed, acquire, release, acq_rel };
enum class scope { cta, cluster, gpu, sys };
enum class space { generic, global, shared };

constexpr char const* spelling(sem s) {
  switch (s) {
  case sem::relaxed: return ".relaxed";
  case sem::acquire: return ".acquire";
  case sem::release: return ".release";
  case sem::acq_rel: return ".acq_rel";
  }
}
constexpr char const* spelling(scope s) {
  switch (s) {
  case scope::cta: return ".cta";
  case scope::cluster: return ".cluster";
  case scope::gpu: return ".gpu";
  case scope::sys: return ".sys";
  }
}
constexpr char const* spelling(space s) {
  switch (s) {
  case space::generic: return "";
  case space::global: return ".global";
  case space::shared: return ".shared";
  }
}

/// The operations and the types of reductions: the integers of the boundary (abi.hpp). Additions and bitwise operations
/// have the unsigned types only.
enum class reduction : int { add, min, max, inc, dec, bit_and, bit_or, bit_xor };
enum class eviction : int { first, normal, last, unchanged }; // from the L2 cache
enum class element : int { u32, s32, u64, s64, f32, f64, f16, bf16 };

constexpr bool is_bitwise(reduction r) {
  return r == reduction::bit_and || r == reduction::bit_or || r == reduction::bit_xor;
}
constexpr unsigned size_of(element e) {
  switch (e) {
  case element::f16:
  case element::bf16: return 2;
  case element::u32:
  case element::s32:
  case element::f32: return 4;
  case element::u64:
  case element::s64:
  case element::f64: return 8;
  }
}
/// Return whether PTX has a bulk reduction of global memory, and one of the cluster's shared memory. red.async has the
/// operations of the latter.
constexpr bool reduces_global(reduction r, element e) {
  bool const is_signed = e == element::s32 || e == element::s64, is_half = size_of(e) == 2;
  if (r == reduction::add) return !is_signed;
  if (r == reduction::min || r == reduction::max) return e != element::f32 && e != element::f64;
  if (r == reduction::inc || r == reduction::dec) return e == element::u32;
  return !is_signed && !is_half && e != element::f32 && e != element::f64;
}
constexpr bool reduces_shared(reduction r, element e) {
  return e == element::u32 || (e == element::s32 && (r == reduction::min || r == reduction::max)) ||
         (e == element::u64 && r == reduction::add);
}

constexpr char const* spelling(reduction r) {
  switch (r) {
  case reduction::add: return ".add";
  case reduction::min: return ".min";
  case reduction::max: return ".max";
  case reduction::inc: return ".inc";
  case reduction::dec: return ".dec";
  case reduction::bit_and: return ".and";
  case reduction::bit_or: return ".or";
  case reduction::bit_xor: return ".xor";
  }
}
constexpr char const* spelling(eviction e) {
  switch (e) {
  case eviction::first: return ".L2::evict_first";
  case eviction::normal: return ".L2::evict_normal";
  case eviction::last: return ".L2::evict_last";
  case eviction::unchanged: return ".L2::evict_unchanged";
  }
}
template <reduction Op, element Type>
constexpr char const* spelling_of() {
  if constexpr (is_bitwise(Op)) return size_of(Type) == 8 ? ".b64" : ".b32";
  switch (Type) {
  case element::u32: return ".u32";
  case element::s32: return ".s32";
  case element::u64: return ".u64";
  case element::s64: return ".s64";
  case element::f32: return ".f32";
  case element::f64: return ".f64";
  case element::f16: return ".f16";
  case element::bf16: return ".bf16";
  }
}

/// The text of one instruction. clang reads an asm string through data() and size().
class text {
  char characters_[512] = {};
  unsigned long size_ = 0;

public:
  template <class... Part>
  constexpr explicit text(Part... part) {
    (append(part), ...);
  }
  constexpr char const* data() const { return characters_; }
  constexpr unsigned long size() const { return size_; }

private:
  constexpr void append(char const* part) {
    while (*part) characters_[size_++] = *part++;
  }
  constexpr void append(text const& part) { append(part.characters_); }
};

/// The address operand of an instruction for one state space, from a generic pointer that points into it.
inline u64 global_address(void const* pointer) { return (u64)(void const __attribute__((address_space(1)))*)pointer; }
inline u64 shared_address(void const* pointer) { return (u64)(void const __attribute__((address_space(3)))*)pointer; }

/// The address operand for `pointer`, a generic pointer that points into Space.
template <space Space>
u64 address_in(void const* pointer) {
  if constexpr (Space == space::global) return global_address(pointer);
  else if constexpr (Space == space::shared) return shared_address(pointer);
  else return (u64)pointer;
}

/// The order, scope and state space of one memory instruction.
template <sem Sem, scope Scope, space Space>
struct qualifiers {
  static constexpr sem order = Sem;
  static constexpr scope reach = Scope;
  static constexpr space where = Space;
  static constexpr bool acquires = Sem == sem::acquire || Sem == sem::acq_rel;

  /// The same scope and state space with another order.
  template <sem Other>
  using with = qualifiers<Other, Scope, Space>;

  /// The same order and scope, with the generic form.
  using generic = qualifiers<Sem, Scope, space::generic>;

  /// operation{.sem}{.scope}{.space}rest
  static constexpr text spell(char const* operation, char const* rest) {
    return text(operation, spelling(Sem), spelling(Scope), spelling(Space), rest);
  }

  static u64 address(void const* pointer) { return address_in<Space>(pointer); }
};

} // namespace cudax::arch

#pragma clang force_cuda_host_device end
