// SPDX-License-Identifier: Apache-2.0
//
// What checked builds ask at a host access, and the table of shared memory behind it. That operations ask at all:
// atomicity.death.cpp.
#include "../../runtime/atomicity.hpp"
#include "../../runtime/boundary.hpp"
#include "../../runtime/shared_ranges.hpp"
#include "simulated_machine.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <latch>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

import cudax.sync.host;

using namespace cudax::runtime;

namespace {

/// What the functions print to standard error.
template <class F> std::string printed(F f) {
  std::fflush(stderr);
  std::FILE* const file = std::tmpfile();
  int const kept = dup(STDERR_FILENO);
  dup2(fileno(file), STDERR_FILENO);
  f();
  std::fflush(stderr);
  dup2(kept, STDERR_FILENO);
  close(kept);
  std::string text;
  std::rewind(file);
  for (int c; (c = std::fgetc(file)) != EOF;) text += char(c);
  std::fclose(file);
  return text;
}

std::string asked(void const* object, size_t size, bool modifies) {
  return printed([&] { ask_atomicity(object, size, modifies); });
}

bool has(std::string const& text, char const* part) { return text.find(part) != text.npos; }

struct fixture : cudax_test::simulated_machine {
  fixture() {
    forget_atomicity_answers();
    auto& d = described[0] = {};
    d.compute_capability_major = 9;
    d.unified_addressing = d.can_map_host_memory = d.concurrent_managed_access = 1;
  }
  ~fixture() {
    unsetenv("CUDAX_ATOMICITY");
    forget_atomicity_answers();
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(atomicity_check, fixture)

BOOST_AUTO_TEST_CASE(a_read_modify_write_in_mapped_memory_is_warned_of_once) {
  auto const a = cudax::make_mapped<int>(1);
  auto const b = cudax::make_mapped<int>(1);
  BOOST_TEST(asked(a.get(), 4, false) == ""); // loads and stores are atomic
  int const before = calls();
  std::string const text = asked(a.get(), 4, true);
  BOOST_TEST(calls() > before);
  BOOST_TEST(text.starts_with("cudax.sync: warning: a host thread's read-modify-write of 4 bytes at 0x"), text);
  BOOST_TEST(has(text, "mapped memory: a read-modify-write is atomic only where"), text);
  BOOST_TEST(has(text, "(device 0: host_native_atomic_supported 0)"), text);
  BOOST_TEST(has(text, "this is right only while no device modifies the object"), text);
  BOOST_TEST(has(text, "CUDAX_ATOMICITY"), text);
  int const after = calls();
  BOOST_TEST(asked(a.get(), 4, true) == "");
  BOOST_TEST(asked(b.get(), 4, true) == "");
  BOOST_TEST(calls() == after); // and CUDA is left alone
}

BOOST_AUTO_TEST_CASE(a_registered_object_is_asked_about_and_its_neighbours_are_not) {
  struct {
    int before, object, behind;
  } s = {};
  cudax::registered<int> r(s.object);
  int const calls_before = calls();
  BOOST_TEST(asked(&s.before, 4, true) == "");
  BOOST_TEST(asked(&s.behind, 4, true) == "");
  BOOST_TEST(calls() == calls_before);
  BOOST_TEST(has(asked(&s.object, 4, true), "registered memory: "));
  forget_atomicity_answers();
  r.reset();
  BOOST_TEST(asked(&s.object, 4, true) == "");
}

BOOST_AUTO_TEST_CASE(where_all_is_atomic_each_object_is_asked_about_no_more_than_once) {
  described[0].host_native_atomic_supported = 1;
  auto const mapped = cudax::make_mapped<int>(1);
  auto const managed = cudax::make_managed<int>(1);
  for (int const* object : {mapped.get(), managed.get()})
    for (bool const modifies : {false, true}) BOOST_TEST(asked(object, 4, modifies) == "");
  int const before = calls();
  auto const another = cudax::make_managed<int>(1);
  int const allocated = calls() - before;
  for (bool const modifies : {false, true}) BOOST_TEST(asked(another.get(), 4, modifies) == "");
  BOOST_TEST(calls() == before + allocated);
}

BOOST_AUTO_TEST_CASE(managed_memory_that_sides_may_not_share_is_warned_of_at_a_load) {
  described[0].concurrent_managed_access = 0;
  auto const managed = cudax::make_managed<int>(1);
  std::string const text = asked(managed.get(), 4, false);
  BOOST_TEST(has(text, "a host thread's load or store of 4 bytes"), text);
  BOOST_TEST(has(text, "(device 0: concurrent_managed_access 0)"), text);
  BOOST_TEST(has(text, "this is right only while no kernel runs"), text);
  BOOST_TEST(asked(managed.get(), 4, true) == "");
}

BOOST_AUTO_TEST_CASE(managed_memory_that_is_registered_stays_managed) {
  int object = 0;
  others_own(reinterpret_cast<address>(&object), sizeof(object), memory_owner::managed);
  cudax::registered<int> const r(object);
  int before = calls();
  BOOST_TEST(asked(&object, 4, true) == "");
  BOOST_TEST(calls() > before);
  before = calls();
  BOOST_TEST(asked(&object, 4, true) == ""); // what mapped memory allows is open, but not for this object
  BOOST_TEST(calls() == before);
  auto const mapped = cudax::make_mapped<int>(1); // and has not answered for mapped memory
  BOOST_TEST(has(asked(mapped.get(), 4, true), "mapped memory"));
}

BOOST_AUTO_TEST_CASE(the_environment_silences_it_and_a_typing_error_is_named) {
  auto const mapped = cudax::make_mapped<int>(1);
  setenv("CUDAX_ATOMICITY", "off", 1);
  int const before = calls();
  BOOST_TEST(asked(mapped.get(), 4, true) == "");
  BOOST_TEST(calls() == before);
  forget_atomicity_answers();
  setenv("CUDAX_ATOMICITY", "stopp", 1);
  auto const another = cudax::make_mapped<int>(1);
  std::string const text = asked(another.get(), 4, true);
  BOOST_TEST(text.starts_with("cudax.sync: CUDAX_ATOMICITY is 'stopp'; use warn, stop or off\n"), text);
  BOOST_TEST(has(text, "cudax.sync: warning: "), text);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_asked_is_said_once) {
  for (int k : {1, 2, 3}) { // the count, the device, the pointer
    forget_atomicity_answers();
    auto const mapped = cudax::make_mapped<int>(1);
    fail_call(k, cuda::memory_allocation);
    std::string const text = asked(mapped.get(), 4, true);
    BOOST_TEST(failed());
    BOOST_TEST(has(text, "out of memory (cudaErrorMemoryAllocation)"), text);
    BOOST_TEST(has(text, "so it is not known whether"), text);
    BOOST_TEST(asked(mapped.get(), 4, true) == "");
  }
}

BOOST_AUTO_TEST_CASE(where_cuda_may_not_be_called_nothing_is_settled) {
  auto const mapped = cudax::make_mapped<int>(1);
  fail_call(1, cuda::not_permitted);
  BOOST_TEST(asked(mapped.get(), 4, true) == "");
  BOOST_TEST(failed());
  BOOST_TEST(has(asked(mapped.get(), 4, true), "host_native_atomic_supported 0"));
}

BOOST_AUTO_TEST_CASE(threads_at_once_are_warned_once) {
  for (int round = 0; round < 20; ++round) {
    forget_atomicity_answers();
    std::vector<cudax::mapped_ptr<int>> objects; // one each
    for (int t = 0; t < 8; ++t) objects.push_back(cudax::make_mapped<int>(1));
    std::latch all_there(8);
    std::string const text = printed([&] {
      std::vector<std::jthread> threads;
      for (auto const& object : objects)
        threads.emplace_back([&] {
          all_there.arrive_and_wait();
          ask_atomicity(object.get(), 4, true);
        });
    });
    BOOST_TEST(has(text, "warning"), text);
    BOOST_TEST(text.find('\n') == text.size() - 1, text);
  }
}

BOOST_AUTO_TEST_CASE(what_was_never_shared_is_not_found_while_ranges_come_and_go) {
  using namespace cudax::runtime;
  std::atomic<bool> stop = false;
  static char memory[48]; // the last third and the first are ranges in turn, in the same place of the table
  std::jthread const sharer([&] {
    while (!stop)
      for (char* const at : {memory + 32, memory}) {
        add_shared(sharing::managed, 9000, at, 16);
        remove_shared(sharing::managed, 9000);
      }
  });
  long found = 0;
  auto const limit = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
  while (std::chrono::steady_clock::now() < limit)
    for (int i = 0; i < 10'000; ++i) found += find_shared(memory + 24) != sharing::none;
  stop = true;
  BOOST_TEST(found == 0);
}

BOOST_AUTO_TEST_CASE(the_table_holds_what_fits_and_finds_it_while_others_come_and_go) {
  static char memory[shared_ranges_max + 8][16];
  for (unsigned i = 0; i < shared_ranges_max + 8; ++i) add_shared(sharing::registered, 5000 + i, memory[i], 16);
  unsigned known = 0;
  for (auto const& bytes : memory) known += find_shared(bytes) == sharing::registered;
  BOOST_TEST(known == shared_ranges_max);
  BOOST_TEST((find_shared(&memory[0][15]) == sharing::registered && find_shared(&memory[1][0]) == sharing::registered));
  auto const in_front = reinterpret_cast<char const*>(reinterpret_cast<std::uintptr_t>(memory) - 1);
  BOOST_TEST((find_shared(in_front) == sharing::none));

  remove_shared(sharing::mapped, 5000); // another kind's
  BOOST_TEST((find_shared(memory[0]) == sharing::registered));
  remove_shared(sharing::registered, 5000);
  BOOST_TEST((find_shared(memory[0]) == sharing::none));
  add_shared(sharing::managed, 5000, memory[0], 16); // takes the free place
  BOOST_TEST((find_shared(memory[0]) == sharing::managed));
  remove_shared(sharing::managed, 5000);
  remove_shared(sharing::registered, 5002); // and no other
  BOOST_TEST((find_shared(memory[2]) == sharing::none && find_shared(memory[1]) == sharing::registered));

  std::atomic<bool> stop = false;
  std::atomic<unsigned> missed = 0;
  {
    std::jthread const reader([&] {
      while (!stop) missed += find_shared(memory[3]) != sharing::registered;
    });
    for (unsigned round = 0; round < 200; ++round) {
      for (unsigned i = 4; i < 40; ++i) remove_shared(sharing::registered, 5000 + i);
      for (unsigned i = 4; i < 40; ++i) add_shared(sharing::registered, 5000 + i, memory[i], 16);
    }
    stop = true;
  }
  BOOST_TEST(missed == 0u);
  for (unsigned i = 1; i < shared_ranges_max + 8; ++i) remove_shared(sharing::registered, 5000 + i);
  known = 0;
  for (auto const& bytes : memory) known += find_shared(bytes) != sharing::none;
  BOOST_TEST(known == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
