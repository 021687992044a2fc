// SPDX-License-Identifier: Apache-2.0
//
// headers: a program may include any header before or after `import cudax.sync;`. This file is compiled
// without IMPORT_FIRST in C++20 and with it in C++23: in plain C++ and on both sides of CUDA.
#if defined(IMPORT_FIRST)
import cudax.sync;
#endif

#include "../runtime/interface/headers.hpp"

#include <bit>
#include <cassert>
#include <climits>
#include <compare>
#include <coroutine>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <new>
#include <numbers>
#include <queue>
#include <ratio>
#include <shared_mutex>
#include <source_location>
#include <stack>
#include <syncstream>
#include <version>

#include <boost/config.hpp>
#include <boost/optional.hpp>
#include <boost/shared_ptr.hpp>
#include <boost/test/unit_test.hpp>
#include <boost/variant.hpp>

#if defined(__CUDA__)
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#endif

#if !defined(IMPORT_FIRST)
import cudax.sync;
#endif

// The library's types in templates of the standard library, and the standard's types in the library's templates. They
// are instantiated, so that the bodies are compiled, too.
struct shared_state {
  cudax::atomic<int> count = 0;
  cudax::atomic<std::size_t, cudax::thread_scope_device> size;
  cudax::atomic_flag done;
  std::atomic<int> standard = 0;
};

bool use(shared_state& state) {
  auto const owned = std::make_unique<cudax::atomic<double>>(1.5);
  std::vector<cudax::atomic<int>> many(10);
  std::function<int()> const add = [&] { return state.count.fetch_add(1, std::memory_order_relaxed); };
  std::optional<cudax::memory_order> order = cudax::memory_order_acquire;
  std::variant<int, cudax::thread_scope> const scope = cudax::thread_scope_block;
  std::map<std::string, std::shared_ptr<cudax::atomic<long>>> by_name;
  by_name["one"] = std::make_shared<cudax::atomic<long>>(1);
  boost::optional<int> const loaded = state.count.load();
  for (cudax::atomic<int> const& a : many | std::views::take(5)) *loaded == a.load() ? void() : state.done.clear();
  cudax::atomic_ref<float> const ref(*std::make_unique<float>(1.0f));
  bool const woken = state.count.wait_for(0, std::chrono::milliseconds(1)) ||
                     state.count.wait_until(0, std::chrono::steady_clock::now() + std::chrono::seconds(1));
  cudax::this_thread::sleep_for(std::chrono::duration<float, std::micro>(1.5f));
  std::chrono::nanoseconds const elapsed = cudax::steady_clock::now() - cudax::steady_clock::time_point();
  std::atomic_thread_fence(std::memory_order_seq_cst);
  cudax::atomic_thread_fence(*order, std::get<cudax::thread_scope>(scope));
  std::scoped_lock<std::mutex> const lock(*std::make_unique<std::mutex>());
  return add() + elapsed.count() > 0 && woken && ref.load() > 0 && atomic_load(owned.get()) > 0;
}

#if defined(__CUDA__)
__global__ void kernel(shared_state* state, cudax::atomic<__half>* half, __nv_bfloat16* bfloat) {
  state->count.fetch_add(1, cudax::memory_order_relaxed);
  state->size.fetch_max(threadIdx.x);
  half->fetch_add(__half(1.0f));
  cudax::atomic_ref<__nv_bfloat16, cudax::thread_scope_block>(*bfloat).exchange(__nv_bfloat16(1.0f));
}
#endif
