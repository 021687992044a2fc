// SPDX-License-Identifier: Apache-2.0
//
// copy: a plugin linked with its own copy of the archive. (main.cpp loads several.)
#include "../../../../runtime/cuda/cuda_calls.hpp"

#include <cstddef>

import cudax.sync;
import cudax.sync.host;

namespace runtime = cudax::runtime;
using object = cudax::registered<char[]>;

// Visible, although the plugin may be compiled with -fvisibility=hidden.
#pragma GCC visibility push(default)
extern "C" {
void use(runtime::cuda_calls const* calls) { runtime::exchange_calls(*calls); }
runtime::cuda_calls const* used() { return &runtime::calls(); }

void* begin(char* at, std::size_t size) { return new object(at, size); }
void end(void* registered) { delete static_cast<object*>(registered); }

unsigned long long begin_ticket(char* at, std::size_t size) {
  unsigned long long ticket = 0;
  runtime::failure why;
  return runtime::register_objects(at, size, 1, ticket, why) ? ticket : 0;
}
int end_ticket(unsigned long long ticket) {
  runtime::failure why;
  runtime::unregister_objects(ticket, why);
  return why.code;
}

void wait_at_device_scope(int* object) { cudax::atomic_ref<int, cudax::thread_scope_device>(*object).wait(0); }
void wait_at_system_scope(int* object) { cudax::atomic_ref<int>(*object).wait(0); }
void set_at_device_scope(int* object) {
  cudax::atomic_ref<int, cudax::thread_scope_device> const flag(*object);
  flag.store(1);
  flag.notify_all();
}
void set_at_system_scope(int* object) {
  cudax::atomic_ref<int> const flag(*object);
  flag.store(1);
  flag.notify_all();
}
}
#pragma GCC visibility pop
