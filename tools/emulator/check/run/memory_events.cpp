// SPDX-License-Identifier: Apache-2.0
//
// memory_events: from instructions to the model.
#include "memory_events.hpp"
#include "../../instructions/support/waiting/mbarrier.hpp"
#include "../../machine/frames.hpp"
#include "../../machine/grid.hpp"
#include "../../machine/mode.hpp"
#include "observed.hpp"
#include "run.hpp"
#include "statistics.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_map>

namespace emulator::check {
namespace {

access access_of(thread const& t, std::byte const* where, std::uint32_t size, ordering o) {
  return {{t, t.pc}, const_cast<std::byte*>(where), size, o.semantics, o.scope};
}

/// Accesses the memory: a SIGSEGV must not arrive while the model works.
void probe(std::byte const* where) { static_cast<void>(*static_cast<std::byte const volatile*>(where)); }

bool is_own(thread const& t, std::byte const* where) {
  return std::size_t(where - t.block->shared) < t.block->shared_size;
}

/// What an operation on an mbarrier is to other operations on it: a strong access of its word. One on the barrier of
/// another block needs the scope of the cluster. Those of the barrier's own block count as if they had it: NVIDIA's
/// kernels arrive, expect and wait there at block scope, although copies of other blocks complete at cluster scope.
access access_of_mbarrier(thread const& t, std::byte const* where, ordering o) {
  return access_of(t, where, 8, {o.semantics, is_own(t, where) ? scope::cluster : o.scope});
}

} // namespace

bool is_private(thread const& t, std::byte const* where) {
  resident_block const& b = static_cast<resident_block const&>(*t.block);
  if (std::size_t(where - b.frames.get()) < b.frame_capacity) return true;
  grid const& g = *b.grid;
  if (std::size_t(where - g.parameters) < g.launch.parameters.size()) return true;
  return t.stack && is_on_stack(t, where);
}

std::uint64_t phase_of_mbarrier(std::byte const* where) { return current_run().phases.of(where); }

namespace {

void use(thread const& t, std::byte const* where) {
  current_run().model.use_barrier({t, t.pc}, where);
  if (is_own(t, where)) return;
  current_run().model.visit({t, t.pc}, where, current_run().phases.of(where));
}

struct memory_events final : memory_observer {
  void load(thread& t, std::byte const* where, std::uint32_t size, ordering o, void* value,
            std::uint32_t vector_size) override {
    probe(where);
    if (is_private(t, where)) return void(std::memcpy(value, where, size));
    ++run_statistics.accesses;
    t.observed->last_access = t.observed->last_read = t.pc;
    run& r = current_run();
    r.reads(t, where, size, o.semantics != semantics::weak);
    access a = access_of(t, where, size, o);
    a.vector_size = vector_size;
    a.is_read_only = o.is_read_only;
    r.model.load(a, value);
  }

  void store(thread& t, std::byte* where, std::uint32_t size, ordering o, void const* value,
             std::uint32_t vector_size) override {
    probe(where);
    run& r = current_run();
    bool const differs = std::memcmp(where, value, size) != 0;
    if (is_private(t, where)) {
      if (differs) r.moved();
      return void(std::memcpy(where, value, size));
    }
    if (differs) {
      if (process_mode.converges_early && r.early_meetings.stores(t, where, size)) r.end_early_meetings();
      r.changed(where, size);
      if (o.semantics != semantics::weak) r.wrote(t);
    }
    ++run_statistics.accesses;
    t.observed->last_access = t.pc;
    r.misuse.stored(t, where, size);
    access a = access_of(t, where, size, o);
    a.vector_size = vector_size;
    r.model.store(a, value);
  }

  void update(thread& t, std::byte* where, std::uint32_t size, ordering o, void* old,
              std::function<bool(void*)> const& modify, update_kind kind) override {
    probe(where);
    run& r = current_run();
    if (is_private(t, where)) {
      alignas(16) std::byte value[16];
      std::memcpy(old, where, size);
      std::memcpy(value, where, size);
      if (modify(value)) std::memcpy(where, value, size);
      return;
    }
    ++run_statistics.accesses;
    t.observed->last_access = t.pc;
    r.misuse.stored(t, where, size);
    access a = access_of(t, where, size, o);
    a.is_reduction = kind == update_kind::reduction;
    a.is_comparison = kind == update_kind::comparison;
    if (r.model.update(a, old, modify)) {
      r.changed(where, size);
      r.wrote(t);
    } else r.reads(t, where, size, true);
  }

