// SPDX-License-Identifier: Apache-2.0
//
// Tensor copies: what ../../device/tensor.cu cannot show on one block: multicast, and the sentences of misuse. The map
// is at byte 1024 of the buffer, and describes the matrix before it.
#include "../../../../tools/emulator/instructions/support/copies/tensor_map.hpp"
#include "../kernel.hpp"

#include <boost/test/unit_test.hpp>

using namespace emulator_test;

namespace {

/// 8 rows of 16 words, all different, and boxes of 2 rows of 4 words.
struct matrix : buffer {
  emulator::tensor_map map;

  matrix() {
    for (std::uint32_t i = 0; i < 128; ++i) put<std::uint32_t>(4 * i, i + 1);
    map.address = reinterpret_cast<std::uint64_t>(data());
    map.stride[0] = 64;
    map.extent = {16, 8};
    map.box = {4, 2};
    map.step = {1, 1};
    map.rank = 2;
    map.type = emulator::tensor_type::u32;
    write();
  }
  void write() { put(1024, map); }
};

std::string const load = "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes ";
std::string const store = "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group ";
/// Gives up after a while, if the copy completes other bytes than the barrier expects.
std::string const wait = "mov.u32 %r19, 0; wait: mbarrier.try_wait.parity.shared.b64 %p9, [s], 0; @%p9 bra complete;\n"
                         "add.u32 %r19, %r19, 1; setp.lt.u32 %p9, %r19, 10000; @%p9 bra wait; complete:\n";

/// Runs a body with the map's address in %rd1 and the shared memory's, aligned to 128 bytes, in %r1. Returns the fault.
emulator::fault run_with_map(matrix& m, std::string const& body, shape s = {}) {
  return run("add.u64 %rd1, %rd0, 1024; mov.u32 %r1, s; add.u32 %r1, %r1, 255; and.b32 %r1, %r1, -128;\n" + body, m, s);
}

void expect_fault(matrix& m, std::string const& body, int error, std::string const& part) {
  emulator::fault const fault = run_with_map(m, body);
  BOOST_TEST(fault.error == error);
  BOOST_TEST(fault.text.find(part) != std::string::npos, fault.text);
}

} // namespace

BOOST_AUTO_TEST_SUITE(memory_tensor)

BOOST_AUTO_TEST_CASE(a_box_goes_to_several_blocks_of_a_cluster) {
  matrix m;
  // Block 1 loads a box for blocks 0 and 1, block 2 gets none. Each writes what it has after the map.
  emulator::fault const fault = run_with_map(
      m,
      "mov.u32 %r2, %cluster_ctarank; mbarrier.init.shared.b64 [s], 1; mbarrier.arrive.expect_tx.shared.b64 _, [s], "
      "32;\n"
      "fence.mbarrier_init.release.cluster; barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n"
      "setp.ne.u32 %p1, %r2, 1; @%p1 bra issued; mov.b16 %h1, 3; cvt.u64.u32 %rd2, %r1;\n"
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%r1], "
      "[%rd1, "
      "{8, 3}], [s], %h1;\n"
      "issued: setp.eq.u32 %p2, %r2, 2; @%p2 bra done;\n" +
          wait +
          "mul.wide.u32 %rd3, %r2, 64; add.u64 %rd3, %rd3, %rd1;"
          "ld.shared.v4.u32 {%r3, %r4, %r5, %r6}, [%r1]; st.global.v4.u32 [%rd3+128], {%r3, %r4, %r5, %r6};"
          "ld.shared.v4.u32 {%r3, %r4, %r5, %r6}, [%r1+16]; st.global.v4.u32 [%rd3+144], {%r3, %r4, %r5, %r6};"
          "done: barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;",
      {.grid = 3, .block = 1, .cluster = 3});
  BOOST_REQUIRE_MESSAGE(fault.error == 0, fault.text);
  for (std::uint32_t block = 0; block < 2; ++block)
    for (std::uint32_t i = 0; i < 8; ++i)
      BOOST_TEST(m.u32(1024 + 128 + 64 * block + 4 * i) == (3 + i / 4) * 16 + 8 + i % 4 + 1);
  BOOST_TEST(m.u32(1024 + 128 + 128) == 0u);
}

BOOST_AUTO_TEST_CASE(a_prefetch_changes_nothing) {
  matrix m;
  BOOST_TEST(run_with_map(m, "cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%rd1, {-4, 100}];").error == 0);
  BOOST_TEST(run_with_map(m, "prefetch.tensormap [%rd1];").error == 0);
  BOOST_TEST(run_with_map(m, "mov.u64 %rd2, 0; prefetch.tensormap [%rd2];").error == 0);
}

