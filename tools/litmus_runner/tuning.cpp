// SPDX-License-Identifier: Apache-2.0
#include "tuning.hpp"

#include <algorithm>

namespace litmus_runner {

namespace {

constexpr std::size_t most_known = 6;

/// Adds a seed as the latest one.
void remember(std::vector<unsigned>& seeds, unsigned seed) {
  std::erase(seeds, seed);
  seeds.push_back(seed);
  if (seeds.size() > most_known) seeds.erase(seeds.begin());
}

} // namespace

void tuning::begin(std::string const& kin, std::string const& shape) {
  kin_ = kin;
  shape_ = shape;
  trials_.clear();
  launches_ = 0;
  of_kin_ = known_[kin];
  suggested_ = known_[shape];
  for (unsigned const seed : of_kin_) remember(suggested_, seed);
}

tuning::trial* tuning::best() {
  auto const found =
      std::max_element(trials_.begin(), trials_.end(), [](trial const& a, trial const& b) { return a.rate < b.rate; });
  return found == trials_.end() || found->rate == 0 ? nullptr : &*found;
}

unsigned tuning::next() {
  unsigned const number = launches_++;
  if (!suggested_.empty()) {
    unsigned const seed = suggested_.back();
    suggested_.pop_back();
    return seed;
  }
  if (number % 4 != 0) {
    if (trial const* const one = best()) return one->seed;
    if (!of_kin_.empty()) return of_kin_[number % of_kin_.size()];
  }
  return unsigned(random_());
}

void tuning::note(unsigned seed, double rate) {
  auto const known = std::find_if(trials_.begin(), trials_.end(), [&](trial const& t) { return t.seed == seed; });
  if (known == trials_.end()) trials_.push_back({seed, rate, 1});
  else known->rate += (rate - known->rate) / ++known->launches;
}

void tuning::end() {
  // Two, so that one lucky launch does not displace all that is known.
  for (int kept = 0; kept < 2; ++kept) {
    trial* const one = best();
    if (!one) return;
    remember(known_[kin_], one->seed);
    remember(known_[shape_], one->seed);
    one->rate = 0;
  }
}

} // namespace litmus_runner
