// SPDX-License-Identifier: Apache-2.0
//
// check_words: 8- and 16-bit objects in the memory model of checked runs. Accesses of their own size read and write
// them, and operations on the surrounding word modify them.
#include "world.hpp"

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

// --- words that an allocation only overlaps ---

BOOST_AUTO_TEST_CASE(a_word_around_the_last_byte_of_an_allocation_can_be_accessed) {
  for (char const* const name : {"device memory", "managed memory", "registered host memory", "a variable"})
    for (int first = 0; first < 4; ++first)
      for (int size = 1; size <= 4 - first; ++size) {
        world w(1);
        std::uint32_t word = 0x44332211;
        auto* const bytes = reinterpret_cast<std::uint8_t*>(&word);
        w.model.allocated(reinterpret_cast<std::byte*>(bytes + first), std::size_t(size), name);
        std::uint8_t const before = bytes[first];
        actor const a = w(0, 0), b = w(2, 0);
        BOOST_TEST(a.load(word, relaxed(scope::gpu)) == 0x44332211u);
        BOOST_TEST(a.cas(word, word, word ^ 255u << 8 * first, acq_rel(scope::gpu)));
        BOOST_TEST(bytes[first] == (before ^ 255));
        b.load(bytes[first], acquire(scope::gpu));
        b.store(bytes[first], std::uint8_t(7), release(scope::gpu));
        BOOST_TEST(!a.cas(word, 0u, 1u, relaxed(scope::gpu)));
        a.add(word, 0u, relaxed(scope::gpu), true);
        BOOST_TEST(bytes[first] == 7);
        BOOST_TEST_CONTEXT(name << ", " << size << " bytes from byte " << first << " on\n" << w.texts())
        BOOST_TEST(w.findings.size() == 0u);
      }
}

BOOST_AUTO_TEST_CASE(a_word_beyond_an_allocation_is_out_of_bounds) {
  alignas(8) std::uint32_t words[2] = {0x44332211, 0x88776655};
  auto* const bytes = reinterpret_cast<std::uint8_t*>(words);
  auto const in = [&](auto f) {
    world w(1);
    w.model.allocated(reinterpret_cast<std::byte*>(bytes), 2, "device memory");
    f(w, w(0, 0));
    BOOST_TEST_CONTEXT(w.texts()) BOOST_TEST((w.findings.size() == 1u && w.has("out of bounds")));
    BOOST_TEST(words[0] == 0x44332211u);
    BOOST_TEST(words[1] == 0x88776655u);
  };
  // What is no atomic operation on a word, with a byte of the allocation in it or not.
  in([&](world&, actor a) { a.load(words[0]); });
  in([&](world&, actor a) { a.store(words[0], 1u); });
  in([&](world&, actor a) { a.store(words[0], 1u, relaxed(scope::gpu)); });
  in([&](world&, actor a) { a.load(reinterpret_cast<std::uint16_t&>(bytes[1]), relaxed(scope::gpu)); });
  in([&](world&, actor a) { a.load(reinterpret_cast<std::uint64_t&>(words[0]), relaxed(scope::gpu)); });
  in([&](world&, actor a) { a.load(bytes[2], relaxed(scope::gpu)); });
  // A word without a byte of the allocation.
  in([&](world&, actor a) { a.load(words[1], relaxed(scope::gpu)); });
  in([&](world&, actor a) { a.add(words[1], 1u, relaxed(scope::gpu)); });
  // A word with one, of which the operation changes another byte.
  in([&](world& w, actor a) {
    BOOST_TEST(a.add(words[0], one_in_byte[2], relaxed(scope::gpu)) == 0u);
    BOOST_TEST(w.has("out of bounds", "changes byte 2 of the word"));
    BOOST_TEST(w.has("out of bounds", "device memory of 2 bytes"));
  });
}

