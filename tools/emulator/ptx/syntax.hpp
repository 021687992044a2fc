// SPDX-License-Identifier: Apache-2.0
//
// syntax: a PTX module as it is written.  [PTX ISA, "Syntax", "Directives"]
// What the parser makes, the printer prints and the decoder (machine/decode) reads. Nothing here knows what an instruction
// does: an instruction is a name, modifiers and operands. Text is kept as views into the module's text, which the module
// owns; a function's body is parsed when somebody asks for it (parse.hpp), because a program calls few of its kernels.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace emulator::ptx {

/// Where something stands: the line of the PTX text and, where the compiler said so (.loc), that of the source.
struct source_location {
  int line = 0;
  int source_file = 0; ///< number of a .file directive; 0: unknown
  int source_line = 0;
  bool is_merged = false; ///< by the compiler, of instructions of several lines or calls, as it says with a 0
};

enum class scalar : std::uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  bf16,
  bf16x2,
  f32,
  f64,
};
int size_of(scalar);                   ///< bytes; 0 for none and pred
scalar scalar_named(std::string_view); ///< f32 of "f32"; none where there is none of this name
std::string_view name_of(scalar);      ///< "f32"

enum class space : std::uint8_t { none, reg, global, constant, shared, local, param };
std::string_view name_of(space); ///< "const" of constant

/// A declared variable, parameter or range of registers.
struct variable {
  space where = space::none;
  scalar type = scalar::none;
  std::string_view name;
  int alignment = 0;                    ///< bytes, as written; 0: that of the type
  int vector = 1;                       ///< .v2, .v4
  std::vector<std::int64_t> dimensions; ///< of an array; -1: []
  int count = 0;                        ///< of `%r<5>`: 5; 0: one register
  std::string_view linkage;             ///< ".visible", ".weak", ".extern", ".common" or nothing
  std::string_view attributes;          ///< .ptr .global .align 8 and the like, as written
  std::string_view initializer;         ///< as written, without `=`; nothing where there is none
  source_location at;
};

enum class operand_kind : std::uint8_t {
  reg,     ///< %r1; `name`
  special, ///< %tid.x, %clock64, WARP_SZ; `name`
  integer, ///< `bits`
  real,    ///< `bits`, of a double, or of a float where `is_single`
  symbol,  ///< a variable, function, label or prototype; `name`; `bits` an offset from it, as in `mov.u64 a, table+8`
  address, ///< [base + offset]: `name` is a register, symbol or nothing; `bits` the offset; `parts` what follows it within
           ///< the brackets, which only textures and tensors have
  vector, ///< {a, b}; `parts`
  pair,   ///< p|q; `parts`
  list,   ///< (a, b) of a call; `parts`
  sink,   ///< _
};

struct operand {
  operand_kind kind = operand_kind::sink;
  bool negated = false;     ///< !p
  bool is_single = false;   ///< 0f3f800000
  bool is_unsigned = false; ///< 7U
  std::string_view name;
  std::uint64_t bits = 0;
  std::vector<operand> parts;
};

struct instruction {
  std::string_view guard; ///< the predicate of @p and @!p; nothing where there is none
  bool guard_negated = false;
  std::string_view name;                   ///< "atom"
  std::vector<std::string_view> modifiers; ///< "acq_rel", "gpu", "global", "add", "u32": as written, without dots
  std::vector<operand> operands;
  source_location at;
};

/// What a body consists of. Nested braces are statements, too; the decoder opens a scope of names at each.
enum class statement_kind : std::uint8_t {
  instruction,
  label,
  open,
  close,
  declaration,
  branch_targets,
  call_targets,
  call_prototype,
  pragma,
  location, ///< .loc: for the printer; the statements that follow it have its place
};

struct statement {
  statement_kind kind;
  ptx::instruction instruction; ///< instruction
  std::string_view name;        ///< label; the label of .branchtargets and its kin; the text of a pragma or .loc
  ptx::variable variable;       ///< declaration
  std::vector<std::string_view> targets; ///< .branchtargets, .calltargets
  std::vector<ptx::variable> returns;    ///< .callprototype
  std::vector<ptx::variable> parameters; ///< .callprototype
  bool no_return = false;                ///< .callprototype
  source_location at;
};

struct directive {
  std::string_view name; ///< "maxntid"
  std::string_view text; ///< "256, 1, 1"
};

struct function {
  bool is_entry = false;
  std::string_view linkage;
  std::string_view name;
  std::vector<variable> returns;
  std::vector<variable> parameters;
  std::vector<directive> directives; ///< .maxntid, .reqntid, .noreturn, ...
  bool has_body = false;
  std::string_view body_text; ///< between the outer braces
  source_location at;         ///< of the header
  int body_line = 0;
  std::vector<statement> body; ///< once parse_body() was there
  bool body_parsed = false;
};

/// An entry of one of a module's lists.
struct item {
  enum class kind : std::uint8_t { variable, function, directive } what;
  int index;
};

struct module {
  std::string name; ///< of the file or image, for reports
  std::unique_ptr<std::string const> text;
  std::string_view version; ///< "8.8"
  std::string_view target;  ///< "sm_90a"; further ones as written
  int address_size = 64;
  std::vector<std::string_view> files; ///< by number; [0] is nothing
  std::vector<variable> variables;
  std::vector<std::unique_ptr<function>> functions; ///< declarations and definitions, in order
  std::vector<directive> directives;                ///< .file, .section with all that it holds, .alias, .pragma
  std::vector<item> order;                          ///< as written, for the printer
  /// By name: of functions the definition where there is one, else the first declaration; aliases, too.
  std::unordered_map<std::string_view, function*> names;

  function* find(std::string_view name); ///< the definition where there is one, else a declaration, else null
  int sm() const;                        ///< 90 of "sm_90a"
};

} // namespace emulator::ptx
