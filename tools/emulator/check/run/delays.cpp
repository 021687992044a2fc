// SPDX-License-Identifier: Apache-2.0
//
// delays: see the header. Times are counted in rounds: as many turns as there are threads.
#include "delays.hpp"

#include <algorithm>

namespace emulator::check {
namespace {

constexpr std::uint64_t not_of_the_schedule = 0x64656c617973;        // other numbers than those of run::chance
constexpr std::uint32_t one_of = 4;                                  // seeds
constexpr std::uint32_t shortest = 4, longest_power = 6;             // rounds of a delay: up to 4 * 2^6
constexpr std::uint32_t first_gap_power = 2, longest_gap_power = 10; // rounds between two: up to 2^2, at last 2^10
constexpr std::uint32_t delays_of_a_power = 4;
constexpr std::uint64_t longest_wait_for_moment = 32; // rounds; then any turn will do

} // namespace

delays::delays(std::uint64_t seed) : chance_(seed ^ not_of_the_schedule) {
  // The first turn chooses the next moment: then there are threads.
  if (chance_.once_in(one_of)) due_[std::size_t(moment::turn)] = 0;
}

void delays::choose_next(std::uint64_t turn, std::uint64_t threads) {
  std::uint32_t const power = std::min(first_gap_power + times_++ / delays_of_a_power, longest_gap_power);
  std::uint64_t const next = turn + threads + chance_.below(std::uint32_t(threads) << power);
  due_.fill(never);
  due_[std::size_t(moment::turn)] = next + longest_wait_for_moment * threads;
  due_[chance_.below(std::uint32_t(due_.size()))] = next;
}

bool delays::hold(thread& t, std::uint64_t turn, std::uint64_t threads) {
  if (times_ == 0) {
    choose_next(turn, threads);
    return false;
  }
  held_ = &t;
  until_ = turn + threads * (shortest << chance_.below(longest_power + 1));
  due_.fill(never);
  return true;
}

void delays::end(std::uint64_t turn, std::uint64_t threads) {
  held_ = nullptr;
  choose_next(turn, threads);
}

} // namespace emulator::check
