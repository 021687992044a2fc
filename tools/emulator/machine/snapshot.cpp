// SPDX-License-Identifier: Apache-2.0
//
// snapshot: see the header.
#include "snapshot.hpp"
#include "frames.hpp"

#include <bit>
#include <utility>

namespace emulator {
namespace {

std::uint64_t with(std::uint64_t hash, std::uint64_t word) { return (std::rotl(hash, 5) ^ word) * 0x9e3779b97f4a7c15; }

} // namespace

std::uint64_t snapshot_of(thread const& t) {
  std::uint64_t hash = std::uint64_t(t.pc);
  std::uint64_t const* const registers = t.frame->registers;
  for (std::uint32_t i = 0, n = t.frame->function->registers; i < n; ++i) hash = with(hash, registers[i]);
  return hash;
}

std::uint64_t snapshot_of_all(thread const& t) {
  std::uint64_t hash = std::uint64_t(t.pc);
  for (frame const* f = t.frame; f; f = f->caller) {
    auto const* const words = reinterpret_cast<std::uint64_t const*>(f);
    for (std::uint32_t i = 0, n = frame_bytes(*f->function) / 8; i < n; ++i) hash = with(hash, words[i]);
  }
  return hash;
}

std::uint64_t step_from(std::vector<std::uint64_t>& state, thread const& t) {
  std::uint64_t hash = 0;
  std::size_t at = 0;
  for (frame const* f = t.frame; f; f = f->caller) {
    auto const* const words = reinterpret_cast<std::uint64_t const*>(f);
    std::size_t const n = frame_bytes(*f->function) / 8;
    if (state.size() < at + n) state.resize(at + n);
    for (std::size_t i = 0; i < n; ++i, ++at) hash = with(hash, words[i] - std::exchange(state[at], words[i]));
  }
  state.resize(at);
  return with(hash, at);
}

} // namespace emulator
