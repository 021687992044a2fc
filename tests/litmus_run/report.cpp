// SPDX-License-Identifier: Apache-2.0
//
// report: what counts as an error, and which mutants count.
#define BOOST_TEST_MODULE litmus_report
#include "../../tools/litmus_runner/report.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace {

using namespace litmus_runner;

/// A test of two threads with one bit of outcome; `exists` holds for 1.
row test(char const* name, std::vector<position> threads) {
  return {.test = name,
          .placement = "here",
          .form = "ptx",
          .kernel = "",
          .which = 0,
          .verdict = verdict::forbidden,
          .observable = false,
          .raced = false,
          .mutant_of = "",
          .mutation = "",
          .code = "",
          .exists = "x=1",
          .holds = [](unsigned const* codes) { return codes[0] == 1; },
          .bits = 1,
          .memory = "g",
          .barriers = false,
          .may_not_end = false,
          .cell = 16,
          .items = {{"x", 0, 1, {"0", "1"}}},
          .threads = std::move(threads),
          .possible = {0}};
}

std::vector<position> const apart = {{0, 0, 0, 0}, {0, 1, 1, 1}}, in_block = {{0, 0, 0, 0}, {0, 0, 0, 1}};

row mutant(char const* name, std::vector<position> threads, char const* kind = "order") {
  row r = test(name, std::move(threads));
  r.verdict = verdict::allowed;
  r.observable = true;
  r.mutant_of = "MP";
  r.mutation = kind;
  r.possible = {0, 1};
  return r;
}

result counted(unsigned long long zeros, unsigned long long ones, unsigned long long endless = 0) {
  result r;
  r.counts = {zeros, ones};
  r.endless = endless;
  r.instances = zeros + ones + endless;
  r.launches = 1;
  return r;
}

bool has(std::string const& text, char const* part) { return text.find(part) != text.npos; }

} // namespace

BOOST_AUTO_TEST_CASE(an_await_that_must_end_and_gave_up_is_an_error) {
  row const r = test("MP", apart);
  BOOST_TEST(!failed(r, counted(5, 0)));
  BOOST_TEST(failed(r, counted(5, 0, 1)));
  BOOST_TEST(has(histogram(r, counted(5, 0, 1)), "1 ?>an await never ended FORBIDDEN"));
  BOOST_TEST(has(summary({{&r, counted(5, 0, 1), {}}}, true), "FAIL: an await never ended (1):\n  MP here ptx: 1\n"));
}

BOOST_AUTO_TEST_CASE(an_await_that_may_poll_indefinitely_is_no_error_and_notices_the_mutant) {
  row r = mutant("MP~P1.1.block", apart, "scope");
  BOOST_TEST(!noticed(r, counted(5, 0)));
  r.may_not_end = true;
  BOOST_TEST(!failed(r, counted(5, 0, 1)));
  BOOST_TEST(noticed(r, counted(5, 0, 1)));
  auto const all = mutation_of({{&r, counted(5, 0, 1), {}}}, true);
  BOOST_TEST(all.total.seen == 1);
  BOOST_TEST(all.total.percent() == 100);
}

BOOST_AUTO_TEST_CASE(a_mutant_with_the_machine_code_of_its_program_is_not_observable) {
  row const a = mutant("MP~P0.2.cluster", apart, "scope"), b = mutant("MP~P0.2.relaxed", apart);
  auto const all = mutation_of({{&a, counted(5, 0), {}, true}, {&b, counted(4, 1), {}}}, true);
  BOOST_TEST(all.total.all == 2);
  BOOST_TEST(all.total.same_code == 1);
  BOOST_TEST(all.total.observable() == 1);
  BOOST_TEST(all.total.percent() == 100);
  BOOST_TEST(all.parts.at({"here", "scope"}).same_code == 1);
  BOOST_TEST(all.parts.at({"here", "order"}).seen == 1);
}

BOOST_AUTO_TEST_CASE(the_results_say_why_a_mutant_is_hidden) {
  row const block = mutant("MP~P0.2.relaxed", in_block), write = mutant("MP~P0.1.block", apart, "write"),
            order = mutant("MP~P0.2.relaxed", apart), program = test("MP", in_block);
  BOOST_TEST(has(json({&order, counted(5, 0), {}, true}, "here", true), "\"hidden\": \"same code\""));
  BOOST_TEST(has(json({&block, counted(5, 0), {}}, "here", true), "\"hidden\": \"in order\""));
  BOOST_TEST(has(json({&write, counted(5, 0), {}}, "here", true), "\"hidden\": \"through\""));
  BOOST_TEST(has(json({&block, counted(5, 0), {}}, "here", false), "\"hidden\": \"\""));
  BOOST_TEST(has(json({&order, counted(5, 0), {}}, "here", true), "\"hidden\": \"\""));
  BOOST_TEST(has(json({&program, counted(5, 0), {}}, "here", true), "\"hidden\": \"\""));
}

BOOST_AUTO_TEST_CASE(a_mutant_within_a_block_is_observable_on_the_emulator_or_if_it_was_seen) {
  row const r = mutant("MP~P0.2.relaxed", in_block);
  BOOST_TEST(mutation_of({{&r, counted(5, 0), {}}}, true).total.observable() == 0);
  BOOST_TEST(mutation_of({{&r, counted(5, 0), {}}}, false).total.observable() == 1);
  BOOST_TEST(mutation_of({{&r, counted(4, 1), {}}}, true).total.seen == 1);
  row const across = mutant("MP~P0.2.relaxed", apart);
  BOOST_TEST(mutation_of({{&across, counted(5, 0), {}}}, true).total.observable() == 1);
}

BOOST_AUTO_TEST_CASE(a_mutant_with_a_narrower_relaxed_write_is_observable_on_the_emulator_or_if_it_was_seen) {
  row const r = mutant("MP~P0.1.block", apart, "write");
  BOOST_TEST(mutation_of({{&r, counted(5, 0), {}}}, true).total.through == 1);
  BOOST_TEST(mutation_of({{&r, counted(5, 0), {}}}, true).total.observable() == 0);
  BOOST_TEST(mutation_of({{&r, counted(5, 0), {}}}, false).total.observable() == 1);
  BOOST_TEST(mutation_of({{&r, counted(4, 1), {}}}, true).total.seen == 1);
  row const load = mutant("MP~P1.1.block", apart, "scope");
  BOOST_TEST(mutation_of({{&load, counted(5, 0), {}}}, true).total.observable() == 1);
}

BOOST_AUTO_TEST_CASE(a_test_fails_if_all_its_observable_mutants_survived) {
  row const a = mutant("MP~P0.2.relaxed", apart), b = mutant("MP~P1.1.relaxed", apart);
  BOOST_TEST(mutation_of({{&a, counted(5, 0), {}}, {&b, counted(5, 0), {}}}, true).unguarded.size() == 1);
  BOOST_TEST(mutation_of({{&a, counted(4, 1), {}}, {&b, counted(5, 0), {}}}, true).unguarded.empty());
  BOOST_TEST(mutation_of({{&a, counted(5, 0), {}, true}, {&b, counted(5, 0), {}, true}}, true).unguarded.empty());
}
