// SPDX-License-Identifier: Apache-2.0
//
// once: one thread calls a function, once for all threads.  [thread.once]
// The state is a word with three values: not called, running, called. The first thread sets it to running, calls the
// function, and sets it to called. Threads that arrive while the function runs wait. If the function throws, which is
// possible on the host, the state returns to not called and the next thread calls.
module;
#include "../base/macros.hpp"
export module cudax.sync:once;
import :bits;
import :duration;
import :machine;
import :order;
import :scope;
import :wait;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::thread_detail {

/// Calls f(arguments...); f may be a pointer to a member. This is INVOKE of [func.require].
template <class F, class... Argument>
void invoke(F&& f, Argument&&... argument) {
  ((F&&)f)((Argument&&)argument...);
}
template <class M, class C, class Object, class... Argument>
void invoke(M C::* member, Object&& object, Argument&&... argument) {
  auto const call = [&](auto&& target) {
    if constexpr (__is_function(M)) (((decltype(target))target).*member)((Argument&&)argument...);
    else (void)(((decltype(target))target).*member);
  };
  if constexpr (__is_base_of(C, __remove_cvref(Object))) call((Object&&)object);
  else if constexpr (requires { *object; }) call(*(Object&&)object);
  else call(object.get()); // std::reference_wrapper
}

enum once_state : u32 { once_not_called, once_running, once_called };

/// Ends an execution: stores `outcome`, which is still once_not_called if the function has thrown.
template <thread_scope S>
struct once_execution {
  u32* state;
  u32 outcome = once_not_called;

  ~once_execution() {
    // Release: pairs with the acquire in begin() of the threads that return without a call, and of the thread that
    // calls next after an exception.
    machine::store<S, u32>(state, outcome, machine::before_wake<memory_order::release>);
    machine::wake<S>(state);
  }
};

} // namespace cudax::thread_detail

export namespace cudax {

template <thread_scope Scope>
class basic_once_flag;
template <thread_scope Scope>
void init(basic_once_flag<Scope>* object) noexcept;
template <thread_scope Scope, class F, class... Argument>
void call_once(basic_once_flag<Scope>& flag, F&& f, Argument&&... argument);

/// Records for call_once whether a function has been called.
/// Source:   [thread.once.onceflag]; the scope and init are extensions
/// Scope:    Scope, as mutex
/// Requires: as mutex, for its construction
template <thread_scope Named>
class basic_once_flag {
  CUDAX_ENSURE_SCOPE(Named, "basic_once_flag<Scope>");
  static constexpr thread_scope Scope = scope_among_threads(Named);

public:
  constexpr basic_once_flag() noexcept
    requires(is_wider_than_cluster(Named))
    : state_(thread_detail::once_not_called) {}
  basic_once_flag() noexcept
    requires(!is_wider_than_cluster(Named))
  = default;
  basic_once_flag(basic_once_flag const&) = delete;
  basic_once_flag& operator=(basic_once_flag const&) = delete;

private:
  friend void init<Named>(basic_once_flag* object) noexcept;
  template <thread_scope S, class F, class... Argument>
  friend void call_once(basic_once_flag<S>& flag, F&& f, Argument&&... argument);

  /// Returns true to the thread that must call the function. Blocks the other threads until the function has been
  /// called, and returns false to them.
  bool begin() noexcept {
    for (;;) {
      // Acquire: pairs with the release in ~once_execution, since the caller relies on the effects of the execution.
      u32 seen = machine::load<Scope, u32>(&state_, memory_order::acquire);
      if (seen == thread_detail::once_called) return false;
      CUDAX_ENSURE(seen < thread_detail::once_called,
                   "call_once: the state 0x%llx is not that of a once_flag; call init before any other use "
                   "[thread.once]",
                   (long long)seen);
      // Acquire: pairs with ~once_execution of an execution that threw. That execution happens before the execution
      // that begins here. If the compare-and-swap fails, the loop loads the state again.
      if (seen == thread_detail::once_not_called &&
          machine::compare_exchange<Scope, u32>(&state_, seen, thread_detail::once_running, memory_order::acquire,
                                                memory_order::relaxed))
        return true;
      machine::block_until<Scope>(&state_,
                                  CUDAX_AWAITS([this]() noexcept { return is_over(); },
                                               "call_once: the call of another thread has not returned"),
                                  forever);
    }
  }

  bool is_over() const noexcept {
    return machine::load<Scope, u32>(&state_, memory_order::relaxed) != thread_detail::once_running;
  }

  u32 state_;
};

/// A basic_once_flag of system scope.
/// Source:   [thread.once.onceflag]
using once_flag = basic_once_flag<thread_scope_system>;

/// Calls f(argument...) unless a call with this flag has already returned; blocks while such a call is running. If f
/// throws, call_once passes the exception on and the flag stays as if f had not been called.
/// Source:   [thread.once.callonce]
/// Order:    the call that returned happens before the return of every other call_once with the flag: release, acquire
/// Scope:    the flag's. If host and device share the flag, either the host's f or the device's f is called to
///           completion, not both; the two may be the same source compiled for both sides, or separate code
/// Requires: f does not call call_once with the same flag
/// Example:
///     __device__ cudax::basic_once_flag<cudax::thread_scope_device> filled;
///     __global__ void look_up(int* squares, int const* numbers, int* results) {
///       cudax::call_once(filled, [=] {
///         for (int i = 0; i < 256; ++i) squares[i] = i * i;
///       });
///       results[threadIdx.x] = squares[numbers[threadIdx.x]];
///     }
template <thread_scope Scope, class F, class... Argument>
void call_once(basic_once_flag<Scope>& flag, F&& f, Argument&&... argument) {
  if (!flag.begin()) return;
  thread_detail::once_execution<scope_among_threads(Scope)> execution{&flag.state_};
  thread_detail::invoke((F&&)f, (Argument&&)argument...);
  execution.outcome = thread_detail::once_called;
}

/// Makes a flag whose function has not been called: for example a flag in shared memory.
/// Source:   extension
/// Order:    none: a plain initialization
template <thread_scope Scope>
void init(basic_once_flag<Scope>* object) noexcept {
  object->state_ = thread_detail::once_not_called;
}

} // namespace cudax

CUDAX_EVERYWHERE_END
