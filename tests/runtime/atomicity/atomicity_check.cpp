// SPDX-License-Identifier: Apache-2.0
//
// What checked builds check at a host access. That operations check at all: atomicity.death.cpp. How the memory is
// looked up: shared_ranges.cpp.
#include "../../../runtime/atomicity/atomicity.hpp"
#include "../../../runtime/interface/boundary.hpp"
#include "../simulated/simulated_machine.hpp"

#include <boost/test/unit_test.hpp>

#include <cerrno>
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

std::string warning_for(void const* object, size_t size, host_access how) {
  return printed([&] { check_atomicity(object, size, how); });
}
std::string warning_for(void const* object, size_t size, bool modifies) {
  return warning_for(object, size, modifies ? host_access::modify : host_access::load);
}

bool has(std::string const& text, char const* part) { return text.find(part) != text.npos; }

/// Like registered<unsigned char>, which a checked build checks by itself.
class registered_byte {
  unsigned long long ticket_ = 0;
  failure why_;

public:
  explicit registered_byte(void const* at) { register_objects(at, 1, 1, ticket_, why_); }
  ~registered_byte() { unregister_objects(ticket_, why_); }
  registered_byte(registered_byte const&) = delete;
};

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

BOOST_AUTO_TEST_CASE(a_read_modify_write_in_mapped_memory_warns_once) {
  auto const a = cudax::make_mapped<int>(1);
  auto const b = cudax::make_mapped<int>(1);
  BOOST_TEST(warning_for(a.get(), 4, false) == ""); // loads and stores are atomic
  int const before = calls();
  std::string const text = warning_for(a.get(), 4, true);
  BOOST_TEST(calls() > before);
  BOOST_TEST(text.starts_with("cudax.sync: warning: a host thread's read-modify-write of 4 bytes at 0x"), text);
  BOOST_TEST(has(text, "mapped memory: a read-modify-write is atomic only where"), text);
  BOOST_TEST(has(text, "(device 0: host_native_atomic_supported 0)"), text);
  BOOST_TEST(has(text, "This is correct only as long as no device modifies the object"), text);
  BOOST_TEST(has(text, "CUDAX_ATOMICITY"), text);
  int const after = calls();
  BOOST_TEST(warning_for(a.get(), 4, true) == "");
  BOOST_TEST(warning_for(b.get(), 4, true) == "");
  BOOST_TEST(calls() == after); // and CUDA is not called again
}

BOOST_AUTO_TEST_CASE(a_check_leaves_errno_unchanged) {
  auto const object = cudax::make_mapped<int>(1);
  int const before = calls();
  int after = 0;
  (void)printed([&] {
    errno = 77;
    check_atomicity(object.get(), 4, host_access::modify);
    after = errno;
  });
  BOOST_TEST(calls() > before);
  BOOST_TEST(after == 77);
}

BOOST_AUTO_TEST_CASE(a_registered_object_is_checked_but_not_its_neighbours) {
  struct {
    int before, object, after;
  } s = {};
  cudax::registered<int> r(s.object);
  int const calls_before = calls();
  BOOST_TEST(warning_for(&s.before, 4, true) == "");
  BOOST_TEST(warning_for(&s.after, 4, true) == "");
  BOOST_TEST(calls() == calls_before);
  BOOST_TEST(has(warning_for(&s.object, 4, true), "registered memory: "));
  forget_atomicity_answers();
  r.reset();
  BOOST_TEST(warning_for(&s.object, 4, true) == "");
}

BOOST_AUTO_TEST_CASE(if_all_is_atomic_each_object_is_checked_at_most_once) {
  described[0].host_native_atomic_supported = 1;
  auto const mapped = cudax::make_mapped<int>(1);
  auto const managed = cudax::make_managed<int>(1);
  for (int const* object : {mapped.get(), managed.get()})
    for (bool const modifies : {false, true}) BOOST_TEST(warning_for(object, 4, modifies) == "");
  int const before = calls();
  auto const another = cudax::make_managed<int>(1);
  int const allocated = calls() - before;
  for (bool const modifies : {false, true}) BOOST_TEST(warning_for(another.get(), 4, modifies) == "");
  BOOST_TEST(calls() == before + allocated);
}

