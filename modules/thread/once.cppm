// SPDX-License-Identifier: Apache-2.0
//
// once: what the first thread does for all.  [thread.once]
// A word with three states. The first thread makes it running, calls the function, and makes it called; who comes
// meanwhile waits. Where the function throws, which it can on the host, the state goes back and the next thread calls.
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

namespace cudax::machine {

/// f(arguments...), also where f points to a member: what [func.require] calls INVOKE.
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

/// Ends an execution: called, or not called if the function throws.
template <thread_scope S>
struct once_execution {
  u32* state;
  u32 outcome = once_not_called;

  ~once_execution() {
    // Release: pairs with the acquire of those who return without a call, or who call next after an exception.
    store<S, u32>(state, outcome, memory_order::release);
    wake<S>(state);
  }
};

} // namespace cudax::machine

export namespace cudax {

template <thread_scope Scope>
class basic_once_flag;
template <thread_scope Scope>
void init(basic_once_flag<Scope>* object) noexcept;
template <thread_scope Scope, class F, class... Argument>
void call_once(basic_once_flag<Scope>& flag, F&& f, Argument&&... argument);

/// Whether a function has been called.
/// Source:   [thread.once.onceflag]; the scope and init are extensions
/// Scope:    Scope, as mutex
/// Requires: the default constructor does nothing, so that the object can stand in shared memory: make it with braces,
///           `once_flag f{};`, or static, or call init before any other use
template <thread_scope Named>
class basic_once_flag {
  static_assert(exists(Named),
                "cudax.sync: basic_once_flag<Scope>: this thread scope does not exist; use an enumerator "
                "of cudax::thread_scope");
  static constexpr thread_scope Scope = scope_among_threads(Named);

public:
  basic_once_flag() = default;
  basic_once_flag(basic_once_flag const&) = delete;
  basic_once_flag& operator=(basic_once_flag const&) = delete;

private:
  friend void init<Named>(basic_once_flag* object) noexcept;
  template <thread_scope S, class F, class... Argument>
  friend void call_once(basic_once_flag<S>& flag, F&& f, Argument&&... argument);

  /// Returns true to the thread that has to call; to others false, when another one has.
  bool begin() noexcept {
    for (;;) {
      // Acquire: pairs with the end of the execution, whose effects the caller is about to rely on.
      u32 seen = machine::load<Scope, u32>(&state_, memory_order::acquire);
      if (seen == machine::once_called) return false;
      // Acquire: an execution that threw comes before this one. A failure is looked at again.
      if (seen == machine::once_not_called &&
          machine::compare_exchange<Scope, u32>(&state_, seen, machine::once_running, memory_order::acquire,
                                                memory_order::relaxed))
        return true;
      machine::block_until<Scope>(
          &state_,
          [this]() noexcept {
            return machine::load<Scope, u32>(&state_, memory_order::relaxed) != machine::once_running;
          },
          forever);
    }
  }

  u32 state_;
};

/// Source:   [thread.once.onceflag]
using once_flag = basic_once_flag<thread_scope_system>;

/// Calls f(argument...) unless a call with this flag has returned already; waits while one is running. Where f throws, the
/// exception passes through and the flag stays as it was.
/// Source:   [thread.once.callonce]
/// Order:    the call that returned comes before the return of every other call_once: release and acquire
/// Scope:    the flag's. Each side calls its own f: the same source, or what it does instead
/// Requires: f does not call call_once with the same flag
template <thread_scope Scope, class F, class... Argument>
void call_once(basic_once_flag<Scope>& flag, F&& f, Argument&&... argument) {
  if (!flag.begin()) return;
  machine::once_execution<scope_among_threads(Scope)> execution{&flag.state_};
  machine::invoke((F&&)f, (Argument&&)argument...);
  execution.outcome = machine::once_called;
}

/// Makes a flag whose function has not been called: one in shared memory, say.
/// Source:   extension
/// Order:    none: the threads that use it synchronize with the caller by other means, as __syncthreads
/// Requires: no thread uses the flag meanwhile
template <thread_scope Scope>
void init(basic_once_flag<Scope>* object) noexcept {
  object->state_ = machine::once_not_called;
}

} // namespace cudax

CUDAX_EVERYWHERE_END
