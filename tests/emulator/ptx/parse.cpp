// SPDX-License-Identifier: Apache-2.0
//
// What the front end reads from PTX, in particular unusual spellings, and its errors for text that it does not know.
#include "modules.hpp"

#include "../../../tools/emulator/ptx/source_lines.hpp"

#include <boost/test/unit_test.hpp>

#include <bit>

namespace {

using namespace emulator_test;
using emulator::ptx::operand_kind;
using emulator::ptx::scalar;
using emulator::ptx::space;
using emulator::ptx::statement_kind;
using strings = std::vector<std::string_view>;

bool contains(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }
bool begins(std::string const& text, std::string const& part) { return text.starts_with(part); }

} // namespace

BOOST_AUTO_TEST_SUITE(parsing)

// --- the top level ---

BOOST_AUTO_TEST_CASE(the_header_of_a_module_is_kept) {
  auto const m = module_of("");
  BOOST_TEST(m->version == "8.8");
  BOOST_TEST(m->target == "sm_90a");
  BOOST_TEST(m->sm() == 90);
  BOOST_TEST(m->address_size == 64);
  BOOST_TEST(emulator::ptx::parse(".version 8.7 .target sm_100a, debug", "x")->sm() == 100);
}

BOOST_AUTO_TEST_CASE(an_image_padded_with_zeros_is_a_module) {
  BOOST_TEST(emulator::ptx::parse(head + std::string(5, '\0'), "x")->version == "8.8");
}

BOOST_AUTO_TEST_CASE(comments_of_both_kinds_count_lines_and_hide_braces) {
  auto const m = module_of("// } one\n/* { \n } */ .entry k() { // }\n /* } */ ret; }\n.entry l() { ret; }");
  BOOST_REQUIRE(m->find("k"));
  BOOST_TEST(m->find("k")->at.line == 6);
  BOOST_REQUIRE(m->find("l"));
  BOOST_TEST(m->find("l")->at.line == 8);
}

BOOST_AUTO_TEST_CASE(quotes_hide_braces_and_comments) {
  auto const m = module_of(".entry k() { .pragma \"} // \\\" }\"; ret; }\n.entry l() { ret; }");
  BOOST_REQUIRE(m->find("k"));
  parse_body(*m, *m->find("k"));
  BOOST_TEST(m->find("k")->body.size() == 2u);
  BOOST_TEST(m->find("l"));
}

BOOST_AUTO_TEST_CASE(variables_have_space_type_alignment_and_linkage) {
  auto const m = module_of(".visible .global .align 16 .v4 .f32 a[3][2];\n"
                           ".extern .shared .align 8 .b8 dynamic[];\n"
                           ".weak .const .u64 c = generic(a)+8;\n"
                           ".common .global .s16 s;\n"
                           ".global .attribute(.managed) .b128 one, two = 3;");
  BOOST_REQUIRE(m->variables.size() == 6u);
  auto const& a = m->variables[0];
  BOOST_TEST(a.name == "a");
  BOOST_TEST(a.linkage == ".visible");
  BOOST_TEST((a.where == space::global && a.type == scalar::f32));
  BOOST_TEST(a.alignment == 16);
  BOOST_TEST(a.vector == 4);
  BOOST_TEST((a.dimensions == std::vector<std::int64_t>{3, 2}));
  auto const& dynamic = m->variables[1];
  BOOST_TEST(dynamic.linkage == ".extern");
  BOOST_TEST((dynamic.where == space::shared && dynamic.dimensions == std::vector<std::int64_t>{-1}));
  auto const& c = m->variables[2];
  BOOST_TEST(c.linkage == ".weak");
  BOOST_TEST((c.where == space::constant));
  BOOST_TEST(c.initializer == "generic(a)+8");
  BOOST_TEST(m->variables[3].linkage == ".common");
  BOOST_TEST(m->variables[4].attributes == ".attribute(.managed)");
  BOOST_TEST((m->variables[5].type == scalar::b128));
  BOOST_TEST(m->variables[5].name == "two");
  BOOST_TEST(m->variables[5].initializer == "3");
  BOOST_TEST(m->variables[5].at.line == 8);
}

BOOST_AUTO_TEST_CASE(an_array_without_a_size_has_that_of_its_initializer) {
  auto const m = module_of(".global .u32 a[] = {1, 2 /* , */, 3}; .global .u64 b[][2] = {{1, 2}, {generic(a)}};");
  BOOST_TEST(m->variables.at(0).dimensions.at(0) == 3);
  BOOST_TEST(m->variables.at(1).dimensions.at(0) == 2);
}

