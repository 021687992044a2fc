// SPDX-License-Identifier: Apache-2.0
//
// clusterlaunchcontrol: a cluster takes over the work of one that has not started.  [PTX ISA, "clusterlaunchcontrol"]
// The answer of 16 bytes is opaque: here the first block's three coordinates, and 1 where there was one.
#include "../machine/grid.hpp"
#include "../machine/observer.hpp"
#include "support/copies/asynchronous.hpp"
#include "support/memory/access.hpp"
#include "support/memory/address_operand.hpp"
#include "support/memory/qualifiers.hpp"

namespace emulator {

namespace {

struct answer {
  std::uint32_t first[3]{};
  std::uint32_t is_canceled = 0;
};

struct request {
  address_operand answer, barrier;
  bool to_all; ///< to the same place in each block of the cluster
};

void run_try_cancel(thread& t, std::uint64_t* r, operation const& o) {
  auto const& q = *static_cast<request const*>(o.pointer);
  std::byte* const to = q.answer.at(t, r, 16, 16);
  std::byte* const barrier = mbarrier_at(t, r, q.barrier);
  answer a;
  a.is_canceled = cancel_next_block(*t.block, a.first);
  if (is_checked_run()) the_observer().requests_cluster(t, a.is_canceled != 0);
  asynchronous_write w{.to = to,
                       .value = std::bit_cast<std::array<std::byte, 16>>(a),
                       .size = 16,
                       .async_proxy = true,
                       .barrier = barrier};
  if (!q.to_all) return issue(t, w);
  for (block const* b : t.block->cluster->blocks) {
    w.to = b->shared + (to - t.block->shared);
    w.barrier = b->shared + (barrier - t.block->shared);
    issue(t, w);
  }
}

void run_is_canceled(std::uint64_t* r, operation const& o) { r[o.d] = get<answer>(r, o.a).is_canceled; }

void run_is_canceled_checked(thread& t, std::uint64_t* r, operation const& o) {
  run_is_canceled(r, o);
  if (!r[o.d]) the_observer().told_of_no_cluster(t);
}

template <int Dimension>
void run_first(std::uint64_t* r, operation const& o) {
  put(r, o.d, get<answer>(r, o.a).first[Dimension]);
}

void run_first_all(std::uint64_t* r, operation const& o) {
  answer const a = get<answer>(r, o.a);
  put(r, o.d, a.first[0]);
  put(r, o.b, a.first[1]);
  put(r, o.c, a.first[2]);
  put(r, o.e, u32(0));
}

void decode_try_cancel(decoder& d) {
  if (!d.take("async") || !d.take("mbarrier::complete_tx::bytes") || d.take_type() != ptx::scalar::b128)
    d.reject("knows .try_cancel.async.mbarrier::complete_tx::bytes.b128");
  bool const shared = d.take("shared::cta");
  request const q{{d.address(0), shared}, {d.address(1), shared}, d.take("multicast::cluster::all")};
  d.emit(interruptible_handler<run_try_cancel>()).pointer = d.keep(q);
}

void decode_query_cancel(decoder& d) {
  std::string_view const what = d.take_one_of(
      {"is_canceled", "get_first_ctaid", "get_first_ctaid::x", "get_first_ctaid::y", "get_first_ctaid::z"});
  if (what.empty()) d.reject("asks for nothing: .is_canceled, .get_first_ctaid");
  bool const all = what == "get_first_ctaid";
  if (all && take_vector(d) != 4) d.reject("needs .v4");
  ptx::scalar const result = d.take_type();
  if (result != (what == "is_canceled" ? ptx::scalar::pred : ptx::scalar::b32) || d.take_type() != ptx::scalar::b128)
    d.reject("types are .pred.b128 for .is_canceled and .b32.b128 for .get_first_ctaid");
  slot const answer = d.source(1, ptx::scalar::b128);
  if (!all) {
    d.emit(what == "is_canceled"   ? (is_checked_run() ? accesses<run_is_canceled_checked> : computes<run_is_canceled>)
           : what.ends_with("::x") ? computes<run_first<0>>
           : what.ends_with("::y") ? computes<run_first<1>>
                                   : computes<run_first<2>>,
           d.destination(0), answer);
    return;
  }
  slot parts[4];
  for_each_part(d, 0, 4, [&](int i, ptx::operand const& part) { parts[i] = d.destination(part); });
  d.emit(computes<run_first_all>, parts[0], answer, parts[1], parts[2]).e = parts[3];
}

void decode(decoder& d) {
  needs_sm(d, 100, "clusterlaunchcontrol");
  if (d.take("try_cancel")) return decode_try_cancel(d);
  if (d.take("query_cancel")) return decode_query_cancel(d);
  d.reject("knows .try_cancel and .query_cancel");
}

definition const clusterlaunchcontrol("clusterlaunchcontrol",
                                      ".try_cancel.async .multicast::cluster::all; .query_cancel .is_canceled "
                                      ".get_first_ctaid (.v4, ::x, ::y, ::z)",
                                      decode);

} // namespace

} // namespace emulator
