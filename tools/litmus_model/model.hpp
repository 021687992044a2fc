// SPDX-License-Identifier: Apache-2.0
//
// model: what a memory model must say of an execution. `search` asks in the order of the members, and stops at the
// first axiom that the execution violates.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "execution.hpp"

namespace litmus {

/// The name of the axiom that an execution violates; null if it violates none.
using violation = char const*;

class model {
public:
  model() = default;
  model(model const&) = delete;
  model& operator=(model const&) = delete;
  virtual ~model() = default;

  [[nodiscard]] virtual litmus::lowering lowering() const = 0;
  /// Whether the run chooses an order of the seq_cst fences.
  [[nodiscard]] virtual bool orders_fences() const = 0;
  /// Whether two accesses are morally strong (PTX), or two atomic operations whose scopes include each other (C++).
  [[nodiscard]] virtual bool strong(execution const&, int a, int b) const = 0;
  /// Judges what does not depend on coherence order. Sets `synchronizes`, `before` and `cause`.
  virtual violation before_coherence(execution&) const = 0;
  /// Whether coherence order relates two writes that overlap.
  [[nodiscard]] virtual bool coherence_relates(execution const&, int a, int b) const = 0;
  /// Judges the accesses of one root, with their coherence order.
  [[nodiscard]] virtual violation coherence(execution const&, int root) const = 0;
  /// Judges the rest.
  [[nodiscard]] virtual violation whole(execution const&) const = 0;
  /// Two accesses of a consistent execution that make the program undefined.
  [[nodiscard]] virtual std::optional<std::pair<int, int>> race(execution const&) const = 0;
};

std::unique_ptr<model const> make_ptx_model();
std::unique_ptr<model const> make_rc11_model();

} // namespace litmus