BOOST_AUTO_TEST_CASE(functions_have_parameters_returns_and_directives) {
  auto const m = module_of(".extern .func (.param .b32 func_retval0) vprintf (.param .b64 a, .param .b64 b)\n;\n"
                           ".func (.reg .u32 r) f(.reg .u32 x) { ret; }\n"
                           ".weak .func stop() .noreturn { trap; }\n"
                           ".visible .entry k(.param .u64 .ptr .global .align 8 p, .param .align 4 .b8 s[64])\n"
                           ".maxntid 128, 1, 1 .minnctapersm 2\n{ ret; }\n"
                           ".entry bare { ret; }");
  auto const& vprintf = *m->find("vprintf");
  BOOST_TEST(!vprintf.has_body);
  BOOST_TEST(vprintf.linkage == ".extern");
  BOOST_TEST(vprintf.returns.size() == 1u);
  BOOST_TEST(vprintf.parameters.size() == 2u);
  BOOST_TEST((m->find("f")->parameters.at(0).where == space::reg));
  BOOST_TEST(m->find("stop")->directives.at(0).name == "noreturn");
  auto const& k = *m->find("k");
  BOOST_TEST(k.is_entry);
  BOOST_TEST(k.parameters.at(0).attributes == ".ptr .global .align 8");
  BOOST_TEST(k.parameters.at(0).alignment == 0);
  BOOST_TEST(k.parameters.at(1).alignment == 4);
  BOOST_TEST(k.parameters.at(1).dimensions.at(0) == 64);
  BOOST_TEST(k.directives.at(0).text == "128, 1, 1");
  BOOST_TEST(k.directives.at(1).name == "minnctapersm");
  BOOST_TEST(m->find("bare")->parameters.empty());
}

BOOST_AUTO_TEST_CASE(lookup_finds_definitions_in_any_order_and_aliases) {
  auto const m = module_of(".func f();\n.func g();\n.func f() { ret; }\n.func f();\n.alias g, f;");
  BOOST_TEST(m->functions.size() == 4u);
  BOOST_TEST(m->find("f")->has_body);
  BOOST_TEST(m->find("g") == m->find("f"));
  BOOST_TEST(m->find("h") == nullptr);
}

BOOST_AUTO_TEST_CASE(files_and_sections_are_kept) {
  auto const m = module_of(".file 2 \"/tmp/a \\\" b.cu\", 12, 13\n.section .debug_str\n{\ninfo: .b8 65, 0 // }\n}\n");
  BOOST_REQUIRE(m->files.size() == 3u);
  BOOST_TEST(m->files[1] == "");
  BOOST_TEST(m->files[2] == "/tmp/a \\\" b.cu");
  BOOST_TEST(m->directives.at(1).name == "section");
  BOOST_TEST(m->directives.at(1).text == ".debug_str\n{\ninfo: .b8 65, 0 // }\n}");
}

// --- bodies ---

BOOST_AUTO_TEST_CASE(a_body_is_parsed_on_first_use) {
  auto const m = module_of(".entry k() {\n what is this\n}");
  BOOST_TEST(!m->find("k")->body_parsed);
  BOOST_TEST(m->find("k")->body_text == "\n what is this\n");
  BOOST_CHECK_THROW(parse_body(*m, *m->find("k")), emulator::ptx::rejected);
}

BOOST_AUTO_TEST_CASE(modifiers_are_kept_in_the_order_they_are_written_in) {
  kernel const k("atom.add.release.gpu.global.u32 %r1, [%rd1], 1;");
  BOOST_TEST(k.instruction().name == "atom");
  BOOST_TEST((k.instruction().modifiers == strings{"add", "release", "gpu", "global", "u32"}));
}

BOOST_AUTO_TEST_CASE(modifiers_may_hold_colons_and_digits_and_be_separated) {
  kernel const k("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::128B.3d .x2 [%r1], [%rd1], 16, "
                 "[%r2];");
  BOOST_TEST((k.instruction().modifiers == strings{"async", "bulk", "shared::cluster", "global",
                                                   "mbarrier::complete_tx::bytes", "L2::128B", "3d", "x2"}));
  BOOST_TEST(k.instruction().operands.size() == 4u);
}

