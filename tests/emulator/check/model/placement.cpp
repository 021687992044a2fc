// SPDX-License-Identifier: Apache-2.0
//
// check_placement: outcomes that depend on where writes are in coherence order. Named programs first, each beside one
// that an order or a fence more forbids; then random programs. Every outcome that the axioms allow without load
// buffering occurs, and no other.
#include "random_programs.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using namespace emulator_test;

constexpr int x = 0, y = 1, z = 2;
constexpr semantics rlx = semantics::relaxed, acq = semantics::acquire, rel = semantics::release,
                    both = semantics::acq_rel;

event load(int where, semantics s = rlx) { return {event::load, where, 0, 0, s}; }
event store(int where, int value, semantics s = rlx) { return {event::store, where, value, 0, s}; }
event exchange(int where, int value, semantics s = rlx) { return {event::exchange, where, value, 0, s}; }
event add(int where, int value, semantics s = rlx) { return {event::add, where, value, 0, s}; }
event cas(int where, int expected, int value, semantics s = rlx) {
  return {event::compare_and_swap, where, value, expected, s};
}
event fence(semantics s, scope c = scope::gpu) { return {event::fence, 0, 0, 0, s, c}; }
event sc(scope c = scope::gpu) { return {event::fence, 0, 0, 0, both, c, true}; }

enum class verdict { forbidden, allowed, load_buffering };

/// `asked`: the values read, thread by thread, and then those of x, y and z.
void check(char const* name, verdict v, small_program const& p, outcome const& asked) {
  constexpr std::uint64_t seeds = 1000;
  allowed_outcomes const by_axioms = outcomes_by_axioms(p);
  BOOST_TEST_CONTEXT(name << ": " << text_of(p) << ": " << text_of(asked)) {
    BOOST_TEST(by_axioms.all.contains(asked) == (v != verdict::forbidden));
    BOOST_TEST(by_axioms.without_load_buffering.contains(asked) == (v == verdict::allowed));
    int seen = 0;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      std::string findings;
      outcome const o = run_in_model(p, seed, findings);
      seen += o == asked;
      if (!by_axioms.all.contains(o)) BOOST_ERROR("seed " << seed << ": forbidden: " << text_of(o));
      if (!findings.empty()) BOOST_ERROR("seed " << seed << ": " << findings);
    }
    BOOST_TEST((seen > 0) == (v == verdict::allowed));
    BOOST_TEST_MESSAGE(name << ": " << seen << " of " << seeds);
  }
}

using enum verdict;

} // namespace

BOOST_AUTO_TEST_SUITE(check_placement)

BOOST_AUTO_TEST_CASE(a_store_may_precede_one_that_was_carried_out_before) {
  check("S", allowed, {{store(x, 2), store(y, 1)}, {load(y), store(x, 1)}}, {1, 2, 1, 0});
  check("S rel", allowed, {{store(x, 2), store(y, 1, rel)}, {load(y), store(x, 1)}}, {1, 2, 1, 0});
  check("S acq", allowed, {{store(x, 2), store(y, 1)}, {load(y, acq), store(x, 1)}}, {1, 2, 1, 0});
  check("S rel/acq", forbidden, {{store(x, 2), store(y, 1, rel)}, {load(y, acq), store(x, 1)}}, {1, 2, 1, 0});
  check("S fences", forbidden, {{store(x, 2), fence(rel), store(y, 1)}, {load(y), fence(acq), store(x, 1)}},
        {1, 2, 1, 0});
  check("S narrow fence", allowed,
        {{store(x, 2), fence(rel, scope::cta), store(y, 1)}, {load(y), fence(acq), store(x, 1)}}, {1, 2, 1, 0});
  check("2+2W", allowed, {{store(x, 2), store(y, 1)}, {store(y, 2), store(x, 1)}}, {2, 2, 0});
  check("2+2W rel", allowed, {{store(x, 2), store(y, 1, rel)}, {store(y, 2), store(x, 1, rel)}}, {2, 2, 0});
  check("2+2W one fence", allowed, {{store(x, 2), sc(), store(y, 1)}, {store(y, 2), store(x, 1)}}, {2, 2, 0});
  check("2+2W F.sc", forbidden, {{store(x, 2), sc(), store(y, 1)}, {store(y, 2), sc(), store(x, 1)}}, {2, 2, 0});
  check("2+2W narrow F.sc", allowed, {{store(x, 2), sc(scope::cta), store(y, 1)}, {store(y, 2), sc(), store(x, 1)}},
        {2, 2, 0});
  check("R", allowed, {{store(x, 1), store(y, 1)}, {store(y, 2), load(x)}}, {0, 1, 2, 0});
  check("R rel/acq", allowed, {{store(x, 1), store(y, 1, rel)}, {store(y, 2), load(x, acq)}}, {0, 1, 2, 0});
  check("R F.sc", forbidden, {{store(x, 1), sc(), store(y, 1)}, {store(y, 2), sc(), load(x)}}, {0, 1, 2, 0});
}

