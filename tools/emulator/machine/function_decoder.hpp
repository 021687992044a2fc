// SPDX-License-Identifier: Apache-2.0
//
// function_decoder: what the decoders of one function's instructions share: names, slots, labels, the layout of a
// frame. Two passes over the body: the first finds labels, since jumps go forward; the second decodes. A scope is a
// pair of braces; its names hide those outside, and siblings share local memory.
#pragma once

#include "decoder.hpp"
#include "loaded.hpp"

#include <optional>
#include <unordered_map>
#include <vector>

namespace emulator {

/// What a name stands for inside a function.
struct name {
  enum class kind { reg, registers, local, shared, parameter, label, targets, prototype } what;
  emulator::slot slot = 0; ///< reg; the first of registers; a called function's parameter
  int count = 0;           ///< of registers
  int width = 1;           ///< slots of one
  ptx::scalar type = ptx::scalar::none;
  std::uint64_t value = 0;   ///< local: offset; shared: number; parameter: index
  std::size_t statement = 0; ///< label, targets, prototype
};

struct function_decoder {
  emulator::program& program;
  program::storage& storage;
  loaded_function& loaded;
  ptx::function& source;
  function& code;

  function_decoder(emulator::program& p, program::storage& s, loaded_function& f, ptx::function& source)
    : program(p), storage(s), loaded(f), source(source), code(f.code) {}
  void decode(); ///< the whole function

  // --- names ---
  name const* find(std::string_view) const;
  /// A register: its slot and how many it takes; nothing where the name is none.
  struct reg {
    emulator::slot slot;
    int width;
    ptx::scalar type;
  };
  std::optional<reg> find_register(std::string_view) const;
  ptx::statement const& statement(std::size_t number) const { return source.body[number]; }
  /// The instruction directly before or after the one that is being decoded; null where something else is there.
  ptx::instruction const* previous_instruction() const { return neighbour(-1); }
  ptx::instruction const* next_instruction() const { return neighbour(1); }

  // --- slots ---
  slot allocate(int slots, std::uint64_t value = 0);
  slot constant(std::uint64_t);
  slot constant_pair(std::uint64_t low, std::uint64_t high); ///< of .b128
  slot special(std::uint32_t number);
  slot scratch(int slots); ///< for one instruction
  slot carry();            ///< the condition code
  /// The slot of an address that a frame's prologue makes.
  slot address_of(name const&, std::int64_t offset);
  /// The same for what is outside functions: a variable or function. Nothing where the name is unknown.
  std::optional<slot> address_of_symbol(std::string_view, std::int64_t offset);
  /// Local memory of the frame until the innermost scope ends.
  std::uint32_t allocate_local(std::uint64_t size, std::uint32_t alignment);
  /// The slot of an address in local memory.
  slot local_address(std::uint64_t offset) { return prologue(prologue_entry::kind::local, offset, 0); }

  // --- code ---
  operation& emit(handler, ptx::instruction const&);
  void jumps_to(operation&, std::string_view label);
  /// The operation at a label, once it is known.
  void resolve_later(operation const** where, std::string_view label);
  /// The first operation of a statement, once it is known.
  void resolve_later(operation const** where, std::size_t statement);
  void jumps_past(std::size_t operation); ///< its pointer becomes the operation that is emitted next

  /// A function that this one may call, null where the module has none of this name.
  loaded_function* calls(std::string_view name);

  [[noreturn]] void reject(ptx::source_location, std::string const& what) const;

private:
  struct scope {
    std::unordered_map<std::string_view, name> names;
    std::uint32_t local = 0; ///< how much of local memory is in use
    std::size_t number = 0;
  };
  struct jump {
    std::size_t from; ///< the operation whose pointer is to be set, where `where` is null
    operation const** where;
    std::size_t statement; ///< of the label, or
    std::size_t target;    ///< the operation
  };
  static constexpr std::size_t nowhere = ~std::size_t(0);

  void find_labels();
  void declare_parameters();
  void declare(ptx::variable const&);
  void declare_registers(ptx::variable const&);
  void add(std::string_view, name);
  void decode_instruction(ptx::instruction const&);
  void end();
  slot prologue(prologue_entry::kind, std::uint64_t value, std::int64_t extra);
  std::size_t label(std::string_view) const;
  ptx::instruction const* neighbour(int step) const;

  std::vector<scope> scopes_;
  std::size_t scopes_seen_ = 0;
  std::vector<std::unordered_map<std::string_view, name>> labels_; ///< of each scope, in the order in which they open
  std::unordered_map<std::uint64_t, slot> constants_;
  std::unordered_map<std::uint32_t, slot> specials_;
  std::optional<slot> carry_;
  std::vector<slot> scratch_[5]; ///< by their number of slots
  std::size_t scratch_used_[5]{};
  std::vector<std::size_t> first_operation_; ///< of each statement
  std::vector<jump> jumps_;
  ptx::source_location at_;
  std::size_t current_ = 0; ///< the statement that is being decoded
};

/// The bits of a constant operand as an operand of this type; rejects a literal that the type cannot have.
std::uint64_t convert_constant(decoder const&, ptx::operand const&, ptx::scalar type);

} // namespace emulator
