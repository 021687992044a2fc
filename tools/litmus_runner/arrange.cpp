// SPDX-License-Identifier: Apache-2.0
#include "arrange.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>
#include <stdexcept>

namespace litmus_runner {

namespace {

/// Numbers things in the order in which they appear.
unsigned number_of(std::map<int, unsigned>& known, int thing) {
  return known.try_emplace(thing, unsigned(known.size())).first->second;
}

/// A permutation of 0 ... n-1. kernel.hpp computes multiplier * i + offset + 2^16 in 32 bits.
permutation any_permutation(std::mt19937& random, unsigned n) {
  permutation p;
  unsigned const most = std::min(n, (0xffffffffu - n - 0x10000u) / std::max(n, 1u));
  for (int tries = 0; tries < 20 && n > 2; ++tries)
    if (unsigned const m = 1 + unsigned(random()) % most; std::gcd(m, n) == 1) {
      p.multiplier = m;
      break;
    }
  p.offset = unsigned(random()) % std::max(n, 1u);
  return p;
}

void choose(stress& s, arguments const& a, std::mt19937& random) {
  s.scratch_mask = (1u << pick(random, {10, 16, 22})) - 1;
  if (a.plain) return;
  s.pattern = unsigned(random()) % 4;
  s.before = pick(random, {0, 0, 0, 2, 8, 32});
  s.loaded =
      random() % 2 ? unsigned(random()) : ~0u; // often only some threads of the test, so that the others are ahead
  s.delay_mask = pick(random, {0, 0, 0xff, 0x7ff});
  s.touch = random() % 2 ? unsigned(random()) : 0;
  unsigned const longest = pick(random, {0, 0, 1024, 4096});
  for (auto& cycles : s.skew) cycles = longest ? unsigned(random()) % longest : 0;
}

unsigned instances_of(layout const& l) {
  unsigned product = 1;
  for (unsigned units : l.units) product *= units;
  return product;
}

} // namespace

unsigned pick(std::mt19937& random, std::initializer_list<unsigned> values) {
  return values.begin()[random() % values.size()];
}

std::vector<int> devices_of(row const& r) {
  std::vector<int> devices;
  for (auto const& t : r.threads)
    if (!is_on_host(t) && std::find(devices.begin(), devices.end(), t.device) == devices.end())
      devices.push_back(t.device);
  return devices;
}

layout slots_of(row const& r, int device) {
  layout l;
  std::map<int, unsigned> clusters;
  std::map<int, std::map<int, unsigned>> blocks, warps; // by the number of what contains them
  std::map<int, unsigned> lanes;                        // how many of each warp
  unsigned slot[most_threads][levels];
  if (r.threads.size() > most_threads) throw std::runtime_error("more than 4 threads");
  for (std::size_t t = 0; t < r.threads.size(); ++t) {
    auto const& at = r.threads[t];
    if (at.device != device) continue;
    slot[t][cluster_level] = number_of(clusters, at.cluster);
    slot[t][block_level] = number_of(blocks[at.cluster], at.block);
    slot[t][warp_level] = number_of(warps[at.block], at.warp);
    slot[t][lane_level] = lanes[at.warp]++;
    for (unsigned level = 0; level < levels; ++level) l.slots[level] = std::max(l.slots[level], slot[t][level] + 1);
  }
  for (auto& thread : l.thread_of) thread = -1;
  for (std::size_t t = 0; t < r.threads.size(); ++t) {
    if (r.threads[t].device != device) continue;
    unsigned index = 0;
    for (unsigned level = 0; level < levels; ++level) index = index * l.slots[level] + slot[t][level];
    l.thread_of[index] = static_cast<signed char>(t);
  }
  l.blocks_per_cluster = l.slots[block_level];
  return l;
}

void fill(layout& l, capacity const& c, unsigned disturbing) {
  unsigned const set = l.slots[cluster_level] * l.blocks_per_cluster;
  l.threads_per_block = c.threads_per_block;
  l.blocks = (c.blocks - std::min(disturbing, c.blocks - set)) / set * set;
  l.units[cluster_level] = l.blocks / set;
  l.units[block_level] = l.blocks_per_cluster / l.slots[block_level];
  l.units[warp_level] = l.threads_per_block / 32 / l.slots[warp_level];
  l.units[lane_level] = 32 / l.slots[lane_level];
  l.instances = instances_of(l);
}

void fill_beside_host(layout& l, capacity c, unsigned instances, bool one_of_each_warp) {
  unsigned const set = l.slots[cluster_level] * l.blocks_per_cluster;
  unsigned const of_set =
      c.threads_per_block / 32 / l.slots[warp_level] * (one_of_each_warp ? 1 : 32 / l.slots[lane_level]);
  c.blocks = std::clamp((instances + of_set - 1) / of_set * set, set, c.blocks);
  fill(l, c, 0);
  if (one_of_each_warp) l.units[lane_level] = 1;
  l.instances = instances_of(l);
}

void choose(launch& all, arguments const& a, std::mt19937& random, unsigned cell, unsigned long long bytes) {
  unsigned const least = cell > 16 ? 128 : 32; // a word stays free for `touch`
  layout& l = all.layout;
  all.seed = unsigned(random());
  choose(all.stress, a, random);
  all.stride = std::max(a.plain ? 64 : pick(random, {32, 64, 128, 256}), least);
  all.turns = a.plain ? 1 : pick(random, {1, 1, 2, 4});
  while (all.turns > 1 && 2ull * all.turns * l.instances * all.stride > bytes) all.turns /= 2;
  while (all.stride > least && 2ull * all.turns * l.instances * all.stride > bytes) all.stride /= 2;
  // Last, since how many numbers they take depends on the kernel's capacity: what is above is the same for all tests of
  // one shape (tuning.hpp).
  unsigned n = 1;
  for (int level = levels - 1; level >= 0; --level) {
    n *= l.units[level];
    for (unsigned slot = 0; slot < most_slots; ++slot)
      l.partner[level][slot] = slot == 0 ? permutation{} : any_permutation(random, n);
  }
  for (auto& p : all.place) p = any_permutation(random, l.instances);
}

std::string text_of(launch const& all) {
  char text[320];
  auto const& s = all.stress;
  std::snprintf(
      text, sizeof text,
      "blocks %u+%u x %u, instances %u, turns %u, rounds %u, stride %u, before %u of %x, delay %u, skew %u %u %u %u, "
      "pattern %u, touch %x, scratch 2^%d",
      all.layout.blocks, s.blocks, all.layout.threads_per_block, all.layout.instances, all.turns, all.rounds,
      all.stride, s.before, s.loaded & 0xfu, s.delay_mask, s.skew[0], s.skew[1], s.skew[2], s.skew[3], s.pattern,
      s.touch & 0xffu, __builtin_popcount(s.scratch_mask));
  std::string result = text;
  if (all.host.meeting)
    result += ", host threads " + std::to_string(all.host.workers) + ", paced " + std::to_string(all.host.paced);
  return result;
}

} // namespace litmus_runner
