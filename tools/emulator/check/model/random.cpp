// SPDX-License-Identifier: Apache-2.0
//
// random: splitmix64, whose state is one number: the seed is all that a replay needs.
#include "model.hpp"

namespace emulator::check {

random::random(std::uint64_t seed) : state_(seed) {}

std::uint64_t random::next() {
  std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

std::uint32_t random::below(std::uint32_t bound) { return std::uint32_t((next() >> 32) * bound >> 32); }

} // namespace emulator::check
