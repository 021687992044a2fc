// SPDX-License-Identifier: Apache-2.0
//
// check_stale: strong reads that may miss what their flag published, and correct programs of relaxed operations, for
// which nothing may be reported.
#include "world.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using namespace emulator_test;

constexpr scope gpu = scope::gpu;
constexpr std::uint64_t seeds = 200;

/// Polls at one source location until the predicate holds. Returns the value.
template <class F>
int poll(actor t, int& where, F until, order o = relaxed(gpu)) {
  int const step = t.w->step;
  for (int i = 0; i < 200; ++i) {
    t.w->step = step;
    if (int const value = t.load(where, o); until(value)) {
      t.w->step = step + 1;
      return value;
    }
  }
  BOOST_FAIL("what it waits for never came");
  return 0;
}
auto is(int expected) {
  return [expected](int value) { return value == expected; };
}

enum class fence { none, block, device };

void fence_here(actor t, fence f, semantics s) {
  if (f != fence::none) t.fence(s, f == fence::block ? scope::cta : gpu);
}

/// Block 0 passes relaxed data and a relaxed flag to block 2, which has read the flag before.
void pass(world& w, fence release, fence acquire, bool polls = true) {
  actor const a = w(0, 0), b = w(2, 0);
  a.store(w.m->y, 0, relaxed(gpu));
  int const step = w.step;
  if (polls) b.load(w.m->y, relaxed(gpu));
  a.store(w.m->x, 1, relaxed(gpu));
  fence_here(a, release, semantics::release);
  a.store(w.m->y, 1, relaxed(gpu));
  w.step = step;
  poll(b, w.m->y, is(1));
  w.step += 10;
  fence_here(b, acquire, semantics::acquire);
  b.load(w.m->x, relaxed(gpu));
  w.model.end_thread(*b.t);
}

} // namespace

BOOST_AUTO_TEST_SUITE(check_stale)

BOOST_AUTO_TEST_CASE(a_read_that_misses_a_write_before_its_flag_is_stale) {
  for (fence release : {fence::none, fence::block, fence::device})
    for (fence acquire : {fence::none, fence::block, fence::device}) {
      bool const is_right = release == fence::device && acquire == fence::device;
      for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        world w(seed);
        pass(w, release, acquire);
        BOOST_TEST_CONTEXT("seed " << seed << ", fences " << int(release) << " " << int(acquire) << "\n" << w.texts())
        BOOST_REQUIRE(w.findings.size() == !is_right);
        BOOST_REQUIRE(w.has("stale") == !is_right);
      }
    }
}

BOOST_AUTO_TEST_CASE(the_report_names_the_fence_or_its_absence_and_the_values) {
  auto const text_of = [](fence release, fence acquire) {
    world w(1);
    pass(w, release, acquire);
    return w.texts();
  };
  auto const has = [](std::string const& text, char const* words) { return text.find(words) != std::string::npos; };
  std::string const narrow_release = text_of(fence::block, fence::device);
  BOOST_TEST(has(narrow_release, "the fence between the data and the flag has scope .cta"), narrow_release);
  BOOST_TEST(has(narrow_release, "may give 0, older than 0x1"), narrow_release);
  std::string const narrow_acquire = text_of(fence::device, fence::block);
  BOOST_TEST(has(narrow_acquire, "the fence after the read of the flag has scope .cta"), narrow_acquire);
  std::string const none = text_of(fence::none, fence::device);
  BOOST_TEST(has(none, "no release by the writer"), none);
}

BOOST_AUTO_TEST_CASE(without_a_narrow_fence_only_a_polled_flag_makes_reads_stale) {
  for (fence release : {fence::none, fence::device})
    for (fence acquire : {fence::none, fence::device})
      for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        world w(seed);
        actor const a = w(0, 0), b = w(2, 0);
        a.store(w.m->x, 1, relaxed(gpu));
        fence_here(a, release, semantics::release);
        a.store(w.m->y, 1, relaxed(gpu));
        b.load(w.m->y, relaxed(gpu));
        fence_here(b, acquire, semantics::acquire);
        b.load(w.m->x, relaxed(gpu));
        w.model.end_thread(*b.t);
        BOOST_TEST_CONTEXT(w.texts()) BOOST_REQUIRE(w.findings.empty());
      }
}

