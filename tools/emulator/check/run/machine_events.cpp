// SPDX-License-Identifier: Apache-2.0
//
// machine_events: from the machine to the run and the model: the observer of checked runs.
#include "../../machine/grid.hpp"
#include "../../machine/observer.hpp"
#include "findings.hpp"
#include "observed.hpp"
#include "run.hpp"
#include "statistics.hpp"

#include <bit>
#include <cstdio>

namespace emulator::check {
namespace {

/// All lanes of a warp must be at the barrier where the barrier is .aligned.
void check_divergence(named_barrier const& n, std::array<operation const*, 32> const& aligned, block const& b) {
  for (warp const& w : b.warps) {
    std::uint32_t const lanes = n.lanes[w.number];
    if (!aligned[w.number] || (lanes | w.finished) == ~0u) continue;
    thread const& here = *w.threads[std::size_t(std::countr_zero(lanes))];
    thread const& elsewhere = *w.threads[std::size_t(std::countr_zero(~(lanes | w.finished)))];
    char text[200];
    std::snprintf(
        text, sizeof text,
        "lanes 0x%08x of a warp are at the barrier and lanes 0x%08x are not; .aligned, which bar.sync implies, "
        "needs them to come together",
        unsigned(lanes), unsigned(~(lanes | w.finished)));
    fail_pair("divergence", here, aligned[w.number], elsewhere, text);
  }
}

/// Lanes of a warp must not arrive at a barrier that is .aligned by two instructions.
void check_alignment(thread& t, named_barrier const& n, std::uint32_t number) {
  warp const& w = *t.warp;
  operation const*& first = t.block->observed->aligned[number][w.number];
  if (first && first != t.pc)
    fail_pair("divergence", *w.threads[std::size_t(std::countr_zero(n.lanes[w.number]))], first, t,
              "lanes of a warp come to barrier " + std::to_string(number) +
                  " at two places; .aligned, which bar.sync implies, needs them to come together");
  first = t.pc;
}

struct machine_events final : observer {
  // --- grids, blocks and threads ---
  void grid_begins(grid& g) override {
    current_run().post([&g](run& r) {
      begin_report();
      r.model.begin_grid(g);
      if (g.launch.cooperative)
        r.model.allocated(reinterpret_cast<std::byte*>(&g.workspace), sizeof g.workspace, "the grid's barrier");
    });
  }
  void grid_ended(grid& g) override {
    if (g.launch.cooperative) current_run().model.freed(reinterpret_cast<std::byte*>(&g.workspace));
    current_run().model.end_grid(g);
  }
  void block_begins(resident_block& b) override {
    run& r = current_run();
    if (b.rank == 0) r.model.forget(&b.own_cluster_barrier);
    r.add(b);
  }
  void block_ended(resident_block& b) override { current_run().remove(b); }
  void thread_ends(thread& t) override { current_run().model.end_thread(t); }
  void thread_failed(thread const& t, fault const& f) override { report_fault(t, f); }

  void waits_for_prerequisites(thread const& t) override { current_run().model.wait_for_prerequisites({t, t.pc}); }

  // --- the schedule ---
  turns run_turns(thread* volatile& current) override { return current_run().run_turns(current); }
  bool has_work() override {
    run const& r = current_run();
    return !r.ready.empty() || !r.asleep.empty() || !r.copies.empty();
  }
  void take_host_calls() override { current_run().take_posted(); }
  void make_ready(thread& t) override { current_run().make_ready(t); }
  fault deadlock(std::vector<block*> const& blocks, std::string const& to_begin) override {
    return report_deadlock(blocks, to_begin);
  }
  fault livelock(std::vector<block*> const& blocks, std::string const& to_begin) override {
    run& r = current_run();
    return report_livelock(blocks, to_begin, [&](thread const& t) { return r.poll_of(t); }, r.transactions.lacking());
  }
  std::uint64_t time() override {
    run& r = current_run();
    r.reads_time();
    return r.time;
  }
  std::uint32_t choose_below(std::uint32_t bound) override { return current_run().chance.below(bound); }
  handler instruction_counter() override { return count_instruction; }

  // --- barriers ---
  void arrives_at_barrier(thread& t, named_barrier const& n, std::uint32_t number, bool is_aligned) override {
    current_run().model.arrive({t, t.pc}, &n, n.phase, scope::cta, true);
    t.observed->last_barrier = t.pc;
    t.observed->last_access = t.observed->last_read = nullptr;
    if (is_aligned) check_alignment(t, n, number);
  }
  void barrier_completes(named_barrier const& n, std::uint32_t number, resident_block& b) override {
    auto& aligned = b.observed->aligned[number];
    check_divergence(n, aligned, b);
    if (!n.expected && b.alive < b.threads.size()) current_run().divergence.barrier_ends(n, aligned, b);
    aligned.fill(nullptr);
  }
  void leaves_barrier(thread const& t, named_barrier const& n) override {
    current_run().model.leave({t, t.pc}, &n, n.phase, scope::cta, true);
  }
  void arrives_at_cluster(thread const& t, bool releases, bool is_aligned, std::uint64_t phase) override {
    if (is_aligned) {
      auto& [last, where] = current_run().aligned[t.warp];
      if (where && last == phase && where != t.pc)
        fail(t, 719,
             "divergence: other lanes of the warp arrive at the cluster's barrier at another place; "
             ".aligned needs them to come together");
      last = phase;
      where = t.pc;
    }
    current_run().model.arrive({t, t.pc}, t.block->cluster->barrier, phase, scope::cluster, releases);
  }
  void leaves_cluster(thread const& t, std::uint64_t phase) override {
    current_run().model.leave({t, t.pc}, t.block->cluster->barrier, phase, scope::cluster, true);
  }
  void lanes_meet(warp& w, std::uint32_t lanes) override {
    run& r = current_run();
    std::uint64_t const phase = ++r.barriers;
    for (std::uint32_t rest = lanes; rest; rest &= rest - 1) {
      thread const& t = *w.threads[std::size_t(std::countr_zero(rest))];
      r.model.arrive({t, t.pc}, &w, phase, scope::cta, true);
    }
    for (std::uint32_t rest = lanes; rest; rest &= rest - 1) {
      thread const& t = *w.threads[std::size_t(std::countr_zero(rest))];
      r.model.leave({t, t.pc}, &w, phase, scope::cta, true);
    }
    r.model.forget(&w);
  }
  void lanes_met(warp const& w, std::uint32_t lanes) override { current_run().phases.lanes_met(w, lanes); }

  bool meets_early(thread const& t, operation const* meeting) override {
    return current_run().early_meetings.meets(t, meeting);
  }

  // --- memory ---
  void allocated(std::byte* where, std::size_t size, std::string name, bool has_no_value) override {
    current_run().model.allocated(where, size, std::move(name), has_no_value);
  }
  void freed(std::byte* where) override { current_run().model.freed(where); }
  void host_allocated(std::byte* where, std::size_t size, std::string name, bool has_no_value) override {
    current_run().post([=, name = std::move(name)](run& r) { r.model.allocated(where, size, name, has_no_value); });
  }
  void host_freed(std::byte* where) override {
    current_run().post([=](run& r) { r.model.freed(where); });
  }

  // --- cluster launch control ---
  void requests_cluster(thread const& t, bool found) override { current_run().misuse.requests(t, found); }
  void told_of_no_cluster(thread const& t) override { current_run().misuse.told_none(t); }
} only;

[[maybe_unused]] bool const is_installed = (installed_observer = &only, true);

} // namespace
} // namespace emulator::check
