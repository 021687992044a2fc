// SPDX-License-Identifier: Apache-2.0
//
// execution: the events of one run and the relations among them. `search` chooses the relations, a model judges them.
#pragma once

#include <string>
#include <vector>

#include "event.hpp"
#include "traces.hpp"

namespace litmus {

struct execution {
  litmus::program const* program = nullptr;
  litmus::placement const* placement = nullptr;
  litmus::layout const* layout = nullptr;
  std::vector<event> events;                 ///< the initial writes first; `depends` counts within this vector
  std::vector<std::vector<value>> registers; ///< of each thread, at the end

  // What follows from the program.
  relation po;      ///< program order, transitive; an initial write precedes all other events
  relation depends; ///< from a read to the writes whose value or existence depends on it
  relation mutual;  ///< the scopes of two strong events include each other's threads; or one thread executes both
  event_set initial = 0, reads = 0, writes = 0, fences = 0, acquires = 0, releases = 0, seq_cst = 0;

  // What a run chooses.
  std::vector<std::vector<int>> sources; ///< of each event, cell by cell: the write that it reads from
  relation rf;                           ///< from a write to its reads
  relation promised;                     ///< what barriers and primitives order
  std::vector<std::vector<int>> calls;   ///< of each primitive: its calls, one after the other
  relation sc;                           ///< PTX: the order of fence.sc
  relation co;                           ///< coherence order, C++: modification order; transitive

  // What a model derives.
  relation synchronizes;
  relation before; ///< PTX: base causality order, C++: happens before
  relation cause;  ///< PTX: causality order

  [[nodiscard]] int size() const { return int(events.size()); }
  /// From a read to the writes that follow the write it reads from.
  [[nodiscard]] relation from_reads() const;
  /// The accesses of a root.
  [[nodiscard]] event_set accesses_of(int root) const;
};

/// The execution of these traces, one for each thread, before a run chooses anything. Throws std::length_error if it
/// has more than 64 events.
execution assemble(program const&, placement const&, layout const&, std::vector<trace const*> const&);

} // namespace litmus