BOOST_AUTO_TEST_CASE(guards_may_be_negated_and_contain_spaces) {
  kernel const k("@%p1 bra L; @!%p2 bra L; @ ! p3 bra L; bra L; L: ret;");
  BOOST_TEST(k.instruction(0).guard == "%p1");
  BOOST_TEST(!k.instruction(0).guard_negated);
  BOOST_TEST(k.instruction(1).guard == "%p2");
  BOOST_TEST(k.instruction(1).guard_negated);
  BOOST_TEST(k.instruction(2).guard == "p3");
  BOOST_TEST(k.instruction(2).guard_negated);
  BOOST_TEST(k.instruction(3).guard.empty());
}

BOOST_AUTO_TEST_CASE(integers_may_have_any_base) {
  kernel const k("x 42, 0x2A, 0X2aU, 052, 0b101010, -42, +42, 0, 42U, 18446744073709551615, -9223372036854775808;");
  std::uint64_t const expected[] = {42, 42, 42, 42, 42, std::uint64_t(-42), 42, 0, 42, ~0ull, 1ull << 63};
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    BOOST_TEST_CONTEXT("operand " << i) {
      BOOST_TEST((k.operand(i).kind == operand_kind::integer));
      BOOST_TEST(k.operand(i).bits == expected[i]);
    }
  }
  BOOST_TEST(!k.operand(1).is_unsigned);
  BOOST_TEST(k.operand(2).is_unsigned);
  BOOST_TEST(k.operand(9).is_unsigned);
  BOOST_TEST(!k.operand(10).is_unsigned);
}

BOOST_AUTO_TEST_CASE(floats_may_be_bits_or_decimal) {
  kernel const k("x 0f3f800000, 0FBF800000, 0d3FF0000000000000, 1.5, -1.5, 1e3, 2.5E-1, 1.;");
  BOOST_TEST((k.operand(0).kind == operand_kind::real && k.operand(0).is_single));
  BOOST_TEST(k.operand(0).bits == 0x3f800000u);
  BOOST_TEST(k.operand(1).bits == 0xbf800000u);
  BOOST_TEST(!k.operand(2).is_single);
  double const expected[] = {1.0, 1.5, -1.5, 1000.0, 0.25, 1.0};
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    BOOST_TEST_CONTEXT("operand " << i + 2) {
      BOOST_TEST((k.operand(i + 2).kind == operand_kind::real && !k.operand(i + 2).is_single));
      BOOST_TEST(std::bit_cast<double>(k.operand(i + 2).bits) == expected[i]);
    }
  }
}

BOOST_AUTO_TEST_CASE(constant_expressions_follow_c) {
  kernel const k("x 1+2*3, (1+2)*3, 7-2-1, 1<<4|3, ~5, !5, !0, 5?2:3, 0?2:1?7:8, -7/2, 7%-4, 1U-2>0, 1-2>0, -8>>1, "
                 "WARP_SZ-1, 2*WARP_SZ, (.u64)3, 3&&0, 3||0, 6^3, 5==5, 5!=5, (.s64)2.5, 1<2, 2<=1, 0x80>=0x80;");
  std::int64_t const expected[] = {7, 9, 4, 19, -6, 0, 1, 2, 7, -3, 3, 1, 0, -4, 31, 64, 3, 0, 1, 5, 1, 0, 2, 1, 0, 1};
  BOOST_REQUIRE(k.instruction().operands.size() == std::size(expected));
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    BOOST_TEST_CONTEXT("operand " << i) {
      BOOST_TEST((k.operand(i).kind == operand_kind::integer));
      BOOST_TEST(std::int64_t(k.operand(i).bits) == expected[i]);
    }
  }
}

BOOST_AUTO_TEST_CASE(names_are_registers_special_registers_or_symbols) {
  kernel const k(
      ".reg .b32 a, r<3>; .reg .v4 .f32 v; .shared .b32 s;\n"
      "x %r1, %rd12, %tid.x, %clock64, %envreg31, %pm0_64, %clock65, WARP_SZ, a, r2, r3, s, elsewhere, v.y, _, "
      "%laneid, %lane, %SP, %ptr;");
  auto const& operands = k.instruction(4).operands;
  using enum operand_kind;
  operand_kind const expected[] = {reg,    reg,    special, special, special, special, reg, special, reg, reg,
                                   symbol, symbol, symbol,  reg,     sink,    special, reg, reg,     reg};
  BOOST_REQUIRE(operands.size() == std::size(expected));
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    BOOST_TEST_CONTEXT("operand " << i << ": " << operands[i].name) { BOOST_TEST((operands[i].kind == expected[i])); }
  }
  BOOST_TEST(operands[2].name == "%tid.x");
  BOOST_TEST(operands[13].name == "v.y");
}

