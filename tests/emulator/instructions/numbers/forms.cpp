// SPDX-License-Identifier: Apache-2.0
//
// Forms of computing instructions that are rejected at load: those that ptxas rejects, too, and those that the emulator
// lacks.
#include "../kernel.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

using namespace emulator_test;

namespace {

constexpr char const* rejected[] = {
    "add.f32x4 %r1, %r2, %r3;",
    "add.b32 %r1, %r2, %r3;",
    "add.sat.u32 %r1, %r2, %r3;",
    "add.ftz.f64 %d1, %d2, %d3;",
    "add.rz.f16 %h1, %h2, %h3;",
    "add.rn.rz.f32 %f1, %f2, %f3;",
    "add.u32 %r1, %r2;",
    "add.u32 %r1, %r2, %r3, %r4;",
    "addc.u16 %h1, %h2, %h3;",
    "mul.u32 %r1, %r2, %r3;",
    "mul.wide.u64 %rd1, %rd2, %rd3;",
    "mad.lo.sat.s32 %r1, %r2, %r3, %r4;",
    "fma.f32 %f1, %f2, %f3, %f4;",
    "fma.rz.f16 %h1, %h2, %h3, %h4;",
    "fma.rn.relu.f32 %f1, %f2, %f3, %f4;",
    "fma.rn.sat.relu.f16 %h1, %h2, %h3, %h4;",
    "div.f32 %f1, %f2, %f3;",
    "div.approx.f64 %d1, %d2, %d3;",
    "setp.lt.b32 %p1, %r1, %r2;",
    "setp.lo.s32 %p1, %r1, %r2;",
    "setp.ltu.u32 %p1, %r1, %r2;",
    "setp.u32 %p1, %r1, %r2;",
    "setp.lt.ftz.f64 %p1, %d1, %d2;",
    "setp.lt.and.u32 %p1, %r1, %r2;",
    "lop3.b32 %r1, %r2, %r3, %r4, 256;",
    "lop3.or.b32 %r1, %r2, %r3, %r4, 1, %p1;",
    "shf.l.b32 %r1, %r2, %r3, %r4;",
    "shl.u32 %r1, %r2, %r3;",
    "prmt.b32.f4e.b4e %r1, %r2, %r3, %r4;",
    "cvt.f32.s32 %f1, %r1;",
    "cvt.s32.f32 %r1, %f1;",
    "cvt.rn.s32.f32 %r1, %f1;",
    "cvt.f32.f64 %f1, %d1;",
    "cvt.rn.f64.f32 %d1, %f1;",
    "cvt.rn.f32.f32 %f1, %f1;",
    "cvt.rna.f32.f64 %f1, %d1;",
    "cvt.sat.u64.u32 %rd1, %r1;",
    "cvt.ftz.f64.f16 %d1, %h1;",
    "cvt.rn.e4m3x2.f32 %h1, %f1, %f2;",
    "cvt.rs.f16x2.f32 %r1, %f1, %f2, %r2;",
    "cvt.rn.f16x2.f32 %r1, %f1;",
    "min.relu.u32 %r1, %r2, %r3;",
    "min.xorsign.f32 %f1, %f2, %f3;",
    "min.ftz.bf16 %h1, %h2, %h3;",
    "sin.f32 %f1, %f2;",
    "rcp.f32 %f1, %f2;",
    "rcp.approx.f64 %d1, %d2;",
    "sqrt.approx.f64 %d1, %d2;",
    "tanh.approx.ftz.f32 %f1, %f2;",
    "mov.b32 {%r1, %r2}, %r3;",
    "mov.b64 {%h1, %h2, %h3}, %rd1;",
    "mov.b64 %rd1, {%r1};",
    "popc.u32 %r1, %r2;",
    "bfe.b32 %r1, %r2, %r3, %r4;",
    "testp.f32 %p1, %f1;",
    "vadd2.u32.u32 %r1, %r2, %r3, %r4;",
    "vadd2.u32.u32.u32 %r1, %r2, %r3;",
    "vadd2.u32.u32.u32.sat.add %r1, %r2, %r3, %r4;",
    "vadd2.u32.u32.u64 %r1, %r2, %r3, %r4;",
    "vadd2.u32.u32.u32 %r1.h01, %r2, %r3, %r4;",
    "vadd2.u32.u32.u32 %r1.h2, %r2, %r3, %r4;",
    "vadd2.u32.u32.u32 %r1, %r2.h40, %r3, %r4;",
    "vadd2.u32.u32.u32 %r1, %r2.b3210, %r3, %r4;",
    "vadd4.u32.u32.u32 %r1, %r2.b8000, %r3, %r4;",
    "vadd4.u32.u32.u32 %r1.b33, %r2, %r3, %r4;",
    "vset2.u32.u32 %r1, %r2, %r3, %r4;",
    "vset4.u32.u32.ltu %r1, %r2, %r3, %r4;",
    "vset4.u32.u32.u32.lt %r1, %r2, %r3, %r4;",
    "pmevent %r1;",
    "pmevent 16;",
};

} // namespace

BOOST_AUTO_TEST_SUITE(arithmetic_forms)

BOOST_DATA_TEST_CASE(unsupported_forms_are_rejected, boost::unit_test::data::make(rejected), text) {
  std::string const said = memory_rejection(text);
  BOOST_TEST(!said.empty(), text << " was accepted");
  BOOST_TEST(said.find("test.ptx:9: k") == 0, "the rejection names no line: " << said);
}

BOOST_AUTO_TEST_SUITE_END()
