// SPDX-License-Identifier: Apache-2.0
//
// fetch_add: additions that return the previous value.
#include "../support/operations.hpp"

namespace CUDAX_BENCH_SIDE {

bench::rows rows_of_fetch_add() {
  table all;
  all.usual<add_one, acquire, release, acq_rel, seq_cst>("fetch_add");
  all.one<add_one<u32, relaxed, on_device>, spread<8>>("fetch_add u32, spread 32 bytes apart");
  all.one<add_one<double, relaxed, on_device>, spread<>>("fetch_add f64, spread");
  all.one<add_float, spread<>>("fetch_add f32, spread");

  all.one<add_one<u32, relaxed, on_device>, uniform<>>("fetch_add u32, one address, known uniform");
  all.both<add_one<u32, relaxed, on_device>, opaque<>>("fetch_add u32, one address, opaque");
  all.both<add_one<u64, relaxed, on_device>, opaque<>>("fetch_add u64, one address, opaque");
  all.one<add_one<u32, acq_rel, on_device>, opaque<>>("fetch_add u32 acq_rel, one address, opaque");
  all.one<add_one<u32, seq_cst, on_device>, opaque<>>("fetch_add u32 seq_cst, one address, opaque");
  all.one<add_float, uniform<>>("fetch_add f32, one address, known uniform");
  all.one<add_float, opaque<>>("fetch_add f32, one address, opaque");
  all.one<add_one<u8, relaxed, on_device>, uniform<0>>("fetch_add u8, one address, low byte, known uniform");
  all.both<add_one<u8, relaxed, on_device>, opaque<0>>("fetch_add u8, one address, low byte, opaque");
  all.one<add_one<u16, relaxed, on_device>, uniform<0>>("fetch_add u16, one address, low half, known uniform");
  all.both<add_one<u16, relaxed, on_device>, opaque<0>>("fetch_add u16, one address, low half, opaque");
  all.one<add_one<u16, relaxed, on_device>, uniform<1>>("fetch_add u16, one address, high half, known uniform");
  all.both<add_one<u16, relaxed, on_device>, opaque<1>>("fetch_add u16, one address, high half, opaque");
  return all.rows;
}

} // namespace CUDAX_BENCH_SIDE
