// SPDX-License-Identifier: Apache-2.0
//
// life: grids, blocks and memory that begin and end. When the last grid has ended, everything happens before whatever
// comes, except for a dependent grid. So the model forgets what it knew when another grid begins.
#include "../../machine/grid.hpp"
#include "../../machine/program.hpp"
#include "../../machine/readable_name.hpp"
#include "../../machine/resident.hpp"
#include "model_state.hpp"

#include <algorithm>

namespace emulator::check {

model::model(random& r, std::function<void(finding const&)> report)
  : state_(std::make_unique<state>(r, std::move(report))) {}
model::~model() = default;

void model::begin_grid(grid const& g) {
  std::lock_guard const lock(state_->mutex);
  function const* const kernel = g.launch.kernel;
  if (state_->is_over && !g.launch.is_dependent && !state_->agents.has_graph()) state_->forget_grids();
  state_->is_over = false;
  state_->agents.begin_grid(&g, kernel ? readable_name(kernel->name) : std::string(), g.launch, state_->host.known);
  if (g.parameters && kernel && kernel->parameter_bytes)
    state_->regions.add(number(g.parameters), kernel->parameter_bytes, "kernel parameters").is_shadowed = false;
  state_->regions.add(number(&g.workspace), sizeof g.workspace, "the grid's barrier");
}

void model::end_grid(grid const& g) {
  std::lock_guard const lock(state_->mutex);
  state& s = *state_;
  if (g.parameters) s.regions.remove(number(g.parameters));
  s.regions.remove(number(&g.workspace));
  s.forget_memory(number(&g.workspace), sizeof g.workspace);
  s.is_over = s.agents.end_grid(&g);
}

void model::state::forget_grids() {
  agents.clear();
  shadow.clear();
  histories.clear();
  barriers.clear();
  map_fences.clear();
  map_releases.clear();
  fences = {};
  host = {.scope = emulator::scope::sys};
  copies.clear();
  copy_of_agent.clear();
}

void model::wait_for_prerequisites(action const& a) {
  std::lock_guard const lock(state_->mutex);
  state_->agents.await_prerequisites(state_->agents.of(a.who));
}

void model::begin_block(block const& b) {
  std::lock_guard const lock(state_->mutex);
  state& s = *state_;
  u32 const owner = s.agents.begin_block(b).number;
  // Its barriers were another block's.
  if (b.barriers) s.forget_barriers(number(b.barriers), sizeof *b.barriers);
  if (b.cluster && b.rank == 0) s.barriers.erase(b.cluster->barrier);
  if (!b.shared || !b.shared_size) return;
  region& r = s.regions.add(number(b.shared), b.shared_size, "__shared__ data");
  std::uint32_t const own = b.shared_size - b.reserved_shared; // the rest holds zeros of the system
  r.is_shared = true;
  r.owner = owner;
  r.written.begin(b.shared_size);
  r.written.add(own, b.reserved_shared);
  s.forget_memory(r.start, r.size);
  for (std::uint32_t i = 0; i < own; i += 8) {
    u64 const noise = s.chance.next();
    std::memcpy(b.shared + i, &noise, std::min<std::size_t>(8, own - i));
  }
}

void model::end_block(block const& b) {
  std::lock_guard const lock(state_->mutex);
  state& s = *state_;
  s.agents.end_block(b);
  if (region const* const r = b.shared ? s.regions.remove(number(b.shared)) : nullptr)
    s.forget_memory(r->start, r->size);
}

void model::begin_thread(thread const& t) {
  std::lock_guard const lock(state_->mutex);
  state_->agents.of(t);
}

void model::end_thread(thread const& t) {
  std::lock_guard const lock(state_->mutex);
  agent& who = state_->agents.of(t);
  state_->settle(who, false);
  block_agent& b = *who.block;
  if (b.alive > 0) --b.alive;
}

void model::allocated(std::byte* where, std::size_t size, std::string name, bool has_no_value) {
  std::lock_guard const lock(state_->mutex);
  if (!size) return;
  region& r = state_->regions.add(number(where), size, std::move(name));
  for (char const* word : {"managed", "mapped", "registered", "host", "pinned"})
    r.is_of_host |= r.name.find(word) != std::string::npos;
  if (has_no_value) r.written.begin(size);
  state_->forget_memory(number(where), size);
}

void model::written(std::byte const* where, std::size_t pitch, std::size_t width, std::size_t rows) {
  std::lock_guard const lock(state_->mutex);
  region* const r = state_->regions.holding(number(where));
  if (!r || r->is_gone || !r->written.are_kept()) return;
  for (std::size_t row = 0; row < rows; ++row) {
    std::size_t const from = number(where) - r->start + row * pitch;
    if (from >= r->size) return;
    if (from == 0 && width >= r->size) return r->written.forget(); // no byte is without a value
    r->written.add(from, std::min(width, r->size - from));
  }
}

std::string model::describe(thread const& t, std::byte const* where, std::uint32_t size) {
  std::lock_guard const lock(state_->mutex);
  std::string text = std::to_string(size) + (size == 1 ? " byte of " : " bytes of ");
  region const* const r = state_->regions.holding(number(where));
  if (!r || r->is_gone) return text + "memory that is gone";
  block const& b = *t.block;
  function const* const kernel = b.grid->launch.kernel;
  std::size_t const in_block = std::size_t(where - b.shared), offset = number(where) - r->start;
  if (in_block < b.shared_size) text += kernel->program->shared_name(*kernel, std::uint32_t(in_block));
  else text += r->name + (offset ? ", byte " + std::to_string(offset) : "");
  u64 value = 0;
  std::memcpy(&value, where, std::min<std::size_t>({size, sizeof value, r->size - offset}));
  char digits[32];
  std::snprintf(digits, sizeof digits, "%#llx", static_cast<unsigned long long>(value));
  return text + (size == 1 ? ", which is " : ", which are ") + digits;
}

void model::freed(std::byte* where) {
  std::lock_guard const lock(state_->mutex);
  if (region const* const r = state_->regions.remove(number(where))) state_->forget_memory(r->start, r->size);
}

void model::state::forget_memory(std::uintptr_t start, std::size_t size) {
  // What was released in the rest of a word, which may be another allocation's, is kept.
  histories.divide_at(start);
  histories.divide_at(start + size);
  forget_locations(start, size);
  shadow.forget(start, size);
  forget_barriers(start, size);
}

void model::state::forget_barriers(std::uintptr_t start, std::size_t size) {
  std::erase_if(barriers, [&](auto const& b) { return number(b.first) - start < size; });
}

} // namespace emulator::check