BOOST_AUTO_TEST_CASE(it_may_through_three_threads) {
  check("Z6.1 rel/acq", allowed,
        {{store(x, 2), store(y, 1, rel)}, {store(y, 2), store(z, 1, rel)}, {load(z, acq), store(x, 1)}}, {1, 2, 2, 1});
  check("Z6.1 F.sc", forbidden,
        {{store(x, 2), sc(), store(y, 1)}, {store(y, 2), sc(), store(z, 1)}, {load(z), sc(), store(x, 1)}},
        {1, 2, 2, 1});
  check("3.2W rel", allowed,
        {{store(x, 2), store(y, 1, rel)}, {store(y, 2), store(z, 1, rel)}, {store(z, 2), store(x, 1, rel)}}, {2, 2, 2});
  check("3.2W F.sc", forbidden,
        {{store(x, 2), sc(), store(y, 1)}, {store(y, 2), sc(), store(z, 1)}, {store(z, 2), sc(), store(x, 1)}},
        {2, 2, 2});
  check("WWC", allowed, {{store(x, 2)}, {load(x), store(y, 1)}, {load(y), store(x, 1)}}, {2, 1, 2, 1, 0});
  check("WWC rel/acq", forbidden, {{store(x, 2)}, {load(x), store(y, 1, rel)}, {load(y, acq), store(x, 1)}},
        {2, 1, 2, 1, 0});
}

BOOST_AUTO_TEST_CASE(a_thread_keeps_the_order_of_what_it_wrote_and_read) {
  check("CoWW", forbidden, {{store(x, 1), store(x, 2)}, {store(y, 1)}}, {1, 1, 0});
  check("CoWW among others'", forbidden, {{store(x, 1), store(x, 2)}, {store(x, 3)}}, {1, 0, 0});
  check("CoRW", forbidden, {{store(x, 1)}, {load(x), store(x, 2)}}, {1, 1, 0, 0});
  check("CoRW, not read", allowed, {{store(x, 1)}, {load(x), store(x, 2)}}, {0, 1, 0, 0});
  check("CoWR", forbidden, {{store(x, 1), load(x)}, {store(x, 2)}}, {2, 1, 0, 0});
  check("CoWR, own", allowed, {{store(x, 1), load(x)}, {store(x, 2)}}, {1, 1, 0, 0});
  // Two readers agree on the order.
  check("CoRR, two readers", forbidden, {{store(x, 1)}, {store(x, 2)}, {load(x), load(x)}, {load(x), load(x)}},
        {1, 2, 2, 1, 2, 0, 0});
}

BOOST_AUTO_TEST_CASE(a_read_modify_write_may_precede_a_store) {
  check("S exchange", allowed, {{store(x, 2), store(y, 1)}, {load(y), exchange(x, 1)}}, {1, 0, 2, 1, 0});
  check("S exchange rel/acq", forbidden, {{store(x, 2), store(y, 1, rel)}, {load(y, acq), exchange(x, 1)}},
        {1, 0, 2, 1, 0});
  check("2+2W exchange", allowed, {{store(x, 2), exchange(y, 1)}, {store(y, 2), exchange(x, 1)}}, {0, 0, 2, 2, 0});
  check("2+2W exchange F.sc", forbidden, {{store(x, 2), sc(), exchange(y, 1)}, {store(y, 2), sc(), exchange(x, 1)}},
        {0, 0, 2, 2, 0});
  check("MP, read by add", allowed, {{store(x, 1), store(y, 1)}, {load(y), add(x, 0)}}, {1, 0, 1, 1, 0});
  check("MP rel/acq, read by add", forbidden, {{store(x, 1), store(y, 1, rel)}, {load(y, acq), add(x, 0)}},
        {1, 0, 1, 1, 0});
  check("MP, read by cas", allowed, {{store(x, 1), store(y, 1)}, {load(y), cas(x, 5, 6)}}, {1, 0, 1, 1, 0});
  check("MP rel/acq, read by cas", forbidden, {{store(x, 1), store(y, 1, rel)}, {load(y, acq), cas(x, 5, 6)}},
        {1, 0, 1, 1, 0});
  check("SB, read by add", allowed, {{store(x, 1), add(y, 0)}, {store(y, 1), add(x, 0)}}, {0, 0, 1, 1, 0});
  check("SB F.sc, read by add", forbidden, {{store(x, 1), sc(), add(y, 0)}, {store(y, 1), sc(), add(x, 0)}},
        {0, 0, 1, 1, 0});
  check("exchange before a release", allowed,
        {{store(x, 1), store(y, 1, rel), store(z, 1)}, {load(z), exchange(y, 5, acq), load(x)}}, {1, 0, 0, 1, 1, 1});
  check("exchange after a release", forbidden,
        {{store(x, 1), store(y, 1, rel), store(z, 1)}, {load(z), exchange(y, 5, acq), load(x)}}, {1, 1, 0, 1, 5, 1});
  check("two adds before a store", allowed, {{store(x, 5), store(y, 1)}, {load(y), add(x, 1)}, {load(y), add(x, 1)}},
        {1, 0, 1, 1, 5, 1, 0});
}

