// SPDX-License-Identifier: Apache-2.0
//
// ways: several warps, several objects, and other ways to write the kernels. Only in the programs for a GPU.
#include <string>
#include <vector>
import cudax.sync;
#include "flags.hpp"
#include "ways.hpp"

namespace {
using namespace lanes;
using namespace lanes::subjects;

// The locks whose unlock is a store, and one whose unlock is none.
using locks = list<mutex, mutex_try, binary_semaphore, compare_exchange, compare_exchange_u8, exchange, exchange_wait,
                   flag, cohort_mutex, ticket_mutex>;
using two_places = list<in_shared, global_device>;

template <class Way> void add_way() {
  add<Way>(locks(), two_places(), list<syncthreads>(), 32, 1);
  add<Way>(locks(), two_places(), list<syncthreads>(), 250, 10);
}
[[maybe_unused]] int const added = [] {
  add<ways::straight>(all_locks(), all_places(), all_meetings(), 250, 10);
  add_way<ways::repeated>();
  add_way<ways::inner_loop>();
  add_way<ways::early_exit>();
  add_way<ways::branch>();
  add_way<ways::conditions>();
  add_way<ways::two_held>();
  add<ways::chain>(flags_of_many(), all_places(), list<syncthreads>(), 250, 250);
  add<ways::reversed>(flags_of_many(), all_places(), list<syncthreads>(), 32, 32);
  add<ways::reversed>(flags_of_one(), all_places(), list<syncthreads>(), 250, 250);
  add<ways::first_raises>(flags_of_many(), all_places(), list<syncthreads>(), 64, 64);
  add<ways::last_raises>(flags_of_many(), all_places(), list<syncthreads>(), 64, 64);
  add<ways::operation>(operations(), all_places(), list<syncthreads>(), 250, 10);
  return 0;
}();
} // namespace
