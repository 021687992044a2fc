// SPDX-License-Identifier: Apache-2.0
#include "execution.hpp"

#include <stdexcept>

namespace litmus {

namespace {

void add_initial_writes(execution& e) {
  auto const& l = *e.layout;
  for (int root = 0; root < l.roots(); ++root) {
    if (l.cells(root).empty()) continue;
    event one;
    one.kind = event_kind::initial;
    one.writes = true;
    one.where = l.of(root);
    one.written = l.split(one.where, e.program->locations[std::size_t(root)].initial);
    e.initial |= only(e.size());
    e.events.push_back(std::move(one));
  }
}

/// Elements of a vector access have no order.
bool in_one_vector(event const& a, event const& b) {
  return a.instruction == b.instruction && a.kind == event_kind::access && b.kind == event_kind::access;
}

void relate(execution& e) {
  int const n = e.size();
  e.po = e.depends = e.mutual = e.rf = e.promised = e.sc = e.co = e.synchronizes = e.before = e.cause = relation(n);
  for (int a = 0; a < n; ++a) {
    auto const& x = e.events[std::size_t(a)];
    if (x.reads) e.reads |= only(a);
    if (x.writes) e.writes |= only(a);
    if (x.kind == event_kind::fence) e.fences |= only(a);
    if (x.acquires) e.acquires |= only(a);
    if (x.releases) e.releases |= only(a);
    if (x.seq_cst) e.seq_cst |= only(a);
    for_each(x.depends, [&](int read) { e.depends.add(read, a); });
    for (int b = 0; b < n; ++b) {
      auto const& y = e.events[std::size_t(b)];
      if (a == b || y.thread < 0) continue;
      if (x.thread < 0) {
        e.po.add(a, b);
        continue;
      }
      auto const& at = e.placement->threads;
      auto const &p = at[std::size_t(x.thread)], &q = at[std::size_t(y.thread)];
      if (x.thread == y.thread) {
        e.mutual.add(a, b);
        if (a < b && !in_one_vector(x, y)) e.po.add(a, b);
      } else if (x.strong && y.strong && includes(x.scope, p, q) && includes(y.scope, q, p)) e.mutual.add(a, b);
    }
  }
}

} // namespace

relation execution::from_reads() const {
  relation result(size());
  for_each(reads, [&](int r) {
    auto const& read = events[std::size_t(r)];
    for (int c = 0; c < read.where.count; ++c) {
      int const source = sources[std::size_t(r)][std::size_t(c)];
      for_each(co.after(source), [&](int w) {
        if (w != r && covers(events[std::size_t(w)], read.where.root, read.where.first + c)) result.add(r, w);
      });
    }
  });
  return result;
}

event_set execution::accesses_of(int root) const {
  event_set all = 0;
  for (int i = 0; i < size(); ++i)
    if (events[std::size_t(i)].accesses() && events[std::size_t(i)].where.root == root) all |= only(i);
  return all;
}

execution assemble(program const& p, placement const& where, layout const& l, std::vector<trace const*> const& traces) {
  execution e;
  e.program = &p;
  e.placement = &where;
  e.layout = &l;
  add_initial_writes(e);
  for (trace const* t : traces) {
    int const base = e.size();
    if (e.events.size() + t->events.size() > max_events)
      throw std::length_error("an execution has more than " + std::to_string(max_events) + " events");
    for (event one : t->events) {
      one.depends = base == 0 ? one.depends : one.depends << base;
      e.events.push_back(std::move(one));
    }
    e.registers.push_back(t->registers);
  }
  e.sources.resize(e.events.size());
  for (std::size_t i = 0; i < e.events.size(); ++i)
    if (e.events[i].reads) e.sources[i].assign(std::size_t(e.events[i].where.count), -1);
  relate(e);
  return e;
}

} // namespace litmus
