// SPDX-License-Identifier: Apache-2.0
//
// fence: emitting it.
#include "fence.hpp"
#include "../../check/hooks.hpp"

namespace emulator {

namespace {

template <int Order>
void run(thread&, std::uint64_t*, operation const&) {
  __atomic_thread_fence(Order);
}

void run_proxy(thread&, std::uint64_t*, operation const&) {}

} // namespace

void emit_fence(decoder& d, semantics order, scope s, bool is_sc) {
  auto& o = d.emit(checks()                      ? goes_on<check::interruptible<check::fence>>
                   : is_sc                       ? accesses<run<__ATOMIC_SEQ_CST>>
                   : order == semantics::acquire ? accesses<run<__ATOMIC_ACQUIRE>>
                   : order == semantics::release ? accesses<run<__ATOMIC_RELEASE>>
                                                 : accesses<run<__ATOMIC_ACQ_REL>>);
  o.extra = ordering{.semantics = order, .scope = s}.packed();
  o.a = is_sc;
}

void emit_proxy_fence(decoder& d) {
  d.emit(checks() ? goes_on<check::interruptible<check::proxy_fence>> : accesses<run_proxy>);
}

} // namespace emulator