BOOST_AUTO_TEST_CASE(a_name_in_braces_hides_the_outer_one_inside_them) {
  kernel const k(".shared .b32 a; x a; { .reg .b32 a; x a; { x a; } } x a;");
  std::vector<bool> registers;
  for (auto const& s : k.function.body) {
    if (s.kind == statement_kind::instruction) registers.push_back(s.instruction.operands[0].kind == operand_kind::reg);
  }
  BOOST_TEST((registers == std::vector{false, true, true, false}));
}

BOOST_AUTO_TEST_CASE(parameters_in_registers_are_registers) {
  auto const m = module_of(".func (.reg .u32 r) f(.reg .u32 x) { mov.u32 r, x; ret; }");
  parse_body(*m, *m->find("f"));
  for (auto const& operand : m->find("f")->body.at(0).instruction.operands) {
    BOOST_TEST((operand.kind == operand_kind::reg));
  }
}

BOOST_AUTO_TEST_CASE(addresses_have_a_base_and_an_offset) {
  kernel const k("x [%rd1], [%rd1+8], [%rd1+-8], [ table + 4*2 ], [4096], [%rd1+4+4], [map, {%r1, 2}, %rd2];");
  std::string_view const names[] = {"%rd1", "%rd1", "%rd1", "table", "", "%rd1", "map"};
  std::int64_t const offsets[] = {0, 8, -8, 8, 4096, 8, 0};
  for (std::size_t i = 0; i < std::size(names); ++i) {
    BOOST_TEST_CONTEXT("operand " << i) {
      BOOST_TEST((k.operand(i).kind == operand_kind::address));
      BOOST_TEST(k.operand(i).name == names[i]);
      BOOST_TEST(std::int64_t(k.operand(i).bits) == offsets[i]);
      BOOST_TEST(k.operand(i).parts.size() == (i == 6 ? 2u : 0u));
    }
  }
}

BOOST_AUTO_TEST_CASE(vectors_pairs_and_negations_are_operands) {
  kernel const k("x {%r1, _, 5}, %p1|%p2, _ | %p2, !%p3, table+8, ! p;");
  BOOST_TEST((k.operand(0).kind == operand_kind::vector));
  BOOST_REQUIRE(k.operand(0).parts.size() == 3u);
  BOOST_TEST((k.operand(0).parts[1].kind == operand_kind::sink));
  BOOST_TEST(k.operand(0).parts[2].bits == 5u);
  BOOST_TEST((k.operand(1).kind == operand_kind::pair));
  BOOST_TEST(k.operand(1).parts.at(0).name == "%p1");
  BOOST_TEST(k.operand(1).parts.at(1).name == "%p2");
  BOOST_TEST((k.operand(2).parts.at(0).kind == operand_kind::sink));
  BOOST_TEST(k.operand(3).negated);
  BOOST_TEST((k.operand(3).kind == operand_kind::reg));
  BOOST_TEST((k.operand(4).kind == operand_kind::symbol));
  BOOST_TEST(k.operand(4).bits == 8u);
  BOOST_TEST(k.operand(5).negated);
}

BOOST_AUTO_TEST_CASE(calls_have_lists_prototypes_and_targets) {
  kernel const k("call.uni (r), f, (a, b);\ncall g;\n"
                 "proto : .callprototype (.param .b32 _) _ (.param .align 8 .b8 _[16]) .noreturn;\n"
                 "call (r), %rd1, (a), proto;\n"
                 "list: .calltargets f, g;\nlabels: .branchtargets\n L1,\n L2;\nbrx.idx %r1, labels;\nL1: L2: ret;");
  auto const& call = k.instruction(0);
  BOOST_REQUIRE(call.operands.size() == 3u);
  BOOST_TEST((call.operands[0].kind == operand_kind::list));
  BOOST_TEST((call.operands[1].kind == operand_kind::symbol));
  BOOST_TEST(call.operands[2].parts.size() == 2u);
  BOOST_TEST(k.instruction(1).operands.size() == 1u);
  auto const& prototype = k.statement(2);
  BOOST_TEST((prototype.kind == statement_kind::call_prototype));
  BOOST_TEST(prototype.name == "proto");
  BOOST_TEST(prototype.returns.size() == 1u);
  BOOST_TEST(prototype.parameters.at(0).dimensions.at(0) == 16);
  BOOST_TEST(prototype.no_return);
  BOOST_TEST((k.instruction(3).operands.at(1).kind == operand_kind::reg));
  BOOST_TEST((k.statement(4).kind == statement_kind::call_targets));
  BOOST_TEST((k.statement(5).kind == statement_kind::branch_targets));
  BOOST_TEST((k.statement(5).targets == strings{"L1", "L2"}));
  BOOST_TEST((k.statement(7).kind == statement_kind::label && k.statement(8).kind == statement_kind::label));
}

