// SPDX-License-Identifier: Apache-2.0
//
// decoder: from one instruction as it is written to operations.
// Each instruction of PTX is a file of the layer above, which defines its name, how it decodes and how it runs
// (definition). Modifiers are a set: a definition takes those that it knows, in any order. A modifier or operand that
// no definition took is rejected, never skipped.
#pragma once

#include "../ptx/syntax.hpp"
#include "operation.hpp"

#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace emulator {

struct function_decoder; // function_decoder.cpp: names, slots and labels of the function that is being decoded

struct memory_operand {
  slot base;           ///< of the address
  std::int64_t offset; ///< to be added
};

class decoder {
public:
  ptx::instruction const& instruction;

  // --- modifiers ---
  bool take(std::string_view modifier); ///< whether it was there
  /// The one of these that was there, or nothing. Rejects two.
  std::string_view take_one_of(std::initializer_list<std::string_view> modifiers);
  /// The type that was there, none where there was none. With several (cvt, setp.dtype.stype), one after the other.
  ptx::scalar take_type();
  /// The same. Rejects a type that is not one of `allowed`.
  ptx::scalar take_type(std::initializer_list<ptx::scalar> allowed);

  // --- operands ---
  std::size_t operands() const { return instruction.operands.size(); }
  ptx::operand const& operand(std::size_t index) const; ///< rejects an instruction with fewer
  slot destination(std::size_t index);                  ///< a register; `_` gives a slot that is never read
  slot source(std::size_t index,
              ptx::scalar type); ///< register, constant (converted to type), special register, address of a symbol
  slot destination(ptx::operand const&); ///< the same for a part of a vector or pair
  slot source(ptx::operand const&, ptx::scalar type);
  memory_operand address(std::size_t index); ///< [register + offset], [symbol + offset], [constant]
  /// [map, {c0, c1, ...}]: the map's address. The slots of the coordinates go to `coordinates`, which says how many.
  memory_operand tensor_address(std::size_t index, std::span<slot> coordinates);
  /// The constant that an operand must be.
  std::int64_t constant(std::size_t index);
  slot slot_of(std::uint64_t constant); ///< a slot that holds it
  slot scratch(int slots = 1);          ///< slots for operations that belong together
  slot carry();                         ///< the condition code of add.cc and its kin: one slot per function
  /// The declared type of a register; none for other operands. For instructions that extend their result to the
  /// register's width.
  ptx::scalar declared(ptx::operand const&) const;

  // --- the guard ---
  struct guard {
    slot predicate;
    bool negated;
  };
  /// The guard, for an instruction that tests it itself. Otherwise an operation before the first one emitted skips all
  /// of them where the guard is false.
  std::optional<guard> take_guard();

  // --- output ---
  operation& emit(handler run, slot d = 0, slot a = 0, slot b = 0, slot c = 0);
  /// Memory that lives as long as the program, for operation::pointer.
  template <class T>
  T* keep(T value) {
    T* const kept = new T(std::move(value));
    keep_alive(std::shared_ptr<void>(kept, [](void* p) { delete static_cast<T*>(p); }));
    return kept;
  }
  /// The operation's pointer becomes the address of the operation at the label.
  void jumps_to(operation&, ptx::operand const& label);
  function_decoder& function() { return function_; }

  int sm() const; ///< of the module's target: 90 for sm_90a
  /// Ends decoding: "NAME:LINE: kernel: instruction: what".
  [[noreturn]] void reject(std::string const& what) const;

  decoder(function_decoder&, ptx::instruction const&);
  void finish(); ///< rejects modifiers and operands that were not taken

private:
  memory_operand base_of(ptx::operand const& address);
  void keep_alive(std::shared_ptr<void>);
  function_decoder& function_;
  std::vector<std::string_view> modifiers_; ///< not yet taken
  mutable std::vector<bool> used_;          ///< operands
  std::optional<guard> guard_;              ///< not yet taken
  std::size_t skip_ = no_skip;              ///< the operation that skips the others
  static constexpr std::size_t no_skip = ~std::size_t(0);
};

/// What a file of instructions/ defines, at namespace scope:
///   static definition const add("add", "integers and floats of PTX, .sat, .rn .rz .rm .rp, .ftz", decode);
struct definition {
  definition(std::string_view name, std::string_view forms, void (*decode)(decoder&));
  std::string_view name;
  std::string_view forms; ///< what is supported, for README.md
  void (*decode)(decoder&);
  definition const* next;
};
definition const* find_definition(std::string_view name); ///< null where there is none
definition const* first_definition();                     ///< the list, for README.md

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;
using u128 = unsigned __int128;

} // namespace emulator
