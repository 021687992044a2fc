// SPDX-License-Identifier: Apache-2.0
//
// What a device's read-modify-write of 1 or 2 bytes does to the rest of the word: the rule for each machine, what is
// known about the rest, and what atomicity() says about pointers. `tools/info --experiment` measures whether it is
// true.
#include "../../../runtime/atomicity/atomicity.hpp"
#include "../simulated/simulated_machine.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <memory_resource>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

import cudax.sync;
import cudax.sync.host;

using namespace cudax::runtime;
using cudax::atomicity_answer;
using cudax::memory_type;
using cudax::word_neighbours;

namespace {

constexpr auto load_store = cudax::atomic_operation::load_store;
constexpr auto modify = cudax::atomic_operation::read_modify_write;

/// A GPU on PCIe.
struct fixture : cudax_test::simulated_machine {
  fixture() {
    auto& d = described[0] = {};
    d.compute_capability_major = 9;
    d.unified_addressing = d.can_map_host_memory = d.can_use_host_pointer_for_registered_mem = 1;
    d.concurrent_managed_access = 1;
  }
};

word_neighbours of(void const volatile* at, std::size_t size = 1,
                   cudax::thread_scope scope = cudax::thread_scope_system) {
  return cudax::atomicity(at, size, modify, scope).neighbours;
}

struct asked_machine {
  int map = 1, native = 0, pageable = 0, tables = 0, links_native = 0, reaches = 1;
};

atomicity_description decided(memory_type memory, asked_machine const& has, word_neighbours beside, bool by_word = true,
                              backing pages = backing::process) {
  device_facts devices[] = {{0, {}}, {1, {}}};
  for (auto& d : devices) {
    d.attributes.compute_capability_major = 9;
    d.attributes.concurrent_managed_access = 1;
    d.attributes.can_map_host_memory = has.map;
    d.attributes.host_native_atomic_supported = has.native;
    d.attributes.pageable_memory_access = has.pageable;
    d.attributes.pageable_memory_access_uses_host_page_tables = has.tables;
  }
  link_facts const links[] = {{1, 0, {has.reaches, has.links_native, 0}}};
  atomicity_description result;
  decide({modify, 1, true, false, by_word, 0x1002}, {memory, 0, pages, beside}, devices, links, wording::current,
         result);
  return result;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(neighbours_in_the_word, fixture)

BOOST_AUTO_TEST_CASE(neighbours_are_affected_if_host_and_device_are_not_atomic_to_each_other) {
  using enum memory_type;
  struct {
    memory_type memory;
    asked_machine has;
    bool affected;
    backing pages = backing::process;
  } const cases[] = {
      {registered, {}, true},
      {mapped, {}, true},
      {mapped, {.native = 1}, false},
      {mapped, {.map = 0}, false}, // no device can access it
      {managed, {}, false},
      {shared, {}, false},
      {device, {}, true},
      {device, {.links_native = 1}, false},
      {device, {.reaches = 0}, false},
      {system_allocated, {}, false},
      {system_allocated, {.pageable = 1}, false}, // its pages migrate
      {system_allocated, {.pageable = 1}, true, backing::file},
      {system_allocated, {.pageable = 1}, true, backing::unknown},
      {system_allocated, {.pageable = 1, .tables = 1}, false, backing::file},
  };
  for (auto const& [memory, has, affected, pages] : cases)
    for (auto const beside : {word_neighbours::unaffected, word_neighbours::same_object, word_neighbours::other_objects,
                              word_neighbours::unknown})
      for (bool const by_word : {false, true}) {
        auto const found = decided(memory, has, beside, by_word, pages);
        bool const is = affected && by_word && beside != word_neighbours::unaffected;
        BOOST_TEST((found.neighbours == (is ? beside : word_neighbours::unaffected)),
                   to_string(memory) << ", " << to_string(beside) << ": " << found.about_neighbours);
        BOOST_TEST((found.about_neighbours[0] != 0) == is);
        BOOST_TEST(
            (is ? std::string(found.about_neighbours).find("4 bytes at 0x1000, and what ") != std::string::npos : true),
            found.about_neighbours);
        BOOST_TEST(std::string(found.about_neighbours).size() < sizeof(found.about_neighbours) - 1);
      }
}

BOOST_AUTO_TEST_CASE(the_rest_of_the_word_follows_from_the_range) {
  using enum word_neighbours;
  struct {
    std::uintptr_t begin, end;
    std::size_t object_size;
    std::uintptr_t at;
    std::size_t size;
    word_neighbours registered, allocated;
  } const cases[] = {
      {0x1000, 0x1001, 1, 0x1000, 1, other_objects, unaffected}, // one byte
      {0x1003, 0x1004, 1, 0x1003, 1, other_objects, unaffected}, // the last byte of its word
      {0x1002, 0x1004, 2, 0x1002, 2, other_objects, unaffected}, // two
      {0x1000, 0x1004, 4, 0x1000, 1, same_object, same_object},  // the first byte of an object of 4 bytes
      {0x1000, 0x1004, 4, 0x1002, 2, same_object, same_object},
      {0x1000, 0x1004, 1, 0x1001, 1, other_objects, other_objects}, // an array of bytes
      {0x1000, 0x1008, 2, 0x1002, 2, other_objects, other_objects},
      {0x1000, 0x1005, 1, 0x1004, 1, other_objects, unaffected},  // its last byte, in a separate word
      {0x1000, 0x1006, 6, 0x1004, 1, other_objects, same_object}, // a struct of 6 bytes
      {0x1000, 0x1006, 6, 0x1000, 1, same_object, same_object},
      {0x1000, 0x100c, 6, 0x1004, 1, other_objects, other_objects}, // an array of two such structs
      {0x1000, 0x100c, 6, 0x1008, 2, same_object, same_object},
      {0x0fff, 0x2001, 0x1002, 0x1001, 1, same_object, same_object}, // a large object
  };
  for (auto const& c : cases) {
    shared_range range{sharing::registered, c.begin, c.end, c.object_size, 0, nullptr};
    BOOST_TEST((beside(c.at, c.size, range) == c.registered), "case " << &c - cases);
    for (sharing const kind : {sharing::mapped, sharing::managed}) {
      range.kind = kind;
      BOOST_TEST((beside(c.at, c.size, range) == c.allocated), "case " << &c - cases << ", allocated");
    }
  }
  BOOST_TEST((beside(0x1000, 1, {}) == unknown));
}

BOOST_AUTO_TEST_CASE(the_answer_reports_that_a_registered_byte_shares_its_word) {
  struct alignas(4) {
    unsigned char before, flag, after, last;
  } s = {};
  BOOST_TEST((of(&s.flag) == word_neighbours::unaffected)); // no device can access it
  cudax::registered<unsigned char[]> const r(&s.flag, 1);
  auto const found = cudax::atomicity(&s.flag, 1, modify);
  BOOST_TEST((found.answer == atomicity_answer::one_device_only));
  BOOST_TEST((found.neighbours == word_neighbours::other_objects));
  char word[32];
  std::snprintf(word, sizeof(word), "4 bytes at %p, ", static_cast<void*>(&s.before));
  for (char const* part : std::initializer_list<char const*>{
           word, "what the host stores to the word's other 3 bytes in the meantime may be lost",
           "they hold other objects: give the object 4 bytes, or a struct alignas(4) around it, or managed "
           "memory (device 0: host_native_atomic_supported 0)"})
    BOOST_TEST((found.reason.find(part) != found.reason.npos), found.reason);
  // The exception: at device scope, with one device, the object itself is safe.
  auto const narrow = cudax::atomicity(&s.flag, 1, modify, cudax::thread_scope_device);
  BOOST_TEST((narrow.answer == atomicity_answer::yes && narrow.neighbours == word_neighbours::other_objects));
  BOOST_TEST((narrow.reason.find("may be lost") != narrow.reason.npos), narrow.reason);
  // Operations that access only the object's bytes.
  BOOST_TEST((of(&s.flag, 1, cudax::thread_scope_thread) == word_neighbours::unaffected));
  auto const loaded = cudax::atomicity(&s.flag, 1, load_store);
  BOOST_TEST((loaded && loaded.neighbours == word_neighbours::unaffected));
  BOOST_TEST((loaded.reason.find("may be lost") == loaded.reason.npos), loaded.reason);
  described[0].host_native_atomic_supported = 1;
  BOOST_TEST((of(&s.flag) == word_neighbours::unaffected));
}

BOOST_AUTO_TEST_CASE(an_object_with_a_separate_word_is_safe) {
  struct alignas(4) own_word {
    unsigned char value;
  };
  static own_word padded;
  cudax::registered<own_word> const r(padded);
  BOOST_TEST((of(&padded) == word_neighbours::same_object)); // padding, as the program knows
  static int whole;
  cudax::registered<int> const s(whole);
  BOOST_TEST((of(&whole, 4) == word_neighbours::unaffected));
}

BOOST_AUTO_TEST_CASE(make_mapped_gives_whole_words_and_elements_share_them) {
  auto const byte = cudax::make_mapped<unsigned char>(0), another = cudax::make_mapped<unsigned char>(0);
  auto const pair = cudax::make_mapped<short>(short(0));
  for (void const* at : {static_cast<void*>(byte.get()), static_cast<void*>(another.get())})
    BOOST_TEST((of(at) == word_neighbours::unaffected && reinterpret_cast<std::uintptr_t>(at) % 4 == 0));
  BOOST_TEST((of(pair.get(), 2) == word_neighbours::unaffected));
  auto const bytes = cudax::make_mapped<unsigned char[]>(5);
  for (int i : {0, 1, 2, 3}) BOOST_TEST((of(&bytes[i]) == word_neighbours::other_objects), i);
  BOOST_TEST((of(&bytes[4]) == word_neighbours::unaffected)); // nothing follows it
  auto const pairs = cudax::make_mapped<short[]>(3);
  BOOST_TEST((of(&pairs[1], 2) == word_neighbours::other_objects && of(&pairs[2], 2) == word_neighbours::unaffected));
  struct members {
    int number;
    unsigned char a, b;
  };
  auto const object = cudax::make_mapped<members>();
  BOOST_TEST((of(&object->a) == word_neighbours::same_object));
  struct alignas(4096) large {
    unsigned char a;
  };
  auto const aligned = cudax::make_mapped<large[]>(2); // a range that does not begin at the start of CUDA's allocation
  BOOST_TEST((of(&aligned[1].a) == word_neighbours::same_object));
  auto const managed = cudax::make_managed<unsigned char[]>(5);
  BOOST_TEST((of(&managed[1]) == word_neighbours::unaffected));
}

BOOST_AUTO_TEST_CASE(the_resources_allocate_whole_words) {
  for (auto* const resource : {cudax::mapped_resource(), cudax::managed_resource()}) {
    std::vector<std::pair<void*, std::size_t>> pieces;
    std::vector<std::uintptr_t> words;
    for (std::size_t size = 1; size < 40; ++size) {
      pieces.emplace_back(resource->allocate(size, 1), size);
      auto const first = reinterpret_cast<std::uintptr_t>(pieces.back().first);
      BOOST_TEST(first % 4 == 0u);
      for (auto word = first / 4; word <= (first + size - 1) / 4; ++word) words.push_back(word);
    }
    std::size_t const count = words.size();
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    BOOST_TEST(words.size() == count); // no word is shared
    BOOST_TEST((of(pieces[0].first) ==
                (resource == cudax::mapped_resource() ? word_neighbours::same_object : word_neighbours::unaffected)));
    for (auto const& [at, size] : pieces) resource->deallocate(at, size, 1);
    resource->trim();
  }
}

BOOST_AUTO_TEST_CASE(the_neighbours_in_memory_registered_by_other_code_are_unknown) {
  alignas(4096) static char page[4096];
  others_register(reinterpret_cast<address>(page), sizeof(page));
  BOOST_TEST((of(page + 8) == word_neighbours::unknown));
  others_unregister(reinterpret_cast<address>(page));
  auto const found = cudax::atomicity(memory_type::mapped, 2, modify);
  BOOST_TEST((found.neighbours == word_neighbours::unknown));
  BOOST_TEST(
      (found.reason.find("one of the whole word of 4 bytes, and what the host stores to the word's other 2 bytes") !=
       found.reason.npos),
      found.reason);
  BOOST_TEST((cudax::atomicity(memory_type::managed, 2, modify).neighbours == word_neighbours::unaffected));
  BOOST_TEST((cudax::atomicity(memory_type::mapped, 4, modify).neighbours == word_neighbours::unaffected));
  std::error_code error;
  BOOST_TEST((cudax::atomicity(page, 1, modify, cudax::thread_scope_system, {7}, error).neighbours ==
              word_neighbours::unknown)); // no answer
}

BOOST_AUTO_TEST_CASE(enumerators_have_names) {
  for (auto const& [neighbours, name] : {std::pair(word_neighbours::unaffected, "unaffected"),
                                         {word_neighbours::same_object, "same_object"},
                                         {word_neighbours::other_objects, "other_objects"},
                                         {word_neighbours::unknown, "unknown"}})
    BOOST_TEST(to_string(neighbours) == name);
}

BOOST_AUTO_TEST_SUITE_END()
