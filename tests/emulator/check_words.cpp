// SPDX-License-Identifier: Apache-2.0
//
// check_words: 8- and 16-bit objects in the memory model of checked runs. Accesses of their own size read and write
// them, and operations on the surrounding word modify them.
#include "check.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using namespace emulator_test;

/// The parts of a world's flag.
struct parts {
  std::uint32_t& word;
  std::uint8_t* bytes = reinterpret_cast<std::uint8_t*>(&word);
  std::uint16_t* halves = reinterpret_cast<std::uint16_t*>(&word);

  explicit parts(world& w) : word(reinterpret_cast<std::uint32_t&>(w.m->flag)) {}
};

constexpr std::uint32_t one_in_byte[] = {1, 1 << 8, 1 << 16, 1 << 24};

} // namespace

BOOST_AUTO_TEST_SUITE(check_words)

BOOST_AUTO_TEST_CASE(operations_of_both_sizes_on_one_object_do_not_race) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    world w(seed);
    parts const p(w);
    std::vector<world::steps> threads;
    for (int i = 0; i < 4; ++i) {
      actor const t = w(i, 0);
      threads.push_back({[=] { t.store(p.bytes[1], std::uint8_t(i), relaxed(scope::gpu)); },
                         [=] { t.add(p.word, one_in_byte[1], acq_rel(scope::gpu)); },
                         [=] { t.load(p.bytes[1], acquire(scope::gpu)); },
                         [=] { t.store(p.halves[1], std::uint16_t(i), release(scope::gpu)); },
                         [=] { t.load(p.word, relaxed(scope::gpu)); }});
    }
    w.interleave(threads);
    BOOST_TEST_CONTEXT(w.texts()) BOOST_TEST(w.findings.size() == 0u);
  }
}

BOOST_AUTO_TEST_CASE(scopes_apply_to_parts_of_words) {
  world w(1);
  parts const p(w);
  w(0, 0).store(p.bytes[0], std::uint8_t(1), relaxed(scope::cta));
  w(2, 0).add(p.word, 1u, relaxed(scope::gpu));
  BOOST_TEST(w.has("race", "the scope .cta of the first"));
}

BOOST_AUTO_TEST_CASE(a_weak_access_to_the_object_races_with_an_operation_on_its_word) {
  world w(1);
  parts const p(w);
  w(0, 0).add(p.word, one_in_byte[2], relaxed(scope::gpu));
  w(2, 0).load(p.bytes[2]);
  BOOST_TEST(w.has("race"));
}

BOOST_AUTO_TEST_CASE(objects_in_other_words_or_larger_than_a_word_stay_separate) {
  world w(1);
  std::uint32_t* const halves = reinterpret_cast<std::uint32_t*>(&w.m->wide);
  w(0, 0).store(w.m->wide, 1ll, relaxed(scope::gpu));
  w(2, 0).load(halves[1], relaxed(scope::gpu));
  BOOST_TEST(w.has("race", "they differ in address or size"));
}

BOOST_AUTO_TEST_CASE(a_release_of_the_object_is_acquired_in_either_size) {
  // The writer and the reader each use the object's size or the word; an operation on a neighbour comes between, or
  // not.
  for (bool by_word : {false, true})
    for (bool read_by_word : {false, true})
      for (int between : {0, 1, 2})
        for (bool ordered : {true, false}) {
          bool saw = false;
          for (std::uint64_t seed = 0; seed < 20 && !saw; ++seed) {
            world w(seed);
            parts const p(w);
            actor const a = w(0, 0), b = w(2, 0), c = w(3, 0);
            order const from = ordered ? release(scope::gpu) : relaxed(scope::gpu);
            order const to = acquire(scope::gpu);
            a.store(w.m->x, 1);
            if (by_word) a.add(p.word, one_in_byte[1], from);
            else a.store(p.bytes[1], std::uint8_t(1), from);
            if (between == 1) c.store(p.bytes[2], std::uint8_t(1), relaxed(scope::gpu));
            if (between == 2) c.add(p.word, one_in_byte[1], relaxed(scope::gpu));
            std::uint32_t const seen = read_by_word ? b.load(p.word, to) >> 8 & 255 : b.load(p.bytes[1], to);
            if (seen != (between == 2 ? 2 : 1)) continue;
            saw = true;
            b.load(w.m->x);
            BOOST_TEST_CONTEXT("word " << by_word << ", read by word " << read_by_word << ", between " << between
                                       << ", ordered " << ordered << "\n"
                                       << w.texts())
            BOOST_TEST(w.has("race") == !ordered);
          }
          BOOST_TEST(saw);
        }
}

