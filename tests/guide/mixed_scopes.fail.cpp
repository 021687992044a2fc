// SPDX-License-Identifier: Apache-2.0
//
// The guide's example of scopes that are mixed: a function that expects one scope rejects an object of another one.
import cudax.sync;

// [foo]
using namespace cudax;

void signal_flag(atomic<bool>& flag) { flag.store(true, memory_order_release); }

void foo() {
  atomic<bool> s_flag = false;
  signal_flag(s_flag); // system scope, as signal_flag expects

  atomic<bool, thread_scope_device> d_flag = false;
  // expected-error@+1 {{no matching function for call to 'signal_flag'}}
  signal_flag(d_flag); // does not compile: device scope
}
// [/foo]

// [orders]
int wrong_order(atomic<int>& counter) {
  // expected-error@+1 {{cudax.sync}}
  return counter.load(memory_order_release); // does not compile: a load cannot release
}
// [/orders]
