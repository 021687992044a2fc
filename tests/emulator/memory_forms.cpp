// SPDX-License-Identifier: Apache-2.0
//
// Which spellings of memory instructions are accepted, and which are rejected, in agreement with ptxas 13.0 for
// sm_100a.
#include "memory.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

using namespace emulator_test;

namespace {

constexpr char const* known[] = {
    "ld.global.b16 %r1,[%rd1];",
    "ld.global.s8 %r1,[%rd1];",
    "ld.b128 %q1,[%rd1];",
    "ld.global.v8.b32 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8},[%rd1];",
    "ld.relaxed.gpu.v2.b32 {%r1,%r2},[%rd1];",
    "ld.gpu.relaxed.global.b32 %r1,[%rd1];",
    "ld.global.weak.b32 %r1,[%rd1];",
    "ld.mmio.relaxed.sys.global.b32 %r1,[%rd1];",
    "ld.global.nc.L1::no_allocate.L2::128B.b32 %r1,[%rd1];",
    "ld.global.L2::cache_hint.b32 %r1,[%rd1],%rd2;",
    "ld.weak.global.cv.b32 %r1,[%rd1];",
    "ld.global.acquire.cluster.b8 %r1,[%rd1];",
    "st.weak.b128 [%rd1],%q1;",
    "atom.global.add.noftz.f16 %h2,[%rd1],%h3;",
    "atom.add.noftz.global.f16 %h2,[%rd1],%h3;",
    "atom.global.v2.f32.add {%f2,%f3},[%rd1],{%f4,%f5};",
    "atom.global.v2.f16.min.noftz {%h1,%h2},[%rd1],{%h3,%h4};",
    "atom.v2.f32.add {%f2,%f3},[%rd1],{%f4,%f5};",
    "atom.shared.b128.cas %q1,[%rd1],%q2,%q3;",
    "fence.gpu;",
    "fence.cta.sc;",
    "fence.acquire.gpu;",
    "fence.acquire.sync_restrict::shared::cluster.cluster;",
    "fence.release.sync_restrict::shared::cta.cluster;",
    "fence.mbarrier_init.release.cluster;",
    "fence.proxy.async;",
    "fence.proxy.async.global;",
    "fence.proxy.async.shared::cta;",
    "fence.proxy.async.shared::cluster;",
    "fence.proxy.alias;",
    "fence.proxy.tensormap::generic.release.gpu;",
    "fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128;",
    "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;",
    "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster;",
    "membar.gl;",
    "membar.cta;",
    "membar.sys;",
    "membar.proxy.alias;",
    "cvta.shared::cta.u64 %rd1,%rd2;",
    "cvta.to.shared::cluster.u64 %rd1,%rd2;",
    "cvta.param.u64 %rd1,%rd2;",
    "cvta.to.local.u64 %rd1,%rd2;",
    "isspacep.param %p1,%rd1;",
    "isspacep.shared::cluster %p1,%rd1;",
    "mbarrier.init.b64 [%rd1], %r1;",
    "mbarrier.init.shared::cta.b64 [%rd1], 5;",
    "mbarrier.inval.b64 [%rd1];",
    "mbarrier.arrive.b64 %rd2,[%rd1];",
    "mbarrier.arrive.b64 _,[%rd1];",
    "mbarrier.arrive.shared.b64 %rd2,[%rd1],%r1;",
    "mbarrier.arrive.release.cluster.shared::cluster.b64 _,[%rd1],%r1;",
    "mbarrier.arrive.noComplete.b64 %rd2,[%rd1],%r1;",
    "mbarrier.arrive.release.cta.noComplete.shared.b64 %rd2,[%rd1],%r1;",
    "mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %rd2,[%rd1],%r1;",
    "mbarrier.arrive_drop.b64 %rd2,[%rd1],%r1;",
    "mbarrier.arrive_drop.expect_tx.shared.b64 %rd2,[%rd1],%r1;",
    "mbarrier.arrive_drop.noComplete.shared.b64 %rd2,[%rd1],%r1;",
    "mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [%rd1],%r1;",
    "mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%rd1],%r1;",
    "mbarrier.test_wait.b64 %p1,[%rd1],%rd2;",
    "mbarrier.test_wait.relaxed.cluster.shared::cta.b64 %p1,[%rd1],%rd2;",
    "mbarrier.test_wait.parity.acquire.cluster.shared::cta.b64 %p1,[%rd1],%r1;",
    "mbarrier.try_wait.shared.b64 %p1,[%rd1],%rd2,%r1;",
    "mbarrier.try_wait.parity.shared.b64 %p1,[%rd1],%r2,10;",
    "mbarrier.pending_count.b64 %r1,%rd1;",
    "cp.async.ca.shared.global [%rd1],[%rd2],4;",
    "cp.async.ca.shared::cta.global [%rd1],[%rd2],16,8;",
    "cp.async.ca.shared.global [%rd1],[%rd2],16,%r1;",
    "cp.async.ca.shared.global [%rd1],[%rd2],16,%p1;",
    "cp.async.cg.shared.global.L2::128B [%rd1],[%rd2],16;",
    "cp.async.cg.shared.global.L2::cache_hint [%rd1],[%rd2],16,%rd3;",
    "cp.async.cg.shared.global.L2::cache_hint [%rd1],[%rd2],16,%r1,%rd3;",
    "cp.async.commit_group;",
    "cp.async.wait_group 3;",
    "cp.async.wait_all;",
    "cp.async.mbarrier.arrive.b64 [%rd1];",
    "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%rd1];",
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%rd1],[%rd2],%r1,[%rd3];",
    "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%rd1],[%rd2],16,[%rd3];",
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%rd1],[%rd2],16,[%rd3],%h1;",
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint "
    "[%rd1],[%rd2],16,[%rd3],%h1,%rd4;",
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%rd1],[%rd2],16,[%rd3],%rd4;",
    "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%rd1],[%rd2],16,[%rd3];",
    "cp.async.bulk.global.shared::cta.bulk_group [%rd1],[%rd2],16;",
    "cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.cp_mask [%rd1],[%rd2],16,%rd3,%h1;",
    "cp.async.bulk.commit_group;",
    "cp.async.bulk.wait_group.read 0;",
    "cp.async.bulk.prefetch.L2.global [%rd1],16;",
    "cp.async.bulk.prefetch.L2.global.L2::cache_hint [%rd1],16,%rd3;",
    "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%rd1],[%rd2],16,[%rd3];",
    "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u64 [%rd1],[%rd2],16,[%rd3];",
    "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%rd1],[%rd2],16;",
    "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f64 [%rd1],[%rd2],16;",
    "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.bf16 [%rd1],[%rd2],16;",
    "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.f16 [%rd1],[%rd2],16;",
    "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.s64 [%rd1],[%rd2],16;",
    "cp.reduce.async.bulk.global.shared::cta.bulk_group.xor.b64 [%rd1],[%rd2],16;",
    "cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.add.u64 [%rd1],[%rd2],16,%rd3;",
    "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%rd1],%r1,[%rd2];",
    "st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.f32 [%rd1],{%f1,%f2,%f3,%f4},[%rd2];",
    "st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b64 [%rd1],{%rd1,%rd2},[%rd2];",
    "st.async.release.gpu.global.u32 [%rd1],%r1;",
    "st.async.mmio.release.sys.global.b32 [%rd1],%r1;",
    "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.inc.u32 [%rd1],%r1,[%rd2];",
    "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.s64 [%rd1],%rd1,[%rd2];",
    "red.async.release.gpu.global.add.u32 [%rd1],%r1;",
    "red.async.mmio.release.sys.global.add.s64 [%rd1],%rd1;",
    "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%rd1],[%rd2];",
    "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.multicast::cluster::all.b128 "
    "[%rd1],[%rd2];",
    "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p1,%q1;",
    "clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%r1,%r2,%r3,_},%q1;",
    "clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128 %r1,%q1;",
    "prefetch.global.L2 [%rd1];",
    "prefetch.L1 [%rd1];",
    "prefetch.global.L2::evict_last [%rd1];",
    "prefetchu.L1 [%rd1];",
    "prefetch.param.tensormap [%rd1];",
    "cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes [%rd1],[%rd2,{%r1}],[%rd3];",
    "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%rd1],[%rd2,{%r1,-1}],[s];",
    "cp.async.bulk.tensor.5d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint "
    "[%rd1],[%rd2,{%r1,%r2,%r3,%r4,%r5}],[%rd3],%h1,%rd4;",
    "cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [%rd1,{%r1,%r2,%r3}],[%rd2];",
    "cp.async.bulk.tensor.3d.global.shared::cta.bulk_group.L2::cache_hint [%rd1,{%r1,%r2,%r3}],[%rd2],%rd3;",
    "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%rd1,{%r1,%r2}],[%rd2];",
    "cp.reduce.async.bulk.tensor.2d.global.shared::cta.xor.bulk_group.L2::cache_hint [%rd1,{%r1,%r2}],[%rd2],%rd3;",
    "cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%rd1,{%r1,%r2}];",
    ("cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%rd1],[%rd2,{%r1,%r2,%r3}],"
     "[%rd3],{%h1};"),
    ("cp.async.bulk.tensor.5d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster"
     ".L2::cache_hint [%rd1],[%rd2,{%r1,%r2,%r3,%r4,%r5}],[%rd3],{%h1,%h2,%h3},%h4,%rd4;"),
    "cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs.bulk_group [%rd1,{%r1,%r2,%r3}],[%rd2];",
    "cp.reduce.async.bulk.tensor.4d.global.shared::cta.max.im2col_no_offs.bulk_group [%rd1,{%r1,%r2,%r3,%r4}],[%rd2];",
    "cp.async.bulk.prefetch.tensor.4d.L2.global.im2col [%rd1,{%r1,%r2,%r3,%r4}],{%h1,%h2};",
    "cp.async.bulk.prefetch.tensor.2d.L2.global.L2::cache_hint [%rd1,{%r1,%r2}],%rd3;",
    "applypriority.global.L2::evict_normal [%rd1],128;",
    "discard.global.L2 [%rd1],128;",
    "createpolicy.fractional.L2::evict_last.b64 %rd1,1.0;",
    "createpolicy.fractional.L2::evict_last.b64 %rd1;",
    "createpolicy.fractional.L2::evict_last.L2::evict_first.b64 %rd1,%f1;",
    "createpolicy.range.L2::evict_last.L2::evict_first.b64 %rd1,[%rd2],%r1,%r2;",
    "createpolicy.cvt.L2.b64 %rd1,%rd2;",
};