BOOST_AUTO_TEST_CASE(braces_labels_pragmas_and_several_names_are_statements) {
  kernel const k("{ .reg .pred p, q<4>; L: bra L; }\n.pragma \"nounroll\";");
  statement_kind const expected[] = {statement_kind::open,  statement_kind::declaration, statement_kind::declaration,
                                     statement_kind::label, statement_kind::instruction, statement_kind::close,
                                     statement_kind::pragma};
  BOOST_REQUIRE(k.function.body.size() == std::size(expected));
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    BOOST_TEST_CONTEXT("statement " << i) { BOOST_TEST((k.statement(i).kind == expected[i])); }
  }
  BOOST_TEST(k.statement(2).variable.count == 4);
  BOOST_TEST(k.statement(6).name == "\"nounroll\"");
}

BOOST_AUTO_TEST_CASE(instructions_have_their_ptx_and_source_lines) {
  kernel const k("ret;\n.loc 1 7 3\nret;\n.loc 2 9 0, function_name info+4, inlined_at 1 7 3 // a.cu\nret;");
  BOOST_TEST(k.instruction(0).at.line == 5);
  BOOST_TEST(k.instruction(0).at.source_line == 0);
  BOOST_TEST(k.instruction(2).at.line == 7);
  BOOST_TEST(k.instruction(2).at.source_file == 1);
  BOOST_TEST(k.instruction(2).at.source_line == 7);
  BOOST_TEST((k.statement(3).kind == statement_kind::location));
  BOOST_TEST(k.statement(3).name == "2 9 0, function_name info+4, inlined_at 1 7 3");
  BOOST_TEST(k.instruction(4).at.source_file == 2);
  BOOST_TEST(k.instruction(4).at.source_line == 9);
}

BOOST_AUTO_TEST_CASE(source_lines_have_the_calls_by_which_they_were_inlined) {
  // As nvcc writes it: each call has a .loc of its own, which names the next one. The calls of line 9 are two.
  auto const m = module_of(".entry k() {\n.loc 1 17 3\n.loc 2 5 1, function_name n, inlined_at 1 17 3\n"
                           ".loc 3 9 1, function_name n, inlined_at 2 5 1\nret;\n"
                           ".loc 1 18 3\n.loc 2 5 1, function_name n, inlined_at 1 18 3\n"
                           ".loc 3 9 1, function_name n, inlined_at 2 5 1\nret;\n"
                           ".loc 3 9 1, function_name n, inlined_at 1 20 3\nret;\n.loc 1 21 3\nret;\n}\n"
                           ".file 1 \"a.cu\"\n.file 2 \"b.hpp\"\n.file 3 \"c.hpp\"\n");
  auto& k = *m->find("k");
  parse_body(*m, k);
  std::vector<std::string> lines;
  for (auto const& s : k.body)
    if (s.kind == statement_kind::instruction) lines.push_back(source_with_callers(*m, s.instruction.at));
  BOOST_REQUIRE(lines.size() == 4u);
  BOOST_TEST(lines[0] == "c.hpp:9, inlined at b.hpp:5, inlined at a.cu:17");
  BOOST_TEST(lines[1] == "c.hpp:9, inlined at b.hpp:5, inlined at a.cu:18");
  BOOST_TEST(lines[2] == "c.hpp:9, inlined at a.cu:20");
  BOOST_TEST(lines[3] == "a.cu:21");
}

// --- errors ---

BOOST_AUTO_TEST_CASE(an_error_names_the_ptx_and_the_source_line) {
  BOOST_TEST(begins(body_rejection("ret;\n\nadd.s32 %r1 %r2;"), "test.ptx:7: k: expected `;`"));
  auto const m = module_of(".file 1 \"a.cu\"\n.entry k() { ret; }");
  emulator::ptx::rejected const error(*m, {.line = 3, .source_file = 1, .source_line = 12}, "no such thing");
  BOOST_TEST(error.what() == "test.ptx:3: no such thing [a.cu:12]");
}

