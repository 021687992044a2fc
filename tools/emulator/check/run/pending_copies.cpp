// SPDX-License-Identifier: Apache-2.0
//
// pending_copies: making them.
#include "pending_copies.hpp"
#include "../../instructions/support/waiting/mbarrier.hpp"
#include "../../machine/grid.hpp"
#include "memory_events.hpp"
#include "run.hpp"

#include <algorithm>

namespace emulator::check {
namespace {

access access_of(thread const& t, operation const* what, asynchronous_write const& w, std::byte const* where,
                 std::uint32_t size) {
  access a{{t, what}, const_cast<std::byte*>(where), size, semantics::weak, scope::none};
  if (w.async_proxy) a.proxy = proxy::async;
  if (w.reduce) a.semantics = semantics::relaxed, a.scope = w.async_proxy ? scope::gpu : scope::cluster;
  return a;
}

/// How much is accessed at once.
std::uint32_t unit_of(asynchronous_write const& w, std::uint32_t size) {
  return w.mask != 0xffff ? 1 : w.unit == 8 && size % 8 == 0 ? 8 : size % 4 == 0 ? 4 : 1;
}

block const* owner_of(thread const& t, std::byte const* where) {
  for (block const* const b : t.block->cluster->blocks)
    if (std::size_t(where - b->shared) < b->shared_size) return b;
  return nullptr;
}

std::string name_of(block const& b) {
  return "block (" + std::to_string(b.ctaid[0]) + ", " + std::to_string(b.ctaid[1]) + ", " +
         std::to_string(b.ctaid[2]) + ")";
}

/// The bytes are to be complete at a barrier of the block that gets them. [PTX ISA, "st.async", "cp.async.bulk.tensor":
/// else undefined; "cp.async.bulk" describes no other case]
void check_target(thread const& t, asynchronous_write const& w) {
  std::byte const* const to = w.parts ? w.parts->empty() ? nullptr : w.parts->front().to : w.to;
  block const *const target = owner_of(t, to), *const told = owner_of(t, w.barrier);
  if (!target || !told || target == told) return;
  finding f{"misuse", {}, {party_of(t, t.pc)}};
  f.text =
      "misuse: a copy writes shared memory of " + name_of(*target) + " and completes its bytes at an mbarrier of " +
      name_of(*told) +
      ", which is undefined; map both addresses to the block that gets the data (mapa, map_shared_rank)\n  copy:   " +
      text_of(f.parties[0]);
  report(f);
}

} // namespace

void pending_copies::issue(run& r, thread& t, asynchronous_write const& w) {
  if (w.barrier) {
    check_target(t, w);
    r.model.use_barrier({t, t.pc}, w.barrier);
  }
  thread_groups& g = groups_[&t];
  auto made = std::make_shared<copy>(copy{.number = r.model.issue({t, t.pc}),
                                          .who = &t,
                                          .what = t.pc,
                                          .write = w,
                                          .group = g.committed[w.async_proxy],
                                          .phase = w.barrier ? r.transactions.issued(w.barrier) : 0,
                                          .issued_at = place_of(t),
                                          .data = {}});
  if (w.map && !is_private(t, w.map)) {
    std::byte map[128];
    access a{{t, t.pc}, const_cast<std::byte*>(w.map), sizeof(map), semantics::weak, scope::none};
    a.proxy = proxy::tensormap;
    r.model.async_load(made->number, a, map);
  }
  unfinished_.push_back(made);
  if (!w.barrier) g.copies.push_back(std::move(made));
}

void pending_copies::commit(thread& t, group_kind kind) { ++groups_[&t].committed[kind == group_kind::bulk_copies]; }

void pending_copies::read(run& r, copy& c) {
  if (c.is_read) return;
  c.is_read = true;
  asynchronous_write const& w = c.write;
  c.data.assign(w.size, std::byte(0));
  if (w.parts) return read_parts(r, c);
  std::uint32_t const size = w.size - w.zeros, unit = unit_of(w, size);
  if (!w.from) {
    std::copy_n(w.value.begin(), size, c.data.begin());
    return;
  }
  for (std::uint32_t i = 0; i < size; i += unit) {
    if (!(w.mask >> i % 16 & 1)) continue;
    auto a = access_of(*c.who, c.what, w, w.from + i, unit);
    a.semantics = semantics::weak, a.scope = scope::none;
    if (is_private(*c.who, a.where)) std::copy_n(a.where, unit, c.data.data() + i);
    else r.model.async_load(c.number, a, c.data.data() + i);
  }
}

void pending_copies::read_parts(run& r, copy& c) {
  asynchronous_write const& w = c.write;
  std::byte* data = c.data.data();
  for (asynchronous_part const& p : *w.parts) {
    std::uint32_t const unit = emulator::unit_of(p);
    for (std::uint32_t i = 0; p.from && i < p.size; i += unit) {
      auto a = access_of(*c.who, c.what, w, p.from + i, unit);
      a.semantics = semantics::weak, a.scope = scope::none;
      r.model.async_load(c.number, a, data + i);
    }
    if (p.from && w.convert) w.convert(data, p.size);
    if (!p.from) value_of(w, p, data);
    data += p.size;
  }
}

void pending_copies::write_parts(run& r, copy& c) {
  asynchronous_write const& w = c.write;
  std::byte const* data = c.data.data();
  for (asynchronous_part const& p : *w.parts) {
    std::vector<std::byte> sum(data, data + p.size);
    if (w.reduce) {
      std::copy_n(p.to, p.size, sum.data());
      w.reduce(sum.data(), data, p.size);
    }
    std::uint32_t const unit = emulator::unit_of(p);
    for (std::uint32_t i = 0; i < p.size; i += unit)
      r.model.async_store(c.number, access_of(*c.who, c.what, w, p.to + i, unit), sum.data() + i);
    data += p.size;
  }
}

void pending_copies::write(run& r, copy& c) {
  read(r, c);
  if (c.is_written) return;
  c.is_written = true;
  asynchronous_write const& w = c.write;
  std::uint32_t const unit = unit_of(w, w.size);
  if (w.parts) write_parts(r, c);
  else
    for (std::uint32_t i = 0; i < w.size; i += w.reduce ? w.size : unit) {
      if (!(w.mask >> i % 16 & 1)) continue;
      if (!w.reduce) {
        r.model.async_store(c.number, access_of(*c.who, c.what, w, w.to + i, unit), c.data.data() + i);
        continue;
      }
      std::vector<std::byte> sum(w.size);
      std::copy_n(w.to, w.size, sum.data());
      w.reduce(sum.data(), c.data.data(), w.size);
      for (std::uint32_t part = 0; part < w.size; part += unit)
        r.model.async_store(c.number, access_of(*c.who, c.what, w, w.to + part, unit), sum.data() + part);
    }
  if (w.barrier) {
    r.misuse.uses(*c.who, c.what, w.barrier, "a copy that completes at");
    r.transactions.completes(c.issued_at, w.barrier, c.phase, w.size);
    r.model.async_arrive(c.number, w.barrier, phase_of_mbarrier(w.barrier));
    complete_bytes(*c.who, w.barrier, w.size);
    r.transactions.check_sum(w.barrier);
  }
  r.progressed();
}

void pending_copies::wait(run& r, thread& t, group_kind kind, std::uint32_t pending, bool reads) {
  bool const bulk = kind == group_kind::bulk_copies;
  thread_groups& g = groups_[&t];
  std::uint64_t const committed = g.committed[bulk];
  auto const is_awaited = [&](copy const& c) { // wait_all waits for those of no group, too
    return c.write.async_proxy == bulk && (pending == ~0u || c.group + pending < committed);
  };
  auto const end = [&](copy_pointer const& c) {
    if (!is_awaited(*c)) return false;
    write(r, *c);
    r.model.async_wait(c->number, {t, t.pc});
    return true;
  };
  if (!reads) std::erase_if(g.read, end);
  std::erase_if(g.copies, [&](copy_pointer const& c) {
    if (!reads) return end(c);
    if (!is_awaited(*c)) return false;
    read(r, *c);
    r.model.async_wait(c->number, {t, t.pc}, true);
    g.read.push_back(c);
    return true;
  });
  std::erase_if(unfinished_, [](copy_pointer const& c) { return c->is_written; });
}

void pending_copies::arrive_after(run&, thread& t, std::byte* barrier) {
  arrival a{&t, t.pc, barrier, {}};
  for (copy_pointer const& c : groups_[&t].copies)
    if (!c->write.async_proxy) a.after.push_back(c);
  arrivals_.push_back(std::move(a));
}

void pending_copies::make(run& r, arrival const& a) {
  std::uint64_t const phase = phase_of_mbarrier(a.barrier);
  for (copy_pointer const& c : a.after) r.model.async_arrive(c->number, a.barrier, phase);
  arrive(*a.who, a.barrier, {});
  r.progressed();
}

void pending_copies::advance(run& r, thread* volatile& current) {
  std::size_t const chosen = r.chance.below(std::uint32_t(unfinished_.size() + arrivals_.size()));
  if (chosen < unfinished_.size()) {
    copy_pointer const c = unfinished_[chosen];
    current = c->who;
    if (!c->is_read && r.chance.once_in(2)) return read(r, *c);
    unfinished_.erase(unfinished_.begin() + std::ptrdiff_t(chosen));
    return write(r, *c);
  }
  std::size_t const index = chosen - unfinished_.size();
  if (!std::ranges::all_of(arrivals_[index].after, [](auto const& c) { return c->is_written; })) return;
  arrival const a = arrivals_[index];
  current = a.who;
  arrivals_.erase(arrivals_.begin() + std::ptrdiff_t(index));
  make(r, a);
}

/// A block's shared memory ends with its last thread, and CUDA gives it to the next block. So what a copy reads there
/// must have been read by then, and only a wait of the issuer, for a group that it has committed, tells that. `.read`
/// is enough: what a copy writes to global memory needs no block, and is visible when the grid has ended. Whether the
/// copy has been made by now does not matter: in another schedule it has not. [PTX ISA, "cp.async.bulk.wait_group"]
void pending_copies::check_end(thread const& last) const {
  for (thread const& issuer : last.block->threads) {
    auto const groups = groups_.find(&issuer);
    if (groups == groups_.end()) continue;
    for (copy_pointer const& c : groups->second.copies) {
      if (!c->write.async_proxy) continue; // cp.async writes shared memory, and reads none
      bool const is_committed = c->group < groups->second.committed[1];
      finding f{"misuse", {}, {party_of(c->issued_at), party_of(last, last.pc)}};
      f.text =
          std::string("misuse: a block ends, and a copy from its shared memory may not have read it yet, because ") +
          (is_committed ? "the thread that issued it has not waited for its group"
                        : "the thread that issued it has not committed it to a group and waited for that") +
          "; let the thread execute " + (is_committed ? "" : "cp.async.bulk.commit_group and ") +
          "cp.async.bulk.wait_group.read 0 (bulk_wait_read<0>) before it ends\n  copy:   " + text_of(f.parties[0]) +
          "\n  end:    " + text_of(f.parties[1]);
      report(f);
    }
  }
}

void pending_copies::finish(run& r, thread const& last, thread* volatile& current) {
  check_end(last);
  for (copy_pointer const& c : unfinished_) {
    if (c->who->block != last.block) continue;
    current = c->who;
    write(r, *c);
  }
  for (arrival const& a : arrivals_) {
    if (a.who->block != last.block) continue;
    current = a.who;
    make(r, a);
  }
}

void pending_copies::end_block(block const& b) {
  auto const is_here = [&](auto const& entry) { return entry.who->block == &b; };
  std::erase_if(unfinished_, [&](copy_pointer const& c) { return is_here(*c); });
  std::erase_if(arrivals_, is_here);
  std::erase_if(groups_, [&](auto const& entry) { return entry.first->block == &b; });
}

} // namespace emulator::check
