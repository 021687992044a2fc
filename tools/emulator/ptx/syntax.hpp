// SPDX-License-Identifier: Apache-2.0
//
// syntax: a PTX module as it is written.  [PTX ISA, "Syntax", "Directives"]
// The parser creates these structures, the printer prints them, and the decoder (machine/decoder.hpp) reads them. They
// have no knowledge of what an instruction does: an instruction is a name, modifiers and operands. Text is stored as
// views into the module's text, which the module owns. A function's body is parsed on request (parse.hpp), because a
// program calls few of its kernels.
#pragma once

#include <cstdint>
#include <deque>
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
  int source_file = 0; ///< the number of a .file directive; 0: unknown
  int source_line = 0;
  source_location const* inlined_at = nullptr; ///< the call by which the source line was inlined; null: it was not
  bool is_merged = false; ///< the compiler merged instructions of several lines or calls, and marked this with a 0
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
scalar scalar_named(std::string_view); ///< f32 for "f32"; none if there is no such type
std::string_view name_of(scalar);      ///< "f32"

enum class space : std::uint8_t { none, reg, global, constant, shared, local, param };
std::string_view name_of(space); ///< "const" for constant

/// A declared variable, parameter or range of registers.
struct variable {
  space where = space::none;
  scalar type = scalar::none;
  std::string_view name;
  int alignment = 0;                    ///< in bytes, as written; 0: the alignment of the type
  int vector = 1;                       ///< .v2, .v4
  std::vector<std::int64_t> dimensions; ///< of an array; -1: []
  int count = 0;                        ///< 5 for `%r<5>`; 0: one register
  std::string_view linkage;             ///< ".visible", ".weak", ".extern", ".common" or nothing
  std::string_view attributes;          ///< for example .ptr .global .align 8, as written
  std::string_view initializer;         ///< as written, without `=`; empty if there is none
  source_location at;
};

enum class operand_kind : std::uint8_t {
  reg,     ///< %r1; `name`
  special, ///< %tid.x, %clock64, WARP_SZ; `name`
  integer, ///< `bits`
  real,    ///< `bits`, of a double, or of a float if `is_single`
  symbol,  ///< a variable, function, label or prototype; `name`; `bits` an offset from it, as in `mov.u64 a, table+8`
  address, ///< [base + offset]: `name` is a register, symbol or nothing; `bits` the offset; `parts` what follows it
           ///< within the brackets, which only textures and tensors have
  vector,  ///< {a, b}; `parts`
  pair,    ///< p|q; `parts`
  list,    ///< (a, b) of a call; `parts`
  sink,    ///< _
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
  std::string_view guard; ///< the predicate of @p and @!p; empty if there is none
  bool guard_negated = false;
  std::string_view name;                   ///< "atom"
  std::vector<std::string_view> modifiers; ///< "acq_rel", "gpu", "global", "add", "u32": as written, without dots
  std::vector<operand> operands;
  source_location at;
};

/// The kinds of statements in a body. Nested braces are statements, too; the decoder opens a scope of names at each.
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
  location, ///< .loc: kept for the printer; the statements after it have its location
};

struct statement {
  statement_kind kind;
  ptx::instruction instruction; ///< instruction
  std::string_view name;  ///< label; the label of .branchtargets and similar directives; the text of a pragma or .loc
  ptx::variable variable; ///< declaration
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
  std::vector<statement> body;       ///< filled by parse_body()
  std::deque<source_location> calls; ///< that were inlined: what source_location::inlined_at refers to
  bool body_parsed = false;
};

/// An entry of one of a module's lists.
struct item {
  enum class kind : std::uint8_t { variable, function, directive } what;
  int index;
};

struct module {
  std::string name; ///< of the file or image, for error messages
  std::unique_ptr<std::string const> text;
  std::string_view version; ///< "8.8"
  std::string_view target;  ///< "sm_90a"; with further options as written
  int address_size = 64;
  std::vector<std::string_view> files; ///< by number; [0] is empty
  std::vector<variable> variables;
  std::vector<std::unique_ptr<function>> functions; ///< declarations and definitions, in order
  std::vector<directive> directives;                ///< .file, .section with its contents, .alias, .pragma
  std::vector<item> order;                          ///< as written, for the printer
  /// The functions by name: the definition if there is one, otherwise the first declaration. Also aliases.
  std::unordered_map<std::string_view, function*> names;

  function* find(std::string_view name); ///< the definition if there is one, otherwise a declaration, otherwise null
  int sm() const;                        ///< 90 for "sm_90a"
};

} // namespace emulator::ptx