BOOST_AUTO_TEST_CASE(stale_reads_are_found_if_other_threads_of_the_blocks_use_the_data) {
  for (scope s : {scope::cta, gpu})
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      world w(seed);
      int const *const first = &w.shared[0][60], *const second = &w.shared[2][60];
      w(0, 1).store(w.m->x, 1, relaxed(gpu));
      for (int i : {0, 1}) w(0, i).arrive(first, 0);
      for (int i : {0, 1}) w(0, i).leave(first, 0);
      w(0, 0).fence(semantics::release, s);
      w(0, 0).add(w.m->flag, 1, relaxed(gpu));
      poll(w(2, 0), w.m->flag, is(1));
      w(2, 0).fence(semantics::acquire, gpu);
      for (int i : {0, 1}) w(2, i).arrive(second, 0);
      for (int i : {0, 1}) w(2, i).leave(second, 0);
      w(2, 1).load(w.m->x, relaxed(gpu));
      BOOST_TEST_CONTEXT(w.texts()) BOOST_REQUIRE(w.has("stale") == (s == scope::cta));
    }
}

BOOST_AUTO_TEST_CASE(a_fence_of_two_sides_after_a_strong_read_may_be_an_acquire) {
  // As in a lock whose holder has got a turn among the threads of its block, and then takes a ticket of all blocks.
  // Before sm_90, PTX has no fence that only acquires.
  enum class before { load, update, store, weak_store, barrier };
  for (before last : {before::load, before::update, before::store, before::weak_store, before::barrier})
    for (semantics const order : {semantics::acq_rel, semantics::release, semantics::acquire}) {
      bool found = false;
      for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        world w(seed);
        actor const a = w(0, 0), b = w(2, 0);
        int& turn = w.shared[0][0];
        w(0, 1).store(turn, 1, relaxed(scope::cta));
        a.store(w.m->x, 1, relaxed(gpu));
        a.load(turn, relaxed(scope::cta));
        switch (last) {
        case before::load: break;
        case before::update: a.add(turn, 1, relaxed(scope::cta)); break;
        case before::store: a.store(w.m->z, 1, relaxed(gpu)); break;
        case before::weak_store: a.store(w.m->array[0], 1); break;
        case before::barrier:
          a.arrive(&w.shared[0][60], 0);
          a.leave(&w.shared[0][60], 0);
          break;
        }
        a.fence(order, scope::cta);
        a.add(w.m->y, 1, relaxed(gpu));
        b.add(w.m->y, 1, relaxed(gpu));
        b.load(w.m->x, relaxed(gpu));
        w.model.end_thread(*b.t);
        found |= w.has("stale");
      }
      bool const has_read = last == before::load || last == before::update;
      BOOST_TEST_CONTEXT(int(last) << " " << int(order))
      BOOST_TEST(found == (order == semantics::release || (order == semantics::acq_rel && !has_read)));
    }
}

BOOST_AUTO_TEST_CASE(relaxed_counters_are_not_flags) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    world w(seed);
    world::steps workers[2], watcher;
    for (int i : {0, 1})
      for (int n = 0; n < 5; ++n) {
        workers[i].push_back([&w, i] { w(i, 0).add(w.m->x, 1, relaxed(gpu)); });
        // A fence for the threads of the block, and a store that it orders.
        workers[i].push_back([&w, i] { w(i, 0).fence(semantics::acq_rel, scope::cta); });
        workers[i].push_back([&w, i] { w(i, 0).store(w.shared[std::size_t(i)][0], 1, relaxed(scope::cta)); });
        workers[i].push_back([&w, i] { w(i, 0).add(w.m->y, 1, relaxed(gpu)); });
      }
    for (int n = 0; n < 10; ++n) {
      watcher.push_back([&w] {
        w.step = 300;
        w(2, 0).load(w.m->y, relaxed(gpu));
      });
      if (n % 3 == 2)
        watcher.push_back([&w] {
          w.step = 350;
          w(2, 0).load(w.m->x, relaxed(gpu));
        });
    }
    w.interleave({workers[0], workers[1], watcher});
    w.model.end_thread(*w(2, 0).t);
    BOOST_TEST_CONTEXT("seed " << seed << "\n" << w.texts()) BOOST_REQUIRE(w.findings.empty());
  }
}

