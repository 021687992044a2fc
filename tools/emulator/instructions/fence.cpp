// SPDX-License-Identifier: Apache-2.0
//
// fence: orders the accesses of a thread.  [PTX ISA, "membar, fence"]
// On the host this is the fence of the same order. Fences between proxies do nothing, because the host's memory has one
// proxy.
#include "support/memory/fence.hpp"
#include "support/memory/qualifiers.hpp"

namespace emulator {

namespace {

void decode_proxy(decoder& d) {
  std::string_view const kind =
      d.take_one_of({"alias", "async", "async.global", "tensormap::generic", "async::generic"});
  if (kind.empty()) d.reject("names no proxy: .alias, .async, .async::generic, .tensormap::generic");
  if (kind != "alias") needs_sm(d, 90, "this proxy");
  std::string_view const space =
      kind == "async" ? d.take_one_of({"global", "shared::cta", "shared::cluster"}) : std::string_view();
  if (kind == "alias") return; // the host has one proxy, and checked runs do not model this one
  if (kind == "async") return emit_proxy_fence(d, space.empty() || space == "global", space != "global");
  std::string_view const order = d.take_one_of({"acquire", "release"});
  if (order.empty()) d.reject("needs .acquire or .release");
  if (kind == "async::generic") {
    bool const matches = d.take(order == "acquire" ? "sync_restrict::shared::cluster" : "sync_restrict::shared::cta");
    if (!matches || take_scope(d) != scope::cluster)
      d.reject("needs .acquire.sync_restrict::shared::cluster.cluster or .release.sync_restrict::shared::cta.cluster");
  } else {
    scope const s = take_scope(d);
    if (s == scope::none) d.reject("needs a scope");
    // What is released to the proxy is so before a later write of the thread can tell another thread.
    if (order == "release") emit_tensor_map_release(d, s);
    emit_fence(d, order == "acquire" ? semantics::acquire : semantics::release, s, false);
    if (order == "release") return;
    emit_tensor_map_fence(d, d.address(0), s);
    if (d.constant(1) != 128) d.reject("the size of a tensor map is 128");
    return;
  }
  emit_proxy_fence(d, false, true); // what it synchronizes is restricted to shared memory
}

void decode(decoder& d) {
  if (d.take("proxy")) return decode_proxy(d);
  if (d.take("mbarrier_init")) {
    if (!d.take("release") || take_scope(d) != scope::cluster) d.reject(".mbarrier_init needs .release.cluster");
    return emit_fence(d, semantics::release, scope::cluster, false);
  }
  std::string_view const order = d.take_one_of({"sc", "acq_rel", "acquire", "release"});
  std::string_view const restriction = d.take_one_of({"sync_restrict::shared::cta", "sync_restrict::shared::cluster"});
  scope const s = take_scope(d);
  if (s == scope::none) d.reject("needs a scope: .cta, .cluster, .gpu or .sys");
  bool const one_sided = order == "acquire" || order == "release";
  if (one_sided) needs_sm(d, 90, "a fence in one direction");
  if (!restriction.empty()) {
    bool const matches = restriction.ends_with("cta") ? order == "release" : order == "acquire";
    if (!matches || s != scope::cluster)
      d.reject("needs .acquire.sync_restrict::shared::cluster.cluster or .release.sync_restrict::shared::cta.cluster");
  }
  emit_fence(d,
             order == "acquire"   ? semantics::acquire
             : order == "release" ? semantics::release
                                  : semantics::acq_rel,
             s, order == "sc", !restriction.empty());
}

definition const fence("fence",
                       ".sc .acq_rel .acquire .release, all scopes, .sync_restrict; .mbarrier_init; .proxy.alias "
                       ".proxy.async .proxy.async::generic .proxy.tensormap::generic",
                       decode);

} // namespace

} // namespace emulator
