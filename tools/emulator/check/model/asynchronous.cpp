// SPDX-License-Identifier: Apache-2.0
//
// asynchronous: copies, each an agent that knows what its issuer knew when it issued it.  [PTX ISA, "Async Proxy",
// "Completion Mechanisms for Asynchronous Copy Operations"]
// Its end tells others of its own accesses and of nothing else. It reads in one epoch and writes in the next, so that
// one can know of its reads alone: that is what wait_group.read waits for.
#include "model_state.hpp"

namespace emulator::check {

std::uint64_t model::issue(action const& a) {
  std::lock_guard const lock(state_->mutex);
  state& all = *state_;
  agent& who = all.agents.of(a.who);
  agent& copy = all.agents.copy_of(who);
  ++copy.epoch; // of its end; it reads in the one before
  agents::released_by(who, scope::none, no_agent).give(copy.known);
  who.last_event = who.epoch;
  agents::advance(who);
  u64 const number = ++all.copies_issued;
  if (u64& before = all.copy_of_agent[copy.number]; before) all.copies.erase(before);
  all.copy_of_agent[copy.number] = number;
  all.copies[number] = {copy.number, copy.epoch, all.code_locations.of(a)};
  return number;
}

void model::async_load(std::uint64_t number, access const& a, void* value) {
  std::lock_guard const lock(state_->mutex);
  auto const found = state_->copies.find(number);
  if (found == state_->copies.end())
    return state_->load(state_->agents.of(a.who), a, state_->code_locations.of(a), value);
  state::copy const& c = found->second;
  agent& who = state_->agents[c.who];
  --who.epoch;
  state_->load(who, a, c.code, value);
  ++who.epoch;
}

void model::async_store(std::uint64_t number, access const& a, void const* value) {
  std::lock_guard const lock(state_->mutex);
  auto const found = state_->copies.find(number);
  if (found == state_->copies.end())
    return state_->store(state_->agents.of(a.who), a, state_->code_locations.of(a), value);
  state_->store(state_->agents[found->second.who], a, found->second.code, value);
}

/// Complete-tx has .release at cluster scope, by the thread that issued the copy: so a wait of its own block may
/// acquire at block scope, and one of another block has to acquire at cluster scope.  [PTX ISA, "cp.async.bulk",
/// "st.async"]
void model::async_arrive(std::uint64_t number, void const* object, std::uint64_t phase) {
  std::lock_guard const lock(state_->mutex);
  auto const found = state_->copies.find(number);
  if (found == state_->copies.end()) return;
  auto const [number_of_agent, epoch, code] = found->second;
  agent const& who = state_->agents[number_of_agent];
  state_->visit(number_of_agent, epoch, code, object, phase);
  state_->phase_of(object, phase, who, epoch, scope::cluster)
      .add({.block = who.block->number,
            .index = who.index,
            .epoch = epoch,
            .scope = scope::cluster,
            .from = who.number,
            .from_epoch = epoch,
            .from_block = who.block->number,
            .code = code});
}

void model::async_wait(std::uint64_t number, action const& a, bool for_reads) {
  std::lock_guard const lock(state_->mutex);
  auto const found = state_->copies.find(number);
  if (found == state_->copies.end()) return;
  agent const& who = state_->agents[found->second.who];
  u32 const epoch = found->second.epoch - for_reads;
  state_->agents.of(a.who).known.all.raise(who.block->number, who.index, epoch);
}

} // namespace emulator::check
