// SPDX-License-Identifier: Apache-2.0
//
// check_axioms: the axioms of these tests (axioms.hpp) against those of tools/litmus_model, which decides the corpus of
// tests/litmus. The two were written apart from each other, so that a mistake in one of them shows here.
#include "random_programs.hpp"

#include "../../../../tools/litmus_model/model.hpp"
#include "../../../../tools/litmus_model/search.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using namespace emulator_test;

litmus::expression constant(int value) { return {.first = {.reg = {}, .constant = litmus::value(value)}, .rest = {}}; }

litmus::order order_of(event const& e) {
  if (e.is_sc) return litmus::order::seq_cst;
  switch (e.semantics) {
  case semantics::acquire: return litmus::order::acquire;
  case semantics::release: return litmus::order::release;
  case semantics::acq_rel: return litmus::order::acq_rel;
  default: return litmus::order::relaxed;
  }
}

litmus::instruction instruction_of(event const& e, litmus::thread& of) {
  static constexpr litmus::operation operations[] = {litmus::operation::load,
                                                     litmus::operation::store,
                                                     litmus::operation::exchange,
                                                     litmus::operation::fetch_add,
                                                     litmus::operation::compare_exchange,
                                                     litmus::operation::fence};
  litmus::instruction i;
  i.operation = operations[e.kind];
  i.order = order_of(e);
  i.scope = e.scope == scope::cta ? litmus::scope::block : litmus::scope::device;
  if (e.kind == event::fence) return i;
  i.location = e.location;
  if (e.kind != event::load) i.values.push_back(constant(e.value));
  if (e.kind == event::compare_and_swap) i.expected = constant(e.expected);
  if (!e.reads()) return i;
  i.result = int(of.registers.size());
  of.registers.push_back("r" + std::to_string(*i.result));
  return i;
}

/// The same program for tools/litmus_model: a register for each value that is read, in the order of outcomes.
litmus::program program_of(small_program const& p) {
  litmus::program result;
  for (char const* const name : {"x", "y", "z"}) {
    litmus::location l;
    l.name = name;
    result.locations.push_back(l);
  }
  for (auto const& events : p) {
    litmus::thread t;
    t.name = "P" + std::to_string(result.threads.size());
    for (event const& e : events) t.instructions.push_back(instruction_of(e, t));
    result.threads.push_back(t);
  }
  return result;
}

/// Each thread in a block of its own.
litmus::placement placement_of(small_program const& p) {
  litmus::placement result;
  for (int t = 0; t < int(p.size()); ++t) result.threads.push_back({false, 0, t, t, t});
  result.scope = litmus::scope::device;
  return result;
}

/// "P0:r0=1 x=2" as numbers.
outcome outcome_of(std::string const& state) {
  outcome result;
  for (std::size_t at = state.find('='); at != state.npos; at = state.find('=', at + 1))
    result.push_back(std::stoi(state.substr(at + 1)));
  return result;
}

void compare(std::uint64_t first, int programs, int threads, int events, int locations) {
  emulator::check::random r(first);
  auto const model = litmus::make_ptx_model();
  std::size_t outcomes = 0;
  for (int i = 0; i < programs; ++i) {
    small_program const p = random_program(r, threads, events, locations);
    auto const here = outcomes_by_axioms(p).all;
    litmus::answer const answer = litmus::decide(program_of(p), placement_of(p), *model);
    std::set<outcome> there;
    for (std::string const& state : answer.states) there.insert(outcome_of(state));
    BOOST_TEST_CONTEXT(text_of(p)) {
      BOOST_TEST(!answer.more_states);
      for (outcome const& o : here)
        if (!there.contains(o)) BOOST_ERROR("allowed by the axioms alone: " << text_of(o));
      for (outcome const& o : there)
        if (!here.contains(o)) BOOST_ERROR("allowed by tools/litmus_model alone: " << text_of(o));
    }
    outcomes += here.size();
  }
  BOOST_TEST_MESSAGE(programs << " programs of " << threads << " threads: " << outcomes << " outcomes");
}

} // namespace

BOOST_AUTO_TEST_SUITE(check_axioms)

BOOST_AUTO_TEST_CASE(the_axioms_and_the_oracle_of_the_corpus_allow_the_same_outcomes_of_random_programs) {
  compare(1, 100, 2, 2, 2);
  compare(2, 1000, 2, 3, 2);
  compare(3, 200, 3, 2, 2);
}

BOOST_AUTO_TEST_SUITE_END()
