// SPDX-License-Identifier: Apache-2.0
//
// contexts: the context stacks and the primary context.
#include "contexts.hpp"

#include <iterator>
#include <mutex>

namespace emulator::cuda {
namespace {

/// Has no destructor: at the end of the program, static objects are destroyed after the main thread's thread-local
/// ones.
struct context_stack {
  CUctx_st* contexts[64];
  unsigned depth;
};
thread_local constinit context_stack stack{};

struct primary_context {
  std::mutex lock;
  CUctx_st* now = nullptr; ///< null: inactive
  unsigned references = 0; ///< held by callers of the driver
  bool runtime_keeps_it = false;

  CUctx_st* make() {
    if (!now) {
      mind_forks();
      now = new CUctx_st;
      now->primary = true;
    }
    return now;
  }
};

primary_context& primary() {
  static primary_context& only = *new primary_context;
  return only;
}

} // namespace

CUctx_st* current_context() noexcept { return stack.depth ? stack.contexts[stack.depth - 1] : nullptr; }

void require_context() {
  CUctx_st const* const now = current_context();
  require(now, cudaErrorDeviceUninitialized);
  require(now->alive, cudaErrorContextIsDestroyed);
}

void push_context(CUctx_st* context) {
  require(context, cudaErrorDeviceUninitialized);
  require(context->alive, cudaErrorContextIsDestroyed);
  require(stack.depth < std::size(stack.contexts), cudaErrorUnknown);
  stack.contexts[stack.depth++] = context;
}

CUctx_st* pop_context() {
  require(stack.depth > 0, cudaErrorDeviceUninitialized);
  return stack.contexts[--stack.depth];
}

void set_context(CUctx_st* context) {
  if (stack.depth) --stack.depth;
  if (context) stack.contexts[stack.depth++] = context;
}

CUctx_st* retain_primary() {
  std::lock_guard guard(primary().lock);
  ++primary().references;
  return primary().make();
}

bool release_primary() {
  std::lock_guard guard(primary().lock);
  require(primary().references > 0, cudaErrorDeviceUninitialized);
  return --primary().references == 0 && !primary().runtime_keeps_it;
}

CUctx_st* primary_or_null() {
  std::lock_guard guard(primary().lock);
  return primary().now;
}

CUctx_st* primary_of_runtime() {
  std::lock_guard guard(primary().lock);
  primary().runtime_keeps_it = true;
  return primary().make();
}

void destroy_primary() {
  std::lock_guard guard(primary().lock);
  if (primary().now) primary().now->alive = false;
  primary().now = nullptr;
  primary().runtime_keeps_it = false;
}

/// A context that the program created stays current. The primary context replaces no context, and a primary context
/// from before a reset.
void enter_context() {
  CUctx_st const* const now = current_context();
  if (now && now->alive) return;
  require(!now || now->primary, cudaErrorContextIsDestroyed);
  set_context(primary_of_runtime());
}

} // namespace emulator::cuda
