// SPDX-License-Identifier: Apache-2.0
//
// event: what a thread does in one execution: an access, a fence, half of a barrier, a call of a primitive.
#pragma once

#include <vector>

#include "layout.hpp"
#include "program.hpp"
#include "relation.hpp"

namespace litmus {

enum class event_kind {
  initial, ///< the write of a location's initial value; precedes everything
  access,
  fence,
  arrive, ///< the first half of sync: releases
  meet,   ///< the second half of sync: acquires from all arrivals
  call,
};

struct event {
  event_kind kind = event_kind::access;
  int thread = -1, instruction = -1;
  bool reads = false, writes = false; ///< both: a read-modify-write
  bool strong = false;                ///< not weak
  bool acquires = false, releases = false, seq_cst = false;
  bool returns = true; ///< false: a read-modify-write that returns nothing, whose read acquires nothing
  litmus::scope scope = scope::system;
  extent where{-1, 0, 0};           ///< of an access
  std::vector<value> read, written; ///< cell by cell
  event_set depends = 0;            ///< on the values of these reads
  int level = -1, round = 0;        ///< of a barrier: which of the thread's meetings of this level
  int object = -1;
  litmus::member member = litmus::member::wait;
  value result = 0;
  std::vector<value> arguments;

  [[nodiscard]] bool accesses() const { return kind == event_kind::access || kind == event_kind::initial; }
  [[nodiscard]] bool is_rmw() const { return reads && writes; }
};

/// Whether two accesses have a byte in common; whether they cover the same bytes.
inline bool overlap(event const& a, event const& b) {
  return a.accesses() && b.accesses() && a.where.root == b.where.root &&
         a.where.first < b.where.first + b.where.count && b.where.first < a.where.first + a.where.count;
}
inline bool overlap_completely(event const& a, event const& b) {
  return overlap(a, b) && a.where.first == b.where.first && a.where.count == b.where.count;
}
inline bool covers(event const& a, int root, int cell) {
  return a.accesses() && a.where.root == root && a.where.first <= cell && cell < a.where.first + a.where.count;
}

} // namespace litmus