BOOST_AUTO_TEST_CASE(a_release_of_a_neighbour_is_not_acquired) {
  // The word's operations have been divided among its bytes, because the bytes are accessed separately.
  int races = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    world w(seed);
    parts const p(w);
    actor const a = w(0, 0), b = w(2, 0);
    b.store(p.bytes[2], std::uint8_t(1), relaxed(scope::gpu));
    a.store(w.m->x, 1);
    a.add(p.word, one_in_byte[1], release(scope::gpu));
    b.load(p.bytes[2], acquire(scope::gpu));
    b.load(w.m->x);
    races += w.has("race");
  }
  BOOST_TEST(races == 20);
}

BOOST_AUTO_TEST_CASE(a_release_of_the_word_is_acquired_by_its_parts_after_a_division) {
  for (int size : {1, 2}) {
    bool saw = false;
    for (std::uint64_t seed = 0; seed < 20 && !saw; ++seed) {
      world w(seed);
      parts const p(w);
      actor const a = w(0, 0), b = w(2, 0);
      a.store(w.m->x, 1);
      a.add(p.word, one_in_byte[2], release(scope::gpu));
      w(1, 0).store(p.bytes[0], std::uint8_t(1), relaxed(scope::gpu)); // divides the word
      saw = (size == 1 ? b.load(p.bytes[2], acquire(scope::gpu)) : b.load(p.halves[1], acquire(scope::gpu))) == 1;
      if (!saw) continue;
      b.load(w.m->x);
      BOOST_TEST_CONTEXT(w.texts()) BOOST_TEST(w.findings.size() == 0u);
    }
    BOOST_TEST(saw);
  }
}

BOOST_AUTO_TEST_CASE(each_byte_has_its_own_modification_order) {
  bool stale = false;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    world w(seed);
    parts const p(w);
    actor const a = w(0, 0), b = w(2, 0);
    a.store(p.bytes[0], std::uint8_t(1), relaxed(scope::gpu));
    a.add(p.word, 1u, relaxed(scope::gpu));
    a.store(p.bytes[1], std::uint8_t(1), relaxed(scope::gpu));
    auto const second = b.load(p.bytes[1], relaxed(scope::gpu));
    auto const first = b.load(p.bytes[0], relaxed(scope::gpu)), again = b.load(p.bytes[0], relaxed(scope::gpu));
    stale |= second == 1 && first < 2;
    BOOST_TEST(first <= again);
  }
  BOOST_TEST(stale);
}

BOOST_AUTO_TEST_CASE(operations_of_both_sizes_lose_no_update) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    world w(seed);
    parts const p(w);
    std::vector<world::steps> threads(4);
    for (int i = 0; i < 4; ++i)
      for (int n = 0; n < 5; ++n) {
        threads[std::size_t(i)].push_back([=, t = w(i, 0)] { t.add(p.word, one_in_byte[i & 1], relaxed(scope::gpu)); });
        threads[std::size_t(i)].push_back(
            [=, t = w(i, 0)] { t.store(p.bytes[2 + (i & 1)], std::uint8_t(n), relaxed(scope::gpu)); });
        if (i < 2) threads[std::size_t(i)].push_back([=, t = w(i, 0)] { t.load(p.halves[0], relaxed(scope::gpu)); });
      }
    w.interleave(threads);
    BOOST_TEST(p.bytes[0] == 10);
    BOOST_TEST(p.bytes[1] == 10);
    BOOST_TEST(w(0, 0).load(p.word, relaxed(scope::gpu)) != 0u);
    BOOST_TEST_CONTEXT(w.texts()) BOOST_TEST(w.findings.size() == 0u);
  }
}

BOOST_AUTO_TEST_SUITE_END()
