// SPDX-License-Identifier: Apache-2.0
//
// speed: the cost of checked runs. It prints how many instructions they execute per second of processor time, and
// judges none of these rates: they depend on the machine and its load. It does judge how many instructions 512 threads
// need for a critical section. That number follows from the seed alone, and if each waiter polled once during each
// other waiter's turn, it would be hundreds of times as large.
#include "../../machine/machine.hpp"

#include "../../../../tools/emulator/check/run/findings.hpp"
#include "../../../../tools/emulator/check/run/run.hpp"
#include "../../../../tools/emulator/check/run/statistics.hpp"
#include "../../../../tools/emulator/machine/mode.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdio>

using namespace emulator_test;

namespace {

struct measured {
  double seconds = 0;
  double instructions = 0;
  std::vector<std::uint32_t> memory;
  double rate() const { return instructions / seconds; }
};

/// %rd1: memory. %r1: the block. %r2: the thread in the block. %r3: the thread in the grid. %rd2: the thread's word of
/// memory, at 4096 or above.
std::string kernel(std::string const& body) {
  return ".visible .entry k(.param .u64 p) {\n.reg .b32 %r<30>; .reg .b64 %rd<20>; .reg .pred %p<10>;\n"
         ".shared .align 16 .b8 s[4096];\n"
         "ld.param.u64 %rd1, [p]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; mov.u32 %r4, %ntid.x;\n"
         "mad.lo.u32 %r3, %r1, %r4, %r2; mul.wide.u32 %rd3, %r3, 4; add.u64 %rd2, %rd1, %rd3; add.u64 %rd2, %rd2, "
         "4096;\n" +
         body + "\nret;\n}\n";
}

std::string repeated(int times, std::string const& body) {
  return "mov.u32 %r20, 0;\nagain:\n" + body + "\nadd.u32 %r20, %r20, 1; setp.lt.u32 %p9, %r20, " +
         std::to_string(times) + "; @%p9 bra again;";
}

measured run(char const* what, std::uint32_t blocks, std::uint32_t threads, std::string const& body,
             std::uint64_t seed = 1) {
  emulator::process_mode = {true, seed, true};
  emulator::check::restart(seed);
  std::string findings;
  emulator::check::set_report_sink([&](auto const& f) { findings += f.text + "\n"; });
  measured m;
  m.memory.resize(1024 + blocks * threads);
  emulator::fault fault;
  {
    emulator::device_properties properties;
    properties.multiprocessors = 8;
    machine on(kernel(body), properties);
    auto* const where = reinterpret_cast<std::byte*>(m.memory.data());
    std::size_t const size = m.memory.size() * 4;
    emulator::check::current_run().post([=](auto& run) { run.model.allocated(where, size, "memory"); });
    auto const before = emulator::check::run_statistics.instructions;
    double const start = emulator::check::processor_time();
    fault = on.run("k", {{blocks}, {threads}}, {address(m.memory)});
    m.seconds = emulator::check::processor_time() - start;
    m.instructions = double(emulator::check::run_statistics.instructions - before);
  }
  emulator::check::set_report_sink(nullptr);
  emulator::process_mode = {};
  BOOST_REQUIRE_MESSAGE(fault.error == 0, fault.text);
  BOOST_TEST(findings == "");
  std::printf("%-36s %6u threads, seed %llu: %10.0f instructions, %7.3f s, %6.2f million/s\n", what, blocks * threads,
              static_cast<unsigned long long>(seed), m.instructions, m.seconds, m.rate() * 1e-6);
  return m;
}

constexpr char const* mixed = R"(
  mul.lo.u32 %r5, %r3, 1664525; add.u32 %r5, %r5, 1013904223; xor.b32 %r6, %r5, %r20; shl.b32 %r7, %r6, 3;
  shr.u32 %r8, %r6, 5; add.u32 %r7, %r7, %r8; mad.lo.u32 %r7, %r7, %r5, %r6; popc.b32 %r8, %r7; min.u32 %r8, %r8, 31;
  ld.global.u32 %r9, [%rd2]; add.u32 %r9, %r9, %r8; st.global.u32 [%rd2], %r9;
  mov.u32 %r10, s; shl.b32 %r11, %r2, 2; add.u32 %r12, %r10, %r11; st.shared.u32 [%r12], %r8;
  bar.sync 0;
  xor.b32 %r11, %r11, 4; add.u32 %r12, %r10, %r11; ld.shared.u32 %r13, [%r12];
  bar.sync 0;
  and.b32 %r14, %r7, 63; mul.wide.u32 %rd4, %r14, 4; add.u64 %rd5, %rd1, %rd4;
  red.relaxed.gpu.global.add.u32 [%rd5], 1;
  ld.global.u32 %r9, [%rd2]; sub.u32 %r9, %r9, %r8; add.u32 %r9, %r9, 1; st.global.u32 [%rd2], %r9;
  atom.acq_rel.gpu.global.add.u32 %r15, [%rd5+512], %r13;
)";