constexpr char const* unknown[] = {
    "ld.global.f16 %h1,[%rd1];",
    "ld.relaxed.v2.b32 {%r1,%r2},[%rd1];",
    "ld.global.v2.b32 {%r1,%r2,%r3},[%rd1];",
    "ld.volatile.local.b32 %r1,[%rd1];",
    "ld.relaxed.cta.local.b32 %r1,[%rd1];",
    "ld.weak.volatile.b32 %r1,[%rd1];",
    "ld.release.gpu.b32 %r1,[%rd1];",
    "ld.gpu.b32 %r1,[%rd1];",
    "ld.mmio.relaxed.gpu.global.b32 %r1,[%rd1];",
    "ld.shared.nc.b32 %r1,[%rd1];",
    "ld.global.b32 %r1,[%rd1],%rd2;",
    "ld.global.unknown.b32 %r1,[%rd1];",
    "ld.volatile.const.b32 %r1,[%rd1];",
    "st.const.b32 [%rd1],%r1;",
    "st.acquire.gpu.b32 [%rd1],%r1;",
    "atom.global.add.s64 %rd2,[%rd1],%rd3;",
    "atom.global.exch.u32 %r2,[%rd1],%r3;",
    "atom.global.exch.f32 %f2,[%rd1],%f3;",
    "atom.global.cas.u32 %r2,[%rd1],%r3,%r4;",
    "atom.global.and.u32 %r2,[%rd1],%r3;",
    "atom.global.inc.u64 %rd2,[%rd1],%rd3;",
    "atom.global.add.b32 %r2,[%rd1],%r3;",
    "atom.global.min.b32 %r2,[%rd1],%r3;",
    "atom.global.add.f16 %h2,[%rd1],%h3;",
    "atom.global.min.noftz.f16 %h2,[%rd1],%h3;",
    "atom.global.min.f32 %f2,[%rd1],%f3;",
    "atom.shared.v2.f32.add {%f2,%f3},[%rd1],{%f4,%f5};",
    "atom.global.volatile.add.u32 %r1,[%rd1],%r2;",
    "atom.local.add.u32 %r1,[%rd1],%r2;",
    "atom.cas.noftz.b32 %r1,[%rd1],%r2,%r3;",
    "red.acquire.gpu.global.add.u32 [%rd1],%r2;",
    "red.global.add.s64 [%rd1],%rd2;",
    "red.global.exch.b32 [%rd1],%r2;",
    "red.acq_rel.gpu.global.add.u32 [%rd1],%r2;",
    "fence;",
    "fence.sc;",
    "fence.release.sync_restrict::shared::cluster.cluster;",
    "fence.mbarrier_init.release.gpu;",
    "fence.proxy.async.shared;",
    "fence.proxy.tensormap;",
    "membar;",
    "membar.gpu;",
    "membar.proxy.async;",
    "cvta.u64 %rd1,%rd2;",
    "isspacep %p1,%rd1;",
    "mbarrier.init.shared::cluster.b64 [%rd1], 5;",
    "mbarrier.arrive.release.gpu.shared.b64 %rd2,[%rd1],%r1;",
    "mbarrier.arrive.release.cluster.shared::cluster.b64 %rd2,[%rd1],%r1;",
    "mbarrier.arrive.relaxed.shared::cta.b64 _,[%rd1],%r1;",
    "mbarrier.arrive.noComplete.b64 %rd2,[%rd1];",
    "mbarrier.arrive.expect_tx.b64 %rd2,[%rd1];",
    "mbarrier.test_wait.acquire.shared::cta.b64 %p1,[%rd1],%rd2;",
    "mbarrier.test_wait.acquire.gpu.shared::cta.b64 %p1,[%rd1],%rd2;",
    "mbarrier.test_wait.shared::cluster.b64 %p1,[%rd1],%rd2;",
    "mbarrier.shared.b64 [%rd1];",
    "cp.async.ca.shared.global [%rd1],[%rd2],12;",
    "cp.async.cg.shared.global [%rd1],[%rd2],8;",
    "cp.async.shared.global [%rd1],[%rd2],16;",
    "cp.async.wait_group %r1;",
    "cp.async.bulk.shared.global.mbarrier::complete_tx::bytes [%rd1],[%rd2],16,[%rd3];",
    "cp.async.bulk.global.shared::cluster.bulk_group [%rd1],[%rd2],16;",
    "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.s64 [%rd1],[%rd2],16,[%rd3];",
    "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.min.s64 [%rd1],[%rd2],16,[%rd3];",
    "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.and.b64 [%rd1],[%rd2],16,[%rd3];",
    "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.f32 [%rd1],[%rd2],16,[%rd3];",
    "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.bf16 [%rd1],[%rd2],16;",
    "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.noftz.f16 [%rd1],[%rd2],16;",
    "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s64 [%rd1],[%rd2],16;",
    "cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [%rd1],[%rd2,{%r1}],[%rd3];",
    "cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [%rd1],[%rd2],[%rd3];",
    "cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes [%rd1],[%rd2+64,{%r1}],[%rd3];",
    "cp.async.bulk.tensor.6d.shared::cta.global.mbarrier::complete_tx::bytes [%rd1],[%rd2,{%r1}],[%rd3];",
    "cp.async.bulk.tensor.shared::cta.global.mbarrier::complete_tx::bytes [%rd1],[%rd2,{%r1}],[%rd3];",
    "cp.async.bulk.tensor.1d.shared::cta.global.bulk_group [%rd1],[%rd2,{%r1}];",
    ("cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes.multicast::cluster "
     "[%rd1],[%rd2,{%r1}],[%rd3],%h1;"),
    "cp.async.bulk.tensor.1d.global.shared::cluster.bulk_group [%rd1,{%r1}],[%rd2];",
    "cp.reduce.async.bulk.tensor.1d.global.shared::cta.bulk_group [%rd1,{%r1}],[%rd2];",
    "cp.reduce.async.bulk.tensor.1d.global.shared::cta.exch.bulk_group [%rd1,{%r1}],[%rd2];",
    "cp.async.bulk.prefetch.tensor.1d.global [%rd1,{%r1}];",
    ("cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%rd1],[%rd2,{%r1,%r2,%r3}],"
     "[%rd3],{%h1,%h2};"),
    ("cp.async.bulk.tensor.2d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%rd1],[%rd2,{%r1,%r2}],"
     "[%rd3],{%h1};"),
    "cp.async.bulk.tensor.3d.global.shared::cta.im2col.bulk_group [%rd1,{%r1,%r2,%r3}],[%rd2];",
    "st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b64 [%rd1],{%rd1,%rd2,%rd1,%rd1},[%rd2];",
    "st.async.shared::cluster.mbarrier::complete_tx::bytes.b8 [%rd1],%r1,[%rd2];",
    "st.async.release.cluster.global.u32 [%rd1],%r1;",
    "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.min.u64 [%rd1],%rd1,[%rd2];",
    "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.xor.b64 [%rd1],%rd1,[%rd2];",
    "red.async.mbarrier::complete_tx::bytes.xor.b32 [%rd1],%r1,[%rd2];",
    "clusterlaunchcontrol.query_cancel.get_first_ctaid::w.b32.b128 %r1,%q1;",
    "prefetch.global [%rd1];",
    "discard.L2 [%rd1],64;",
};

