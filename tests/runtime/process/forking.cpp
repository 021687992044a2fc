// SPDX-License-Identifier: Apache-2.0
//
// fork() while other threads allocate, free, register and load: in the child every lock is free.
#include "../../../runtime/cuda/cuda_calls.hpp"
#include "../../../runtime/interface/resources.hpp"
#include "../simulated/simulated_machine.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <new>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

using cudax::runtime::failure;
namespace cuda = cudax::runtime::cuda;

namespace {

/// Calls every function that takes a lock of the library, as a program would. Returns whether all of them worked.
bool use_everything(char* memory) {
  bool right = true;
  for (cudax::system_resource* const r : {cudax::mapped_resource(), cudax::managed_resource()})
    for (std::size_t const size : {32, 3000, 50'000}) {
      r->deallocate(r->allocate(size), size);
      right = right && r->statistics().bytes_reserved >= size;
    }
  unsigned long long ticket = 0;
  failure why;
  right = right && cudax::runtime::register_objects(memory, 16, 1, ticket, why) != nullptr;
  if (ticket) cudax::runtime::unregister_objects(ticket, why);
  return right && why.code == cuda::success;
}

/// Returns the results of calls(0), calls(1), ... in that many children of fork, each forked while threads use
/// everything.
template <class Call> void in_children(cudax_test::simulated_machine& machine, int children, Call call) {
  std::atomic<bool> stop = false;
  std::atomic<int> wrong = 0;
  static char memory[16][16];
  std::vector<std::jthread> threads;
  threads.reserve(4);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      while (!stop) wrong += !use_everything(memory[t]);
    });
  for (int round = 0; round < children; ++round) {
    pid_t const child = machine.fork_between_calls();
    BOOST_REQUIRE(child >= 0);
    if (child == 0) {
      alarm(240); // ends a child that hangs
      _exit(call(memory[5]) ? 0 : 1);
    }
    int status = 0;
    BOOST_REQUIRE(waitpid(child, &status, 0) == child);
    BOOST_TEST((WIFEXITED(status) && WEXITSTATUS(status) == 0), "child " << round << ": status " << status);
    if (!WIFEXITED(status)) break; // later children would hang, too
  }
  stop = true;
  threads.clear();
  BOOST_TEST(wrong == 0);
  for (cudax::system_resource* const r : {cudax::mapped_resource(), cudax::managed_resource()}) r->trim();
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(forking, cudax_test::simulated_machine)

BOOST_AUTO_TEST_CASE(a_child_allocates_frees_and_registers) {
  in_children(*this, 300, [](char* memory) { return use_everything(memory); });
}

BOOST_AUTO_TEST_CASE(a_child_frees_what_the_parent_has_allocated) {
  for (cudax::system_resource* const r : {cudax::mapped_resource(), cudax::managed_resource()}) {
    void* const small = r->allocate(40);
    void* const large = r->allocate(40'000);
    in_children(*this, 30, [&](char*) {
      r->deallocate(small, 40);
      r->deallocate(large, 40'000);
      return true;
    });
    r->deallocate(small, 40);
    r->deallocate(large, 40'000);
    r->trim();
  }
}

// The child does not own the parent's registrations: it may end them, and they remain.
BOOST_AUTO_TEST_CASE(a_child_ends_what_the_parent_has_registered) {
  static char object[64];
  unsigned long long ticket = 0;
  failure why;
  BOOST_REQUIRE(cudax::runtime::register_objects(object, 64, 1, ticket, why));
  in_children(*this, 30, [&](char*) {
    failure ended;
    cudax::runtime::unregister_objects(ticket, ended);
    return ended.code == cuda::not_registered;
  });
  BOOST_TEST(registered_ranges() == 1u);
  cudax::runtime::unregister_objects(ticket, why);
  BOOST_TEST(why.code == cuda::success, why.sentence);
  BOOST_TEST(registered_ranges() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