constexpr char const* spin_lock = R"(
take: atom.acquire.gpu.global.exch.b32 %r5, [%rd1], 1;
  setp.ne.u32 %p1, %r5, 0; @%p1 bra take;
  ld.global.u32 %r6, [%rd1+256]; add.u32 %r6, %r6, 1; st.global.u32 [%rd1+256], %r6;
  st.release.gpu.global.u32 [%rd1], 0;
)";

constexpr char const* patient_lock = R"(
take: ld.relaxed.gpu.global.u32 %r5, [%rd1];
  setp.ne.u32 %p1, %r5, 0; @%p1 bra take;
  atom.relaxed.gpu.global.cas.b32 %r5, [%rd1], 0, 1;
  setp.ne.u32 %p1, %r5, 0; @%p1 bra take;
  fence.acq_rel.gpu;
  ld.global.u32 %r6, [%rd1+256]; add.u32 %r6, %r6, 1; st.global.u32 [%rd1+256], %r6;
  fence.acq_rel.gpu;
  st.relaxed.gpu.global.u32 [%rd1], 0;
)";

constexpr char const* ticket_lock = R"(
  atom.relaxed.gpu.global.add.u32 %r5, [%rd1], 1;
turn: ld.acquire.gpu.global.u32 %r7, [%rd1+128];
  setp.ne.u32 %p1, %r7, %r5; @%p1 bra turn;
  ld.global.u32 %r6, [%rd1+256]; add.u32 %r6, %r6, 1; st.global.u32 [%rd1+256], %r6;
  add.u32 %r7, %r7, 1; st.release.gpu.global.u32 [%rd1+128], %r7;
)";

/// 512 threads in 8 blocks, each in the critical section `rounds` times, with schedules of every style.
void contend(char const* what, char const* lock, double most_instructions) {
  constexpr int rounds = 4;
  double sections = 0, seconds = 0, instructions = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    measured const m = run(what, 8, 64, repeated(rounds, lock), seed);
    BOOST_TEST(m.memory[64] == 512u * rounds);
    sections += m.memory[64];
    seconds += m.seconds;
    instructions += m.instructions;
  }
  std::printf("%-36s %.0f critical sections/s, %.0f instructions in each\n", what, sections / seconds,
              instructions / sections);
  BOOST_TEST(instructions / sections <= most_instructions);
}

} // namespace

BOOST_AUTO_TEST_SUITE(check_speed)

BOOST_AUTO_TEST_CASE(rate_of_mixed_instructions_of_ten_thousand_threads) {
  measured const m = run("everything", 20, 512, repeated(6, mixed));
  for (std::size_t i = 1024; i < m.memory.size(); ++i) BOOST_REQUIRE(m.memory[i] == 6);
}

BOOST_AUTO_TEST_CASE(rate_of_additions_to_one_word_by_ten_thousand_threads) {
  measured const m =
      run("acquiring, releasing additions", 20, 512, repeated(6, "atom.acq_rel.gpu.global.add.u32 %r5, [%rd1], 1;"));
  BOOST_TEST(m.memory[0] == 6u * 10'240);
}

BOOST_AUTO_TEST_CASE(rate_of_barriers_of_ten_thousand_threads) {
  measured const m =
      run("barriers", 10, 1024,
          repeated(8, "st.global.u32 [%rd2], %r20; bar.sync 0; xor.b32 %r5, %r3, 1; mul.wide.u32 %rd4, %r5, "
                      "4; add.u64 %rd4, %rd4, %rd1; ld.global.u32 %r6, [%rd4+4096]; bar.sync 0;"));
  for (std::size_t i = 1024; i < m.memory.size(); ++i) BOOST_REQUIRE(m.memory[i] == 7);
}

BOOST_AUTO_TEST_CASE(spin_locks_need_a_bounded_number_of_instructions) { contend("spin lock", spin_lock, 500); }
BOOST_AUTO_TEST_CASE(spin_locks_with_fences_need_a_bounded_number_of_instructions) {
  contend("lock with fences", patient_lock, 600);
}
BOOST_AUTO_TEST_CASE(ticket_locks_need_a_bounded_number_of_instructions) { contend("ticket lock", ticket_lock, 5000); }

BOOST_AUTO_TEST_SUITE_END()
