// SPDX-License-Identifier: Apache-2.0
//
// The printed text: one spelling for each construct, and the same text after it is parsed and printed again.
#include "modules.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using namespace emulator_test;

/// Prints a module, and checks that parsing and printing the text again does not change it.
std::string printed(std::string const& text) {
  std::string const once = print(*module_of(text));
  BOOST_TEST(print(*emulator::ptx::parse(once, "printed")) == once);
  return once.substr(once.find("\n\n") + 2); // without the header
}

std::string printed_instruction(std::string const& text) {
  kernel const k(text);
  return print(*k.module, k.instruction());
}

} // namespace

BOOST_AUTO_TEST_SUITE(printing)

BOOST_AUTO_TEST_CASE(the_header_is_printed_first) {
  BOOST_TEST(print(*emulator::ptx::parse("/* */ .version 8.8 .target sm_90a, debug\n.address_size 64", "x")) ==
             ".version 8.8\n.target sm_90a, debug\n.address_size 64\n\n");
}

BOOST_AUTO_TEST_CASE(the_order_in_a_module_is_kept) {
  char const* const text = ".file 1 \"a.cu\"\n"
                           ".global .align 4 .u32 x = 3;\n"
                           ".extern .func (.param .b32 r) vprintf(\n\t.param .b64 a,\n\t.param .b64 b\n);\n"
                           ".weak .global .attribute(.managed) .align 8 .v2 .b64 v[3] = {{1, 2}};\n"
                           ".func f();\n"
                           ".alias f, vprintf;\n"
                           ".pragma \"nounroll\";\n"
                           ".visible .entry k(\n\t.param .u64 .ptr .align 1 p\n)\n.maxntid 128, 1, 1\n{\n\tret;\n}\n"
                           ".section .debug_str { s: .b8 65, 0 }\n";
  BOOST_TEST(printed(text) == text);
}

BOOST_AUTO_TEST_CASE(a_body_is_printed_with_one_statement_per_line) {
  BOOST_TEST(printed(".entry k { .reg .b32 a, %r<4>; L: { .param .b64 p; call (p), f, (p); } @!q bra.uni L;\n"
                     "t: .branchtargets L, M; c: .calltargets f; r: .callprototype (.param .b32 _) _ (.param .b64 _) "
                     ".noreturn; s: .callprototype _ (); .loc 1 2 3, function_name x, inlined_at 1 2 3\n"
                     ".pragma \"nounroll\"; ret; }") ==
             ".entry k()\n"
             "{\n"
             "\t.reg .b32 a;\n"
             "\t.reg .b32 %r<4>;\n"
             "L:\n"
             "\t{\n"
             "\t\t.param .b64 p;\n"
             "\t\tcall (p), f, (p);\n"
             "\t}\n"
             "\t@!q bra.uni L;\n"
             "\tt: .branchtargets L, M;\n"
             "\tc: .calltargets f;\n"
             "\tr: .callprototype (.param .b32 _) _ (.param .b64 _) .noreturn;\n"
             "\ts: .callprototype _ ();\n"
             "\t.loc 1 2 3, function_name x, inlined_at 1 2 3\n"
             "\t.pragma \"nounroll\";\n"
             "\tret;\n"
             "}\n");
}

BOOST_AUTO_TEST_CASE(numbers_have_one_spelling) {
  BOOST_TEST(printed_instruction("x 0x10, 017, -1, 5U, 0xFFFFFFFFFFFFFFFF, 1.0, 0f3F800000, -0f3F800000, (1<<4)|3;") ==
             "x 16, 15, -1, 5U, 18446744073709551615U, 0d3FF0000000000000, 0f3F800000, 0fBF800000, 19");
}

BOOST_AUTO_TEST_CASE(operands_of_every_kind_are_printed) {
  BOOST_TEST(printed_instruction("@ ! %p1 x.a.b::c  {%r1,_} , %p1|_, !%p2, [%rd1+ -8], [ x + 4 ], [16], x+8, %tid.x, "
                                 "[m, {1, %r2}], WARP_SZ;") ==
             "@!%p1 x.a.b::c {%r1, _}, %p1|_, !%p2, [%rd1+-8], [x+4], [16], x+8, %tid.x, [m, {1, %r2}], WARP_SZ");
  BOOST_TEST(printed_instruction("call.uni (a),f,(b,c);") == "call.uni (a), f, (b, c)");
  BOOST_TEST(printed_instruction("ret;") == "ret");
}

BOOST_AUTO_TEST_SUITE_END()