BOOST_AUTO_TEST_CASE(a_prefetch_needs_an_address_as_on_a_gpu) {
  matrix m;
  expect_fault(m, "prefetch.tensormap [%rd1+8];", 716, "is not a multiple of 64");
  std::string const prefetch = "cp.async.bulk.prefetch.tensor.2d.L2.global.tile ";
  expect_fault(m, "add.u64 %rd2, %rd1, 8;" + prefetch + "[%rd2, {0, 0}];", 716, "is not a multiple of 64");
  expect_fault(m, "cvta.shared.u64 %rd2, s;" + prefetch + "[%rd2, {0, 0}];", 700, "the map is in shared memory");
  expect_fault(m, "mov.u64 %rd2, 0;" + prefetch + "[%rd2, {0, 0}];", 700, "where there is no memory");
}

BOOST_AUTO_TEST_CASE(what_a_gpu_rejects_is_rejected_with_a_sentence) {
  matrix m;
  expect_fault(m, load + "[%r1], [%rd1, {1, 0}], [s];", 715,
               "coordinate 0 is 1 elements of 4 bytes; a box begins at a");
  expect_fault(m, store + "[%rd1, {0, -1}], [%r1];", 715, "a coordinate is negative");
  expect_fault(m, store + "[%rd1, {0, 0}], [%r1+64];", 716, "is not a multiple of 128");
  expect_fault(m, "add.u64 %rd1, %rd1, 16;" + store + "[%rd1, {0, 0}], [%r1];", 716, "is not a multiple of 64");
  expect_fault(m, store + "[%rd0, {0, 0}], [%r1];", 715, "are no tensor map; pass what cuTensorMapEncodeTiled made");
  expect_fault(m, "cp.async.bulk.prefetch.tensor.3d.L2.global [%rd1, {0, 0, 0}];", 715,
               "the instruction has 3 coordinates and the map 2 dimensions; use the form .2d");
  expect_fault(m,
               "mov.b16 %h1, 2; mbarrier.init.shared.b64 [s], 1;"
               "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
               "[%r1], [%rd1, {0, 0}], [s], %h1;",
               719, "names blocks beyond the 1 of the cluster");
  m.map.type = emulator::tensor_type::u16;
  m.map.box = {8, 2};
  m.write();
  expect_fault(m, "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [%rd1, {0, 0}], [%r1];", 715,
               ".add has no elements of the map's type u16");
  m.map.type = emulator::tensor_type::u32;
  m.map.box = {256, 32};
  m.write();
  expect_fault(m, store + "[%rd1, {0, 0}], [%r1];", 700, "32768 bytes, is outside the 4096 bytes of shared memory");
  m.map.box = {4, 2};
  m.map.interleave = emulator::tensor_interleave::of_16; // needs 3 dimensions
  m.write();
  expect_fault(m, store + "[%rd1, {0, 0}], [%r1];", 715, "give tensormap.replace values that");
}

/// The tables of PTX ISA, "Swizzling Modes": which 16 bytes of a line of 128 are at each place of the line.
BOOST_AUTO_TEST_CASE(larger_atoms_change_places_as_in_the_tables_of_ptx) {
  using emulator::tensor_swizzle;
  constexpr int of_32[][8] = {
      {0, 1, 2, 3, 4, 5, 6, 7}, {2, 3, 0, 1, 6, 7, 4, 5}, {4, 5, 6, 7, 0, 1, 2, 3}, {6, 7, 4, 5, 2, 3, 0, 1}};
  constexpr int of_64[][8] = {{0, 1, 2, 3, 4, 5, 6, 7}, {4, 5, 6, 7, 0, 1, 2, 3}};
  for (std::uint64_t place = 0; place < 2048; ++place) {
    std::uint64_t const line = place / 128, chunk = place / 16 % 8, byte = place % 16;
    std::uint64_t const flipped = line % 2 ? byte ^ 8 : byte;
    auto const from = [&](int const(&row)[8], std::uint64_t b) {
      return line * 128 + std::uint64_t(row[chunk]) * 16 + b;
    };
    BOOST_TEST(emulator::swizzled(from(of_32[line % 4], byte), tensor_swizzle::of_128_atoms_32) == place);
    BOOST_TEST(emulator::swizzled(from(of_32[line % 4], flipped), tensor_swizzle::of_128_atoms_32_flip_8) == place);
    BOOST_TEST(emulator::swizzled(from(of_64[line % 2], byte), tensor_swizzle::of_128_atoms_64) == place);
  }
}