BOOST_AUTO_TEST_CASE(unknown_constructs_are_rejected) {
  std::pair<char const*, char const*> const cases[] = {
      {".nonsense 3", "test.ptx:4: the directive `.nonsense` is not known"},
      {"nonsense", "test.ptx:4: expected a directive, which begins with a dot, before `nonsense`"},
      {".global .texref t;", "no textures"},
      {".global .nonsense t;", "`.nonsense` is not known in a declaration"},
      {".global .b32 .u32 t;", "two types: .b32 and .u32"},
      {".global t;", "a declaration without a type"},
      {".global .align 3 .b32 t;", "an alignment of 3"},
      {".global .b32 t", "expected `;`, the end of a declaration, before the end of the text"},
      {".global .b32 t<4>;", "a range of names"},
      {".reg .b32 r;", "`.reg` outside of functions"},
      {".const[2] .b32 c;", "banks of constant memory"},
      {".visible .extern .global .b32 t;", "two kinds of linkage"},
      {".visible .pragma \"x\";", "`.pragma` cannot have a linkage"},
      {".entry k() .nonsense { ret; }", "`.nonsense` is not known after the header of a function"},
      {".entry k()\n{ ret;\n", "test.ptx:6: the `{` of line 5 is never closed"},
      {".entry k() { ret; }\n.entry k() { ret; }", "test.ptx:5: `k` is defined a second time; first in line 4"},
      {".alias a, b;", "`a` is an alias of `b`, which is not declared"},
      {".address_size 32", ".address_size 32; the emulator knows 64 only"},
      {"/* never", "this comment is never closed"},
      {".file 1 \"never", "this text in quotes is never closed"},
      {".entry k(.global .u64 p) { ret; }", "expected `.param` or `.reg`"},
  };
  for (auto const& [text, expected] : cases) {
    BOOST_TEST_CONTEXT(text) {
      std::string const said = module_rejection(text);
      BOOST_TEST(begins(said, "test.ptx:"));
      BOOST_TEST(contains(said, expected), "said: " << said);
    }
  }
  BOOST_TEST(contains(rejection([] { emulator::ptx::parse("", "x"); }), "x:1: no .version; is this PTX?"));
  BOOST_TEST(contains(rejection([] { emulator::ptx::parse(".version 8.8", "x"); }), "no .target"));
}

BOOST_AUTO_TEST_CASE(statements_that_are_not_ptx_are_rejected) {
  std::pair<char const*, char const*> const cases[] = {
      {"ret", "expected `;`, the end of an instruction, before the end of the body"},
      {"add %r1,;", "expected a constant before `;`"},
      {"add. %r1;", "expected a word after this dot"},
      {";", "expected a statement before `;`"},
      {"x [%rd1-8];", "an offset below zero is written `+-8`"},
      {"x [%rd1;", "expected `]`, the end of an address, before `;`"},
      {"x {%r1, %r2;", "never closed"},
      {"x !;", "expected a constant before `;`"},
      {"x 08;", "expected a number before `08`"},
      {"x 0x;", "expected a number before"},
      {"x 12ab;", "expected a number before `12ab`"},
      {"x 99999999999999999999;", "this number needs more than 64 bits"},
      {"x 0f3f8;", "expected 8 hexadecimal digits after `0f`"},
      {"x 1/0;", "a division by zero"},
      {"x (1;", "expected `)`, the end of an expression in parentheses"},
      {"x ~1.0;", "`~` needs an integer"},
      {"x 1.0 << 2;", "this operator needs integers"},
      {".nonsense 4;", "the directive `.nonsense` is not known in a function"},
      {".loc 1 2", "expected a number before the end of the body"},
      {".loc 1 2 3, nonsense", "expected `function_name` or `inlined_at` before `nonsense`"},
      {"@p;", "expected an instruction before `;`"},
      {".reg .b32 %r<x>;", "expected a number before `x`"},
      {"#define X", "expected a statement before `#`"},
  };
  for (auto const& [text, expected] : cases) {
    BOOST_TEST_CONTEXT(text) {
      std::string const said = body_rejection(text);
      BOOST_TEST(begins(said, "test.ptx:"));
      BOOST_TEST(contains(said, expected), "said: " << said);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