BOOST_AUTO_TEST_CASE(a_comparison_that_fails_may_read_what_a_read_modify_write_has_read) {
  check("MP add, cas", allowed, {{add(x, 1), store(y, 1)}, {load(y), cas(x, 5, 6)}}, {0, 1, 0, 1, 1, 0});
  check("MP add, cas, rel/acq", forbidden, {{add(x, 1), store(y, 1, rel)}, {load(y, acq), cas(x, 5, 6)}},
        {0, 1, 0, 1, 1, 0});
  check("MP, cas, then a load", allowed, {{store(x, 1), store(y, 1)}, {load(y), cas(x, 5, 6), load(x)}},
        {1, 0, 0, 1, 1, 0});
  check("MP add, cas that succeeds", forbidden, {{add(x, 1), store(y, 1)}, {load(y), cas(x, 0, 6)}},
        {0, 1, 0, 1, 1, 0});
}

BOOST_AUTO_TEST_CASE(nothing_comes_between_a_read_modify_write_and_what_it_read) {
  check("S, first an exchange", forbidden, {{exchange(x, 2), store(y, 1)}, {load(y), store(x, 1)}}, {0, 1, 2, 1, 0});
  check("S, two exchanges", forbidden, {{exchange(x, 2), store(y, 1)}, {load(y), exchange(x, 1)}}, {0, 1, 0, 2, 1, 0});
  check("add against store", forbidden, {{add(x, 1)}, {store(x, 2)}}, {0, 1, 0, 0});
  check("add before store", allowed, {{add(x, 1)}, {store(x, 2)}}, {0, 2, 0, 0});
  check("two adds", forbidden, {{add(x, 1)}, {add(x, 1)}}, {0, 0, 1, 0, 0});
  check("two adds and a store", forbidden, {{add(x, 1)}, {add(x, 1)}, {store(x, 5)}}, {0, 0, 5, 0, 0});
  // These would need a read of what is written later.
  check("S, first an exchange that reads the store", load_buffering,
        {{exchange(x, 2), store(y, 1)}, {load(y), store(x, 1)}}, {1, 1, 2, 1, 0});
  check("MP, adds", load_buffering, {{add(x, 1), store(y, 1)}, {load(y), add(x, 0)}}, {0, 1, 0, 1, 1, 0});
}

BOOST_AUTO_TEST_CASE(writes_go_before_others_in_a_full_history_too) {
  std::set<int> read;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    world w(seed);
    actor const a = w(0, 0), b = w(2, 0), c = w(3, 0);
    for (int i = 1; i <= 20; ++i) a.store(w.m->x, i, relaxed(scope::gpu));
    int const found = b.exchange(w.m->x, 100, relaxed(scope::gpu));
    read.insert(found);
    BOOST_TEST(w.m->x == (found == 20 ? 100 : 20));
    // Each later exchange reads what comes before it now, and none comes between the first one and what that read.
    int const second = c.exchange(w.m->x, 200, relaxed(scope::gpu));
    BOOST_TEST(second != found);
    BOOST_TEST(w.m->x == (second == (found == 20 ? 100 : 20) ? 200 : found == 20 ? 100 : 20));
    // Read-modify-writes alone: 8 of them push the stores out of the history, and from then on each reads the last one.
    for (int i = 0; i < 8; ++i) w(i % 4, 1).add(w.m->y, 1, relaxed(scope::gpu));
    BOOST_TEST(w.m->y == 8);
    BOOST_TEST_CONTEXT(w.texts()) BOOST_TEST(w.findings.empty());
  }
  BOOST_TEST(read.size() == 8u); // of the 8 that are kept: 12 is the last one that is forgotten
  BOOST_TEST(*read.begin() == 13);
}