namespace {

enum class reading { weakly, by_a_load, by_an_addition };

/// Three threads add to a sum, and then count themselves, each by an atomic operation. The one that counts last, and
/// has added first, reads the sum.
int sum_of_the_last(world& w, order counting, reading how, fence between = fence::none) {
  actor const last = w(2, 0);
  auto const add = [&](actor t) {
    w.step = 20;
    t.add(w.m->x, 1, relaxed(gpu), true);
  };
  auto const count = [&](actor t) {
    w.step = 21;
    fence_here(t, between, semantics::release);
    return t.add(w.m->y, 1, counting);
  };
  add(last);
  for (int block : {0, 1}) add(w(block, 0)), count(w(block, 0));
  BOOST_REQUIRE(count(last) == 2);
  int const sum = how == reading::weakly      ? last.load(w.m->x)
                  : how == reading::by_a_load ? last.load(w.m->x, relaxed(gpu))
                                              : last.add(w.m->x, 0, relaxed(gpu));
  w.model.end_thread(*last.t);
  return sum;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_sum_of_relaxed_additions_is_silent_and_a_load_of_it_may_be_old) {
  int old = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed)
    for (reading how : {reading::weakly, reading::by_a_load, reading::by_an_addition}) {
      world wrong(seed), right(seed);
      int const sum = sum_of_the_last(wrong, relaxed(gpu), how);
      BOOST_TEST_CONTEXT("seed " << seed << "\n" << wrong.texts()) {
        BOOST_REQUIRE(wrong.has("race") == (how == reading::weakly));
        BOOST_REQUIRE(wrong.findings.size() == (how == reading::weakly));
      }
      if (how == reading::by_a_load) old += sum != 3;
      else BOOST_REQUIRE(sum == 3);
      BOOST_REQUIRE(sum_of_the_last(right, acq_rel(gpu), how) == 3);
      BOOST_REQUIRE(right.findings.empty());
    }
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    world narrow(seed);
    sum_of_the_last(narrow, relaxed(gpu), reading::by_a_load, fence::block);
    BOOST_REQUIRE(narrow.has("stale"));
  }
  BOOST_TEST(old > 10);
}

BOOST_AUTO_TEST_CASE(one_fence_acquires_several_polled_flags) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    world w(seed);
    actor const a = w(0, 0), b = w(2, 0);
    int const step = w.step;
    b.load(w.m->y, relaxed(gpu));
    a.store(w.m->x, 1);
    a.fence(semantics::release, gpu);
    a.store(w.m->z, 1, relaxed(gpu));
    a.store(w.m->y, 1, relaxed(gpu));
    w.step = step;
    poll(b, w.m->y, is(1));
    w.step += 10;
    poll(b, w.m->z, is(1)); // z may be old, and is then read again
    w.step += 10;
    b.fence(semantics::acquire, gpu);
    b.load(w.m->x);
    w.model.end_thread(*b.t);
    BOOST_TEST_CONTEXT("seed " << seed << "\n" << w.texts()) BOOST_REQUIRE(w.findings.empty());
  }
}