BOOST_AUTO_TEST_CASE(a_load_from_managed_memory_without_concurrent_access_warns) {
  described[0].concurrent_managed_access = 0;
  auto const managed = cudax::make_managed<int>(1);
  std::string const text = warning_for(managed.get(), 4, false);
  BOOST_TEST(has(text, "a host thread's load of 4 bytes"), text);
  BOOST_TEST(has(text, "(device 0: concurrent_managed_access 0)"), text);
  BOOST_TEST(has(text, "This is correct only as long as no kernel runs"), text);
  BOOST_TEST(warning_for(managed.get(), 4, true) == "");
}

BOOST_AUTO_TEST_CASE(managed_memory_that_is_registered_stays_managed) {
  int object = 0;
  others_own(reinterpret_cast<address>(&object), sizeof(object), memory_owner::managed);
  cudax::registered<int> const r(object);
  int before = calls();
  BOOST_TEST(warning_for(&object, 4, true) == "");
  BOOST_TEST(calls() > before);
  before = calls();
  BOOST_TEST(warning_for(&object, 4, true) == ""); // mapped memory is not checked yet, but this object is
  BOOST_TEST(calls() == before);
  auto const mapped = cudax::make_mapped<int>(1); // this object's check did not count for mapped memory
  BOOST_TEST(has(warning_for(mapped.get(), 4, true), "mapped memory"));
}

BOOST_AUTO_TEST_CASE(the_environment_disables_the_check_and_a_typing_error_is_reported) {
  auto const mapped = cudax::make_mapped<int>(1);
  setenv("CUDAX_ATOMICITY", "off", 1);
  int const before = calls();
  BOOST_TEST(warning_for(mapped.get(), 4, true) == "");
  BOOST_TEST(calls() == before);
  forget_atomicity_answers();
  setenv("CUDAX_ATOMICITY", "stopp", 1);
  auto const another = cudax::make_mapped<int>(1);
  std::string const text = warning_for(another.get(), 4, true);
  BOOST_TEST(text.starts_with("cudax.sync: CUDAX_ATOMICITY is 'stopp'; use warn, stop or off\n"), text);
  BOOST_TEST(has(text, "cudax.sync: warning: "), text);
}

BOOST_AUTO_TEST_CASE(a_failing_check_is_reported_once) {
  for (int k : {1, 2, 3}) { // the count, the device, the pointer
    forget_atomicity_answers();
    auto const mapped = cudax::make_mapped<int>(1);
    fail_call(k, cuda::memory_allocation);
    std::string const text = warning_for(mapped.get(), 4, true);
    BOOST_TEST(failed());
    BOOST_TEST(has(text, "out of memory (cudaErrorMemoryAllocation)"), text);
    BOOST_TEST(has(text, "so it is unknown whether"), text);
    BOOST_TEST(warning_for(mapped.get(), 4, true) == "");
  }
}

BOOST_AUTO_TEST_CASE(a_check_that_may_not_call_cuda_is_repeated_later) {
  auto const mapped = cudax::make_mapped<int>(1);
  fail_call(1, cuda::not_permitted);
  BOOST_TEST(warning_for(mapped.get(), 4, true) == "");
  BOOST_TEST(failed());
  BOOST_TEST(has(warning_for(mapped.get(), 4, true), "host_native_atomic_supported 0"));
}

BOOST_AUTO_TEST_CASE(a_store_to_a_byte_in_a_shared_word_warns_once) {
  alignas(4) static unsigned char bytes[8];
  registered_byte const r(bytes + 1);
  BOOST_TEST(warning_for(bytes + 1, 1, host_access::load) == "");
  std::string const text = warning_for(bytes + 1, 1, host_access::store);
  BOOST_TEST(text.starts_with("cudax.sync: warning: a host thread's store of 1 byte at 0x"), text);
  BOOST_TEST(has(text,
                 ", whose word other objects share: a device's read-modify-write of the object is one of the whole "
                 "word of 4 bytes at 0x"),
             text);
  BOOST_TEST(
      has(text,
          "the word's other 3 bytes in the meantime may be lost; they hold other objects: give the object 4 bytes"),
      text);
  BOOST_TEST(has(text, "(device 0: host_native_atomic_supported 0). This is correct only as long as devices do nothing "
                       "but load and store the objects in the word. Reported once"),
             text);
  BOOST_TEST(warning_for(bytes + 1, 1, host_access::store) == "");
  std::string const modified = warning_for(bytes + 1, 1, host_access::modify); // a separate check
  BOOST_TEST(has(modified, "a host thread's read-modify-write of 1 byte"), modified);
  BOOST_TEST(has(modified, "is not atomic for the devices"), modified);
}