BOOST_AUTO_TEST_CASE(these_writes_come_last) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    world w(seed);
    w.model.allocated(reinterpret_cast<std::byte*>(w.shared_with_host), sizeof w.shared_with_host, "managed memory");
    actor const a = w(0, 0), b = w(2, 0);
    auto const vector = [&](int& where, int value) {
      auto to = b.at(where, relaxed(scope::gpu));
      to.vector_size = 8;
      w.model.store(to, &value);
    };
    // Weak ones, and those that are not morally strong with the one before.
    a.store(w.m->x, 1);
    b.store(w.m->x, 2, relaxed(scope::gpu));
    BOOST_TEST(w.m->x == 2);
    a.store(w.m->y, 1, relaxed(scope::cta));
    b.store(w.m->y, 2, relaxed(scope::gpu));
    BOOST_TEST(w.m->y == 2);
    b.store(w.m->z, 1, relaxed(scope::gpu));
    a.store(w.m->z, 2);
    BOOST_TEST(w.m->z == 2);
    a.store(w.m->array[3], 1, relaxed(scope::cta));
    w(3, 0).store(w.m->array[3], 2, relaxed(scope::gpu));
    BOOST_TEST(b.exchange(w.m->array[3], 3, relaxed(scope::gpu)) != 0);
    BOOST_TEST(w.has("race"));
    w.findings.clear();
    // Elements of vectors; a copy's write, and one after it; memory that the host shares, at system scope.
    a.store(w.m->array[0], 1, relaxed(scope::gpu));
    vector(w.m->array[0], 2);
    BOOST_TEST(w.m->array[0] == 2);
    auto to = a.at(w.m->array[1], relaxed(scope::gpu), proxy::async);
    int value = 1;
    w.model.async_store(w.model.issue(a.now()), to, &value);
    b.store(w.m->array[1], 2, relaxed(scope::gpu));
    BOOST_TEST(w.m->array[1] == 2);
    a.store(w.shared_with_host[0], 1, relaxed(scope::sys));
    b.store(w.shared_with_host[0], 2, relaxed(scope::sys));
    BOOST_TEST(w.shared_with_host[0] == 2);
    // What the host wrote.
    a.store(w.m->array[2], 1, relaxed(scope::gpu));
    w.m->array[2] = 5;
    b.store(w.m->array[2], 2, relaxed(scope::gpu));
    BOOST_TEST(w.m->array[2] == 2);
    BOOST_TEST_CONTEXT(w.texts()) BOOST_TEST(w.findings.empty());
  }
}

BOOST_AUTO_TEST_CASE(in_memory_that_the_host_shares_a_write_at_device_scope_may_precede_another) {
  bool is_first = false;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    world w(seed);
    w.model.allocated(reinterpret_cast<std::byte*>(w.shared_with_host), sizeof w.shared_with_host, "managed memory");
    w(0, 0).store(w.shared_with_host[0], 1, relaxed(scope::gpu));
    w(2, 0).store(w.shared_with_host[0], 2, relaxed(scope::gpu));
    is_first |= w.shared_with_host[0] == 1;
  }
  BOOST_TEST(is_first);
}

namespace {

/// Runs random programs, each with as many seeds as it takes to see all outcomes.
void compare(std::uint64_t first, int programs, int threads, int events, int locations, std::uint64_t most_seeds) {
  emulator::check::random r(first);
  std::uint64_t total = 0, most = 0;
  std::size_t outcomes = 0;
  for (int i = 0; i < programs; ++i) {
    small_program const p = random_program(r, threads, events, locations);
    auto const expected = outcomes_by_axioms(p).without_load_buffering;
    std::set<outcome> seen;
    std::uint64_t seed = 0;
    for (; seed < 200 || (seen.size() < expected.size() && seed < most_seeds); ++seed) {
      std::string findings;
      outcome const o = run_in_model(p, seed, findings);
      if (!expected.contains(o)) BOOST_ERROR(text_of(p) << ", seed " << seed << ": forbidden: " << text_of(o));
      if (!findings.empty()) BOOST_ERROR(text_of(p) << ", seed " << seed << ": " << findings);
      seen.insert(o);
    }
    for (outcome const& o : expected)
      if (!seen.contains(o)) BOOST_ERROR(text_of(p) << ": never seen with " << seed << " seeds: " << text_of(o));
    total += seed;
    most = std::max(most, seed);
    outcomes += expected.size();
  }
  BOOST_TEST_MESSAGE(programs << " programs of " << threads << " threads, " << outcomes << " outcomes: " << total
                              << " runs, at most " << most << " for a program");
}

} // namespace

BOOST_AUTO_TEST_CASE(random_programs_have_the_outcomes_of_the_axioms) {
  compare(1, 100, 2, 2, 2, 4000);
  compare(2, 100, 2, 3, 2, 20000);
  compare(3, 50, 3, 2, 2, 20000);
}

BOOST_AUTO_TEST_SUITE_END()