BOOST_AUTO_TEST_CASE(a_sequence_lock_is_silent) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    world w(seed);
    world::steps writer, reader;
    int& sequence = w.m->flag;
    for (int round = 0; round < 4; ++round) {
      writer.push_back([&, round] { w(0, 0).store(sequence, 2 * round + 1, relaxed(gpu)); });
      writer.push_back([&] { w(0, 0).fence(semantics::release, gpu); });
      writer.push_back([&, round] { w(0, 0).store(w.m->x, round + 1, relaxed(gpu)); });
      writer.push_back([&, round] { w(0, 0).store(w.m->y, round + 1, relaxed(gpu)); });
      writer.push_back([&] { w(0, 0).fence(semantics::release, gpu); });
      writer.push_back([&, round] { w(0, 0).store(sequence, 2 * round + 2, relaxed(gpu)); });
    }
    int before = 0, x = 0, y = 0, next = 0;
    for (int i = 0; i < 60; ++i)
      reader.push_back([&] {
        actor const b = w(2, 0);
        w.step = 300 + next;
        switch (next) {
        case 0:
          before = b.load(sequence, relaxed(gpu));
          next = before % 2 ? 0 : 1;
          break;
        case 1: b.fence(semantics::acquire, gpu), next = 2; break;
        case 2: x = b.load(w.m->x, relaxed(gpu)), next = 3; break;
        case 3: y = b.load(w.m->y, relaxed(gpu)), next = 4; break;
        case 4: b.fence(semantics::acquire, gpu), next = 5; break;
        case 5:
          if (b.load(sequence, relaxed(gpu)) == before) BOOST_REQUIRE(x == y);
          next = 0;
          break;
        }
      });
    w.interleave({writer, reader});
    w.model.end_thread(*w(2, 0).t);
    BOOST_TEST_CONTEXT("seed " << seed << "\n" << w.texts()) BOOST_REQUIRE(w.findings.empty());
  }
}

BOOST_AUTO_TEST_CASE(a_work_stealing_queue_is_silent) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    world w(seed);
    world::steps owner, thief;
    int &top = w.m->x, &bottom = w.m->y;
    for (int i = 0; i < 6; ++i) {
      owner.push_back([&, i] { w(0, 0).store(w.m->array[i], i + 1, relaxed(gpu)); });
      owner.push_back([&] { w(0, 0).fence(semantics::release, gpu); });
      owner.push_back([&, i] { w(0, 0).store(bottom, i + 1, relaxed(gpu)); });
    }
    int t = 0, value = 0, next = 0;
    for (int i = 0; i < 60; ++i)
      thief.push_back([&] {
        actor const b = w(2, 0);
        w.step = 300 + next;
        switch (next) {
        case 0: t = b.load(top, relaxed(gpu)), next = 1; break;
        case 1: b.sc(gpu), next = 2; break;
        case 2: next = b.load(bottom, relaxed(gpu)) > t ? 3 : 0; break;
        case 3: b.fence(semantics::acquire, gpu), next = 4; break;
        case 4: value = b.load(w.m->array[t], relaxed(gpu)), next = 5; break;
        case 5:
          if (b.cas(top, t, t + 1, relaxed(gpu))) BOOST_REQUIRE(value == t + 1);
          next = 0;
          break;
        }
      });
    w.interleave({owner, thief});
    w.model.end_thread(*w(2, 0).t);
    BOOST_TEST_CONTEXT("seed " << seed << "\n" << w.texts()) BOOST_REQUIRE(w.findings.empty());
  }
}

BOOST_AUTO_TEST_CASE(block_scope_across_blocks_is_a_race_not_a_stale_read) {
  world w(1);
  w(0, 0).store(w.m->x, 1, relaxed(scope::cta));
  w(0, 0).fence(semantics::release, scope::cta);
  w(0, 0).store(w.m->y, 1, relaxed(scope::cta));
  w(2, 0).load(w.m->y, relaxed(scope::cta));
  w(2, 0).load(w.m->x, relaxed(scope::cta));
  BOOST_TEST(w.has("race", "the scope .cta of the first does not include"));
  BOOST_TEST(!w.has("stale"));
}

BOOST_AUTO_TEST_SUITE_END()
