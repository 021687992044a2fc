// SPDX-License-Identifier: Apache-2.0
//
// divergence: see the header.
#include "divergence.hpp"
#include "../../machine/program.hpp"
#include "findings.hpp"
#include "observed.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace emulator::check {
namespace {

/// bar.sync and its kin: not those of warps and clusters.
bool is_barrier_of_block(ptx::instruction const& i) {
  if (i.name != "bar" && i.name != "barrier") return false;
  return std::ranges::none_of(i.modifiers, [](auto m) { return m == "warp" || m == "cluster"; });
}

/// Whether it is a store by a compiler that gives line or column 0 to what it merges: by a newer LLVM, whose stores
/// have no more than a size. nvcc gives the place of one of the two, and nothing else in the PTX of a program says
/// which compiler made it.
bool is_store_of_llvm(ptx::instruction const& i) {
  return i.name == "st" && !i.modifiers.empty() && i.modifiers.back().starts_with('b');
}

/// Whether a thread that is at one statement of a body can come to another one, with no barrier between the two.
bool can_reach(std::vector<ptx::statement> const& body, ptx::instruction const* from, ptx::instruction const* to) {
  std::vector<std::size_t> open;
  std::vector<bool> seen(body.size());
  auto const visit = [&](std::size_t i) {
    if (i >= body.size() || seen[i]) return;
    seen[i] = true;
    open.push_back(i);
  };
  auto const visit_label = [&](std::string_view name) {
    for (std::size_t i = 0; i < body.size(); ++i)
      if (body[i].kind == ptx::statement_kind::label && body[i].name == name) visit(i);
  };
  for (std::size_t i = 0; i < body.size(); ++i)
    if (&body[i].instruction == from) visit(i + 1);
  while (!open.empty()) {
    std::size_t const i = open.back();
    open.pop_back();
    if (body[i].kind != ptx::statement_kind::instruction) {
      visit(i + 1);
      continue;
    }
    ptx::instruction const& what = body[i].instruction;
    if (&what == to) return true;
    bool const may_fall_through = !what.guard.empty();
    if (is_barrier_of_block(what)) {
      if (may_fall_through) visit(i + 1);
      continue;
    }
    if (what.name == "bra" && !what.operands.empty()) {
      visit_label(what.operands[0].name);
    } else if (what.name == "brx" && what.operands.size() > 1) {
      for (ptx::statement const& s : body)
        if (s.kind == ptx::statement_kind::branch_targets && s.name == what.operands[1].name)
          for (std::string_view const label : s.targets) visit_label(label);
    } else if (what.name != "ret" && what.name != "exit" && what.name != "trap") {
      visit(i + 1);
      continue;
    }
    if (may_fall_through) visit(i + 1);
  }
  return false;
}

} // namespace

void divergence::barrier_ends(named_barrier const& n, std::array<operation const*, 32> const& aligned, block const& b) {
  for (thread const& t : b.threads) {
    if (t.state != state::finished || n.lanes[t.warp->number] >> t.lane & 1) continue;
    observed_thread const& o = *t.observed;
    judge(t, o.last_access, n, aligned, b);
    if (o.last_read != o.last_access) judge(t, o.last_read, n, aligned, b);
  }
}

void divergence::judge(thread const& t, operation const* access, named_barrier const& n,
                       std::array<operation const*, 32> const& aligned, block const& b) {
  operation const* const last_barrier = t.observed->last_barrier;
  if (!access) return;
  for (warp const& w : b.warps) {
    operation const* const barrier = aligned[w.number];
    if (!barrier) continue;
    thread const& here = *w.threads[std::size_t(std::countr_zero(n.lanes[w.number]))];
    function const& f = *here.frame->function;
    if (!f.holds(barrier) || !f.holds(access) || access <= barrier) continue;
    if (last_barrier && (!f.holds(last_barrier) || last_barrier >= barrier)) continue;
    if (!judged_.insert({barrier, access}).second) continue;
    auto const source_of = [&](operation const* o) { return f.sources[std::size_t(o - f.operations.data())]; };
    ptx::instruction const& what = *source_of(access);
    bool const has_lines = what.at.source_file > 0, is_read = what.name == "ld";
    if (has_lines && what.at.is_merged) continue;
    // What was inlined from another file may have been merged, too, and the PTX of a program no longer says it.
    bool const may_be_merged = !has_lines || what.at.source_file != source_of(barrier)->at.source_file;
    if (!is_read && (may_be_merged || !is_store_of_llvm(what))) continue;
    if (!can_reach(f.source->body, source_of(barrier), &what)) continue;
    auto const came = std::size_t(std::ranges::count_if(
        b.threads, [&](thread const& each) { return n.lanes[each.warp->number] >> each.lane & 1; }));
    finding found{"divergence", {}, {party_of(here, f, barrier), party_of(t, f, access)}};
    found.text =
        "divergence: " + std::to_string(came) + " of " + std::to_string(b.threads.size()) +
        " threads of the block came to a barrier of all of them, and a thread that did not come went around it and on "
        "before it exited; put the barrier where all threads come to it, or let it count those that do\n  barrier: " +
        text_of(found.parties[0]) + "\n  around:  " + text_of(found.parties[1]);
    report(found);
  }
}

} // namespace emulator::check