/// The words of the matrix are 8 rows of 4 slices of 16 bytes; the dimensions are 4 pixels, 4 slices and 2 images.
BOOST_AUTO_TEST_CASE(a_box_of_an_interleaved_tensor_has_one_slice_of_each_pixel) {
  matrix m;
  m.map.interleave = emulator::tensor_interleave::of_16;
  m.map.rank = 3;
  m.map.extent = {4, 4, 2};
  m.map.stride = {64, 256};
  m.map.box = {4, 3, 2}; // not 3 slices, whatever the box says
  m.map.step = {1, 1, 1};
  m.write();
  emulator::fault const fault = run_with_map(
      m,
      "mbarrier.init.shared.b64 [s], 1; mbarrier.arrive.expect_tx.shared.b64 _, [s], 128;\n"
      "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1, {1, 2, 0}], [s];\n" +
          wait +
          "ld.shared.v4.u32 {%r3, %r4, %r5, %r6}, [%r1]; st.global.v4.u32 [%rd1+128], {%r3, %r4, %r5, %r6};"
          "ld.shared.v4.u32 {%r3, %r4, %r5, %r6}, [%r1+48]; st.global.v4.u32 [%rd1+144], {%r3, %r4, %r5, %r6};"
          "ld.shared.v4.u32 {%r3, %r4, %r5, %r6}, [%r1+96]; st.global.v4.u32 [%rd1+160], {%r3, %r4, %r5, %r6};");
  BOOST_REQUIRE_MESSAGE(fault.error == 0, fault.text);
  for (std::uint32_t i = 0; i < 4; ++i) {
    BOOST_TEST(m.u32(1152 + 4 * i) == 2 * 16 + 1 * 4 + i + 1);      // pixel 1 of slice 2
    BOOST_TEST(m.u32(1168 + 4 * i) == 0u);                          // pixel 4
    BOOST_TEST(m.u32(1184 + 4 * i) == 64 + 2 * 16 + 3 * 4 + i + 1); // pixel 3 in image 1
  }
}

BOOST_AUTO_TEST_CASE(halves_of_chunks_are_flipped_only_where_the_tensor_is_read) {
  matrix m;
  m.map.swizzle = emulator::tensor_swizzle::of_128_atoms_32_flip_8;
  m.write();
  expect_fault(m, store + "[%rd1, {0, 0}], [%r1];", 715,
               "flips 8 bytes, which PTX ISA allows only for copies to shared");
}

BOOST_AUTO_TEST_CASE(a_map_is_of_one_mode) {
  matrix m;
  m.map.rank = 3;
  m.map.extent[2] = m.map.box[2] = m.map.step[2] = 1;
  m.write();
  std::string const im2col =
      "cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs.bulk_group [%rd1, {0, 0, 0}], [%r1];";
  expect_fault(m, im2col, 715, "the instruction is of .im2col mode and the map of .tile mode");
  m.map.is_im2col = true;
  m.map.pixels = 4;
  m.map.lower[0] = 1;
  m.write();
  expect_fault(m, im2col, 715, "coordinate 1 is 0; in .im2col mode a copy begins in the box of pixels, from 1 to 7");
  m.map.lower[0] = -1; // seen on an H100, also where no pixel of the copy is outside
  m.write();
  expect_fault(m, im2col, 715, "the box of pixels is from -1 to 0 in dimension 1, which is beyond the tensor");
  m.map.lower[0] = 0, m.map.upper[0] = 1;
  m.write();
  expect_fault(m, im2col, 715, "the box of pixels is from 0 to 1 in dimension 1, which is beyond the tensor");
}

BOOST_AUTO_TEST_CASE(a_map_that_was_made_useless_is_rejected) {
  matrix m;
  std::string const use = store + "[%rd1, {0, 0}], [%r1];";
  for (std::string const change :
       {"interleave_layout.global.b1024.b32 [%rd1], 1;", "element_stride.global.b1024.b32 [%rd1], 1, 0;",
        "box_dim.global.b1024.b32 [%rd1], 1, 0;", "global_dim.global.b1024.b32 [%rd1], 1, 0;",
        "box_dim.global.b1024.b32 [%rd1], 0, 3;"}) {
    m.write();
    expect_fault(m, "tensormap.replace.tile." + change + use, 715, "give tensormap.replace values that");
  }
  m.write();
  BOOST_TEST(run_with_map(m, "tensormap.replace.tile.box_dim.global.b1024.b32 [%rd1], 0, 8;" + use).error == 0);
}

BOOST_AUTO_TEST_CASE(what_is_no_map_is_neither_changed_nor_published) {
  matrix m;
  expect_fault(m, "tensormap.replace.tile.rank.global.b1024.b32 [%rd0], 1;", 715, "are no tensor map; copy one");
  expect_fault(m,
               "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%rd1], "
               "[%r1], 128;",
               715, "are no tensor map; copy one");
}

BOOST_AUTO_TEST_SUITE_END()
