// SPDX-License-Identifier: Apache-2.0
//
// statistics: see the header.
#include "statistics.hpp"

#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace emulator::check {

void count_instruction(thread& t, operation const* o, std::uint64_t* registers) {
  ++run_statistics.instructions;
  [[clang::musttail]] return o[1].run(t, o + 1, registers);
}

double processor_time() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

void print_statistics_at_end() {
  std::atexit([] {
    double const seconds = processor_time();
    std::fprintf(
        stderr,
        "cudax.sync check: %llu instructions, %llu accesses, %llu turns in %.2f s of processor time: %.2f million "
        "instructions/s\n",
        static_cast<unsigned long long>(run_statistics.instructions),
        static_cast<unsigned long long>(run_statistics.accesses), static_cast<unsigned long long>(run_statistics.turns),
        seconds, double(run_statistics.instructions) * 1e-6 / seconds);
  });
}

} // namespace emulator::check