  void fence(thread& t, semantics order, emulator::scope s, bool is_sc, bool is_restricted) override {
    current_run().model.fence({t, t.pc}, order, s, is_sc, is_restricted);
  }

  void proxy_fence(thread& t, bool global, bool shared) override {
    current_run().model.proxy_fence({t, t.pc}, global, shared);
  }

  void tensor_map_fence(thread& t, std::byte const* where, emulator::scope s) override {
    if (!is_private(t, where)) current_run().model.tensor_map_fence({t, t.pc}, where, s);
  }

  void tensor_map_release(thread& t, emulator::scope s) override {
    current_run().model.tensor_map_release({t, t.pc}, s);
  }

  void mbarrier_began(thread const& t, std::byte* where) override {
    run& r = current_run();
    r.phases.barrier_began(t, where);
    r.misuse.barrier_began(t, where);
    r.transactions.barrier_began(where);
    r.model.forget(where);
    r.model.touched(access_of(t, where, 8, {}), true);
    r.model.begin_barrier({t, t.pc}, where);
  }

  void mbarrier_ended(thread const& t, std::byte* where) override {
    run& r = current_run();
    r.phases.barrier_ended(where);
    r.misuse.barrier_ended(t, where);
    r.transactions.barrier_ended(where);
    r.model.touched(access_of(t, where, 8, {}), true);
    r.model.forget(where);
  }

  void waits_at_mbarrier(thread& t, std::byte const* where, bool is_parity, std::uint64_t state) override {
    current_run().reads(t, where, 8, true);
    current_run().model.use_barrier({t, t.pc}, where);
    current_run().misuse.waits(t, where, is_parity);
    current_run().transactions.check_sum(where);
    if (is_parity) current_run().phases.check_parity(current_run(), t, where, std::uint32_t(state));
  }

  void expects_at_mbarrier(thread const& t, std::byte const* where, ordering o) override {
    current_run().model.touched(access_of_mbarrier(t, where, o), true);
    use(t, where);
    current_run().misuse.uses(t, t.pc, where, "an expectation of bytes at");
    current_run().transactions.expects(t, where);
  }

  void completes_at_mbarrier(thread const& t, std::byte const* where, ordering o, std::uint32_t bytes) override {
    run& r = current_run();
    r.model.touched(access_of_mbarrier(t, where, o), true);
    use(t, where);
    r.model.arrive({t, t.pc}, where, r.phases.of(where), o.scope, false); // it may end the phase
    r.misuse.uses(t, t.pc, where, "a completion of bytes at");
    r.transactions.completes(place_of(t), where, r.transactions.issued(where), bytes);
  }

  void arrives_at_mbarrier(thread const& t, std::byte* where, ordering o, bool expects) override {
    run& r = current_run();
    r.misuse.arrives(t, where);
    r.transactions.arrives(t, where, expects);
    r.model.touched(access_of_mbarrier(t, where, o), true);
    use(t, where);
    r.model.arrive({t, t.pc}, where, r.phases.of(where), o.scope, o.semantics == semantics::release);
    r.phases.arrives(t, where);
    r.changed(where, 8);
  }

  bool leaves_mbarrier(thread& t, std::byte const* where, ordering o, bool is_parity, std::uint64_t state) override {
    run& r = current_run();
    // Arrivals of other threads need not be visible yet, unless the thread knows.
    std::uint64_t const phase = r.phases.of(where);
    if (!r.phases.knows(t, where, phase) && (r.chance.once_in(8) || (is_parity && r.falls_behind(t, where, phase))))
      return false;
    std::uint64_t const over = is_parity ? phase - 1 : phase - ((phase - mbarrier::unpacked(state).phase) & 3);
    r.model.touched(access_of_mbarrier(t, where, o), false);
    r.model.leave({t, t.pc}, where, over, o.scope, o.semantics == semantics::acquire);
    r.phases.sees_end(t, where, over);
    return true;
  }

  void issue(thread& t, asynchronous_write const& w) override { current_run().copies.issue(current_run(), t, w); }

  void commit_group(thread& t, group_kind kind) override { current_run().copies.commit(t, kind); }

  void wait_for_groups(thread& t, group_kind kind, u32 pending, bool reads) override {
    current_run().copies.wait(current_run(), t, kind, pending, reads);
  }

  void arrive_after_copies(thread& t, std::byte* barrier) override {
    current_run().copies.arrive_after(current_run(), t, barrier);
  }
} only;

[[maybe_unused]] bool const is_installed = (installed_memory_observer = &only, true);

} // namespace

} // namespace emulator::check
