// SPDX-License-Identifier: Apache-2.0
//
// fence: emitting it.
#include "fence.hpp"

namespace emulator {

namespace {

template <int Order>
struct host_fence {
  template <class Access>
  static void run(thread& t, std::uint64_t*, operation const& o) {
    Access::template fence<Order>(t, o);
  }
};

struct proxy_fence {
  template <class Access>
  static void run(thread& t, std::uint64_t*, operation const& o) {
    Access::proxy_fence(t, o.a != 0, o.b != 0);
  }
};

void tensor_map_fence(thread& t, std::uint64_t* r, operation const& o) {
  the_memory_observer().tensor_map_fence(t, locate<host_address>(t, r[o.a] + u64(o.offset), 128, 64),
                                         ordering_of(o).scope);
}

void tensor_map_release(thread& t, std::uint64_t*, operation const& o) {
  the_memory_observer().tensor_map_release(t, ordering_of(o).scope);
}

} // namespace

void emit_fence(decoder& d, semantics order, scope s, bool is_sc, bool is_restricted) {
  bool const c = is_checked_run();
  auto& o = d.emit(is_sc                         ? access_handler<host_fence<__ATOMIC_SEQ_CST>>(c)
                   : order == semantics::acquire ? access_handler<host_fence<__ATOMIC_ACQUIRE>>(c)
                   : order == semantics::release ? access_handler<host_fence<__ATOMIC_RELEASE>>(c)
                                                 : access_handler<host_fence<__ATOMIC_ACQ_REL>>(c));
  o.extra = ordering{.semantics = order, .scope = s}.packed();
  o.a = is_sc;
  o.b = is_restricted;
}

void emit_tensor_map_fence(decoder& d, memory_operand map, scope s) {
  if (!is_checked_run()) return;
  auto& o = d.emit(interruptible_handler<tensor_map_fence>(), 0, map.base);
  o.offset = map.offset;
  o.extra = ordering{.scope = s}.packed();
}

void emit_tensor_map_release(decoder& d, scope s) {
  if (is_checked_run()) d.emit(interruptible_handler<tensor_map_release>()).extra = ordering{.scope = s}.packed();
}

void emit_proxy_fence(decoder& d, bool global, bool shared) {
  auto& o = d.emit(access_handler<proxy_fence>(is_checked_run()));
  o.a = global;
  o.b = shared;
}

} // namespace emulator