BOOST_AUTO_TEST_CASE(a_read_modify_write_of_such_a_byte_warns_in_one_line) {
  alignas(4) static unsigned char bytes[8];
  registered_byte const r(bytes + 1);
  std::string const text = warning_for(bytes + 1, 1, host_access::modify);
  BOOST_TEST(has(text, "is not atomic for the devices: registered memory: a read-modify-write"), text);
  BOOST_TEST(has(text, "what the host stores to the word's other 3 bytes in the meantime may be lost"), text);
  BOOST_TEST(text.find('\n') == text.size() - 1, text);
  BOOST_TEST(warning_for(bytes + 1, 1, host_access::store) == "");
  // If one of the two checks is settled, the other one still runs.
  forget_atomicity_answers();
  auto const mapped = cudax::make_mapped<int>(1);
  BOOST_TEST(has(warning_for(mapped.get(), 4, true), "warning"));
  alignas(4) static unsigned char more[4];
  registered_byte const s(more);
  std::string const word = warning_for(more, 1, host_access::modify);
  BOOST_TEST(has(word, "a host thread's read-modify-write of 1 byte"), word);
  BOOST_TEST(has(word, ", whose word other objects share: "), word);
}

BOOST_AUTO_TEST_CASE(small_objects_with_a_separate_word_do_not_warn) {
  auto const alone = cudax::make_mapped<unsigned char>(0);
  BOOST_TEST(warning_for(alone.get(), 1, host_access::store) == "");
  struct alignas(4) own_word {
    unsigned char value;
  };
  static own_word padded;
  cudax::registered<own_word> const r(padded);
  int const before = calls();
  BOOST_TEST(warning_for(&padded, 1, host_access::store) == "");
  auto const managed = cudax::make_managed<unsigned char[]>(4);
  BOOST_TEST(calls() == before + 1); // CUDA is called only for the memory
  BOOST_TEST(warning_for(&managed[1], 1, host_access::store) == "");
  // Array elements have neighbours.
  auto const elements = cudax::make_mapped<short[]>(4);
  BOOST_TEST(has(warning_for(&elements[1], 2, host_access::store), "the word's other 2 bytes"));
}

BOOST_AUTO_TEST_CASE(if_host_and_device_are_atomic_to_each_other_a_word_may_be_shared) {
  described[0].host_native_atomic_supported = 1;
  alignas(4) static unsigned char bytes[4];
  cudax::registered<unsigned char[]> const r(bytes, 4);
  BOOST_TEST(warning_for(bytes + 1, 1, host_access::store) == "");
  int const before = calls();
  BOOST_TEST(warning_for(bytes + 2, 1, host_access::store) == "");
  BOOST_TEST(calls() == before); // and the answer is cached
}

BOOST_AUTO_TEST_CASE(an_object_of_one_byte_is_checked_when_it_is_registered) {
  alignas(4) static bool flags[4];
  int const before = calls();
  std::string const text = printed([] { check_registered(flags, 1); });
  BOOST_TEST(text == ""); // its word is not shared
  BOOST_TEST(calls() == before);
  registered_byte const r(flags);
  std::string const warned = printed([] { check_registered(flags, 1); });
  BOOST_TEST(warned.starts_with("cudax.sync: warning: registered: an object of 1 byte at 0x"), warned);
  BOOST_TEST(has(warned, ", whose word other objects share: "), warned);
  BOOST_TEST(printed([] { check_registered(flags, 1); }) == "");
}

BOOST_AUTO_TEST_CASE(concurrent_threads_get_one_warning) {
  for (int round = 0; round < 20; ++round) {
    forget_atomicity_answers();
    std::vector<cudax::mapped_ptr<int>> objects; // one per thread
    for (int t = 0; t < 8; ++t) objects.push_back(cudax::make_mapped<int>(1));
    std::latch all_there(8);
    std::string const text = printed([&] {
      std::vector<std::jthread> threads;
      for (auto const& object : objects)
        threads.emplace_back([&] {
          all_there.arrive_and_wait();
          check_atomicity(object.get(), 4, host_access::modify);
        });
    });
    BOOST_TEST(has(text, "warning"), text);
    BOOST_TEST(text.find('\n') == text.size() - 1, text);
  }
}

BOOST_AUTO_TEST_SUITE_END()