BOOST_AUTO_TEST_CASE(allocations_that_share_a_word_are_separate) {
  // Two bytes, each an allocation, and the objects of two threads: operations on the word of one, and stores to the
  // other.
  world w(1);
  std::uint32_t word = 0;
  auto* const bytes = reinterpret_cast<std::uint8_t*>(&word);
  w.model.allocated(reinterpret_cast<std::byte*>(bytes + 1), 1, "registered host memory");
  w.model.allocated(reinterpret_cast<std::byte*>(bytes + 2), 1, "registered host memory");
  actor const a = w(0, 0), b = w(2, 0);
  for (int i = 0; i < 3; ++i) {
    a.add(word, one_in_byte[1], relaxed(scope::gpu));
    b.store(bytes[2], std::uint8_t(i)); // weak
  }
  BOOST_TEST_CONTEXT(w.texts()) BOOST_TEST(w.findings.size() == 0u);
  // When one is freed, what is known of the other one remains.
  b.store(bytes[1], std::uint8_t(1), relaxed(scope::cta));
  w.model.freed(reinterpret_cast<std::byte*>(bytes + 2));
  a.add(word, one_in_byte[1], relaxed(scope::gpu));
  BOOST_TEST(w.has("race", "the scope .cta of the first"));
  w.findings.clear();
  a.load(bytes[2], relaxed(scope::gpu));
  BOOST_TEST(w.has("use after free"));
  w.findings.clear();
  a.add(word, one_in_byte[2], relaxed(scope::gpu));
  BOOST_TEST(w.has("out of bounds", "changes byte 2 of the word"));
  w.findings.clear();
  w.model.freed(reinterpret_cast<std::byte*>(bytes + 1));
  a.add(word, one_in_byte[1], relaxed(scope::gpu));
  BOOST_TEST(w.has("use after free"));
}

BOOST_AUTO_TEST_CASE(a_release_outlives_the_neighbour_in_its_word) {
  bool saw = false;
  for (std::uint64_t seed = 0; seed < 20 && !saw; ++seed) {
    world w(seed);
    std::uint32_t word = 0;
    auto* const bytes = reinterpret_cast<std::uint8_t*>(&word);
    w.model.allocated(reinterpret_cast<std::byte*>(bytes), 1, "registered host memory");
    w.model.allocated(reinterpret_cast<std::byte*>(bytes + 1), 1, "registered host memory");
    actor const a = w(0, 0), b = w(2, 0);
    a.store(w.m->x, 1);
    a.add(word, one_in_byte[1], release(scope::gpu));
    w.model.freed(reinterpret_cast<std::byte*>(bytes));
    saw = b.load(bytes[1], acquire(scope::gpu)) == 1;
    if (!saw) continue;
    b.load(w.m->x);
    BOOST_TEST_CONTEXT(w.texts()) BOOST_TEST(w.findings.size() == 0u);
  }
  BOOST_TEST(saw);
}

BOOST_AUTO_TEST_CASE(an_operation_on_a_word_gives_no_value_to_the_neighbours) {
  world w(1);
  auto* const bytes = reinterpret_cast<std::uint8_t*>(w.shared[0].data());
  w(0, 0).store(bytes[1], std::uint8_t(1));
  w(0, 0).add(reinterpret_cast<std::uint32_t&>(w.shared[0][0]), one_in_byte[1], relaxed(scope::cta));
  BOOST_TEST_CONTEXT(w.texts()) BOOST_TEST(w.findings.size() == 0u);
  w(0, 0).load(bytes[2]);
  BOOST_TEST(w.has("uninitialised"));
  w.findings.clear();
  w(0, 0).add(reinterpret_cast<std::uint32_t&>(w.shared[0][1]), 1u, relaxed(scope::cta));
  BOOST_TEST(w.has("uninitialised"));
}

BOOST_AUTO_TEST_CASE(an_exchange_gives_a_value_to_every_byte_even_if_none_changes) {
  world w(1);
  std::uint32_t word = 1;
  auto* const bytes = reinterpret_cast<std::uint8_t*>(&word);
  w.model.allocated(reinterpret_cast<std::byte*>(&word), 4, "device memory", true);
  actor const t = w(0, 0);
  t.store(bytes[0], std::uint8_t(1));
  t.store(bytes[1], std::uint8_t(0));
  std::uint32_t old;
  auto const apply = [&](std::uint32_t keep, std::uint32_t set) {
    w.model.update(t.at(word, relaxed(scope::gpu)), &old, [&](void* v) {
      auto& value = *static_cast<std::uint32_t*>(v);
      value = (value & keep) | set;
      return true;
    });
  };
  apply(0x00ffffff, 0); // clears byte 3, which is 0 anyway
  t.load(bytes[3]);
  BOOST_TEST_CONTEXT(w.texts()) BOOST_TEST(w.findings.size() == 0u);
  t.load(bytes[2]);
  BOOST_TEST(w.has("uninitialised"));
  // Told of once, a byte counts as written: another word.
  w.findings.clear();
  w.model.freed(reinterpret_cast<std::byte*>(&word));
  w.model.allocated(reinterpret_cast<std::byte*>(&word), 4, "device memory", true);
  t.store(bytes[0], std::uint8_t(1));
  apply(0, 1);
  for (int i = 0; i < 4; ++i) t.load(bytes[i]);
  BOOST_TEST_CONTEXT(w.texts()) BOOST_TEST(w.findings.size() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
