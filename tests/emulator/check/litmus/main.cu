// SPDX-License-Identifier: Apache-2.0
//
// litmus_programs: runs the litmus programs, counts their outcomes, and compares with the verdicts of the PTX model.
//
//   litmus_programs PLACEMENT ROUNDS [shows]
//
// PLACEMENT: block, cluster, device or system: where the threads are. Each program runs ROUNDS times. A forbidden
// outcome is an error. With `shows`, an allowed outcome that never occurred is an error, too (for the emulator's
// checking, which tries to produce it).
#include "litmus.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

namespace {

using namespace litmus;

void must(cudaError_t error, char const* call) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "litmus_programs: %s: %s\n", call, cudaGetErrorString(error));
  std::exit(3);
}
#define MUST(...) must(__VA_ARGS__, #__VA_ARGS__)

/// The outcome of one run: the registers that were used, then x, y, z.
std::string outcome(variables const& v) {
  std::string text;
  int last = -1;
  for (int i = 0; i < 8; ++i)
    if (v.r[i] != -9) last = i;
  for (int i = 0; i <= last; ++i) text += (i ? "," : "") + (v.r[i] == -9 ? "-" : std::to_string(v.r[i]));
  return text + (last < 0 ? "x,y,z=" : " x,y,z=") + std::to_string(v.x) + "," + std::to_string(v.y) + "," +
         std::to_string(v.z);
}

void launch(row const& r, placement where, variables* memory) {
  unsigned const per_block = where == placement::block ? unsigned(r.threads) : unsigned(r.per_block);
  cudaLaunchConfig_t config{};
  config.blockDim = dim3(per_block);
  config.gridDim = dim3(unsigned(r.threads) / per_block);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = config.gridDim.x;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  config.attrs = &attribute;
  config.numAttrs = where == placement::cluster;
  MUST(cudaLaunchKernelEx(&config, r.kernels[int(where)], memory));
}

/// Runs a row. Returns whether the outcomes agree with the verdict.
bool run(row const& r, placement where, int rounds, bool shows) {
  variables zero{};
  for (int& value : zero.r) value = -9; // marks a register that no thread writes
  variables* memory = nullptr;
  MUST(cudaMalloc(reinterpret_cast<void**>(&memory), sizeof(variables)));
  std::map<std::string, int> histogram;
  int occurrences = 0;
  for (int i = 0; i < rounds; ++i) {
    variables v;
    MUST(cudaMemcpy(memory, &zero, sizeof(zero), cudaMemcpyHostToDevice));
    launch(r, where, memory);
    MUST(cudaMemcpy(&v, memory, sizeof(v), cudaMemcpyDeviceToHost));
    occurrences += r.occurred(v);
    ++histogram[outcome(v)];
  }
  MUST(cudaFree(memory));
  bool const good =
      r.verdict == verdict::forbidden ? occurrences == 0 : r.verdict != verdict::allowed || occurrences || !shows;
  char const* const verdicts[] = {"forbidden", "allowed", "allowed, not modelled"};
  std::printf("%-36s %-22s %6d of %d %s\n   ", r.name, verdicts[int(r.verdict)], occurrences, rounds,
              good ? "" : "WRONG");
  for (auto const& [text, count] : histogram) std::printf(" %d x [%s]", count, text.c_str());
  std::printf("\n");
  std::fflush(stdout);
  return good;
}

} // namespace

int main(int argc, char** argv) {
  constexpr char const* names[] = {"block", "cluster", "device", "system"};
  int where = -1;
  for (int i = 0; i < 4; ++i)
    if (argc >= 3 && !std::strcmp(argv[1], names[i])) where = i;
  int const rounds = argc >= 3 ? std::atoi(argv[2]) : 0;
  bool const shows = argc == 4 && !std::strcmp(argv[3], "shows");
  if (where < 0 || rounds < 1 || argc > 4 || (argc == 4 && !shows)) {
    std::fprintf(stderr, "usage: litmus_programs block|cluster|device|system ROUNDS [shows]\n");
    return 2;
  }
  int wrong = 0;
  for (auto const& table : {two_threads(), coherence(), more_threads(), combined()})
    for (row const& r : table)
      if (r.kernels[where]) wrong += !run(r, placement(where), rounds, shows);
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