/// Forms that ptxas accepts and the emulator does not.
constexpr char const* not_emulated[] = {
    "istypep.texref %p1,%rd1;",
    "isspacep.const %p1,%rd1;",
    ("cp.async.bulk.tensor.3d.shared::cluster.global.im2col::w.mbarrier::complete_tx::bytes "
     "[%rd1],[%rd2,{%r1,%r2,%r3}],"
     "[%rd3],{%h1,%h2};"),
    ("cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes "
     "[%rd1],[%rd2,{%r1,%r2,%r3,%r4,%r5}],[%rd3];"),
};

} // namespace

BOOST_AUTO_TEST_SUITE(memory_forms)

BOOST_DATA_TEST_CASE(known_forms_are_accepted, boost::unit_test::data::make(known), text) {
  BOOST_TEST(memory_refusal(text) == "");
}

BOOST_DATA_TEST_CASE(unknown_forms_are_rejected,
                     boost::unit_test::data::make(unknown) + boost::unit_test::data::make(not_emulated), text) {
  std::string const refusal = memory_refusal(text);
  BOOST_TEST(refusal.find("test.ptx:") == 0u);
  BOOST_TEST(refusal.find("k") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(forms_that_require_a_newer_sm_are_rejected) {
  BOOST_TEST(memory_refusal("fence.acquire.gpu;", 80).find("needs sm_90") != std::string::npos);
  BOOST_TEST(memory_refusal("atom.relaxed.cluster.global.add.u32 %r1, [%rd0], 1;", 80) != "");
  BOOST_TEST(memory_refusal("atom.relaxed.gpu.global.exch.b128 %q1, [%rd0], %q2;", 80) != "");
  BOOST_TEST(memory_refusal("red.relaxed.gpu.global.add.noftz.bf16 [%rd0], %h2;", 80) != "");
  BOOST_TEST(memory_refusal("red.relaxed.gpu.global.add.noftz.f16 [%rd0], %h2;", 80) == "");
  BOOST_TEST(memory_refusal("mbarrier.try_wait.shared.b64 %p1, [s], %rd1;", 80) != "");
  BOOST_TEST(memory_refusal("clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p1, %q1;", 90) != "");
  BOOST_TEST(memory_refusal("fence.acq_rel.gpu; mbarrier.test_wait.shared.b64 %p1, [s], %rd1;", 80) == "");
}

BOOST_AUTO_TEST_SUITE_END()
